/**
 * Renders the answer from the result of a search and the documents of its hits (docs/behaviour.md 1.3).
 *
 *   slices = [hero slice]* main      a hero slice per set with `asSeparateSlice` and products here
 *
 * The page covers the combined list: first the products of sets, then the others. Hits of separate sets are moved to
 * slices of their own; the main slice counts all other matches. With a sort, the products of sets are ordered like all
 * others, and nothing is moved. Without `includeMainResult`, the main slice only has products of sets without their
 * own slice.
 *
 * Paging: nextOffset is where the next page starts. nextLink is its address, or null if there are no more hits or they
 * lie beyond the window (LIMITS.resultWindow). An arranged search is a POST. An address cannot carry its sets, and
 * without them the next page would belong to another list. It therefore has no nextLink; clients send the POST again
 * with nextOffset.
 */
import {
  LIMITS,
  type Highlight,
  type ProductSet,
  type SearchRequest,
  type SearchResultSlice,
  type TenantConfig,
} from "../../../interface/index.ts";
import { countedKinds, mismatches, writeFacets, writeQueriedFacets, type FacetFieldPlan } from "../facets/index.ts";
import { GrowableBytes, run, sumOfBytes, utf8Of, work, type Parts } from "../../base/index.ts";
import { parseDocument, type FieldPlan } from "../../documents/index.ts";
import type { EngineHit, Execution, FacetCounts } from "../../query/index.ts";
import type { StoredRef } from "../../segment/model/index.ts";
import { hitViewOf, type HitView } from "./hit-view.ts";
import { keepDocument, keptDocument } from "./kept-documents.ts";
import { checkFrameBytes, QueryLinks } from "../links/index.ts";
import { withNamedVariant } from "./named-variant.ts";
import { sortOptionsJson } from "./sort-options.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export interface RenderInput {
  readonly execution: Execution;
  readonly request: SearchRequest;
  readonly tenant: TenantConfig;
  readonly plan: FieldPlan;
  /** The physical name of the generation that the hit is from, such as `ocs-2-shop-en`. */
  indexName(hit: EngineHit): string;
  /** Stored documents of `execution.hits`, in the same order. */
  readonly sources: readonly Uint8Array[];
  /** `sortableFields` of the reader. */
  readonly sortable: readonly string[];
  readonly tookInMillis: number;
}

/** The JSON of a `SearchResult`. */
export function render(input: RenderInput): Uint8Array<ArrayBuffer> {
  const { execution, request, plan, sources } = input;
  const view = hitViewOf(request, execution.asked ?? [], plan.analyzer);
  const hits = execution.hits.map((hit, i) =>
    renderHit(hit, sources[i], { request, plan, view, indexName: input.indexName(hit) }),
  );
  return renderAnswer(input, hits);
}

/** Everything in an answer except its hits. */
export interface AnswerInput {
  readonly execution: Pick<
    Execution,
    "matchCount" | "facets" | "queried" | "filters" | "setCounts" | "isSorted" | "meta" | "indexCounts"
  > & { readonly hits: readonly Pick<EngineHit, "set">[] };
  readonly request: SearchRequest;
  readonly tenant: TenantConfig;
  readonly plan: FacetFieldPlan;
  readonly sortable: readonly string[];
  readonly tookInMillis: number;
}

/** Buffers up to this size are kept for the next answer. */
const KEPT_BYTES = 262_144;

const answerBytes = new GrowableBytes();

/**
 * Puts the rendered hits, those of `execution.hits`, into their slices and writes everything around them. The answer
 * begins with `tookInMillis`. Throws ServiceError `answer_too_large`, `search_too_expensive`.
 */
export function renderAnswer(input: AnswerInput, hits: readonly (JsonPieces | null)[]): Uint8Array<ArrayBuffer> {
  try {
    work.within(() => writeAnswer(answerBytes, input, hits));
    return answerBytes.take(KEPT_BYTES);
  } finally {
    answerBytes.clear(KEPT_BYTES);
  }
}

