/** Writes columns (format.ts). */
import {
  compareCodePoints,
  GrowableU32,
  packedWords,
  packInto,
  PiecedU32,
  rankedWords,
  release,
  run,
  setBit,
  writeCounts,
} from "../../base/index.ts";
import { SECTION, type SectionWriter } from "../format/index.ts";
import { FrontCodedWriter, type ByteStrings } from "../strings/index.ts";
import { AS_DOUBLE, codingOf, missingCode, powerOfTen, VALUES_PER_STEP, type Coding } from "./coding.ts";
import { MODE, OWN, VECTOR_WORDS } from "./format.ts";
import { WordsWriter } from "./words.ts";

/** A column before it is written. String values are ordinals into `keys`. Rows ascend. */
export interface ColumnSource {
  readonly field: string;
  /** Distinct texts of the keys, in key order; unused ones are not written. Null for numbers. */
  readonly keys: ByteStrings | null;
  /** Products with a value of their own or of a variant. */
  readonly rows: Uint32Array;
  readonly min: Float64Array;
  readonly max: Float64Array;
  /** Their own smallest value; NaN if only variants have values. */
  readonly own: Float64Array;
  /** Variant rows with values of their own. */
  readonly variantRows: Uint32Array;
  readonly variantValues: Float64Array;
}

export function compareColumns(
  a: { readonly field: string; readonly isString: boolean },
  b: { readonly field: string; readonly isString: boolean },
): number {
  return compareCodePoints(a.field, b.field) || Number(a.isString) - Number(b.isString);
}

/** Columns with at most this many values share a step. */
const SMALL_COLUMN_VALUES = 256;
const SMALL_COLUMNS_PER_STEP = 32;

/** Writes columns one by one. Small ones share steps: a catalogue may have tens of thousands with one value each. */
export function* eachColumn<Column>(
  columns: readonly Column[],
  sizeOf: (column: Column) => number,
  write: (column: Column) => Generator<void, void, void>,
): Generator<void, void, void> {
  let smallColumns = 0;
  for (const column of columns) {
    const steps = write(column);
    if (sizeOf(column) > SMALL_COLUMN_VALUES) yield* steps;
    else {
      run(steps);
      if (++smallColumns % SMALL_COLUMNS_PER_STEP === 0) yield;
    }
  }
}

const KEYS_PER_STEP = 2_500;

/** Words 1 to 3 of a column record. */
interface WrittenTexts {
  readonly start: number;
  readonly count: number;
  readonly words: number;
}

const NO_TEXTS: WrittenTexts = { start: 0, count: 0, words: 0 };

/** Columns must be added in the order of compareColumns. Columns without rows are skipped. */
export class ColumnsWriter {
  readonly #productCount: number;
  readonly #variantRowCount: number;
  readonly #names = new FrontCodedWriter();
  readonly #keys = new FrontCodedWriter();
  readonly #table = new GrowableU32();
  readonly #values = new ValuePool();
  readonly #rows = new GrowableU32();
  #previousName: string | null = null;

  constructor(productCount: number, variantRowCount: number) {
    this.#productCount = productCount;
    this.#variantRowCount = variantRowCount;
  }

