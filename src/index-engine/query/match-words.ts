/**
 * Word groups -> rows of one segment that match at least `required` of them, with their scores.
 *
 * **By row** (`collect`), when few groups may be missing. A row that matches `required` of n groups matches one of the
 * n - required + 1 groups with the fewest postings, so only those lead: their lists are decoded once and merged in row order.
 * Every row is tested against the filters (one bit), then looked up in the lists of the other groups, next smaller first, by
 * cursors that skip blocks, until it cannot reach `required` any more. The score falls off on the way. "All words" is the case of
 * one leading group.
 *
 * **By group** (`addUp`), when many may be missing: each list is decoded and added up in arrays indexed by row. `before` + `best`
 * keep the best alternative of the current group apart from the groups before it.
 *
 * A posting counts only where a searched field has the term (Scorer.score > 0).
 */
import { NO_MORE_ROWS, type PostingCursor, type Segment } from "../model.ts";
import type { Scorer } from "../rank/index.ts";
import { borrowCursor, WholeCursor, type WholeMatches } from "./cursors.ts";
import { listScratch, matchScratch, termScratch } from "./scratch.ts";

/** One alternative with its list in the segment, or its rows. */
export interface BoundAlternative {
  /** -1 for a whole. */
  readonly list: number;
  readonly count: number;
  /** Scorer's scale: factor, idf and constants. GIVEN for a whole: its codes are scores. */
  readonly scale: number;
  readonly whole: WholeMatches | null;
}

/** Scale of what has its scores already. */
export const GIVEN = -1;

export interface BoundGroup {
  /** Alternatives that the segment has; may be empty. */
  readonly alternatives: readonly BoundAlternative[];
  /** Sum of their counts. */
  readonly postings: number;
}

/** Matching rows in ascending order and their scores. */
export interface Matches {
  readonly rows: Uint32Array;
  /** Null: all 0. */
  readonly scores: Int32Array | null;
  /** Views of shared memory: valid until the next matching. */
  readonly borrowed: boolean;
}

interface ScoredMatches extends Matches {
  readonly scores: Int32Array;
}

export const NO_MATCHES: Matches = { rows: new Uint32Array(0), scores: null, borrowed: false };
const NOTHING: ScoredMatches = { ...NO_MATCHES, scores: new Int32Array(0) };

/**
 * Rows that match every group.
 * @param accept bit per row that may match; null: all
 */
export function matchAll(
  segment: Segment,
  groups: readonly BoundGroup[],
  accept: Uint32Array | null,
  scorer: Scorer,
): ScoredMatches {
  const out = matchScratch(segment.productCount);
  const count = collect(segment, groups, groups.length, accept, scorer, out.rows, out.scores);
  return borrowed(out.rows, out.scores, count);
}

function borrowed(rows: Uint32Array, scores: Int32Array, count: number): ScoredMatches {
  return { rows: rows.subarray(0, count), scores: scores.subarray(0, count), borrowed: true };
}

/** With more leading groups than this, looking for the next row of them all costs more than adding up. */
export const MAX_LEADS = 4;

