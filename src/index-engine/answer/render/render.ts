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
  type Highlight,
  type ProductSet,
  type SearchRequest,
  type SearchResultSlice,
  type TenantConfig,
} from "../../../interface/index.ts";
import {
  mismatches,
  writeFacets,
  writeQueriedFacets,
  type FacetFieldPlan,
} from "../facets/index.ts";
import { work } from "../../base/index.ts";
import type { FieldPlan } from "../../documents/index.ts";
import type { EngineHit, Execution, FacetCounts } from "../../query/index.ts";
import type { StoredRef } from "../../segment/model/index.ts";
import { hitViewOf, type HitView } from "./hit-view.ts";
import { keepDocument, keptDocument } from "./kept-documents.ts";
import { checkFrame, QueryLinks } from "../links/index.ts";
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

/** The JSON of a `SearchResult`. */
export function render(input: RenderInput): string {
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

/**
 * Puts rendered hits, those of `execution.hits`, into their slices, and writes everything around them. It begins with
 * `tookInMillis`. Throws ServiceError `answer_too_large`, `search_too_expensive`.
 */
export function renderAnswer(input: AnswerInput, hits: readonly (string | null)[]): string {
  return work.within(() => writeAnswer(input, hits));
}

function writeAnswer(input: AnswerInput, hits: readonly (string | null)[]): string {
  const { execution, request, tenant, plan } = input;
  const counts = execution.facets;
  const facetsOf = request.facetQueries === undefined ? writeFacets : writeQueriedFacets;
  const links = new QueryLinks(request, execution.filters);
  const inputURI = links.input();
  const heroes = heroSlices(input);
  const heroHits = new Set(heroes.flatMap((slice) => slice.hits));
  const separate = separateSets(request, execution.isSorted);
  const inSeparate = separate.reduce((sum, set) => sum + (execution.setCounts[set] ?? 0), 0);
  const matchCount = Math.max(0, execution.matchCount - inSeparate);

  const hasMain = (request.arranged?.includeMainResult ?? true) || matchCount > 0;
  const facets =
    hasMain && counts !== null ? facetsOf(counts, execution, tenant, plan, request) : "null";
  const slices = heroes.map(({ set, hits: positions }) => {
    const head = {
      // Null is the main slice's, by which clients tell it.
      label: setsOf(request)[set].name ?? "",
      matchCount: execution.setCounts[set] ?? positions.length,
      nextOffset: positions.length,
      nextLink: null,
      resultLink: "",
    };
    return sliceJson(
      head,
      positions.map((position) => hits[position]),
      "null",
    );
  });
  if (hasMain) {
    const next = request.offset + execution.hits.length;
    const head = {
      label: null,
      matchCount,
      nextOffset: next,
      nextLink: hasNextPage(request, execution, next) ? links.page(next) : null,
      resultLink: inputURI,
    };
    slices.push(
      sliceJson(
        head,
        hits.filter((_, position) => !heroHits.has(position)),
        facets,
      ),
    );
  }
  const took = Math.max(0, Math.round(input.tookInMillis));
  const sortOptions = JSON.stringify(
    buildSortOptions(tenant.sortOptions, input.sortable, request, links),
  );
  const meta = JSON.stringify({ ...execution.meta, ...facetWarnings(counts, tenant.facets) });
  checkFrame([facets, sortOptions, meta]);
  return `{"tookInMillis":${took},"inputURI":${JSON.stringify(inputURI)},"slices":[${slices.join(",")}],"sortOptions":${sortOptions},"meta":${meta}}`;
}

type SliceHead = Omit<SearchResultSlice, "hits" | "facets">;

/** `hits` and `facets` as JSON. A hit that is missing makes an answer that nobody gets. */
function sliceJson(head: SliceHead, hits: readonly (string | null)[], facets: string): string {
  return `${JSON.stringify(head).slice(0, -1)},"hits":[${hits.join(",")}],"facets":${facets}}`;
}

/** Settings of facets that cannot be followed are told to who reads the answer, as there is no log of a tenant's. */
function facetWarnings(
  counts: FacetCounts | null,
  configuration: TenantConfig["facets"],
): Record<string, unknown> {
  const warnings = counts === null ? [] : mismatches(configuration, counts);
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

/** Where a source was read. */
export interface ReadSource {
  readonly ref: StoredRef;
  readonly sizeBytes: number;
}

/**
 * The JSON of a `ResultHit`.
 * @param source the parsed stored document
 * @param read given: `keptHit` has it next time, if it can
 */
export function renderHit(
  hit: EngineHit,
  source: unknown,
  input: HitInput,
  read: ReadSource | null = null,
): string {
  const { plan, view } = input;
  const document = plan.show(source, hit.variant);
  for (const { field, value, prefix } of hit.sortedFields) {
    // Only what is shown at all is corrected (docs/behaviour.md 3.9).
    if (!Object.hasOwn(document.data, field)) continue;
    document.data[field] = value;
    document.data[`${field}_prefix`] = prefix;
  }
  if (showsAll(hit, input)) {
    const json = JSON.stringify(document);
    if (read !== null) {
      keepDocument(plan, read.ref, hit.variant, { json, sourceBytes: read.sizeBytes });
    }
    return hitJson(hit, json, null, input);
  }
  const highlights = view?.highlights(document) ?? null;
  const prefixes = hit.sortedFields.map(({ field }): [string, string] => [
    `${field}_prefix`,
    field,
  ]);
  const shown = view?.cut(document, new Map(prefixes)) ?? document;
  return hitJson(hit, JSON.stringify(shown), highlights, input);
}

/** A hit whose document was shown before (kept-documents.ts), as `renderHit` has it; null: its source is needed. */
export function keptHit(
  hit: EngineHit,
  ref: StoredRef,
  input: HitInput,
): { readonly text: string; readonly sourceBytes: number } | null {
  const kept = showsAll(hit, input) ? keptDocument(input.plan, ref, hit.variant) : null;
  if (kept === null) return null;
  return { text: hitJson(hit, kept.json, null, input), sourceBytes: kept.sourceBytes };
}

/** Whether the document is shown as it is, whatever is searched for. */
function showsAll({ sortedFields }: EngineHit, { view }: HitInput): boolean {
  return view === null && sortedFields.length === 0;
}

/** @param document as JSON */
function hitJson(
  hit: EngineHit,
  document: string,
  highlights: Record<string, Highlight[]> | null,
  { request, indexName }: HitInput,
): string {
  const separate = separateSets(request, hit.sortValues.length > 0);
  const metaData = metaDataJson(hit, separate.includes(hit.set), highlights);
  return `{"index":${JSON.stringify(indexName)},"document":${document},"matchedQueries":${JSON.stringify(
    hit.matchedQueries,
  )},"metaData":${metaData}}`;
}

function metaDataJson(
  { score, sortValues, variantScore, explanation }: EngineHit,
  isHero: boolean,
  highlights: Record<string, Highlight[]> | null,
): string {
  const members: string[] = [];
  if (!isHero) {
    // JSON has no NaN; the reference's clients know the string.
    members.push(
      `"score":${score ?? '"NaN"'},"sort_values":${JSON.stringify(sortValues)},"version":-1`,
    );
  }
  if (variantScore !== null) members.push(`"variant_score":${JSON.stringify(variantScore)}`);
  if (explanation !== undefined) members.push(`"explain":${JSON.stringify(explanation)}`);
  if (highlights !== null) members.push(`"highlights":${JSON.stringify(highlights)}`);
  return members.length === 0 ? "null" : `{${members.join(",")}}`;
}