function writeAnswer(to: GrowableBytes, input: AnswerInput, hits: readonly (JsonPieces | null)[]): void {
  const { execution, request, tenant, plan } = input;
  const { facets } = execution;
  const links = new QueryLinks(request, execution.filters);
  const inputURI = links.input();
  const heroes = heroSlices(input);
  const separate = separateSets(request, execution.isSorted);
  const inSeparate = separate.reduce((sum, set) => sum + (execution.setCounts[set] ?? 0), 0);
  const matchCount = Math.max(0, execution.matchCount - inSeparate);

  const took = Math.max(0, Math.round(input.tookInMillis));
  to.pushText(`{"tookInMillis":${took},"inputURI":${JSON.stringify(inputURI)},"slices":[`);
  heroes.forEach(({ set, hits: positions }, i) => {
    const head = {
      // Only the main slice has the label null; clients recognize it by that.
      label: setsOf(request)[set].name ?? "",
      matchCount: execution.setCounts[set] ?? positions.length,
      nextOffset: positions.length,
      nextLink: null,
      resultLink: "",
    };
    const own = positions.map((position) => hits[position]);
    writeSliceStart(to, i === 0, head, own);
    to.pushText("null}");
  });
  let facetBytes = 0;
  if ((request.arranged?.includeMainResult ?? true) || matchCount > 0) {
    const next = request.offset + execution.hits.length;
    const head = {
      label: null,
      matchCount,
      nextOffset: next,
      nextLink: hasNextPage(request, execution, next) ? links.page(next) : null,
      resultLink: inputURI,
    };
    const heroHits = new Set(heroes.flatMap((slice) => slice.hits));
    const own = heroHits.size === 0 ? hits : hits.filter((_, position) => !heroHits.has(position));
    writeSliceStart(to, heroes.length === 0, head, own);
    const start = to.length;
    if (facets === null) to.pushText("null");
    else {
      const writeJson = request.facetQueries === undefined ? writeFacets : writeQueriedFacets;
      writeJson(to, { counts: facets, execution, tenant, plan, request });
    }
    facetBytes = to.length - start;
    to.pushText("}");
  }
  const start = to.length;
  const options = sortOptionsJson(tenant.sortOptions, input.sortable, request, links);
  const meta = { ...execution.meta, ...facetWarnings(facets, tenant.facets) };
  to.pushText(`],"sortOptions":${options},"meta":${JSON.stringify(meta)}}`);
  checkFrameBytes(facetBytes + to.length - start);
}

type SliceHead = Omit<SearchResultSlice, "hits" | "facets">;

/** Writes a slice up to its facets. If a hit is missing, the answer is never sent. */
function writeSliceStart(
  to: GrowableBytes,
  isFirst: boolean,
  head: SliceHead,
  hits: readonly (JsonPieces | null)[],
): void {
  to.pushText(`${isFirst ? "" : ","}${JSON.stringify(head).slice(0, -1)},"hits":[`);
  let isFirstHit = true;
  for (const hit of hits) {
    if (!isFirstHit) to.pushText(",");
    isFirstHit = false;
    for (const piece of hit ?? []) to.pushBytes(piece);
  }
  to.pushText('],"facets":');
}

/** Warnings about facet settings that do not fit the values. In the answer, because tenants cannot read the log. */
function facetWarnings(counts: FacetCounts | null, configuration: TenantConfig["facets"]): Record<string, unknown> {
  const warnings = counts === null ? [] : mismatches(configuration, (name) => countedKinds(counts, name));
  return warnings.length === 0 ? {} : { facet_warnings: warnings };
}

function hasNextPage(
  { limit, arranged }: SearchRequest,
  { matchCount, hits }: AnswerInput["execution"],
  next: number,
): boolean {
  return (
    arranged === null && hits.length > 0 && limit > 0 && next < matchCount && next + limit <= LIMITS.resultWindow.value
  );
}

function setsOf(request: SearchRequest): readonly ProductSet[] {
  return request.arranged?.sets ?? [];
}

const NO_SETS: readonly number[] = [];

/** Indexes of the sets that have slices of their own. */
function separateSets(request: SearchRequest, isSorted: boolean): readonly number[] {
  if (isSorted || request.arranged === null) return NO_SETS;
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
  readonly plan: Pick<FieldPlan, "show" | "showJson" | "public">;
  /** The physical name of the generation that the hit is from. */
  readonly indexName: string;
  /** The result of `hitViewOf` for the request. */
  readonly view: HitView | null;
}

/** JSON in consecutive pieces. A cached document is thus copied only once, into the answer. */
export type JsonPieces = readonly Uint8Array[];

/** The pieces of the last hit. Other hits of its page usually have the same ones. */
let lastIndexName: string | null = null;
let lastHead: Uint8Array = new Uint8Array(0);
let lastQueries: readonly string[] | null = null;
let lastQueriesJson: Uint8Array = new Uint8Array(0);

/**
 * The JSON of a `ResultHit`.
 * @param source the stored document
 * @param ref the place it was read from. If given, the document is cached for `keptHit`
 */
export function renderHit(
  hit: EngineHit,
  source: Uint8Array,
  input: HitInput,
  ref: StoredRef | null = null,
): JsonPieces {
  const json = renderHitInParts(hit, source, input, ref);
  return "next" in json ? run(json) : json;
}

