/**
 * A `searchClient` for InstantSearch.js 4 and React InstantSearch.
 *
 * InstantSearch sends a list of queries per page: one for the hits, and one per refined facet,
 * without the facet's own filter, for its unselected values. Aisle counts both in one search, so
 * the list becomes one request:
 *
 *   search([hits of brand A, size 9 | facet brand, of size 9 | facet size, of brand A])
 *     -> GET /search-api/v1/search/shop?brand=A&size=9
 *     -> GET …?brand=A&limit=0&facetQuery=size:        only if the facet size shows just its selection (isWhole)
 *
 * Index names:
 *
 *   shop               the tenant `shop`
 *   shop/sort/-price   the same, sorted (the values of sortBy)
 *   shop/suggest       suggestions as hits, `{query, type}` (for autocomplete)
 */
import {
  AisleClient,
  mainSlice,
  type Facet,
  type Filters,
  type SearchOptions,
  type SearchResult,
  type TransportOptions,
} from "../../client/src/index.ts";
import { fieldOf, readFacetFilters, readNumericFilters, toFilters, type Clause } from "./conditions.ts";
import { facetMaps, isWhole, trees } from "./facets.ts";
import { readFilterText } from "./filter-text.ts";
import { highlightedFields, highlightsOf, tagsOf, type Tags } from "./highlight.ts";
import {
  checkParams,
  listOf,
  UnsupportedError,
  type AlgoliaHit,
  type FacetSearchAnswer,
  type Params,
  type Query,
  type SearchAnswer,
} from "./protocol.ts";

export interface SearchClientOptions extends Partial<TransportOptions> {
  /** Alternative to `url`. */
  client?: Pick<AisleClient, "search" | "suggest"> | undefined;
  /**
   * False: every query is complete. Otherwise its last word is unfinished unless a space follows.
   */
  typing?: boolean | undefined;
  /** Separates the names of a category path, as in `hierarchicalMenu`; default ` > `. */
  separator?: string | undefined;
  /** The index that provides suggestions for `<tenant>/suggest`; default: the tenant's name. */
  suggestIndex?: ((tenant: string) => string) | undefined;
}

/**
 * The interface that InstantSearch calls. `Answers` is inferred where the client is passed to it.
 */
export interface AisleSearchClient {
  search<Answers>(queries: readonly object[]): Promise<Answers>;
  getRecommendations<Answers>(queries: readonly object[]): Promise<Answers>;
  /** Called by InstantSearch's `refresh`. */
  clearCache(): void;
}

/** Maximum number of hits for paging. */
const RESULT_WINDOW = 10_000;
const HITS_PER_PAGE = 20;

export function aisleSearchClient(options: SearchClientOptions): AisleSearchClient {
  const { url, client } = options;
  if (client === undefined && url === undefined) {
    throw new TypeError("aisleSearchClient needs `url`, the address of the service, or `client`");
  }
  const pages = new Pages(client ?? new AisleClient({ ...options, url: url ?? "" }), options);
  return {
    // Answers follow the protocol, but InstantSearch's own types depend on the version of a client
    // that is not used here.
    search: async <Answers>(queries: readonly object[]) =>
      ({ results: await pages.answers(queries as readonly Query[]) }) as Answers,
    getRecommendations: () =>
      Promise.reject(
        new UnsupportedError(
          "frequentlyBoughtTogether, lookingSimilar, relatedProducts, trendingFacets and trendingItems",
          "Aisle recommends nothing",
        ),
      ),
    clearCache: () => pages.forget(),
  };
}

interface Target {
  readonly tenant: string;
  readonly sort: string | undefined;
  readonly isSuggest: boolean;
}

/** The search of a page. */
interface Asked extends Target {
  readonly query: Query;
  readonly params: Params;
  /** Null: nothing can match. */
  readonly filters: Filters | null;
  readonly offset: number;
  readonly limit: number;
}

/** The last search of an index. */
interface Searched {
  /** Tenant and parameters. */
  readonly search: string;
  readonly result: Promise<SearchResult>;
  /** Null: under way. */
  answeredMs: number | null;
}

/** How long a repeated search has the same answer. */
const KEPT_MS = 2_000;

