/** What a run of rounds has counted. */
export interface Totals {
  rounds: number;
  kills: number;
  operations: number;
  /** Never answered. */
  lost: number;
  /** Answered 429 or 503. */
  refused: number;
  /** Answers compared with those of a fresh index. */
  comparisons: number;
  /** Sent. */
  reindexes: number;
}

export function noTotals(): Totals {
  return {
    rounds: 0,
    kills: 0,
    operations: 0,
    lost: 0,
    refused: 0,
    comparisons: 0,
    reindexes: 0,
  };
}
