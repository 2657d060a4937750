/**
 * Search requests and answers (docs/behaviour.md 1.2, 1.3).
 */
import * as z from "zod";
import { LIMITS } from "./limits.ts";
import { DocumentAnswer } from "./document.ts";

export const DEFAULT_LIMIT = 12;

/** Search parameters that are not filters. Every other parameter is a filter or ignored (filteredBy). */
export const SEARCH_PARAMETERS = [
  "q",
  "sort",
  "limit",
  "offset",
  "withFacets",
  "trace",
  "query_stage",
  "typing",
  "aggSampling",
  "highlight",
  "highlightTag",
  "fields",
  "facetQuery",
] as const;

const PARAMETERS: ReadonlySet<string> = new Set(SEARCH_PARAMETERS);
/**
 * Prefix for fields with the name of a parameter, and for those whose names end like filters by id: `f.limit=5` filters
 * the field `limit`, `f.x.id=5` the field `x.id`, even if there is a field `x`.
 */
const FIELD_PREFIX = "f.";
const ID_SUFFIX = ".id";

/** The parameter that filters a field by value. */
export function filterParameterOf(field: string): string {
  return PARAMETERS.has(field) || field.endsWith(ID_SUFFIX) ? FIELD_PREFIX + field : field;
}

/** The fields that a filter may mean, best first: `x.id` the ids of `x` or a field, `f.x.id` also the field `x.id`. */
export function filteredFields(name: string): readonly { readonly field: string; readonly byId: boolean }[] {
  const named = { field: name, byId: false };
  if (!name.endsWith(ID_SUFFIX)) return [named];
  const ofIds = { field: name.slice(0, -ID_SUFFIX.length), byId: true };
  const plain = { field: name.slice(FIELD_PREFIX.length), byId: false };
  return name.startsWith(FIELD_PREFIX) ? [ofIds, named, plain] : [ofIds, named];
}

/** The field named by a filter parameter, followed by `.id` where the parameter is. */
export function filteredBy(parameter: string): string {
  if (!parameter.startsWith(FIELD_PREFIX)) return parameter;
  const filtered = parameter.slice(FIELD_PREFIX.length);
  return PARAMETERS.has(filtered.replace(/\.id$/, "")) ? filtered : parameter;
}

/** Every parser of a sort applies these rules first (sortProblem). */
const sortText = z.string().superRefine((text, context) => {
  const message = sortProblem(text);
  if (message !== null) context.addIssue({ code: "custom", message });
});

/** The problem with a sort; null: none. */
export function sortProblem(text: string): string | null {
  const { sortCharacters, sortCriteria } = LIMITS;
  if (text.length > sortCharacters.value) {
    return `has ${text.length} characters, more than ${sortCharacters.value}`;
  }
  const count = text.split(",").length;
  return count > sortCriteria.value ? `has ${count} criteria, more than ${sortCriteria.value}` : null;
}

const limit = z.number().int().min(0).default(DEFAULT_LIMIT);

export const SearchQuery = z
  .object({
    q: z.string().nullish(),
    sort: sortText.nullish(),
    limit,
    offset: z.number().int().min(0).default(0),
    withFacets: z.boolean().default(true),
  })
  .meta({ id: "SearchQuery", description: "The parameters of a search that are not filters." });

const Filters = z.record(z.string(), z.string());
const several = z.union([z.string(), z.array(z.string())]);

const setMembers = {
  name: z.string().nullish(),
  asSeparateSlice: z.boolean().default(false),
  variantBoostTerms: z.string().nullish(),
};
const setLimit = z.number().int().min(1).max(LIMITS.resultWindow.value).default(3);

export const StaticProductSet = z
  .object({
    type: z.literal("static"),
    ...setMembers,
    ids: z.array(z.union([z.string(), z.number()]).transform(String)).max(LIMITS.productSetIds.value),
  })
  .meta({ id: "StaticProductSet", description: "Documents by id, in the given order." });
export const DynamicProductSet = z
  .object({
    type: z.literal("dynamic"),
    ...setMembers,
    query: z.string().nullish(),
    sort: sortText.nullish(),
    filters: Filters.nullish(),
    limit: setLimit,
  })
  .meta({ id: "DynamicProductSet", description: "The results of a query." });
export const QueryStringProductSet = z
  .object({
    type: z.literal("querystring"),
    ...setMembers,
    query: z.string(),
    sort: sortText.nullish(),
    filters: Filters.nullish(),
    fieldWeights: z.record(z.string(), z.number()).nullish(),
    limit: setLimit,
  })
  .meta({
    id: "QueryStringProductSet",
    description: "The results of a query in query string syntax.",
  });
