/**
 * Ascending numbers, such as where the values of each row start, in little more than a byte each:
 *
 *   u32 shift | bytes << 8     2^shift numbers are a block; bytes (1, 2 or 4) of a delta
 *   u32 [ceil(count / 2^shift)]  the first number of each block
 *   count deltas            of each number from the first of its block; padded to a multiple of 4 bytes
 *
 * Example: 0, 3, 3, 10 with shift 3 are 00000103, 0 | 00 03 03 0a.
 */
const LEAST_SHIFT = 3;
const MOST_SHIFT = 6;

export class Offsets {
  readonly length: number;
  readonly byteLength: number;
  /** For loops over millions of rows: `blocks[i >>> shift] + deltas[i]`. */
  readonly shift: number;
  readonly blocks: Uint32Array;
  readonly deltas: Uint8Array | Uint16Array | Uint32Array;

  /** Throws RangeError unless these are `count` numbers. */
  constructor(words: Uint32Array, count: number) {
    const shift = words.length === 0 ? 0 : words[0] & 255;
    const bytes = words.length === 0 ? 0 : words[0] >>> 8;
    const isKnown = shift >= LEAST_SHIFT && shift <= MOST_SHIFT && [1, 2, 4].includes(bytes);
    if (!isKnown || wordsOf(count, shift, bytes) !== words.length) {
      throw new RangeError(`${words.length} words of ${count} offsets`);
    }
    const blocks = blocksOf(count, shift);
    this.length = count;
    this.byteLength = words.byteLength;
    this.shift = shift;
    this.blocks = words.subarray(1, 1 + blocks);
    this.deltas = deltasIn(words, blocks, bytes, count);
  }

  static of(numbers: Uint32Array): Offsets {
    return new Offsets(packOffsets(numbers), numbers.length);
  }

  at(index: number): number {
    return this.blocks[index >>> this.shift] + this.deltas[index];
  }
}

function deltasIn(
  { buffer, byteOffset }: Uint32Array,
  blocks: number,
  bytes: number,
  count: number,
): Uint8Array | Uint16Array | Uint32Array {
  const start = byteOffset + 4 * (1 + blocks);
  if (bytes === 1) return new Uint8Array(buffer, start, count);
  if (bytes === 2) return new Uint16Array(buffer, start, count);
  return new Uint32Array(buffer, start, count);
}

/** Encodes ascending numbers in the fewest bytes. */
export function packOffsets(numbers: Uint32Array): Uint32Array<ArrayBuffer> {
  const count = numbers.length;
  let best = { shift: MOST_SHIFT, bytes: 4 };
  for (let shift = LEAST_SHIFT; shift <= MOST_SHIFT; shift++) {
    let longest = 0;
    for (let first = 0; first < count; first += 1 << shift) {
      const last = Math.min(count, first + (1 << shift)) - 1;
      longest = Math.max(longest, numbers[last] - numbers[first]);
    }
    const bytes = longest < 0x100 ? 1 : longest < 0x10000 ? 2 : 4;
    if (wordsOf(count, shift, bytes) <= wordsOf(count, best.shift, best.bytes)) {
      best = { shift, bytes };
    }
  }
  const { shift, bytes } = best;
  const words = new Uint32Array(wordsOf(count, shift, bytes));
  words[0] = shift | (bytes << 8);
  const deltas = deltasIn(words, blocksOf(count, shift), bytes, count);
  for (let index = 0; index < count; index++) {
    const block = index >>> shift;
    const first = numbers[block << shift];
    words[1 + block] = first;
    deltas[index] = numbers[index] - first;
  }
  return words;
}

function blocksOf(count: number, shift: number): number {
  return Math.ceil(count / (1 << shift));
}

function wordsOf(count: number, shift: number, bytes: number): number {
  return 1 + blocksOf(count, shift) + Math.ceil((count * bytes) / 4);
}
