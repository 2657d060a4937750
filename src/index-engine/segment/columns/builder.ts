/**
 * Collects the column values of documents and converts them to columns. If a row has several values of a field, the
 * smallest is its own value; minimum and maximum include all of them.
 */
import { KEY_SEPARATOR, sortKey } from "../../analysis/index.ts";
import { LIMITS } from "../../../interface/index.ts";
import { NO_ROW, type ColumnValue } from "../model/index.ts";
import { getOrInsert, GrowableF64, GrowableU32, run, StringNumbers } from "../../base/index.ts";
import type { SectionWriter } from "../format/index.ts";
import { ByteStrings } from "../strings/index.ts";
import {
  compareColumns,
  ColumnsWriter,
  SMALL_COLUMN_VALUES,
  SMALL_COLUMNS_PER_STEP,
  type ColumnSource,
} from "./writer.ts";

/** Rows and their values in order of arrival. Strings are key numbers. */
class Arrivals {
  readonly rows = new GrowableU32();
  readonly values = new GrowableF64();

  add(row: number, value: number): void {
    this.rows.push(row);
    this.values.push(value);
  }

  /** Frees the memory. Must not be used afterwards. */
  release(): void {
    this.rows.release();
    this.values.release();
  }
}

interface Collected {
  readonly field: string;
  readonly isString: boolean;
  readonly products: Arrivals;
  readonly variants: Arrivals;
}

/** Size of an empty column's lists; a catalogue may have thousands of columns. */
const COLUMN_BYTES = 1_024;

export class ColumnsBuilder {
  readonly #language: string;
  readonly #columns = new Map<string, Collected>();
  /** Keys of all columns, because a key only depends on the text. */
  readonly #keys = new StringNumbers();
  /** Strings as sent, except long ones. */
  readonly #texts = new StringNumbers();
  /** Text -> its key. */
  readonly #keyOf = new GrowableU32();

  /** Estimated size when written. */
  sizeBytes = 0;

  constructor(language: string) {
    this.#language = language;
  }

  /** `row`: arrival number of the product. */
  addOfProduct(row: number, values: readonly ColumnValue[]): void {
    for (const given of values) this.#column(given).products.add(row, this.#value(given));
  }

  /** `row`: arrival number of the variant row. */
  addOfVariant(row: number, values: readonly ColumnValue[]): void {
    for (const given of values) this.#column(given).variants.add(row, this.#value(given));
  }

