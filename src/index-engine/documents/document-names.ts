/** The names of one document, in order: of data fields and attributes, first its own, then those of its variants. */
import { isRecord } from "./decode.ts";

export type RowLevel = "master" | "variant";
export type NameKind = "data" | "attribute";

export interface NamedValues {
  readonly data: Readonly<Record<string, unknown>>;
  readonly attributes: readonly { readonly name: string }[];
}

export interface UncheckedValues {
  readonly data?: unknown;
  readonly attributes?: unknown;
}

/** A name with all that decides its rule. */
export interface PlacedName {
  readonly name: string;
  readonly level: RowLevel;
  readonly kind: NameKind;
}

export function* namesOf(row: NamedValues, variants: readonly NamedValues[]): Generator<PlacedName, void, void> {
  yield* namesOfRow(row, "master");
  for (const variant of variants) yield* namesOfRow(variant, "variant");
}

function* namesOfRow({ data, attributes }: NamedValues, level: RowLevel): Generator<PlacedName, void, void> {
  for (const name of Object.keys(data)) yield { name, level, kind: "data" };
  for (const { name } of attributes) yield { name, level, kind: "attribute" };
}

/** Of a document or variant as it was sent. */
export function unchecked({ data, attributes }: Readonly<Record<string, unknown>>): NamedValues {
  return { data: isRecord(data) ? data : {}, attributes: Array.isArray(attributes) ? attributes.filter(isNamed) : [] };
}

/** Other names are refused when the document is read. */
export function isNamed(attribute: unknown): attribute is { readonly name: string } {
  return isRecord(attribute) && typeof attribute.name === "string";
}

export function uncheckedRows(variants: unknown): NamedValues[] {
  return Array.isArray(variants) ? variants.filter(isRecord).map(unchecked) : [];
}

/** The keys of the first names. */
export function firstNames(names: Iterable<PlacedName>, count: number): ReadonlySet<string> {
  const keys = new Set<string>();
  let left = count;
  for (const one of names) {
    if (left-- === 0) break;
    keys.add(keyOf(one));
  }
  return keys;
}

export function keyOf({ name, level, kind }: PlacedName): string {
  return `${level} ${kind} ${name}`;
}
