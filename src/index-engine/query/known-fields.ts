/** The kinds of the fields in filters and sorts, of the whole index: a filter means the same on every shard. */
import { hasBit } from "../base/index.ts";
import { resolveFilters, type PlannedFilter } from "./filter/index.ts";
import {
  FACET_KINDS,
  NO_MORE_ROWS,
  type FacetKind,
  type LiveSegment,
  type PostingCursor,
} from "../segment/model/index.ts";
import type { ColumnKind } from "./rank/index.ts";
import type { SearchContext } from "./context.ts";
import { hasLiveNumber, hasLiveString } from "./live-columns.ts";
import type { KnownFields, QueryPlan, SearchDecision, SearchPlan, GlobalStatistics } from "./plan.ts";

/** Merges the kinds of shards, of one or several indexes. */
export function uniteKnown(parts: readonly GlobalStatistics[]): Pick<GlobalStatistics, "known" | "consistent"> {
  const all = parts.map(({ known }) => known);
  const known = {
    filters: unite(all.map(({ filters }) => filters)),
    columns: unite(all.map(({ columns }) => columns)),
    sortFacets: unite(all.map(({ sortFacets }) => sortFacets)),
  };
  return {
    known,
    // Sorting is decided once for all shards, so parts may differ in its fields. A reader without
    // products has no kinds.
    consistent: parts.every(
      ({ statistics, known: own }) =>
        statistics.productCount === 0 || (isSame(own.filters, known.filters) && isSame(own.columns, known.columns)),
    ),
  };
}

/** The resolved filters of a search; those of rules come last. */
export function filtersOfSearch(
  search: SearchPlan,
  known: KnownFields,
): { readonly filters: PlannedFilter[]; readonly ofRules: number } {
  const kinds = (field: string): readonly FacetKind[] => known.filters.get(field) ?? [];
  const { postFields, sensitiveTrees, rangesBut } = search;
  const own = resolveFilters(search.filters, kinds, (field) => {
    const isOnly = (kind: FacetKind): boolean => kinds(field).every((one) => one === kind);
    return (
      postFields.includes(field) ||
      (sensitiveTrees !== null && !sensitiveTrees.includes(field) && isOnly("path")) ||
      (rangesBut !== undefined && !rangesBut.includes(field) && isOnly("number"))
    );
  });
  const induced = resolveFilters(search.inducedFilters, kinds, () => false, true);
  return { filters: [...own, ...induced], ofRules: induced.length };
}

/** The filters of the basis of a search without stages: those of rules and of a product set, not the request's own. */
export function basisFilters(
  { isSet }: SearchPlan,
  { filters, ofRules }: Pick<SearchDecision, "filters" | "ofRules">,
): readonly PlannedFilter[] {
  return isSet ? filters : filters.slice(filters.length - ofRules);
}

export function knownFields({ reader: { segments } }: SearchContext, plan: QueryPlan): KnownFields {
  const kindsOf = (name: string, isFacetable: boolean, configured: readonly FacetKind[] = []): FacetKind[] =>
    FACET_KINDS.filter(
      (kind) => configured.includes(kind) || segments.some((live) => hasLiveValue(live, name, kind, isFacetable)),
    );
  const columnsOf = (name: string): ColumnKind[] => {
    const kinds: ColumnKind[] = [];
    if (segments.some((live) => hasLiveNumber(live, name))) kinds.push("number");
    if (segments.some((live) => hasLiveString(live, name))) kinds.push("string");
    return kinds;
  };
  return {
    filters: new Map(Array.from(plan.filterFields, ([name, configured]) => [name, kindsOf(name, false, configured)])),
    columns: new Map(plan.sortFields.map((name) => [name, columnsOf(name)])),
    sortFacets: new Map(plan.sortFacets.map((name) => [name, kindsOf(name, true)])),
  };
}

/**
 * Whether a live product has a value of the field. A segment lists the fields of deleted products
 * until it is merged, and answers must not depend on that (invariant I4).
 * @param isFacetable whether only facetable values count
 */
export function hasLiveValue(live: LiveSegment, name: string, kind: FacetKind, isFacetable: boolean): boolean {
  const { facets, variantRows } = live.segment;
  const field = facets.field(name, kind);
  if (field === null || (isFacetable && !field.facet)) return false;
  const { deleted } = live;
  if (deleted === null || live.deletedCount === 0) return true;
  const cursors: { readonly cursor: PostingCursor; readonly ofVariants: boolean }[] = [];
  if (field.onProducts) cursors.push({ cursor: facets.productPostings.cursor(), ofVariants: false });
  if (field.onVariants && facets.variantPostings !== null) {
    cursors.push({ cursor: facets.variantPostings.cursor(), ofVariants: true });
  }
  for (const { cursor, ofVariants } of cursors) {
    for (let ordinal = field.start; ordinal < field.end; ordinal++) {
      if (isFacetable && facets.filterOnly !== null && hasBit(facets.filterOnly, ordinal)) continue;
      cursor.open(ordinal);
      for (let row = cursor.row; row !== NO_MORE_ROWS; row = cursor.next()) {
        if (!hasBit(deleted, ofVariants ? variantRows.productOf(row) : row)) return true;
      }
    }
  }
  return false;
}

/** The order in which `knownFields` lists kinds. */
const KIND_ORDER: readonly string[] = [...FACET_KINDS, "string"];

function unite<Kind extends FacetKind | ColumnKind>(
  maps: readonly ReadonlyMap<string, readonly Kind[]>[],
): Map<string, readonly Kind[]> {
  const united = new Map<string, readonly Kind[]>();
  for (const [name, kinds] of maps.flatMap((map) => [...map])) {
    const all = new Set([...(united.get(name) ?? []), ...kinds]);
    united.set(
      name,
      [...all].sort((a, b) => KIND_ORDER.indexOf(a) - KIND_ORDER.indexOf(b)),
    );
  }
  return united;
}

function isSame<Kind extends string>(
  a: ReadonlyMap<string, readonly Kind[]>,
  b: ReadonlyMap<string, readonly Kind[]>,
): boolean {
  for (const [name, kinds] of b) if ((a.get(name) ?? []).length !== kinds.length) return false;
  return true;
}
