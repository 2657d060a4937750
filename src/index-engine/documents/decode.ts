/**
 * Decodes JSON documents by hand. Validating with the schema alone would take as long as all of `read`, and three
 * times as long for documents with variants (bench/fields.ts). It would not say which values to leave out either.
 *
 * The rules are in docs/indexing.md 6.8 and docs/behaviour.md 1.1. There are two kinds of problems:
 *
 * - *rejected*: the structure of the document is wrong (no id, `data` is not an object, an attribute without a name
 *   ...). There is one reason, which names the place.
 * - *ignored*: one value has an unknown shape. The document is indexed without it.
 *
 * Null, blank strings and empty lists always mean absent. Strings are made well-formed (a lone surrogate becomes
 * U+FFFD), because terms and values are stored as UTF-8.
 */
import { LIMITS } from "../../interface/index.ts";
import { AttributeItem, PathItem, type CategoryNode, type Item } from "./values.ts";

/** A document or a variant with a checked structure. `data` is still raw JSON: see `decodeValue`. */
export interface DecodedRow {
  readonly data: Readonly<Record<string, unknown>>;
  readonly attributes: readonly AttributeItem[];
  readonly categories: readonly PathItem[];
}

interface DecodedVariant extends DecodedRow {
  /** The `id` member. The plan reads the variant id data field. */
  readonly id: string | null;
}

interface DecodedDocument extends DecodedRow {
  readonly id: string;
  /** One per sent element, so an index here is an index in the document. */
  readonly variants: readonly DecodedVariant[];
}

export interface Ignored {
  readonly path: string;
  readonly message: string;
}

/** The first ignored values of one document: a document may have hundreds of thousands. */
export class IgnoredValues {
  readonly list: Ignored[] = [];

  add(path: () => string, message: string): void {
    if (this.list.length < MOST_IGNORED) this.list.push({ path: path(), message });
  }
}

const MOST_IGNORED = 100;

/** Why a document is rejected. Only thrown within this folder; `read` turns it into an outcome. */
export class Rejection extends Error {}

/** Absent and null members are equivalent. */
export function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function describe(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  return typeof value === "string" ? "a string" : `a ${typeof value}`;
}

function wellFormed(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}

const UTF8 = new TextEncoder();

/**
 * The id of a document; a number becomes a string. Throws Rejection.
 * @param isStored false: also rejects ids that are ambiguous or cannot be addressed
 */
export function decodeId(value: unknown, isStored: boolean): string {
  if (isAbsent(value)) throw new Rejection("id is missing");
  if (typeof value !== "string" && typeof value !== "number") {
    throw new Rejection(`id must be a string, not ${describe(value)}`);
  }
  // Larger JSON numbers are rounded when parsed, so different ids would become equal.
  if (!isStored && typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    throw new Rejection("id is a number too large to be read exactly; send it as a string");
  }
  const id = String(value);
  if (id.trim() === "") throw new Rejection("id is empty");
  // In a URL path, these mean a folder, even if escaped.
  if (!isStored && (id === "." || id === "..")) throw new Rejection(`id must not be ${JSON.stringify(id)}`);
  if (!id.isWellFormed()) throw new Rejection("id is not valid Unicode text");
  const limit = LIMITS.documentIdBytes.value;
  // A UTF-16 unit takes at most 3 bytes of UTF-8, so most ids need not be encoded to be measured.
  if (id.length * 3 > limit) {
    const bytes = UTF8.encode(id).byteLength;
    if (bytes > limit) throw new Rejection(`id is ${bytes} bytes long; at most ${limit} are allowed`);
  }
  return id;
}

/** The id for messages about a document, even if it is too long or malformed to be stored. Null: unreadable. */
export function readableId(document: unknown): string | null {
  if (!isRecord(document)) return null;
  const { id } = document;
  if (typeof id === "number") return String(id);
  return typeof id === "string" && id.trim() !== "" ? wellFormed(id) : null;
}

/** Checks the structure. Throws Rejection. `id` is a parameter so that the caller knows it on failure. */
export function decodeDocument(id: string, document: Readonly<Record<string, unknown>>): DecodedDocument {
  if (isAbsent(document.data)) throw new Rejection("data is missing");
  const row = decodeRow(document, "");
  return { id, ...row, variants: decodeVariants(document.variants) };
}

