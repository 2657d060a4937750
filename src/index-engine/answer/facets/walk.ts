/**
 * One segment, one match set -> how many distinct products carry each value. The inner loop of facet counting.
 *
 *   rows 3 5 9   --productDistances-->  counts[ordinal]++ , a new ordinal joins the touched list
 *                --passing variant rows, variantDistances-->  the same, once per product (stamp)
 *
 * The effective values of a variant row are the product's own and its own, and a matching product has a passing
 * variant row; so a product carries its own values and those of its *passing* variant rows (invariant I1).
 *
 * Three things keep it exact and cheap:
 * - **Stamps.** A value that several passing variants share, or that the product has too, counts once: `stamps[ordinal]` holds
 *   the number of the last product that counted it. Products without variant values, nearly all, skip this.
 * - **Groups.** Ordinals that are one facet entry (`Red` and `red`, or one value with two ids) are counted as ordinals (spelling
 *   and id are chosen by them). A group counts their sum, less one for every further value of the group that a product has.
 * - **The complement.** When every variant row passes and more than half of the products match, the products that do *not*
 *   match are counted and subtracted from the totals of the segment, which are kept. An unfiltered page walks nothing.
 *
 * The scratch arrays are shared by all segments of the isolate (counting never awaits): they are as long as the
 * longest value table, and left as zeros. What is kept per segment hangs on the segment: `countingBytes` says how
 * much.
 */
import { emptyBits, hasBit, setBit, wordsFor, work, writeRows } from "../../base/index.ts";
import {
  LONGEST_DISTANCE,
  type FacetData,
  type FacetField,
  type Segment,
} from "../../segment/model/index.ts";
import type { SegmentMatches } from "../../query/index.ts";
import { fieldIdBytes } from "./field-ids.ts";
import { firstOfGroup } from "./groups.ts";
import { knownKeyBytes, sharedKeyBytes } from "./shared-keys.ts";

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
/** Bit per touched ordinal, for putting them in order. */
let touchedBits = new Uint32Array(0);
/** For products with values of variants; made when the first segment with such comes. */
let stamps = new Uint32Array(0);
/** The same by first ordinal of a group. */
let groupStamps = new Uint32Array(0);
let lastStamp = 0;
/** First ordinal of a group -> how often a product had a second value of it. */
const repeats = new Map<number, number>();

/** A walk has failed half-way, by a damaged page, say: what it has left is in none that follows. */
function drop(): void {
  counts = new Uint32Array(0);
  touched = counts;
  touchedBits = counts;
  stamps = counts;
  groupStamps = counts;
  lastStamp = 0;
}

function reserve(valueCount: number): void {
  if (counts.length >= valueCount) return;
  const length = Math.max(valueCount, Math.min(counts.length * 2, counts.length + 65_536));
  counts = new Uint32Array(length);
  touched = new Uint32Array(length);
  touchedBits = emptyBits(length);
}

function reserveStamps(rowCount: number): void {
  if (stamps.length !== counts.length || lastStamp + rowCount >= 0xffffffff) {
    stamps = new Uint32Array(counts.length);
    groupStamps = new Uint32Array(counts.length);
    lastStamp = 0;
  }
}

/** Bytes that counting holds: the shared scratch and what hangs on these segments. */
export function countingBytes(segments: Iterable<Segment>): number {
  let bytes =
    (counts.length + touched.length + touchedBits.length + stamps.length + groupStamps.length) * 4;
  for (const segment of segments) {
    const kept = keptBySegment.get(segment);
    bytes += sharedKeyBytes(segment) + knownKeyBytes(segment) + fieldIdBytes(segment);
    if (kept === undefined) continue;
    bytes += kept.totals?.byteLength ?? 0;
    bytes += ((kept.groupTotals?.size ?? 0) + kept.singleValued.size) * 32;
  }
  return bytes;
}

function keptOf(segment: Segment): Kept {
  const known = keptBySegment.get(segment);
  if (known !== undefined) return known;
  const kept = {
    totals: null,
    groupTotals: null,
    singleValued: new Map<number, boolean>(),
  };
  keptBySegment.set(segment, kept);
  return kept;
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
    return walk(segment, matches.rows, matches.variantRows, start, end, null, null);
  }
  const totals = totalsOf(segment, kept);
  if (matches.rows.length === segment.productCount) {
    return collectTotals(totals, kept.groupTotals, start, end);
  }
  const rest = complementOf(matches.rows, segment.productCount);
  return walk(segment, rest, null, start, end, totals, kept.groupTotals);
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
  const { valueCount, variantDistances, sameKey, productPostings } = segment.facets;
  const totals = new Uint32Array(valueCount);
  if (variantDistances === null && sameKey === null) {
    for (let ordinal = 0; ordinal < valueCount; ordinal++) {
      totals[ordinal] = productPostings.count(ordinal);
    }
  } else {
    const everyRow = new Uint32Array(segment.productCount);
    for (let row = 0; row < everyRow.length; row++) everyRow[row] = row;
    const all = walk(segment, everyRow, null, 0, valueCount, null, null);
    for (let i = 0; i < all.ordinals.length; i++) totals[all.ordinals[i]] = all.counts[i];
    kept.groupTotals = all.groupCounts;
  }
  kept.totals = totals;
  return totals;
}

