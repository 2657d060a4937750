/**
 * Scorers of what is more than one list: a word with everything that may stand for it, and several words that stand
 * for one.
 */
import { MAX_WORD_SCORE } from "../rank/index.ts";
import { work } from "../../base/index.ts";
import { scratch } from "./scratch.ts";
import { unionOf } from "./list-scorers.ts";
import { nothing, NO_HITS, NO_MATCH, type Hits, type Scorer } from "./scorer.ts";

/** Rows that any of the scorers matches, each with its best score. */
export function bestOf(scorers: readonly Scorer[], productCount: number): Scorer {
  const present = scorers.filter(({ mostRows }) => mostRows > 0);
  const [first] = present;
  if (first === undefined) return nothing;
  return present.length === 1 ? first : new BestScorer(present, productCount);
}

class BestScorer implements Scorer {
  readonly mostRows: number;
  readonly mostScore: number;
  readonly #scorers: readonly Scorer[];

  constructor(scorers: readonly Scorer[], productCount: number) {
    this.#scorers = scorers;
    const rows = scorers.reduce((sum, one) => sum + one.mostRows, 0);
    this.mostRows = Math.min(rows, productCount);
    this.mostScore = Math.max(...scorers.map(({ mostScore }) => mostScore));
  }

  collect(accept: Uint32Array | null): Hits {
    return unionOf(this.#scorers, this.mostRows, accept);
  }

  score(rows: Uint32Array, count: number, scores: Float64Array): void {
    const [first, ...others] = this.#scorers;
    first.score(rows, count, scores);
    const mark = scratch.mark();
    const own = scratch.scores(count);
    for (const other of others) {
      other.score(rows, count, own);
      for (let i = 0; i < count; i++) if (own[i] > scores[i]) scores[i] = own[i];
    }
    scratch.release(mark);
  }
}

/** Reading the title of a row, about. */
const STEPS_OF_PHRASE = 100;

/** Several words that stand for one. */
interface Several {
  readonly parts: readonly Scorer[];
  /** What the mean of their scores is worth. */
  readonly factor: number;
  /**
   * Whether the parts stand as they must, in a row that has them all; rows are asked for in ascending order. Null:
   * anywhere.
   */
  readonly isPhrase: (() => (row: number) => boolean) | null;
}

/** Rows that have all parts. A row scores `factor` times the mean of their scores, at least 1. */
export function meanOf(several: Several): Scorer {
  const { parts } = several;
  return parts.length === 0 || parts.some(({ mostRows }) => mostRows === 0)
    ? nothing
    : new MeanScorer(several);
}

class MeanScorer implements Scorer {
  readonly mostRows: number;
  readonly mostScore: number;
  /** Those with the fewest rows first. */
  readonly #parts: readonly Scorer[];
  readonly #factor: number;
  readonly #isPhrase: Several["isPhrase"];

  constructor({ parts, factor, isPhrase }: Several) {
    this.#parts = parts.toSorted((a, b) => a.mostRows - b.mostRows);
    this.#factor = factor / parts.length;
    this.#isPhrase = isPhrase;
    this.mostRows = this.#parts[0].mostRows;
    this.mostScore = this.#worth(parts.reduce((sum, { mostScore }) => sum + mostScore, 0));
  }

  #worth(sum: number): number {
    return Math.min(MAX_WORD_SCORE, Math.max(1, Math.round(sum * this.#factor)));
  }

  collect(accept: Uint32Array | null): Hits {
    const [lead, ...others] = this.#parts;
    const { rows, scores, count } = lead.collect(accept);
    if (count === 0) return NO_HITS;
    return { rows, scores, count: this.#keepAll(rows, scores, count, others, null) };
  }

  score(rows: Uint32Array, count: number, scores: Float64Array): void {
    const mark = scratch.mark();
    const kept = scratch.rows(count);
    const sums = scratch.scores(count);
    const places = scratch.codes(count);
    for (let i = 0; i < count; i++) {
      kept[i] = rows[i];
      places[i] = i;
    }
    sums.fill(0, 0, count);
    const left = this.#keepAll(kept, sums, count, this.#parts, places);
    scores.fill(NO_MATCH, 0, count);
    for (let i = 0; i < left; i++) scores[places[i]] = sums[i];
    scratch.release(mark);
  }

  /**
   * Adds the scores of the parts and drops rows that lack one; then makes the sums what they are worth. Returns how
   * many are left.
   */
  #keepAll(
    rows: Uint32Array,
    sums: Float64Array,
    count: number,
    parts: readonly Scorer[],
    places: Int32Array | null,
  ): number {
    const mark = scratch.mark();
    let left = count;
    const own = scratch.scores(count);
    for (const part of parts) {
      if (left === 0) break;
      part.score(rows, left, own);
      let kept = 0;
      for (let i = 0; i < left; i++) {
        if (own[i] === NO_MATCH) continue;
        rows[kept] = rows[i];
        sums[kept] = sums[i] + own[i];
        if (places !== null) places[kept] = places[i];
        kept++;
      }
      left = kept;
    }
    if (this.#isPhrase !== null) work.spend(left * STEPS_OF_PHRASE);
    const isPhrase = left === 0 ? null : (this.#isPhrase?.() ?? null);
    let kept = 0;
    for (let i = 0; i < left; i++) {
      if (isPhrase !== null && !isPhrase(rows[i])) continue;
      rows[kept] = rows[i];
      sums[kept] = this.#worth(sums[i]);
      if (places !== null) places[kept] = places[i];
      kept++;
    }
    scratch.release(mark);
    return kept;
  }
}
