/** Writes columns (format.ts) from the values of each column, sorted by row. */
import { GrowableF64, GrowableU32 } from "../segment/bytes.ts";
import { SECTION } from "../segment/format.ts";
import type { SectionWriter } from "../segment/sections.ts";
import { compareCodePoints, FrontCodedWriter } from "../strings.ts";
import { MISSING, OWN } from "./format.ts";

/**
 * One column before it is written. String values are ordinals into `keys`. `rows`: products with any value, ascending, with
 * their smallest and largest value, and their own smallest (NaN: only variants have some). `variantRows`: variant rows with own
 * values, ascending.
 */
export interface ColumnSource {
  readonly field: string;
  /** Sorted, distinct; those that no value needs are not written. Null for numbers. */
  readonly keys: readonly string[] | null;
  readonly rows: Uint32Array;
  readonly min: Float64Array;
  readonly max: Float64Array;
  readonly own: Float64Array;
  readonly variantRows: Uint32Array;
  readonly variantValues: Float64Array;
}

export function compareColumns(
  a: { readonly field: string; readonly isString: boolean },
  b: { readonly field: string; readonly isString: boolean },
): number {
  return compareCodePoints(a.field, b.field) || Number(a.isString) - Number(b.isString);
}

const KEYS_PER_STEP = 5_000;

/** Columns come in the order of compareColumns; those without rows are left out. */
export class ColumnsWriter {
  readonly #productCount: number;
  readonly #variantRowCount: number;
  readonly #names = new FrontCodedWriter();
  readonly #keys = new FrontCodedWriter();
  readonly #table = new GrowableU32();
  readonly #numbers = new GrowableF64();
  readonly #integers = new GrowableU32();
  #previousName: string | null = null;

  constructor(productCount: number, variantRowCount: number) {
    this.#productCount = productCount;
    this.#variantRowCount = variantRowCount;
  }

  /** In steps: a merged column may have hundreds of thousands of keys and values. */
  *add(source: ColumnSource): Generator<void, void, void> {
    if (source.rows.length === 0) return;
    const column = source.keys === null ? source : withUsedKeys(source, source.keys);
    yield;
    const { rows, min, max, own, keys } = column;
    if (column.field !== this.#previousName) this.#names.add(column.field);
    this.#previousName = column.field;
    let keyStart = 0;
    if (keys !== null) {
      keyStart = this.#keys.startBlock();
      for (const key of keys) {
        this.#keys.add(key);
        if (this.#keys.size % KEYS_PER_STEP === 0) yield;
      }
    }
    const isString = keys !== null;
    const ownRows: number[] = [];
    const differentOwn: number[] = [];
    const differentMax: number[] = [];
    for (let i = 0; i < rows.length; i++) {
      if (!Number.isNaN(own[i])) ownRows.push(i);
      // Not `own !== min`: a missing own value differs once, and NaN differs from itself.
      if (own[i] !== min[i]) differentOwn.push(i);
      if (max[i] !== min[i]) differentMax.push(i);
    }
    yield;
    let ownMode: number;
    if (differentOwn.length === 0) ownMode = OWN.same;
    else if (ownRows.length === 0) ownMode = OWN.none;
    else ownMode = differentOwn.length <= ownRows.length ? OWN.differences : OWN.all;

    const table = this.#table;
    table.push(((this.#names.size - 1) << 3) | (ownMode << 1) | (isString ? 1 : 0));
    table.push(keyStart);
    table.push(keys === null ? 0 : keys.length);
    table.push(0);
    this.#vector(isString, rows, min, this.#productCount);
    yield;
    this.#vector(
      isString,
      pick(rows, differentMax),
      pickF64(max, differentMax),
      this.#productCount,
    );
    const picked = ownMode === OWN.differences ? differentOwn : ownMode === OWN.all ? ownRows : [];
    const dense = ownMode === OWN.all ? this.#productCount : Infinity;
    this.#vector(isString, pick(rows, picked), pickF64(own, picked), dense);
    this.#vector(isString, column.variantRows, column.variantValues, this.#variantRowCount);
  }

  finish(sections: SectionWriter): void {
    if (this.#table.length === 0) return;
    this.#names.finish(sections, SECTION.columnNamesIndex, SECTION.columnNamesBytes);
    sections.set(SECTION.columnTable, this.#table.view());
    sections.set(SECTION.columnNumbers, this.#numbers.view());
    sections.set(SECTION.columnIntegers, this.#integers.view());
    this.#keys.finish(sections, SECTION.columnKeysIndex, SECTION.columnKeysBytes);
  }

  /** `allRows`: rows a dense vector would have; Infinity where it must be sparse. */
  #vector(isString: boolean, rows: Uint32Array, values: Float64Array, allRows: number): void {
    const integers = this.#integers;
    const valueBytes = isString ? 4 : 8;
    const isDense = rows.length > 0 && allRows * valueBytes <= rows.length * (4 + valueBytes);
    this.#table.push(((isDense ? allRows : rows.length) << 1) | (isDense ? 1 : 0));
    this.#table.push(isDense ? 0 : integers.length);
    if (!isDense) integers.pushAll(rows);
    this.#table.push(isString ? integers.length : this.#numbers.length);
    let next = 0;
    const count = isDense ? allRows : rows.length;
    for (let i = 0; i < count; i++) {
      const value = !isDense || rows[next] === i ? values[next++] : NaN;
      if (!isString) this.#numbers.push(value);
      else integers.push(Number.isNaN(value) ? MISSING : value);
    }
  }
}

/**
 * Drops keys that nothing refers to. Of several values of a row only the smallest and largest are kept, so keys can be left over,
 * and a merge could not know them.
 */
function withUsedKeys(column: ColumnSource, keys: readonly string[]): ColumnSource {
  const lists = [column.min, column.max, column.own, column.variantValues];
  const used = new Uint8Array(keys.length);
  for (const values of lists) for (const key of values) if (!Number.isNaN(key)) used[key] = 1;
  const kept = keys.filter((_, key) => used[key] === 1);
  if (kept.length === keys.length) return column;
  const ordinals = new Uint32Array(keys.length);
  for (let key = 0, ordinal = 0; key < keys.length; key++) {
    ordinals[key] = ordinal;
    ordinal += used[key];
  }
  const [min, max, own, variantValues] = lists.map((values) =>
    values.map((key) => (Number.isNaN(key) ? NaN : ordinals[key])),
  );
  return { ...column, keys: kept, min, max, own, variantValues };
}

function pick(source: Uint32Array, at: readonly number[]): Uint32Array {
  const picked = new Uint32Array(at.length);
  for (let i = 0; i < at.length; i++) picked[i] = source[at[i]];
  return picked;
}

function pickF64(source: Float64Array, at: readonly number[]): Float64Array {
  const picked = new Float64Array(at.length);
  for (let i = 0; i < at.length; i++) picked[i] = source[at[i]];
  return picked;
}
