/**
 * Scorers: what a node of a query finds in one segment. They work on batches of ascending rows.
 *
 * `mostRows` and `mostScore` are upper bounds, known before anything is decoded. Hits lie in scratch memory: whoever
 * calls `collect` marks it before and releases it afterwards.
 */

/** What `score` writes for a row that does not match. */
export const NO_MATCH = -1;

/** Rows [0, count) ascending, with their scores (0 or more). */
export interface Hits {
  readonly rows: Uint32Array;
  readonly scores: Float64Array;
  readonly count: number;
}

/** Rows [0, count) ascending, with what their scores are worked out from. */
export interface CodedHits {
  readonly rows: Uint32Array;
  readonly codes: Uint32Array;
  readonly count: number;
}

/** Positions [0, count) ascending, and the most that the final score of each can be. */
export interface Bounded {
  readonly positions: Uint32Array;
  readonly bounds: Float64Array;
  readonly count: number;
}

export interface Scorer {
  /** No more rows match; 0: none does. */
  readonly mostRows: number;
  /** No row scores more. */
  readonly mostScore: number;
  /** @param accept bit per row that may match; null: all */
  collect(accept: Uint32Array | null): Hits;
  /**
   * The same rows, and more that match in no searched field, with codes instead of scores: for whoever drops most of
   * them before they are scored. Left out: it has no codes.
   */
  collectCodes?(accept: Uint32Array | null): CodedHits;
  /** scores[i] becomes the score of such a row, or NO_MATCH. */
  scoreCodes?(rows: Uint32Array, codes: Uint32Array, count: number, scores: Float64Array): void;
  /** scores[i] becomes the score of rows[i], or NO_MATCH. Rows ascend; the first `count` are asked for. */
  score(rows: Uint32Array, count: number, scores: Float64Array): void;
}

export const NO_HITS: Hits = { rows: new Uint32Array(0), scores: new Float64Array(0), count: 0 };

/** Matches nothing. */
export const nothing: Scorer = {
  mostRows: 0,
  mostScore: 0,
  collect: () => NO_HITS,
  score: (_rows, count, scores) => void scores.fill(NO_MATCH, 0, count),
};
