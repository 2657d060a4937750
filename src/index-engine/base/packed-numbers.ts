/** Numbers of the same number of bits, one after the other, the lowest bits of a word first. */
import { bitWidth } from "./bytes.ts";

/** The number of `width` <= 32 bits from bit `bit` of the words on. */
export function packedAt(words: Uint32Array, bit: number, width: number): number {
  return bitsAt(words, bit, width, maskOf(width));
}

function maskOf(width: number): number {
  return width === 32 ? -1 : (1 << width) - 1;
}

function bitsAt(words: Uint32Array, bit: number, width: number, mask: number): number {
  const word = bit >>> 5;
  const shift = bit & 31;
  let value = words[word] >>> shift;
  if (shift + width > 32) value |= words[word + 1] << (32 - shift);
  return (value & mask) >>> 0;
}

export class PackedNumbers {
  readonly #words: Uint32Array;
  readonly #start: number;
  readonly #width: number;
  readonly #mask: number;

  /** @param start bit of the first number  @param width 0 to 32 */
  constructor(words: Uint32Array, start: number, width: number) {
    this.#words = words;
    this.#start = start;
    this.#width = width;
    this.#mask = maskOf(width);
  }

  at(index: number): number {
    return bitsAt(this.#words, this.#start + index * this.#width, this.#width, this.#mask);
  }

  /** values[i] = at(indexes[i]) */
  read(indexes: Uint32Array, values: Float64Array): void {
    const words = this.#words;
    const start = this.#start;
    const width = this.#width;
    const mask = this.#mask;
    for (let i = 0; i < indexes.length; i++) {
      values[i] = bitsAt(words, start + indexes[i] * width, width, mask);
    }
  }
}

/** Words that `count` numbers of `width` bits take. */
export function packedWords(count: number, width: number): number {
  return Math.ceil((count * width) / 32);
}

/** Writes numbers[0..count) as numbers `first` and later of `words`, which must be zero there. */
export function packInto(
  words: Uint32Array,
  width: number,
  first: number,
  numbers: Uint16Array | Uint32Array,
  count: number,
): void {
  if (width === 0) return;
  let bit = first * width;
  for (let i = 0; i < count; i++) {
    const shift = bit & 31;
    const word = bit >>> 5;
    words[word] |= numbers[i] << shift;
    if (shift + width > 32) words[word + 1] |= numbers[i] >>> (32 - shift);
    bit += width;
  }
}

/** A word with the width of the largest number, then the numbers. */
export function packNumbers(numbers: Uint16Array | Uint32Array): Uint32Array<ArrayBuffer> {
  let all = 0;
  for (let i = 0; i < numbers.length; i++) all |= numbers[i];
  const width = bitWidth(all);
  const words = new Uint32Array(1 + packedWords(numbers.length, width));
  words[0] = width;
  packInto(words.subarray(1), width, 0, numbers, numbers.length);
  return words;
}
