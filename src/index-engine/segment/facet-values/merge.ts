/** Merges facet data of several segments. Values go to the writer one by one; only flat arrays have all of them. */
import { hasBit, pushTo } from "../../base/index.ts";
import { LARGEST_DELTA, NO_ROW, type FacetField } from "../model/index.ts";
import type { SectionWriter } from "../format/index.ts";
import type { FacetDataViews } from "./reader.ts";
import { ValuesWriter } from "./values-writer.ts";
import { compareFields, compareValues, facetKey, type FacetValue } from "./values.ts";
import { writeFacetData, type RowValues } from "./writer.ts";

/** Merged row r is row `row[r]` of input `input[r]`. NO_ROW for variant rows that the input does not have. */
export interface FacetRows {
  readonly input: ArrayLike<number>;
  readonly row: Uint32Array;
}

const ROWS_PER_STEP = 1_250;
const VALUES_PER_STEP = 500;
const FIELDS_PER_STEP = 1_000;

export function* mergeFacetData(
  sections: SectionWriter,
  inputs: readonly FacetDataViews[],
  products: FacetRows,
  variants: FacetRows | null,
): Generator<void, { readonly valueCount: number }, void> {
  // Value -> merged ordinal plus 1. In the first pass, 1 means that a live row has it.
  const maps = inputs.map((facets) => new Uint32Array(facets.valueCount));
  let ofProducts = 0;
  yield* walkRows(inputs, products, false, (input, value) => {
    maps[input][value] = 1;
    ofProducts++;
  });
  let ofVariants = 0;
  if (variants !== null) {
    yield* walkRows(inputs, variants, true, (input, value) => {
      maps[input][value] = 1;
      ofVariants++;
    });
  }
  const fields = yield* mergeFields(inputs, maps);
  const productValues = yield* renumber(inputs, products, false, maps, ofProducts);
  const variantValues =
    variants === null || ofVariants === 0 ? null : yield* renumber(inputs, variants, true, maps, ofVariants);
  return yield* writeFacetData(sections, fields, productValues, variantValues);
}

/** Calls `visit` for each value of each merged row, in order. */
function* walkRows(
  inputs: readonly FacetDataViews[],
  rows: FacetRows,
  ofVariants: boolean,
  visit: (input: number, value: number, row: number) => void,
): Generator<void, void, void> {
  for (let first = 0; first < rows.row.length; first += ROWS_PER_STEP) {
    const starts = inputs.map((f) => (ofVariants ? f.variantDeltaStarts : f.productDeltaStarts));
    const firsts = inputs.map((f) => (ofVariants ? -1 : f.beforeProducts));
    const deltas = inputs.map((f) => (ofVariants ? f.variantDeltas : f.productDeltas));
    const end = Math.min(first + ROWS_PER_STEP, rows.row.length);
    for (let row = first; row < end; row++) {
      const input = rows.input[row];
      const source = rows.row[row];
      const inputStarts = starts[input];
      const inputDeltas = deltas[input];
      if (source === NO_ROW || inputStarts === null || inputDeltas === null) continue;
      const rowEnd = inputStarts.at(source + 1);
      let value = firsts[input];
      for (let i = inputStarts.at(source); i < rowEnd; i++) {
        const delta = inputDeltas[i];
        value += delta === 0 ? LARGEST_DELTA : delta;
        if (delta !== 0) visit(input, value, row);
      }
    }
    yield;
  }
}

function* renumber(
  inputs: readonly FacetDataViews[],
  rows: FacetRows,
  ofVariants: boolean,
  maps: readonly Uint32Array[],
  count: number,
): Generator<void, RowValues, void> {
  const starts = new Uint32Array(rows.row.length + 1);
  // Not a growing array: with millions of values, it would be the largest allocation of the merge, twice.
  const values = new Uint32Array(count);
  let length = 0;
  // The maps are monotone, so the values of a row still ascend.
  yield* walkRows(inputs, rows, ofVariants, (input, value, row) => {
    values[length++] = maps[input][value] - 1;
    starts[row + 1] = length;
  });
  // Rows without values.
  for (let row = 0; row < rows.row.length; row++) {
    if (starts[row + 1] < starts[row]) starts[row + 1] = starts[row];
  }
  return { starts, values };
}

/** Walks the used values of a field of one input. Positioned before the first value until `next`. */
class ValueCursor implements FacetValue {
  readonly input: number;
  readonly #facets: FacetDataViews;
  readonly #field: FacetField;
  readonly #used: Uint32Array;
  ordinal: number;
  value: string | number = "";
  key: string | number = "";
  id: string | null = null;
  facetable = false;
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
    const { filterOnly } = facets;
    this.facetable = filterOnly === null || !hasBit(filterOnly, this.ordinal);
  }
}

/** Merges the values of all fields. Sets the maps to merged ordinal plus 1. */
function* mergeFields(
  inputs: readonly FacetDataViews[],
  maps: readonly Uint32Array[],
): Generator<void, ValuesWriter, void> {
  const partsOf = new Map<string, { readonly input: number; readonly field: FacetField }[]>();
  let work = 0;
  for (const [input, facets] of inputs.entries()) {
    for (const field of facets.fields) {
      const key = `${field.kind} ${field.name}`;
      pushTo(partsOf, key, { input, field });
      if (++work % FIELDS_PER_STEP === 0) yield;
    }
  }
  yield;
  const ordered = [...partsOf.values()].sort((a, b) => compareFields(a[0].field, b[0].field));
  const merged = new ValuesWriter();
  for (const parts of ordered) {
    const { name, kind } = parts[0].field;
    merged.beginField(name, kind);
    const cursors = parts.map((p) => new ValueCursor(p.input, inputs[p.input], p.field, maps[p.input]));
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
      // Last, because the others are compared with it.
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
