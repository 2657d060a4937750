/**
 * Counts the distinct products per value, for the match set of one segment.
 *
 * The effective values of a variant row are the product's values plus its own, and every matching
 * product has a passing variant row. So a product counts for its own values and those of its
 * *passing* variant rows (invariant I1).
 *
 * Two shortcuts, in addition to those of count-rows.ts:
 * - **The complement.** If every variant row passes and more than half of the products match, the
 *   products that do *not* match are counted and subtracted from the cached totals of the segment.
 *   An unfiltered page walks nothing.
 * - **Skipped values.** The ids of variants are values too, one per variant, but not a facet.
 *   Callers skip them if nobody needs their counts.
 *
 * Caches are attached to the segment; `countingBytes` returns their size.
 */
import type { Segment } from "../../segment/model/index.ts";
import type { SegmentMatches } from "../../query/index.ts";
import { countAllOf, countRows, scratch, STEPS_OF_ROW, type Span, type Tally } from "./count-rows.ts";
import { singleValuedBytes } from "./row-values.ts";
import { knownKeyBytes, sharedKeyBytes } from "./shared-keys.ts";

/** The counts of all products of a segment, including deleted ones. */
interface Totals {
  /** Distinct products per ordinal. */
  readonly counts: Uint32Array;
  readonly repeats: Tally["repeats"];
}

/** Computed on first use. */
const totalsBySegment = new WeakMap<Segment, Totals>();

/** Memory used for counting: the shared scratch and the caches of these segments. */
export function countingBytes(segments: Iterable<Segment>): number {
  let bytes = scratch.sizeBytes;
  for (const segment of segments) {
    bytes += sharedKeyBytes(segment) + knownKeyBytes(segment) + singleValuedBytes(segment);
    const totals = totalsBySegment.get(segment);
    bytes += (totals?.counts.byteLength ?? 0) + (totals?.repeats?.size ?? 0) * 32;
  }
  return bytes;
}

export const NO_SPAN: Span = { start: 0, end: 0 };

/**
 * Counts the values of `span`.
 *
 * @param skipped values that need not be counted
 */
export function tally(
  segment: Segment,
  matches: SegmentMatches,
  span: Span = { start: 0, end: segment.facets.valueCount },
  skipped: Span = NO_SPAN,
): Tally {
  if (matches.rows.length === 0 || span.start >= span.end) return EMPTY;
  const isBroad = matches.variantRows === null && matches.rows.length * 2 > segment.productCount;
  if (!isBroad) return walk(segment, matches.rows, matches.variantRows, span, skipped, null);
  const totals = totalsOf(segment);
  const rest = complementOf(matches.rows, segment.productCount);
  return walk(segment, rest, null, span, skipped, totals);
}

const EMPTY: Tally = {
  ordinals: new Uint32Array(0),
  counts: new Uint32Array(0),
  repeats: null,
};

function complementOf(rows: Uint32Array, rowCount: number): Uint32Array {
  const rest = new Uint32Array(rowCount - rows.length);
  if (rest.length === 0) return rest;
  let length = 0;
  let at = 0;
  for (let row = 0; row < rowCount; row++) {
    if (at < rows.length && rows[at] === row) at++;
    else rest[length++] = row;
  }
  return rest;
}

function totalsOf(segment: Segment): Totals {
  const known = totalsBySegment.get(segment);
  if (known !== undefined) return known;
  const { valueCount, variantDeltas, sameKey, productPostings } = segment.facets;
  const counts = new Uint32Array(valueCount);
  let repeats: Totals["repeats"] = null;
  if (variantDeltas === null && sameKey === null) {
    for (let ordinal = 0; ordinal < valueCount; ordinal++) {
      counts[ordinal] = productPostings.count(ordinal);
    }
  } else {
    const everyRow = new Uint32Array(segment.productCount);
    for (let row = 0; row < everyRow.length; row++) everyRow[row] = row;
    const span = { start: 0, end: valueCount };
    const all = walk(segment, everyRow, null, span, NO_SPAN, null);
    for (let i = 0; i < all.ordinals.length; i++) counts[all.ordinals[i]] = all.counts[i];
    ({ repeats } = all);
  }
  const totals = { counts, repeats };
  totalsBySegment.set(segment, totals);
  return totals;
}

