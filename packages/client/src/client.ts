/** The service's operations, typed. */
import { filterPairs, filterTexts, names, sortText, type Filters, type Pair, type Sort } from "./filters.ts";
import { ImportRun, runImport, type ImportOptions, type ImportOutcome } from "./import.ts";
import { Transport, type CallOptions, type TransportOptions } from "./transport.ts";
import type {
  FoundDocument,
  HighlightTag,
  ImportSession,
  Product,
  ProductPatch,
  ProductSet,
  SearchResult,
  SearchResultSlice,
  Suggestion,
  UpdateAnswer,
} from "./types.ts";

export interface SearchOptions {
  q?: string | undefined;
  filters?: Filters | undefined;
  sort?: Sort | undefined;
  /** Hits per page; default 12. */
  limit?: number | undefined;
  offset?: number | undefined;
  /** False: no facets. */
  facets?: boolean | undefined;
  /** Searches facet values, instead of the usual facets: `{brand: "ado"}`. */
  facetQuery?: Readonly<Record<string, string>> | undefined;
  /** The last word of `q` is unfinished. */
  typing?: boolean | undefined;
  /** Names of the fields to highlight; `*` matches any characters. */
  highlight?: readonly string[] | undefined;
  highlightTag?: HighlightTag | undefined;
  /** Names of the fields in hits. */
  fields?: readonly string[] | undefined;
  trace?: readonly ("Explain" | "Request" | "EsQuery")[] | undefined;
}

export interface ArrangedSearchOptions extends SearchOptions {
  sets: readonly ProductSet[];
  /** False: only products of the sets. */
  mainResult?: boolean | undefined;
}

export interface SuggestOptions extends CallOptions {
  limit?: number | undefined;
  /** Kinds of suggestions, e.g. `["brand"]`; default: all. */
  kinds?: readonly string[] | undefined;
}

export interface PutOptions extends CallOptions {
  /** False: existing documents are kept and reported as DISMISSED. */
  replaceExisting?: boolean | undefined;
  /** Language of a new index, e.g. `en`. Without it, a missing index is an error. */
  langCode?: string | undefined;
}

/**
 * All calls reject with an AisleError if the service refuses or does not answer, with the reason of
 * `signal` if it aborts, and with a TypeError for a filter that cannot be expressed.
 */
export class AisleClient {
  readonly #transport: Transport;

  constructor(options: TransportOptions) {
    this.#transport = new Transport(options);
  }

