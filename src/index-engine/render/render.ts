/**
 * What was found + the documents of its hits -> the answer (reference-behaviour.md 1.3, decisions.md "Wire format").
 *
 *   slices = [hero slice]* main      a hero slice per product set with `asSeparateSlice` that has products on this page
 *
 * The page runs over the combined list: products of sets first, then the others. Hits of separate sets are moved to their own
 * slices; main counts all matches less those. With a sort the sets' products are ordered like all others, and nothing is moved.
 * Without `includeMainResult` there is a main slice only for products of sets that have no slice of their own.
 *
 * Paging: nextOffset is where the next page starts; nextLink is its address, null when there are no more hits or when they lie
 * beyond the window (LIMITS.resultWindow). For an arranged search, which is a POST, it carries the parameters to repeat it with.
 */
import {
  LIMITS,
  type ProductSet,
  type ResultHit,
  type SearchRequest,
  type SearchResult,
  type SearchResultSlice,
  type TenantConfig,
} from "../../interface/index.ts";
import { buildFacets } from "../facets/index.ts";
import type { FieldPlan } from "../fields/plan.ts";
import type { EngineHit, Execution } from "../model.ts";
import { QueryLinks } from "./links.ts";
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
  const { execution, request, tenant, plan } = input;
  const links = new QueryLinks(request, execution.filters);
  const inputURI = links.input();
  const heroes = heroSlices(input);
  const heroHits = new Set(heroes.flatMap(({ hits }) => hits));
  const separate = separateSets(request);
  const inSeparate = separate.reduce((sum, set) => sum + (execution.setCounts[set] ?? 0), 0);
  const matchCount = Math.max(0, execution.matchCount - inSeparate);

  const slices: SearchResultSlice[] = heroes.map(({ set, hits }) => ({
    label: setsOf(request)[set].name ?? null,
    matchCount: execution.setCounts[set] ?? hits.length,
    nextOffset: hits.length,
    nextLink: null,
    resultLink: "",
    hits: hits.map((index) => hitOf(input, index, true)),
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
      hits: execution.hits.flatMap((_, index) =>
        heroHits.has(index) ? [] : [hitOf(input, index, false)],
      ),
      facets:
        execution.facets === null
          ? null
          : buildFacets(execution.facets, execution, tenant, plan, request),
    });
  }
  return {
    tookInMillis: Math.max(0, Math.round(input.tookInMillis)),
    inputURI,
    slices,
    sortOptions: buildSortOptions(tenant.sortOptions, input.sortable, request, links),
    meta: { ...execution.meta },
  };
}

function hasNextPage(
  { limit }: SearchRequest,
  { matchCount, hits }: Execution,
  next: number,
): boolean {
  return (
    hits.length > 0 && limit > 0 && next < matchCount && next + limit <= LIMITS.resultWindow.value
  );
}

function setsOf(request: SearchRequest): readonly ProductSet[] {
  return request.arranged?.sets ?? [];
}

/** Indexes of the sets that have slices of their own. */
function separateSets(request: SearchRequest): number[] {
  if (request.sort.length > 0) return [];
  return setsOf(request).flatMap(({ asSeparateSlice }, set) => (asSeparateSlice ? [set] : []));
}

/** The separate sets with hits on this page, and the positions of those hits. */
function heroSlices({ execution, request }: RenderInput): { set: number; hits: number[] }[] {
  return separateSets(request)
    .map((set) => ({
      set,
      hits: execution.hits.flatMap((hit, index) => (hit.set === set ? [index] : [])),
    }))
    .filter(({ hits }) => hits.length > 0);
}

function hitOf(input: RenderInput, index: number, isHero: boolean): ResultHit {
  const hit = input.execution.hits[index];
  const document = input.plan.show(input.sources[index], hit.variant);
  for (const { field, value, prefix } of hit.sortedFields) {
    // Only what is shown at all is corrected (reference-behaviour.md 3.9).
    if (!Object.hasOwn(document.data, field)) continue;
    document.data[field] = value;
    document.data[`${field}_prefix`] = prefix;
  }
  return {
    index: input.indexName(hit),
    document,
    matchedQueries: [...hit.matchedQueries],
    metaData: metaDataOf(hit, isHero),
  };
}

function metaDataOf(hit: EngineHit, isHero: boolean): Record<string, unknown> | null {
  const ofVariant = hit.variantScore === null ? {} : { variant_score: hit.variantScore };
  if (isHero) return hit.variantScore === null ? null : ofVariant;
  return {
    // JSON has no NaN; the reference's clients know the string.
    score: hit.score ?? "NaN",
    sort_values: [...hit.sortValues],
    version: -1,
    ...ofVariant,
  };
}
