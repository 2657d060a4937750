/**
 * The sort options of an answer (docs/behaviour.md 5.10): those configured, else every sortable field in both
 * orders. A configured one may also sort by facet values (query/rank/facet-sort.ts).
 */
import type { Sorting, SearchRequest, SortOption } from "../../../interface/index.ts";
import { isFeatureColumn, type FieldPlan } from "../../documents/index.ts";
import { compareCodePoints } from "../../base/index.ts";
import { FACET_KINDS, type LiveSegment } from "../../segment/model/index.ts";
import { hasLiveNumber, hasLiveString, hasLiveValue } from "../../query/index.ts";
import { readFacetSort } from "../../query/rank/index.ts";
import type { QueryLinks } from "../links/index.ts";

/** The part of a field plan that sorting asks. */
type SortFieldPlan = Pick<FieldPlan, "field" | "isPrivate">;

/**
 * Fields of the index one can sort by, in code point order: those that a live product has. Columns hold fields of
 * usage Score too; those are none. With what `options` sort by in place of a column.
 */
export function sortableFields(
  segments: readonly LiveSegment[],
  plan: SortFieldPlan,
  options: readonly SortOption[] | null = null,
): string[] {
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
  const may = (name: string, usage: "Sort" | "Facet"): boolean =>
    plan.field(name)?.usages.includes(usage) ?? true;
  const sortable = new Set(
    [...names].filter(
      (name) => may(name, "Sort") && !isFeatureColumn(plan, name) && !plan.isPrivate(name),
    ),
  );
  for (const { field: token } of options ?? []) {
    const isKnown = readFacetSort(token).some(
      ({ field }) =>
        may(field, "Facet") &&
        FACET_KINDS.some((kind) => segments.some((live) => hasLiveValue(live, field, kind, true))),
    );
    if (isKnown) sortable.add(token);
  }
  return [...sortable].sort(compareCodePoints);
}

/**
 * `configured` null: every field, ascending and descending. Options of fields that cannot be sorted by are left out.
 */
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