/** `totals` given: `rows` are those that do not match, and are taken from the totals. */
function walk(
  segment: Segment,
  rows: Uint32Array,
  variantRows: Uint32Array | null,
  start: number,
  end: number,
  totals: Uint32Array | null,
  groupTotals: ReadonlyMap<number, number> | null,
): Tally {
  reserve(segment.facets.valueCount);
  let isOver = false;
  try {
    const length = countRows(segment, rows, variantRows, start, end);
    const { sameKey } = segment.facets;
    const found =
      totals === null
        ? collect(length, start, end, sameKey)
        : collectRest(totals, groupTotals, length, start, end, sameKey);
    for (let i = 0; i < length; i++) counts[touched[i]] = 0;
    isOver = true;
    return found;
  } finally {
    if (!isOver) drop();
    repeats.clear();
  }
}

/** Values of a row, about. */
const STEPS_OF_ROW = 16;

/** Fills `counts`, `touched` and `repeats`; returns the length of `touched`. */
function countRows(
  segment: Segment,
  rows: Uint32Array,
  variantRows: Uint32Array | null,
  start: number,
  end: number,
): number {
  work.spend(rows.length * STEPS_OF_ROW);
  const { facets, hasVariants, variantRowStarts } = segment;
  const { variantDistanceStarts, variantDistances, sameKey } = facets;
  const starts = facets.productDistanceStarts;
  const distances = facets.productDistances;
  if (variantDistanceStarts !== null) reserveStamps(rows.length);
  // Taken once: each is looked at for every value.
  const countOf = counts;
  const touchedOrdinals = touched;
  let length = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    if (variantDistanceStarts !== null && variantDistances !== null) {
      const first = hasVariants ? variantRowStarts[row] : row;
      const last = hasVariants ? variantRowStarts[row + 1] : row + 1;
      if (variantDistanceStarts[first] < variantDistanceStarts[last]) {
        length = countWithVariants(segment, row, variantRows, start, end, length);
        continue;
      }
    }
    let ordinal = -1;
    let before = -1;
    const rowEnd = starts[row + 1];
    for (let at = starts[row]; at < rowEnd; at++) {
      const distance = distances[at];
      if (distance === 0) {
        ordinal += LONGEST_DISTANCE;
        continue;
      }
      ordinal += distance;
      if (ordinal < start) continue;
      if (ordinal >= end) break;
      if (countOf[ordinal]++ === 0) touchedOrdinals[length++] = ordinal;
      if (sameKey === null) continue;
      // The values of a group are neighbours: a second one of the row comes right behind the first.
      if (hasBit(sameKey, ordinal)) {
        const group = firstOfGroup(sameKey, ordinal);
        if (before >= group) repeats.set(group, (repeats.get(group) ?? 0) + 1);
      }
      before = ordinal;
    }
  }
  return length;
}

/** A product that has values by its variants: its own values and those of its passing variants, each once. */
function countWithVariants(
  { facets, hasVariants, variantRowStarts }: Segment,
  row: number,
  variantRows: Uint32Array | null,
  start: number,
  end: number,
  touchedBefore: number,
): number {
  const { productDistanceStarts, productDistances, variantDistanceStarts, variantDistances } =
    facets;
  const { sameKey } = facets;
  const stamp = ++lastStamp;
  let length = touchedBefore;

  function add(distances: Uint16Array, from: number, to: number): void {
    let ordinal = -1;
    for (let at = from; at < to; at++) {
      if (distances[at] === 0) {
        ordinal += LONGEST_DISTANCE;
        continue;
      }
      ordinal += distances[at];
      if (ordinal < start || stamps[ordinal] === stamp) continue;
      if (ordinal >= end) return;
      stamps[ordinal] = stamp;
      if (counts[ordinal]++ === 0) touched[length++] = ordinal;
      if (sameKey === null) continue;
      const group = firstOfGroup(sameKey, ordinal);
      if (groupStamps[group] === stamp) repeats.set(group, (repeats.get(group) ?? 0) + 1);
      groupStamps[group] = stamp;
    }
  }

  add(productDistances, productDistanceStarts[row], productDistanceStarts[row + 1]);
  if (variantDistanceStarts === null || variantDistances === null) return length;
  let variantRow = hasVariants ? variantRowStarts[row] : row;
  const last = hasVariants ? variantRowStarts[row + 1] : row + 1;
  for (; variantRow < last; variantRow++) {
    if (variantRows !== null && !hasBit(variantRows, variantRow)) continue;
    add(variantDistances, variantDistanceStarts[variantRow], variantDistanceStarts[variantRow + 1]);
  }
  return length;
}

