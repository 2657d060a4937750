/** The counts of one field, by segment. */
import type { FacetKind } from "../../segment/model/index.ts";
import { facetableCounts, type FacetableCounts } from "./counted-runs.ts";
import { FieldCounts } from "./field-counts.ts";
import type { FieldPart } from "./part-groups.ts";

export class CountedField {
  readonly name: string;
  readonly kind: FacetKind;
  /** By segment with counted values of the field. */
  readonly parts: readonly FieldPart[];
  /** Whether the field has facetable values in some segment. */
  readonly isFacetable: boolean;
  #sums: readonly FacetableCounts[] | null = null;
  #counts: FieldCounts | null = null;

  constructor(name: string, kind: FacetKind, parts: readonly FieldPart[]) {
    this.name = name;
    this.kind = kind;
    this.parts = parts.filter(({ from, to }) => from < to);
    this.isFacetable = this.parts.some(({ field }) => field.facet);
  }

  /** The counts of each part. */
  get sums(): readonly FacetableCounts[] {
    return (this.#sums ??= this.parts.map(facetableCounts));
  }

  /** The counts of all parts, by entry. */
  get counts(): FieldCounts {
    return (this.#counts ??= new FieldCounts(this.name, this.kind, this.parts));
  }
}
