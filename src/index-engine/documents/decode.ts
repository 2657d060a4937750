/**
 * JSON -> what the service understands of it, by hand: validating with the schema alone takes as long as the whole of
 * `read`, or up to three times as long for documents with variants (bench/fields.ts), and does not say which values to
 * leave out.
 *
 * The rules are docs/indexing.md 6.8 and docs/behaviour.md 1.1. Two kinds of trouble:
 * - *rejected*: the document is structurally wrong (no id, `data` is no object, an attribute without a name ...); one reason,
 *   which names the place;
 * - *ignored*: one value is of no shape we know; the document lives on without it.
 *
 * Null, blank strings and empty lists are the same as nothing, everywhere.
 * Strings are made well-formed (a lone surrogate becomes U+FFFD), because terms and values are stored as UTF-8.
 */
import { LIMITS } from "../../interface/index.ts";
import { AttributeItem, PathItem, type CategoryNode, type Item } from "./values.ts";

/** A document or a variant, structure checked. `data` is still raw JSON: see `decodeValue`. */
export interface DecodedRow {
  readonly data: Readonly<Record<string, unknown>>;
  readonly attributes: readonly AttributeItem[];
  readonly categories: readonly PathItem[];
}

interface DecodedVariant extends DecodedRow {
  /** The `id` member; the variant id data field is read by the plan. */
  readonly id: string | null;
}

interface DecodedDocument extends DecodedRow {
  readonly id: string;
  /** One per element sent, in order: a position here is a position in the document. */
  readonly variants: readonly DecodedVariant[];
}

export interface Ignored {
  readonly path: string;
  readonly message: string;
}

/** Why a document is dropped; thrown inside this folder only, `read` turns it into an outcome. */
export class Rejection extends Error {}

/** Members that are absent and members that are null mean the same. */
function isAbsent(value: unknown): value is null | undefined {
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
 * The id of a document: a number becomes a string. Fails with a Rejection.
 * @param isStored false: ids that cannot be told apart or asked for are refused as well
 */
export function decodeId(value: unknown, isStored: boolean): string {
  if (isAbsent(value)) throw new Rejection("id is missing");
  if (typeof value !== "string" && typeof value !== "number") {
    throw new Rejection(`id must be a string, not ${describe(value)}`);
  }
  // JSON numbers beyond that are rounded when they are read: different ids would become one.
  if (!isStored && typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    throw new Rejection("id is a number too large to be read exactly; send it as a string");
  }
  const id = String(value);
  if (id.trim() === "") throw new Rejection("id is empty");
  // In an address they mean a folder, however they are written.
  if (!isStored && (id === "." || id === ".."))
    throw new Rejection(`id must not be ${JSON.stringify(id)}`);
  if (!id.isWellFormed()) throw new Rejection("id is no valid Unicode text");
  const limit = LIMITS.documentIdBytes.value;
  // A UTF-16 unit is at most 3 bytes of UTF-8: most ids need no encoding to be measured.
  if (id.length * 3 > limit) {
    const bytes = UTF8.encode(id).byteLength;
    if (bytes > limit)
      throw new Rejection(`id is ${bytes} bytes long; at most ${limit} are allowed`);
  }
  return id;
}

/**
 * The id a document is spoken of by, whether it is good enough to be stored or not: too long ones, and ones that are
 * made well-formed here. Null: none that could be read.
 */
export function readableId(document: unknown): string | null {
  if (!isRecord(document)) return null;
  const { id } = document;
  if (typeof id === "number") return String(id);
  return typeof id === "string" && id.trim() !== "" ? wellFormed(id) : null;
}

/** Checks the whole structure. Fails with a Rejection. `id` is passed in, so that the caller knows it on failure. */
export function decodeDocument(
  id: string,
  document: Readonly<Record<string, unknown>>,
): DecodedDocument {
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
  if (!isRecord(entry))
    throw new Rejection(`${path()} must be an attribute, not ${describe(entry)}`);
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

/** A facet id: null when absent or blank. */
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

/** `{name, id?}`, further members allowed; null when it is no category. Numbers become strings. */
function decodeCategory(value: unknown): CategoryNode | null {
  if (!isRecord(value)) return null;
  const { name, id } = value;
  if (typeof name !== "string" && typeof name !== "number") return null;
  if (!isAbsent(id) && typeof id !== "string" && typeof id !== "number") return null;
  const text = wellFormed(String(name)).trim();
  return text === "" ? null : { name: text, id: idText(id) };
}

/** `undefined`: no scalar at all. Null: blank. */
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

const UNKNOWN_SHAPE =
  "neither a string, a number, an attribute nor a category; the value is ignored";

/**
 * A value of `data`: one item, a list of items, or null when there is nothing. What has no known shape is left out and
 * named in `ignored` (null: nobody wants to know).
 *
 *   "red" | 12 | true                        the scalar
 *   {name, value, code?}                     an attribute
 *   {name, id?}                              a category path of one level
 *   [{name, id?}, {name, id?}]               one category path
 *   [[{name, id?}, ...], [...]]              several paths
 *   [1, 2.5, "x"]                            every element, none truncated or dropped
 */
export function decodeValue(
  value: unknown,
  path: () => string,
  ignored: Ignored[] | null,
): Item | Item[] | null {
  if (isAbsent(value)) return null;
  const scalar = decodeScalar(value);
  if (scalar !== undefined) return scalar;
  if (!Array.isArray(value)) {
    const item = decodeObject(value);
    if (item === undefined) ignored?.push({ path: path(), message: UNKNOWN_SHAPE });
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
      ignored?.push({ path: `${path()}[${position}]`, message: UNKNOWN_SHAPE });
    } else if (item !== null) {
      items.push(item);
    }
  }
  return items.length === 0 ? null : items;
}

/** An attribute or a category; `undefined` when it is neither, null when it is an attribute with a blank value. */
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

/** A list of categories and nothing else is one path; `undefined` when it is not, null when it is empty. */
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