/**
 * If `totals` is given, `rows` are the products that do not match, and their counts are subtracted.
 */
function walk(
  segment: Segment,
  rows: Uint32Array,
  variantRows: Uint32Array | null,
  span: Span,
  skipped: Span,
  totals: Totals | null,
): Tally {
  scratch.reserve(segment.facets.valueCount);
  let isOver = false;
  try {
    const first = Math.max(span.start, skipped.end);
    if (isDense(segment, rows.length, span, skipped)) {
      countAllOf(segment, rows, variantRows, first);
      const found = totals === null ? collectAll(first, span.end) : collectRest(totals, span, skipped);
      scratch.counts.fill(0, first, span.end);
      isOver = true;
      return found;
    }
    const length = countRows(segment, rows, variantRows, span, skipped);
    const found = totals === null ? collect(length) : collectRest(totals, span, skipped);
    const { counts, touched } = scratch;
    for (let i = 0; i < length; i++) counts[touched[i]] = 0;
    isOver = true;
    return found;
  } finally {
    if (!isOver) scratch.drop();
    scratch.repeats.clear();
  }
}

/** Scanning this many counts takes as long as counting one value. */
const COUNTS_PER_VALUE = 4;

/** Whether `countAllOf` can count these rows and is faster. */
function isDense({ facets }: Segment, rowCount: number, span: Span, skipped: Span): boolean {
  const isAll = span.start === 0 && span.end === facets.valueCount;
  // The field of variant ids usually comes first, because its name sorts before those of other
  // fields.
  const isFirst = skipped.start >= skipped.end || (skipped.start === 0 && !facets.fieldOf(skipped.start).onProducts);
  const looked = span.end - Math.max(span.start, skipped.end);
  const isMany = rowCount * STEPS_OF_ROW * COUNTS_PER_VALUE > looked;
  return isAll && isFirst && isMany && facets.sameKey === null;
}

/** The ordinals from `first` on that have a count. */
function collectAll(first: number, end: number): Tally {
  const { counts, touched } = scratch;
  let length = 0;
  for (let ordinal = first; ordinal < end; ordinal++) {
    // Always written, and kept only if it has a count: cheaper than a branch.
    touched[length] = ordinal;
    length += counts[ordinal] === 0 ? 0 : 1;
  }
  const ordinals = touched.slice(0, length);
  const found = new Uint32Array(length);
  for (let i = 0; i < length; i++) found[i] = counts[ordinals[i]];
  return { ordinals, counts: found, repeats: null };
}

/** The touched ordinals, sorted and copied out of the scratch. */
function collect(length: number): Tally {
  const { counts, touched } = scratch;
  const ordinals = touched.slice(0, length).sort();
  const found = new Uint32Array(length);
  for (let i = 0; i < length; i++) found[i] = counts[ordinals[i]];
  const { repeats } = scratch;
  return { ordinals, counts: found, repeats: repeats.size === 0 ? null : new Map(repeats) };
}

/** The rest of the totals. Every value has products, except ordinals that belong to no field. */
function collectRest({ counts: totals, repeats: totalRepeats }: Totals, { start, end }: Span, skipped: Span): Tally {
  const { counts } = scratch;
  const skipStart = Math.min(end, Math.max(start, skipped.start));
  const skipEnd = Math.min(end, Math.max(skipStart, skipped.end));
  const ordinals = new Uint32Array(end - start - (skipEnd - skipStart));
  const found = new Uint32Array(ordinals.length);
  let length = 0;
  for (const [from, to] of [
    [start, skipStart],
    [skipEnd, end],
  ]) {
    for (let ordinal = from; ordinal < to; ordinal++) {
      const count = totals[ordinal] - counts[ordinal];
      if (count === 0) continue;
      ordinals[length] = ordinal;
      found[length++] = count;
    }
  }
  const repeats = new Map<number, number>();
  for (const [group, total] of totalRepeats ?? []) {
    if (group < start || group >= end || (group >= skipStart && group < skipEnd)) continue;
    const count = total - (scratch.repeats.get(group) ?? 0);
    if (count > 0) repeats.set(group, count);
  }
  return {
    ordinals: ordinals.subarray(0, length),
    counts: found.subarray(0, length),
    repeats: repeats.size === 0 ? null : repeats,
  };
}
