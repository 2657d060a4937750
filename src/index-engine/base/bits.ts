/**
 * Sets of rows as bits: row r is bit `r & 31` of word `r >>> 5`. Bits after the last row are zero, so functions that
 * fill or invert need the number of rows. Operations on two sets expect the same number of words.
 */

export function wordsFor(rowCount: number): number {
  return (rowCount + 31) >>> 5;
}

/** The empty set with room for `rowCount` rows. */
export function emptyBits(rowCount: number): Uint32Array<ArrayBuffer> {
  return new Uint32Array(wordsFor(rowCount));
}

/** All rows 0..rowCount-1. */
export function fullBits(rowCount: number): Uint32Array<ArrayBuffer> {
  const bits = emptyBits(rowCount);
  setRange(bits, 0, rowCount);
  return bits;
}

/** The set of `rows[0..length)`; `length` defaults to all of them. */
export function bitsOf(
  rows: ArrayLike<number>,
  rowCount: number,
  length: number = rows.length,
): Uint32Array<ArrayBuffer> {
  const bits = emptyBits(rowCount);
  for (let i = 0; i < length; i++) {
    const row = rows[i];
    bits[row >>> 5] |= 1 << row;
  }
  return bits;
}

export function hasBit(bits: Uint32Array, row: number): boolean {
  return ((bits[row >>> 5] >>> row) & 1) !== 0;
}

export function setBit(bits: Uint32Array, row: number): void {
  bits[row >>> 5] |= 1 << row;
}

/** Adds rows start..end-1. */
export function setRange(bits: Uint32Array, start: number, end: number): void {
  if (start >= end) return;
  const first = start >>> 5;
  const last = (end - 1) >>> 5;
  const firstMask = -1 << start;
  const lastMask = -1 >>> (31 - ((end - 1) & 31));
  if (first === last) {
    bits[first] |= firstMask & lastMask;
    return;
  }
  bits[first] |= firstMask;
  bits.fill(0xffffffff, first + 1, last);
  bits[last] |= lastMask;
}

export function andInto(target: Uint32Array, other: Uint32Array): void {
  for (let i = 0; i < target.length; i++) target[i] &= other[i];
}

export function andNotInto(target: Uint32Array, other: Uint32Array): void {
  for (let i = 0; i < target.length; i++) target[i] &= ~other[i];
}

export function orInto(target: Uint32Array, other: Uint32Array): void {
  for (let i = 0; i < target.length; i++) target[i] |= other[i];
}

/** target = all rows 0..rowCount-1 that were not in target. */
export function invert(target: Uint32Array, rowCount: number): void {
  for (let i = 0; i < target.length; i++) target[i] = ~target[i];
  const last = rowCount >>> 5;
  if (last < target.length) target[last] &= (1 << rowCount) - 1;
  target.fill(0, last + 1);
}

/** Number of bits set in one word (Hacker's Delight, 5-1). */
export function popcount(word: number): number {
  let x = word - ((word >>> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  x = (x + (x >>> 4)) & 0x0f0f0f0f;
  return Math.imul(x, 0x01010101) >>> 24;
}

export function countBits(bits: Uint32Array): number {
  let count = 0;
  for (let i = 0; i < bits.length; i++) {
    const word = bits[i];
    if (word !== 0) count += popcount(word);
  }
  return count;
}

/** The rows of the set, ascending. */
export function rowsOf(bits: Uint32Array): Uint32Array<ArrayBuffer> {
  const rows = new Uint32Array(countBits(bits));
  writeRows(bits, rows);
  return rows;
}

/**
 * Writes the ascending rows to the start of `rows`; returns their number.
 * @param within only rows that this set has, too; null: all
 */
export function writeRows(bits: Uint32Array, rows: Uint32Array, within: Uint32Array | null = null): number {
  let length = 0;
  for (let i = 0; i < bits.length; i++) {
    let word = within === null ? bits[i] : bits[i] & within[i];
    const base = i << 5;
    while (word !== 0) {
      const lowest = word & -word;
      rows[length++] = base + 31 - Math.clz32(lowest);
      word ^= lowest;
    }
  }
  return length;
}

/** Whether any of rows start..end-1 is in the set. */
export function hasBitIn(bits: Uint32Array, start: number, end: number): boolean {
  if (start >= end) return false;
  const first = start >>> 5;
  const last = (end - 1) >>> 5;
  const lastMask = -1 >>> (31 - ((end - 1) & 31));
  for (let i = first; i <= last; i++) {
    let word = bits[i];
    if (i === first) word &= -1 << start;
    if (i === last) word &= lastMask;
    if (word !== 0) return true;
  }
  return false;
}

/** First index in [from, end) of ascending `rows` whose row is >= `row`, or `end`. Gallops: most jumps are short. */
export function lowerBound(rows: Uint32Array, from: number, end: number, row: number): number {
  if (from >= end || rows[from] >= row) return from;
  let low = from + 1;
  let step = 1;
  while (low + step < end && rows[low + step] < row) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step, end);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rows[middle] < row) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** First number in [low, high) for which `isBehind` holds, or `high`. It must hold for all later ones, too. */
export function firstBehind(low: number, high: number, isBehind: (at: number) => boolean): number {
  let from = low;
  let to = high;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (isBehind(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}

/** Number of the ascending numbers below `bound`, or at most equal to it. */
export function countBelow(numbers: Float64Array, bound: number, orEqual: boolean): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle] < bound || (orEqual && numbers[middle] === bound)) low = middle + 1;
    else high = middle;
  }
  return low;
}
