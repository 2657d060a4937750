/** The counts of one field, by segment. */
import type { FacetKind } from "../../segment/model/index.ts";
import { listedCounts, type ListedCounts } from "./counted-runs.ts";
import { FieldCounts } from "./field-counts.ts";
import type { FieldPart } from "./part-groups.ts";

export class CountedField {
  readonly name: string;
  readonly kind: FacetKind;
  /** By segment with counted values of the field. */
  readonly parts: readonly FieldPart[];
  /** Whether the field has listed values in some segment. */
  readonly isListed: boolean;
  #sums: readonly ListedCounts[] | null = null;
  #counts: FieldCounts | null = null;

  constructor(name: string, kind: FacetKind, parts: readonly FieldPart[]) {
    this.name = name;
    this.kind = kind;
    this.parts = parts.filter(({ from, to }) => from < to);
    this.isListed = this.parts.some(({ field }) => field.facet);
  }

  /** The counts of each part. */
  get sums(): readonly ListedCounts[] {
    return (this.#sums ??= this.parts.map(listedCounts));
  }

  /** The counts of all parts, by entry. */
  get counts(): FieldCounts {
    return (this.#counts ??= new FieldCounts(this.name, this.kind, this.parts));
  }
}
