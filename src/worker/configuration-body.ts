/** A configuration body: JSON, or YAML as the reference's files are written. */
import { isMap, isScalar, parseDocument, visit, YAMLParseError } from "yaml";
import { LIMITS, ServiceError } from "../interface/index.ts";
import { bodyText } from "./body.ts";

/**
 * Throws 400 bad_request with the line when it is neither, or when there is nothing in it: what is stored is removed
 * by DELETE only. 413. The answer is plain JSON data.
 */
export async function configurationBody(request: Request): Promise<unknown> {
  const text = await bodyText(request, "configurationBytes");
  const value = text.trim() === "" ? null : read(text, request.headers.get("content-type") ?? "");
  if (value !== null) {
    checkEntries(value);
    return value;
  }
  throw new ServiceError(
    "bad_request",
    "The body is empty; send JSON or YAML, or DELETE to remove the configuration.",
  );
}

/** Throws 400 where so many values are wrong that nobody could list them. */
function checkEntries(value: unknown): void {
  const limit = LIMITS.configurationEntries.value;
  let count = 0;
  const open = [value];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (typeof one !== "object" || one === null) continue;
    const members: unknown[] = Object.values(one);
    count += members.length;
    if (count > limit) {
      throw new ServiceError("bad_request", `The body has more than ${limit} values.`);
    }
    for (const member of members) open.push(member ?? null);
  }
}

function read(text: string, contentType: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // Sent as JSON, it is meant as JSON: YAML's complaint about it would only confuse.
    if (/\bjson\b/i.test(contentType)) {
      throw new ServiceError("bad_request", `The body is not JSON: ${messageOf(error)}.`);
    }
  }
  try {
    // Through JSON, so that what is stored is what JSON can say.
    return JSON.parse(JSON.stringify(yaml(text) ?? null)) as unknown;
  } catch (error) {
    const where = error instanceof YAMLParseError ? error.linePos?.[0] : undefined;
    throw new ServiceError(
      "bad_request",
      `The body is neither JSON nor YAML: ${messageOf(error)}`,
      {
        details: where === undefined ? undefined : { line: where.line, column: where.col },
      },
    );
  }
}

/**
 * Throws YAMLParseError, also for keys that are there twice: the parser's own look for them takes the square of their
 * number.
 */
function yaml(text: string): unknown {
  // `merge`: the `<<` of YAML 1.1, which Spring's files use.
  const document = parseDocument(text, { merge: true, logLevel: "error", uniqueKeys: false });
  const [error] = document.errors;
  if (error !== undefined) throw error;
  visit(document, {
    Map: (_, map) => {
      const keys = new Set<unknown>();
      for (const { key } of map.items) {
        const name = isScalar(key) ? key.value : key;
        if (keys.has(name) && name !== "<<") {
          const range = isScalar(key) || isMap(key) ? key.range : null;
          const at = range?.[0] ?? 0;
          const error = new YAMLParseError(
            [at, at + 1],
            "DUPLICATE_KEY",
            `Map keys must be unique: ${String(name)}`,
          );
          const before = text.slice(0, at).split("\n");
          error.linePos = [{ line: before.length, col: (before.at(-1)?.length ?? 0) + 1 }];
          throw error;
        }
        keys.add(name);
      }
    },
  });
  return document.toJS() as unknown;
}

/** The first line: the YAML parser draws the place below it. */
function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "";
}
