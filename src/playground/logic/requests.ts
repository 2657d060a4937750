/**
 * Makes requests from the page's state. Requests are plain data: they are sent, shown as curl, and
 * compared in tests.
 */
import { filteredField, isFilter } from "./filters.ts";
import { overridden, valueOf, writeQuery, type Parameter, type Parameters } from "./parameters.ts";
import { isNumbers } from "./ranges.ts";

export interface ApiRequest {
  readonly method: string;
  /** Path and query. */
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

/** Common names of titles and texts; unknown names have no cost. */
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

/** The search of a page. Throws a SyntaxError if an arranged search cannot express it. */
export function searchRequest(search: Search, view: Parameters = []): ApiRequest {
  const { parameters, sets } = search;
  const asked = overridden(valueOf(parameters, "highlight") === null ? [...parameters, HIGHLIGHT] : parameters, view);
  return sets.trim() === "" ? plainRequest(search.tenant, asked) : arrangedRequest(search, asked);
}

/** The same page with explanations only. */
export function explainRequest(search: Search): ApiRequest {
  return searchRequest(search, [
    ["trace", "Explain"],
    ["withFacets", "false"],
    ["highlight", ""],
    ["fields", "id"],
  ]);
}

/** Searches the values of one facet. */
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
 * The hit's index `ocs-2-shop-en` is a generation of the index `shop`. Suggestions need the index's
 * name, which may differ from the tenant's.
 */
export function indexNameOf(physicalName: string): string | null {
  return /^ocs-[0-9]+-(.+)-[a-z]+$/.exec(physicalName)?.[1] ?? null;
}

function plainRequest(tenant: string, parameters: Parameters): ApiRequest {
  const query = writeQuery(parameters);
  return get(`/search-api/v1/search/${encodeURIComponent(tenant)}${query === "" ? "" : `?${query}`}`);
}

function arrangedRequest({ tenant, sets }: Search, parameters: Parameters): ApiRequest {
  const arrangedProductSets: unknown = JSON.parse(sets);
  if (!Array.isArray(arrangedProductSets)) {
    throw new SyntaxError("Product sets must be a list: [{…}, {…}]");
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
    // An object has each name once, so several parameters of a name become one text with several
    // values.
    else filters[name] = Object.hasOwn(filters, name) ? `${filters[name]},${value}` : value;
  }
  if (facetQueries.length > 0) body["facetQuery"] = facetQueries;
  if (Object.keys(filters).length > 0) body["filters"] = filters;
  return post(
    `/search-api/v1/search/arranged/${encodeURIComponent(tenant)}`,
    JSON.stringify({ ...body, arrangedProductSets }),
  );
}

/** Numbers of one text form one range: `price=0,20&price=100,120` would become 0 to 120. */
function refuseSeveralRanges(parameters: Parameters): void {
  const ranges = new Set<string>();
  for (const [name, value] of parameters.filter(isFilter)) {
    // Ids are compared as text, even if they look like numbers.
    if (filteredField(name).byId || !isNumbers(value.replace(/^!/, "").split(","))) continue;
    if (ranges.has(name)) {
      throw new SyntaxError(
        `A search with product sets supports one range per field, but ${name} has several. Remove all but one, or the product sets.`,
      );
    }
    ranges.add(name);
  }
}
