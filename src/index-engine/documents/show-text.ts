/**
 * Shows a document without creating objects: copies the parts of its stored JSON that a hit shows (show.ts).
 *
 *   {"id": "A1", "data": {"title": "Shoe", "new": true},
 *    "attributes": [{"name": "size", "value": 42}]}
 *   {"id":"A1","data":{"title":"Shoe","new":"true","size":{"name":"size","code":null,"value":"42"}},
 *    "attributes":[{"name":"size","value":"42"}],"categories":null}
 *
 * One pass reads all members and remembers the places of what is shown. What is adjacent in the document and in the
 * answer is copied at once (json-copy.ts). Most documents of a catalogue have the usual shapes: texts, numbers and
 * lists of them, attributes, and categories with name and id. For all others `show` returns null, and the caller shows
 * them by way of objects:
 *
 * - escapes that JavaScript does not write (`\/`, `\u00e4`), malformed UTF-8, numbers that JavaScript writes
 *   differently (`1.50`, `1e3`, 16 digits);
 * - values that are converted (a text in a number field) or that determine the field (dynamic fields);
 * - a repeated data name, names that JavaScript puts first (`"12"`), unknown members.
 */
import type { IndexConfig } from "../../interface/index.ts";
import { GrowableBytes } from "../base/index.ts";
import { JsonCopy } from "./json-copy.ts";
import { JsonCursor, NONE, Unusual, UNUSUAL } from "./json-cursor.ts";
import type { RuleBook } from "./rules.ts";
import { NO_CODE_MEMBER, ShownNames, type ShownField, type ShownName } from "./shown-names.ts";

const [QUOTE, BACKSLASH, COMMA, COLON, SLASH] = [34, 92, 44, 58, 47];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125];

const encoder = new TextEncoder();
const bytesOf = (text: string): Uint8Array => encoder.encode(text);
const [ID, DATA, ATTRIBUTES, CATEGORIES] = ['"id"', '"data"', '"attributes"', '"categories"'].map(bytesOf);
const [NAME, VALUE, CODE, NULL] = ['"name"', '"value"', '"code"', "null"].map(bytesOf);
const [ID_MEMBER, DATA_MEMBER, ATTRIBUTES_MEMBER] = ['{"id":', ',"data":{', '},"attributes":'].map(bytesOf);
const CATEGORIES_MEMBER = bytesOf(',"categories":');
const VALUE_MEMBER = bytesOf(',"value":');

/** Of `{"name":,"value":}`, `,"code":`, `{"name":}` and `,"id":`. */
const [MEMBER_BYTES, CODE_BYTES, NODE_BYTES, ID_BYTES] = [18, 8, 9, 6];

const LEVEL_PROCESSOR = "ExtractCategoryLevelDataProcessor";
const MOST_LEVELS = 16;
/** Buffers up to this size are kept for the next document. */
const KEPT_BYTES = 262_144;

interface DataValue {
  readonly field: ShownField;
  readonly name: ShownName;
  /** Where the name begins and ends, with its quotes. */
  readonly at: number;
  readonly nameEnd: number;
  readonly isList: boolean;
  /** Where each scalar begins and ends. */
  readonly items: readonly number[];
}

/** Where its scalars begin and end. */
interface Attribute {
  readonly field: ShownField;
  readonly name: ShownName;
  /** NONE: without one. */
  readonly code: number;
  readonly codeEnd: number;
  readonly value: number;
  readonly valueEnd: number;
}

