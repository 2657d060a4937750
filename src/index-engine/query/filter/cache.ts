/**
 * Bitsets of filters that were asked before, per segment: `color=red` is asked on every page of a
 * listing.
 *
 * A WeakMap holds them, so they go with the segment. The budget per segment is BUDGET_BITSETS
 * full-size bitsets (12.5 KB each for 100,000 variant rows), at least MINIMUM_BYTES. Bitsets are
 * shared and must not be changed by who gets them.
 */
import { ByteCache, ENTRY_OVERHEAD_BYTES, wordsFor } from "../../base/index.ts";
import type { Segment } from "../../segment/model/index.ts";

export interface FilterBits {
  /**
   * Rows the bits stand for. A field without variant values in the segment needs no variant rows.
   */
  readonly level: "product" | "variant";
  readonly bits: Uint32Array;
}

const BUDGET_BITSETS = 32;
const MINIMUM_BYTES = 16_384;

const caches = new WeakMap<Segment, ByteCache<FilterBits>>();

/** Bits of `key` in `segment`, made by `make` the first time. */
export function cachedFilterBits(
  segment: Segment,
  key: string,
  make: () => FilterBits,
): FilterBits {
  let cache = caches.get(segment);
  if (cache === undefined) {
    const bitsetBytes = wordsFor(segment.variantRowCount) * 4 + ENTRY_OVERHEAD_BYTES;
    const budgetBytes = Math.max(MINIMUM_BYTES, BUDGET_BITSETS * bitsetBytes);
    cache = new ByteCache(budgetBytes, ({ bits }) => bits.byteLength);
    caches.set(segment, cache);
  }
  return cache.get(key, make);
}

/** Bytes that cached filters of this segment hold now. */
export function filterCacheBytes(segment: Segment): number {
  const own = segment === segment.base ? 0 : (caches.get(segment)?.bytes ?? 0);
  return own + (caches.get(segment.base)?.bytes ?? 0);
}
