/**
 * Products with several values of one group, such as `Red` and `red`. They are found once per segment, from the
 * posting lists of the groups, so that counting need not look for them.
 *
 *   group 4 5 6 (`Red`, `red`, `RED`)   rows of 4: 1 3   of 5: 3 9   of 6: 3   ->   rows 3 3
 *
 * A row is there once for each further value, so the repeats of a group are those of its rows that match. Where only
 * some variants pass, the values of these rows are looked at.
 */
import {
  bitsOf,
  emptyBits,
  getOrInsert,
  GrowableU32,
  hasBit,
  lowerBound,
  rowsOf,
  setBit,
  sumOfBytes,
  work,
} from "../../base/index.ts";
import { firstOfGroup } from "../../segment/facet-values/index.ts";
import { KeptWithSegments, type Postings, type Segment } from "../../segment/model/index.ts";
import type { SegmentMatches } from "../../query/index.ts";
import { STEPS_OF_ROW, type Span, type Tally } from "./count-rows.ts";
import { valuesOfRows } from "./row-values.ts";

interface Repeats {
  /** First ordinals of the groups that have any, ascending. Group i has `rows[starts[i] .. starts[i + 1])`. */
  readonly groups: Uint32Array;
  readonly starts: Uint32Array;
  readonly rows: Uint32Array;
}

const cache = new KeptWithSegments<Repeats>("facetCounts", ({ groups, starts, rows }) =>
  sumOfBytes(groups, starts, rows),
);

/** Of the groups in `span`. */
export function repeatsOf(segment: Segment, matches: SegmentMatches, span: Span): Tally["repeats"] {
  if (segment.facets.sameKey === null) return null;
  const { groups, starts, rows } = getOrInsert(cache, segment, () => find(segment));
  const end = lowerBound(groups, 0, groups.length, span.end);
  const start = lowerBound(groups, 0, end, span.start);
  if (start === end) return null;
  work.spend(matches.rows.length + starts[end] - starts[start]);
  const matching = bitsOf(matches.rows, segment.productCount);
  const repeats = new Map<number, number>();
  const candidates = emptyBits(segment.productCount);
  for (let i = start; i < end; i++) {
    let count = 0;
    for (let at = starts[i]; at < starts[i + 1]; at++) {
      if (!hasBit(matching, rows[at])) continue;
      count++;
      setBit(candidates, rows[at]);
    }
    if (count > 0) repeats.set(groups[i], count);
  }
  if (matches.variantRows !== null) return repeatsIn(segment, rowsOf(candidates), matches.variantRows, span);
  return repeats.size === 0 ? null : repeats;
}

/** Those of rows by their own values and those of passing variants. */
function repeatsIn(segment: Segment, rows: Uint32Array, variantRows: Uint32Array, span: Span): Tally["repeats"] {
  const { facets } = segment;
  const { sameKey, filterOnly } = facets;
  const repeats = new Map<number, number>();
  const eachValue = valuesOfRows(segment, span, variantRows);
  const seen = new Set<number>();
  const groups = new Set<number>();
  const add = (ordinal: number): true => {
    if (sameKey === null || !(hasBit(sameKey, ordinal) || hasBit(sameKey, ordinal + 1))) return true;
    if (seen.has(ordinal) || (filterOnly !== null && hasBit(filterOnly, ordinal))) return true;
    seen.add(ordinal);
    const group = firstOfGroup(sameKey, ordinal);
    if (groups.has(group)) repeats.set(group, (repeats.get(group) ?? 0) + 1);
    groups.add(group);
    return true;
  };
  work.spend(rows.length * STEPS_OF_ROW);
  for (const row of rows) {
    seen.clear();
    groups.clear();
    eachValue(row, add);
  }
  return repeats.size === 0 ? null : repeats;
}

/** Of facetable values, a product's own or those of its variants. */
function find({ facets, variantRows, productCount }: Segment): Repeats {
  const { sameKey, filterOnly, productPostings, variantPostings } = facets;
  const groups = new GrowableU32();
  const starts = new GrowableU32();
  const rows = new GrowableU32();
  // By row: 1 + the last value of any group.
  const last = new Uint32Array(productCount);
  const visit = (ordinal: number, group: number): void => {
    if (filterOnly !== null && hasBit(filterOnly, ordinal)) return;
    const mark = (row: number): void => {
      if (last[row] > group && last[row] !== ordinal + 1) rows.push(row);
      last[row] = ordinal + 1;
    };
    eachRow(productPostings, ordinal, mark);
    if (variantPostings !== null) eachRow(variantPostings, ordinal, (row) => mark(variantRows.productOf(row)));
  };
  const same = sameKey === null ? [] : rowsOf(sameKey);
  for (let i = 0; i < same.length;) {
    const group = same[i] - 1;
    const start = rows.length;
    visit(group, group);
    for (let ordinal = group + 1; same[i] === ordinal; ordinal++, i++) visit(ordinal, group);
    if (rows.length === start) continue;
    groups.push(group);
    starts.push(start);
  }
  starts.push(rows.length);
  return { groups: groups.view().slice(), starts: starts.view().slice(), rows: rows.view().slice() };
}

function eachRow(postings: Postings, list: number, visit: (row: number) => void): void {
  const rows = new Uint32Array(postings.count(list));
  postings.decode(list, rows, null);
  for (let i = 0; i < rows.length; i++) visit(rows[i]);
}
