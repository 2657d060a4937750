/**
 * Resolves placeholders in the values of configuration files, like Spring:
 *
 *   placeholder = "${" name [":" default] "}"
 *
 * `name` and `default` may contain placeholders with balanced braces. A name is a key of the file (`suggest.locale`,
 * in any spelling) and is replaced by its value, else by the default. There are no environment variables. Without
 * either the text is unchanged and a warning is returned. After a backslash `${` is plain text. Keys have no
 * placeholders.
 *
 *   index-name: ${SHOP_INDEX:shop}-${locale:en}   ->   shop-en
 */
import { keyOf, isPlainObject } from "./configuration-spelling.ts";
import type { Problem } from "./errors.ts";
import { LIMITS } from "./limits.ts";

/** Limits of one file: names looked up, and placeholders replaced (values may have them, too). */
const MOST_NAMES = 1_000;
const MOST_PLACEHOLDERS = 3_000;
/**
 * Characters read, each time before they are. A text is made of parts of texts that were read, so none becomes longer
 * than this, nor do all together, and the time to scan them is bounded as well.
 */
const MOST_CHARACTERS = LIMITS.configurationCharacters.value;
/** Deeper placeholders are refused; values in deeper objects are unchanged, because no setting is so deep. */
const MOST_LEVELS = 50;
/** Longer names are never keys. */
const MOST_NAME_CHARACTERS = 500;

/** Replacement texts of data processors, where `${name}` is a group of the regular expression. */
const REPLACEMENT_KEY = /_replacement$/;

export interface Placeheld {
  readonly documents: readonly unknown[];
  /** Unresolved placeholders. */
  readonly warnings: readonly Problem[];
  /** Errors that make the file unusable. */
  readonly errors: readonly Problem[];
}

/** @param documents plain data, of one file; names are looked up in the last document first */
export function withoutPlaceholders(documents: readonly unknown[]): Placeheld {
  const reader = new PlaceholderReader(documents);
  return {
    documents: documents.map((document) => reader.read(document, "", 0)),
    warnings: reader.warnings,
    errors: reader.errors,
  };
}

class PlaceholderReader {
  readonly warnings: Problem[] = [];
  readonly errors: Problem[] = [];
  readonly #documents: readonly unknown[];
  /** Paths of errors. */
  readonly #refused = new Set<string>();
  /** Values by name; null: absent. */
  readonly #found = new Map<string, string | null>();
  #placeholders = 0;
  #characters = 0;

  constructor(documents: readonly unknown[]) {
    this.#documents = documents;
  }

  read(value: unknown, path: string, depth: number): unknown {
    if (typeof value === "string") return this.#text(value, path, []);
    if (depth > MOST_LEVELS) return value;
    if (Array.isArray(value)) return value.map((one, i) => this.read(one, `${path}[${i}]`, depth + 1));
    if (!isPlainObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [
        key,
        this.read(member, path === "" ? key : `${path}.${key}`, depth + 1),
      ]),
    );
  }

  /** @param open names whose values contain this text */
  #text(text: string, path: string, open: readonly string[]): string {
    if (!this.#reads(text.length, path)) return "";
    let done = "";
    let at = 0;
    for (let start = text.indexOf("${"); start !== -1; start = text.indexOf("${", at)) {
      if (text[start - 1] === "\\") {
        done += text.slice(at, start + 2);
        at = start + 2;
        continue;
      }
      const end = endOf(text, start + 2);
      if (end === null) break;
      done += text.slice(at, start) + this.#placeholder(text.slice(start + 2, end), path, open);
      at = end + 1;
    }
    return at === 0 ? text : done + text.slice(at);
  }

  /** False: too many, which is an error of the path that has the first of them. */
  #reads(characters: number, path: string): boolean {
    if (this.#characters > MOST_CHARACTERS) return false;
    this.#characters += characters;
    if (this.#characters <= MOST_CHARACTERS) return true;
    this.#refuse(path, `makes more than ${MOST_CHARACTERS} characters of the file (configurationCharacters)`);
    return false;
  }

  /** @param inner the text between the braces */
  #placeholder(inner: string, path: string, open: readonly string[]): string {
    const colon = colonOf(inner);
    if (++this.#placeholders > MOST_PLACEHOLDERS || open.length > MOST_LEVELS) {
      const most = `at most ${MOST_PLACEHOLDERS} in a file, ${MOST_LEVELS} within each other`;
      return this.#refuse(path, `has too many placeholders: ${most}`);
    }
    const name = this.#text(colon === null ? inner : inner.slice(0, colon), path, [...open, ""]);
    if (open.includes(name) && name !== "") {
      return this.#refuse(path, `\${${name}} refers to itself`);
    }
    const found = this.#lookup(name, path);
    if (found !== null) return this.#text(found, path, [...open, name]);
    if (colon !== null) return this.#text(inner.slice(colon + 1), path, [...open, ""]);
    // Each warning repeats the path.
    if (!REPLACEMENT_KEY.test(path) && this.#reads(path.length + name.length, path)) {
      const message = `\${${name}} has no value here and no default; it stays as it is`;
      this.warnings.push({ path, message });
    }
    return `\${${name}}`;
  }

  #refuse(path: string, message: string): string {
    if (!this.#refused.has(path)) this.errors.push({ path, message });
    this.#refused.add(path);
    return "";
  }

  #lookup(name: string, path: string): string | null {
    if (name.length > MOST_NAME_CHARACTERS) return null;
    const known = this.#found.get(name);
    if (known !== undefined) return known;
    if (this.#found.size >= MOST_NAMES) {
      this.#refuse(path, `names more than ${MOST_NAMES} different placeholders`);
      return null;
    }
    const steps = name.replaceAll(/\[(\d+)\]/g, ".$1").split(".");
    let found: string | null = null;
    for (const document of this.#documents) found = valueAt(document, steps) ?? found;
    this.#found.set(name, found);
    return found;
  }
}

/** The text, number or flag of a name whose dots may separate keys or be part of one; null: absent. */
function valueAt(value: unknown, steps: readonly string[]): string | null {
  if (steps.length === 0) {
    const isScalar = typeof value === "string" || typeof value === "number";
    return isScalar || typeof value === "boolean" ? String(value) : null;
  }
  if (Array.isArray(value)) return valueAt(value[Number(steps[0])], steps.slice(1));
  if (!isPlainObject(value)) return null;
  for (let taken = 1; taken <= steps.length; taken++) {
    const key = keyOf(value, steps.slice(0, taken).join("."));
    const found = key === null ? null : valueAt(value[key], steps.slice(taken));
    if (found !== null) return found;
  }
  return null;
}

/** Position of the brace that closes the one before `from`; null: not closed. */
function endOf(text: string, from: number): number | null {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (text[at] === "{") depth++;
    else if (text[at] === "}" && depth-- === 0) return at;
  }
  return null;
}

/** Position of the colon before the default, outside inner placeholders; null: no default. */
function colonOf(inner: string): number | null {
  let depth = 0;
  for (let at = 0; at < inner.length; at++) {
    if (inner[at] === "{") depth++;
    else if (inner[at] === "}") depth--;
    else if (inner[at] === ":" && depth === 0) return at;
  }
  return null;
}
