/** Which words of a query must match (match.ts). */
import { hasBit } from "../../base/index.ts";
import type { Requirement } from "./match.ts";

/** A match weight of at least `least`; with a weight of 1 per word, a number of words. */
export class AtLeast implements Requirement {
  readonly order = "rarest";
  readonly isSettled = true;
  readonly least: number;

  constructor(least: number) {
    this.least = least;
  }

  mayMatter(weight: number): boolean {
    return weight >= this.least;
  }

  keeps(): boolean {
    return true;
  }

  note(): void {}
}

/** The largest number of words that any row has. */
export class Most implements Requirement {
  readonly order = "rarest";
  readonly isSettled = false;
  least = 1;
  /** Rows that may raise `least`: bits of the current segment; null: all. */
  filtered: Uint32Array | null = null;

  mayMatter(weight: number): boolean {
    return weight >= this.least;
  }

  keeps(): boolean {
    return true;
  }

  note(rows: Uint32Array, _scores: Float64Array, weights: Int32Array, count: number): void {
    for (let i = 0; i < count; i++) {
      if (weights[i] <= this.least) continue;
      if (this.filtered === null || hasBit(this.filtered, rows[i])) this.least = weights[i];
    }
  }
}

/**
 * Any of the words, if the row's cut value, score x match weight, is at least a share of the best
 * one. Match weights are shares of the sum of all words.
 */
export class Cut implements Requirement {
  readonly order = "heaviest";
  readonly isSettled = false;
  readonly least = 0;
  /** The best cut value so far. */
  best: number;
  readonly #all: number;
  readonly #thousandths: number;

  /**
   * @param all match weight of all words; such rows always match
   * @param thousandths the share
   * @param best known best cut value
   */
  constructor(all: number, thousandths: number, best = 0) {
    this.#all = all;
    this.#thousandths = thousandths;
    this.best = best;
  }

  mayMatter(weight: number, score: number): boolean {
    return this.keeps(score, weight);
  }

  keeps(score: number, weight: number): boolean {
    return weight === this.#all || reaches(score * weight, this.best, this.#thousandths);
  }

  note(_rows: Uint32Array, scores: Float64Array, weights: Int32Array, count: number): void {
    let best = this.best;
    for (let i = 0; i < count; i++) {
      const value = scores[i] * weights[i];
      if (value > best) best = value;
    }
    this.best = best;
  }
}

/** Whether a cut value is at least this many thousandths of the best one. Exact, because values are below 2^43. */
export function reaches(value: number, best: number, thousandths: number): boolean {
  return value * 1_000 >= best * thousandths;
}