  /** The column of a value, whose size it counts. */
  #column(given: ColumnValue): Collected {
    this.sizeBytes += 8;
    const isString = typeof given.value === "string";
    const field = given.field.toWellFormed();
    const key = `${isString ? "s" : "n"}${field}`;
    return getOrInsert(this.#columns, key, () => {
      this.sizeBytes += COLUMN_BYTES;
      return { field, isString, products: new Arrivals(), variants: new Arrivals() };
    });
  }

  #value(given: ColumnValue): number {
    if (typeof given.value === "number") {
      if (Number.isNaN(given.value)) throw new TypeError(`NaN as a value of ${given.field}`);
      return given.value + 0; // -0 sorts and shows as 0
    }
    if (given.value.length > LIMITS.sortKeyCharacters.value) return this.#key(given.value);
    const count = this.#texts.size;
    const text = this.#texts.add(given.value);
    if (text === count) this.#keyOf.push(this.#key(given.value));
    return this.#keyOf.at(text);
  }

  #key(text: string): number {
    const count = this.#keys.size;
    // UTF-8 cannot represent a lone surrogate.
    const key = sortKey(text.toWellFormed(), this.#language, LIMITS.sortKeyCharacters.value);
    const number = this.#keys.add(key);
    if (number === count) this.sizeBytes += key.length;
    return number;
  }

  /** `finalRow`, `finalVariantRow`: arrival number -> final row, or NO_ROW. */
  *finish(
    sections: SectionWriter,
    finalRow: Uint32Array,
    finalVariantRow: Uint32Array,
    productOfVariantRow: Uint32Array,
    counts: { readonly products: number; readonly variantRows: number },
  ): Generator<void, void, void> {
    const writer = new ColumnsWriter(counts.products, counts.variantRows);
    const arranger = new ColumnArranger(counts.products, productOfVariantRow);
    this.#texts.release();
    this.#keyOf.release();
    const keysInOrder = yield* this.#keys.sorted();
    const places = new Uint32Array(keysInOrder.length);
    keysInOrder.forEach((key, place) => (places[key] = place));
    const keyOrder = { keysInOrder, places, ordinals: new Uint32Array(places.length) };
    yield;
    let smallColumns = 0;
    for (const column of [...this.#columns.values()].sort(compareColumns)) {
      const steps = this.#write(writer, arranger, column, keyOrder, finalRow, finalVariantRow);
      if (column.products.rows.length + column.variants.rows.length > SMALL_COLUMN_VALUES) yield* steps;
      else {
        // A catalogue may have tens of thousands of names with one value each.
        run(steps);
        smallColumns++;
        if (smallColumns % SMALL_COLUMNS_PER_STEP === 0) yield;
      }
    }
    this.#keys.release();
    writer.finish(sections);
    yield;
  }

  *#write(
    writer: ColumnsWriter,
    arranger: ColumnArranger,
    column: Collected,
    keyOrder: KeyOrder,
    finalRow: Uint32Array,
    finalVariantRow: Uint32Array,
  ): Generator<void, void, void> {
    const products = renumber(column.products, finalRow);
    yield;
    const variants = renumber(column.variants, finalVariantRow);
    yield;
    const keys = column.isString ? yield* this.#orderKeys(keyOrder, products.values, variants.values) : null;
    yield;
    yield* writer.add(arranger.arrange(column.field, keys, products, variants));
    column.products.release();
    column.variants.release();
    yield;
  }

  /** Replaces key numbers in place by ordinals of the used keys. Returns their texts. */
  *#orderKeys(
    { keysInOrder, places, ordinals }: KeyOrder,
    ...valueLists: Float64Array[]
  ): Generator<void, ByteStrings, void> {
    const found = new Uint32Array(valueLists.reduce((sum, { length }) => sum + length, 0));
    let count = 0;
    for (const values of valueLists) for (const key of values) found[count++] = places[key];
    found.sort();
    yield;
    const texts = new ByteStrings();
    const bytes = this.#keys.bytes();
    for (let i = 0; i < found.length; i++) {
      if (i % KEYS_PER_STEP === KEYS_PER_STEP - 1) yield;
      if (i > 0 && found[i] === found[i - 1]) continue;
      const key = keysInOrder[found[i]];
      ordinals[key] = texts.count;
      // The original text follows the key's separator.
      const start = bytes.indexOf(KEY_SEPARATOR, this.#keys.start(key)) + 1;
      texts.add(bytes, start, this.#keys.end(key));
    }
    yield;
    for (const values of valueLists) {
      for (let i = 0; i < values.length; i++) values[i] = ordinals[values[i]];
    }
    return texts;
  }
}

/** Between two steps. */
const KEYS_PER_STEP = 8_192;

interface KeyOrder {
  /** Numbers of keys. */
  readonly keysInOrder: readonly number[];
  /** Key number -> its index in `keysInOrder`. */
  readonly places: Uint32Array;
  /** Key number -> its ordinal in the current column. */
  readonly ordinals: Uint32Array;
}

/** Values by row, in any order; a row may have several. */
interface RowNumbers {
  readonly rows: Uint32Array;
  readonly values: Float64Array;
}

function renumber(arrivals: Arrivals, finalRow: Uint32Array): RowNumbers {
  const rows = arrivals.rows.view();
  const values = arrivals.values.view();
  const kept = new Arrivals();
  for (let i = 0; i < rows.length; i++) {
    const row = finalRow[rows[i]];
    if (row !== NO_ROW) kept.add(row, values[i]);
  }
  return { rows: kept.rows.view(), values: kept.values.view() };
}

/** Converts values by row to a ColumnSource. Reuses its arrays for all columns. */
class ColumnArranger {
  readonly #min: Float64Array;
  readonly #max: Float64Array;
  readonly #own: Float64Array;
  readonly #productOf: Uint32Array;

  constructor(productCount: number, productOfVariantRow: Uint32Array) {
    this.#productOf = productOfVariantRow;
    this.#min = new Float64Array(productCount).fill(NaN);
    this.#max = new Float64Array(productCount);
    this.#own = new Float64Array(productCount).fill(NaN);
  }

  arrange(field: string, keys: ByteStrings | null, products: RowNumbers, variants: RowNumbers): ColumnSource {
    const touched = new GrowableU32();
    for (let i = 0; i < products.rows.length; i++) {
      const row = products.rows[i];
      const value = products.values[i];
      this.#include(touched, row, value);
      if (!(this.#own[row] <= value)) this.#own[row] = value;
    }
    for (let i = 0; i < variants.rows.length; i++) {
      this.#include(touched, this.#productOf[variants.rows[i]], variants.values[i]);
    }
    const rows = touched.view().slice().sort();
    const min = new Float64Array(rows.length);
    const max = new Float64Array(rows.length);
    const own = new Float64Array(rows.length);
    for (let i = 0; i < rows.length; i++) {
      min[i] = this.#min[rows[i]];
      max[i] = this.#max[rows[i]];
      own[i] = this.#own[rows[i]];
      this.#min[rows[i]] = NaN;
      this.#own[rows[i]] = NaN;
    }
    const { rows: variantRows, values: variantValues } = smallestByRow(variants);
    return { field, keys, rows, min, max, own, variantRows, variantValues };
  }

  #include(touched: GrowableU32, row: number, value: number): void {
    if (Number.isNaN(this.#min[row])) {
      touched.push(row);
      this.#min[row] = value;
      this.#max[row] = value;
      return;
    }
    if (value < this.#min[row]) this.#min[row] = value;
    if (value > this.#max[row]) this.#max[row] = value;
  }
}

/** Ascending distinct rows, each with its smallest value. */
function smallestByRow(given: RowNumbers): RowNumbers {
  let ascending = true;
  for (let i = 1; i < given.rows.length && ascending; i++) {
    ascending = given.rows[i - 1] < given.rows[i];
  }
  if (ascending) return given;
  const smallest = new Map<number, number>();
  for (let i = 0; i < given.rows.length; i++) {
    const known = smallest.get(given.rows[i]);
    if (known === undefined || given.values[i] < known) smallest.set(given.rows[i], given.values[i]);
  }
  const rows = Uint32Array.from(smallest.keys()).sort();
  return { rows, values: Float64Array.from(rows, (row) => smallest.get(row) ?? NaN) };
}
