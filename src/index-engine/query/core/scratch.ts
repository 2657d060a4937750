/**
 * Temporary memory shared by all searches: arrays for rows, codes and scores, allocated and
 * released like a stack. Arrays are not zeroed. Each part of a search (base/work.ts) releases what
 * it takes, because other searches run between parts.
 *
 *   const mark = scratch.mark();
 *   try { const rows = scratch.rows(count); ... } finally { scratch.release(mark); }
 *
 * An array has at least the requested length and is valid until its mark is released.
 */
class Scratch {
  readonly #rows = new Stack((length) => new Uint32Array(length));
  readonly #codes = new Stack((length) => new Int32Array(length));
  readonly #scores = new Stack((length) => new Float64Array(length));

  mark(): readonly [rows: number, codes: number, scores: number] {
    return [this.#rows.taken, this.#codes.taken, this.#scores.taken];
  }

  release([rows, codes, scores]: readonly [number, number, number]): void {
    this.#rows.taken = rows;
    this.#codes.taken = codes;
    this.#scores.taken = scores;
  }

  rows(count: number): Uint32Array<ArrayBuffer> {
    return this.#rows.take(count);
  }

  codes(count: number): Int32Array<ArrayBuffer> {
    return this.#codes.take(count);
  }

  scores(count: number): Float64Array<ArrayBuffer> {
    return this.#scores.take(count);
  }
}

/** A power of two, so that arrays stop growing after a few searches. */
function rounded(count: number): number {
  return Math.max(1_024, 2 ** Math.ceil(Math.log2(Math.max(1, count))));
}

/** Arrays of one kind. */
class Stack<Numbers extends { readonly length: number }> {
  taken = 0;
  readonly #arrays: Numbers[] = [];
  readonly #make: (length: number) => Numbers;

  constructor(make: (length: number) => Numbers) {
    this.#make = make;
  }

  take(count: number): Numbers {
    const known = this.#arrays[this.taken];
    const array = known !== undefined && known.length >= count ? known : this.#make(rounded(count));
    this.#arrays[this.taken++] = array;
    return array;
  }
}

export const scratch = new Scratch();

/**
 * A number per row, for lookups by row; all 0 between uses. `use` zeroes the given rows afterwards.
 * If it throws, the array is dropped, so a failed search leaves no numbers behind.
 */
export class RowTable {
  #numbers = new Int32Array(0);

  use<T>(productCount: number, work: (numbers: Int32Array) => T, rows: () => Iterable<number>): T {
    let numbers = this.#numbers;
    if (numbers.length < productCount) numbers = new Int32Array(rounded(productCount));
    this.#numbers = new Int32Array(0);
    const result = work(numbers);
    for (const row of rows()) numbers[row] = 0;
    this.#numbers = numbers;
    return result;
  }
}
