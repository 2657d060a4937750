/**
 * Eight bytes of the first string of each block of a front-coded table, in one array. A binary search then reads a few
 * cache lines instead of blocks all over the section.
 *
 *   first strings   "SKU-2024-0001" "SKU-2024-0177" "SKU-2024-0353"      the common "SKU-2024-0" is left out
 *   words           001_____ 177_____ 353_____                           padded with zeros; two words of four bytes,
 *                                                                        the most significant byte first
 *
 * If the words of two strings differ, the smaller words belong to the smaller string: zero is the smallest byte, and
 * padding means that the string has ended. If all eight bytes are equal, the strings must be compared. Takes half a
 * byte per string of the table.
 */
import { readVarint, varint } from "../../base/index.ts";

/** Makes a signed word sort like its four bytes. */
const SIGN = 0x80000000 | 0;
const WORDS = 2;

export class BlockHeads {
  readonly #words: Int32Array;
  /** The common prefix of all heads. Heads are sorted, so it is that of the first and the last. */
  readonly #common: Uint8Array;
  /** Blocks [result of `before`, equalEnd) start with the same words as the target. */
  equalEnd = 0;

  /** @param starts per block: start of its head in `bytes`; at least one */
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

  /** Blocks [0, result) start with smaller words than target[0..length), blocks [result, equalEnd) with the same. */
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

/** The first four of bytes [at, at + length). */
function wordAt(bytes: Uint8Array, at: number, length: number): number {
  if (length >= 4) {
    return ((bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3]) ^ SIGN;
  }
  let word = 0;
  for (let i = 0; i < length; i++) word |= bytes[at + i] << (24 - 8 * i);
  return word ^ SIGN;
}
