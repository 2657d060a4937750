/**
 * Shows a document without creating objects: copies the parts of its stored JSON that a hit shows
 * (show.ts).
 *
 *   {"id": "A1", "data": {"title": "Shoe", "new": true},
 *    "attributes": [{"name": "size", "value": 42}]}
 *   {"id":"A1","data":{"title":"Shoe","new":"true","size":{"name":"size","code":null,"value":"42"}},
 *    "attributes":[{"name":"size","value":"42"}],"categories":null}
 *
 * One pass records the places of quotes, brackets, colons and commas; another walks these places
 * and copies the bytes between them. Most documents of a catalogue have the usual shapes: texts,
 * numbers and lists of them, attributes, and categories with name and id. For all others `show`
 * returns null, and the caller shows them by way of objects:
 *
 * - escapes that JavaScript does not write (`\/`, `\u00e4`), malformed UTF-8, numbers that
 *   JavaScript writes differently (`1.50`, `1e3`, 16 digits);
 * - values that are converted (a text in a number field) or that determine the field (dynamic
 *   fields);
 * - a repeated data name, names that JavaScript puts first (`"12"`), unknown members.
 */
import type { IndexConfig } from "../../interface/index.ts";
import { decodeUtf8, GrowableBytes, StringNumbers } from "../base/index.ts";
import { JsonPlaces, UNUSUAL, Unusual, type Scalar } from "./json-places.ts";
import type { RuleBook, Target } from "./rules.ts";

const [QUOTE, BACKSLASH, COMMA, COLON, SLASH] = [34, 92, 44, 58, 47];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125];
const [SMALL_F, SMALL_N, SMALL_T] = [102, 110, 116];

const encoder = new TextEncoder();
const bytesOf = (text: string): Uint8Array => encoder.encode(text);
const [ID, DATA, ATTRIBUTES, CATEGORIES] = ["id", "data", "attributes", "categories"].map(bytesOf);
const [NAME, VALUE, CODE, NULL] = ["name", "value", "code", "null"].map(bytesOf);
const [NAME_MEMBER, CODE_MEMBER, VALUE_MEMBER] = ['{"name":', ',"code":', ',"value":'].map(bytesOf);

/** Of names as they stand in documents; all are forgotten when there are more. */
const MOST_NAMES = 20_000;
const MOST_NAME_BYTES = 524_288;
const LEVEL_PROCESSOR = "ExtractCategoryLevelDataProcessor";
const MOST_LEVELS = 16;
/** Buffers up to this size are kept for the next document. */
const KEPT_BYTES = 262_144;

/** A field of hits. The stamps identify the last document that had it. */
interface ShownField {
  /** `"title":` */
  readonly key: Uint8Array;
  dataStamp: number;
  attributeStamp: number;
  /** Attributes of the current document that have this field and are not written yet. */
  attributeCount: number;
}

/** How an incoming name is shown. */
interface ShownName {
  readonly input: string;
  /** Number of names of the field that take precedence. */
  readonly rank: number;
  /** The last document with this name in its data. */
  dataStamp: number;
  /** Null if it is not shown. */
  readonly field: ShownField | null;
  /** Null if no rule names it. */
  readonly type: Target["type"] | null;
}

/** The value of one data name. */
interface DataValue extends Pick<ShownName, "type" | "rank" | "input"> {
  readonly field: ShownField;
  readonly isList: boolean;
  readonly items: readonly Scalar[];
}

interface Attribute {
  readonly field: ShownField;
  readonly name: Scalar;
  readonly code: Scalar | null;
  readonly value: Scalar;
}

/** Names as they stand in documents, and what they are shown as; a hole where nothing could be told. */
class ShownNames {
  readonly numbers = new StringNumbers();
  readonly shown: (ShownName | undefined)[] = [];
}

