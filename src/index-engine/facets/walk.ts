/**
 * One segment, one match set -> how many distinct products carry each value. The inner loop of facet counting.
 *
 *   rows 3 5 9   --productValues (CSR)-->  counts[ordinal]++ , a new ordinal joins the touched list
 *                --passing variant rows, variantValues-->  the same, once per product (stamp)
 *
 * The effective values of a variant row are the product's own and its own, and a matching product has a passing variant row; so
 * a product carries its own values and those of its *passing* variant rows (invariant I1).
 *
 * Three things keep it exact and cheap:
 * - **Stamps.** A value that several passing variants share, or that the product has too, counts once: `stamps[ordinal]` holds
 *   the number of the last product that counted it. Segments without variant values skip this.
 * - **Groups.** Ordinals that are one facet entry (`Red` and `red`, or one value with two ids) are counted as ordinals (spelling
 *   and id are chosen by them) and, only where such groups exist, once more as a group with a stamp of its own.
 * - **The complement.** When every variant row passes and more than half of the products match, the products that do *not*
 *   match are counted and subtracted from the totals of the segment, which are kept. An unfiltered page walks nothing.
 *
 * The scratch arrays are shared by all segments of the isolate (counting never awaits): they are as long as the longest value
 * table, and left as zeros. What is kept per segment hangs on the segment: `countingBytes` says how much.
 */
import { hasBit } from "../bits.ts";
import type { Segment, SegmentMatches } from "../model.ts";

/** Value ordinals with a count > 0, ascending. */
export interface Tally {
  readonly ordinals: Uint32Array;
  /** Distinct products per ordinal, in the order of `ordinals`. */
  readonly counts: Uint32Array;
  /** First ordinal of a group with several ordinals -> distinct products; null when the segment has no such group. */
  readonly groupCounts: ReadonlyMap<number, number> | null;
}

/** What counting keeps per segment. */
interface Kept {
  /** Bit per ordinal that belongs to a group of several; null when there are none. */
  readonly shared: Uint32Array | null;
  /** Distinct products per ordinal, deleted ones included; made when first needed. */
  totals: Uint32Array | null;
  /** The same per group of several ordinals, by its first. */
  groupTotals: ReadonlyMap<number, number> | null;
  /** First ordinal of a field -> whether no product has two of its values. */
  readonly singleValued: Map<number, boolean>;
}

const keptBySegment = new WeakMap<Segment, Kept>();

let counts = new Uint32Array(0);
let touched = new Uint32Array(0);
let stamps = new Uint32Array(0);
let groupStamps = new Uint32Array(0);
let groupCounts = new Uint32Array(0);
let touchedGroups: number[] = [];
let lastStamp = 0;

function reserve(valueCount: number, rowCount: number): void {
  if (counts.length < valueCount) {
    const length = Math.max(valueCount, Math.min(counts.length * 2, counts.length + 65_536));
    counts = new Uint32Array(length);
    touched = new Uint32Array(length);
    stamps = new Uint32Array(length);
    groupStamps = new Uint32Array(0);
    groupCounts = new Uint32Array(0);
    lastStamp = 0;
  }
  if (lastStamp + rowCount >= 0xffffffff) {
    stamps.fill(0);
    groupStamps.fill(0);
    lastStamp = 0;
  }
}

function reserveGroups(): void {
  if (groupStamps.length === counts.length) return;
  groupStamps = new Uint32Array(counts.length);
  groupCounts = new Uint32Array(counts.length);
}

/** Bytes that counting holds: the shared scratch and what hangs on these segments. */
export function countingBytes(segments: Iterable<Segment>): number {
  let bytes = (counts.length + touched.length + stamps.length + 2 * groupStamps.length) * 4;
  for (const segment of segments) {
    const kept = keptBySegment.get(segment);
    if (kept === undefined) continue;
    bytes += (kept.shared?.byteLength ?? 0) + (kept.totals?.byteLength ?? 0);
    bytes += ((kept.groupTotals?.size ?? 0) + kept.singleValued.size) * 32;
  }
  return bytes;
}

