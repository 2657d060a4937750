/** The sort options of an answer (reference-behaviour.md 5.10): those configured, else every sortable field in both orders. */
import type { Sorting, SearchRequest, SortOption } from "../../interface/index.ts";
import { compareCodePoints } from "../strings.ts";
import type { LiveSegment } from "../model.ts";
import { hasLiveNumber, hasLiveString } from "../query/index.ts";
import type { QueryLinks } from "./links.ts";

/** The part of a field plan that sorting asks. */
export interface SortFieldPlan {
  /** Null: no rule names the field. */
  field(name: string): { readonly usages: readonly string[] } | null;
}

/**
 * Fields of the index one can sort by, in code point order: those that a live product has. Columns hold fields of usage Score too; those
 * are none.
 */
export function sortableFields(segments: Iterable<LiveSegment>, plan: SortFieldPlan): string[] {
  const names = new Set<string>();
  for (const live of segments) {
    const { numberColumns, stringColumns } = live.segment;
    for (const name of numberColumns.keys()) {
      if (!names.has(name) && hasLiveNumber(live, name)) names.add(name);
    }
    for (const name of stringColumns.keys()) {
      if (!names.has(name) && hasLiveString(live, name)) names.add(name);
    }
  }
  return [...names]
    .filter((name) => plan.field(name)?.usages.includes("Sort") ?? true)
    .sort(compareCodePoints);
}

/** `configured` null: every field, ascending and descending. Options of fields that cannot be sorted by are left out. */
export function buildSortOptions(
  configured: readonly SortOption[] | null,
  sortable: readonly string[],
  request: SearchRequest,
  links: QueryLinks,
): Sorting[] {
  const options =
    configured ??
    sortable.flatMap((field) => [
      { label: `${field}.asc`, field, order: "ASC" as const },
      { label: `${field}.desc`, field, order: "DESC" as const },
    ]);
  const known = new Set(sortable);
  return options
    .filter(({ field }) => known.has(field))
    .map(({ label, field, order }) => {
      const descending = order === "DESC";
      const isActive = request.sort.some(
        (token) => token.field === field && token.descending === descending,
      );
      const link = links.withSort([{ field, descending }]);
      return { label, field, sortOrder: order, isActive, active: isActive, link };
    });
}
