/**
 * The sort options of an answer (docs/behaviour.md 5.10): the configured ones, otherwise every sortable field in both
 * orders. A configured option may also sort by facet values (query/rank/facet-sort.ts).
 */
import { LIMITS, type Sorting, type SearchRequest, type SortOption } from "../../../interface/index.ts";
import { isFeatureColumn, type FieldPlan } from "../../documents/index.ts";
import { compareCodePoints } from "../../base/index.ts";
import { FACET_KINDS, type LiveSegment } from "../../segment/model/index.ts";
import { hasLiveNumber, hasLiveString, hasLiveValue } from "../../query/index.ts";
import { readFacetSort } from "../../query/rank/index.ts";
import type { QueryLinks } from "../links/index.ts";

type SortFieldPlan = Pick<FieldPlan, "field" | "isPrivate">;

/** Segments of a reader -> its sortable fields, and the plan for which they were computed. */
const known = new WeakMap<
  readonly LiveSegment[],
  { readonly plan: SortFieldPlan; readonly fields: readonly string[] }
>();

/**
 * The fields of the index that can be sorted by, in code point order: those that a live product has. Columns also hold
 * fields of usage Score, which are left out. Includes the fields that `options` sort by without a column.
 */
export function sortableFields(
  segments: readonly LiveSegment[],
  plan: SortFieldPlan,
  options: readonly SortOption[] | null = null,
): readonly string[] {
  let found = known.get(segments);
  if (found?.plan !== plan) {
    found = { plan, fields: sortableColumns(segments, plan) };
    known.set(segments, found);
  }
  const { fields } = found;
  const others = new Set<string>();
  for (const { field: token } of options ?? []) {
    const isKnown = readFacetSort(token).some(
      ({ field }) =>
        isFor(plan, field, "Facet") &&
        FACET_KINDS.some((kind) => segments.some((live) => hasLiveValue(live, field, kind, true))),
    );
    if (isKnown && !fields.includes(token)) others.add(token);
  }
  return others.size === 0 ? fields : [...fields, ...others].sort(compareCodePoints);
}

function sortableColumns(segments: readonly LiveSegment[], plan: SortFieldPlan): string[] {
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
    .filter((name) => isFor(plan, name, "Sort") && !isFeatureColumn(plan, name) && !plan.isPrivate(name))
    .sort(compareCodePoints);
}

function isFor(plan: SortFieldPlan, name: string, usage: "Sort" | "Facet"): boolean {
  return plan.field(name)?.usages.includes(usage) ?? true;
}

/**
 * The JSON of a list of `Sorting`. If `configured` is null, these are the first fields and those that the request
 * sorts by, ascending and descending. Options of fields that cannot be sorted by are left out.
 */
export function sortOptionsJson(
  configured: readonly SortOption[] | null,
  sortable: readonly string[],
  request: SearchRequest,
  links: QueryLinks,
): string {
  const isSorted = (field: string): boolean => request.sort.some((token) => token.field === field);
  const options =
    configured?.filter(({ field }) => sortable.includes(field)) ??
    sortable
      .filter((field, i) => i < LIMITS.sortOptionFields.value || isSorted(field))
      .flatMap((field) => [
        { label: `${field}.asc`, field, order: "ASC" as const },
        { label: `${field}.desc`, field, order: "DESC" as const },
      ]);
  const all = options.map(({ label, field, order }): Sorting => {
    const descending = order === "DESC";
    const isActive = request.sort.some((token) => token.field === field && token.descending === descending);
    const link = links.withSort([{ field, descending }]);
    return { label, field, sortOrder: order, isActive, active: isActive, link };
  });
  return JSON.stringify(all);
}