function keptOf(segment: Segment): Kept {
  const known = keptBySegment.get(segment);
  if (known !== undefined) return known;
  const kept = {
    shared: sharedOrdinals(segment),
    totals: null,
    groupTotals: null,
    singleValued: new Map<number, boolean>(),
  };
  keptBySegment.set(segment, kept);
  return kept;
}

function sharedOrdinals(segment: Segment): Uint32Array | null {
  const { groupOf, valueCount } = segment.facets;
  let shared: Uint32Array | null = null;
  for (let ordinal = 0; ordinal < valueCount; ordinal++) {
    const first = groupOf[ordinal];
    if (first === ordinal) continue;
    shared ??= new Uint32Array((valueCount + 31) >>> 5);
    shared[ordinal >>> 5] |= 1 << ordinal;
    shared[first >>> 5] |= 1 << first;
  }
  return shared;
}

/** Counts the values with ordinals in [start, end). */
export function tally(
  segment: Segment,
  matches: SegmentMatches,
  start: number = 0,
  end: number = segment.facets.valueCount,
): Tally {
  if (matches.rows.length === 0 || start >= end) return EMPTY;
  const kept = keptOf(segment);
  const isBroad = matches.variantRows === null && matches.rows.length * 2 > segment.productCount;
  if (!isBroad) {
    return walk(segment, kept, matches.rows, matches.variantRows, start, end, null);
  }
  const totals = totalsOf(segment, kept);
  if (matches.rows.length === segment.productCount) {
    return collectTotals(totals, kept.groupTotals, start, end);
  }
  const rest = complementOf(matches.rows, segment.productCount);
  return walk(segment, kept, rest, null, start, end, totals);
}

const EMPTY: Tally = {
  ordinals: new Uint32Array(0),
  counts: new Uint32Array(0),
  groupCounts: null,
};

function complementOf(rows: Uint32Array, rowCount: number): Uint32Array {
  const rest = new Uint32Array(rowCount - rows.length);
  let length = 0;
  let at = 0;
  for (let row = 0; row < rowCount; row++) {
    if (at < rows.length && rows[at] === row) at++;
    else rest[length++] = row;
  }
  return rest;
}

function totalsOf(segment: Segment, kept: Kept): Uint32Array {
  if (kept.totals !== null) return kept.totals;
  const { valueCount, variantValues, productPostings } = segment.facets;
  const totals = new Uint32Array(valueCount);
  if (variantValues === null && kept.shared === null) {
    for (let ordinal = 0; ordinal < valueCount; ordinal++) {
      totals[ordinal] = productPostings.count(ordinal);
    }
  } else {
    const everyRow = new Uint32Array(segment.productCount);
    for (let row = 0; row < everyRow.length; row++) everyRow[row] = row;
    const all = walk(segment, kept, everyRow, null, 0, valueCount, null);
    for (let i = 0; i < all.ordinals.length; i++) totals[all.ordinals[i]] = all.counts[i];
    kept.groupTotals = all.groupCounts;
  }
  kept.totals = totals;
  return totals;
}

/** `totals` given: `rows` are those that do not match, and are taken from the totals. */
function walk(
  segment: Segment,
  kept: Kept,
  rows: Uint32Array,
  variantRows: Uint32Array | null,
  start: number,
  end: number,
  totals: Uint32Array | null,
): Tally {
  reserve(segment.facets.valueCount, rows.length);
  if (kept.shared !== null) reserveGroups();
  let length = 0;
  try {
    length =
      segment.facets.variantValues === null && kept.shared === null
        ? walkProducts(segment, rows, start, end)
        : walkVariants(segment, kept.shared, rows, variantRows, start, end);
    return totals === null
      ? collect(length, start, end, kept.shared !== null)
      : collectRest(totals, kept.groupTotals, start, end);
  } finally {
    for (let i = 0; i < length; i++) counts[touched[i]] = 0;
    for (const first of touchedGroups) groupCounts[first] = 0;
    touchedGroups = [];
  }
}