function decodeVariants(value: unknown): readonly DecodedVariant[] {
  if (isAbsent(value)) return [];
  if (!Array.isArray(value)) {
    throw new Rejection(`variants must be a list of documents, not ${describe(value)}`);
  }
  return value.map((variant: unknown, position) => {
    if (!isRecord(variant)) {
      throw new Rejection(`variants[${position}] must be a document, not ${describe(variant)}`);
    }
    const { id } = variant;
    if (!isAbsent(id) && typeof id !== "string" && typeof id !== "number") {
      throw new Rejection(`variants[${position}].id must be a string, not ${describe(id)}`);
    }
    const text = isAbsent(id) ? "" : wellFormed(String(id));
    return {
      id: text.trim() === "" ? null : text,
      ...decodeRow(variant, `variants[${position}].`),
    };
  });
}

const NO_DATA: Readonly<Record<string, unknown>> = {};

function decodeRow(row: Readonly<Record<string, unknown>>, prefix: string): DecodedRow {
  const data = row.data ?? NO_DATA;
  if (!isRecord(data)) {
    throw new Rejection(`${prefix}data must be an object, not ${describe(data)}`);
  }
  return {
    data,
    attributes: decodeAttributes(row.attributes, prefix),
    categories: decodeCategories(row.categories, prefix),
  };
}

function decodeAttributes(value: unknown, prefix: string): readonly AttributeItem[] {
  if (isAbsent(value)) return [];
  if (!Array.isArray(value)) {
    throw new Rejection(`${prefix}attributes must be a list, not ${describe(value)}`);
  }
  const attributes: AttributeItem[] = [];
  for (let position = 0; position < value.length; position++) {
    const entry: unknown = value[position];
    // A null element is skipped (docs/behaviour.md 1.1).
    if (isAbsent(entry)) continue;
    const attribute = decodeAttributeEntry(entry, () => `${prefix}attributes[${position}]`);
    if (attribute !== null) attributes.push(attribute);
  }
  return attributes;
}

/** Null: the value is blank, so the attribute is absent. */
function decodeAttributeEntry(entry: unknown, path: () => string): AttributeItem | null {
  if (!isRecord(entry)) throw new Rejection(`${path()} must be an attribute, not ${describe(entry)}`);
  const { name, value, code } = entry;
  if (isAbsent(name) || name === "") throw new Rejection(`${path()} has no name`);
  if (typeof name !== "string") {
    throw new Rejection(`${path()}.name must be a string, not ${describe(name)}`);
  }
  if (name.trim() === "") throw new Rejection(`${path()} has no name`);
  if (isAbsent(value)) throw new Rejection(`${path()} has no value`);
  const scalar = decodeScalar(value);
  if (scalar === undefined) {
    throw new Rejection(`${path()}.value must be a string or a number, not ${describe(value)}`);
  }
  if (!isAbsent(code) && typeof code !== "string" && typeof code !== "number") {
    throw new Rejection(`${path()}.code must be a string, not ${describe(code)}`);
  }
  return scalar === null ? null : new AttributeItem(wellFormed(name), idText(code), scalar);
}

/** A facet id; null if absent or blank. */
function idText(value: string | number | null | undefined): string | null {
  if (isAbsent(value)) return null;
  const text = wellFormed(String(value));
  return text.trim() === "" ? null : text;
}

function decodeCategories(value: unknown, prefix: string): readonly PathItem[] {
  if (isAbsent(value)) return [];
  if (!Array.isArray(value)) {
    throw new Rejection(`${prefix}categories must be a list of paths, not ${describe(value)}`);
  }
  const paths: PathItem[] = [];
  for (let position = 0; position < value.length; position++) {
    const path: unknown = value[position];
    if (isAbsent(path)) continue;
    if (!Array.isArray(path)) {
      throw new Rejection(
        `${prefix}categories[${position}] must be a path (a list of categories, root first), not ${describe(path)}`,
      );
    }
    const nodes = path.map((node: unknown, level) => {
      const decoded = decodeCategory(node);
      if (decoded !== null) return decoded;
      throw new Rejection(
        isRecord(node)
          ? `${prefix}categories[${position}][${level}] has no name, or a name or id that is no string`
          : `${prefix}categories[${position}][${level}] must be a category, not ${describe(node)}`,
      );
    });
    if (nodes.length > 0) paths.push(new PathItem(nodes));
  }
  return paths;
}

