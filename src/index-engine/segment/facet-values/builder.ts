/** Collects the facet values of documents in order of arrival, and sorts and writes them at the end. */
import type { FieldValue } from "../model/index.ts";
import { GrowableU32, sortInStepsBy } from "../../base/index.ts";
import type { SectionWriter } from "../format/index.ts";
import { InternedValues } from "./interned.ts";
import { compareFields, compareValues, type FacetValue } from "./values.ts";
import { ValuesWriter } from "./values-writer.ts";
import { writeFacetData, type RowValues } from "./writer.ts";

interface NumberedValue {
  readonly number: number;
  readonly value: FacetValue;
}

/** Rows in order of arrival. Row r has the interned values values[starts[r] .. starts[r + 1]), distinct, unsorted. */
class ArrivedRows {
  readonly starts = new GrowableU32();
  readonly values = new GrowableU32();

  constructor() {
    this.starts.push(0);
  }
}

export class FacetDataBuilder {
  readonly #values = new InternedValues();
  /** Value -> last row with it, so a row has it only once. Products and variants share one counter; 0 is no row. */
  readonly #seenOn = new GrowableU32();
  #row = 1;
  readonly #products = new ArrivedRows();
  readonly #variants = new ArrivedRows();

  #rowBytes = 0;

  /** Estimated size when written. */
  get sizeBytes(): number {
    return this.#values.sizeBytes + this.#rowBytes;
  }

  /** Adds values to the current row. */
  add(values: readonly FieldValue[], ofVariant: boolean): void {
    const rows = this.#rows(ofVariant);
    for (const value of values) {
      const number = this.#values.add(value);
      if (number === this.#seenOn.length) this.#seenOn.push(0);
      if (this.#seenOn.at(number) === this.#row) continue;
      this.#seenOn.set(number, this.#row);
      rows.values.push(number);
      this.#rowBytes += 4;
    }
  }

  endRow(ofVariant: boolean): void {
    const { starts, values } = this.#rows(ofVariant);
    starts.push(values.length);
    this.#rowBytes += 4;
    this.#row++;
  }

  #rows(ofVariant: boolean): ArrivedRows {
    return ofVariant ? this.#variants : this.#products;
  }

  /**
   * Leaves out values that none of these rows has.
   * @param products arrival numbers in the order of final rows
   * @param variantRows the same for variant rows; null if there are none
   */
  *finish(
    sections: SectionWriter,
    products: Uint32Array,
    variantRows: Uint32Array | null,
  ): Generator<void, { readonly valueCount: number }, void> {
    const interned = this.#values;
    const used = new Uint8Array(interned.size);
    markValues(this.#products, products, used);
    if (variantRows !== null) markValues(this.#variants, variantRows, used);

    yield;
    const numbersOf: number[][] = interned.fields.map(() => []);
    for (let number = 0; number < used.length; number++) {
      if (used[number] === 1) numbersOf[interned.field(number)].push(number);
    }
    const ordinals = new Uint32Array(interned.size);
    const fields = new ValuesWriter();
    let written = 0;
    yield;
    const inOrder = interned.fields.map((field, at) => ({ ...field, numbers: numbersOf[at] })).sort(compareFields);
    for (const { name, kind, numbers } of inOrder) {
      const unsorted: NumberedValue[] = [];
      for (const number of numbers) {
        unsorted.push({ number, value: interned.value(number) });
        if (unsorted.length % VALUES_PER_STEP === 0) yield;
      }
      const compare = (a: NumberedValue, b: NumberedValue): number => compareValues(a.value, b.value);
      // Most of thousands of fields have few values and share a step.
      const numbered =
        unsorted.length < VALUES_PER_STEP ? unsorted.sort(compare) : yield* sortInStepsBy(unsorted, compare);
      fields.beginField(name, kind);
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
    interned.release();
    this.#seenOn.release();
    for (const rows of [this.#products, this.#variants]) rows.values.release();
    yield;
    return yield* writeFacetData(sections, fields, productValues, variantValues);
  }
}

/** Values per step: less than a millisecond, or up to 4 until V8 has optimised the code. */
const VALUES_PER_STEP = 500;

function markValues(rows: ArrivedRows, order: Uint32Array, used: Uint8Array): void {
  const starts = rows.starts.view();
  const values = rows.values.view();
  for (const row of order) for (let i = starts[row]; i < starts[row + 1]; i++) used[values[i]] = 1;
}

/** The rows in final order, with sorted final ordinals. */
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