/** Values of products only, every group of one ordinal: no value comes twice. Returns the length of `touched`. */
function walkProducts(segment: Segment, rows: Uint32Array, start: number, end: number): number {
  const { productStarts, productValues, valueCount } = segment.facets;
  let length = 0;
  if (start === 0 && end === valueCount) {
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i];
      const last = productStarts[row + 1];
      for (let at = productStarts[row]; at < last; at++) {
        const ordinal = productValues[at];
        if (counts[ordinal]++ === 0) touched[length++] = ordinal;
      }
    }
    return length;
  }
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    const last = productStarts[row + 1];
    for (let at = productStarts[row]; at < last; at++) {
      const ordinal = productValues[at];
      if (ordinal < start) continue;
      if (ordinal >= end) break;
      if (counts[ordinal]++ === 0) touched[length++] = ordinal;
    }
  }
  return length;
}

function walkVariants(
  segment: Segment,
  shared: Uint32Array | null,
  rows: Uint32Array,
  variantRows: Uint32Array | null,
  start: number,
  end: number,
): number {
  const { productStarts, productValues, variantStarts, variantValues, groupOf } = segment.facets;
  const { hasVariants, variantRowStarts } = segment;
  let length = 0;
  let stamp = lastStamp;
  lastStamp += rows.length;

  function add(ordinal: number): void {
    if (stamps[ordinal] === stamp) return;
    stamps[ordinal] = stamp;
    if (counts[ordinal]++ === 0) touched[length++] = ordinal;
    if (shared === null || !hasBit(shared, ordinal)) return;
    const first = groupOf[ordinal];
    if (groupStamps[first] === stamp) return;
    groupStamps[first] = stamp;
    if (groupCounts[first]++ === 0) touchedGroups.push(first);
  }

  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    stamp++;
    const last = productStarts[row + 1];
    for (let at = productStarts[row]; at < last; at++) {
      const ordinal = productValues[at];
      if (ordinal < start) continue;
      if (ordinal >= end) break;
      add(ordinal);
    }
    if (variantStarts === null || variantValues === null) continue;
    let variantRow = hasVariants ? variantRowStarts[row] : row;
    const lastVariantRow = hasVariants ? variantRowStarts[row + 1] : row + 1;
    for (; variantRow < lastVariantRow; variantRow++) {
      if (variantRows !== null && !hasBit(variantRows, variantRow)) continue;
      const lastValue = variantStarts[variantRow + 1];
      for (let at = variantStarts[variantRow]; at < lastValue; at++) {
        const ordinal = variantValues[at];
        if (ordinal < start) continue;
        if (ordinal >= end) break;
        add(ordinal);
      }
    }
  }
  return length;
}

/** The touched ordinals in order, copied out of the scratch. */
function collect(length: number, start: number, end: number, hasGroups: boolean): Tally {
  const ordinals = new Uint32Array(length);
  // Sorting costs about 16 steps an ordinal; looking through all of them costs one.
  if (length * 16 < end - start) {
    ordinals.set(touched.subarray(0, length));
    ordinals.sort();
  } else {
    let at = 0;
    for (let ordinal = start; ordinal < end; ordinal++) {
      if (counts[ordinal] !== 0) ordinals[at++] = ordinal;
    }
  }
  const found = new Uint32Array(length);
  for (let i = 0; i < length; i++) found[i] = counts[ordinals[i]];
  if (!hasGroups) return { ordinals, counts: found, groupCounts: null };
  const groups = new Map<number, number>();
  for (const first of touchedGroups) groups.set(first, groupCounts[first]);
  return { ordinals, counts: found, groupCounts: groups };
}

function collectRest(
  totals: Uint32Array,
  groupTotals: ReadonlyMap<number, number> | null,
  start: number,
  end: number,
): Tally {
  let length = 0;
  for (let ordinal = start; ordinal < end; ordinal++) {
    if (totals[ordinal] > counts[ordinal]) length++;
  }
  const ordinals = new Uint32Array(length);
  const found = new Uint32Array(length);
  let at = 0;
  for (let ordinal = start; ordinal < end; ordinal++) {
    const count = totals[ordinal] - counts[ordinal];
    if (count === 0) continue;
    ordinals[at] = ordinal;
    found[at++] = count;
  }
  if (groupTotals === null) return { ordinals, counts: found, groupCounts: null };
  const groups = new Map<number, number>();
  for (const [first, total] of groupTotals) {
    const count = total - groupCounts[first];
    if (count > 0) groups.set(first, count);
  }
  return { ordinals, counts: found, groupCounts: groups };
}

