/**
 * Memory that every query uses and none keeps: arrays as long as the largest segment has rows, shared by all readers of the
 * isolate. Matching runs to its end without waiting, so two queries never meet here.
 *
 * Per row of the largest segment: 10 bytes of `TermScratch`, and 8 bytes for each of up to `alternatives` decoded lists (of the
 * rarest word of a query, so usually far fewer). 100,000 rows: 1 MB + at most 2.4 MB.
 */

/** One value per row; zero between queries. */
export interface TermScratch {
  /** Word groups matched so far. */
  readonly matched: Uint8Array;
  /** Number + 1 of the last group that touched the row. */
  readonly touchedBy: Uint8Array;
  /** Score of the groups before that one, and the best alternative of that one. */
  readonly before: Int32Array;
  readonly best: Int32Array;
}

let terms: TermScratch = makeTermScratch(0);

function makeTermScratch(rows: number): TermScratch {
  return {
    matched: new Uint8Array(rows),
    touchedBy: new Uint8Array(rows),
    before: new Int32Array(rows),
    best: new Int32Array(rows),
  };
}

/** All zero; whoever uses it zeroes the rows it touched. */
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

/** Bytes held now. */
export function scratchBytes(): number {
  let bytes = terms.matched.length * 10 + matchRows.byteLength + matchScores.byteLength;
  for (const list of lists) bytes += list.rows.byteLength + list.codes.byteLength;
  return bytes;
}

function grown(count: number): number {
  return Math.max(1024, 2 ** Math.ceil(Math.log2(count)));
}
