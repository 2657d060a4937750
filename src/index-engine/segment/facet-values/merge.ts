/**
 * Merges facet data of several segments. Values go from the inputs to the writer one by one; only flat arrays
 * are held for all of them.
 */
import { hasBit } from "../../base/index.ts";
import { LONGEST_DISTANCE, type FacetField } from "../model/index.ts";
import type { SectionWriter } from "../format/index.ts";
import type { FacetDataViews } from "./reader.ts";
import { ValuesWriter } from "./values-writer.ts";
import { compareFields, compareValues, facetKey, type FacetValue } from "./values.ts";
import { writeFacetData, type RowValues } from "./writer.ts";

/** Merged row r is row `row[r]` of input `input[r]`. Variant rows that an input does not have: `row[r]` = NO_ROW. */
export interface FacetRows {
  readonly input: ArrayLike<number>;
  readonly row: Uint32Array;
}

const NO_ROW = 0xffffffff;
const ROWS_PER_STEP = 1_250;
const VALUES_PER_STEP = 500;
const FIELDS_PER_STEP = 1_000;

export function* mergeFacetData(
  sections: SectionWriter,
  inputs: readonly FacetDataViews[],
  products: FacetRows,
  variants: FacetRows | null,
): Generator<void, { readonly valueCount: number }, void> {
  // Value -> merged ordinal plus 1; in the first pass 1 means that a live row has it.
  const maps = inputs.map((facets) => new Uint32Array(facets.valueCount));
  let ofProducts = 0;
  yield* walkRows(inputs, products, null, (input, value) => {
    maps[input][value] = 1;
    ofProducts++;
  });
  let ofVariants = 0;
  const apart: (ApartValues | null)[] = [];
  if (variants !== null) {
    for (const facets of inputs) apart.push(yield* apartValuesOf(facets));
    yield* walkRows(inputs, variants, apart, (input, value) => {
      maps[input][value] = 1;
      ofVariants++;
    });
  }
  const fields = yield* mergeFields(inputs, maps);
  const productValues = yield* renumber(inputs, products, null, maps, ofProducts);
  const variantValues =
    variants === null || ofVariants === 0
      ? null
      : yield* renumber(inputs, variants, apart, maps, ofVariants);
  return yield* writeFacetData(sections, fields, productValues, variantValues);
}

/** The values of fields apart by variant row: row r has values[starts[r] .. starts[r + 1]), ascending. */
interface ApartValues {
  readonly starts: Uint32Array;
  readonly values: Uint32Array;
}

function* apartValuesOf(facets: FacetDataViews): Generator<void, ApartValues | null, void> {
  const { variantPostings, variantDistanceStarts } = facets;
  const fields = facets.fields.filter(({ isApart }) => isApart);
  if (fields.length === 0 || variantPostings === null || variantDistanceStarts === null) {
    return null;
  }
  const starts = new Uint32Array(variantDistanceStarts.length);
  let decoded = new Uint32Array(64);
  let work = 0;
  // Counts, then values behind those of the rows before.
  let values: Uint32Array | null = null;
  for (const pass of [0, 1]) {
    for (const { start, end } of fields) {
      for (let value = start; value < end; value++) {
        const count = variantPostings.count(value);
        if (count > decoded.length) decoded = new Uint32Array(count * 2);
        variantPostings.decode(value, decoded, null);
        for (let i = 0; i < count; i++) {
          if (values === null) starts[decoded[i] + 1]++;
          else values[starts[decoded[i]]++] = value;
        }
        work += 1 + count;
        if (work < VALUES_PER_STEP) continue;
        work = 0;
        yield;
      }
    }
    if (pass === 1) break;
    for (let row = 1; row < starts.length; row++) starts[row] += starts[row - 1];
    values = new Uint32Array(starts[starts.length - 1]);
  }
  // Each start has become the next one.
  starts.copyWithin(1, 0, starts.length - 1);
  starts[0] = 0;
  return { starts, values: values ?? new Uint32Array(0) };
}

/** Calls `visit` for each value of each merged row, in order. @param apart by input; null: of products */
function* walkRows(
  inputs: readonly FacetDataViews[],
  rows: FacetRows,
  apart: readonly (ApartValues | null)[] | null,
  visit: (input: number, value: number, row: number) => void,
): Generator<void, void, void> {
  const ofVariants = apart !== null;
  for (let first = 0; first < rows.row.length; first += ROWS_PER_STEP) {
    const starts = inputs.map((f) =>
      ofVariants ? f.variantDistanceStarts : f.productDistanceStarts,
    );
    const distances = inputs.map((f) => (ofVariants ? f.variantDistances : f.productDistances));
    const end = Math.min(first + ROWS_PER_STEP, rows.row.length);
    for (let row = first; row < end; row++) {
      const input = rows.input[row];
      const source = rows.row[row];
      const inputStarts = starts[input];
      const inputDistances = distances[input];
      if (source === NO_ROW || inputStarts === null || inputDistances === null) continue;
      const own = apart === null ? null : apart[input];
      let ownAt = own === null ? 0 : own.starts[source];
      const ownEnd = own === null ? 0 : own.starts[source + 1];
      const rowEnd = inputStarts.at(source + 1);
      let value = -1;
      for (let i = inputStarts.at(source); i < rowEnd; i++) {
        const distance = inputDistances[i];
        value += distance === 0 ? LONGEST_DISTANCE : distance;
        if (distance === 0) continue;
        while (own !== null && ownAt < ownEnd && own.values[ownAt] < value) {
          visit(input, own.values[ownAt++], row);
        }
        visit(input, value, row);
      }
      while (own !== null && ownAt < ownEnd) visit(input, own.values[ownAt++], row);
    }
    yield;
  }
}

