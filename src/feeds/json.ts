/**
 * JSON -> records. Objects inside become columns with dots (`price.amount`), lists of objects columns with brackets
 * (`images[].src`) of which each is a list; a list of variants becomes records of its own.
 */
import { DocumentSplitter, type SourceText } from "./json-splitter.ts";
import { FeedError, type FeedDocument, type FeedRecord, type FeedValue } from "./model.ts";
import { VARIANT_MEMBERS } from "./names.ts";

export interface ParsedJson extends FeedDocument {
  readonly value: unknown;
}

/** Every document of the text in its order, or why one is none. */
export async function* parsedJson(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ParsedJson | FeedError> {
  const splitter = new DocumentSplitter();
  for await (const chunk of bytes) for (const text of splitter.push(chunk)) yield parse(text);
  for (const text of splitter.end()) yield parse(text);
}

const decoder = new TextDecoder();

function parse({ bytes, line }: SourceText): ParsedJson | FeedError {
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(bytes));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return new FeedError(`not JSON (${reason})`, line);
  }
  const id = isObject(value) ? value["id"] : null;
  const isKnown = (typeof id === "string" && id !== "") || typeof id === "number";
  return { json: bytes, line, id: isKnown ? String(id) : null, value };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The object with the product's members: of a hit of Elasticsearch (`{"_id": "1", "_source": {...}}`), and of an object
 * that holds nothing but another one (`{"product": {...}}`, `{"node": {...}}` of GraphQL).
 */
function sourceOf(value: unknown): unknown {
  if (!isObject(value)) return value;
  if (!isObject(value["_source"])) {
    const [only, ...others] = Object.values(value);
    return isObject(only) && others.length === 0 ? sourceOf(only) : value;
  }
  const { _id: id, _source: source } = value;
  return "id" in source || id === undefined ? source : { id, ...source };
}

/** True for what the service takes as it is: data in an object of its own; and for what only the service can judge. */
export function isDocument(value: unknown): boolean {
  return !isObject(value) || isObject(value["data"]);
}

export function recordOf(whole: unknown, line: number): FeedRecord {
  const value = sourceOf(whole);
  const values = new Map<string, FeedValue>();
  const children: Map<string, FeedValue>[] = [];
  if (!isObject(value)) return { line, values, children };
  for (const [name, member] of Object.entries(value)) {
    const isVariants = VARIANT_MEMBERS.some((one) => one === name);
    if (!isVariants || !Array.isArray(member) || !member.every(isObject)) {
      flatten(name, member, values);
      continue;
    }
    for (const child of member) {
      const own = new Map<string, FeedValue>();
      for (const [key, one] of Object.entries(child)) flatten(`${name}[].${key}`, one, own);
      children.push(own);
    }
  }
  return { line, values, children };
}

function flatten(column: string, value: unknown, into: Map<string, FeedValue>): void {
  if (value === null || value === undefined) return;
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
    into.set(column, value);
  } else if (Array.isArray(value)) {
    flattenList(column, value, into);
  } else if (isObject(value)) {
    const only = Object.keys(value);
    // Extended JSON of MongoDB: `{"$oid": "..."}`, `{"$numberDecimal": "9.99"}`.
    if (only.length === 1 && only[0]?.startsWith("$") === true) return flatten(column, value[only[0]], into);
    for (const [name, member] of Object.entries(value)) flatten(`${column}.${name}`, member, into);
  }
}

/**
 * Of a list of objects one column per member, a list as long as this one, so that members can be put together again.
 */
function flattenList(column: string, list: readonly unknown[], into: Map<string, FeedValue>): void {
  if (!list.some(isObject)) {
    const values = list.map(plain).filter((one) => one !== "");
    if (values.length > 0) into.set(column, values);
    return;
  }
  const rows = list.filter(isObject).map((one) => {
    const row = new Map<string, FeedValue>();
    for (const [name, member] of Object.entries(one)) flatten(name, member, row);
    return row;
  });
  for (const name of new Set(rows.flatMap((row) => [...row.keys()]))) {
    into.set(
      `${column}[].${name}`,
      rows.map((row) => row.get(name) ?? ""),
    );
  }
}

function plain(value: unknown): FeedValue {
  if (Array.isArray(value)) return value.map(plain);
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : "";
}
