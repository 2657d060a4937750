/**
 * Products for tests of the segment core: random ones, and the slow obvious account of what a segment must say about
 * them, worked out from plain objects without any index.
 */
import fc from "fast-check";
import { NO_LANGUAGE } from "../../../src/index-engine/analysis/languages/index.ts";
import { type Analyzer, sortKey } from "../../../src/index-engine/analysis/index.ts";
import type { Offsets } from "../../../src/index-engine/base/index.ts";
import {
  FACET_KINDS,
  NORM_GROUPS,
  STEM_PREFIX,
  type FieldValue,
  type IndexableProduct,
  type IndexableRow,
  type NormGroup,
  type Postings,
  type Segment,
} from "../../../src/index-engine/segment/model/index.ts";
import { encodeNorm } from "../../../src/index-engine/segment/format/index.ts";
import {
  openSegment,
  SegmentBuilder,
  verifySegment,
  type OpenedSegment,
} from "../../../src/index-engine/segment/index.ts";
import { readStored, storedChunks } from "../../../src/index-engine/segment/stored/index.ts";

function spacedTerms(text: string): string[] {
  return text
    .toLowerCase()
    .split(" ")
    .filter((word) => word !== "");
}

/** Words are what spaces separate; "s" at the end goes in stems. */
export const plainAnalyzer: Analyzer = {
  language: "en",
  terms: spacedTerms,
  queryTerms: spacedTerms,
  plainTerms: () => null,
  stem: (term) => (term.length > 1 && term.endsWith("s") ? term.slice(0, -1) : term),
  isStopWord: () => false,
  data: NO_LANGUAGE,
};

export function normGroup(field: string): NormGroup {
  return field === "title" ? "title" : field.startsWith("long") ? "text" : "short";
}

const encoder = new TextEncoder();

export function product(
  id: string,
  row: Partial<IndexableRow> = {},
  variants: readonly Partial<IndexableRow>[] = [],
): IndexableProduct {
  const whole = (part: Partial<IndexableRow>): IndexableRow => ({
    texts: part.texts ?? [],
    values: part.values ?? [],
    columns: part.columns ?? [],
  });
  const source = encoder.encode(JSON.stringify({ id, ...row, variants }));
  return { id, source, ...whole(row), variants: variants.map(whole) };
}

export function term(field: string, value: string, id: string | null = null, facet = true): FieldValue {
  return { kind: "term", field, value, id, facet };
}

export function path(field: string, value: string, id: string | null = null): FieldValue {
  return { kind: "path", field, value, id, facet: true };
}

export function number(field: string, value: number, id: string | null = null): FieldValue {
  return { kind: "number", field, value, id, facet: true };
}

export interface Built {
  readonly segment: OpenedSegment;
  readonly bytes: Uint8Array;
  readonly stored: Uint8Array;
}

/** @param groupOf the norm group of a field */
export function build(
  products: readonly IndexableProduct[],
  storedBlock = "block",
  groupOf: (field: string) => NormGroup = normGroup,
): Built {
  const builder = new SegmentBuilder({ analyzer: plainAnalyzer, normGroup: groupOf, language: "en", storedBlock });
  for (const each of products) builder.add(each);
  const { index, stored } = builder.finish();
  verifySegment(index);
  return { segment: openSegment(index), bytes: index, stored };
}

// ---- random products

const words = ["shoe", "shoes", "red", "Reds", "é", "ﬀ", "𝒳", "x", "s", "running"];
const text = fc.array(fc.constantFrom(...words), { maxLength: 6 }).map((list) => list.join(" "));
const fieldText = fc.record({ field: fc.constantFrom("title", "brand", "long", "𝒳"), text });
const valueText = fc.constantFrom("Red", "red", "RED", "blue", "A/B", "A", "ﬀ", "𝒳", "", "Straße");
const valueId = fc.constantFrom(null, null, "1", "2", "𝒳");
const fieldValue: fc.Arbitrary<FieldValue> = fc.oneof(
  fc.record({
    kind: fc.constantFrom("term" as const, "path" as const),
    field: fc.constantFrom("colour", "size", "Category"),
    value: valueText,
    id: valueId,
    facet: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant("number" as const),
    field: fc.constantFrom("size", "price"),
    value: fc.constantFrom(-1.5, -0, 0, 1, 2, 1e300, Infinity),
    id: valueId,
    facet: fc.boolean(),
  }),
);
const columnValue = fc.record({
  field: fc.constantFrom("price", "name", "𝒳"),
  value: fc.oneof(fc.constantFrom(-2, -0, 0, 1.25, 7), fc.constantFrom("b", "B", "ä", "", "𝒳")),
});
const row: fc.Arbitrary<IndexableRow> = fc.record({
  texts: fc.array(fieldText, { maxLength: 3 }),
  values: fc.array(fieldValue, { maxLength: 4 }),
  columns: fc.array(columnValue, { maxLength: 3 }),
});
const emptyRow: IndexableRow = { texts: [], values: [], columns: [] };