export class TextShower {
  readonly #book: RuleBook;
  readonly #names: ShownNames;
  #stamp = 0;
  readonly #json = new JsonCursor();
  readonly #out = new JsonCopy(this.#json);
  /** Members after `data`, buffered because they are read before `data` is written. */
  readonly #attributes = new JsonCopy(this.#json);
  readonly #categories = new JsonCopy(this.#json);
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
    this.#names = new ShownNames(book);
  }

  /** The JSON of the document as shown; null if it is unusual. */
  show(source: Uint8Array): Uint8Array<ArrayBuffer> | null {
    const { out } = this.#out;
    try {
      this.#json.read(source);
      this.#stamp++;
      this.#write();
      return out.take(KEPT_BYTES);
    } catch (error) {
      if (!(error instanceof Unusual)) throw error;
      return null;
    } finally {
      for (const part of [this.#out, this.#attributes, this.#categories]) part.clear(KEPT_BYTES);
      this.#paths.clear(KEPT_BYTES);
      this.#shown.length = 0;
      this.#json.clear(KEPT_BYTES);
    }
  }

  #write(): void {
    const json = this.#json;
    let [id, idEnd, data, attributes, categories] = [NONE, NONE, NONE, NONE, NONE];
    const values: DataValue[] = [];
    const open = json.ink(0);
    if (json.bytes[open] !== OPEN_OBJECT) throw UNUSUAL;
    for (let at = json.first(open), end = 0; at !== NONE; at = json.next(end)) {
      const nameEnd = json.textEnd(at);
      const value = json.valueAt(nameEnd);
      if (json.is(at, nameEnd, ID)) {
        if (id !== NONE) throw UNUSUAL;
        id = value;
        end = idEnd = json.scalarEnd(value);
      } else if (json.is(at, nameEnd, DATA)) {
        if (data !== NONE) throw UNUSUAL;
        data = value;
        end = this.#readData(value, values);
      } else if (json.is(at, nameEnd, ATTRIBUTES)) {
        if (attributes !== NONE) throw UNUSUAL;
        attributes = value;
        end = this.#readAttributes(value);
      } else if (json.is(at, nameEnd, CATEGORIES)) {
        if (categories !== NONE) throw UNUSUAL;
        categories = value;
        end = this.#readCategories(value);
      } else {
        end = json.valueEnd(value);
      }
    }
    if (id === NONE || data === NONE) throw UNUSUAL;
    const { out } = this.#out;
    out.pushBytes(ID_MEMBER);
    this.#out.copyAsText(id, idEnd);
    this.#out.pushBytes(DATA_MEMBER);
    const start = out.length;
    this.#writeData(values, start);
    this.#out.flush();
    this.#writeAttributes(start);
    this.#writePaths(start);
    out.pushBytes(ATTRIBUTES_MEMBER);
    out.pushBytes(this.#attributes.length === 0 ? NULL : this.#attributes.view());
    out.pushBytes(CATEGORIES_MEMBER);
    out.pushBytes(this.#categories.length === 0 ? NULL : this.#categories.view());
    out.push(CLOSE_OBJECT);
  }

  /** Returns where it ends, as the methods below do. */
  #readData(open: number, values: DataValue[]): number {
    const json = this.#json;
    if (json.bytes[open] !== OPEN_OBJECT) throw UNUSUAL;
    for (let at = json.first(open), end = 0; at !== NONE; at = json.next(end)) {
      const nameEnd = json.textEnd(at);
      const name = this.#names.of("data", json.bytes, at + 1, nameEnd - 1);
      const value = json.valueAt(nameEnd);
      if (name.dataStamp === this.#stamp) throw UNUSUAL;
      name.dataStamp = this.#stamp;
      if (name.field === null || json.isNull(value)) {
        end = json.valueEnd(value);
        continue;
      }
      if (name.type === "category") throw UNUSUAL;
      const items: number[] = [];
      const isList = json.bytes[value] === OPEN_LIST;
      const isRaw = name.type === "raw";
      if (isList) {
        for (let item = json.first(value); item !== NONE; item = json.next(end)) {
          end = json.scalarEnd(item);
          if (!json.isNull(item) && (isRaw || !json.isBlank(item, end))) items.push(item, end);
        }
        ({ end } = json);
      } else {
        end = json.scalarEnd(value);
        if (isRaw || !json.isBlank(value, end)) items.push(value, end);
      }
      if (items.length === 0 && !(isRaw && isList)) continue;
      values.push({ field: name.field, name, at, nameEnd, isList, items });
    }
    return json.end;
  }

  #writeData(values: readonly DataValue[], start: number): void {
    const shown: DataValue[] = [];
    const others: DataValue[] = [];
    for (const value of values) {
      const { field } = value;
      if (field.dataStamp !== this.#stamp) {
        field.dataStamp = this.#stamp;
        shown.push(value);
        continue;
      }
      // The field already has a value. The name that takes precedence wins and is written in the place of the first.
      const at = shown.findIndex((one) => one.field === field);
      const isBetter = value.name.rank < shown[at].name.rank;
      others.push(isBetter ? shown[at] : value);
      if (isBetter) shown[at] = value;
    }
    for (const value of shown) this.#writeDataValue(value, value.field, start);
    if (others.length === 0) return;
    if (!this.#book.catchAll) {
      if (others.some(({ field }) => shown.some((one) => one.field === field && one.name.rank > 0))) {
        throw UNUSUAL;
      }
      return;
    }
    const orderOf = ({ field }: DataValue): number => shown.findIndex((one) => one.field === field);
    others.sort((one, other) => orderOf(one) - orderOf(other) || one.name.rank - other.name.rank);
    for (const value of others) {
      const field = this.#names.field(value.name.input);
      if (field.dataStamp === this.#stamp) continue;
      field.dataStamp = this.#stamp;
      this.#writeDataValue(value, field, start);
    }
  }

  #writeDataValue({ name, at, nameEnd, isList, items }: DataValue, field: ShownField, start: number): void {
    const out = this.#out;
    if (out.length > start) out.push(COMMA);
    if (field.name === name.input) {
      out.copy(at, nameEnd);
      out.push(COLON);
    } else {
      out.pushBytes(field.key);
    }
    if (isList) out.push(OPEN_LIST);
    for (let i = 0; i < items.length; i += 2) {
      if (i > 0) out.push(COMMA);
      this.#writeValue(items[i], items[i + 1], name.type);
    }
    if (isList) out.push(CLOSE_LIST);
  }

  /** Writes a value of `data`; booleans become texts. */
  #writeValue(from: number, to: number, type: ShownName["type"]): void {
    if (type === "number" && this.#json.isText(from)) throw UNUSUAL;
    if (type !== "raw" && this.#json.isTruth(from)) this.#out.copyAsText(from, to);
    else this.#out.copy(from, to);
  }

  /** Fills `#attributes` and `#shown`. */
  #readAttributes(list: number): number {
    const json = this.#json;
    if (json.isNull(list)) return json.scalarEnd(list);
    if (json.bytes[list] !== OPEN_LIST) throw UNUSUAL;
    const out = this.#attributes;
    out.push(OPEN_LIST);
    for (let item = json.first(list), isFirst = true; item !== NONE; item = json.next(json.end), isFirst = false) {
      if (json.bytes[item] !== OPEN_OBJECT) throw UNUSUAL;
      if (!isFirst) out.push(COMMA);
      this.#readAttribute(item);
    }
    out.push(CLOSE_LIST);
    return json.end;
  }

  #readAttribute(open: number): void {
    const json = this.#json;
    let name = NONE;
    let nameEnd = NONE;
    let code = NONE;
    let codeEnd = NONE;
    let value = NONE;
    let valueEnd = NONE;
    for (let at = json.first(open), end = 0; at !== NONE; at = json.next(end)) {
      const memberEnd = json.textEnd(at);
      const scalar = json.valueAt(memberEnd);
      end = json.scalarEnd(scalar);
      if (name === NONE && json.is(at, memberEnd, NAME) && json.isText(scalar)) {
        name = scalar;
        nameEnd = end;
      } else if (value === NONE && json.is(at, memberEnd, VALUE) && !json.isNull(scalar)) {
        value = scalar;
        valueEnd = end;
      } else if (code === NONE && json.is(at, memberEnd, CODE) && !json.isTruth(scalar)) {
        code = scalar;
        codeEnd = end;
      } else throw UNUSUAL;
    }
    if (name === NONE || value === NONE) throw UNUSUAL;
    const membersBytes =
      MEMBER_BYTES + nameEnd - name + valueEnd - value + (code === NONE ? 0 : CODE_BYTES + codeEnd - code);
    const out = this.#attributes;
    if (membersBytes === json.end - open && (code === NONE || json.isText(code))) {
      out.copy(open, value);
      out.copyAsText(value, valueEnd);
      out.copy(valueEnd, json.end);
    } else {
      this.#convert(open, out);
    }
    if (json.isBlank(value, valueEnd)) return;
    const shown = this.#names.of("attribute", json.bytes, name + 1, nameEnd - 1);
    const { field } = shown;
    if (field === null) return;
    if (shown.type === "category") throw UNUSUAL;
    if (field.attributeStamp !== this.#stamp) field.attributeCount = 0;
    field.attributeStamp = this.#stamp;
    field.attributeCount++;
    if (code !== NONE && (json.isNull(code) || json.isBlank(code, codeEnd))) code = NONE;
    this.#shown.push({ field, name: shown, code, codeEnd, value, valueEnd });
  }

  /** Writes an object of scalars: without white space, all values as texts. */
  #convert(open: number, out: JsonCopy): void {
    const json = this.#json;
    out.push(OPEN_OBJECT);
    for (let at = json.first(open), end = 0; at !== NONE; at = json.next(end)) {
      if (end > 0) out.push(COMMA);
      const memberEnd = json.textEnd(at);
      const scalar = json.valueAt(memberEnd);
      end = json.scalarEnd(scalar);
      out.copy(at, memberEnd);
      out.push(COLON);
      if (json.isNull(scalar)) out.copy(scalar, end);
      else out.copyAsText(scalar, end);
    }
    out.push(CLOSE_OBJECT);
  }

  /** Several attributes of one name become a list, in the place of the first. */
  #writeAttributes(start: number): void {
    const { out } = this.#out;
    for (let first = 0; first < this.#shown.length; first++) {
      const { field } = this.#shown[first];
      if (field.dataStamp === this.#stamp || field.attributeCount === 0) continue;
      if (out.length > start) out.push(COMMA);
      if (field.attributeCount === 1) {
        field.attributeCount = 0;
        this.#writeAttribute(this.#shown[first], this.#shown[first].name.start);
        continue;
      }
      out.pushBytes(field.key);
      out.push(OPEN_LIST);
      for (let i = first; field.attributeCount > 0; i++) {
        if (this.#shown[i].field !== field) continue;
        this.#writeAttribute(this.#shown[i], this.#shown[i].name.object);
        if (--field.attributeCount > 0) out.push(COMMA);
      }
      out.push(CLOSE_LIST);
    }
  }

  /** @param start where to start in the opening of its name: with the key or after it */
  #writeAttribute({ name, code, codeEnd, value, valueEnd }: Attribute, start: number): void {
    const { out } = this.#out;
    if (code === NONE) {
      out.pushFrom(this.#names.openings, start, name.code - start + NO_CODE_MEMBER.length);
    } else {
      out.pushFrom(this.#names.openings, start, name.code - start);
      this.#out.copyAsText(code, codeEnd);
      this.#out.pushBytes(VALUE_MEMBER);
    }
    const isText = this.#json.isText(value);
    if (!isText) out.push(QUOTE);
    this.#json.pushTo(out, value, valueEnd);
    if (!isText) out.push(QUOTE);
    out.push(CLOSE_OBJECT);
  }

  /** Fills `#categories` and `#paths`. */
  #readCategories(list: number): number {
    const json = this.#json;
    if (json.isNull(list)) return json.scalarEnd(list);
    if (json.bytes[list] !== OPEN_LIST) throw UNUSUAL;
    const out = this.#categories;
    out.push(OPEN_LIST);
    for (let path = json.first(list), isFirst = true; path !== NONE; path = json.next(json.end), isFirst = false) {
      if (json.bytes[path] !== OPEN_LIST) throw UNUSUAL;
      if (!isFirst) out.push(COMMA);
      out.push(OPEN_LIST);
      let depth = 0;
      for (let node = json.first(path); node !== NONE; node = json.next(json.end)) {
        if (depth > 0) out.push(COMMA);
        this.#readCategory(node, depth === 0);
        if (++depth > MOST_LEVELS) throw UNUSUAL;
      }
      if (depth > 0) this.#paths.push(QUOTE);
      out.push(CLOSE_LIST);
    }
    out.push(CLOSE_LIST);
    return json.end;
  }

  #readCategory(node: number, isFirst: boolean): void {
    const json = this.#json;
    if (json.bytes[node] !== OPEN_OBJECT) throw UNUSUAL;
    let name = NONE;
    let nameEnd = NONE;
    let id = NONE;
    let idEnd = NONE;
    for (let at = json.first(node), end = 0; at !== NONE; at = json.next(end)) {
      const memberEnd = json.textEnd(at);
      const scalar = json.valueAt(memberEnd);
      end = json.scalarEnd(scalar);
      if (name === NONE && json.is(at, memberEnd, NAME) && json.isText(scalar)) {
        name = scalar;
        nameEnd = end;
      } else if (id === NONE && json.is(at, memberEnd, ID) && !json.isTruth(scalar)) {
        id = scalar;
        idEnd = end;
      } else throw UNUSUAL;
    }
    if (name === NONE) throw UNUSUAL;
    const nodeBytes = NODE_BYTES + nameEnd - name + (id === NONE ? 0 : ID_BYTES + idEnd - id);
    const areTexts = id === NONE || json.isText(id);
    if (areTexts && nodeBytes === json.end - node) this.#categories.copy(node, json.end);
    else this.#convert(node, this.#categories);
    this.#pushStep(name, nameEnd, isFirst);
  }

  /** A slash in a name is written as `%2F`. */
  #pushStep(from: number, to: number, isFirst: boolean): void {
    const json = this.#json;
    const paths = this.#paths;
    if (!json.isTrimmed(from, to)) throw UNUSUAL;
    if (isFirst && paths.length > 0) paths.push(COMMA);
    paths.push(isFirst ? QUOTE : SLASH);
    let start = from + 1;
    for (let at = start; at < to - 1; at++) {
      const byte = json.bytes[at];
      if (byte === BACKSLASH) throw UNUSUAL;
      if (byte !== SLASH) continue;
      json.pushTo(paths, start, at);
      paths.pushText("%2F");
      start = at + 1;
    }
    json.pushTo(paths, start, to - 1);
  }

  #writePaths(start: number): void {
    const { out } = this.#out;
    const target = this.#paths.length === 0 ? null : this.#book.categoriesTarget("master");
    if (target?.result !== true) return;
    const field = this.#names.field(target.name);
    if (field.dataStamp === this.#stamp || field.attributeStamp === this.#stamp) return;
    if (out.length > start) out.push(COMMA);
    out.pushBytes(field.key);
    out.push(OPEN_LIST);
    out.pushFrom(this.#paths, 0, this.#paths.length);
    out.push(CLOSE_LIST);
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
