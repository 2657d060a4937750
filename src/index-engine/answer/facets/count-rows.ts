/**
 * The inner loop of facet counting: counts the rows of one segment per value.
 *
 *   rows 3 5 9   --productDeltas-->  counts[ordinal]++, a new ordinal joins the touched list
 *                --passing variant rows, variantDeltas-->  the same, once per product (stamp)
 *
 * - **Stamps.** A value shared by several passing variants, or by a variant and its product, counts
 *   once: `stamps[ordinal]` holds the number of the last product that counted it. Most products
 *   have no variant values and skip this.
 * - **Filter-only values** are counted like others and dropped afterwards.
 * - **Groups.** Several ordinals may form one facet entry: `Red` and `red`, or one value with two
 *   ids. Each ordinal is counted separately, because the counts decide the entry's spelling and id.
 *
 * All segments of the isolate share the scratch arrays, because counting is synchronous. The arrays
 * are as long as the longest value table and are zeroed after use.
 */
import { emptyBits, hasBit, sumOfBytes, work } from "../../base/index.ts";
import { LARGEST_DELTA, type Segment } from "../../segment/model/index.ts";
import type { EffectiveRows } from "./effective-rows.ts";

/** Facetable value ordinals with a count > 0, ascending. */
export interface Tally {
  readonly ordinals: Uint32Array;
  /** Distinct products per ordinal, in the order of `ordinals`. */
  readonly counts: Uint32Array;
  /**
   * First ordinal of a group -> how many further facetable values of the group products have (repeats.ts). The
   * count of a group is the sum of its ordinals' counts minus this number. Null if there are none.
   */
  readonly repeats: ReadonlyMap<number, number> | null;
}

/** Ordinals [start, end). */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Approximate number of values per row. */
export const STEPS_OF_ROW = 16;

class CountingScratch {
  counts = new Uint32Array(0);
  touched = new Uint32Array(0);
  /** Bit per touched ordinal, for sorting. */
  touchedBits = new Uint32Array(0);
  /** For products with variant values; created on first use. */
  stamps = new Uint32Array(0);
  lastStamp = 0;

  get sizeBytes(): number {
    const { counts, touched, touchedBits, stamps } = this;
    return sumOfBytes(counts, touched, touchedBits, stamps);
  }

  reserve(valueCount: number): void {
    const { counts } = this;
    if (counts.length >= valueCount) return;
    const length = Math.max(valueCount, Math.min(counts.length * 2, counts.length + 65_536));
    this.counts = new Uint32Array(length);
    this.touched = new Uint32Array(length);
    this.touchedBits = emptyBits(length);
  }

  reserveStamps(rowCount: number): void {
    if (this.stamps.length === this.counts.length && this.lastStamp + rowCount < 0xffffffff) return;
    this.stamps = new Uint32Array(this.counts.length);
    this.lastStamp = 0;
  }

  /** Drops the arrays after a failed walk (for example because of a damaged page), so that later walks start clean. */
  drop(): void {
    this.counts = new Uint32Array(0);
    this.stamps = this.counts;
  }
}

export const scratch = new CountingScratch();

/**
 * Counts all values of the rows, filling only `counts` of the scratch. Pays off when there are so many rows that
 * scanning all counts afterwards is cheaper than recording the touched ones.
 * @param skipped values of variants to skip
 */
export function countAllOf(
  segment: Segment,
  rows: Uint32Array,
  variantRows: Uint32Array | null,
  { start: skipStart, end: skipEnd }: Span,
): void {
  work.spend(rows.length * STEPS_OF_ROW);
  const { facets, variantRows: owned } = segment;
  const { productDeltaStarts: starts, productDeltas: deltas } = facets;
  const { variantDeltaStarts: variantStarts, variantDeltas } = facets;
  if (variantStarts !== null) scratch.reserveStamps(rows.length);
  const { counts, stamps } = scratch;
  const { blocks, deltas: ofBlock, shift } = starts;
  const { without } = owned;
  const { beforeProducts } = facets;
  let stamp = scratch.lastStamp;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    const start = blocks[row >>> shift] + ofBlock[row];
    const end = blocks[(row + 1) >>> shift] + ofBlock[row + 1];
    let ordinal = beforeProducts;
    if (variantStarts === null || variantDeltas === null || hasBit(without, row)) {
      for (let at = start; at < end; at++) {
        const delta = deltas[at];
        if (delta === 0) ordinal += LARGEST_DELTA;
        else counts[(ordinal += delta)]++;
      }
      continue;
    }
    stamp++;
    for (let at = start; at < end; at++) {
      const delta = deltas[at];
      if (delta === 0) {
        ordinal += LARGEST_DELTA;
        continue;
      }
      ordinal += delta;
      stamps[ordinal] = stamp;
      counts[ordinal]++;
    }
    const endVariant = owned.first(row + 1);
    let variant = owned.first(row);
    let variantEnd = variantStarts.at(variant);
    for (; variant < endVariant; variant++) {
      const variantStart = variantEnd;
      variantEnd = variantStarts.at(variant + 1);
      if (variantRows !== null && !hasBit(variantRows, variant)) continue;
      ordinal = -1;
      for (let at = variantStart; at < variantEnd; at++) {
        const delta = variantDeltas[at];
        if (delta === 0) {
          ordinal += LARGEST_DELTA;
          continue;
        }
        ordinal += delta;
        if ((ordinal >= skipStart && ordinal < skipEnd) || stamps[ordinal] === stamp) continue;
        stamps[ordinal] = stamp;
        counts[ordinal]++;
      }
    }
  }
  scratch.lastStamp = stamp;
}