/** Ids are few, so that they meet: order by code points and by UTF-16 differs among them. */
export const productId = fc.constantFrom(..."abcdefghij", "aa", "ab", "ﬀ", "𝒳", "𝒳a", "é", "z".repeat(512));

export const anyProduct: fc.Arbitrary<IndexableProduct> = fc
  .record({
    id: productId,
    row: fc.oneof({ weight: 5, arbitrary: row }, { weight: 1, arbitrary: fc.constant(emptyRow) }),
    variants: fc.oneof(
      { weight: 3, arbitrary: fc.constant([]) },
      { weight: 2, arbitrary: fc.array(row, { maxLength: 3 }) },
    ),
    version: fc.nat(),
  })
  .map((given) => ({
    ...given.row,
    id: given.id,
    variants: given.variants,
    source: encoder.encode(JSON.stringify([given.id, given.version])),
  }));

// ---- the account of plain objects

/** Everything a segment says, as plain data. */
export interface Contents {
  readonly ids: readonly string[];
  readonly variants: readonly number[];
  readonly norms: readonly (readonly number[])[];
  /** Term -> row -> "field:frequency field:frequency". */
  readonly postings: Record<string, Record<number, string>>;
  readonly variantPostings: Record<string, readonly number[]>;
  readonly searchFields: readonly string[];
  /** Fields in order, their values in order as [key, value, id, listed]. */
  readonly fields: readonly {
    readonly name: string;
    readonly kind: string;
    readonly flags: string;
    readonly values: readonly (readonly [string | number, string | number, string | null, boolean])[];
  }[];
  /** Per row the ordinals of its values. */
  readonly productValues: readonly (readonly number[])[];
  readonly variantValues: readonly (readonly number[])[];
  /** Column name and kind -> per row [min, max], per variant row the value. */
  readonly columns: Record<string, { rows: unknown[]; variants: unknown[] }>;
  readonly sources: readonly string[];
}

