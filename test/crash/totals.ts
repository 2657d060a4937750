/** What a run of rounds has counted. */
export type Totals = ReturnType<typeof noTotals>;

export function noTotals() {
  return {
    rounds: 0,
    kills: 0,
    operations: 0,
    /** Never answered. */
    lost: 0,
    /** Answered 429 or 503. */
    refused: 0,
    /** Answers compared with those of a fresh index. */
    comparisons: 0,
    /** Sent. */
    reindexes: 0,
  };
}