export class TextShower {
  readonly #book: RuleBook;
  readonly #fields = new Map<string, ShownField>();
  #names = { data: new ShownNames(), attribute: new ShownNames() };
  #nameCount = 0;
  #nameBytes = 0;
  #stamp = 0;
  readonly #json = new JsonPlaces();
  readonly #out = new GrowableBytes();
  /** Members after `data`, buffered because they are read before `data` is written. */
  readonly #attributes = new GrowableBytes();
  readonly #categories = new GrowableBytes();
  readonly #paths = new GrowableBytes();
  readonly #shown: Attribute[] = [];

  /** Null if all documents of the configuration must be shown by way of objects. */
  static of(book: RuleBook, config: IndexConfig): TextShower | null {
    const levels = config.processors.every(({ name }) => name === LEVEL_PROCESSOR)
      ? config.fields.filter(({ type }) => type === "category").flatMap(({ name }) => levelsOf(name))
      : null;
    if (levels === null || book.hasPrivate) return null;
    const isProcessed = config.processors.length > 0;
    return isProcessed && levels.some((name) => isShown(book, name)) ? null : new TextShower(book);
  }

  private constructor(book: RuleBook) {
    this.#book = book;
  }

  /** The JSON of the document as shown; null if it is unusual. */
  show(source: Uint8Array): Uint8Array<ArrayBuffer> | null {
    try {
      if (!this.#json.read(source)) return null;
      this.#stamp++;
      this.#write();
      return this.#out.take(KEPT_BYTES);
    } catch (error) {
      if (!(error instanceof Unusual)) throw error;
      return null;
    } finally {
      for (const part of [this.#out, this.#attributes, this.#categories, this.#paths]) {
        part.clear(KEPT_BYTES);
      }
      this.#shown.length = 0;
      this.#json.clear();
    }
  }

  #write(): void {
    let id = null as Scalar | null;
    let [data, attributes, categories] = [-1, -1, -1];
    this.#json.eachMember(0, (from, to, value) => {
      if (this.#json.is(from, to, ID)) {
        if (id !== null) throw UNUSUAL;
        id = this.#json.scalar(value);
      } else if (this.#json.is(from, to, DATA)) {
        if (data !== -1) throw UNUSUAL;
        data = value;
      } else if (this.#json.is(from, to, ATTRIBUTES)) {
        if (attributes !== -1) throw UNUSUAL;
        attributes = value;
      } else if (this.#json.is(from, to, CATEGORIES)) {
        if (categories !== -1) throw UNUSUAL;
        categories = value;
      }
    });
    if (id === null || data === -1) throw UNUSUAL;
    const out = this.#out;
    out.pushText('{"id":');
    this.#json.pushAsText(out, id);
    const isAttributed = attributes !== -1 && this.#json.byteAt(attributes) !== SMALL_N;
    if (isAttributed) this.#readAttributes(attributes);
    const hasCategories = categories !== -1 && this.#json.byteAt(categories) !== SMALL_N;
    if (hasCategories) this.#readCategories(categories);
    out.pushText(',"data":{');
    const start = out.length;
    this.#writeData(data, start);
    this.#writeAttributes(start);
    this.#writePaths(start);
    out.pushText('},"attributes":');
    if (isAttributed) out.pushBytes(this.#attributes.view());
    else out.pushText("null");
    out.pushText(',"categories":');
    if (hasCategories) out.pushBytes(this.#categories.view());
    else out.pushText("null");
    out.push(CLOSE_OBJECT);
  }

  #writeData(data: number, start: number): void {
    const shown: DataValue[] = [];
    const others: DataValue[] = [];
    this.#json.eachMember(data, (from, to, place) => {
      const value = this.#dataValue(from, to, place);
      if (value === null) return;
      const { field } = value;
      if (field.dataStamp !== this.#stamp) {
        field.dataStamp = this.#stamp;
        shown.push(value);
        return;
      }
      // The field already has a value. The name that takes precedence wins and is written in the
      // place of the first.
      const at = shown.findIndex((one) => one.field === field);
      const isBetter = value.rank < shown[at].rank;
      others.push(isBetter ? shown[at] : value);
      if (isBetter) shown[at] = value;
    });
    for (const value of shown) this.#pushDataValue(value, value.field, start);
    if (others.length === 0) return;
    if (!this.#book.catchAll) {
      if (others.some(({ field }) => shown.some((one) => one.field === field && one.rank > 0))) {
        throw UNUSUAL;
      }
      return;
    }
    const orderOf = ({ field }: DataValue): number => shown.findIndex((one) => one.field === field);
    others.sort((one, other) => orderOf(one) - orderOf(other) || one.rank - other.rank);
    for (const value of others) {
      const field = this.#fieldOf(value.input);
      if (field.dataStamp === this.#stamp) continue;
      field.dataStamp = this.#stamp;
      this.#pushDataValue(value, field, start);
    }
  }

  /** Null if there is nothing to show. */
  #dataValue(from: number, to: number, place: number): DataValue | null {
    const name = this.#nameOf("data", from, to);
    const { field, type, rank, input } = name;
    if (name.dataStamp === this.#stamp) throw UNUSUAL;
    name.dataStamp = this.#stamp;
    if (field === null) return null;
    const byte = this.#json.byteAt(place);
    if (byte === SMALL_N) return null;
    if (type === "category" || byte === OPEN_OBJECT) throw UNUSUAL;
    const isRaw = type === "raw";
    const items: Scalar[] = [];
    const isList = byte === OPEN_LIST;
    if (isList) {
      this.#json.eachItem(place, (item) => {
        const one = this.#json.scalar(item);
        if (!this.#json.isNull(one) && (isRaw || !this.#json.isBlank(one))) items.push(one);
      });
    } else {
      const scalar = this.#json.scalar(place);
      if (isRaw || !this.#json.isBlank(scalar)) items.push(scalar);
    }
    return items.length === 0 && !(isRaw && isList) ? null : { field, type, rank, input, isList, items };
  }

  #pushDataValue({ type, isList, items }: DataValue, field: ShownField, start: number): void {
    this.#pushKey(field, start);
    if (isList) this.#out.push(OPEN_LIST);
    items.forEach((item, i) => {
      if (i > 0) this.#out.push(COMMA);
      this.#pushValue(item, type);
    });
    if (isList) this.#out.push(CLOSE_LIST);
  }

  #pushKey({ key }: ShownField, start: number): void {
    if (this.#out.length > start) this.#out.push(COMMA);
    this.#out.pushBytes(key);
  }

  /** Writes a value of `data`; booleans become texts. */
  #pushValue(scalar: Scalar, type: ShownName["type"]): void {
    const { from, to, isText } = scalar;
    if (isText) {
      if (type === "number") throw UNUSUAL;
      this.#json.pushAsText(this.#out, scalar);
      return;
    }
    const isWord = this.#json.bytes[from] === SMALL_T || this.#json.bytes[from] === SMALL_F;
    if (isWord && type !== "raw") this.#json.pushAsText(this.#out, scalar);
    else this.#out.pushBytes(this.#json.bytes, from, to);
  }

  /** Fills `#attributes` and `#shown`. */
  #readAttributes(list: number): void {
    const out = this.#attributes;
    out.push(OPEN_LIST);
    this.#json.eachItem(list, (item) => {
      if (this.#json.byteAt(item) !== OPEN_OBJECT) throw UNUSUAL;
      let name = null as Scalar | null;
      let code = null as Scalar | null;
      let value = null as Scalar | null;
      if (out.length > 1) out.push(COMMA);
      out.push(OPEN_OBJECT);
      const start = out.length;
      this.#json.eachMember(item, (from, to, at) => {
        const scalar = this.#json.scalar(at);
        if (out.length > start) out.push(COMMA);
        out.pushBytes(this.#json.bytes, from - 1, to + 1);
        out.push(COLON);
        if (this.#json.is(from, to, NAME) && name === null && scalar.isText) {
          name = scalar;
        } else if (this.#json.is(from, to, VALUE) && value === null && !this.#json.isNull(scalar)) {
          value = scalar;
        } else if (this.#json.is(from, to, CODE) && code === null && !this.#json.isTruth(scalar)) {
          code = scalar;
        } else throw UNUSUAL;
        if (this.#json.isNull(scalar)) out.pushBytes(NULL);
        else this.#json.pushAsText(out, scalar);
      });
      out.push(CLOSE_OBJECT);
      if (name === null || value === null) throw UNUSUAL;
      this.#addAttribute(name, code, value);
    });
    out.push(CLOSE_LIST);
  }

  #addAttribute(name: Scalar, code: Scalar | null, value: Scalar): void {
    if (this.#json.isBlank(value)) return;
    const { field, type } = this.#nameOf("attribute", name.from, name.to);
    if (field === null) return;
    if (type === "category") throw UNUSUAL;
    if (field.attributeStamp !== this.#stamp) field.attributeCount = 0;
    field.attributeStamp = this.#stamp;
    field.attributeCount++;
    const hasCode = code !== null && !this.#json.isNull(code) && !this.#json.isBlank(code);
    this.#shown.push({ field, name, code: hasCode ? code : null, value });
  }

  /** Several attributes of one name become a list, in the place of the first. */
  #writeAttributes(start: number): void {
    for (const [first, { field }] of this.#shown.entries()) {
      if (field.dataStamp === this.#stamp || field.attributeCount === 0) continue;
      const isList = field.attributeCount > 1;
      this.#pushKey(field, start);
      if (isList) this.#out.push(OPEN_LIST);
      for (let i = first; field.attributeCount > 0; i++) {
        if (this.#shown[i].field !== field) continue;
        this.#pushAttribute(this.#shown[i]);
        if (--field.attributeCount > 0) this.#out.push(COMMA);
      }
      if (isList) this.#out.push(CLOSE_LIST);
    }
  }

  #pushAttribute({ name, code, value }: Attribute): void {
    const out = this.#out;
    out.pushBytes(NAME_MEMBER);
    this.#json.pushAsText(out, name);
    out.pushBytes(CODE_MEMBER);
    if (code === null) out.pushBytes(NULL);
    else this.#json.pushAsText(out, code);
    out.pushBytes(VALUE_MEMBER);
    this.#json.pushAsText(out, value);
    out.push(CLOSE_OBJECT);
  }

  /** Fills `#categories` and `#paths`. */
  #readCategories(list: number): void {
    const out = this.#categories;
    out.push(OPEN_LIST);
    this.#json.eachItem(list, (path) => {
      if (this.#json.byteAt(path) !== OPEN_LIST) throw UNUSUAL;
      if (out.length > 1) out.push(COMMA);
      out.push(OPEN_LIST);
      let depth = 0;
      this.#json.eachItem(path, (node) => {
        if (depth > 0) out.push(COMMA);
        this.#readCategory(node, depth === 0);
        if (++depth > MOST_LEVELS) throw UNUSUAL;
      });
      if (depth > 0) this.#paths.push(QUOTE);
      out.push(CLOSE_LIST);
    });
    out.push(CLOSE_LIST);
  }

  #readCategory(node: number, isFirst: boolean): void {
    if (this.#json.byteAt(node) !== OPEN_OBJECT) throw UNUSUAL;
    const out = this.#categories;
    let name = null as Scalar | null;
    let id = null as Scalar | null;
    out.push(OPEN_OBJECT);
    this.#json.eachMember(node, (from, to, at) => {
      const scalar = this.#json.scalar(at);
      if (name !== null || id !== null) out.push(COMMA);
      if (this.#json.is(from, to, NAME) && name === null && scalar.isText) name = scalar;
      else if (this.#json.is(from, to, ID) && id === null && !this.#json.isTruth(scalar)) id = scalar;
      else throw UNUSUAL;
      out.pushBytes(this.#json.bytes, from - 1, to + 1);
      out.push(COLON);
      if (this.#json.isNull(scalar)) out.pushBytes(NULL);
      else this.#json.pushAsText(out, scalar);
    });
    out.push(CLOSE_OBJECT);
    if (name === null) throw UNUSUAL;
    this.#pushStep(name, isFirst);
  }

  /** A slash in a name is written as `%2F`. */
  #pushStep(name: Scalar, isFirst: boolean): void {
    const { from, to } = name;
    const paths = this.#paths;
    if (!this.#json.isTrimmed(name) || this.#json.bytes.subarray(from, to).includes(BACKSLASH)) throw UNUSUAL;
    if (!isFirst) paths.push(SLASH);
    else paths.pushText(paths.length > 0 ? ',"' : '"');
    let start = from;
    for (let at = from; at < to; at++) {
      if (this.#json.bytes[at] !== SLASH) continue;
      paths.pushBytes(this.#json.bytes, start, at);
      paths.pushText("%2F");
      start = at + 1;
    }
    paths.pushBytes(this.#json.bytes, start, to);
  }

  #writePaths(start: number): void {
    const target = this.#paths.length === 0 ? null : this.#book.categoriesTarget("master");
    if (target?.result !== true) return;
    const field = this.#fieldOf(target.name);
    if (field.dataStamp === this.#stamp || field.attributeStamp === this.#stamp) return;
    this.#pushKey(field, start);
    this.#out.push(OPEN_LIST);
    this.#out.pushBytes(this.#paths.view());
    this.#out.push(CLOSE_LIST);
  }

  // ---- Names

  #nameOf(kind: "data" | "attribute", from: number, to: number): ShownName {
    const { bytes } = this.#json;
    const { numbers, shown } = this.#names[kind];
    const number = numbers.addBytes(bytes, from, to);
    const known = shown[number];
    if (known !== undefined) return known;
    this.#nameBytes += to - from;
    if (++this.#nameCount > MOST_NAMES || this.#nameBytes > MOST_NAME_BYTES) {
      this.#names = { data: new ShownNames(), attribute: new ShownNames() };
      this.#nameCount = this.#nameBytes = 0;
      this.#fields.clear();
      // Fields are compared by identity, so they must not be replaced within a document.
      throw UNUSUAL;
    }
    return (shown[number] = this.#makeName(kind, bytes.slice(from, to)));
  }

  #makeName(kind: "data" | "attribute", name: Uint8Array): ShownName {
    if (name.includes(BACKSLASH)) throw UNUSUAL;
    const text = decodeUtf8(name, 0, name.length);
    const { fixed, dynamic } = this.#book.rule(text, "master", kind);
    const targets = fixed?.filter(({ result }) => result) ?? [];
    const [target = null] = targets;
    // If the category paths are not shown, their levels would be, and deeper ones than were
    // examined.
    const isHiddenPath = fixed?.some(({ type, result }) => type === "category" && !result) === true;
    if (targets.length > 1 || isHiddenPath || (fixed === null && dynamic.length > 0)) throw UNUSUAL;
    const made = { input: text, dataStamp: 0 };
    if (target !== null) {
      const rank = target.preferred.length;
      return { ...made, rank, field: this.#fieldOf(target.name), type: target.type };
    }
    const isShown = fixed === null && this.#book.catchAll;
    return { ...made, rank: 0, field: isShown ? this.#fieldOf(text) : null, type: null };
  }

  #fieldOf(name: string): ShownField {
    // JavaScript objects list integer names first.
    if (/^\d/.test(name)) throw UNUSUAL;
    let field = this.#fields.get(name);
    if (field === undefined) {
      const key = bytesOf(`${JSON.stringify(name)}:`);
      field = { key, dataStamp: 0, attributeStamp: 0, attributeCount: 0 };
      this.#fields.set(name, field);
    }
    return field;
  }
}

/** The fields that the category level processor creates from a category field. */
function levelsOf(field: string): string[] {
  const levels = Array.from({ length: MOST_LEVELS }, (_, level) => `${field}_lvl_${level}`);
  return [`${field}_leaf`, ...levels];
}

/** Whether a hit may show a text under this name. */
function isShown(book: RuleBook, name: string): boolean {
  const { fixed, dynamic } = book.rule(name, "master", "data");
  if (fixed !== null) return fixed.some(({ result }) => result);
  const [first] = dynamic;
  return first === undefined ? book.catchAll : first.result || first.type === "number";
}