/** Looking through the bits of so many ordinals costs as much as sorting one. */
const BITS_PER_SORTED = 512;

/** The touched ordinals in order, copied out of the scratch. */
function collect(length: number, start: number, end: number, sameKey: Uint32Array | null): Tally {
  const ordinals = touched.slice(0, length);
  if (length * BITS_PER_SORTED < end - start) ordinals.sort();
  else {
    for (let i = 0; i < length; i++) setBit(touchedBits, ordinals[i]);
    const bits = touchedBits.subarray(start >>> 5, wordsFor(end));
    const first = start & ~31;
    writeRows(bits, ordinals);
    if (first > 0) for (let i = 0; i < length; i++) ordinals[i] += first;
    bits.fill(0);
  }
  const found = new Uint32Array(length);
  for (let i = 0; i < length; i++) found[i] = counts[ordinals[i]];
  if (sameKey === null) return { ordinals, counts: found, groupCounts: null };
  return { ordinals, counts: found, groupCounts: sumGroups(sameKey, ordinals, found) };
}

/** Products per group of several ordinals. */
function sumGroups(
  sameKey: Uint32Array,
  ordinals: Uint32Array,
  found: Uint32Array,
): Map<number, number> {
  const groups = new Map<number, number>();
  for (let i = 0; i < ordinals.length; i++) {
    const ordinal = ordinals[i];
    const isFirst = !hasBit(sameKey, ordinal);
    if (isFirst && !hasBit(sameKey, ordinal + 1)) continue;
    const group = isFirst ? ordinal : firstOfGroup(sameKey, ordinal);
    groups.set(group, (groups.get(group) ?? 0) + found[i]);
  }
  for (const [group, count] of repeats) groups.set(group, (groups.get(group) ?? 0) - count);
  return groups;
}

