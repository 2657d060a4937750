/** Prefixes of words still being typed: all terms that start with them, united by query/segment-scorers.ts. */
import { STEM_PREFIX, type LiveSegment, type StringTable } from "../../segment/model/index.ts";
import { liveFrequency } from "../../index/index.ts";

/** Ordinals [start, end) of the exact terms that start with `prefix`. */
export function prefixRange(dictionary: StringTable, prefix: string): readonly [start: number, end: number] {
  if (prefix === "") return [dictionary.prefixEnd(STEM_PREFIX), dictionary.size];
  return [dictionary.lowerBound(prefix), dictionary.prefixEnd(prefix)];
}

/**
 * Sum of the live frequencies of those terms in one reader. Products may have several of the terms,
 * so sums over shards may exceed the number of products and are limited to it afterwards.
 */
export function prefixFrequency(segments: readonly LiveSegment[], prefix: string): number {
  let sum = 0;
  for (const live of segments) {
    const [start, end] = prefixRange(live.segment.terms, prefix);
    for (let term = start; term < end; term++) sum += liveFrequency(live, term);
  }
  return sum;
}
