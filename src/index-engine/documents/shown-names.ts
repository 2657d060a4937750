/** What is known of names of documents that are shown as text (show-text.ts). */
import { decodeUtf8, getOrInsert, GrowableBytes, StringNumbers } from "../base/index.ts";
import { UNUSUAL } from "./json-cursor.ts";
import type { RuleBook } from "./rules.ts";
import type { Target } from "./targets.ts";

const BACKSLASH = 92;
const encoder = new TextEncoder();
export const NO_CODE_MEMBER = encoder.encode('null,"value":');

/** Of names as they stand in documents; all are forgotten when there are more. */
const MOST_NAMES = 20_000;
const MOST_NAME_BYTES = 524_288;

/** A field of hits. The stamps identify the last document that had it. */
export interface ShownField {
  readonly name: string;
  /** `"title":` */
  readonly key: Uint8Array;
  dataStamp: number;
  attributeStamp: number;
  /** Attributes of the current document that have this field and are not written yet. */
  attributeCount: number;
}

/** How an incoming name is shown. */
export interface ShownName {
  readonly input: string;
  /** Number of names of the field that take precedence. */
  readonly rank: number;
  /** The last document with this name in its data. */
  dataStamp: number;
  /** Null if it is not shown. */
  readonly field: ShownField | null;
  /** Null if no rule names it. */
  readonly type: Target["type"] | null;
  /**
   * Places in `openings` of an attribute: `"size":{"name":"size","code":null,"value":`, of the object in it, and of its
   * code.
   */
  readonly start: number;
  readonly object: number;
  readonly code: number;
}

/** Names as they stand in documents, and what they are shown as; a hole where nothing could be told. */
class NumberedNames {
  readonly numbers = new StringNumbers();
  readonly shown: (ShownName | undefined)[] = [];
}

export class ShownNames {
  readonly #book: RuleBook;
  readonly #fields = new Map<string, ShownField>();
  #names = { data: new NumberedNames(), attribute: new NumberedNames() };
  #nameCount = 0;
  #nameBytes = 0;
  /** Of attributes (ShownName). */
  readonly openings = new GrowableBytes();

  constructor(book: RuleBook) {
    this.#book = book;
  }

  /** @param bytes UTF-8 of the name in [from, to); throws UNUSUAL */
  of(kind: "data" | "attribute", bytes: Uint8Array, from: number, to: number): ShownName {
    const { numbers, shown } = this.#names[kind];
    const number = numbers.addBytes(bytes, from, to);
    const known = shown[number];
    if (known !== undefined) return known;
    this.#nameBytes += to - from;
    if (++this.#nameCount > MOST_NAMES || this.#nameBytes > MOST_NAME_BYTES) {
      this.#names = { data: new NumberedNames(), attribute: new NumberedNames() };
      this.#nameCount = this.#nameBytes = 0;
      this.#fields.clear();
      this.openings.release();
      // Fields are compared by identity, so they must not be replaced within a document.
      throw UNUSUAL;
    }
    return (shown[number] = this.#make(kind, bytes.slice(from, to)));
  }

  #make(kind: "data" | "attribute", name: Uint8Array): ShownName {
    if (name.includes(BACKSLASH)) throw UNUSUAL;
    const text = decodeUtf8(name, 0, name.length);
    const { fixed, dynamic } = this.#book.rule(text, "master", kind);
    const targets = fixed?.filter(({ result }) => result) ?? [];
    const [target = null] = targets;
    // If the category paths are not shown, their levels would be, and deeper ones than were examined.
    const isHiddenPath = fixed?.some(({ type, result }) => type === "category" && !result) === true;
    if (targets.length > 1 || isHiddenPath || (fixed === null && dynamic.length > 0)) throw UNUSUAL;
    const isShown = target !== null || (fixed === null && this.#book.catchAll);
    const field = isShown ? this.field(target?.name ?? text) : null;
    const [rank, type] = [target?.preferred.length ?? 0, target?.type ?? null];
    const made = { input: text, dataStamp: 0, rank, field, type };
    const openings = this.openings;
    const start = openings.length;
    if (kind === "data" || field === null) return { ...made, start, object: start, code: start };
    openings.pushBytes(field.key);
    const object = openings.length;
    openings.pushText(`{"name":${JSON.stringify(text)},"code":`);
    const code = openings.length;
    openings.pushBytes(NO_CODE_MEMBER);
    return { ...made, start, object, code };
  }

  field(name: string): ShownField {
    // JavaScript objects list integer names first.
    if (/^\d+$/.test(name)) throw UNUSUAL;
    return getOrInsert(this.#fields, name, () => {
      const key = encoder.encode(`${JSON.stringify(name)}:`);
      return { name, key, dataStamp: 0, attributeStamp: 0, attributeCount: 0 };
    });
  }
}