export const GenericProductSet = z
  .object({
    type: z.literal("generic"),
    ...setMembers,
    size: z.number().int().default(0),
    parameters: z.record(z.string(), z.string()).nullish(),
  })
  .meta({
    id: "GenericProductSet",
    description: "A set for a custom resolver. It is always empty.",
  });
export const ProductSet = z
  .discriminatedUnion("type", [StaticProductSet, DynamicProductSet, QueryStringProductSet, GenericProductSet])
  .meta({ id: "ProductSet", description: "Documents to inject into the result." });
export type ProductSet = z.infer<typeof ProductSet>;

export const ArrangedSearchQuery = SearchQuery.extend({
  filters: Filters.nullish(),
  arrangedProductSets: z.array(ProductSet).max(LIMITS.productSets.value).nullish(),
  includeMainResult: z.boolean().default(true),
  highlight: several.nullish(),
  highlightTag: z.string().nullish(),
  fields: several.nullish(),
  facetQuery: several.nullish(),
}).meta({
  id: "ArrangedSearchQuery",
  description: "A search with product sets to inject into its result.",
});

/**
 * One decoded filter parameter, independent of its field.
 *
 * `brand.id=!a,b%2Cc` -> `{name: "brand.id", negated: true, values: ["a", "b,c"]}`: commas split, `%2C` is a literal
 * comma, empty values are gone (a filter without values is left out altogether).
 *
 * `texts`: input for number fields that `values` does not preserve: the values of each occurrence of the parameter,
 * each a separate range, and open ranges. `10,20` and `50,` -> `[["10", "20"], ["50", ""]]`. Absent: all
 * values are from one occurrence.
 */
export interface FilterParameter {
  readonly name: string;
  readonly negated: boolean;
  readonly values: readonly string[];
  readonly texts?: readonly (readonly string[])[];
}

/**
 * `Explain`: why each hit matches. `Request`: the parsed request. `EsQuery` (the reference's): the
 * executed plan.
 */
export const TRACE_FLAGS = ["Explain", "Request", "EsQuery"] as const;
export type TraceFlag = (typeof TRACE_FLAGS)[number];

/** Allowed elements for marks, so that a name from a link cannot inject a script. */
export const HIGHLIGHT_TAGS = ["em", "mark", "strong", "b", "i", "u", "span"] as const;
export type HighlightTag = (typeof HIGHLIGHT_TAGS)[number];

/** `facetQuery=brand:ado`: values of one facet that match a text. */
export interface FacetQuery {
  readonly field: string;
  /** Trimmed; empty: all values. */
  readonly text: string;
}

/** One search request of the engine, from GET or POST. Plain data, sent over RPC. */
export interface SearchRequest {
  readonly q: string;
  readonly sort: readonly { readonly field: string; readonly descending: boolean }[];
  readonly limit: number;
  readonly offset: number;
  readonly withFacets: boolean;
  readonly filters: readonly FilterParameter[];
  /** Time of the request, for functions of time; absent: 0. */
  readonly nowMs?: number;
  /** `trace`: requested explanations. */
  readonly trace?: readonly TraceFlag[];
  /** `query_stage`: the first stage to try. */
  readonly queryStage?: number;
  /** `typing=true`: the last word of `q` is still being typed. */
  readonly isTyping?: boolean;
  /** `highlight`: patterns of field names (index-engine/answer/highlight/field-selection.ts); absent: no marks. */
  readonly highlight?: readonly string[];
  /** Absent: `em`. */
  readonly highlightTag?: HighlightTag;
  /** `fields`: patterns of field names in hits; absent: all. */
  readonly fields?: readonly string[];
  /** `facetQuery`: only facets of these fields; absent: the usual ones. */
  readonly facetQueries?: readonly FacetQuery[];
  /** Null for a plain search. */
  readonly arranged: {
    readonly sets: readonly ProductSet[];
    readonly includeMainResult: boolean;
  } | null;
}

// ---- answers

/** One field value with marked search terms: `metaData.highlights` has lists of them by field. */
export const Highlight = z
  .object({
    /**
     * Escaped `text` with marks in the requested tag; `…` where a fragment was cut out. Safe to insert into a page.
     */
    html: z.string(),
    /** The value without markup, or a fragment of it. */
    text: z.string(),
    /** `[start, end)` in `text`, in UTF-16 units, ascending, not adjacent. */
    marks: z.array(z.tuple([z.number().int(), z.number().int()])),
    /** False: a fragment. */
    whole: z.boolean(),
    /** Index of the field's value, from 0. */
    value: z.number().int(),
  })
  .meta({ id: "Highlight", description: "A value of a field with its matches." });
export type Highlight = z.infer<typeof Highlight>;

