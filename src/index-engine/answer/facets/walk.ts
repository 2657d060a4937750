/**
 * Counts the distinct products per value, for the match set of one segment.
 *
 * The effective values of a variant row are the product's values plus its own, and every matching product has a
 * passing variant row. So a product counts for its own values and those of its *passing* variant rows (invariant I1).
 *
 * Three shortcuts:
 * - **The complement.** If every variant row passes and more than half of the products match, the products that do
 *   *not* match are counted and subtracted from the cached totals of the segment. An unfiltered page walks nothing.
 * - **Effective rows.** If every variant row passes, one list per product is counted (effective-rows.ts).
 * - **Skipped values.** The ids of variants are values too, one per variant, but not a facet.
 *
 * Caches are attached to the segment; `countingBytes` returns their size.
 */
import { getOrInsert, hasBit, setBit, wordsFor, writeRows } from "../../base/index.ts";
import { keptBytes, KeptWithSegments, type Segment } from "../../segment/model/index.ts";
import type { SegmentMatches } from "../../query/index.ts";
import {
  countAllEffective,
  countAllOf,
  countEffective,
  countRows,
  scratch,
  STEPS_OF_ROW,
  type Span,
  type Tally,
} from "./count-rows.ts";
import { effectiveRows, type EffectiveRows } from "./effective-rows.ts";
import { repeatsOf } from "./repeats.ts";
import { sameGroupBytes } from "./same-groups.ts";

/** Distinct products per ordinal, of all products of a segment, including deleted ones. Counted on first use. */
const totalsBySegment = new KeptWithSegments<Uint32Array>("facetCounts", ({ byteLength }) => byteLength);

/** Memory used for counting: the shared scratch and the caches of these segments. */
export function countingBytes(segments: Iterable<Segment>): number {
  let bytes = scratch.sizeBytes;
  for (const segment of segments) bytes += keptBytes("facetCounts", segment) + sameGroupBytes(segment);
  return bytes;
}

export const NO_SPAN: Span = { start: 0, end: 0 };

/**
 * Counts the facetable values of `span`.
 * @param skipped filter-only values of variants, which are not looked at
 */
export function tally(
  segment: Segment,
  matches: SegmentMatches,
  span: Span = { start: 0, end: segment.facets.valueCount },
  skipped: Span = NO_SPAN,
): Tally {
  const { rows, variantRows } = matches;
  if (rows.length === 0 || span.start >= span.end) return EMPTY;
  const isBroad = variantRows === null && rows.length * 2 > segment.productCount;
  const walked = isBroad ? complementOf(rows, segment.productCount) : rows;
  const effective = variantRows === null ? effectiveRows(segment, walked.length) : null;
  const totals = isBroad ? totalsOf(segment) : null;
  const counted = walk(segment, { rows: walked, variantRows, effective }, span, skipped, totals);
  return { ...counted, repeats: repeatsOf(segment, matches, span) };
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

function totalsOf(segment: Segment): Uint32Array {
  return getOrInsert(totalsBySegment, segment, () => {
    const { valueCount } = segment.facets;
    const counts = new Uint32Array(valueCount);
    const everyRow = new Uint32Array(segment.productCount).map((_, row) => row);
    const all = walk(
      segment,
      { rows: everyRow, variantRows: null, effective: null },
      { start: 0, end: valueCount },
      NO_SPAN,
      null,
    );
    all.ordinals.forEach((ordinal, i) => (counts[ordinal] = all.counts[i]));
    return counts;
  });
}

/** If `totals` is given, `rows` are the products that do not match, and their counts are subtracted. */
function walk(
  segment: Segment,
  { rows, variantRows, effective }: SegmentMatches & { readonly effective: EffectiveRows | null },
  span: Span,
  skipped: Span,
  totals: Uint32Array | null,
): Omit<Tally, "repeats"> {
  scratch.reserve(segment.facets.valueCount);
  let isOver = false;
  try {
    const isDense = countsAll(segment, rows.length, span, skipped);
    let length = 0;
    if (effective === null) {
      if (isDense) countAllOf(segment, rows, variantRows, skipped);
      else length = countRows(segment, rows, variantRows, span, skipped);
    } else if (isDense) countAllEffective(effective, rows);
    else length = countEffective(effective, rows, span);
    const { counts, touched } = scratch;
    const scanned = isDense || totals !== null ? around(span, skipped) : null;
    if (totals !== null) for (const part of scanned ?? []) subtractFrom(totals, part);
    const counted = scanned === null ? sortedTouched(length, span) : scan(scanned);
    const ordinals = withoutFilterOnly(segment, counted);
    const found = new Uint32Array(ordinals.length);
    for (let i = 0; i < found.length; i++) found[i] = counts[ordinals[i]];
    for (const { start, end } of scanned ?? []) counts.fill(0, start, end);
    if (scanned === null) for (let i = 0; i < length; i++) counts[touched[i]] = 0;
    isOver = true;
    return { ordinals, counts: found };
  } finally {
    if (!isOver) scratch.drop();
  }
}

/** Scanning this many counts takes as long as counting one value. */
const COUNTS_PER_VALUE = 4;

/** Whether `countAllOf` can count these rows and is faster. */
function countsAll({ facets }: Segment, rowCount: number, span: Span, skipped: Span): boolean {
  const isAll = span.start === 0 && span.end === facets.valueCount;
  const looked = span.end - (skipped.end - skipped.start);
  return isAll && rowCount * STEPS_OF_ROW * COUNTS_PER_VALUE > looked;
}

/** The parts of a span before and after the skipped values. */
function around({ start, end }: Span, skipped: Span): readonly Span[] {
  return [
    { start, end: Math.min(end, Math.max(start, skipped.start)) },
    { start: Math.max(start, Math.min(end, skipped.end)), end },
  ];
}

function subtractFrom(all: Uint32Array, { start, end }: Span): void {
  const { counts } = scratch;
  for (let ordinal = start; ordinal < end; ordinal++) counts[ordinal] = all[ordinal] - counts[ordinal];
}

/** The ordinals that have a count. */
function scan(parts: readonly Span[]): Uint32Array {
  const { counts, touched } = scratch;
  let length = 0;
  for (const { start, end } of parts) {
    for (let ordinal = start; ordinal < end; ordinal++) {
      // Always written, and kept only if it has a count: cheaper than a branch.
      touched[length] = ordinal;
      length += counts[ordinal] === 0 ? 0 : 1;
    }
  }
  return touched.slice(0, length);
}

/** Scanning the bits of this many ordinals costs as much as sorting one. */
const BITS_PER_SORTED = 512;

function sortedTouched(length: number, { start, end }: Span): Uint32Array {
  const { touched, touchedBits } = scratch;
  const ordinals = touched.slice(0, length);
  if (length * BITS_PER_SORTED < end - start) return ordinals.sort();
  for (let i = 0; i < length; i++) setBit(touchedBits, ordinals[i]);
  const bits = touchedBits.subarray(start >>> 5, wordsFor(end));
  writeRows(bits, ordinals);
  const first = start & ~31;
  if (first > 0) for (let i = 0; i < length; i++) ordinals[i] += first;
  bits.fill(0);
  return ordinals;
}

/** Changes `ordinals`. */
function withoutFilterOnly({ facets: { filterOnly } }: Segment, ordinals: Uint32Array): Uint32Array {
  if (filterOnly === null) return ordinals;
  let length = 0;
  for (let i = 0; i < ordinals.length; i++) {
    if (!hasBit(filterOnly, ordinals[i])) ordinals[length++] = ordinals[i];
  }
  return ordinals.subarray(0, length);
}
