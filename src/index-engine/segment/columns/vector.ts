/** One vector of a column: row -> value (format.ts). */
import { lowerBound, PackedNumbers, rank, rankedWords, writeRows } from "../../base/index.ts";
import { OFFSETS_VERSION, SECTION, type SectionViews } from "../format/index.ts";
import { AS_DOUBLE, missingCode, powerOfTen } from "./coding.ts";
import { MODE } from "./format.ts";

export class PackedVector {
  readonly #views: SectionViews;
  readonly #missing: number;
  readonly #count: number;
  readonly #mode: number;
  /** Place of the rows, or of the ranked bits, in the u32 pool. */
  readonly #rows: number;
  readonly #bitWords: number;
  /** Bit of the first value; for doubles, its index. */
  readonly #start: number;
  readonly #width: number;
  readonly #scale: number;
  readonly #base: number;
  readonly #missingCode: number;
  #codes: PackedNumbers | null = null;

  /** `at`: first word of the vector in the column table. `rowCount` is only used in mode `bits`. */
  constructor(views: SectionViews, at: number, missing: number, rowCount: number) {
    const table = views.u32(SECTION.columnTable);
    const head = table[at];
    const { width, decimals, start } = codingIn(views, table[at + 3], table[at + 2]);
    this.#views = views;
    this.#missing = missing;
    this.#count = head >>> 2;
    this.#mode = head & 3;
    this.#rows = table[at + 1];
    this.#bitWords = rankedWords(rowCount).bits;
    this.#start = width === AS_DOUBLE ? start / 64 : start;
    this.#width = width;
    this.#scale = powerOfTen(decimals);
    this.#base = table[at + 4] | 0;
    this.#missingCode = missingCode(this.#width);
  }

  /** In dense mode, some of these values may be missing. */
  get mostValues(): number {
    return this.#count;
  }

  at(row: number): number {
    if (this.#count === 0) return this.#missing;
    if (this.#mode === MODE.dense) return this.valueAt(row);
    const place = this.placeOf(row);
    return place < 0 ? this.#missing : this.valueAt(place);
  }

  /** Index of the row's value, or -1. */
  placeOf(row: number): number {
    if (this.#count === 0) return -1;
    const pool = this.#views.u32(SECTION.columnRows);
    switch (this.#mode) {
      case MODE.dense:
        return row;
      case MODE.bits:
        return this.#placeOfBit(pool, row);
      default:
        return findRow(pool, this.#rows, this.#count, row);
    }
  }

  valueAt(place: number): number {
    if (this.#width === AS_DOUBLE) {
      const value = this.#views.f64(SECTION.columnValues)[this.#start + place];
      return Number.isNaN(value) ? this.#missing : value;
    }
    const code = this.#packed.at(place);
    return code === this.#missingCode ? this.#missing : (this.#base + code) / this.#scale;
  }

  /** values[i] = at(rows[i]); rows ascend. */
  read(rows: Uint32Array, values: Float64Array): void {
    const length = rows.length;
    if (this.#count === 0) {
      values.fill(this.#missing, 0, length);
      return;
    }
    if (this.#mode === MODE.dense) {
      if (this.#width === AS_DOUBLE) {
        for (let i = 0; i < length; i++) values[i] = this.valueAt(rows[i]);
        return;
      }
      this.#packed.read(rows, values);
      this.#decode(values, length);
      return;
    }
    const pool = this.#views.u32(SECTION.columnRows);
    if (this.#mode === MODE.bits) {
      for (let i = 0; i < length; i++) {
        const place = this.#placeOfBit(pool, rows[i]);
        values[i] = place < 0 ? this.#missing : this.valueAt(place);
      }
      return;
    }
    let at = this.#rows;
    const end = at + this.#count;
    for (let i = 0; i < length; i++) {
      const row = rows[i];
      at = lowerBound(pool, at, end, row);
      values[i] = at < end && pool[at] === row ? this.valueAt(at - this.#rows) : this.#missing;
    }
  }

  /** Rows with a value, ascending. */
  rows(): Uint32Array {
    if (this.#count === 0) return new Uint32Array(0);
    const pool = this.#views.u32(SECTION.columnRows);
    switch (this.#mode) {
      case MODE.dense: {
        const rows = new Uint32Array(this.#count);
        let length = 0;
        for (let row = 0; row < this.#count; row++) {
          const value = this.valueAt(row);
          if (value !== this.#missing && !Number.isNaN(value)) rows[length++] = row;
        }
        return rows.subarray(0, length);
      }
      case MODE.bits: {
        const rows = new Uint32Array(this.#count);
        writeRows(pool.subarray(this.#rows, this.#rows + this.#bitWords), rows);
        return rows;
      }
      default:
        return pool.subarray(this.#rows, this.#rows + this.#count);
    }
  }

  #placeOfBit(pool: Uint32Array, row: number): number {
    const bits = this.#rows;
    if (((pool[bits + (row >>> 5)] >>> row) & 1) === 0) return -1;
    return rank(pool, bits, this.#bitWords, row);
  }

  get #packed(): PackedNumbers {
    return (this.#codes ??= new PackedNumbers(this.#views.u32(SECTION.columnValues), this.#start, this.#width));
  }

  /** Codes -> values, in place. */
  #decode(values: Float64Array, length: number): void {
    const missing = this.#missing;
    const missingCode = this.#missingCode;
    const base = this.#base;
    const scale = this.#scale;
    if (scale === 1) {
      for (let i = 0; i < length; i++) {
        values[i] = values[i] === missingCode ? missing : values[i] + base;
      }
      return;
    }
    for (let i = 0; i < length; i++) {
      values[i] = values[i] === missingCode ? missing : (values[i] + base) / scale;
    }
  }
}

/** `start`: bit of the first value. */
function codingIn(
  { version }: SectionViews,
  coding: number,
  place: number,
): { readonly width: number; readonly decimals: number; readonly start: number } {
  if (version >= OFFSETS_VERSION) {
    return { width: coding & 255, decimals: coding >>> 8, start: place * 32 };
  }
  // Before OFFSETS_VERSION: width in bytes, place in units of it.
  const width = (coding & 15) * 8;
  return { width, decimals: coding >>> 4, start: place * width };
}

/** Index of `row` among the `count` ascending rows at `start` of the pool, or -1. */
function findRow(pool: Uint32Array, start: number, count: number, row: number): number {
  let low = start;
  let high = start + count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (pool[middle] < row) low = middle + 1;
    else high = middle;
  }
  return low < start + count && pool[low] === row ? low - start : -1;
}