  async search<Data = Record<string, unknown>>(
    tenant: string,
    options: SearchOptions = {},
    { signal }: CallOptions = {},
  ): Promise<SearchResult<Data>> {
    const path = `/search-api/v1/search/${encodeURIComponent(tenant)}`;
    const query = searchPairs(options);
    return (await this.#transport.json({
      path,
      query,
      signal,
      isRepeatable: true,
    })) as SearchResult<Data>;
  }

  /**
   * Iterates over pages from `offset` on, until there are no more hits or the paging limit is
   * reached.
   */
  async *pages<Data = Record<string, unknown>>(
    tenant: string,
    options: SearchOptions = {},
    call: CallOptions = {},
  ): AsyncGenerator<SearchResultSlice<Data>> {
    let offset = options.offset ?? 0;
    for (;;) {
      const slice = mainSlice(await this.search<Data>(tenant, { ...options, offset }, call));
      if (slice === undefined) return;
      yield slice;
      if (slice.nextLink === null) return;
      offset = slice.nextOffset;
    }
  }

  /** A search with product sets injected into its result, in your order. */
  async arranged<Data = Record<string, unknown>>(
    tenant: string,
    options: ArrangedSearchOptions,
    { signal }: CallOptions = {},
  ): Promise<SearchResult<Data>> {
    const { sets, mainResult, filters = {}, limit, offset, q, facets, sort } = options;
    const own = ["highlight", "highlightTag", "fields", "facetQuery"] as const;
    const view: Record<string, string[]> = {};
    const further: Record<string, string> = {};
    for (const [name, value] of searchPairs({ ...options, filters: undefined })) {
      if (own.some((one) => one === name)) (view[name] ??= []).push(value);
      else if (name === "typing" || name === "trace") further[name] = value;
    }
    const { highlightTag, ...lists } = view;
    const body = JSON.stringify({
      q,
      limit,
      offset,
      withFacets: facets,
      sort: sort === undefined ? undefined : sortText(sort),
      ...lists,
      highlightTag: highlightTag?.[0],
      filters: { ...filterTexts(filters), ...further },
      arrangedProductSets: sets,
      includeMainResult: mainResult,
    });
    const path = `/search-api/v1/search/arranged/${encodeURIComponent(tenant)}`;
    const call = { method: "POST", path, body, signal, isRepeatable: true } as const;
    return (await this.#transport.json(call)) as SearchResult<Data>;
  }

  /** Completions of the typed text; none if the index does not exist. */
  async suggest(index: string, text: string, { limit, kinds, signal }: SuggestOptions = {}): Promise<Suggestion[]> {
    if (text.trim() === "") return [];
    const query = pairs({ userQuery: text, limit, filter: kinds?.join(",") });
    const path = `/suggest-api/v1/${encodeURIComponent(index)}/suggest`;
    return (await this.#transport.json({
      path,
      query,
      signal,
      isRepeatable: true,
    })) as Suggestion[];
  }

  /** Rejects with `document_not_found` if the document does not exist. */
  async document<Data = Record<string, unknown>>(
    tenant: string,
    id: string,
    { signal }: CallOptions = {},
  ): Promise<FoundDocument<Data>> {
    const path = `/search-api/v1/doc/${encodeURIComponent(tenant)}/${encodeURIComponent(id)}`;
    return (await this.#transport.json({
      path,
      signal,
      isRepeatable: true,
    })) as FoundDocument<Data>;
  }

  async tenants({ signal }: CallOptions = {}): Promise<string[]> {
    const path = "/search-api/v1/tenants";
    return (await this.#transport.json({ path, signal, isRepeatable: true })) as string[];
  }

  /** Adds or replaces whole documents. They are searchable when this resolves. */
  async put(
    index: string,
    documents: readonly Product[],
    { replaceExisting, langCode, signal }: PutOptions = {},
  ): Promise<UpdateAnswer> {
    const query = pairs({ replaceExisting, langCode });
    const isRepeatable = replaceExisting !== false;
    return this.#update("PUT", index, query, JSON.stringify(documents), isRepeatable, signal);
  }

  /** Changes the given members of existing documents. */
  async patch(index: string, documents: readonly ProductPatch[], { signal }: CallOptions = {}): Promise<UpdateAnswer> {
    return this.#update("PATCH", index, [], JSON.stringify(documents), true, signal);
  }

  async delete(index: string, ids: readonly string[], { signal }: CallOptions = {}): Promise<UpdateAnswer> {
    if (ids.length === 0) return {};
    const query = ids.map((id): Pair => ["id", names([id])]);
    return this.#update("DELETE", index, query, undefined, false, signal, ids);
  }

  async #update(
    method: "PUT" | "PATCH" | "DELETE",
    index: string,
    query: readonly Pair[],
    body: string | undefined,
    isRepeatable: boolean,
    signal: AbortSignal | undefined,
    ids: readonly string[] = [],
  ): Promise<UpdateAnswer> {
    const path = `/indexer-api/v1/update/${encodeURIComponent(index)}`;
    const call = { method, path, query, signal, isRepeatable };
    const answer = await this.#transport.json(body === undefined ? call : { ...call, body });
    // 304: none of them existed.
    const none = ids.map((id): [string, "NOT_FOUND"] => [id, "NOT_FOUND"]);
    return answer === null ? Object.fromEntries(none) : (answer as UpdateAnswer);
  }

  /** Starts a full import for the caller to control. `import` runs a complete one. */
  async startImport(index: string, { locale, signal }: CallOptions & { locale: string }): Promise<ImportRun> {
    const path = `/indexer-api/v1/full/start/${encodeURIComponent(index)}`;
    // If the answer is lost, the extra session has no cost and a later import removes it.
    const call = { path, query: pairs({ locale }), signal, isRepeatable: true };
    return new ImportRun(this.#transport, (await this.#transport.json(call)) as ImportSession);
  }

  /** Continues the session of another process. */
  resumeImport(session: ImportSession): ImportRun {
    return new ImportRun(this.#transport, session);
  }

  /**
   * Replaces the index with `documents`, atomically at the end. If a call fails, the source throws,
   * `signal` aborts, or too many documents or all of them are refused or missing, the import is
   * cancelled and the index stays unchanged.
   */
  async import(
    index: string,
    documents: Iterable<Product> | AsyncIterable<Product>,
    options: ImportOptions,
  ): Promise<ImportOutcome> {
    const run = await this.startImport(index, options);
    return runImport(run, documents, options);
  }
}

/** The main slice, which has no label. */
export function mainSlice<Data>(result: SearchResult<Data>): SearchResultSlice<Data> | undefined {
  return result.slices.find(({ label }) => label === null);
}

/** The query parameters of a search. */
export function searchPairs(options: SearchOptions): Pair[] {
  const { q, sort, limit, offset, facets, typing, highlight, highlightTag, fields, trace } = options;
  const facetQueries = Object.entries(options.facetQuery ?? {});
  return [
    ...pairs({
      q,
      sort: sort === undefined ? undefined : sortText(sort),
      limit,
      offset,
      withFacets: facets,
      typing,
      highlight: highlight === undefined ? undefined : names(highlight),
      highlightTag,
      fields: fields === undefined ? undefined : names(fields),
      trace: trace?.join(","),
    }),
    ...facetQueries.map(([field, text]): Pair => ["facetQuery", `${field.replaceAll(":", "%3A")}:${text}`]),
    ...filterPairs(options.filters ?? {}),
  ];
}

function pairs(values: Readonly<Record<string, string | number | boolean | undefined>>): Pair[] {
  return Object.entries(values).flatMap(([name, value]): Pair[] =>
    value === undefined || value === "" ? [] : [[name, String(value)]],
  );
}
