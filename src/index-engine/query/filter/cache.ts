/**
 * Caches the bitsets of filters per segment: `color=red` is used on every page of a listing.
 *
 * The cache is attached to the segment by a WeakMap. Its budget is BUDGET_BITSETS full-size bitsets (12.5 KB each for
 * 100,000 variant rows), at least MINIMUM_BYTES. Bitsets are shared, so callers must not change them.
 */
import { ByteCache, ENTRY_OVERHEAD_BYTES, getOrInsert, wordsFor } from "../../base/index.ts";
import type { Segment } from "../../segment/model/index.ts";

export interface FilterBits {
  /** The rows that the bits stand for. A field without variant values in the segment only needs product rows. */
  readonly level: "product" | "variant";
  readonly bits: Uint32Array;
}

const BUDGET_BITSETS = 32;
const MINIMUM_BYTES = 16_384;

const caches = new WeakMap<Segment, ByteCache<FilterBits>>();

/** The bits of `key` in `segment`, created by `make` if they are not cached. */
export function cachedFilterBits(segment: Segment, key: string, make: () => FilterBits): FilterBits {
  const cache = getOrInsert(caches, segment, () => {
    const bitsetBytes = wordsFor(segment.variantRowCount) * 4 + ENTRY_OVERHEAD_BYTES;
    const budgetBytes = Math.max(MINIMUM_BYTES, BUDGET_BITSETS * bitsetBytes);
    return new ByteCache<FilterBits>(budgetBytes, ({ bits }) => bits.byteLength);
  });
  return cache.get(key, make);
}

export function filterCacheBytes(segment: Segment): number {
  const own = segment === segment.base ? 0 : (caches.get(segment)?.bytes ?? 0);
  return own + (caches.get(segment.base)?.bytes ?? 0);
}
