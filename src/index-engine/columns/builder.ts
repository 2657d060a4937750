/**
 * Collects column values of documents, and turns values by row into columns. A row may have several values of a field: its own
 * value is the smallest, minimum and maximum run over all of them.
 */
import { KEY_SEPARATOR, sortKey } from "../analysis/index.ts";
import { LIMITS } from "../../interface/index.ts";
import type { ColumnValue } from "../model.ts";
import { GrowableF64, GrowableU32 } from "../segment/bytes.ts";
import type { SectionWriter } from "../segment/sections.ts";
import { ByteStrings, StringNumbers } from "../strings.ts";
import { compareColumns, ColumnsWriter, type ColumnSource } from "./writer.ts";

/** Values of one column in the order they came; strings as numbers of interned keys. */
class Collected {
  readonly field: string;
  /** Of strings only. */
  readonly strings: CollectedStrings | null;
  readonly productRows = new GrowableU32();
  readonly productValues = new GrowableF64();
  readonly variantRows = new GrowableU32();
  readonly variantValues = new GrowableF64();

  constructor(field: string, isString: boolean) {
    this.field = field;
    this.strings = isString ? new CollectedStrings() : null;
  }

  get isString(): boolean {
    return this.strings !== null;
  }

  /** Gives the memory back. To be used no more. */
  release(): void {
    for (const list of [this.productRows, this.productValues]) list.release();
    for (const list of [this.variantRows, this.variantValues]) list.release();
    if (this.strings === null) return;
    const { keys, texts, keyOf } = this.strings;
    keys.release();
    texts.release();
    keyOf.release();
  }
}

class CollectedStrings {
  readonly keys = new StringNumbers();
  /** Values as sent. */
  readonly texts = new StringNumbers();
  /** Text -> its key. */
  readonly keyOf = new GrowableU32();
}

const UNKNOWN_ROW = 0xffffffff;

export class ColumnsBuilder {
  readonly #language: string;
  readonly #columns = new Map<string, Collected>();

  /** Estimate of the bytes this will take. */
  sizeBytes = 0;

  constructor(language: string) {
    this.#language = language;
  }