/** Order of UTF-8 bytes, which is the order of code points. */
export function compareUtf8(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function lowerKey(value: FieldValue): string | number {
  if (value.kind === "number") return value.value;
  return value.kind === "term" ? value.value.toLowerCase() : value.value;
}

function compareKeys(a: string | number, b: string | number): number {
  if (typeof a === "number" && typeof b === "number") return a < b ? -1 : a > b ? 1 : 0;
  return compareUtf8(String(a), String(b));
}

function identity(value: FieldValue): string {
  return JSON.stringify([value.kind, value.field, value.value + "", value.id, value.facet]);
}

/** `products` in any order; of equal ids the last one counts. */
export function contentsOf(given: readonly IndexableProduct[]): Contents {
  const byId = new Map(given.map((each) => [each.id, each]));
  const products = [...byId.values()].sort((a, b) => compareUtf8(a.id, b.id));
  const hasVariants = products.some((each) => each.variants.length > 0);
  const rowsOf = (each: IndexableProduct): readonly IndexableRow[] =>
    each.variants.length > 0 ? each.variants : [emptyRow];
  const variantRows = products.flatMap(rowsOf);

  const postings: Record<string, Record<number, string>> = {};
  const searchFields = new Set<string>();
  products.forEach((each, row) => {
    const counts = new Map<string, Map<string, number>>();
    for (const { field, text } of [each, ...each.variants].flatMap(({ texts }) => texts)) {
      for (const exact of plainAnalyzer.terms(text)) {
        searchFields.add(field);
        const stem = plainAnalyzer.stem(exact);
        for (const stored of stem === exact ? [exact] : [exact, STEM_PREFIX + stem]) {
          const fields = counts.get(stored) ?? new Map<string, number>();
          counts.set(stored, fields);
          fields.set(field, (fields.get(field) ?? 0) + 1);
        }
      }
    }
    for (const [stored, fields] of counts) {
      (postings[stored] ??= {})[row] = [...fields]
        .sort(([a], [b]) => compareUtf8(a, b))
        .map(([field, count]) => `${field}:${Math.min(count, 255)}`)
        .join(" ");
    }
  });
  const variantPostings: Record<string, number[]> = {};
  if (hasVariants) {
    variantRows.forEach((variant, row) => {
      const terms = new Set<string>();
      for (const exact of variant.texts.flatMap(({ text }) => plainAnalyzer.terms(text))) {
        const stem = plainAnalyzer.stem(exact);
        terms.add(exact);
        if (stem !== exact) terms.add(STEM_PREFIX + stem);
      }
      for (const stored of terms) (variantPostings[stored] ??= []).push(row);
    });
  }

  const allValues = new Map<string, FieldValue>();
  for (const each of [...products, ...variantRows]) {
    for (const value of each.values) {
      const positive = value.kind === "number" ? { ...value, value: value.value + 0 } : value;
      allValues.set(identity(value), positive);
    }
  }
  const sorted = [...allValues].sort(
    ([, a], [, b]) =>
      compareUtf8(a.field, b.field) ||
      FACET_KINDS.indexOf(a.kind) - FACET_KINDS.indexOf(b.kind) ||
      compareKeys(lowerKey(a), lowerKey(b)) ||
      compareKeys(a.value, b.value) ||
      (a.id === null ? -1 : 0) - (b.id === null ? -1 : 0) ||
      compareUtf8(a.id ?? "", b.id ?? "") ||
      Number(b.facet) - Number(a.facet),
  );
  const ordinals = new Map(sorted.map(([key], ordinal) => [key, ordinal]));
  const valuesOf = (each: IndexableRow): number[] =>
    [...new Set(each.values.map((value) => ordinals.get(identity(value)) ?? -1))].sort((a, b) => a - b);
  const productValues = products.map(valuesOf);
  const variantValues = hasVariants ? variantRows.map(valuesOf) : [];
  const fieldKeys = [...new Set(sorted.map(([, value]) => `${value.kind} ${value.field}`))];
  const fields = fieldKeys.map((fieldKey) => {
    const own = sorted.filter(([, value]) => `${value.kind} ${value.field}` === fieldKey);
    const members = new Set(own.map(([key]) => ordinals.get(key)));
    const on = (rows: readonly (readonly number[])[]): boolean =>
      rows.some((row) => row.some((ordinal) => members.has(ordinal)));
    const facet = own.some(([, value]) => value.facet);
    return {
      name: own[0][1].field,
      kind: own[0][1].kind,
      flags: `facet ${facet}, products ${on(productValues)}, variants ${on(variantValues)}`,
      values: own.map(([, v]) => [lowerKey(v), v.value, v.id, v.facet] as const),
    };
  });

  const columns: Contents["columns"] = {};
  const keyOf = (value: number | string): number | string =>
    typeof value === "number" ? value + 0 : sortKey(value, "en");
  const columnKeys = new Set(
    [...products, ...variantRows].flatMap((each) => each.columns).map(({ field, value }) => `${typeof value} ${field}`),
  );
  for (const columnKey of columnKeys) {
    const own = (each: IndexableRow): (number | string)[] =>
      each.columns
        .filter(({ field, value }) => `${typeof value} ${field}` === columnKey)
        .map(({ value }) => keyOf(value))
        .sort(compareKeys);
    columns[columnKey] = {
      rows: products.map((each) => {
        const all = [each, ...each.variants].flatMap(own).sort(compareKeys);
        return [all.at(0) ?? null, all.at(-1) ?? null];
      }),
      variants: products.flatMap((each) =>
        rowsOf(each).map((variant) => own(variant).at(0) ?? own(each).at(0) ?? null),
      ),
    };
  }

  const decoder = new TextDecoder();
  return {
    ids: products.map(({ id }) => id),
    variants: products.map(({ variants }) => variants.length),
    norms: NORM_GROUPS.map((group) =>
      products.map((each) => {
        const texts = [each, ...each.variants].flatMap((row) => row.texts);
        const inGroup = texts.filter(({ field }) => normGroup(field) === group);
        return encodeNorm(inGroup.flatMap(({ text }) => plainAnalyzer.terms(text)).length);
      }),
    ),
    postings,
    variantPostings,
    searchFields: [...searchFields].sort(compareUtf8),
    fields,
    productValues,
    variantValues: variantValues.some((values) => values.length > 0) ? variantValues : [],
    columns,
    sources: products.map(({ source }) => decoder.decode(source)),
  };
}

// ---- the account of a segment

/** Reads everything through the public interface. `blocks`: the bytes of each stored block. */
export function contentsIn(segment: Segment, blocks: Record<string, Uint8Array>): Contents {
  const all = Array.from({ length: segment.productCount }, (_, row) => row);
  const { facets, signatures } = segment;
  const postings: Record<string, Record<number, string>> = {};
  const variantPostings: Record<string, readonly number[]> = {};
  for (let ordinal = 0; ordinal < segment.terms.size; ordinal++) {
    const text = segment.terms.get(ordinal);
    const { rows, codes } = list(segment.postings, ordinal);
    const described: Record<number, string> = {};
    rows.forEach((row, i) => {
      const entries: string[] = [];
      for (let e = signatures.starts[codes[i]]; e < signatures.starts[codes[i] + 1]; e++) {
        const field = segment.searchFields[signatures.fields[e]];
        entries.push(`${field}:${signatures.frequencies[e]}`);
      }
      described[row] = entries.join(" ");
    });
    postings[text] = described;
    if (segment.variantPostings === null) continue;
    const ofVariants = list(segment.variantPostings, ordinal).rows;
    if (ofVariants.length > 0) variantPostings[text] = ofVariants;
  }
  const valuesOfRows = (
    starts: Offsets | null,
    deltas: Uint16Array | null,
    beforeFirst: number,
    count: number,
  ): number[][] =>
    starts === null || deltas === null
      ? []
      : Array.from({ length: count }, (_, row) => {
          let value = beforeFirst;
          return [...deltas.subarray(starts.at(row), starts.at(row + 1))].flatMap((delta) => {
            value += delta === 0 ? 65_535 : delta;
            return delta === 0 ? [] : [value];
          });
        });

  const columns: Contents["columns"] = {};
  for (const [field, column] of segment.numberColumns) {
    const shown = (value: number): number | null => (Number.isNaN(value) ? null : value);
    columns[`number ${field}`] = {
      rows: all.map((row) => [shown(column.min(row)), shown(column.max(row))]),
      variants: variantRowsOf(segment).map((row) => shown(column.ofVariant(row))),
    };
  }
  for (const [field, column] of segment.stringColumns) {
    const shown = (key: number): string | null => (key < 0 ? null : column.keys.get(key));
    columns[`string ${field}`] = {
      rows: all.map((row) => [shown(column.min(row)), shown(column.max(row))]),
      variants: variantRowsOf(segment).map((row) => shown(column.ofVariant(row))),
    };
  }
  const chunks = new Map<string, Uint8Array[]>();
  for (const block of segment.storedBlocks) chunks.set(block, storedChunks(blocks[block]));
  const decoder = new TextDecoder();
  return {
    ids: all.map((row) => segment.ids.get(row)),
    variants: all.map((row) => segment.variantsOf(row)),
    norms: segment.norms.map((norms) => [...norms]),
    postings,
    variantPostings,
    searchFields: segment.searchFields,
    fields: facets.fields.map((field) => ({
      name: field.name,
      kind: field.kind,
      flags: `facet ${field.facet}, products ${field.onProducts}, variants ${field.onVariants}`,
      values: Array.from({ length: field.end - field.start }, (_, i) => {
        const ordinal = field.start + i;
        const value = field.kind === "number" ? facets.number(ordinal) : facets.text(ordinal);
        const key = typeof value === "string" && field.kind === "term" ? value.toLowerCase() : value;
        const { filterOnly } = facets;
        const listed = filterOnly === null || ((filterOnly[ordinal >>> 5] >>> ordinal) & 1) === 0;
        return [key, value, facets.id(ordinal), listed] as const;
      }),
    })),
    productValues: valuesOfRows(
      facets.productDeltaStarts,
      facets.productDeltas,
      facets.beforeProducts,
      segment.productCount,
    ),
    variantValues: valuesOfRows(facets.variantDeltaStarts, facets.variantDeltas, -1, segment.variantRowCount),
    columns,
    sources: all.map((row) => {
      const { block, chunk, offset } = segment.storedRef(row);
      return decoder.decode(readStored(chunks.get(block)?.[chunk] ?? new Uint8Array(0), offset));
    }),
  };
}

function variantRowsOf(segment: Segment): number[] {
  return Array.from({ length: segment.variantRowCount }, (_, row) => row);
}

export function list(postings: Postings, ordinal: number): { rows: number[]; codes: number[] } {
  const count = postings.count(ordinal);
  const rows = new Uint32Array(count);
  const codes = new Uint32Array(count);
  postings.decode(ordinal, rows, codes);
  return { rows: [...rows], codes: [...codes] };
}
