/**
 * Products with several values of one group, such as `Red` and `red`. They are rare: rows that may be some are found
 * once per segment, from the posting lists of the groups, so that counting need not look for them.
 *
 *   group 4 5 (`Red`, `red`)   rows of 4: 1 3 7   of 5: 3 9   ->   row 3
 */
import { getOrInsert, hasBit, lowerBound, work, writeRows } from "../../base/index.ts";
import type { Postings, Segment } from "../../segment/model/index.ts";
import type { SegmentMatches } from "../../query/index.ts";
import type { Span, Tally } from "./count-rows.ts";
import { valuesOfRows } from "./row-values.ts";

const rowsBySegment = new WeakMap<Segment, Uint32Array>();

/** Cached bytes of the segment. */
export function repeatBytes(segment: Segment): number {
  return rowsBySegment.get(segment)?.byteLength ?? 0;
}

/** Of the groups in `span`. */
export function repeatsOf(segment: Segment, { rows, variantRows }: SegmentMatches, span: Span): Tally["repeats"] {
  const { facets } = segment;
  const { filterOnly } = facets;
  if (facets.sameKey === null) return null;
  const several = getOrInsert(rowsBySegment, segment, () => rowsWithSeveral(segment));
  if (several.length === 0) return null;
  const repeats = new Map<number, number>();
  const eachValue = valuesOfRows(segment, span, variantRows);
  const seen = new Set<number>();
  const add = (ordinal: number): true => {
    if (filterOnly === null || !hasBit(filterOnly, ordinal)) seen.add(ordinal);
    return true;
  };
  let at = 0;
  for (const row of several) {
    at = lowerBound(rows, at, rows.length, row);
    if (at === rows.length) break;
    if (rows[at] !== row) continue;
    seen.clear();
    eachValue(row, add);
    work.spend(seen.size);
    const groups = new Set<number>();
    for (const ordinal of seen) {
      const group = facets.firstOfGroup(ordinal);
      if (groups.has(group)) repeats.set(group, (repeats.get(group) ?? 0) + 1);
      groups.add(group);
    }
  }
  return repeats.size === 0 ? null : repeats;
}

/** Rows with several facetable values of a group, their own or those of variants. */
function rowsWithSeveral({ facets, variantRows, productCount }: Segment): Uint32Array {
  const { sameKey, filterOnly, productPostings, variantPostings, valueCount } = facets;
  const several = new Set<number>();
  if (sameKey === null) return new Uint32Array(0);
  // By row: 1 + the last value of any group.
  const last = new Uint32Array(productCount);
  let group = 0;
  const visit = (ordinal: number): void => {
    if (filterOnly !== null && hasBit(filterOnly, ordinal)) return;
    const mark = (row: number): void => {
      if (last[row] > group && last[row] !== ordinal + 1) several.add(row);
      last[row] = ordinal + 1;
    };
    eachRow(productPostings, ordinal, mark);
    if (variantPostings !== null) eachRow(variantPostings, ordinal, (row) => mark(variantRows.productOf(row)));
  };
  const same = new Uint32Array(valueCount);
  const sameCount = writeRows(sameKey, same);
  for (let i = 0; i < sameCount; i++) {
    if (i === 0 || same[i - 1] !== same[i] - 1) visit((group = same[i] - 1));
    visit(same[i]);
  }
  return Uint32Array.from(several).sort();
}

function eachRow(postings: Postings, list: number, visit: (row: number) => void): void {
  const rows = new Uint32Array(postings.count(list));
  work.spend(postings.decode(list, rows, null));
  rows.forEach(visit);
}
