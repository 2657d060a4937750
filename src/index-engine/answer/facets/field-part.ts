/** The counted values of a field in one segment, by group: what forms one facet entry (`FacetData.sameKey`). */
import { hasBitIn, lowerBound } from "../../base/index.ts";
import type { SegmentMatches } from "../../query/index.ts";
import { firstOfGroup } from "../../segment/facet-values/index.ts";
import type { FacetField, Segment } from "../../segment/model/index.ts";
import type { Tally } from "./count-rows.ts";

export class FieldPart {
  readonly segment: Segment;
  readonly field: FacetField;
  readonly matches: SegmentMatches;
  /** Which values of the field were counted, as in CountInput; null: all. */
  readonly within: Uint8Array | null;
  /** Value ordinals, ascending. */
  readonly ordinals: Uint32Array;
  /** Distinct products per ordinal. */
  readonly products: Uint32Array;
  /** Distinct products per group. */
  readonly counts: Uint32Array;
  /** Position of the first value of each group, and the number of values. Null: each value is a group. */
  readonly #starts: Uint32Array | null;

  constructor(
    segment: Segment,
    field: FacetField,
    { ordinals, counts: products, repeats }: Tally,
    matches: SegmentMatches,
    within: Uint8Array | null,
  ) {
    this.segment = segment;
    this.field = field;
    this.matches = matches;
    this.within = within;
    this.ordinals = ordinals;
    this.products = products;
    const { sameKey } = segment.facets;
    if (sameKey === null || !hasBitIn(sameKey, field.start, field.end)) {
      this.counts = products;
      this.#starts = null;
      return;
    }
    const starts = new Uint32Array(ordinals.length + 1);
    const counts = new Uint32Array(ordinals.length);
    let size = 0;
    let current = -1;
    for (let at = 0; at < ordinals.length; at++) {
      const first = firstOfGroup(sameKey, ordinals[at]);
      if (first !== current) {
        current = first;
        // Negative until the counts of its values are added.
        counts[size] = -(repeats?.get(first) ?? 0);
        starts[size++] = at;
      }
      counts[size - 1] += products[at];
    }
    starts[size] = ordinals.length;
    this.counts = counts.subarray(0, size);
    this.#starts = starts;
  }

  /** Whether each value is a group of its own. */
  get isPlain(): boolean {
    return this.#starts === null;
  }

  /** Number of groups. */
  get size(): number {
    return this.counts.length;
  }

  get sum(): number {
    const { counts } = this;
    let sum = 0;
    for (let group = 0; group < counts.length; group++) sum += counts[group];
    return sum;
  }

  get largestCount(): number {
    return largest(this.counts);
  }

  /** The values of group g are at [start(g), start(g + 1)) of `ordinals`. */
  start(group: number): number {
    return this.#starts === null ? group : this.#starts[group];
  }

  /** The first ordinal of each group, even if it was not counted. Ascending. */
  firstOrdinals(): Uint32Array {
    const { sameKey } = this.segment.facets;
    if (this.#starts === null) return this.ordinals;
    const firsts = new Uint32Array(this.size);
    for (let group = 0; group < firsts.length; group++) {
      firsts[group] = firstOfGroup(sameKey, this.ordinals[this.start(group)]);
    }
    return firsts;
  }

  /** The group with this first ordinal, or -1 if it was not counted. */
  find(first: number): number {
    // If the group was counted, its smallest counted ordinal is the first counted one from `first` on.
    const { ordinals } = this;
    const at = lowerBound(ordinals, 0, ordinals.length, first);
    if (at === ordinals.length || firstOfGroup(this.segment.facets.sameKey, ordinals[at]) !== first) return -1;
    return this.#starts === null ? at : lowerBound(this.#starts, 0, this.size, at);
  }
}

export function largest(counts: Uint32Array): number {
  let most = 0;
  for (let i = 0; i < counts.length; i++) if (counts[i] > most) most = counts[i];
  return most;
}
