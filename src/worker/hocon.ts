/**
 * Parses HOCON, the format of the reference's `suggest.conf`.
 *
 *   file     = object body, with or without braces around it
 *   body     = [field (("," | newline)+ field)*]
 *   field    = path [":" | "=" | "+="] value            `a.b.c = 1`, `a { b = 1 }`; a path may have quoted parts
 *            | "include" ...                            ignored: there are no other files
 *   value    = part+                                    parts in a line are concatenated: `10 minutes`, `${a}/b`
 *   part     = object | list | text | `"` text `"` | `"""` text `"""` | "${" ["?"] path "}"
 *   comment  = "#" ... | "//" ...
 *
 * Objects under one key are merged, other values replace earlier ones. A substitution is the value of its path in the
 * file; without one (environment variables), `${?x}` makes the field absent, and `${x}` is an error.
 * Quoted parts of a path are one key (`"a.b"` -> `[a.b]`, in Spring's syntax).
 */

import { LIMITS, shownPath } from "../interface/index.ts";

export class HoconError extends Error {
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

type Data = null | boolean | number | string | Substitution | Concatenation | Data[] | DataObject;
type DataObject = Map<string, Data>;

class Substitution {
  readonly path: readonly string[];
  readonly isOptional: boolean;
  /** Position in the text. */
  readonly at: number;
  /** Earlier value of the key, used if there is no value. */
  readonly before: Data | undefined;

  constructor(path: readonly string[], isOptional: boolean, at: number, before?: Data) {
    this.path = path;
    this.isOptional = isOptional;
    this.at = at;
    this.before = before;
  }
}

/** Texts, white space and substitutions. */
class Concatenation {
  readonly parts: readonly (string | Substitution)[];

  constructor(parts: readonly (string | Substitution)[]) {
    this.parts = parts;
  }
}

/** Deeper files are refused. */
const MOST_LEVELS = 100;
/**
 * Nested substitutions can grow exponentially, so values are limited, and the characters of their texts and paths. Both
 * are counted whenever a value is reached, and before anything is made of it: a text is made of texts that were counted.
 */
const MOST_VALUES = 100_000;
const MOST_CHARACTERS = LIMITS.configurationCharacters.value;

/** Throws HoconError. */
export function readHocon(text: string): unknown {
  const parser = new Parser(text);
  return new Resolver(text, parser.file()).data();
}

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split("\n").length;
}

class Parser {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  file(): DataObject {
    this.#skip(true);
    const isBraced = this.#peek() === "{";
    if (isBraced) this.#at++;
    const root = this.#body(isBraced ? "}" : "");
    this.#skip(true);
    if (this.#at < this.#text.length) throw this.#error(`unexpected ${this.#shown()}`);
    return root;
  }

  /** Reads up to and including `end`. */
  #body(end: string): DataObject {
    if (++this.#depth > MOST_LEVELS) throw this.#error("too many levels");
    const object: DataObject = new Map();
    for (;;) {
      this.#skip(true, ",");
      if (this.#at >= this.#text.length) {
        if (end !== "") throw this.#error("a { is not closed");
        break;
      }
      if (this.#peek() === end) {
        this.#at++;
        break;
      }
      this.#field(object);
    }
    this.#depth--;
    return object;
  }

