/**
 * Collects the column values of documents and converts them to columns. If a row has several values of a field, the
 * smallest is its own value; minimum and maximum include all of them.
 */
import { KEY_SEPARATOR, sortKey } from "../../analysis/index.ts";
import { LIMITS } from "../../../interface/index.ts";
import { NO_ROW, type ColumnValue } from "../model/index.ts";
import { getOrInsert, GrowableF64, GrowableU32, StringNumbers } from "../../base/index.ts";
import type { SectionWriter } from "../format/index.ts";
import { ByteStrings } from "../strings/index.ts";
import { ColumnCollector } from "./collector.ts";
import { compareColumns, ColumnsWriter, eachColumn } from "./writer.ts";

/** Rows and their values in order of arrival. Strings are key numbers. */
class Arrivals {
  readonly rows = new GrowableU32();
  readonly values = new GrowableF64();

  add(row: number, value: number): void {
    this.rows.push(row);
    this.values.push(value);
  }

  /** Visits the values of rows that stay, with their final row. Key numbers become ordinals. */
  each(finalRow: Uint32Array, ordinals: Uint32Array | null, visit: (row: number, value: number) => void): void {
    const rows = this.rows.view();
    const values = this.values.view();
    for (let i = 0; i < rows.length; i++) {
      const row = finalRow[rows[i]];
      if (row !== NO_ROW) visit(row, ordinals === null ? values[i] : ordinals[values[i]]);
    }
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
    const collector = new ColumnCollector(counts.products, counts.variantRows);
    this.#texts.release();
    this.#keyOf.release();
    const keysInOrder = yield* this.#keys.sorted();
    const places = new Uint32Array(keysInOrder.length);
    keysInOrder.forEach((key, place) => (places[key] = place));
    const keyOrder = { keysInOrder, places, ordinals: new Uint32Array(places.length) };
    const sizeOf = ({ products, variants }: Collected): number => products.rows.length + variants.rows.length;
    yield;
    yield* eachColumn([...this.#columns.values()].sort(compareColumns), sizeOf, (column) =>
      this.#write(writer, collector, column, keyOrder, finalRow, finalVariantRow, productOfVariantRow),
    );
    this.#keys.release();
    writer.finish(sections);
    yield;
  }

  *#write(
    writer: ColumnsWriter,
    collector: ColumnCollector,
    { field, isString, products, variants }: Collected,
    keyOrder: KeyOrder,
    finalRow: Uint32Array,
    finalVariantRow: Uint32Array,
    productOf: Uint32Array,
  ): Generator<void, void, void> {
    const keys = isString ? yield* this.#orderKeys(keyOrder, products.values.view(), variants.values.view()) : null;
    const ordinals = isString ? keyOrder.ordinals : null;
    products.each(finalRow, ordinals, (row, value) => collector.add(row, value, value, value));
    yield;
    variants.each(finalVariantRow, ordinals, (row, value) => {
      collector.add(productOf[row], value, value, NaN);
      collector.addOfVariant(row, value);
    });
    products.release();
    variants.release();
    yield;
    yield* writer.add(yield* collector.take(field, keys));
    yield;
  }

  /** Sets the ordinals of the keys with these numbers. Returns their texts. */
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
