/**
 * Types of requests and answers, independent of the service's schema library.
 * test/tools/client-types.ts checks that they equal its schemas.
 */

// ---- documents

export interface Attribute {
  /** The filter parameter of this attribute. */
  name: string;
  value: string | number | boolean;
  /** Stable id of the value; filter with `<name>.id`. */
  code?: string | number | null | undefined;
}

export interface Category {
  id?: string | number | null | undefined;
  name: string | number;
}

/**
 * A document to store; `data` has strings, numbers, booleans, lists of them, attributes, category
 * paths.
 */
export interface Document {
  id: string | number;
  data: Record<string, unknown>;
  attributes?: (Attribute | null)[] | null | undefined;
  /** Each path root first: `[{name: "Men"}, {name: "Shoes"}]`. */
  categories?: (Category[] | null)[] | null | undefined;
}

export interface Variant extends Omit<Document, "id" | "data"> {
  id?: string | number | null | undefined;
  data?: Record<string, unknown> | null | undefined;
}

export interface Product extends Document {
  variants?: Variant[] | null | undefined;
}

/** Part of a product, for PATCH. */
export interface ProductPatch extends Omit<Product, "data"> {
  data?: Record<string, unknown>;
}

export interface FoundDocument<Data = Record<string, unknown>> {
  id: string;
  data: Data;
  attributes: { name: string; value: string; code?: string | null | undefined }[] | null;
  categories: { name: string; id?: string | null | undefined }[][] | null;
  variants?: Omit<FoundDocument, "variants">[] | undefined;
}

// ---- search

/** One value of a field with its matches. */
export interface Highlight {
  /** `text`, escaped, with marks in the requested tag. Safe to insert into a page. */
  html: string;
  text: string;
  /** `[start, end)` in `text`, in UTF-16 units. */
  marks: [number, number][];
  /** False: a fragment. */
  whole: boolean;
  /** Index of the field's value, from 0. */
  value: number;
}

export interface ResultHit<Data = Record<string, unknown>> {
  index: string;
  document: FoundDocument<Data>;
  matchedQueries: string[];
  metaData: {
    highlights?: Record<string, Highlight[]> | undefined;
    /** None of its variants is in stock, and none is picked. */
    sold_out?: true | undefined;
    [name: string]: unknown;
  } | null;
}

interface FacetEntryBase {
  key: string;
  id: string | null;
  /** Distinct products. */
  docCount: number;
  link: string | null;
  selected: boolean;
}
export interface TermFacetEntry extends FacetEntryBase {
  type: "term";
}
export interface HierarchicalFacetEntry extends FacetEntryBase {
  type: "hierarchical";
  path: string;
  children: HierarchicalFacetEntry[];
}
export interface IntervalFacetEntry extends FacetEntryBase {
  type: "interval";
  lowerBound: number | null;
  upperBound: number | null;
}
export interface RangeFacetEntry extends FacetEntryBase {
  type: "range";
  lowerBound: number;
  upperBound: number;
  selectedMin: number | null;
  selectedMax: number | null;
}
export type FacetEntry = TermFacetEntry | HierarchicalFacetEntry | IntervalFacetEntry | RangeFacetEntry;

export interface Facet {
  fieldName: string;
  absoluteFacetCoverage: number;
  isFiltered: boolean;
  filtered: boolean;
  type: "term" | "hierarchical" | "interval" | "range";
  /** Includes `label` and `multiSelect`. */
  meta: Record<string, unknown>;
  entries: FacetEntry[];
}

export interface Sorting {
  label: string;
  field: string;
  sortOrder: "ASC" | "DESC";
  isActive: boolean;
  active: boolean;
  link: string;
}

export interface SearchResultSlice<Data = Record<string, unknown>> {
  /** Null: the main slice. */
  label: string | null;
  matchCount: number;
  nextOffset: number;
  nextLink: string | null;
  resultLink: string;
  hits: ResultHit<Data>[];
  facets: Facet[] | null;
}

export interface SearchResult<Data = Record<string, unknown>> {
  tookInMillis: number;
  inputURI: string;
  slices: SearchResultSlice<Data>[];
  sortOptions: Sorting[];
  meta: Record<string, unknown>;
}

export type HighlightTag = "em" | "mark" | "strong" | "b" | "i" | "u" | "span";

interface ProductSetBase {
  name?: string | null | undefined;
  /** Shown in a separate slice. */
  asSeparateSlice?: boolean | undefined;
  /** Words and ids, separated by spaces, that select the shown variant. */
  variantBoostTerms?: string | null | undefined;
}
/** Products in the order given. */
export interface StaticProductSet extends ProductSetBase {
  type: "static";
  ids: (string | number)[];
}
/** The results of a search. */
export interface DynamicProductSet extends ProductSetBase {
  type: "dynamic";
  query?: string | null | undefined;
  sort?: string | null | undefined;
  filters?: Record<string, string> | null | undefined;
  limit?: number | undefined;
}
/** The results of a query in query string syntax. */
export interface QueryStringProductSet extends ProductSetBase {
  type: "querystring";
  query: string;
  sort?: string | null | undefined;
  filters?: Record<string, string> | null | undefined;
  fieldWeights?: Record<string, number> | null | undefined;
  limit?: number | undefined;
}
export type ProductSet = StaticProductSet | DynamicProductSet | QueryStringProductSet;

// ---- suggest, updates, imports

export interface Suggestion {
  phrase: string;
  type: string;
  payload: Record<string, string> | null;
}

export type UpdateResult = "CREATED" | "UPDATED" | "DELETED" | "NOT_FOUND" | "NOOP" | "DISMISSED";

/** Id -> result. */
export type UpdateAnswer = Record<string, UpdateResult>;

export interface ImportSession {
  finalIndexName: string;
  temporaryIndexName: string;
}

export interface AddReport {
  indexed: number;
  /** `position` counts from 0 in the order sent. */
  rejected: { position: number; id: string | null; reason: string }[];
  ignored: { position: number; path: string; reason: string }[];
}

/** A problem at one path of the request, e.g. `documents[3].data.price`. */
export interface Problem {
  path: string;
  message: string;
}
