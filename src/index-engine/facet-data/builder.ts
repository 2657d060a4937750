/**
 * Collects the facet values of documents: interned in the order they come, numbered and written at the end. Rows come in the
 * order of arrival and are put in their final order by the caller of `finish`.
 *
 * Values are kept as columns, and become objects with keys only when they are sorted: a collection of garbage visits every object of
 * every segment that is being built, and nothing goes on meanwhile.
 */
import type { FacetKind, FieldValue } from "../model.ts";
import { GrowableBytes, GrowableU32 } from "../segment/bytes.ts";
import type { SectionWriter } from "../segment/sections.ts";
import { sortInStepsBy } from "../strings.ts";
import { ValuesWriter } from "./values-writer.ts";
import { compareFields, compareValues, facetValue, type FacetValue } from "./values.ts";
import { writeFacetData, type RowValues } from "./writer.ts";

interface CollectedField {
  readonly name: string;
  readonly kind: FacetKind;
  /** Listed values without id, by value; the usual case. */
  readonly plain: Map<string | number, number>;
  /** All others, by a text of flag, id and value. */
  readonly others: Map<string, number>;
}

interface NumberedValue {
  readonly number: number;
  readonly value: FacetValue;
}

/** Rows as they arrived: row r has values[starts[r] .. starts[r + 1]), numbers of interned values, distinct, in any order. */
class ArrivedRows {
  readonly starts = new GrowableU32();
  readonly values = new GrowableU32();

  constructor() {
    this.starts.push(0);
  }
}