const entryMembers = {
  key: z.string(),
  id: z.string().nullable(),
  docCount: z.number().int(),
  link: z.string().nullable(),
  selected: z.boolean(),
};
const TermFacetEntry = z
  .object({ type: z.literal("term"), ...entryMembers })
  .meta({ id: "TermFacetEntry", description: "A value." });

/** TypeScript infers no type of a schema that contains itself. */
export interface HierarchialFacetEntry extends Omit<z.infer<typeof TermFacetEntry>, "type"> {
  type: "hierarchical";
  path: string;
  children: HierarchialFacetEntry[];
}
const HierarchialFacetEntry: z.ZodType<HierarchialFacetEntry> = z
  .object({
    type: z.literal("hierarchical"),
    ...entryMembers,
    path: z.string(),
    get children() {
      return z.array(HierarchialFacetEntry);
    },
  })
  .meta({ id: "HierarchialFacetEntry", description: "A category and its subcategories." });

const IntervalFacetEntry = z
  .object({
    type: z.literal("interval"),
    ...entryMembers,
    lowerBound: z.number().nullable(),
    upperBound: z.number().nullable(),
  })
  .meta({ id: "IntervalFacetEntry", description: "An interval of numbers; a null bound is open." });
export type IntervalFacetEntry = z.infer<typeof IntervalFacetEntry>;

const RangeFacetEntry = z
  .object({
    type: z.literal("range"),
    ...entryMembers,
    lowerBound: z.number(),
    upperBound: z.number(),
    selectedMin: z.number().nullable(),
    selectedMax: z.number().nullable(),
  })
  .meta({
    id: "RangeFacetEntry",
    description: "The range of all numbers, and the selected part of it.",
  });
export type RangeFacetEntry = z.infer<typeof RangeFacetEntry>;

const FacetEntry = z
  .union([TermFacetEntry, HierarchialFacetEntry, IntervalFacetEntry, RangeFacetEntry])
  .meta({ id: "FacetEntry", description: "A value of a facet." });
export type FacetEntry = z.infer<typeof FacetEntry>;

const Facet = z
  .object({
    fieldName: z.string(),
    absoluteFacetCoverage: z.number().int(),
    isFiltered: z.boolean(),
    filtered: z.boolean(),
    type: z.enum(["term", "hierarchical", "interval", "range"]),
    meta: z.record(z.string(), z.unknown()),
    entries: z.array(FacetEntry),
  })
  .meta({
    id: "Facet",
    description: "The values of a field, with the number of products for each.",
  });
export type Facet = z.infer<typeof Facet>;

const ResultHit = z
  .object({
    index: z.string(),
    document: DocumentAnswer,
    matchedQueries: z.array(z.string()),
    metaData: z
      .looseObject({
        highlights: z.record(z.string(), z.array(Highlight)).optional(),
        sold_out: z.literal(true).optional(),
      })
      .nullable(),
  })
  .meta({ id: "ResultHit", description: "A matching product." });
export type ResultHit = z.infer<typeof ResultHit>;

const SearchResultSlice = z
  .object({
    label: z.string().nullable().describe("null for the main slice"),
    matchCount: z.number().int().min(0),
    nextOffset: z.number().int().min(0),
    nextLink: z.string().nullable(),
    resultLink: z.string(),
    hits: z.array(ResultHit),
    facets: z.array(Facet).nullable(),
  })
  .meta({ id: "SearchResultSlice", description: "A group of hits." });
export type SearchResultSlice = z.infer<typeof SearchResultSlice>;

const Sorting = z
  .object({
    label: z.string(),
    field: z.string(),
    sortOrder: z.enum(["ASC", "DESC"]),
    isActive: z.boolean(),
    active: z.boolean(),
    link: z.string(),
  })
  .meta({ id: "Sorting", description: "A way to sort the result." });
export type Sorting = z.infer<typeof Sorting>;

/** The schema of answers: tests validate every answer with it, and openapi.json derives from it. */
export const SearchResultSchema = z
  .object({
    tookInMillis: z.number().int().min(0),
    inputURI: z.string(),
    slices: z.array(SearchResultSlice),
    sortOptions: z.array(Sorting),
    meta: z.record(z.string(), z.unknown()),
  })
  .meta({ id: "SearchResult", description: "The answer to a search." });
export type SearchResult = z.infer<typeof SearchResultSchema>;

// ---- suggest

export interface SuggestRequest {
  readonly userQuery: string;
  readonly limit: number;
  /** Tags (field names such as `brand`); empty = all. */
  readonly filter: readonly string[];
}

export const Suggestion = z
  .object({
    phrase: z.string(),
    type: z.string(),
    payload: z.record(z.string(), z.string()).nullable(),
  })
  .meta({ id: "Suggestion", description: "A completion of the typed text." });
export type Suggestion = z.infer<typeof Suggestion>;
