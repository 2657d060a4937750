/** Values computed from (immutable) segments and kept with them, with their sizes by purpose. */
import { pushTo } from "../../base/index.ts";
import type { Segment } from "./segment.ts";

type Purpose = "facetCounts" | "facetValues" | "keyHashes" | "sameGroups" | "suggest";

/** By purpose: the size of what is kept with a segment, for each kind of values. */
const sizes = new Map<Purpose, ((segment: Segment) => number)[]>();

export class KeptWithSegments<Value> extends WeakMap<Segment, Value> {
  constructor(purpose: Purpose, bytesOf: (value: Value) => number) {
    super();
    pushTo(sizes, purpose, (segment) => {
      const value = this.get(segment);
      return value === undefined ? 0 : bytesOf(value);
    });
  }
}

/** Approximate bytes kept with this segment. Not with its base: see `keptWithBase`. */
export function keptBytes(purpose: Purpose, segment: Segment): number {
  let bytes = 0;
  for (const sizeOf of sizes.get(purpose) ?? []) bytes += sizeOf(segment);
  return bytes;
}

/** Also what does not depend on changed numbers. */
export function keptWithBase(purpose: Purpose, segment: Segment): number {
  const { base } = segment;
  return keptBytes(purpose, segment) + (base === segment ? 0 : keptBytes(purpose, base));
}