class Pages {
  readonly #last = new Map<string, Searched>();
  readonly #client: Pick<AisleClient, "search" | "suggest">;
  readonly #isTyping: boolean;
  readonly #separator: string;
  readonly #suggestIndex: (tenant: string) => string;

  constructor(client: Pick<AisleClient, "search" | "suggest">, options: SearchClientOptions) {
    this.#client = client;
    this.#isTyping = options.typing ?? true;
    this.#separator = options.separator ?? " > ";
    this.#suggestIndex = options.suggestIndex ?? ((tenant) => tenant);
  }

  async answers(queries: readonly Query[]): Promise<(SearchAnswer | FacetSearchAnswer)[]> {
    const answers = pagesOf(queries).map((page) => this.#page(page));
    return (await Promise.all(answers)).flat();
  }

  async #page([main, ...ofFacets]: readonly [Query, ...Query[]]): Promise<(SearchAnswer | FacetSearchAnswer)[]> {
    if (main.type === "facet") return [await this.#facetValues(main)];
    const asked = this.#asked(main);
    for (const { params } of ofFacets) checkParams(params ?? {});
    if (asked.isSuggest) return [await this.#suggestions(asked)];
    refuseConjunctive(asked.params, ofFacets);
    if (asked.filters === null) {
      return [main, ...ofFacets].map((query) => this.#answer(asked, query, null, []));
    }
    const result = await this.#searched(asked);
    const facets = mainSlice(result)?.facets ?? [];
    const whole = await this.#completed(asked, ofFacets, facets);
    return [
      this.#answer(asked, main, result, facets),
      ...ofFacets.map((query) => this.#answer(asked, query, result, whole)),
    ];
  }

  /**
   * dynamicWidgets searches, mounts the widgets that the answer names, and searches again for them. Aisle's answer has
   * all facets, so the second search, which is the same, is answered from the first.
   */
  async #searched(asked: Asked): Promise<SearchResult> {
    const { tenant, query } = asked;
    const options = this.#searchOptions(asked);
    const search = JSON.stringify([tenant, options]);
    const last = this.#last.get(query.indexName);
    if (last?.search === search && Date.now() - (last.answeredMs ?? Infinity) < KEPT_MS) return last.result;
    const searched: Searched = { search, result: this.#client.search(tenant, options), answeredMs: null };
    this.#last.set(query.indexName, searched);
    try {
      const result = await searched.result;
      searched.answeredMs = Date.now();
      return result;
    } catch (error) {
      if (this.#last.get(query.indexName) === searched) this.#last.delete(query.indexName);
      throw error;
    }
  }

  forget(): void {
    this.#last.clear();
  }

  /** The facets; those requested without their own filter include the values that it hides. */
  async #completed(asked: Asked, ofFacets: readonly Query[], facets: readonly Facet[]): Promise<readonly Facet[]> {
    const names = new Set(ofFacets.flatMap(({ params }) => listOf(params?.facets)).map((one) => fieldOf(one).name));
    return Promise.all(
      facets.map(async (facet): Promise<Facet> => {
        const { fieldName, type } = facet;
        if (!names.has(fieldName) || isWhole(facet)) return facet;
        const filters = { ...asked.filters, [fieldName]: undefined };
        const isOfNumbers = type === "interval" || type === "range";
        const result = await this.#client.search(asked.tenant, {
          ...this.#searchOptions({ ...asked, filters }),
          limit: 0,
          offset: 0,
          highlight: undefined,
          facetQuery: isOfNumbers ? undefined : { [fieldName]: "" },
        });
        const other = mainSlice(result)?.facets?.find((one) => one.fieldName === fieldName);
        return other ?? facet;
      }),
    );
  }

  async #facetValues({ params = {}, facet, ...query }: Query): Promise<FacetSearchAnswer> {
    const attribute = params.facetName ?? facet ?? "";
    const { name, level } = fieldOf(attribute);
    const text = params.facetQuery ?? "";
    const asked = this.#asked({ ...query, params });
    if (asked.filters === null) return facetAnswer([], 0);
    const result = await this.#client.search(asked.tenant, {
      ...this.#searchOptions({ ...asked, limit: 0, offset: 0 }),
      facets: true,
      highlight: undefined,
      facetQuery: { [name]: text },
    });
    const found = mainSlice(result)?.facets?.find(({ fieldName }) => fieldName === name);
    if (level !== null || found?.type === "hierarchical" || trees(found?.entries ?? []).length > 0) {
      throw new UnsupportedError(
        `searching the values of "${attribute}"`,
        "it has categories, which hierarchicalMenu cannot search",
      );
    }
    const tags = tagsOf(params);
    const hits = (found?.entries ?? []).slice(0, params.maxFacetHits ?? 10);
    return facetAnswer(
      hits.map(({ key, docCount }) => ({
        value: key,
        highlighted: markedStarts(key, text, tags),
        count: docCount,
      })),
      result.tookInMillis,
    );
  }

  #asked(query: Query): Asked {
    const { params = {} } = query;
    checkParams(params);
    const clauses: Clause[] = [
      ...readFacetFilters(params.facetFilters),
      ...readNumericFilters(params.numericFilters),
      ...((params.filters ?? "").trim() === "" ? [] : readFilterText(params.filters ?? "")),
    ];
    const perPage = params.hitsPerPage ?? HITS_PER_PAGE;
    const { page = 0, offset, length } = params;
    return {
      ...targetOf(query.indexName),
      query,
      params,
      filters: toFilters(clauses, this.#separator),
      offset: offset ?? page * perPage,
      limit: offset === undefined ? perPage : (length ?? perPage),
    };
  }

  #searchOptions({ params, filters, sort, offset, limit }: Asked): SearchOptions {
    const { query: q = "" } = params;
    const fields = listOf(params.attributesToRetrieve ?? "*");
    const isAll = fields.length === 1 && fields[0] === "*";
    const highlight = q.trim() === "" || limit === 0 ? [] : highlightedFields(params);
    return {
      q,
      filters: filters ?? {},
      sort,
      offset,
      limit,
      typing: this.#isTyping && q !== "" && !/\s$/.test(q) ? true : undefined,
      facets: listOf(params.facets).length > 0 ? undefined : false,
      // An empty list asks for ids alone, which every hit has.
      fields: isAll ? undefined : fields.length === 0 ? ["objectID"] : fields,
      highlight: highlight.length > 0 ? highlight : undefined,
    };
  }

  /** The answer to one query of the page. */
  #answer(asked: Asked, query: Query, result: SearchResult | null, facets: readonly Facet[]): SearchAnswer {
    const isMain = query === asked.query;
    const { params = {} } = query;
    const slice = result === null ? undefined : mainSlice(result);
    const nbHits = slice?.matchCount ?? 0;
    const maps = facetMaps(facets, {
      attributes: listOf(params.facets),
      maxValues: params.maxValuesPerFacet,
      separator: this.#separator,
    });
    const perPage = asked.params.hitsPerPage ?? HITS_PER_PAGE;
    const { page = 0, offset, length } = asked.params;
    return {
      hits: isMain ? (slice?.hits ?? []).map((hit) => hitOf(hit, params)) : [],
      nbHits,
      page,
      nbPages: perPage === 0 ? 0 : Math.ceil(Math.min(nbHits, RESULT_WINDOW) / perPage),
      hitsPerPage: perPage,
      ...(offset !== undefined && { offset }),
      ...(length !== undefined && { length }),
      // Only once, because InstantSearch adds up the times of a page's queries.
      processingTimeMS: isMain ? (result?.tookInMillis ?? 0) : 0,
      query: asked.params.query ?? "",
      params: "",
      index: asked.query.indexName,
      exhaustiveNbHits: true,
      exhaustiveFacetsCount: true,
      ...maps,
      ...(result !== null && { userData: [result.meta] }),
      // Events refer to the answer by this id.
      ...(isMain && params.clickAnalytics === true && { queryID: crypto.randomUUID() }),
    };
  }

  /** Suggestions as hits. */
  async #suggestions({ tenant, params, query }: Asked): Promise<SearchAnswer> {
    const { query: text = "", hitsPerPage = HITS_PER_PAGE } = params;
    const startMs = Date.now();
    const index = this.#suggestIndex(tenant);
    const found = await this.#client.suggest(index, text, { limit: hitsPerPage });
    const tags = tagsOf(params);
    return {
      hits: found.map(({ phrase, type, payload }, at) => {
        const value = markedStarts(phrase, text, tags);
        const matchLevel = value === phrase ? "none" : "full";
        return {
          objectID: `${at}-${type}-${phrase}`,
          query: phrase,
          type,
          payload,
          _highlightResult: { query: { value, matchLevel, matchedWords: [] } },
        };
      }),
      nbHits: found.length,
      page: 0,
      nbPages: found.length > 0 ? 1 : 0,
      hitsPerPage,
      processingTimeMS: Date.now() - startMs,
      query: text,
      params: "",
      index: query.indexName,
      exhaustiveNbHits: true,
      exhaustiveFacetsCount: true,
      facets: {},
      facets_stats: {},
    };
  }
}

