/**
 * Codes for the strings of a sorted table ("terms"), derived from their ordinals. The most frequent terms take one
 * byte.
 *
 *   code 0, 1         not used by terms; users have other meanings for them    1 byte
 *   2 .. 191          the most frequent terms      1 byte:   the code
 *   192 .. 12479      the next ones                2 bytes:  192 + (code - 192 >> 8), the low byte
 *   12480 + ordinal   every other term             3 bytes:  240 + (ordinal >> 16), two bytes, highest first
 *                                                  5 bytes from ordinal 983,040 on: 255, four bytes, highest first
 *
 * Only terms with one or two bytes need a table, of at most 50 KB. A table entry takes 4 bytes, so a term is in the
 * table if it occurs at least 3 times (one byte) or 5 times (two bytes). Codes of one length ascend with the ordinals.
 * So a range of ordinals (a prefix) is one range of codes per length, and binary search finds the code of a term.
 */
import { lowerBound } from "../../base/index.ts";

interface ByteSink {
  push(byte: number): void;
}

const FIRST_ONE_BYTE = 2;
const FIRST_TWO_BYTES = 192;
const FIRST_DIRECT = FIRST_TWO_BYTES + 48 * 256;
const TWO_BYTES_HEAD = 192;
const THREE_BYTES_HEAD = 240;
const FIVE_BYTES_HEAD = 255;
const THREE_BYTES_END = (FIVE_BYTES_HEAD - THREE_BYTES_HEAD) * 65_536;
const MAX_CODE_BYTES = 5;

const LEAST_FOR_ONE_BYTE = 3;
const LEAST_FOR_TWO_BYTES = 5;

export function pushCode(bytes: ByteSink, code: number): void {
  if (code < FIRST_TWO_BYTES) {
    bytes.push(code);
  } else if (code < FIRST_DIRECT) {
    const rest = code - FIRST_TWO_BYTES;
    bytes.push(TWO_BYTES_HEAD + (rest >>> 8));
    bytes.push(rest & 255);
  } else {
    const ordinal = code - FIRST_DIRECT;
    if (ordinal < THREE_BYTES_END) {
      bytes.push(THREE_BYTES_HEAD + (ordinal >>> 16));
    } else {
      bytes.push(FIVE_BYTES_HEAD);
      bytes.push(ordinal >>> 24);
      bytes.push((ordinal >>> 16) & 255);
    }
    bytes.push((ordinal >>> 8) & 255);
    bytes.push(ordinal & 255);
  }
}

/** Length in bytes of the code that starts with `head`. */
export function codeBytes(head: number): number {
  if (head < TWO_BYTES_HEAD) return 1;
  return head < THREE_BYTES_HEAD ? 2 : head < FIVE_BYTES_HEAD ? 3 : MAX_CODE_BYTES;
}

/** The code whose first byte is bytes[at]. */
export function codeAt(bytes: Uint8Array, at: number): number {
  const head = bytes[at];
  if (head < TWO_BYTES_HEAD) return head;
  if (head < THREE_BYTES_HEAD) {
    return FIRST_TWO_BYTES + ((head - TWO_BYTES_HEAD) << 8) + bytes[at + 1];
  }
  const ordinal =
    head < FIVE_BYTES_HEAD
      ? ((head - THREE_BYTES_HEAD) << 16) + (bytes[at + 1] << 8) + bytes[at + 2]
      : bytes[at + 1] * 2 ** 24 + (bytes[at + 2] << 16) + (bytes[at + 3] << 8) + bytes[at + 4];
  return FIRST_DIRECT + ordinal;
}

/** `table`: number of terms with one byte; their ascending ordinals; ascending ordinals of terms with two bytes. */
export class WordCodes {
  readonly table: Uint32Array;
  /** Start of the terms with two bytes. */
  readonly #second: number;

  constructor(table: Uint32Array) {
    this.table = table;
    this.#second = 1 + (table.length === 0 ? 0 : table[0]);
  }

  ordinalOf(code: number): number {
    if (code >= FIRST_DIRECT) return code - FIRST_DIRECT;
    const at = code < FIRST_TWO_BYTES ? 1 + code - FIRST_ONE_BYTE : this.#second + code - FIRST_TWO_BYTES;
    return this.table[at];
  }

