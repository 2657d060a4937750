/** Values computed from (immutable) segments and kept with them, with their sizes by purpose. */
import { pushTo } from "../../base/index.ts";
import type { Segment } from "./segment.ts";

type Purpose = "facetCounts" | "facetValues" | "keyHashes" | "suggest";

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

/** Approximate bytes kept with these segments, with and without their changed numbers. */
export function keptBytes(purpose: Purpose, segments: Iterable<Segment>): number {
  let bytes = 0;
  for (const segment of segments) {
    for (const owner of new Set([segment, segment.base])) {
      for (const sizeOf of sizes.get(purpose) ?? []) bytes += sizeOf(owner);
    }
  }
  return bytes;
}