function targetOf(indexName: string): Target {
  const [tenant = "", what, ...rest] = indexName.split("/");
  const sort = rest.join("/");
  const isKnown = what === undefined || (what === "suggest" && rest.length === 0) || (what === "sort" && sort !== "");
  if (!isKnown || tenant === "") {
    throw new UnsupportedError(
      `the index name "${indexName}"`,
      "write <tenant>, <tenant>/sort/<fields> or <tenant>/suggest",
    );
  }
  return { tenant, sort: sort === "" ? undefined : sort, isSuggest: what === "suggest" };
}

/** Splits the list into pages. */
function pagesOf(queries: readonly Query[]): [Query, ...Query[]][] {
  const pages: [Query, ...Query[]][] = [];
  for (const query of queries) {
    const page = pages.at(-1);
    if (page !== undefined && isOfFacet(query, page[0])) page.push(query);
    else pages.push([query]);
  }
  return pages;
}

/** The helper's signature of queries that it adds for facets. */
function isOfFacet({ indexName, type, params = {} }: Query, main: Query): boolean {
  return (
    type !== "facet" &&
    main.type !== "facet" &&
    indexName === main.indexName &&
    params.query === main.params?.query &&
    params.hitsPerPage === 0 &&
    params.analytics === false &&
    params.clickAnalytics === false
  );
}

