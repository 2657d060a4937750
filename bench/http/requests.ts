/** The requests of the bench of the way through workerd: paths by class, over the synthetic catalogue. */
import { PRICE_STEP_CENTS, FACET_FIELDS, makeQueries, type Query } from "../synthetic/queries.ts";
import type { SyntheticCorpus } from "../synthetic/corpus.ts";

export const INDEX_NAME = "synthetic";
/** Fill, corrections of known words and category feedback are off: what the peers of bench/core.ts do. */
const PLAIN = "plain";
/** What a shop gets that configures its facets only. */
const DEFAULT = "default";

const TOP = 10;
const PAGE = 24;

/** Two tenants with the five facets of the listings. */
export function configuration(): unknown {
  const facetConfiguration = {
    maxFacets: FACET_FIELDS.length,
    defaultTermFacetConfiguration: { type: "ignore" },
    defaultNumberFacetConfiguration: { type: "ignore" },
    facets: FACET_FIELDS.map((field) => ({
      sourceField: field,
      filterSensitive: true,
      ...(field === "price" && { type: `interval_${PRICE_STEP_CENTS / 100}` }),
    })),
  };
  const relevanceConfiguration = { fill: false, correctKnownWords: false, categoryFeedback: false };
  const tenant = { indexName: INDEX_NAME, facetConfiguration };
  return {
    ocs: { tenantConfig: { [PLAIN]: { ...tenant, relevanceConfiguration }, [DEFAULT]: tenant } },
  };
}

export interface RequestClass {
  readonly name: string;
  /** Asked in turn. */
  readonly paths: readonly string[];
  /** Whether the text changes each time around (new-texts.ts). */
  readonly isNew: boolean;
}

/** Fewer than the answers that a shard caches. */
const REPEATED = 100;

/** What our service is asked for. The first class does nothing at all. */
export function requestClasses(corpus: SyntheticCorpus, count: number): RequestClass[] {
  const queries = makeQueries(corpus, count);
  const words = (query: Query): string => query.words.join(" ");
  const search = (tenant: string, parameters: Record<string, string>): string =>
    `/search-api/v1/search/${tenant}?${new URLSearchParams(parameters).toString()}`;
  const top = { limit: `${TOP}`, withFacets: "false" };
  const page = { limit: `${PAGE}` };
  const listing = (tenant: string): string[] =>
    queries.map((query) => search(tenant, { q: words(query), ...page, ...filterOf(corpus, query) }));
  const again = (name: string, paths: readonly string[]): RequestClass => ({
    name: `${name}, again`,
    paths: paths.slice(0, REPEATED),
    isNew: false,
  });
  const plain = listing(PLAIN);
  const unconfigured = listing(DEFAULT);
  const best = queries.map((query) => search(PLAIN, { q: words(query), ...top }));
  const documents = queries.map((_, at) => `/search-api/v1/doc/plain/p${at}`);
  return [
    { name: "health", paths: ["/health"], isNew: false },
    { name: "document", paths: documents, isNew: false },
    { name: "top 10", paths: best, isNew: true },
    { name: "listing", paths: plain, isNew: true },
    { name: "listing, default", paths: unconfigured, isNew: true },
    again("listing", plain),
    again("listing, default", unconfigured),
  ];
}

function filterOf(corpus: SyntheticCorpus, { filter }: Query): Record<string, string> {
  switch (filter?.field) {
    case undefined:
      return {};
    case "brand":
      return { brand: corpus.brands[filter.brand] };
    case "category":
      return { category: filter.path.map(({ name }) => name).join("/") };
    case "price":
      return { price: `${filter.lower / 100},${filter.upper / 100}` };
  }
}