  #field(object: DataObject): void {
    INCLUDE.lastIndex = this.#at;
    if (INCLUDE.test(this.#text)) {
      while (this.#at < this.#text.length && this.#peek() !== "\n") this.#at++;
      return;
    }
    const path = this.#path(":={+\n");
    this.#skip(false);
    if (this.#peek() === "{") {
      merge(object, path, this.#value());
      return;
    }
    const isAdded = this.#text.startsWith("+=", this.#at);
    if (!isAdded && this.#peek() !== "=" && this.#peek() !== ":") {
      throw this.#error(`expected = or : or { after the key, not ${this.#shown()}`);
    }
    this.#at += isAdded ? 2 : 1;
    this.#skip(true);
    const value = this.#value();
    const before = isAdded ? valueAt(object, path) : undefined;
    // In place: thousands of additions would copy the list each time.
    if (Array.isArray(before)) before.push(value);
    else merge(object, path, isAdded ? [value] : value);
  }

  /** The parts of a path, up to one of `ends`. */
  #path(ends: string): string[] {
    const path: string[] = [];
    let part = "";
    let isQuoted = false;
    const add = (): void => {
      const name = isQuoted ? part : part.trim();
      if (name === "" && !isQuoted) throw this.#error(`expected a key, not ${this.#shown()}`);
      if (path.length === MOST_LEVELS) throw this.#error("too many levels");
      path.push(isQuoted && name.includes(".") ? `[${name}]` : name);
      part = "";
      isQuoted = false;
    };
    while (this.#at < this.#text.length && !ends.includes(this.#peek())) {
      const next = this.#peek();
      if (next === '"') {
        part = part.trim() + this.#quoted();
        isQuoted = true;
      } else if ("}],#".includes(next)) break;
      else {
        if (next === ".") add();
        else if (!isQuoted || next.trim() !== "") part += next;
        this.#at++;
      }
    }
    add();
    return path;
  }

  #value(): Data {
    const first = this.#peek();
    if (first === "{") {
      this.#at++;
      return this.#body("}");
    }
    if (first === "[") return this.#list();
    const parts: (string | Substitution)[] = [];
    let bare = "";
    let isBare = true;
    for (;;) {
      const next = this.#peek();
      if (next === "" || "\n,}]#".includes(next) || this.#text.startsWith("//", this.#at)) break;
      if (next === '"') {
        parts.push(bare, this.#quoted());
        bare = "";
        isBare = false;
      } else if (this.#text.startsWith("${", this.#at)) {
        parts.push(bare, this.#substitution());
        bare = "";
        isBare = false;
      } else {
        bare += next;
        this.#at++;
      }
    }
    // As in HOCON; also rejects invalid YAML files.
    if (/[:=]/.test(bare)) throw this.#error("a value with : or = must stand in quotes");
    if (isBare) {
      if (bare.trim() === "") throw this.#error(`expected a value, not ${this.#shown()}`);
      return scalar(bare.trim());
    }
    const all = [...parts, bare.trimEnd()].filter((part) => part !== "");
    const [only = ""] = all;
    return all.length <= 1 ? only : new Concatenation(all);
  }

  #list(): Data[] {
    this.#at++;
    if (++this.#depth > MOST_LEVELS) throw this.#error("too many levels");
    const list: Data[] = [];
    for (;;) {
      this.#skip(true, ",");
      if (this.#at >= this.#text.length) throw this.#error("a [ is not closed");
      if (this.#peek() === "]") break;
      list.push(this.#value());
    }
    this.#at++;
    this.#depth--;
    return list;
  }

  #substitution(): Substitution {
    const start = this.#at;
    this.#at += 2;
    const isOptional = this.#peek() === "?";
    if (isOptional) this.#at++;
    const path = this.#path("}\n");
    if (this.#peek() !== "}") throw this.#error("a ${ is not closed");
    this.#at++;
    return new Substitution(path, isOptional, start);
  }

  #quoted(): string {
    if (this.#text.startsWith('"""', this.#at)) {
      const end = this.#text.indexOf('"""', this.#at + 3);
      if (end < 0) throw this.#error('a """ is not closed');
      const text = this.#text.slice(this.#at + 3, end);
      this.#at = end + 3;
      return text;
    }
    QUOTED.lastIndex = this.#at;
    const match = QUOTED.exec(this.#text);
    if (match === null) throw this.#error('a " is not closed');
    try {
      const text: unknown = JSON.parse(match[0]);
      this.#at += match[0].length;
      return String(text);
    } catch {
      throw this.#error(`${match[0]} is not a text`);
    }
  }

  /** Skips white space, comments, and `also`. */
  #skip(withLines: boolean, also = ""): void {
    for (;;) {
      const next = this.#peek();
      if (next === "#" || this.#text.startsWith("//", this.#at)) {
        const end = this.#text.indexOf("\n", this.#at);
        this.#at = end < 0 ? this.#text.length : end;
      } else if (next !== "" && (also.includes(next) || (next.trim() === "" && (withLines || next !== "\n")))) {
        this.#at++;
      } else return;
    }
  }

  #peek(): string {
    return this.#text.charAt(this.#at);
  }

  #shown(): string {
    return this.#at >= this.#text.length ? "the end" : JSON.stringify(this.#peek());
  }

  #error(message: string): HoconError {
    return new HoconError(message, lineAt(this.#text, this.#at));
  }
}

const INCLUDE = /include(?=[\s"(])/y;
const QUOTED = /"(?:[^"\\\n]|\\.)*"/y;

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function scalar(text: string): Data {
  if (text === "null") return null;
  if (text === "true" || text === "false") return text === "true";
  return NUMBER.test(text) ? Number(text) : text;
}

/** Merges objects. */
function merge(object: DataObject, [key, ...rest]: readonly string[], value: Data): void {
  if (key === undefined) return;
  const before = object.get(key);
  if (rest.length > 0) {
    const inner: DataObject = before instanceof Map ? before : new Map();
    merge(inner, rest, value);
    object.set(key, inner);
  } else if (before instanceof Map && value instanceof Map) {
    for (const [name, one] of value) merge(before, [name], one);
  } else if (value instanceof Substitution && value.isOptional) {
    object.set(key, new Substitution(value.path, true, value.at, before));
  } else object.set(key, value);
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

function valueAt(object: DataObject, path: readonly string[]): Data | undefined {
  return path.reduce<Data | undefined>((at, name) => (at instanceof Map ? at.get(name) : undefined), object);
}

/** Resolves substitutions. */
class Resolver {
  readonly #text: string;
  readonly #root: DataObject;
  /** Substitutions being resolved. */
  readonly #within = new Set<Substitution>();
  #values = 0;
  #characters = 0;

  constructor(text: string, root: DataObject) {
    this.#text = text;
    this.#root = root;
  }

  data(): unknown {
    return this.#plain(this.#root, "");
  }

  /** Undefined: an absent field. */
  #plain(value: Data, path: string): unknown {
    if (++this.#values > MOST_VALUES) throw this.#tooLarge(path, `${MOST_VALUES} values`);
    this.#characters += path.length + (isScalar(value) ? String(value).length : 0);
    if (this.#characters > MOST_CHARACTERS) {
      throw this.#tooLarge(path, `${MOST_CHARACTERS} characters (configurationCharacters)`);
    }
    if (value instanceof Map) {
      const members = [...value].map(([name, one]): [string, unknown] => [
        name,
        this.#plain(one, path === "" ? name : `${path}.${name}`),
      ]);
      return Object.fromEntries(members.filter(([, member]) => member !== undefined));
    }
    if (Array.isArray(value)) {
      return value.map((one, i) => this.#plain(one, `${path}[${i}]`)).filter((one) => one !== undefined);
    }
    if (value instanceof Substitution) return this.#substituted(value, path);
    if (!(value instanceof Concatenation)) return value;
    return value.parts
      .map((part) => (typeof part === "string" ? this.#plain(part, path) : this.#substituted(part, path)))
      .filter(isScalar)
      .join("");
  }

  #tooLarge(path: string, most: string): HoconError {
    return new HoconError(`${shownPath(path)} is too large: with it the file has more than ${most}`, 1);
  }

  #substituted(value: Substitution, path: string): unknown {
    const { path: name, isOptional, before, at } = value;
    const line = (): number => lineAt(this.#text, at);
    if (this.#within.has(value)) throw new HoconError("a substitution refers to itself", line());
    const found = valueAt(this.#root, name) ?? (isOptional ? before : undefined);
    if (found === undefined) {
      if (isOptional) return undefined;
      throw new HoconError(`\${${name.join(".")}} is nowhere in the file`, line());
    }
    this.#within.add(value);
    const data = this.#plain(found, path);
    this.#within.delete(value);
    return data;
  }
}
