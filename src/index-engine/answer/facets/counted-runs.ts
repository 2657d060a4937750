/**
 * Counts of one segment by field. One pass over the counted ordinals, without reading names or
 * creating objects per field: only a few of thousands of fields are looked up by name.
 *
 *   ordinals   3 4 | 9 | 12 15 17         counts   2 1 | 4 | 1 1 5
 *   run        0     1   2                sums     3     4   7
 */
import { lowerBound } from "../../base/index.ts";
import type { FacetField, Segment } from "../../segment/model/index.ts";
import type { Tally } from "./count-rows.ts";

export class CountedRuns {
  /** The field of each run. */
  readonly fields: readonly FacetField[];
  /** The sum of the counts of its entries. */
  readonly sums: readonly number[];
  readonly #tally: Tally;

  constructor({ facets }: Segment, tally: Tally) {
    this.#tally = tally;
    const { ordinals, counts } = tally;
    const fields: FacetField[] = [];
    const sums: number[] = [];
    const repeats = [...(tally.repeats ?? [])].sort((a, b) => a[0] - b[0]);
    let repeat = 0;
    for (let at = 0; at < ordinals.length;) {
      const field = facets.fieldOf(ordinals[at]);
      const { end } = field;
      let sum = 0;
      while (at < ordinals.length && ordinals[at] < end) sum += counts[at++];
      for (; repeat < repeats.length && repeats[repeat][0] < end; repeat++) sum -= repeats[repeat][1];
      fields.push(field);
      sums.push(sum);
    }
    this.fields = fields;
    this.sums = sums;
  }

  /** The counted values of the field. */
  tallyOf({ start, end }: FacetField): Tally {
    const { ordinals, counts, repeats } = this.#tally;
    const from = lowerBound(ordinals, 0, ordinals.length, start);
    const to = lowerBound(ordinals, from, ordinals.length, end);
    return { ordinals: ordinals.subarray(from, to), counts: counts.subarray(from, to), repeats };
  }
}
