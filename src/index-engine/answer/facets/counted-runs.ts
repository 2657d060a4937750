/**
 * Counts of one segment by field. One pass over the counted ordinals, without reading names or
 * creating objects per field: only a few of thousands of fields are looked up by name.
 *
 *   ordinals   3 4 | 9 | 12 15 17         counts   2 1 | 4 | 1 1 5
 *   run        0     1   2                sums     3     4   7          largest   2 4 5
 */
import { hasBit, hasBitIn, lowerBound } from "../../base/index.ts";
import type { FacetField, FacetKind, Segment } from "../../segment/model/index.ts";
import type { Tally } from "./count-rows.ts";
import { groupsOf, type CountedPart } from "./part-groups.ts";

/** Counts of facetable entries. */
export interface FacetableCounts {
  readonly sum: number;
  readonly largest: number;
}

export class CountedRuns {
  readonly segment: Segment;
  readonly tally: Tally;
  /** The field of each run. */
  readonly fields: readonly FacetField[];
  readonly sums: Float64Array;
  /** 1 if a counted value is filter-only here. */
  readonly hides: Uint8Array;

  constructor(segment: Segment, tally: Tally) {
    this.segment = segment;
    this.tally = tally;
    const { ordinals } = tally;
    const { facets } = segment;
    const { filterOnly } = facets;
    const fields: FacetField[] = [];
    const sums: number[] = [];
    const hides: number[] = [];
    const repeats = [...(tally.repeats ?? [])].sort((a, b) => a[0] - b[0]);
    let repeat = 0;
    for (let from = 0; from < ordinals.length;) {
      const field = facets.fieldOf(ordinals[from]);
      const { start, end } = field;
      let to = from;
      let sum = 0;
      let isHiding = 0;
      while (to < ordinals.length && ordinals[to] < end) sum += tally.counts[to++];
      for (; repeat < repeats.length && repeats[repeat][0] < end; repeat++) {
        sum -= repeats[repeat][1];
      }
      if (filterOnly !== null && hasBitIn(filterOnly, start, end)) {
        for (let at = from; at < to; at++) if (hasBit(filterOnly, ordinals[at])) isHiding = 1;
        ({ sum } = facetableCounts({ segment, field, tally, from, to }));
      }
      fields.push(field);
      sums.push(sum);
      hides.push(isHiding);
      from = to;
    }
    this.fields = fields;
    this.sums = Float64Array.from(sums);
    this.hides = Uint8Array.from(hides);
  }

  /** The counted ordinals of a field: positions [from, to) of the tally. */
  range({ start, end }: FacetField): readonly [from: number, to: number] {
    const { ordinals } = this.tally;
    const from = lowerBound(ordinals, 0, ordinals.length, start);
    return [from, lowerBound(ordinals, from, ordinals.length, end)];
  }

  /** Visits each field whose facetable values have at least the minimum coverage of its kind. */
  each(
    least: Readonly<Record<FacetKind, number>>,
    visit: (field: FacetField, sum: number, isHiding: boolean) => void,
  ): void {
    const { fields, sums, hides } = this;
    for (let run = 0; run < fields.length; run++) {
      const field = fields[run];
      if (sums[run] >= least[field.kind]) visit(field, sums[run], hides[run] === 1);
    }
  }
}

/** The counts of the facetable groups of a part. */
export function facetableCounts(part: CountedPart): FacetableCounts {
  const { size, counts, facetable } = groupsOf(part);
  let sum = 0;
  let largest = 0;
  for (let group = 0; group < size; group++) {
    if (facetable !== null && facetable[group] === 0) continue;
    sum += counts[group];
    if (counts[group] > largest) largest = counts[group];
  }
  return { sum, largest };
}
