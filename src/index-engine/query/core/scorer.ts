/**
 * A scorer evaluates one node of a query in one segment. It works on batches of ascending rows.
 *
 * `mostRows` and `mostScore` are upper bounds, known before decoding. Hits are in scratch memory:
 * callers of `collect` mark it before and release it afterwards.
 */

/** Written by `score` for rows that do not match. */
export const NO_MATCH = -1;

/** Ascending rows [0, count) with scores >= 0. */
export interface Hits {
  readonly rows: Uint32Array;
  readonly scores: Float64Array;
  readonly count: number;
}

/** Ascending rows [0, count) with codes from which scores are computed. */
export interface CodedHits {
  readonly rows: Uint32Array;
  readonly codes: Uint32Array;
  readonly count: number;
}

/** Ascending positions [0, count) with upper bounds of their final scores. */
export interface Bounded {
  readonly positions: Uint32Array;
  readonly bounds: Float64Array;
  readonly count: number;
}

export interface Scorer {
  /** Upper bound of the number of matching rows; 0 if there are none. */
  readonly mostRows: number;
  readonly mostScore: number;
  /** @param accept bit per row that may match; null: all */
  collect(accept: Uint32Array | null): Hits;
  /**
   * The same rows, plus rows that match in no searched field, with codes instead of scores. For
   * callers that drop most rows before scoring. Absent if the scorer has no codes.
   */
  collectCodes?(accept: Uint32Array | null): CodedHits;
  /** Sets scores[i] to the score of such a row, or to NO_MATCH. */
  scoreCodes?(rows: Uint32Array, codes: Uint32Array, count: number, scores: Float64Array): void;
  /** Sets scores[i] to the score of rows[i], or to NO_MATCH, for the first `count` rows, which ascend. */
  score(rows: Uint32Array, count: number, scores: Float64Array): void;
}

export const NO_HITS: Hits = { rows: new Uint32Array(0), scores: new Float64Array(0), count: 0 };

export const nothing: Scorer = {
  mostRows: 0,
  mostScore: 0,
  collect: () => NO_HITS,
  score: (_rows, count, scores) => void scores.fill(NO_MATCH, 0, count),
};
