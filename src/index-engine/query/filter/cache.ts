/**
 * Bitsets of filters that were asked before, per segment: `color=red` is asked on every page of a listing.
 *
 * A WeakMap holds them, so they go with the segment. Per segment, the least recently used go first once the budget is
 * spent: BUDGET_BITSETS full-size bitsets (12.5 KB each for 100,000 variant rows), at least MINIMUM_BYTES. Bitsets are
 * shared and must not be changed by who gets them.
 */
import type { Segment } from "../../segment/model/index.ts";
import { wordsFor } from "../../base/index.ts";

export interface FilterBits {
  /** Rows the bits stand for. A field without variant values in the segment needs no variant rows. */
  readonly level: "product" | "variant";
  readonly bits: Uint32Array;
}

const BUDGET_BITSETS = 32;
const MINIMUM_BYTES = 16_384;
/** Map entry, key and typed array header, roughly. */
const ENTRY_OVERHEAD_BYTES = 256;

class SegmentFilterCache {
  readonly #entries = new Map<string, FilterBits>();
  readonly #budgetBytes: number;
  #bytes = 0;

  constructor(segment: Segment) {
    const bitsetBytes = wordsFor(segment.variantRowCount) * 4 + ENTRY_OVERHEAD_BYTES;
    this.#budgetBytes = Math.max(MINIMUM_BYTES, BUDGET_BITSETS * bitsetBytes);
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): FilterBits | undefined {
    const found = this.#entries.get(key);
    if (found !== undefined) {
      this.#entries.delete(key);
      this.#entries.set(key, found);
    }
    return found;
  }

  put(key: string, value: FilterBits): void {
    const bytes = sizeOf(key, value);
    if (bytes > this.#budgetBytes) return;
    this.#entries.set(key, value);
    this.#bytes += bytes;
    for (const [oldestKey, oldest] of this.#entries) {
      if (this.#bytes <= this.#budgetBytes) return;
      this.#entries.delete(oldestKey);
      this.#bytes -= sizeOf(oldestKey, oldest);
    }
  }
}

function sizeOf(key: string, value: FilterBits): number {
  return value.bits.byteLength + key.length * 2 + ENTRY_OVERHEAD_BYTES;
}

const caches = new WeakMap<Segment, SegmentFilterCache>();

/** Bits of `key` in `segment`, made by `make` the first time. */
export function cachedFilterBits(
  segment: Segment,
  key: string,
  make: () => FilterBits,
): FilterBits {
  let cache = caches.get(segment);
  if (cache === undefined) {
    cache = new SegmentFilterCache(segment);
    caches.set(segment, cache);
  }
  const found = cache.get(key);
  if (found !== undefined) return found;
  const made = make();
  cache.put(key, made);
  return made;
}

/** Bytes that cached filters of this segment hold now. */
export function filterCacheBytes(segment: Segment): number {
  const own = segment === segment.base ? 0 : (caches.get(segment)?.bytes ?? 0);
  return own + (caches.get(segment.base)?.bytes ?? 0);
}