/** `countAllOf` where every variant passes. */
export function countAllEffective({ first, starts, values }: EffectiveRows, rows: Uint32Array): void {
  work.spend(rows.length * STEPS_OF_ROW);
  const { blocks, deltas, shift } = starts;
  const counts = scratch.counts.subarray(first);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    const end = blocks[(row + 1) >>> shift] + deltas[row + 1];
    for (let at = blocks[row >>> shift] + deltas[row]; at < end; at++) counts[values[at]]++;
  }
}

/**
 * Fills `counts` and `touched` of the scratch, which must be large enough. Returns the length of `touched`.
 * @param variantRows bit per variant row that passes; null: all
 * @param skipped values of variants to skip
 */
export function countRows(
  segment: Segment,
  rows: Uint32Array,
  variantRows: Uint32Array | null,
  { start, end }: Span,
  { start: skipStart, end: skipEnd }: Span,
): number {
  work.spend(rows.length * STEPS_OF_ROW);
  const { facets, variantRows: owned } = segment;
  const { variantDeltaStarts, variantDeltas } = facets;
  const starts = facets.productDeltaStarts;
  const deltas = facets.productDeltas;
  if (variantDeltaStarts !== null) scratch.reserveStamps(rows.length);
  // Local copies, because the loop reads them for every value.
  const { counts, touched, stamps } = scratch;
  const { beforeProducts } = facets;

  /** Counts the values that `stamp` has not counted yet for this product. Returns the new length of `touched`. */
  function countStamped(
    values: Uint16Array,
    from: number,
    to: number,
    stamp: number,
    touchedBefore: number,
    before: number,
  ): number {
    let touchedCount = touchedBefore;
    let ordinal = before;
    for (let at = from; at < to; at++) {
      const delta = values[at];
      if (delta === 0) {
        ordinal += LARGEST_DELTA;
        continue;
      }
      ordinal += delta;
      if (ordinal < start || (ordinal >= skipStart && ordinal < skipEnd)) continue;
      if (ordinal >= end) break;
      if (stamps[ordinal] === stamp) continue;
      stamps[ordinal] = stamp;
      if (counts[ordinal]++ === 0) touched[touchedCount++] = ordinal;
    }
    return touchedCount;
  }

  const { blocks, deltas: ofBlock, shift } = starts;
  const { without } = owned;
  let length = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    const rowStart = blocks[row >>> shift] + ofBlock[row];
    const rowEnd = blocks[(row + 1) >>> shift] + ofBlock[row + 1];
    if (variantDeltaStarts !== null && variantDeltas !== null && !hasBit(without, row)) {
      const stamp = ++scratch.lastStamp;
      length = countStamped(deltas, rowStart, rowEnd, stamp, length, beforeProducts);
      const last = owned.first(row + 1);
      let variantRow = owned.first(row);
      let to = variantDeltaStarts.at(variantRow);
      for (; variantRow < last; variantRow++) {
        const from = to;
        to = variantDeltaStarts.at(variantRow + 1);
        if (variantRows !== null && !hasBit(variantRows, variantRow)) continue;
        length = countStamped(variantDeltas, from, to, stamp, length, -1);
      }
      continue;
    }
    let ordinal = beforeProducts;
    for (let at = rowStart; at < rowEnd; at++) {
      const delta = deltas[at];
      if (delta === 0) {
        ordinal += LARGEST_DELTA;
        continue;
      }
      ordinal += delta;
      if (ordinal < start) continue;
      if (ordinal >= end) break;
      if (counts[ordinal]++ === 0) touched[length++] = ordinal;
    }
  }
  return length;
}

/** `countRows` where every variant passes. */
export function countEffective({ first, starts, values }: EffectiveRows, rows: Uint32Array, span: Span): number {
  work.spend(rows.length * STEPS_OF_ROW);
  const { counts, touched } = scratch;
  const { start, end } = span;
  const { blocks, deltas, shift } = starts;
  let length = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    const rowEnd = blocks[(row + 1) >>> shift] + deltas[row + 1];
    for (let at = blocks[row >>> shift] + deltas[row]; at < rowEnd; at++) {
      const ordinal = first + values[at];
      if (ordinal < start) continue;
      if (ordinal >= end) break;
      if (counts[ordinal]++ === 0) touched[length++] = ordinal;
    }
  }
  return length;
}
