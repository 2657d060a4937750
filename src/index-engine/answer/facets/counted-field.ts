/** What counting keeps of one field. */
import type { SegmentMatches } from "../../query/index.ts";
import type { FacetKind } from "../../segment/model/index.ts";
import { listedCounts, type ListedCounts } from "./counted-runs.ts";
import type { FieldCounts } from "./field-counts.ts";
import type { FieldPart } from "./part-groups.ts";

/**
 * The counts of a field and the matches from which they were counted, per segment with the field.
 */
export class CountedField {
  readonly name: string;
  readonly kind: FacetKind;
  readonly parts: FieldPart[] = [];
  /** Matches of each part. */
  readonly matches: SegmentMatches[] = [];
  /** The values counted in each part; null: all. */
  readonly within: (Uint8Array | null)[] = [];
  /** Whether the field has listed values in some segment. */
  isListed = false;
  /** `listedCounts` of its parts, computed on demand. */
  sums: readonly ListedCounts[] | null = null;
  counts: FieldCounts | null = null;

  constructor(name: string, kind: FacetKind) {
    this.name = name;
    this.kind = kind;
  }

  /** Does nothing if no value was counted. */
  add(part: FieldPart, matches: SegmentMatches, within: Uint8Array | null): void {
    if (part.from === part.to) return;
    this.parts.push(part);
    this.matches.push(matches);
    this.within.push(within);
    this.isListed ||= part.field.facet;
  }
}

export function sumsOf(field: CountedField): readonly ListedCounts[] {
  return (field.sums ??= field.parts.map(({ segment, tally: counted, from, to }) =>
    listedCounts(segment, counted, from, to),
  ));
}
