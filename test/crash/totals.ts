/** What a run of rounds has counted. */

interface Reindexes {
  sent: number;
  /** 200. The others: there was no index. */
  answered: number;
  /** 503: it did not happen. */
  givenUp: number;
  /** Never answered. */
  interrupted: number;
  /** Those of them whose generation was seen live: committed before the kill, or taken up later. */
  seen: number;
  /** How often an alarm has taken one up. */
  resumed: number;
}

export interface Totals {
  rounds: number;
  kills: number;
  operations: number;
  /** Never answered. */
  lost: number;
  /** Answered 429 or 503. */
  refused: number;
  comparisons: number;
  /** Sessions whose `done` was interrupted. */
  interrupted: number;
  reindexes: Reindexes;
  /** The most states of the world the judge had to keep at once. */
  peak: number;
  /** Errors the service has logged, by event; with its last message. */
  errors: Record<string, { count: number; last: string }>;
}

export function noTotals(): Totals {
  return {
    rounds: 0,
    kills: 0,
    operations: 0,
    lost: 0,
    refused: 0,
    comparisons: 0,
    interrupted: 0,
    reindexes: { sent: 0, answered: 0, givenUp: 0, interrupted: 0, seen: 0, resumed: 0 },
    peak: 0,
    errors: {},
  };
}