export class FacetDataBuilder {
  /** By name. */
  readonly #fields: Readonly<Record<FacetKind, Map<string, CollectedField>>> = {
    term: new Map(),
    number: new Map(),
    path: new Map(),
  };
  /** By interned number. */
  readonly #values: (string | number)[] = [];
  readonly #ids: (string | null)[] = [];
  readonly #listed = new GrowableBytes();
  readonly #fieldOf: CollectedField[] = [];
  /** Value -> last row it was seen on, so that a row has it once. Products and variants count up together. */
  readonly #seenOn: number[] = [];
  #row = 0;
  readonly #products = new ArrivedRows();
  readonly #variants = new ArrivedRows();

  /** Estimate of the bytes this will take. */
  sizeBytes = 0;

  addProduct(values: readonly FieldValue[]): void {
    this.#add(this.#products, values);
  }

  addVariantRow(values: readonly FieldValue[]): void {
    this.#add(this.#variants, values);
  }

  #add(rows: ArrivedRows, values: readonly FieldValue[]): void {
    this.#row++;
    for (const value of values) {
      const number = this.#intern(value);
      if (this.#seenOn[number] === this.#row) continue;
      this.#seenOn[number] = this.#row;
      rows.values.push(number);
      this.sizeBytes += 4;
    }
    rows.starts.push(rows.values.length);
    this.sizeBytes += 4;
  }

  #intern(given: FieldValue): number {
    const fields = this.#fields[given.kind];
    let field = fields.get(given.field);
    if (field === undefined) {
      const name = given.field.toWellFormed();
      field = { name, kind: given.kind, plain: new Map(), others: new Map() };
      field = fields.get(name) ?? field;
      fields.set(name, field);
      fields.set(given.field, field);
      this.sizeBytes += 24 + name.length;
    }
    if (given.id === null && given.facet) {
      const known = field.plain.get(given.value);
      if (known !== undefined) return known;
    }
    if (Number.isNaN(given.value)) throw new TypeError(`NaN as a value of ${given.field}`);
    // -0 is 0: as a Map key they are one, as f64 bytes they would be two. Half surrogate pairs have no UTF-8.
    const value = typeof given.value === "number" ? given.value + 0 : given.value.toWellFormed();
    const id = given.id === null ? null : given.id.toWellFormed();
    if (id === null && given.facet) {
      let known = field.plain.get(value);
      if (known === undefined) {
        known = this.#create(field, value, id, given.facet);
        field.plain.set(value, known);
      }
      return known;
    }
    const key = `${given.facet ? 1 : 0}${id === null ? "" : `${id.length} ${id}`} ${value}`;
    let known = field.others.get(key);
    if (known === undefined) {
      known = this.#create(field, value, id, given.facet);
      field.others.set(key, known);
    }
    return known;
  }

  #create(
    field: CollectedField,
    value: string | number,
    id: string | null,
    listed: boolean,
  ): number {
    this.#values.push(value);
    this.#ids.push(id);
    this.#listed.push(listed ? 1 : 0);
    this.#fieldOf.push(field);
    this.#seenOn.push(0);
    this.sizeBytes += 16 + (typeof value === "string" ? value.length : 8);
    return this.#values.length - 1;
  }

  /**
   * `products[r]` is the arrival number of final row r; `variantRows` likewise for variant rows, null when there are none.
   * Values that are on none of these rows are left out.
   */
  *finish(
    sections: SectionWriter,
    products: Uint32Array,
    variantRows: Uint32Array | null,
  ): Generator<void, { readonly valueCount: number }, void> {
    const used = new Uint8Array(this.#values.length);
    markValues(this.#products, products, used);
    if (variantRows !== null) markValues(this.#variants, variantRows, used);

    yield;
    const numbersOf = new Map<CollectedField, number[]>();
    for (let number = 0; number < used.length; number++) {
      if (used[number] === 0) continue;
      const field = this.#fieldOf[number];
      const numbers = numbersOf.get(field);
      if (numbers === undefined) numbersOf.set(field, [number]);
      else numbers.push(number);
    }
    const listed = this.#listed.view();
    const ordinals = new Uint32Array(this.#values.length);
    const fields = new ValuesWriter();
    let written = 0;
    yield;
    for (const field of [...numbersOf.keys()].sort(compareFields)) {
      const unsorted: NumberedValue[] = [];
      for (const number of numbersOf.get(field) ?? []) {
        const [value, id] = [this.#values[number], this.#ids[number]];
        unsorted.push({ number, value: facetValue(field.kind, value, id, listed[number] === 1) });
        if (unsorted.length % VALUES_PER_STEP === 0) yield;
      }
      const compare = (a: NumberedValue, b: NumberedValue): number =>
        compareValues(a.value, b.value);
      // Most of thousands of fields have few values: they need no steps of their own.
      const numbered =
        unsorted.length < VALUES_PER_STEP
          ? unsorted.sort(compare)
          : yield* sortInStepsBy(unsorted, compare);
      fields.beginField(field.name, field.kind);
      for (const { number, value } of numbered) {
        ordinals[number] = fields.add(value);
        if (++written % VALUES_PER_STEP === 0) yield;
      }
    }
    const productValues = arrange(this.#products, products, ordinals);
    let variantValues: RowValues | null = null;
    if (variantRows !== null) {
      variantValues = arrange(this.#variants, variantRows, ordinals);
      if (variantValues.values.length === 0) variantValues = null;
    }
    yield;
    return yield* writeFacetData(sections, fields, productValues, variantValues);
  }
}

/** Taken over between two steps. */
const VALUES_PER_STEP = 2_000;

function markValues(rows: ArrivedRows, order: Uint32Array, used: Uint8Array): void {
  const starts = rows.starts.view();
  const values = rows.values.view();
  for (const row of order) for (let i = starts[row]; i < starts[row + 1]; i++) used[values[i]] = 1;
}

/** The rows in final order with final, sorted ordinals. */
function arrange(rows: ArrivedRows, order: Uint32Array, ordinals: Uint32Array): RowValues {
  const arrivedStarts = rows.starts.view();
  const arrived = rows.values.view();
  const starts = new Uint32Array(order.length + 1);
  let total = 0;
  for (let row = 0; row < order.length; row++) {
    total += arrivedStarts[order[row] + 1] - arrivedStarts[order[row]];
    starts[row + 1] = total;
  }
  const values = new Uint32Array(total);
  for (let row = 0; row < order.length; row++) {
    const from = arrivedStarts[order[row]];
    const start = starts[row];
    const length = starts[row + 1] - start;
    for (let i = 0; i < length; i++) values[start + i] = ordinals[arrived[from + i]];
    if (length > 1) values.subarray(start, start + length).sort();
  }
  return { starts, values };
}
