/**
 * Alternatives that are no posting list (rank/term-group.ts), worked out for one segment: rows with scores, which match-words.ts
 * takes like a list.
 *
 *   union   rows of any of many lists, with the best score: all terms with a prefix, or a word with many corrections
 *   all     rows that have every one of several groups, worth factor * the mean of their scores; as a phrase, only rows in whose
 *           titles the words stand together (forward/)
 */
import type { Segment } from "../model.ts";
import type { Scorer } from "../rank/index.ts";
import type { WholeMatches } from "./cursors.ts";
import { listScratch, matchScratch, termScratch } from "./scratch.ts";

export const NO_ROWS: WholeMatches = { rows: new Uint32Array(0), scores: new Uint32Array(0) };

export interface ScaledList {
  readonly list: number;
  readonly scale: number;
}

/** Above this share of the segment's rows, sorting what was touched costs more than looking at every row. */
const DENSE = 1 / 16;

/** Accepted rows of any list, ascending, each with its best score. */
export function unionOf(
  segment: Segment,
  lists: readonly ScaledList[],
  accept: Uint32Array | null,
  scorer: Scorer,
): WholeMatches {
  const { postings, productCount } = segment;
  const { best } = termScratch(productCount);
  const touched = matchScratch(productCount).rows;
  let count = 0;
  for (const { list, scale } of lists) {
    const length = postings.count(list);
    if (length === 0) continue;
    const { rows, codes } = listScratch(0, length);
    postings.decode(list, rows, codes);
    for (let i = 0; i < length; i++) {
      const row = rows[i];
      if (accept !== null && ((accept[row >>> 5] >>> row) & 1) === 0) continue;
      const score = scorer.score(scale, row, codes[i]);
      if (score === 0) continue;
      const before = best[row];
      if (before === 0) touched[count++] = row;
      if (score > before) best[row] = score;
    }
  }
  const rows = new Uint32Array(count);
  const scores = new Uint32Array(count);
  if (count > productCount * DENSE) {
    let at = 0;
    for (let row = 0; row < productCount; row++) if (best[row] !== 0) rows[at++] = row;
  } else {
    rows.set(touched.subarray(0, count));
    rows.sort();
  }
  for (let i = 0; i < count; i++) {
    scores[i] = best[rows[i]];
    best[rows[i]] = 0;
  }
  return { rows, scores };
}

/**
 * What several groups together are worth: `matches` of all of them -> a whole.
 * @param accept only rows with a bit; null: all
 */
export function wholeOf(
  matches: { readonly rows: Uint32Array; readonly scores: Int32Array | null },
  groupCount: number,
  factor: number,
  accept: ((row: number) => boolean) | null,
): WholeMatches {
  const rows = new Uint32Array(matches.rows.length);
  const scores = new Uint32Array(rows.length);
  let count = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = matches.rows[i];
    if (accept !== null && !accept(row)) continue;
    const score = Math.round(((matches.scores?.[i] ?? 0) * factor) / groupCount);
    rows[count] = row;
    scores[count++] = score > 0 ? score : 1;
  }
  return { rows: rows.subarray(0, count), scores: scores.subarray(0, count) };
}

/** The better score of each row of either. */
export function betterOf(a: WholeMatches, b: WholeMatches): WholeMatches {
  const rows = new Uint32Array(a.rows.length + b.rows.length);
  const scores = new Uint32Array(rows.length);
  let count = 0;
  let i = 0;
  let j = 0;
  while (i < a.rows.length || j < b.rows.length) {
    const left = i < a.rows.length ? a.rows[i] : Infinity;
    const right = j < b.rows.length ? b.rows[j] : Infinity;
    const row = Math.min(left, right);
    let score = 0;
    if (left === row) score = a.scores[i++];
    if (right === row) score = Math.max(score, b.scores[j++]);
    rows[count] = row;
    scores[count++] = score;
  }
  return { rows: rows.subarray(0, count), scores: scores.subarray(0, count) };
}
