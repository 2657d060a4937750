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
  readonly #rows: Uint32Array<ArrayBuffer>[] = [];
  readonly #codes: Int32Array<ArrayBuffer>[] = [];
  readonly #scores: Float64Array<ArrayBuffer>[] = [];
  #rowsTaken = 0;
  #codesTaken = 0;
  #scoresTaken = 0;

  mark(): readonly [rows: number, codes: number, scores: number] {
    return [this.#rowsTaken, this.#codesTaken, this.#scoresTaken];
  }

  release([rows, codes, scores]: readonly [number, number, number]): void {
    this.#rowsTaken = rows;
    this.#codesTaken = codes;
    this.#scoresTaken = scores;
  }

  rows(count: number): Uint32Array<ArrayBuffer> {
    const known = this.#rows[this.#rowsTaken];
    if (known !== undefined && known.length >= count) {
      this.#rowsTaken++;
      return known;
    }
    return (this.#rows[this.#rowsTaken++] = new Uint32Array(rounded(count)));
  }

  codes(count: number): Int32Array<ArrayBuffer> {
    const known = this.#codes[this.#codesTaken];
    if (known !== undefined && known.length >= count) {
      this.#codesTaken++;
      return known;
    }
    return (this.#codes[this.#codesTaken++] = new Int32Array(rounded(count)));
  }

  scores(count: number): Float64Array<ArrayBuffer> {
    const known = this.#scores[this.#scoresTaken];
    if (known !== undefined && known.length >= count) {
      this.#scoresTaken++;
      return known;
    }
    return (this.#scores[this.#scoresTaken++] = new Float64Array(rounded(count)));
  }
}

/** A power of two, so that arrays stop growing after a few searches. */
function rounded(count: number): number {
  return Math.max(1_024, 2 ** Math.ceil(Math.log2(Math.max(1, count))));
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