function collectTotals(
  totals: Uint32Array,
  groupTotals: ReadonlyMap<number, number> | null,
  start: number,
  end: number,
): Tally {
  // Every value of a segment is on some product of it, so there is nothing to leave out.
  const ordinals = new Uint32Array(end - start);
  for (let i = 0; i < ordinals.length; i++) ordinals[i] = start + i;
  return { ordinals, counts: totals.subarray(start, end), groupCounts: groupTotals };
}

/**
 * Distinct products with a value in each of the ordinal ranges, added to `sums`. The ranges ascend and do not overlap; all lie in
 * the field [start, end).
 */
export function countOrdinalRanges(
  segment: Segment,
  matches: SegmentMatches,
  field: { readonly start: number; readonly end: number },
  ranges: readonly (readonly [number, number])[],
  sums: number[],
): void {
  const { productStarts, productValues, variantStarts, variantValues } = segment.facets;
  const { hasVariants, variantRowStarts } = segment;
  // Range of each ordinal of the field, -1 for none.
  const rangeOf = new Int32Array(field.end - field.start).fill(-1);
  ranges.forEach(([start, end], range) => {
    rangeOf.fill(range, start - field.start, end - field.start);
  });
  const seen = new Int32Array(ranges.length).fill(-1);
  const { rows, variantRows } = matches;

  function add(row: number, ordinal: number): void {
    const range = rangeOf[ordinal - field.start];
    if (range === -1 || seen[range] === row) return;
    seen[range] = row;
    sums[range]++;
  }

  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    const last = productStarts[row + 1];
    for (let at = productStarts[row]; at < last; at++) {
      const ordinal = productValues[at];
      if (ordinal < field.start) continue;
      if (ordinal >= field.end) break;
      add(row, ordinal);
    }
    if (variantStarts === null || variantValues === null) continue;
    let variantRow = hasVariants ? variantRowStarts[row] : row;
    const lastVariantRow = hasVariants ? variantRowStarts[row + 1] : row + 1;
    for (; variantRow < lastVariantRow; variantRow++) {
      if (variantRows !== null && !hasBit(variantRows, variantRow)) continue;
      const lastValue = variantStarts[variantRow + 1];
      for (let at = variantStarts[variantRow]; at < lastValue; at++) {
        const ordinal = variantValues[at];
        if (ordinal < field.start) continue;
        if (ordinal >= field.end) break;
        add(row, ordinal);
      }
    }
  }
}

/** Whether no product of the segment has two values of the field [start, end), its variants' included. Kept. */
export function isSingleValued(
  segment: Segment,
  field: { readonly start: number; readonly end: number },
): boolean {
  const kept = keptOf(segment);
  const known = kept.singleValued.get(field.start);
  if (known !== undefined) return known;
  const single = hasSingleValues(segment, field.start, field.end);
  kept.singleValued.set(field.start, single);
  return single;
}

function hasSingleValues(segment: Segment, start: number, end: number): boolean {
  const { productStarts, productValues, variantStarts, variantValues } = segment.facets;
  const { hasVariants, variantRowStarts, productCount } = segment;
  for (let row = 0; row < productCount; row++) {
    let value = -1;
    const last = productStarts[row + 1];
    for (let at = productStarts[row]; at < last; at++) {
      const ordinal = productValues[at];
      if (ordinal < start) continue;
      if (ordinal >= end) break;
      if (value !== -1) return false;
      value = ordinal;
    }
    if (variantStarts === null || variantValues === null) continue;
    const first = variantStarts[hasVariants ? variantRowStarts[row] : row];
    const lastValue = variantStarts[hasVariants ? variantRowStarts[row + 1] : row + 1];
    for (let at = first; at < lastValue; at++) {
      const ordinal = variantValues[at];
      if (ordinal < start || ordinal >= end || ordinal === value) continue;
      if (value !== -1) return false;
      value = ordinal;
    }
  }
  return true;
}