  codeOf(ordinal: number): number {
    const { table } = this;
    const first = lowerBound(table, 1, this.#second, ordinal);
    if (first < this.#second && table[first] === ordinal) return FIRST_ONE_BYTE + first - 1;
    const second = lowerBound(table, this.#second, table.length, ordinal);
    if (second < table.length && table[second] === ordinal) {
      return FIRST_TWO_BYTES + second - this.#second;
    }
    return FIRST_DIRECT + ordinal;
  }

  /** The codes of the terms with ordinals [start, end), as three ranges: first and end of each. */
  rangesOf(start: number, end: number): number[] {
    const { table } = this;
    const { length } = table;
    const second = this.#second;
    const one = FIRST_ONE_BYTE - 1;
    const two = FIRST_TWO_BYTES - second;
    return [
      one + lowerBound(table, 1, second, start),
      one + lowerBound(table, 1, second, end),
      two + lowerBound(table, second, length, start),
      two + lowerBound(table, second, length, end),
      FIRST_DIRECT + start,
      FIRST_DIRECT + end,
    ];
  }
}

const TERMS_PER_STEP = 16_384;

/** The table for terms that occur `counts[ordinal]` times. Of equally frequent terms, smaller ordinals come first. */
export function* tableFor(counts: Uint32Array): Generator<void, Uint32Array<ArrayBuffer>, void> {
  let highest = 0;
  for (let ordinal = 0; ordinal < counts.length; ordinal++) {
    if (ordinal % TERMS_PER_STEP === TERMS_PER_STEP - 1) yield;
    if (counts[ordinal] > highest) highest = counts[ordinal];
  }
  const termsWith = new Uint32Array(highest + 1);
  for (let ordinal = 0; ordinal < counts.length; ordinal++) {
    if (ordinal % TERMS_PER_STEP === TERMS_PER_STEP - 1) yield;
    termsWith[counts[ordinal]]++;
  }
  yield;
  const most = FIRST_TWO_BYTES - FIRST_ONE_BYTE;
  const oneByte = yield* mostFrequent(counts, termsWith, most, LEAST_FOR_ONE_BYTE);
  const mostOfBoth = FIRST_DIRECT - FIRST_ONE_BYTE;
  const both = yield* mostFrequent(counts, termsWith, mostOfBoth, LEAST_FOR_TWO_BYTES);
  const isOneByte = new Set(oneByte);
  return Uint32Array.of(oneByte.length, ...oneByte, ...both.filter((each) => !isOneByte.has(each)));
}

/**
 * Ascending ordinals of the `limit` most frequent terms with at least `least` occurrences. Linear time.
 * @param termsWith number of terms by number of occurrences
 */
function* mostFrequent(
  counts: Uint32Array,
  termsWith: Uint32Array,
  limit: number,
  least: number,
): Generator<void, number[], void> {
  let room = limit;
  let count = termsWith.length - 1;
  while (count >= least && termsWith[count] <= room) room -= termsWith[count--];
  // All terms more frequent than `count`, and `room` of those equally frequent.
  const chosen: number[] = [];
  for (let ordinal = 0; ordinal < counts.length; ordinal++) {
    if (ordinal % TERMS_PER_STEP === TERMS_PER_STEP - 1) yield;
    if (counts[ordinal] > count) chosen.push(ordinal);
    else if (counts[ordinal] === count && count >= least && room > 0) {
      room--;
      chosen.push(ordinal);
    }
  }
  return chosen;
}

/** Ordinal -> code, by `table`. */
export function codesFor(table: Uint32Array, termCount: number): Uint32Array<ArrayBuffer> {
  const codes = new Uint32Array(termCount);
  for (let ordinal = 0; ordinal < termCount; ordinal++) codes[ordinal] = FIRST_DIRECT + ordinal;
  const second = 1 + table[0];
  for (let at = 1; at < second; at++) codes[table[at]] = FIRST_ONE_BYTE + at - 1;
  for (let at = second; at < table.length; at++) codes[table[at]] = FIRST_TWO_BYTES + at - second;
  return codes;
}
