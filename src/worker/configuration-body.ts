/** Reads a configuration body: JSON, or in the formats of the reference's files: YAML, .properties or HOCON. */
import { isMap, isScalar, LineCounter, parseAllDocuments, visit, YAMLParseError, type Document } from "yaml";
import {
  isPlainObject,
  LIMITS,
  ServiceError,
  sizeProblem,
  withoutPlaceholders,
  type Problem,
} from "../interface/index.ts";
import { bodyText } from "./body.ts";
import { HoconError, readHocon } from "./hocon.ts";
import { problemError } from "./problems.ts";
import { readProperties } from "./properties.ts";

interface ConfigurationBody {
  /** One or more documents as plain JSON data with keys as written; only YAML can have several. */
  readonly documents: readonly unknown[];
  /** Parts without effect. */
  readonly warnings: readonly Problem[];
}

/**
 * Throws 400 bad_request with the line if the format is unknown or the body is empty: stored configuration is only
 * removed by DELETE. Throws 413 if it is too large.
 */
export async function configurationBody(request: Request): Promise<ConfigurationBody> {
  const text = await bodyText(request, "configurationBytes");
  const body = text.trim() === "" ? null : readBody(text, request.headers.get("content-type") ?? "");
  if (body !== null && body.documents.some((document) => document !== null)) return body;
  throw new ServiceError("bad_request", "The body is empty; send JSON or YAML, or DELETE to remove the configuration.");
}

/** Throws 400 if there are too many values to list their problems, or too many levels. */
function checkEntries(data: unknown): void {
  const problem = sizeProblem(data, {
    values: LIMITS.configurationEntries.value,
    levels: LIMITS.configurationLevels.value,
  });
  if (problem !== null) throw new ServiceError("bad_request", `The body ${problem}.`);
}

