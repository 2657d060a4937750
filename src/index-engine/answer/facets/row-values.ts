/** The values of a field, product by product of one segment, for ranges: a product may have several values. */
import { getOrInsert, hasBit, hasBitIn, lowerBound, type Offsets, work } from "../../base/index.ts";
import { KeptWithSegments, LARGEST_DELTA, type FacetField, type Segment } from "../../segment/model/index.ts";
import type { SegmentMatches } from "../../query/index.ts";
import { STEPS_OF_ROW, type Span, type Tally } from "./count-rows.ts";
import type { FieldPart } from "./field-part.ts";
import { firstOfGroup } from "../../segment/facet-values/index.ts";

/** First ordinal of a field -> whether no product has two of its values. */
const singleValued = new KeptWithSegments<Map<number, boolean>>("facetCounts", ({ size }) => size * 32);

export interface Range {
  readonly lower: number;
  readonly upper: number;
}

/**
 * Adds the number of distinct counted products with a value in each range to `sums`. Ranges ascend and do not overlap.
 */
export function countPartRanges(part: FieldPart, ranges: readonly Range[], sums: number[]): void {
  const { segment, field, matches, within, ordinals, products } = part;
  const { facets } = segment;
  const spans = ranges.map(({ lower, upper }) => facets.numberRange(field, lower, upper));
  if (isSingleValued(segment, field)) {
    for (const [range, [start, end]] of spans.entries()) {
      const to = lowerBound(ordinals, 0, ordinals.length, end);
      let sum = 0;
      for (let at = lowerBound(ordinals, 0, to, start); at < to; at++) sum += products[at];
      sums[range] += sum;
    }
    return;
  }
  // Range of each ordinal of the field, -1 for none.
  const rangeOf = new Int32Array(field.end - field.start).fill(-1);
  spans.forEach(([start, end], range) => {
    rangeOf.fill(range, start - field.start, end - field.start);
  });
  const filterOnly = filterOnlyIn(segment, field);
  const seen = new Int32Array(ranges.length).fill(-1);
  eachMatchingValue(segment, matches, field, (row, ordinal) => {
    const at = ordinal - field.start;
    const range = rangeOf[at];
    if (range === -1 || seen[range] === row || (within !== null && within[at] === 0)) return;
    if (filterOnly !== null && hasBit(filterOnly, ordinal)) return;
    seen[range] = row;
    sums[range]++;
  });
}

function filterOnlyIn({ facets: { filterOnly } }: Segment, { start, end }: Span): Uint32Array | null {
  return filterOnly !== null && hasBitIn(filterOnly, start, end) ? filterOnly : null;
}

/** Counts only the facetable values of a field that `within` marks, as in CountInput. */
export function tallyWithin(segment: Segment, matches: SegmentMatches, field: Span, within: Uint8Array): Tally {
  work.spend(matches.rows.length * STEPS_OF_ROW);
  const { sameKey } = segment.facets;
  const filterOnly = filterOnlyIn(segment, field);
  const countOf = new Uint32Array(within.length);
  const seen = new Int32Array(within.length).fill(-1);
  const groupSeen = new Int32Array(within.length).fill(-1);
  const repeats = new Map<number, number>();
  eachMatchingValue(segment, matches, field, (row, ordinal) => {
    const at = ordinal - field.start;
    if (within[at] === 0 || seen[at] === row || (filterOnly !== null && hasBit(filterOnly, ordinal))) return;
    seen[at] = row;
    countOf[at]++;
    const group = firstOfGroup(sameKey, ordinal);
    if (groupSeen[group - field.start] === row) repeats.set(group, (repeats.get(group) ?? 0) + 1);
    groupSeen[group - field.start] = row;
  });
  const counted = Uint32Array.from(countOf.keys()).filter((at) => countOf[at] > 0);
  return {
    ordinals: counted.map((at) => at + field.start),
    counts: counted.map((at) => countOf[at]),
    repeats: repeats.size === 0 ? null : repeats,
  };
}

/** Visits the field's values of matching products, row by row. */
function eachMatchingValue(
  segment: Segment,
  { rows, variantRows }: SegmentMatches,
  field: Span,
  visit: (row: number, ordinal: number) => void,
): void {
  const eachValue = valuesOfRows(segment, field, variantRows);
  let row = 0;
  const add = (ordinal: number): true => {
    visit(row, ordinal);
    return true;
  };
  for (let i = 0; i < rows.length; i++) {
    row = rows[i];
    eachValue(row, add);
  }
}

/** Whether no product of the segment has two values of the field, including those of its variants. Cached. */
export function isSingleValued(segment: Segment, field: FacetField): boolean {
  if (field.single !== null) return field.single;
  const { base } = segment;
  // A changed number is the only value of the field that its product has, before and after the
  // change (index/doc-values/segment.ts).
  if (segment !== base && !field.onVariants) {
    const before = base.facets.field(field.name, field.kind);
    if (before !== null) return isSingleValued(base, before);
  }
  const known = getOrInsert(singleValued, segment, () => new Map());
  return getOrInsert(known, field.start, () => hasSingleValues(segment, field));
}

function hasSingleValues(segment: Segment, field: Span): boolean {
  const eachValue = valuesOfRows(segment, field, null);
  let value = -1;
  const isOnlyOne = (ordinal: number): boolean => {
    if (value !== -1 && value !== ordinal) return false;
    value = ordinal;
    return true;
  };
  for (let row = 0; row < segment.productCount; row++) {
    value = -1;
    if (!eachValue(row, isOnlyOne)) return false;
  }
  return true;
}

/** Visits values of a product and its passing variants until `visit` returns false. Returns whether it never did. */
type EachValue = (row: number, visit: (ordinal: number) => boolean) => boolean;

/**
 * A value that several variants have is visited several times.
 * @param variantRows bit per variant row that passes; null: all
 */
export function valuesOfRows(
  { facets, variantRows: owned }: Segment,
  { start, end }: Span,
  variantRows: Uint32Array | null,
): EachValue {
  const { beforeProducts, productDeltaStarts, productDeltas, variantDeltaStarts, variantDeltas } = facets;

  function each(starts: Offsets, deltas: Uint16Array, row: number, before: number, visit: Parameters<EachValue>[1]) {
    let ordinal = before;
    const to = starts.at(row + 1);
    for (let at = starts.at(row); at < to; at++) {
      const delta = deltas[at];
      ordinal += delta === 0 ? LARGEST_DELTA : delta;
      if (ordinal >= end) return true;
      if (delta !== 0 && ordinal >= start && !visit(ordinal)) return false;
    }
    return true;
  }

  return (row, visit) => {
    if (!each(productDeltaStarts, productDeltas, row, beforeProducts, visit)) return false;
    if (variantDeltaStarts === null || variantDeltas === null) return true;
    const last = owned.first(row + 1);
    for (let variantRow = owned.first(row); variantRow < last; variantRow++) {
      if (variantRows !== null && !hasBit(variantRows, variantRow)) continue;
      if (!each(variantDeltaStarts, variantDeltas, variantRow, -1, visit)) return false;
    }
    return true;
  };
}
