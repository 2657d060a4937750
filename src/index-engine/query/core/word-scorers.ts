/** Scorers of several lists: a word with all its alternatives, and several words that match one word. */
import { MAX_WORD_SCORE } from "../rank/index.ts";
import { hasBit, work } from "../../base/index.ts";
import { scratch } from "./scratch.ts";
import { unionOf } from "./list-scorers.ts";
import { nothing, NO_HITS, NO_MATCH, type Hits, type Scorer } from "./scorer.ts";

/** Rows of any scorer, each with its best score. */
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

/** Approximate cost of reading a row's title. */
const STEPS_OF_PHRASE = 100;

/** Several words that match one word. */
interface Several {
  /** Ascending by number of rows. */
  readonly parts: readonly Scorer[];
  /** Factor of the mean of their scores. */
  readonly factor: number;
  /** Ascending rows that may match, if they are known (adjacent-rows.ts); null: all rows. */
  readonly candidates: Uint32Array | null;
  /** Tests the positions of the parts in a row that has all of them. Rows must ascend. Null: any positions. */
  readonly isPhrase: (() => (row: number) => boolean) | null;
}

/** Rows with all parts. A row's score is `factor` times the mean of their scores, at least 1. */
export function meanOf(several: Several): Scorer {
  const { parts, candidates } = several;
  return parts.length === 0 || candidates?.length === 0 || parts.some(({ mostRows }) => mostRows === 0)
    ? nothing
    : new MeanScorer(several);
}

class MeanScorer implements Scorer {
  readonly mostRows: number;
  readonly mostScore: number;
  readonly #parts: readonly Scorer[];
  readonly #factor: number;
  readonly #candidates: Uint32Array | null;
  readonly #isPhrase: Several["isPhrase"];

  constructor({ parts, factor, candidates, isPhrase }: Several) {
    this.#parts = parts;
    this.#factor = factor / parts.length;
    this.#candidates = candidates;
    this.#isPhrase = isPhrase;
    this.mostRows = candidates?.length ?? this.#parts[0].mostRows;
    this.mostScore = this.#worth(parts.reduce((sum, { mostScore }) => sum + mostScore, 0));
  }

  #worth(sum: number): number {
    return Math.min(MAX_WORD_SCORE, Math.max(1, Math.round(sum * this.#factor)));
  }

  collect(accept: Uint32Array | null): Hits {
    if (this.#candidates !== null) return this.#collectFrom(this.#candidates, accept);
    const [lead, ...others] = this.#parts;
    const { rows, scores, count } = lead.collect(accept);
    if (count === 0) return NO_HITS;
    return { rows, scores, count: this.#keepAll(rows, scores, count, others, null) };
  }

  #collectFrom(candidates: Uint32Array, accept: Uint32Array | null): Hits {
    const rows = scratch.rows(candidates.length);
    const scores = scratch.scores(candidates.length);
    let count = 0;
    for (const row of candidates) if (accept === null || hasBit(accept, row)) rows[count++] = row;
    scores.fill(0, 0, count);
    return { rows, scores, count: this.#keepAll(rows, scores, count, this.#parts, null) };
  }

  score(rows: Uint32Array, count: number, scores: Float64Array): void {
    const mark = scratch.mark();
    const kept = scratch.rows(count);
    const sums = scratch.scores(count);
    const places = scratch.codes(count);
    const candidates = this.#candidates;
    let size = 0;
    let next = 0;
    for (let i = 0; i < count; i++) {
      if (candidates !== null) {
        while (next < candidates.length && candidates[next] < rows[i]) next++;
        if (next === candidates.length) break;
        if (candidates[next] !== rows[i]) continue;
      }
      kept[size] = rows[i];
      places[size++] = i;
    }
    sums.fill(0, 0, size);
    const left = this.#keepAll(kept, sums, size, this.#parts, places);
    scores.fill(NO_MATCH, 0, count);
    for (let i = 0; i < left; i++) scores[places[i]] = sums[i];
    scratch.release(mark);
  }

  /** Adds the parts' scores, drops rows without one of them, converts sums to scores. Returns the number of rows. */
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