/** Returns how many rows were found. */
function collect(
  segment: Segment,
  groups: readonly BoundGroup[],
  required: number,
  accept: Uint32Array | null,
  scorer: Scorer,
  rows: Uint32Array,
  scores: Int32Array,
): number {
  if (groups.length === 0 || groups.length < required) return 0;
  const sorted = groups.length === 1 ? groups : groups.toSorted((a, b) => a.postings - b.postings);
  const leads = groups.length - required + 1;
  if (leads === 1 && sorted[0].postings === 0) return 0;
  const { postings } = segment;

  // The leading groups, decoded: list i belongs to group leadGroup[i] and stands at row heads[i].
  const leadRows: Uint32Array[] = [];
  const leadCodes: Uint32Array[] = [];
  const leadGroup: number[] = [];
  const leadScale: number[] = [];
  const leadCount: number[] = [];
  for (let g = 0; g < leads; g++) {
    for (const { list, count, scale, whole } of sorted[g].alternatives) {
      const scratch =
        whole === null
          ? listScratch(leadRows.length, count)
          : { rows: whole.rows, codes: whole.scores };
      if (whole === null) postings.decode(list, scratch.rows, scratch.codes);
      leadRows.push(scratch.rows);
      leadCodes.push(scratch.codes);
      leadGroup.push(g);
      leadScale.push(scale);
      leadCount.push(count);
    }
  }
  const width = leadRows.length;
  const at = new Int32Array(width);
  const heads = new Float64Array(width);
  for (let i = 0; i < width; i++) heads[i] = leadRows[i][0];

  // The others, as cursors: group g owns cursors up to ends[g].
  const cursors: PostingCursor[] = [];
  const scales: number[] = [];
  const ends: number[] = [];
  for (let g = leads; g < sorted.length; g++) {
    for (const alternative of sorted[g].alternatives) {
      if (alternative.whole === null) {
        const cursor = borrowCursor(postings, cursors.length);
        cursor.open(alternative.list);
        cursors.push(cursor);
      } else cursors.push(new WholeCursor(alternative.whole));
      scales.push(alternative.scale);
    }
    ends.push(cursors.length);
  }

  let found = 0;
  for (;;) {
    let row = NO_MORE_ROWS;
    for (let i = 0; i < width; i++) if (heads[i] < row) row = heads[i];
    if (row === NO_MORE_ROWS) break;
    const accepted = accept === null || ((accept[row >>> 5] >>> row) & 1) !== 0;
    let matched = 0;
    let total = 0;
    let best = 0;
    let group = -1;
    for (let i = 0; i < width; i++) {
      if (heads[i] !== row) continue;
      if (accepted) {
        const code = leadCodes[i][at[i]];
        const score = leadScale[i] === GIVEN ? code : scorer.score(leadScale[i], row, code);
        if (leadGroup[i] !== group) {
          if (best > 0) matched++;
          total += best;
          best = 0;
          group = leadGroup[i];
        }
        if (score > best) best = score;
      }
      const next = ++at[i];
      heads[i] = next < leadCount[i] ? leadRows[i][next] : NO_MORE_ROWS;
    }
    if (best > 0) matched++;
    total += best;
    if (matched === 0) continue;
    let c = 0;
    for (let g = 0; g < ends.length && matched + ends.length - g >= required; g++) {
      best = 0;
      for (; c < ends[g]; c++) {
        const cursor = cursors[c];
        const there = cursor.row < row ? cursor.advance(row) : cursor.row;
        if (there !== row) continue;
        const score = scales[c] === GIVEN ? cursor.code : scorer.score(scales[c], row, cursor.code);
        if (score > best) best = score;
      }
      if (best > 0) matched++;
      total += best;
    }
    if (matched < required) continue;
    rows[found] = row;
    scores[found] = total;
    found++;
  }
  return found;
}

/** Rows that match at least `required` of the groups. */
export function matchSome(
  segment: Segment,
  groups: readonly BoundGroup[],
  required: number,
  accept: Uint32Array | null,
  scorer: Scorer,
): ScoredMatches {
  // Words that the segment does not have cannot match: mostly the rest must match altogether, or is too little.
  const present = groups.filter((group) => group.postings > 0);
  if (present.length < required) return NOTHING;
  if (present.length - required + 1 > MAX_LEADS) {
    return matchAtLeast(segment, present, required, accept, scorer);
  }
  const out = matchScratch(segment.productCount);
  const count = collect(segment, present, required, accept, scorer, out.rows, out.scores);
  return borrowed(out.rows, out.scores, count);
}

function matchAtLeast(
  segment: Segment,
  groups: readonly BoundGroup[],
  required: number,
  accept: Uint32Array | null,
  scorer: Scorer,
): ScoredMatches {
  const rows = addUp(segment, groups, accept, scorer).sort();
  const scratch = termScratch(segment.productCount);
  const out = matchScratch(segment.productCount);
  let count = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    if (scratch.matched[row] >= required) {
      out.scores[count] = scratch.before[row] + scratch.best[row];
      out.rows[count++] = row;
    }
  }
  clear(rows, segment.productCount);
  return borrowed(out.rows, out.scores, count);
}

/** Adds all groups up in the scratch; returns the touched rows, in no order. */
function addUp(
  segment: Segment,
  groups: readonly BoundGroup[],
  accept: Uint32Array | null,
  scorer: Scorer,
): Uint32Array<ArrayBuffer> {
  const { matched, touchedBy, before, best, touched } = termScratch(segment.productCount);
  let count = 0;
  for (let g = 0; g < groups.length; g++) {
    for (const alternative of groups[g].alternatives) {
      const { whole, scale } = alternative;
      const { rows, codes } =
        whole === null
          ? listScratch(0, alternative.count)
          : { rows: whole.rows, codes: whole.scores };
      if (whole === null) segment.postings.decode(alternative.list, rows, codes);
      for (let i = 0; i < alternative.count; i++) {
        const row = rows[i];
        if (accept !== null && ((accept[row >>> 5] >>> row) & 1) === 0) continue;
        const score = scale === GIVEN ? codes[i] : scorer.score(scale, row, codes[i]);
        if (score === 0) continue;
        if (touchedBy[row] === g + 1) {
          if (score > best[row]) best[row] = score;
          continue;
        }
        if (touchedBy[row] === 0) touched[count++] = row;
        touchedBy[row] = g + 1;
        matched[row]++;
        before[row] += best[row];
        best[row] = score;
      }
    }
  }
  return touched.subarray(0, count);
}

function clear(rows: Uint32Array, rowCount: number): void {
  const { matched, touchedBy, before, best } = termScratch(rowCount);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    matched[row] = 0;
    touchedBy[row] = 0;
    before[row] = 0;
    best[row] = 0;
  }
}