  *add(source: ColumnSource): Generator<void, void, void> {
    if (source.rows.length === 0) return;
    const column = source.keys === null ? source : yield* withUsedKeys(source, source.keys);
    yield;
    const { rows, min, max, own, keys } = column;
    if (column.field !== this.#previousName) this.#names.add(column.field);
    this.#previousName = column.field;
    const texts = keys === null ? NO_TEXTS : yield* this.#writeTexts(keys);
    const isString = keys !== null;
    const { length } = rows;
    const places = new Places(length);
    for (let start = 0; start < length; start += VALUES_PER_STEP) {
      if (start > 0) yield;
      places.add(column, start, Math.min(length, start + VALUES_PER_STEP));
    }
    const { ownCount, differentOwnCount } = places;
    yield;
    let ownMode: number;
    if (differentOwnCount === 0) ownMode = OWN.same;
    else if (ownCount === 0) ownMode = OWN.none;
    else ownMode = differentOwnCount <= ownCount ? OWN.differences : OWN.all;

    const table = this.#table;
    table.push(((this.#names.size - 1) << 3) | (ownMode << 1) | (isString ? 1 : 0));
    table.push(texts.start);
    table.push(texts.count);
    table.push(texts.words);
    const productCount = this.#productCount;
    yield* this.#vector(isString, rows, min, productCount, true);
    yield;
    const ofMax = places.differentMax.subarray(0, places.differentMaxCount);
    yield* this.#vector(isString, pick(rows, ofMax), pickF64(max, ofMax), productCount, true);
    yield;
    let picked = places.own.subarray(0, 0);
    if (ownMode === OWN.differences) picked = places.differentOwn.subarray(0, differentOwnCount);
    else if (ownMode === OWN.all) picked = places.own.subarray(0, ownCount);
    const mayBeDense = ownMode === OWN.all;
    yield* this.#vector(isString, pick(rows, picked), pickF64(own, picked), productCount, mayBeDense);
    yield;
    const { variantRows, variantValues } = column;
    yield* this.#vector(isString, variantRows, variantValues, this.#variantRowCount, true);
    places.release();
  }

  finish(sections: SectionWriter): void {
    if (this.#table.length === 0) return;
    this.#names.finish(sections, SECTION.columnNamesIndex, SECTION.columnNamesBytes);
    sections.set(SECTION.columnTable, this.#table.view());
    sections.setPieces(SECTION.columnValues, this.#values.pieces());
    sections.set(SECTION.columnRows, this.#rows.view());
    this.#keys.finish(sections, SECTION.columnKeysIndex, SECTION.columnKeysBytes);
  }

  /** Releases the texts. */
  *#writeTexts(texts: ByteStrings): Generator<void, WrittenTexts, void> {
    const keys = this.#keys;
    const coding = yield* WordsWriter.for(texts);
    let words = 0;
    if (coding !== null) {
      words = this.#rows.length + 1;
      this.#rows.push(coding.size);
      this.#rows.push(coding.table.length);
      this.#rows.pushAll(coding.table);
      keys.startBlock();
      yield* coding.writeWords(keys);
    }
    const start = keys.startBlock();
    const { count } = texts;
    for (let key = 0; key < count; key++) {
      if (coding === null) texts.writeTo(keys, key);
      else coding.writeText(keys, texts, key);
      if (keys.size % KEYS_PER_STEP === 0) yield;
    }
    coding?.release();
    texts.release();
    return { start, count, words };
  }

  /** `values`: by index of `rows`; NaN = missing. `allRows`: number of rows of the segment. */
  *#vector(
    isString: boolean,
    rows: Uint32Array,
    values: Float64Array,
    allRows: number,
    mayBeDense: boolean,
  ): Generator<void, void, void> {
    const table = this.#table;
    const count = rows.length;
    if (count === 0) {
      for (let word = 0; word < VECTOR_WORDS; word++) table.push(0);
      return;
    }
    const coding = yield* codingOf(values, isString);
    // Most of thousands of columns have few values and share a step.
    if (count >= VALUES_PER_STEP) yield;
    const ranked = rankedWords(allRows);
    const valueWords = packedWords(count, coding.width);
    const listWords = count + valueWords;
    const bitsWords = ranked.bits + ranked.counts + valueWords;
    let mode: number = bitsWords <= listWords ? MODE.bits : MODE.list;
    const denseWords = packedWords(allRows, coding.width);
    if (mayBeDense && denseWords <= Math.min(listWords, bitsWords)) mode = MODE.dense;

    table.push((((mode === MODE.dense ? allRows : count) << 2) | mode) >>> 0);
    table.push(mode === MODE.dense ? 0 : this.#rows.length);
    if (mode === MODE.list) this.#rows.pushAll(rows);
    if (mode === MODE.bits) this.#pushBits(rows, allRows);
    const written = mode === MODE.dense ? spread(rows, values, allRows) : values;
    if (written.length >= VALUES_PER_STEP) yield;
    table.push(yield* this.#values.add(coding, written));
    table.push(coding.width | (coding.decimals << 8));
    table.push(coding.base >>> 0);
  }

  #pushBits(rows: Uint32Array, allRows: number): void {
    const { bits, counts } = rankedWords(allRows);
    const { values: pool, start } = this.#rows.extend(bits + counts);
    const words = pool.subarray(start, start + bits + counts);
    for (let i = 0; i < rows.length; i++) setBit(words, rows[i]);
    writeCounts(words, 0, allRows);
  }
}

/** Indexes of the rows with own values, and of those whose own or largest value differs from the smallest. */
class Places {
  readonly own: Uint32Array<ArrayBuffer>;
  readonly differentOwn: Uint32Array<ArrayBuffer>;
  readonly differentMax: Uint32Array<ArrayBuffer>;
  ownCount = 0;
  differentOwnCount = 0;
  differentMaxCount = 0;

  constructor(length: number) {
    this.own = new Uint32Array(length);
    this.differentOwn = new Uint32Array(length);
    this.differentMax = new Uint32Array(length);
  }

  /** The next rows: [start, end). */
  add({ min, max, own }: ColumnSource, start: number, end: number): void {
    const ownPlaces = this.own;
    const { differentOwn, differentMax } = this;
    let { ownCount, differentOwnCount, differentMaxCount } = this;
    for (let i = start; i < end; i++) {
      if (!Number.isNaN(own[i])) ownPlaces[ownCount++] = i;
      // Not `own !== min`: a missing own value differs once, and NaN differs from itself.
      if (own[i] !== min[i]) differentOwn[differentOwnCount++] = i;
      if (max[i] !== min[i]) differentMax[differentMaxCount++] = i;
    }
    this.ownCount = ownCount;
    this.differentOwnCount = differentOwnCount;
    this.differentMaxCount = differentMaxCount;
  }

  release(): void {
    for (const places of [this.own, this.differentOwn, this.differentMax]) release(places);
  }
}

/** Values of all rows, NaN where missing. */
function spread(rows: Uint32Array, values: Float64Array, allRows: number): Float64Array {
  if (rows.length === allRows) return values;
  const all = new Float64Array(allRows).fill(NaN);
  for (let i = 0; i < rows.length; i++) all[rows[i]] = values[i];
  return all;
}

/** Coded values of all vectors. Each starts at a word, doubles at an even one. */
class ValuePool {
  readonly #words = new PiecedU32();

  /** Returns the place. Nothing else may be added between the steps. */
  *add(coding: Coding, values: Float64Array): Generator<void, number, void> {
    if (coding.width === AS_DOUBLE) this.#fillUp();
    const start = this.#words.length;
    if (coding.width === AS_DOUBLE) {
      this.#words.pushAll(new Uint32Array(values.buffer, values.byteOffset, values.length * 2));
      return start;
    }
    const packed = new Uint32Array(packedWords(values.length, coding.width));
    const codes = new Uint32Array(Math.min(values.length, VALUES_PER_STEP));
    for (let first = 0; first < values.length; first += VALUES_PER_STEP) {
      if (first > 0) yield;
      const count = encode(coding, values, first, codes);
      packInto(packed, coding.width, first, codes, count);
    }
    this.#words.pushAll(packed);
    release(packed);
    return start;
  }

  pieces(): Uint8Array<ArrayBuffer>[] {
    // The section must be viewable as doubles.
    this.#fillUp();
    return this.#words.pieces();
  }

  #fillUp(): void {
    if (this.#words.length % 2 !== 0) this.#words.pushAll(new Uint32Array(1));
  }
}

/** Writes codes of values[first..], as many as fit. Returns their number. */
function encode({ width, decimals, base }: Coding, values: Float64Array, first: number, codes: Uint32Array): number {
  const missing = missingCode(width);
  const scale = powerOfTen(decimals);
  const count = Math.min(codes.length, values.length - first);
  for (let i = 0; i < count; i++) {
    const value = values[first + i];
    codes[i] = Number.isNaN(value) ? missing : Math.round(value * scale) - base;
  }
  return count;
}

/** Drops unused keys. Rows keep only their smallest and largest values, and a merge drops rows. */
function* withUsedKeys(column: ColumnSource, keys: ByteStrings): Generator<void, ColumnSource, void> {
  const lists = [column.min, column.max, column.own, column.variantValues];
  const used = new Uint8Array(keys.count);
  for (const values of lists) {
    for (const key of values) if (!Number.isNaN(key)) used[key] = 1;
    yield;
  }
  if (!used.includes(0)) return column;
  const ordinals = new Uint32Array(keys.count);
  for (let key = 0, ordinal = 0; key < keys.count; key++) {
    ordinals[key] = ordinal;
    ordinal += used[key];
  }
  const kept = yield* keys.filter(used);
  keys.release();
  const renumbered: Float64Array[] = [];
  for (const values of lists) {
    renumbered.push(values.map((key) => (Number.isNaN(key) ? NaN : ordinals[key])));
    yield;
  }
  const [min, max, own, variantValues] = renumbered;
  return { ...column, keys: kept, min, max, own, variantValues };
}

function pick(source: Uint32Array, at: Uint32Array): Uint32Array {
  const picked = new Uint32Array(at.length);
  for (let i = 0; i < at.length; i++) picked[i] = source[at[i]];
  return picked;
}

/** picked[i] = source[at[i]] */
export function pickF64(source: Float64Array, at: Uint32Array): Float64Array {
  const picked = new Float64Array(at.length);
  for (let i = 0; i < at.length; i++) picked[i] = source[at[i]];
  return picked;
}