/** Distinguishes HOCON from YAML. A run of any line ends is read once. */
const LOOKS_LIKE_HOCON = /^[^\S\r\n\u2028\u2029]*["\w][^\s:]*\s*(?:\{|\+?=)|^[^#\r\n\u2028\u2029]*\S\s*:\s*\{\s*$/m;

/** Detects the format by the text, because headers rarely name it. */
export function readBody(text: string, contentType = ""): ConfigurationBody {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    // A body sent as JSON only gets JSON's error messages.
    if (/\bjson\b/i.test(contentType)) {
      throw new ServiceError("bad_request", `The body is not JSON: ${messageOf(error)}.`);
    }
  }
  if (json !== undefined) return filledIn(withoutWarnings(json));
  const properties = readProperties(text);
  if (properties !== null) return filledIn(withoutWarnings(properties));
  checkSlowFormat(text);
  const isHocon = LOOKS_LIKE_HOCON.test(text);
  try {
    const body = yaml(text);
    // `suggest { locale: en }` is also a valid, if strange, YAML key.
    const isStrange = body.documents.some(
      (one) => !isPlainObject(one) || Object.keys(one).some((key) => /[{=]/.test(key)),
    );
    if (!isHocon || !isStrange) return filledIn(body);
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    const where = error instanceof YAMLParseError ? error.linePos?.[0] : undefined;
    const details = where === undefined ? undefined : { line: where.line, column: where.col };
    if (!isHocon) {
      const message = `The body is neither JSON nor YAML: ${messageOf(error)}`;
      throw new ServiceError("bad_request", message, { details });
    }
  }
  try {
    const document = readHocon(text);
    checkEntries(document);
    return withoutWarnings(document);
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    const details = error instanceof HoconError ? { line: error.line } : undefined;
    const message = `The body is neither JSON, YAML nor HOCON: ${messageOf(error)}`;
    throw new ServiceError("bad_request", message, { details });
  }
}

function withoutWarnings(document: unknown): ConfigurationBody {
  return { documents: [document], warnings: [] };
}

function checkSlowFormat(text: string): void {
  const { value } = LIMITS.configurationYamlCharacters;
  if (text.length <= value) return;
  throw new ServiceError(
    "body_too_large",
    `The body is longer than ${value} characters and not JSON. Send it as JSON.`,
    { details: { limit: "configurationYamlCharacters", value } },
  );
}

/** Resolves placeholders, except in HOCON, which has its own. Throws 400 invalid_configuration. */
function filledIn({ documents, warnings }: ConfigurationBody): ConfigurationBody {
  checkEntries(documents);
  const filled = withoutPlaceholders(documents);
  if (filled.errors.length > 0) throw problemError("invalid_configuration", filled.errors);
  return { documents: filled.documents, warnings: [...warnings, ...filled.warnings] };
}

/** A hostile text has a hundred thousand errors, and all are made before the first can be thrown. */
function parsedQuickly(text: string, lineCounter: LineCounter): ReturnType<typeof parseAllDocuments> {
  // V8's; the types of Workers do not have it.
  const stacks = Error as ErrorConstructor & { stackTraceLimit: number };
  const { stackTraceLimit } = stacks;
  stacks.stackTraceLimit = 0;
  try {
    return parseAllDocuments(text, {
      // The `<<` of YAML 1.1, which Spring's files use.
      merge: true,
      logLevel: "error",
      uniqueKeys: false,
      // Otherwise each error copies its line.
      prettyErrors: false,
      lineCounter,
    });
  } finally {
    stacks.stackTraceLimit = stackTraceLimit;
  }
}

/** All documents of a file. No profile is active, so documents for profiles are left out, as in Spring. */
function yaml(text: string): ConfigurationBody {
  const lineCounter = new LineCounter();
  const read = parsedQuickly(text, lineCounter);
  const warnings: Problem[] = [];
  const documents: unknown[] = [];
  const most = LIMITS.configurationDocuments.value;
  if (read.length > most) {
    throw new ServiceError("bad_request", `The body has more than ${most} documents.`);
  }
  // Without documents the result has another type.
  [...read].forEach((document, i) => {
    const [error] = document.errors;
    if (error !== undefined) throw placed(error, lineCounter);
    checkKeys(document, lineCounter);
    // Via JSON, so that only JSON data is stored.
    const one = JSON.parse(JSON.stringify(document.toJS() ?? null)) as unknown;
    const profile = profileOf(one);
    if (profile === null) documents.push(one);
    else {
      const message = `is for the profile ${profile}, and profiles are never active; it is ignored`;
      warnings.push({ path: `document ${i + 1}`, message });
    }
  });
  return { documents, warnings };
}

const PROFILES: readonly string[] = ["spring.profiles", "spring.config.activate.on-profile"];

/** Null: always active. */
function profileOf(document: unknown, prefix = ""): string | null {
  if (!isPlainObject(document)) return null;
  for (const [key, value] of Object.entries(document)) {
    const name = prefix + key;
    if (PROFILES.includes(name)) {
      if (typeof value === "string" || Array.isArray(value)) return String(value);
    }
    const isOnTheWay = PROFILES.some((one) => one.startsWith(`${name}.`));
    const found = isOnTheWay ? profileOf(value, `${name}.`) : null;
    if (found !== null) return found;
  }
  return null;
}

/**
 * Throws YAMLParseError for duplicate keys: the parser's own check takes quadratic
 * time.
 */
function checkKeys(document: Document, lineCounter: LineCounter): void {
  visit(document, {
    Map: (_, map) => {
      const keys = new Set<unknown>();
      for (const { key } of map.items) {
        const name = isScalar(key) ? key.value : key;
        if (keys.has(name) && name !== "<<") {
          const range = isScalar(key) || isMap(key) ? key.range : null;
          const at = range?.[0] ?? 0;
          const message = `Map keys must be unique: ${String(name)}`;
          throw placed(new YAMLParseError([at, at + 1], "DUPLICATE_KEY", message), lineCounter);
        }
        keys.add(name);
      }
    },
  });
}

/** The error with its line and column. */
function placed(error: YAMLParseError, lineCounter: LineCounter): YAMLParseError {
  const { line, col } = lineCounter.linePos(error.pos[0]);
  error.linePos = [{ line, col }];
  error.message += ` at line ${line}, column ${col}`;
  return error;
}

/** Only the first line. */
function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "";
}
