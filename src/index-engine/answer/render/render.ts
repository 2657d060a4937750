/**
 * What was found + the documents of its hits -> the answer (docs/behaviour.md 1.3).
 *
 *   slices = [hero slice]* main      a hero slice per product set with `asSeparateSlice` that has products on this page
 *
 * The page runs over the combined list: products of sets first, then the others. Hits of separate sets are moved to
 * their own slices; main counts all matches less those. With a sort the sets' products are ordered like all others,
 * and nothing is moved. Without `includeMainResult` there is a main slice only for products of sets that have no slice
 * of their own.
 *
 * Paging: nextOffset is where the next page starts; nextLink is its address, null when there are no more hits or when
 * they lie beyond the window (LIMITS.resultWindow). An arranged search is a POST: no address can carry its sets, and
 * without them the next page would be another list, so it has none; whoever sends it again takes nextOffset.
 */
import {
  LIMITS,
  type ProductSet,
  type ResultHit,
  type SearchRequest,
  type SearchResult,
  type SearchResultSlice,
  type TenantConfig,
} from "../../../interface/index.ts";
import {
  buildFacets,
  buildQueriedFacets,
  mismatches,
  type FacetFieldPlan,
} from "../facets/index.ts";
import type { FieldPlan } from "../../documents/index.ts";
import type { EngineHit, Execution, FacetCounts } from "../../query/index.ts";
import { hitViewOf, type HitView } from "./hit-view.ts";
import { QueryLinks } from "../links/index.ts";
import { buildSortOptions } from "./sort-options.ts";

export interface RenderInput {
  readonly execution: Execution;
  readonly request: SearchRequest;
  readonly tenant: TenantConfig;
  readonly plan: FieldPlan;
  /** The physical name of the generation a hit is from, e.g. `ocs-2-shop-en`. */
  indexName(hit: EngineHit): string;
  /** Parsed stored documents of `execution.hits`, in the same order. */
  readonly sources: readonly unknown[];
  /** `sortableFields` of the reader. */
  readonly sortable: readonly string[];
  readonly tookInMillis: number;
}

export function render(input: RenderInput): SearchResult {
  const { execution, request, plan, sources } = input;
  const view = hitViewOf(request, execution.asked ?? [], plan.analyzer);
  const hits = execution.hits.map((hit, i) =>
    renderHit(hit, sources[i], { request, plan, view, indexName: input.indexName(hit) }),
  );
  return renderAnswer(input, hits);
}

/** All of an answer but its hits. */
export interface AnswerInput {
  readonly execution: Pick<
    Execution,
    "matchCount" | "facets" | "filters" | "setCounts" | "isSorted" | "meta" | "indexCounts"
  > & { readonly hits: readonly Pick<EngineHit, "set">[] };
  readonly request: SearchRequest;
  readonly tenant: TenantConfig;
  readonly plan: FacetFieldPlan;
  readonly sortable: readonly string[];
  readonly tookInMillis: number;
}

/** A `SearchResult` whose hits may be texts. */
export type AnswerOf<Hit> = Omit<SearchResult, "slices"> & {
  slices: (Omit<SearchResultSlice, "hits"> & { hits: Hit[] })[];
};

/** Puts rendered hits, those of `execution.hits`, into their slices, and renders everything around them. */
export function renderAnswer<Hit>(input: AnswerInput, hits: readonly Hit[]): AnswerOf<Hit> {
  const { execution, request, tenant, plan } = input;
  const facetsOf = request.facetQueries === undefined ? buildFacets : buildQueriedFacets;
  const links = new QueryLinks(request, execution.filters);
  const inputURI = links.input();
  const heroes = heroSlices(input);
  const heroHits = new Set(heroes.flatMap((slice) => slice.hits));
  const separate = separateSets(request, execution.isSorted);
  const inSeparate = separate.reduce((sum, set) => sum + (execution.setCounts[set] ?? 0), 0);
  const matchCount = Math.max(0, execution.matchCount - inSeparate);

  const slices: AnswerOf<Hit>["slices"] = heroes.map(({ set, hits: positions }) => ({
    // Null is the main slice's, by which clients tell it.
    label: setsOf(request)[set].name ?? "",
    matchCount: execution.setCounts[set] ?? positions.length,
    nextOffset: positions.length,
    nextLink: null,
    resultLink: "",
    hits: positions.map((position) => hits[position]),
    facets: null,
  }));
  if ((request.arranged?.includeMainResult ?? true) || matchCount > 0) {
    const next = request.offset + execution.hits.length;
    slices.push({
      label: null,
      matchCount,
      nextOffset: next,
      nextLink: hasNextPage(request, execution, next) ? links.page(next) : null,
      resultLink: inputURI,
      hits: hits.filter((_, position) => !heroHits.has(position)),
      facets:
        execution.facets === null
          ? null
          : facetsOf(execution.facets, execution, tenant, plan, request),
    });
  }
  return {
    tookInMillis: Math.max(0, Math.round(input.tookInMillis)),
    inputURI,
    slices,
    sortOptions: buildSortOptions(tenant.sortOptions, input.sortable, request, links),
    meta: { ...execution.meta, ...facetWarnings(execution.facets, tenant.facets) },
  };
}