/** `{name, id?}`, further members allowed; null if not a category. Numbers become strings. */
function decodeCategory(value: unknown): CategoryNode | null {
  if (!isRecord(value)) return null;
  const { name, id } = value;
  if (typeof name !== "string" && typeof name !== "number") return null;
  if (!isAbsent(id) && typeof id !== "string" && typeof id !== "number") return null;
  const text = wellFormed(String(name)).trim();
  return text === "" ? null : { name: text, id: idText(id) };
}

/** `undefined`: not a scalar. Null: blank. */
function decodeScalar(value: unknown): string | number | boolean | null | undefined {
  switch (typeof value) {
    case "string":
      return value.trim() === "" ? null : wellFormed(value);
    case "number":
      // JSON has no infinity, but `1e999` parses to one.
      return Number.isFinite(value) ? value : undefined;
    case "boolean":
      return value;
    default:
      return undefined;
  }
}

const UNKNOWN_SHAPE = "neither a string, a number, an attribute nor a category; the value is ignored";

/**
 * A value of `data`: one item, a list of items, or null if absent. Values of unknown shape are left
 * out and added to `ignored`, unless that is null.
 *
 *   "red" | 12 | true                        the scalar
 *   {name, value, code?}                     an attribute
 *   {name, id?}                              a category path of one level
 *   [{name, id?}, {name, id?}]               one category path
 *   [[{name, id?}, ...], [...]]              several paths
 *   [1, 2.5, "x"]                            all elements
 */
export function decodeValue(value: unknown, path: () => string, ignored: IgnoredValues | null): Item | Item[] | null {
  if (isAbsent(value)) return null;
  const scalar = decodeScalar(value);
  if (scalar !== undefined) return scalar;
  if (!Array.isArray(value)) {
    const item = decodeObject(value);
    if (item === undefined) ignored?.add(path, UNKNOWN_SHAPE);
    return item ?? null;
  }
  const whole = decodePath(value);
  if (whole !== undefined) return whole;
  const items: Item[] = [];
  for (let position = 0; position < value.length; position++) {
    const element: unknown = value[position];
    if (isAbsent(element)) continue;
    let item: Item | null | undefined = decodeScalar(element);
    if (item === undefined) {
      item = Array.isArray(element) ? decodePath(element) : decodeObject(element);
    }
    if (item === undefined) {
      ignored?.add(() => `${path()}[${position}]`, UNKNOWN_SHAPE);
    } else if (item !== null) {
      items.push(item);
    }
  }
  return items.length === 0 ? null : items;
}

/** An attribute or a category; `undefined` if neither, null for an attribute with a blank value. */
function decodeObject(value: unknown): Item | null | undefined {
  if (!isRecord(value)) return undefined;
  const { name, value: inner, code } = value;
  if (inner === undefined) {
    const node = decodeCategory(value);
    return node === null ? undefined : new PathItem([node]);
  }
  if (typeof name !== "string" || name.trim() === "") return undefined;
  if (!isAbsent(code) && typeof code !== "string" && typeof code !== "number") return undefined;
  if (inner === null) return null;
  const scalar = decodeScalar(inner);
  if (scalar === undefined || scalar === null) return scalar;
  return new AttributeItem(wellFormed(name), idText(code), scalar);
}

/** A list that consists of categories is one path; `undefined` if it is not, null if it is empty. */
function decodePath(list: readonly unknown[]): PathItem | null | undefined {
  if (list.length === 0) return null;
  const nodes: CategoryNode[] = [];
  for (const element of list) {
    if (!isRecord(element) || element.value !== undefined) return undefined;
    const node = decodeCategory(element);
    if (node === null) return undefined;
    nodes.push(node);
  }
  return new PathItem(nodes);
}
