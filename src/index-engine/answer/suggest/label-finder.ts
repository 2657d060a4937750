/** Where labels come from: the segments of one reader, or what several shards have told (merged-labels.ts). */
import type { LiveSegment } from "../../segment/model/index.ts";
import { findColumnLabels, type LabelOrder } from "./column-labels.ts";
import { findFacetLabels, type FacetSource, type LabelKind } from "./facet-labels.ts";
import type { Label } from "./label.ts";
import type { FieldPlan } from "../../documents/index.ts";
import type { TypedWords } from "./words.ts";

export type SuggestFieldPlan = Pick<FieldPlan, "language" | "analyzer" | "field">;

export const SOURCE_KINDS = ["path", "term", "column"] as const;
export type SourceKind = LabelKind | "column";

export interface LabelSource {
  readonly field: string;
  readonly kind: SourceKind;
}

export interface LabelFinder {
  /** The first of SOURCE_KINDS that the index has of the field; null: none. */
  kindOf(field: string): SourceKind | null;
  /** Facet values that answer by their name, or (`secondary`) by the path above it. In no order. */
  facets(source: FacetSource, maxEdits: number, secondary: boolean): Label[];
  /** The first `limit` titles that answer. */
  titles(field: string, maxEdits: number, order: LabelOrder, limit: number): Label[];
}

/** Which kinds of a field the segments have. */
export function sourceKinds(
  segments: readonly LiveSegment[],
  field: string,
): readonly SourceKind[] {
  return SOURCE_KINDS.filter((kind) =>
    segments.some(({ segment }) =>
      kind === "column"
        ? segment.stringColumns.has(field)
        : (segment.facets.field(field, kind)?.facet ?? false),
    ),
  );
}

export function isSearched(plan: SuggestFieldPlan, field: string): boolean {
  return plan.field(field)?.usages.includes("Search") ?? false;
}

export class LocalLabels implements LabelFinder {
  readonly #segments: readonly LiveSegment[];
  readonly #plan: SuggestFieldPlan;
  readonly #typed: TypedWords;

  constructor(segments: readonly LiveSegment[], plan: SuggestFieldPlan, typed: TypedWords) {
    this.#segments = segments;
    this.#plan = plan;
    this.#typed = typed;
  }

  kindOf(field: string): SourceKind | null {
    return sourceKinds(this.#segments, field)[0] ?? null;
  }

  facets(source: FacetSource, maxEdits: number, secondary: boolean): Label[] {
    const { analyzer } = this.#plan;
    return findFacetLabels(this.#segments, source, this.#typed, maxEdits, analyzer, secondary);
  }

  titles(field: string, maxEdits: number, order: LabelOrder, limit: number): Label[] {
    return findColumnLabels(
      this.#segments,
      { field, isSearched: isSearched(this.#plan, field) },
      this.#typed,
      maxEdits,
      this.#plan.analyzer,
      order,
      limit,
    );
  }
}
