/**
 * Codes for the strings of a sorted table, by their ordinals ("terms"); the most frequent terms take one byte.
 *
 *   code 0, 1         free for marks of the user             1 byte
 *   2 .. 191          the most frequent terms                1 byte:   the code
 *   192 .. 12479      the next ones                          2 bytes:  192 + (code - 192 >> 8), the low byte
 *   12480 + ordinal   every other term                       3 bytes:  240 + (ordinal >> 16), two bytes, highest first,
 *                                                            or 5:     255, four bytes, highest first, from ordinal 983,040 on
 *
 * Only the terms of the first two classes need a table, of at most 50 KB. A term is in it if that saves bytes (a table
 * entry takes 4): from 3 occurrences on in the first class, from 5 in the second. Inside a class codes ascend with
 * ordinals, so a range of ordinals (a prefix) is one range of codes per class, and a term's code is found by binary
 * search.
 */
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
/** The longest code in bytes. */
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

/**
 * `table`: the number of terms with one byte; their ordinals, ascending; those of the terms with two bytes, ascending.
 */
export class WordCodes {
  readonly table: Uint32Array;
  /** Start of the two-byte terms in the table. */
  readonly #second: number;

  constructor(table: Uint32Array) {
    this.table = table;
    this.#second = 1 + (table.length === 0 ? 0 : table[0]);
  }

  ordinalOf(code: number): number {
    if (code >= FIRST_DIRECT) return code - FIRST_DIRECT;
    const at =
      code < FIRST_TWO_BYTES ? 1 + code - FIRST_ONE_BYTE : this.#second + code - FIRST_TWO_BYTES;
    return this.table[at];
  }

  codeOf(ordinal: number): number {
    const { table } = this;
    const first = this.#lowerBound(1, this.#second, ordinal);
    if (first < this.#second && table[first] === ordinal) return FIRST_ONE_BYTE + first - 1;
    const second = this.#lowerBound(this.#second, table.length, ordinal);
    if (second < table.length && table[second] === ordinal) {
      return FIRST_TWO_BYTES + second - this.#second;
    }
    return FIRST_DIRECT + ordinal;
  }

  /** Code ranges of the terms with ordinals [start, end): first and end of three ranges. */
  rangesOf(start: number, end: number): number[] {
    const { length } = this.table;
    const second = this.#second;
    const one = FIRST_ONE_BYTE - 1;
    const two = FIRST_TWO_BYTES - second;
    return [
      one + this.#lowerBound(1, second, start),
      one + this.#lowerBound(1, second, end),
      two + this.#lowerBound(second, length, start),
      two + this.#lowerBound(second, length, end),
      FIRST_DIRECT + start,
      FIRST_DIRECT + end,
    ];
  }

  #lowerBound(from: number, to: number, ordinal: number): number {
    let low = from;
    let high = to;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.table[middle] < ordinal) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Terms between two steps. */
const TERMS_PER_STEP = 16_384;

/**
 * Builds the table for terms that occur `counts[ordinal]` times; among equally frequent terms smaller ordinals come
 * first. In steps.
 */
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
 * Ascending ordinals of the `limit` most frequent terms with at least `least` occurrences. Linear time. `termsWith`:
 * number of terms by number of occurrences.
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
