/**
 * Whether values of a field have ids. Most number fields have none; knowing that avoids a check per
 * value.
 */
import type { FacetField, Segment } from "../../segment/model/index.ts";

/** First ordinal of a field -> whether it has ids. Segments are immutable. */
const cache = new WeakMap<Segment, Map<number, boolean>>();

export function hasIds(segment: Segment, field: FacetField): boolean {
  // Values of changed fields are numbered after all others (index/doc-values/segment.ts). The
  // others stay the same.
  const owner = field.start < segment.base.facets.valueCount ? segment.base : segment;
  let fields = cache.get(owner);
  if (fields === undefined) cache.set(owner, (fields = new Map()));
  let known = fields.get(field.start);
  if (known === undefined) {
    known = false;
    for (let ordinal = field.start; ordinal < field.end && !known; ordinal++) {
      known = segment.facets.id(ordinal) !== null;
    }
    fields.set(field.start, known);
  }
  return known;
}

/** Approximate cached bytes of the segment. */
export function fieldIdBytes(segment: Segment): number {
  let entries = 0;
  for (const owner of new Set([segment, segment.base])) entries += cache.get(owner)?.size ?? 0;
  return entries * 32;
}
