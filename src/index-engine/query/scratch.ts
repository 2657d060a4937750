/**
 * Memory that every query uses and none keeps: arrays as long as the largest segment has rows, shared by all readers of the
 * isolate. Matching runs to its end without waiting, so two queries never meet here.
 *
 * Per row of the largest segment: 14 bytes of `TermScratch`, 8 of matches, and 8 for each decoded list that is as long: those of
 * the groups that lead (match-words.ts), usually of the rarest word alone.
 */

/** By row, zero between queries. */
interface TermScratch {
  /** Word groups matched so far. */
  readonly matched: Uint8Array;
  /** Number + 1 of the last group that touched the row. */
  readonly touchedBy: Uint8Array;
  /** Score of the groups before that one, and the best alternative of that one. */
  readonly before: Int32Array;
  readonly best: Int32Array;
  /** Room for the rows that are touched; not zeroed. */
  readonly touched: Uint32Array<ArrayBuffer>;
}

let terms: TermScratch = makeTermScratch(0);

function makeTermScratch(rows: number): TermScratch {
  return {
    matched: new Uint8Array(rows),
    touchedBy: new Uint8Array(rows),
    before: new Int32Array(rows),
    best: new Int32Array(rows),
    touched: new Uint32Array(rows),
  };
}

/** Whoever uses it zeroes the rows it touched. */
export function termScratch(rowCount: number): TermScratch {
  if (terms.matched.length < rowCount) terms = makeTermScratch(grown(rowCount));
  return terms;
}

const lists: { rows: Uint32Array<ArrayBuffer>; codes: Uint32Array<ArrayBuffer> }[] = [];

/** Room number `slot` for a decoded list of `count` postings. */
export function listScratch(
  slot: number,
  count: number,
): { readonly rows: Uint32Array<ArrayBuffer>; readonly codes: Uint32Array<ArrayBuffer> } {
  while (lists.length <= slot) lists.push({ rows: new Uint32Array(0), codes: new Uint32Array(0) });
  const list = lists[slot];
  if (list.rows.length < count) {
    list.rows = new Uint32Array(grown(count));
    list.codes = new Uint32Array(list.rows.length);
  }
  return list;
}

let matchRows = new Uint32Array(0);
let matchScores = new Int32Array(0);

/** Room for the matches of one segment. */
export function matchScratch(rowCount: number): {
  readonly rows: Uint32Array<ArrayBuffer>;
  readonly scores: Int32Array<ArrayBuffer>;
} {
  if (matchRows.length < rowCount) {
    matchRows = new Uint32Array(grown(rowCount));
    matchScores = new Int32Array(matchRows.length);
  }
  return { rows: matchRows, scores: matchScores };
}

function grown(count: number): number {
  return Math.max(1024, 2 ** Math.ceil(Math.log2(count)));
}