  /** `row`: arrival number of the product. */
  addProduct(row: number, values: readonly ColumnValue[]): void {
    for (const given of values) {
      const column = this.#column(given);
      column.productRows.push(row);
      column.productValues.push(this.#value(column, given));
      this.sizeBytes += 8;
    }
  }

  /** `row`: arrival number of the variant row. */
  addVariantRow(row: number, values: readonly ColumnValue[]): void {
    for (const given of values) {
      const column = this.#column(given);
      column.variantRows.push(row);
      column.variantValues.push(this.#value(column, given));
      this.sizeBytes += 8;
    }
  }

  #column(given: ColumnValue): Collected {
    const isString = typeof given.value === "string";
    const field = given.field.toWellFormed();
    const key = `${isString ? "s" : "n"}${field}`;
    let column = this.#columns.get(key);
    if (column === undefined) {
      column = new Collected(field, isString);
      this.#columns.set(key, column);
      this.sizeBytes += 64;
    }
    return column;
  }

  #value(column: Collected, given: ColumnValue): number {
    if (typeof given.value === "number") {
      if (Number.isNaN(given.value)) throw new TypeError(`NaN as a value of ${given.field}`);
      return given.value + 0; // -0 sorts and shows as 0
    }
    const { strings } = column;
    if (strings === null) throw new TypeError(`a string in the column of numbers ${column.field}`);
    const { keys, texts, keyOf } = strings;
    const count = texts.size;
    const text = texts.add(given.value);
    if (text === count) {
      const limit = LIMITS.sortKeyCharacters.value;
      const keyCount = keys.size;
      // Half of a surrogate pair has no UTF-8.
      const key = sortKey(given.value.toWellFormed(), this.#language, limit);
      keyOf.push(keys.add(key));
      if (keys.size > keyCount) this.sizeBytes += key.length;
    }
    return keyOf.at(text);
  }

  /** Arrival numbers of products and of variant rows -> final row, UNKNOWN for rows that are left out. */
  *finish(
    sections: SectionWriter,
    finalRow: Uint32Array,
    finalVariantRow: Uint32Array,
    productOfVariantRow: Uint32Array,
    counts: { readonly products: number; readonly variantRows: number },
  ): Generator<void, void, void> {
    const writer = new ColumnsWriter(counts.products, counts.variantRows);
    const arranger = new ColumnArranger(counts.products);
    for (const column of [...this.#columns.values()].sort(compareColumns)) {
      const products = renumber(column.productRows.view(), column.productValues.view(), finalRow);
      const variants = renumber(
        column.variantRows.view(),
        column.variantValues.view(),
        finalVariantRow,
      );
      yield;
      const keys =
        column.strings === null
          ? null
          : yield* orderKeys(column.strings.keys, products.values, variants.values);
      yield;
      const { field } = column;
      const arranged = arranger.arrange(field, keys, products, variants, productOfVariantRow);
      yield;
      yield* writer.add(arranged);
      column.release();
      yield;
    }
    writer.finish(sections);
    yield;
  }
}

/** Values of rows in any order, several per row allowed. */
interface RowNumbers {
  readonly rows: Uint32Array;
  readonly values: Float64Array;
}

function renumber(rows: Uint32Array, values: Float64Array, finalRow: Uint32Array): RowNumbers {
  const kept = { rows: new GrowableU32(), values: new GrowableF64() };
  for (let i = 0; i < rows.length; i++) {
    const row = finalRow[rows[i]];
    if (row === UNKNOWN_ROW) continue;
    kept.rows.push(row);
    kept.values.push(values[i]);
  }
  return { rows: kept.rows.view(), values: kept.values.view() };
}

/** Sorts the keys and replaces their numbers by ordinals, in place; returns the texts of the keys. */
function* orderKeys(
  keys: StringNumbers,
  ...valueLists: Float64Array[]
): Generator<void, ByteStrings, void> {
  const order = yield* keys.sorted([...Array(keys.size).keys()]);
  const ordinals = new Uint32Array(order.length);
  order.forEach((key, ordinal) => (ordinals[key] = ordinal));
  for (const values of valueLists) {
    for (let i = 0; i < values.length; i++) values[i] = ordinals[values[i]];
  }
  yield;
  const texts = new ByteStrings();
  const bytes = keys.bytes();
  for (const key of order) {
    // The text as it was given is behind the separator of the key.
    const start = bytes.indexOf(KEY_SEPARATOR, keys.start(key)) + 1;
    texts.add(bytes, keys.end(key) - start, start);
  }
  return texts;
}

/** Brings values by row into the form of ColumnSource. Keeps scratch arrays over several columns. */
class ColumnArranger {
  readonly #min: Float64Array;
  readonly #max: Float64Array;
  readonly #own: Float64Array;

  constructor(productCount: number) {
    this.#min = new Float64Array(productCount).fill(NaN);
    this.#max = new Float64Array(productCount);
    this.#own = new Float64Array(productCount).fill(NaN);
  }

  arrange(
    field: string,
    keys: ByteStrings | null,
    products: RowNumbers,
    variants: RowNumbers,
    productOfVariantRow: Uint32Array,
  ): ColumnSource {
    const touched = new GrowableU32();
    for (let i = 0; i < products.rows.length; i++) {
      const row = products.rows[i];
      const value = products.values[i];
      this.#include(touched, row, value);
      if (!(this.#own[row] <= value)) this.#own[row] = value;
    }
    for (let i = 0; i < variants.rows.length; i++) {
      this.#include(touched, productOfVariantRow[variants.rows[i]], variants.values[i]);
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
    const variant = smallestByRow(variants);
    const { rows: variantRows, values: variantValues } = variant;
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

/** Rows ascending, each once with its smallest value. */
function smallestByRow(given: RowNumbers): RowNumbers {
  let ascending = true;
  for (let i = 1; i < given.rows.length && ascending; i++) {
    ascending = given.rows[i - 1] < given.rows[i];
  }
  if (ascending) return given;
  const smallest = new Map<number, number>();
  for (let i = 0; i < given.rows.length; i++) {
    const known = smallest.get(given.rows[i]);
    if (known === undefined || given.values[i] < known)
      smallest.set(given.rows[i], given.values[i]);
  }
  const rows = Uint32Array.from(smallest.keys()).sort();
  return { rows, values: Float64Array.from(rows, (row) => smallest.get(row) ?? NaN) };
}
