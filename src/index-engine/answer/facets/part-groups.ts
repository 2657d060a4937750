/**
 * The counted groups of a field in one segment. A group is what forms one facet entry, such as `Red`
 * and `red`, or a value with two ids; its ordinals are contiguous (`FacetData.sameKey`).
 */
import { hasBit, hasBitIn } from "../../base/index.ts";
import type { SegmentMatches } from "../../query/index.ts";
import type { FacetField, Segment } from "../../segment/model/index.ts";
import type { Tally } from "./count-rows.ts";
import { firstOfGroup } from "../../segment/facet-values/index.ts";

/** The counted values of a field in one segment: positions [from, to) of `tally`. */
export interface CountedPart {
  readonly segment: Segment;
  readonly field: FacetField;
  readonly tally: Tally;
  readonly from: number;
  readonly to: number;
}

export interface FieldPart extends CountedPart {
  /** The matches from which they were counted. */
  readonly matches: SegmentMatches;
  /** Which values of the field were counted, as in CountInput; null: all. */
  readonly within: Uint8Array | null;
}

/** The groups of one part. Group g covers positions [startOf(g), startOf(g + 1)) of the tally. */
export interface Groups {
  readonly size: number;
  readonly startOf: (group: number) => number;
  /** Distinct products. */
  readonly counts: Uint32Array;
  /** Whether every group g is just the counted value at `from + g`, and facetable. */
  readonly isPlain: boolean;
  /** 1 for each group with a counted value that has `facet: true`. Null: all groups. */
  readonly facetable: Uint8Array | null;
}

/** The first ordinal of each counted group, even if that ordinal was not counted. Ascending. */
export function firstOrdinals({ segment, tally }: FieldPart, { size, startOf }: Groups): Uint32Array {
  const { sameKey } = segment.facets;
  const firsts = new Uint32Array(size);
  for (let group = 0; group < size; group++) {
    firsts[group] = firstOfGroup(sameKey, tally.ordinals[startOf(group)]);
  }
  return firsts;
}

/** The counted group of the part with this first ordinal, or -1. */
export function findGroup({ segment, tally }: FieldPart, { size, startOf }: Groups, first: number): number {
  // If the group was counted, its smallest counted ordinal is the first counted one from `first`
  // on.
  let low = 0;
  let high = size;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (tally.ordinals[startOf(middle)] < first) low = middle + 1;
    else high = middle;
  }
  const isSame = low < size && firstOfGroup(segment.facets.sameKey, tally.ordinals[startOf(low)]) === first;
  return isSame ? low : -1;
}

export function groupsOf({ segment, field: { start, end }, tally, from, to }: CountedPart): Groups {
  const { facets } = segment;
  const within = (bits: Uint32Array | null): Uint32Array | null =>
    bits !== null && hasBitIn(bits, start, end) ? bits : null;
  const sameKey = within(facets.sameKey);
  const filterOnly = within(facets.filterOnly);
  const { ordinals, repeats } = tally;
  if (sameKey === null && filterOnly === null) {
    const startOf = (group: number): number => from + group;
    const counts = tally.counts.subarray(from, to);
    return { size: to - from, startOf, counts, isPlain: true, facetable: null };
  }
  const starts = new Uint32Array(to - from + 1);
  const counts = new Uint32Array(to - from);
  const facetable = filterOnly === null ? null : new Uint8Array(to - from);
  let size = 0;
  let current = -1;
  for (let at = from; at < to; at++) {
    const ordinal = ordinals[at];
    const first = firstOfGroup(sameKey, ordinal);
    if (first !== current) {
      current = first;
      // Negative until the counts of its values are added.
      counts[size] = -(repeats?.get(first) ?? 0);
      starts[size++] = at;
    }
    counts[size - 1] += tally.counts[at];
    if (facetable !== null && filterOnly !== null && !hasBit(filterOnly, ordinal)) facetable[size - 1] = 1;
  }
  starts[size] = to;
  const startOf = (group: number): number => starts[group];
  return { size, startOf, counts: counts.subarray(0, size), isPlain: false, facetable };
}
