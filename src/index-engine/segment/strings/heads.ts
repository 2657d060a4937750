/**
 * Eight bytes of the first string of each block of a front-coded table, side by side, so that a binary search reads
 * them from a few cache lines instead of the blocks' own bytes all over the section.
 *
 *   heads     "SKU-2024-0001" "SKU-2024-0177" "SKU-2024-0353"      all begin with "SKU-2024-0": left out
 *   words     001_____ 177_____ 353_____                           padded with zeros; two words of four bytes each, the greater bytes first
 *
 * Of two strings whose words differ the one with the smaller words is before the other: zero is the least byte, and
 * what is padded ends. Where all eight bytes are equal, the strings themselves have to be compared. Half a byte per
 * string of the table.
 */
import { readVarint, varint } from "../../base/index.ts";

/** Of four bytes as a signed word that orders as the bytes do. */
const SIGN = 0x80000000 | 0;
const WORDS = 2;

export class BlockHeads {
  readonly #words: Int32Array;
  /** What all heads begin with: so do the first and the last, which are sorted. */
  readonly #common: Uint8Array;
  /** Blocks [result of `before`, equalEnd) begin with the same words as what was looked for. */
  equalEnd = 0;

  /** @param starts per block, where its head begins in `bytes`; at least one */
  constructor(bytes: Uint8Array, starts: Uint32Array) {
    const blocks = starts.length;
    const last = readVarint(bytes, starts[blocks - 1]);
    const lastLength = varint;
    const first = readVarint(bytes, starts[0]);
    const shorter = Math.min(lastLength, varint);
    let common = 0;
    while (common < shorter && bytes[first + common] === bytes[last + common]) common++;
    this.#common = bytes.slice(first, first + common);
    const words = new Int32Array(blocks * WORDS);
    for (let block = 0; block < blocks; block++) {
      const at = readVarint(bytes, starts[block]) + common;
      const length = varint - common;
      words[block * WORDS] = wordAt(bytes, at, length);
      words[block * WORDS + 1] = wordAt(bytes, at + 4, length - 4);
    }
    this.#words = words;
  }

  get sizeBytes(): number {
    return this.#words.byteLength + this.#common.byteLength;
  }

  /**
   * Blocks [0, result) begin with words before those of target[0..length); `equalEnd`: those from there to it with the
   * same.
   */
  before(target: Uint8Array, length: number): number {
    const words = this.#words;
    const size = words.length / WORDS;
    const common = this.#common;
    for (let i = 0; i < common.length; i++) {
      const order = i < length ? target[i] - common[i] : -1;
      if (order !== 0) return (this.equalEnd = order < 0 ? 0 : size);
    }
    const first = wordAt(target, common.length, length - common.length);
    const second = wordAt(target, common.length + 4, length - common.length - 4);
    let low = 0;
    let high = size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const word = words[middle * WORDS];
      if (word < first || (word === first && words[middle * WORDS + 1] < second)) low = middle + 1;
      else high = middle;
    }
    let end = low;
    high = size;
    while (end < high) {
      const middle = (end + high) >>> 1;
      const word = words[middle * WORDS];
      if (word < first || (word === first && words[middle * WORDS + 1] <= second)) end = middle + 1;
      else high = middle;
    }
    this.equalEnd = end;
    return low;
  }
}

/** Bytes [at, at + length) of `bytes`, the first four of them. */
function wordAt(bytes: Uint8Array, at: number, length: number): number {
  if (length >= 4) {
    return (
      ((bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3]) ^ SIGN
    );
  }
  let word = 0;
  for (let i = 0; i < length; i++) word |= bytes[at + i] << (24 - 8 * i);
  return word ^ SIGN;
}
