/**
 * The part of Algolia's search protocol that InstantSearch uses (algoliasearch-helper 3,
 * `requestBuilder`).
 */

export interface Params {
  readonly query?: string;
  readonly page?: number;
  readonly hitsPerPage?: number;
  readonly offset?: number;
  readonly length?: number;
  readonly facets?: string | readonly string[];
  readonly facetFilters?: NestedFilters;
  readonly numericFilters?: NestedFilters;
  readonly filters?: string;
  readonly maxValuesPerFacet?: number;
  readonly highlightPreTag?: string;
  readonly highlightPostTag?: string;
  readonly attributesToRetrieve?: string | readonly string[];
  readonly attributesToHighlight?: string | readonly string[];
  readonly attributesToSnippet?: string | readonly string[];
  readonly snippetEllipsisText?: string;
  readonly clickAnalytics?: boolean;
  readonly analytics?: boolean;
  readonly facetName?: string;
  readonly facetQuery?: string;
  readonly maxFacetHits?: number;
}

/** `["a:1", ["b:1", "b:2"]]`: a and one of b. */
export type NestedFilters = string | readonly (string | readonly string[])[];

export interface Query {
  readonly indexName: string;
  readonly params?: Params;
  readonly type?: string;
  readonly facet?: string;
}

export interface HighlightResult {
  value: string;
  matchLevel: "none" | "full";
  matchedWords: string[];
  fullyHighlighted?: boolean;
}
export type Highlighted = HighlightResult | HighlightResult[];

export interface AlgoliaHit {
  objectID: string;
  _highlightResult: Record<string, Highlighted>;
  _snippetResult?: Record<string, Highlighted>;
  [field: string]: unknown;
}

export interface FacetStats {
  min: number;
  max: number;
}

export interface RenderingContent {
  facetOrdering: { facets: { order: string[] } };
}

export interface SearchAnswer {
  hits: AlgoliaHit[];
  nbHits: number;
  page: number;
  nbPages: number;
  hitsPerPage: number;
  offset?: number;
  length?: number;
  processingTimeMS: number;
  query: string;
  params: string;
  index: string;
  exhaustiveNbHits: boolean;
  exhaustiveFacetsCount: boolean;
  facets: Record<string, Record<string, number>>;
  facets_stats: Record<string, FacetStats>;
  renderingContent?: RenderingContent;
  /** `meta` of the answer: how the query was understood. */
  userData?: Readonly<Record<string, unknown>>[];
  queryID?: string;
}

export interface FacetSearchAnswer {
  facetHits: { value: string; highlighted: string; count: number }[];
  exhaustiveFacetsCount: boolean;
  processingTimeMS: number;
}

/**
 * A request of InstantSearch that Aisle does not support. The message names the widget or option.
 */
export class UnsupportedError extends Error {
  override name = "UnsupportedError";

  constructor(what: string, why: string) {
    super(`@aisle/instantsearch: ${what} is not supported: ${why}`);
  }
}

export function listOf(value: string | readonly string[] | undefined): readonly string[] {
  if (value === undefined) return [];
  return typeof value === "string" ? value.split(",").map((one) => one.trim()) : value;
}

/**
 * Parameters that do not affect results, or request what Aisle always does (exact counts, one hit
 * for variants).
 */
const WITHOUT_EFFECT = new Set(
  (
    "analytics analyticsTags clickAnalytics userToken enableABTest getRankingInfo distinct facetingAfterDistinct " +
    "maxFacetHits percentileComputation responseFields restrictHighlightAndSnippetArrays sumOrFiltersScores"
  ).split(" "),
);
const READ = new Set(
  (
    "query page hitsPerPage offset length facets facetFilters numericFilters filters maxValuesPerFacet " +
    "highlightPreTag highlightPostTag attributesToRetrieve attributesToHighlight attributesToSnippet " +
    "snippetEllipsisText facetName facetQuery"
  ).split(" "),
);
const WIDGETS: Readonly<Record<string, string>> = {
  aroundLatLng: "geoSearch",
  aroundLatLngViaIP: "geoSearch",
  aroundRadius: "geoSearch",
  insideBoundingBox: "geoSearch",
  insidePolygon: "geoSearch",
  ruleContexts: "queryRuleContext",
  relevancyStrictness: "relevantSort",
  queryLanguages: "voiceSearch (queryLanguages)",
  naturalLanguages: "voiceSearch (naturalLanguages)",
};

/** Throws for an unsupported parameter, unless its value has no effect (false, empty). */
export function checkParams(params: object): void {
  for (const [name, value] of Object.entries(params) as [string, unknown][]) {
    const isEmpty =
      value === undefined ||
      value === null ||
      value === false ||
      value === "" ||
      (Array.isArray(value) && value.length === 0);
    if (isEmpty || READ.has(name) || WITHOUT_EFFECT.has(name)) continue;
    const widget = WIDGETS[name];
    throw widget === undefined
      ? new UnsupportedError(`configure({${name}})`, "remove it; Aisle's configuration decides")
      : new UnsupportedError(widget, `Aisle does not support the parameter ${name}`);
  }
}