function* renumber(
  inputs: readonly FacetDataViews[],
  rows: FacetRows,
  apart: readonly (ApartValues | null)[] | null,
  maps: readonly Uint32Array[],
  count: number,
): Generator<void, RowValues, void> {
  const starts = new Uint32Array(rows.row.length + 1);
  // Not a growing array: with millions of values it would be the merge's largest allocation, twice.
  const values = new Uint32Array(count);
  let length = 0;
  // The maps are monotone, so values still ascend within a row.
  yield* walkRows(inputs, rows, apart, (input, value, row) => {
    values[length++] = maps[input][value] - 1;
    starts[row + 1] = length;
  });
  // Rows without values.
  for (let row = 0; row < rows.row.length; row++) {
    if (starts[row + 1] < starts[row]) starts[row + 1] = starts[row];
  }
  return { starts, values };
}

/** Walks the used values of one field of one input. Positioned before the first value until `next`. */
class ValueCursor implements FacetValue {
  readonly input: number;
  readonly #facets: FacetDataViews;
  readonly #field: FacetField;
  readonly #used: Uint32Array;
  ordinal: number;
  value: string | number = "";
  key: string | number = "";
  id: string | null = null;
  listed = false;
  /** True after the last value. */
  isDone = false;

  constructor(input: number, facets: FacetDataViews, field: FacetField, used: Uint32Array) {
    this.input = input;
    this.#facets = facets;
    this.#field = field;
    this.#used = used;
    this.ordinal = field.start - 1;
  }

  next(): void {
    const { kind, end } = this.#field;
    this.ordinal++;
    while (this.ordinal < end && this.#used[this.ordinal] === 0) this.ordinal++;
    if (this.ordinal >= end) {
      this.isDone = true;
      return;
    }
    const facets = this.#facets;
    if (kind === "number") {
      this.key = this.value = facets.number(this.ordinal);
    } else {
      const text = facets.text(this.ordinal);
      this.value = text;
      this.key = facetKey(kind, text);
    }
    this.id = facets.id(this.ordinal);
    const { unlisted } = facets;
    this.listed = unlisted === null || !hasBit(unlisted, this.ordinal);
  }
}

/** Merges the values of the fields into one writer and puts merged ordinal + 1 into the maps. */
function* mergeFields(
  inputs: readonly FacetDataViews[],
  maps: readonly Uint32Array[],
): Generator<void, ValuesWriter, void> {
  const partsOf = new Map<string, { readonly input: number; readonly field: FacetField }[]>();
  let work = 0;
  for (const [input, facets] of inputs.entries()) {
    for (const field of facets.fields) {
      const key = `${field.kind} ${field.name}`;
      const parts = partsOf.get(key);
      if (parts === undefined) partsOf.set(key, [{ input, field }]);
      else parts.push({ input, field });
      if (++work % FIELDS_PER_STEP === 0) yield;
    }
  }
  yield;
  const ordered = [...partsOf.values()].sort((a, b) => compareFields(a[0].field, b[0].field));
  const merged = new ValuesWriter();
  for (const parts of ordered) {
    const { name, kind } = parts[0].field;
    merged.beginField(name, kind);
    const cursors = parts.map(
      (p) => new ValueCursor(p.input, inputs[p.input], p.field, maps[p.input]),
    );
    for (const cursor of cursors) cursor.next();
    for (;;) {
      const smallest = smallestOf(cursors);
      if (smallest === null) break;
      const ordinal = merged.add(smallest);
      for (const cursor of cursors) {
        if (cursor === smallest || cursor.isDone || compareValues(cursor, smallest) !== 0) continue;
        maps[cursor.input][cursor.ordinal] = ordinal + 1;
        cursor.next();
        work++;
      }
      // Last, because the others are compared to it.
      maps[smallest.input][smallest.ordinal] = ordinal + 1;
      smallest.next();
      work++;
      if (work >= VALUES_PER_STEP) {
        work = 0;
        yield;
      }
    }
  }
  return merged;
}

function smallestOf(cursors: readonly ValueCursor[]): ValueCursor | null {
  let smallest: ValueCursor | null = null;
  for (const cursor of cursors) {
    if (cursor.isDone) continue;
    if (smallest === null || compareValues(cursor, smallest) < 0) smallest = cursor;
  }
  return smallest;
}