/** The same; in parts if the document is not shown as it is. */
export function renderHitInParts(
  hit: EngineHit,
  source: Uint8Array,
  input: HitInput,
  ref: StoredRef | null = null,
): JsonPieces | Parts<JsonPieces> {
  const { plan } = input;
  if (hit.named !== undefined) {
    return renderHitInParts(withNamedVariant(hit, parseDocument(decoder.decode(source)), plan), source, input, ref);
  }
  if (showsAll(hit, input)) {
    const json = plan.showJson(source, hit.variant);
    if (ref !== null) {
      keepDocument(plan, ref, hit.variant, { json, sourceBytes: source.byteLength });
    }
    return hitJson(hit, json, null, input);
  }
  return changedHit(hit, source, input);
}

function* changedHit(hit: EngineHit, source: Uint8Array, input: HitInput): Parts<JsonPieces> {
  const { plan, view } = input;
  const document = plan.show(parseDocument(decoder.decode(source)), hit.variant);
  for (const { field, value, prefix } of hit.sortedFields) {
    // Only fields that are shown are replaced (docs/behaviour.md 3.9).
    if (!Object.hasOwn(document.data, field)) continue;
    document.data[field] = value;
    document.data[`${field}_prefix`] = prefix;
  }
  const highlights = view === null ? null : yield* view.highlights(document);
  const prefixes = hit.sortedFields.map(({ field }): [string, string] => [`${field}_prefix`, field]);
  const shown = view?.cut(document, new Map(prefixes)) ?? document;
  return hitJson(hit, encoder.encode(JSON.stringify(shown)), highlights, input);
}

/**
 * The same JSON as `renderHit`, for a hit whose document is cached (kept-documents.ts). Null: its source is needed.
 */
export function keptHit(
  hit: EngineHit,
  ref: StoredRef,
  input: HitInput,
): { readonly json: JsonPieces; readonly sourceBytes: number } | null {
  // The variant that a code names is only in the source.
  if (hit.named !== undefined) return null;
  const cached = showsAll(hit, input) ? keptDocument(input.plan, ref, hit.variant) : null;
  if (cached === null) return null;
  return { json: hitJson(hit, cached.json, null, input), sourceBytes: cached.sourceBytes };
}

/** Whether the document is shown unchanged for every search. */
function showsAll({ sortedFields }: EngineHit, { view }: HitInput): boolean {
  return view === null && sortedFields.length === 0;
}

/** @param document the document as JSON */
function hitJson(
  hit: EngineHit,
  document: Uint8Array,
  highlights: Record<string, Highlight[]> | null,
  { request, indexName }: HitInput,
): JsonPieces {
  if (indexName !== lastIndexName) {
    lastHead = utf8Of(`{"index":${JSON.stringify(indexName)},"document":`);
    lastIndexName = indexName;
  }
  const isHero = separateSets(request, hit.sortValues.length > 0).includes(hit.set);
  const members = metaDataMembers(hit, highlights);
  const queries = queriesJson(hit.matchedQueries);
  if (isHero) return [lastHead, document, queries, utf8Of(members === "" ? "null}" : `{${members.slice(1)}}}`)];
  // JSON has no NaN. Clients of the reference expect this string.
  const score = utf8Of(`${hit.score ?? '"NaN"'}`);
  const isUsual = hit.sortValues.length === 0 && members === "";
  const rest = isUsual ? USUAL : utf8Of(`,"sort_values":${JSON.stringify(hit.sortValues)},"version":-1${members}}}`);
  return [lastHead, document, queries, SCORE, score, rest];
}

const SCORE = utf8Of('{"score":');
const USUAL = utf8Of(',"sort_values":[],"version":-1}}');

/** The pieces joined, to be sent by a shard. */
export function wholeJson(json: JsonPieces): Uint8Array {
  const whole = new Uint8Array(sizeBytesOf(json));
  let at = 0;
  for (const piece of json) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  return whole;
}

export function sizeBytesOf(json: JsonPieces): number {
  return sumOfBytes(...json);
}

function queriesJson(queries: readonly string[]): Uint8Array {
  const last = lastQueries;
  if (last?.length !== queries.length || !queries.every((query, i) => query === last[i])) {
    lastQueriesJson = utf8Of(`,"matchedQueries":${JSON.stringify(queries)},"metaData":`);
    lastQueries = queries;
  }
  return lastQueriesJson;
}

/** The members of the metadata that few hits have, each after a comma. */
function metaDataMembers(
  { variantScore, isSoldOut, explanation }: EngineHit,
  highlights: Record<string, Highlight[]> | null,
): string {
  let members = "";
  if (variantScore !== null) members += `,"variant_score":${JSON.stringify(variantScore)}`;
  if (isSoldOut) members += ',"sold_out":true';
  if (explanation !== undefined) members += `,"explain":${JSON.stringify(explanation)}`;
  if (highlights !== null) members += `,"highlights":${JSON.stringify(highlights)}`;
  return members;
}