/**
 * `refinementList({operator: "and"})` needs counts within the facet's own filter. Aisle counts
 * without it, so the numbers would be wrong.
 */
function refuseConjunctive({ facets, facetFilters }: Params, ofFacets: readonly Query[]): void {
  const counted = new Set(listOf(facets));
  const apart = new Set(ofFacets.flatMap(({ params }) => listOf(params?.facets)));
  const single = typeof facetFilters === "string" ? [facetFilters] : (facetFilters ?? []);
  for (const filter of single) {
    if (typeof filter !== "string" || filter.includes(":-")) continue;
    const attribute = filter.slice(0, filter.indexOf(":"));
    if (!counted.has(attribute) || apart.has(attribute)) continue;
    throw new UnsupportedError(
      `refinementList({attribute: "${attribute}", operator: "and"})`,
      `Aisle combines several values of a field with OR: use operator "or", the default`,
    );
  }
}

function hitOf(hit: SearchResult["slices"][number]["hits"][number], params: Params): AlgoliaHit {
  const { id, data } = hit.document;
  const soldOut = hit.metaData?.sold_out === true ? { sold_out: true } : {};
  const partial = hit.matchedQueries.includes("_partial") ? { _partial: true } : {};
  return { ...data, ...soldOut, ...partial, objectID: id, ...highlightsOf(hit, params) };
}

function facetAnswer(facetHits: FacetSearchAnswer["facetHits"], tookMs: number): FacetSearchAnswer {
  return { facetHits, exhaustiveFacetsCount: true, processingTimeMS: tookMs };
}

/** Marks typed prefixes, because suggestions and facet values have no marks. */
function markedStarts(value: string, typed: string, { pre, post }: Tags): string {
  const words = typed.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  if (words.length === 0) return value;
  const starts = new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join("|")})`, "giu");
  return value.replaceAll(starts, (start) => pre + start + post);
}
