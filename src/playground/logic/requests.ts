/**
 * What the page sees -> what it asks the service for. Requests are plain data: they are sent, shown as curl, and
 * compared in tests.
 */
import { isFilter } from "./filters.ts";
import { overridden, valueOf, writeQuery, type Parameter, type Parameters } from "./parameters.ts";
import { isNumbers } from "./ranges.ts";

export interface ApiRequest {
  readonly method: string;
  /** From the root of the service, with its query. */
  readonly path: string;
  readonly body: string | null;
  /** Of the body. */
  readonly contentType: string | null;
}

export interface Search {
  readonly tenant: string;
  readonly parameters: Parameters;
  /** JSON of product sets; empty: a plain search. */
  readonly sets: string;
}

/** Where titles and texts usually are; a name that is no field costs nothing. */
const HIGHLIGHT: Parameter = ["highlight", "title,name,description"];

/** Parameters of the service that are members of an arranged search's body; all others are its filters. */
const BODY_COUNTS = ["limit", "offset"] as const;
const BODY_TEXTS = ["q", "sort", "highlight", "highlightTag", "fields"] as const;

export function get(path: string): ApiRequest {
  return { method: "GET", path, body: null, contentType: null };
}

export function post(path: string, body: string): ApiRequest {
  return { method: "POST", path, body, contentType: "application/json" };
}

/** The search of a page. Throws a SyntaxError where an arranged search cannot say it. */
export function searchRequest(search: Search, view: Parameters = []): ApiRequest {
  const { parameters, sets } = search;
  const asked = overridden(
    valueOf(parameters, "highlight") === null ? [...parameters, HIGHLIGHT] : parameters,
    view,
  );
  return sets.trim() === "" ? plainRequest(search.tenant, asked) : arrangedRequest(search, asked);
}

/** The same page once more, with what explains its hits and nothing else. */
export function explainRequest(search: Search): ApiRequest {
  return searchRequest(search, [
    ["trace", "Explain"],
    ["withFacets", "false"],
    ["highlight", ""],
    ["fields", "id"],
  ]);
}

/** Values of one facet that match a text. */
export function facetValuesRequest(search: Search, field: string, text: string): ApiRequest {
  const facetQuery: Parameter = ["facetQuery", `${field.replaceAll(":", "%3A")}:${text}`];
  return searchRequest(search, [["limit", "0"], ["offset", ""], ["highlight", ""], facetQuery]);
}

export function suggestRequest(indexName: string, userQuery: string): ApiRequest {
  const query = writeQuery([
    ["userQuery", userQuery],
    ["limit", "8"],
  ]);
  return get(`/suggest-api/v1/${encodeURIComponent(indexName)}/suggest?${query}`);
}

export function documentRequest(tenant: string, id: string): ApiRequest {
  return get(`/search-api/v1/doc/${encodeURIComponent(tenant)}/${encodeURIComponent(id)}`);
}

/**
 * `ocs-2-shop-en`, where a hit was found, is a generation of the index `shop`. Suggestions are asked of the index, and
 * a tenant may be called otherwise.
 */
export function indexNameOf(physicalName: string): string | null {
  return /^ocs-[0-9]+-(.+)-[a-z]+$/.exec(physicalName)?.[1] ?? null;
}

function plainRequest(tenant: string, parameters: Parameters): ApiRequest {
  const query = writeQuery(parameters);
  return get(
    `/search-api/v1/search/${encodeURIComponent(tenant)}${query === "" ? "" : `?${query}`}`,
  );
}

function arrangedRequest({ tenant, sets }: Search, parameters: Parameters): ApiRequest {
  const arrangedProductSets: unknown = JSON.parse(sets);
  if (!Array.isArray(arrangedProductSets)) {
    throw new SyntaxError("Product sets are a list: [{…}, {…}]");
  }
  refuseSeveralRanges(parameters);
  const body: Record<string, unknown> = {};
  const filters: Record<string, string> = {};
  const facetQueries: string[] = [];
  for (const [name, value] of parameters) {
    if (BODY_COUNTS.some((one) => one === name)) body[name] ??= Number(value);
    else if (BODY_TEXTS.some((one) => one === name)) body[name] ??= value;
    else if (name === "withFacets") body[name] ??= value !== "false";
    else if (name === "facetQuery") facetQueries.push(value);
    // A name stands once in an object: several parameters of a name are several values of one text.
    else filters[name] = Object.hasOwn(filters, name) ? `${filters[name]},${value}` : value;
  }
  if (facetQueries.length > 0) body["facetQuery"] = facetQueries;
  if (Object.keys(filters).length > 0) body["filters"] = filters;
  return post(
    `/search-api/v1/search/arranged/${encodeURIComponent(tenant)}`,
    JSON.stringify({ ...body, arrangedProductSets }),
  );
}

/** Numbers of one text are one range: joined, `price=0,20&price=100,120` would be 0 to 120. */
function refuseSeveralRanges(parameters: Parameters): void {
  const ranges = new Set<string>();
  for (const [name, value] of parameters.filter(isFilter)) {
    // Ids are compared as they are, whatever they look like.
    if (name.endsWith(".id") || !isNumbers(value.replace(/^!/, "").split(","))) continue;
    if (ranges.has(name)) {
      throw new SyntaxError(
        `A search with product sets takes one range of a field, and there are several of ${name}: remove all but one, or the product sets.`,
      );
    }
    ranges.add(name);
  }
}