function collectRest(
  totals: Uint32Array,
  groupTotals: ReadonlyMap<number, number> | null,
  touchedLength: number,
  start: number,
  end: number,
  sameKey: Uint32Array | null,
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
  if (groupTotals === null || sameKey === null) {
    return { ordinals, counts: found, groupCounts: null };
  }
  const notMatching = touched.slice(0, touchedLength);
  const notCounted = sumGroups(
    sameKey,
    notMatching,
    notMatching.map((ordinal) => counts[ordinal]),
  );
  const groups = new Map<number, number>();
  for (const [first, total] of groupTotals) {
    const count = total - (notCounted.get(first) ?? 0);
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
  const ordinals = new Uint32Array(end - start);
  let length = 0;
  for (let ordinal = start; ordinal < end; ordinal++) {
    if (totals[ordinal] !== 0) ordinals[length++] = ordinal;
  }
  if (length === end - start) {
    return { ordinals, counts: totals.subarray(start, end), groupCounts: groupTotals };
  }
  // Ordinals that belong to nobody (index/doc-values/segment.ts); every value is on some product.
  const own = ordinals.subarray(0, length);
  const found = Uint32Array.from(own, (ordinal) => totals[ordinal]);
  return { ordinals: own, counts: found, groupCounts: groupTotals };
}

/**
 * Distinct products with a value in each of the ordinal ranges, added to `sums`. The ranges ascend and do not overlap;
 * all lie in the field [start, end).
 * @param within which values of the field count, as in CountInput; null: all
 */
export function countOrdinalRanges(
  segment: Segment,
  matches: SegmentMatches,
  field: Span,
  ranges: readonly (readonly [number, number])[],
  sums: number[],
  within: Uint8Array | null,
): void {
  // Range of each ordinal of the field, -1 for none.
  const rangeOf = new Int32Array(field.end - field.start).fill(-1);
  ranges.forEach(([start, end], range) => {
    rangeOf.fill(range, start - field.start, end - field.start);
  });
  const seen = new Int32Array(ranges.length).fill(-1);
  eachMatchingValue(segment, matches, field, (row, ordinal) => {
    const at = ordinal - field.start;
    const range = rangeOf[at];
    if (range === -1 || seen[range] === row || (within !== null && within[at] === 0)) return;
    seen[range] = row;
    sums[range]++;
  });
}

/** Counts those values of a field that `within` names, as in CountInput. */
export function tallyWithin(
  segment: Segment,
  matches: SegmentMatches,
  field: Span,
  within: Uint8Array,
): Tally {
  work.spend(matches.rows.length * STEPS_OF_ROW);
  const { sameKey } = segment.facets;
  const countOf = new Uint32Array(within.length);
  const seen = new Int32Array(within.length).fill(-1);
  const groupSeen = new Int32Array(within.length).fill(-1);
  const groups = new Map<number, number>();
  eachMatchingValue(segment, matches, field, (row, ordinal) => {
    const at = ordinal - field.start;
    if (within[at] === 0 || seen[at] === row) return;
    seen[at] = row;
    countOf[at]++;
    const group = firstOfGroup(sameKey, ordinal);
    if (groupSeen[group - field.start] === row) return;
    groupSeen[group - field.start] = row;
    groups.set(group, (groups.get(group) ?? 0) + 1);
  });
  const counted = Uint32Array.from(countOf.keys()).filter((at) => countOf[at] > 0);
  return {
    ordinals: counted.map((at) => at + field.start),
    counts: counted.map((at) => countOf[at]),
    groupCounts: groups,
  };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Visits the values of the field that matching products have, row after row; one of several variants comes again. */
function eachMatchingValue(
  segment: Segment,
  { rows, variantRows }: SegmentMatches,
  field: Span,
  visit: (row: number, ordinal: number) => void,
): void {
  const { hasVariants, variantRowStarts } = segment;
  const product = valuesOf(segment.facets, false);
  const variant = valuesOf(segment.facets, true);
  let row = 0;
  const add = (ordinal: number): true => {
    visit(row, ordinal);
    return true;
  };
  for (let i = 0; i < rows.length; i++) {
    row = rows[i];
    if (product !== null) eachValue(product, row, field.start, field.end, add);
    if (variant === null) continue;
    let variantRow = hasVariants ? variantRowStarts[row] : row;
    const last = hasVariants ? variantRowStarts[row + 1] : row + 1;
    for (; variantRow < last; variantRow++) {
      if (variantRows !== null && !hasBit(variantRows, variantRow)) continue;
      eachValue(variant, variantRow, field.start, field.end, add);
    }
  }
}

/** Whether no product of the segment has two values of the field, its variants' included. Kept. */
export function isSingleValued(segment: Segment, field: FacetField): boolean {
  if (field.single !== null) return field.single;
  const { base } = segment;
  // A number that changes is the only one its product has of its own (index/doc-values/segment.ts), before and after.
  if (segment !== base && !field.onVariants) {
    const before = base.facets.field(field.name, field.kind);
    if (before !== null) return isSingleValued(base, before);
  }
  const kept = keptOf(segment);
  const known = kept.singleValued.get(field.start);
  if (known !== undefined) return known;
  const single = hasSingleValues(segment, field.start, field.end);
  kept.singleValued.set(field.start, single);
  return single;
}

function hasSingleValues(segment: Segment, start: number, end: number): boolean {
  const { hasVariants, variantRowStarts, productCount } = segment;
  const product = valuesOf(segment.facets, false);
  const variant = valuesOf(segment.facets, true);
  let value = -1;
  const isOnlyOne = (ordinal: number): boolean => {
    if (value !== -1 && value !== ordinal) return false;
    value = ordinal;
    return true;
  };
  for (let row = 0; row < productCount; row++) {
    value = -1;
    if (product !== null && !eachValue(product, row, start, end, isOnlyOne)) return false;
    if (variant === null) continue;
    let variantRow = hasVariants ? variantRowStarts[row] : row;
    const last = hasVariants ? variantRowStarts[row + 1] : row + 1;
    for (; variantRow < last; variantRow++) {
      if (!eachValue(variant, variantRow, start, end, isOnlyOne)) return false;
    }
  }
  return true;
}

interface RowDistances {
  readonly starts: Uint32Array;
  readonly distances: Uint16Array;
}

function valuesOf(facets: FacetData, ofVariants: boolean): RowDistances | null {
  const starts = ofVariants ? facets.variantDistanceStarts : facets.productDistanceStarts;
  const distances = ofVariants ? facets.variantDistances : facets.productDistances;
  return starts === null || distances === null ? null : { starts, distances };
}

/** Visits the row's values in [start, end) until `visit` answers false; whether it never did. */
function eachValue(
  { starts, distances }: RowDistances,
  row: number,
  start: number,
  end: number,
  visit: (ordinal: number) => boolean,
): boolean {
  let ordinal = -1;
  for (let at = starts[row]; at < starts[row + 1]; at++) {
    const distance = distances[at];
    ordinal += distance === 0 ? LONGEST_DISTANCE : distance;
    if (ordinal >= end) return true;
    if (distance !== 0 && ordinal >= start && !visit(ordinal)) return false;
  }
  return true;
}
