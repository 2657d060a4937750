/** The keys of facet entries. */
import { compareCodePoints } from "../../base/index.ts";
import type { FacetKind, Segment } from "../../segment/model/index.ts";

/** The key of the group that a value belongs to. */
export function groupKey(segment: Segment, kind: FacetKind, ordinal: number): string | number {
  // Adding 0 turns -0 into 0.
  return kind === "number" ? segment.facets.number(ordinal) + 0 : keyOfText(kind, segment.facets.text(ordinal));
}

/** The key of a term or path. */
export function keyOfText(kind: FacetKind, text: string): string {
  return kind === "term" ? text.toLowerCase() : text;
}

/** Numbers by size, texts by code points. Not by difference, because values may be infinite. */
export function compareKeys(a: string | number, b: string | number): number {
  if (typeof a === "number" && typeof b === "number") return a < b ? -1 : a > b ? 1 : 0;
  return compareCodePoints(String(a), String(b));
}
