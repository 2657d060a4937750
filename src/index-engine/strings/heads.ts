/**
 * The first eight bytes of each block of a front-coded table, side by side, so that a binary search reads them from a few cache lines
 * instead of the blocks' own bytes all over the section.
 *
 *   heads     "blue" "bluebird" "bluebirds" "red"
 *   words     blue____ bluebird bluebird red_____        padded with zeros; two words of four bytes each, the greater bytes first
 *
 * Of two strings whose words differ the one with the smaller words is before the other: zero is the least byte, and what is padded ends.
 * Where all eight bytes are equal, the strings themselves have to be compared.
 */
import { readVarint, varint } from "./varint.ts";

/** Of four bytes as a signed word that orders as the bytes do. */
const SIGN = 0x80000000 | 0;
const WORDS = 2;

export class BlockHeads {
  readonly #words: Int32Array;
  equalEnd = 0;

  /** @param starts per block, where its head begins in `bytes` */
  constructor(bytes: Uint8Array, starts: Uint32Array) {
    const words = new Int32Array(starts.length * WORDS);
    for (let block = 0; block < starts.length; block++) {
      const at = readVarint(bytes, starts[block]);
      words[block * WORDS] = wordAt(bytes, at, varint);
      words[block * WORDS + 1] = wordAt(bytes, at + 4, varint - 4);
    }
    this.#words = words;
  }

  get sizeBytes(): number {
    return this.#words.byteLength;
  }

  /** Blocks [0, result) begin with words before those of target[0..length); `equalEnd`: those from there to it with the same. */
  before(target: Uint8Array, length: number): number {
    const words = this.#words;
    const size = words.length / WORDS;
    const first = wordAt(target, 0, length);
    const second = wordAt(target, 4, length - 4);
    let low = 0;
    let high = size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const word = words[middle * WORDS];
      if (word < first || (word === first && words[middle * WORDS + 1] < second)) low = middle + 1;
      else high = middle;
    }
    let end = low;
    while (end < size && words[end * WORDS] === first && words[end * WORDS + 1] === second) end++;
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