/** Settings of facets that cannot be followed are told to who reads the answer, as there is no log of a tenant's. */
function facetWarnings(
  counts: FacetCounts | null,
  configuration: TenantConfig["facets"],
): Record<string, unknown> {
  const warnings = counts === null ? [] : mismatches(configuration, counts.fields());
  return warnings.length === 0 ? {} : { facet_warnings: warnings };
}

function hasNextPage(
  { limit, arranged }: SearchRequest,
  { matchCount, hits }: AnswerInput["execution"],
  next: number,
): boolean {
  return (
    arranged === null &&
    hits.length > 0 &&
    limit > 0 &&
    next < matchCount &&
    next + limit <= LIMITS.resultWindow.value
  );
}

function setsOf(request: SearchRequest): readonly ProductSet[] {
  return request.arranged?.sets ?? [];
}

/** Indexes of the sets that have slices of their own. */
function separateSets(request: SearchRequest, isSorted: boolean): number[] {
  if (isSorted) return [];
  return setsOf(request).flatMap(({ asSeparateSlice }, set) => (asSeparateSlice ? [set] : []));
}

/** The separate sets with hits on this page, and the positions of those hits. */
function heroSlices({ execution, request }: AnswerInput): { set: number; hits: number[] }[] {
  return separateSets(request, execution.isSorted)
    .map((set) => ({
      set,
      hits: execution.hits.flatMap((hit, index) => (hit.set === set ? [index] : [])),
    }))
    .filter(({ hits }) => hits.length > 0);
}

export interface HitInput {
  readonly request: SearchRequest;
  readonly plan: Pick<FieldPlan, "show">;
  /** The physical name of the generation the hit is from. */
  readonly indexName: string;
  /** `hitViewOf` the request. */
  readonly view: HitView | null;
}

/** @param source the parsed stored document */
export function renderHit(
  hit: EngineHit,
  source: unknown,
  { request, plan, indexName, view }: HitInput,
): ResultHit {
  const document = plan.show(source, hit.variant);
  for (const { field, value, prefix } of hit.sortedFields) {
    // Only what is shown at all is corrected (docs/behaviour.md 3.9).
    if (!Object.hasOwn(document.data, field)) continue;
    document.data[field] = value;
    document.data[`${field}_prefix`] = prefix;
  }
  const separate = separateSets(request, hit.sortValues.length > 0);
  const metaData = metaDataOf(hit, separate.includes(hit.set));
  const highlights = view?.highlights(document) ?? null;
  const prefixes = hit.sortedFields.map(({ field }): [string, string] => [
    `${field}_prefix`,
    field,
  ]);
  return {
    index: indexName,
    document: view?.cut(document, new Map(prefixes)) ?? document,
    matchedQueries: [...hit.matchedQueries],
    metaData: highlights === null ? metaData : { ...metaData, highlights },
  };
}

function metaDataOf(hit: EngineHit, isHero: boolean): Record<string, unknown> | null {
  const ofVariant = {
    ...(hit.variantScore !== null && { variant_score: hit.variantScore }),
    ...(hit.explanation !== undefined && { explain: hit.explanation }),
  };
  if (isHero) return Object.keys(ofVariant).length === 0 ? null : ofVariant;
  return {
    // JSON has no NaN; the reference's clients know the string.
    score: hit.score ?? "NaN",
    sort_values: [...hit.sortValues],
    version: -1,
    ...ofVariant,
  };
}
