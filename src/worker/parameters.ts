/**
 * From the address or body of a search to a SearchRequest.
 *
 *   address = [param ('&' param)*]     form encoding, decoded once: `+` is a space, a broken escape stays as it is
 *   sort    = ['-'] field (',' ['-'] field)*              `%2C` is a comma inside a field
 *
 *   facetQuery = field ':' text                           `%3A` is a colon inside a field; repeatable
 *   fields, highlight                                     index-engine/answer/render/field-selection.ts; repeatable
 *
 * Every parameter of another name than q, sort, limit, offset, withFacets is a filter; its grammar is in
 * index-engine/query/filter/parameter.ts. Because an address is decoded once before, a literal comma inside a value is
 * written `%252C` there. Whether a name is a field, and of what kind, is not known here.
 */
import {
  ArrangedSearchQuery,
  DEFAULT_LIMIT,
  HIGHLIGHT_TAGS,
  LIMITS,
  filteredBy,
  SEARCH_PARAMETERS,
  sortProblem,
  TRACE_FLAGS,
  type FilterParameter,
  type SearchRequest,
  type SuggestRequest,
} from "../interface/index.ts";
import { patternsOf } from "../index-engine/answer/highlight/index.ts";
import { readFilterParameter } from "../index-engine/query/filter/index.ts";
import { readSort } from "../index-engine/query/index.ts";
import { queryPairs } from "./address.ts";
import { parameterError, problemError, problemsOf } from "./problems.ts";

const DEFAULT_SUGGEST_LIMIT = 10;
const NAMES: ReadonlySet<string> = new Set(SEARCH_PARAMETERS);

/** Throws 400 invalid_parameter with the parameter's name as path. */
export function parseSearchParameters(query: string): SearchRequest {
  const known = new Map<string, string>();
  const repeated = new Map<string, string[]>();
  const filters = new Map<string, string[]>();
  for (const [name, value] of queryPairs(query)) {
    if (NAMES.has(name)) {
      // Of a repeated q, sort, limit the first counts, as in the reference.
      if (!known.has(name)) known.set(name, value);
      const values = repeated.get(name);
      if (values === undefined) repeated.set(name, [value]);
      else values.push(value);
    } else if (name !== "") {
      const values = filters.get(name);
      if (values === undefined) filters.set(name, [value]);
      else values.push(value);
    }
  }
  const wrongSort = sortProblem(known.get("sort") ?? "");
  if (wrongSort !== null) throw parameterError("sort", wrongSort);
  return {
    q: known.get("q") ?? "",
    sort: readSort(known.get("sort")),
    limit: Math.min(
      parseCount("limit", known.get("limit"), DEFAULT_LIMIT),
      LIMITS.resultWindow.value,
    ),
    offset: parseCount("offset", known.get("offset"), 0),
    withFacets: parseBoolean("withFacets", known.get("withFacets"), true),
    filters: parseFilters(filters),
    ...parseOptions((name) => known.get(name)),
    ...parseView((name) => repeated.get(name) ?? []),
    arranged: null,
  };
}

/** The body of an arranged search. Throws 400 invalid_body with the paths of what is wrong. */
export function parseArrangedSearch(body: unknown): SearchRequest {
  const parsed = ArrangedSearchQuery.safeParse(withoutNulls(body));
  if (!parsed.success) throw problemError("invalid_body", problemsOf(parsed.error));
  const query = parsed.data;
  // What a search has as further parameters, an arranged search has among its filters (docs/behaviour.md 2.1).
  const sent = new Map(Object.entries(query.filters ?? {}));
  const filters = new Map(
    [...sent].filter(([name]) => !NAMES.has(name)).map(([name, value]) => [name, [value]]),
  );
  return {
    q: query.q ?? "",
    sort: readSort(query.sort),
    limit: Math.min(query.limit, LIMITS.resultWindow.value),
    offset: query.offset,
    withFacets: query.withFacets,
    filters: parseFilters(filters),
    ...parseOptions((name) => sent.get(name)),
    ...parseView((name) => {
      const value = query[name] ?? sent.get(name) ?? [];
      return typeof value === "string" ? [value] : value;
    }),
    arranged: {
      sets: query.arrangedProductSets ?? [],
      includeMainResult: query.includeMainResult,
    },
  };
}

/**
 * `trace`: flags in any case of letters, others ignored. `query_stage`: the first stage to try. `aggSampling` is read
 * and has no effect: counts are exact over all matches at no more cost.
 */
function parseOptions(
  parameter: (name: (typeof SEARCH_PARAMETERS)[number]) => string | undefined,
): Pick<SearchRequest, "trace" | "queryStage" | "isTyping"> {
  const trace = parameter("trace");
  const flags = trace?.split(",").map((flag) => flag.trim().toLowerCase()) ?? [];
  const stage = parameter("query_stage");
  parseCount("aggSampling", parameter("aggSampling"), 0);
  return {
    ...(trace !== undefined && {
      trace: TRACE_FLAGS.filter((flag) => flags.includes(flag.toLowerCase())),
    }),
    ...(stage !== undefined && { queryStage: parseCount("query_stage", stage, 0) }),
    ...(parameter("typing")?.toLowerCase() === "true" && { isTyping: true }),
  };
}

/** How hits and facets are shown. What is left out or empty says nothing, and changes nothing. */
function parseView(
  parameter: (name: "highlight" | "highlightTag" | "fields" | "facetQuery") => readonly string[],
): Pick<SearchRequest, "highlight" | "highlightTag" | "fields" | "facetQueries"> {
  const [highlight, fields] = (["highlight", "fields"] as const).map((name) => {
    const patterns = patternsOf(parameter(name));
    const limit = LIMITS.fieldPatterns.value;
    if (patterns.length > limit) {
      throw parameterError(name, `holds ${patterns.length} names, more than ${limit}`);
    }
    return patterns;
  });
  const facetQueries = parseFacetQueries(parameter("facetQuery"));
  const [written = ""] = parameter("highlightTag");
  const tag = HIGHLIGHT_TAGS.find((one) => one === written.toLowerCase());
  if (written !== "" && tag === undefined) {
    const known = HIGHLIGHT_TAGS.join(", ");
    throw parameterError("highlightTag", `must be one of ${known}, not ${quoted(written)}`);
  }
  return {
    ...(highlight.length > 0 && { highlight }),
    ...(highlight.length > 0 && tag !== undefined && { highlightTag: tag }),
    ...(fields.length > 0 && { fields }),
    ...(facetQueries.length > 0 && { facetQueries }),
  };
}

function parseFacetQueries(sent: readonly string[]): NonNullable<SearchRequest["facetQueries"]> {
  const written = sent.filter((value) => value.trim() !== "");
  const limit = LIMITS.facetQueries.value;
  if (written.length > limit) {
    throw parameterError("facetQuery", `is there ${written.length} times, more than ${limit}`);
  }
  return written.map((value) => {
    const colon = value.indexOf(":");
    const field = value.slice(0, Math.max(0, colon)).trim().replaceAll(/%3a/gi, ":");
    if (field === "") {
      throw parameterError(
        "facetQuery",
        `must be a field, a colon and a text, not ${quoted(value)}`,
      );
    }
    const text = value.slice(colon + 1, colon + 1 + LIMITS.queryCharacters.value).trim();
    return { field, text };
  });
}

/** Clients that serialise objects write the members they do not use as null; null means the same as leaving it out. */
function withoutNulls(body: unknown): unknown {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
  return Object.fromEntries(
    Object.entries(body)
      .filter(([, value]) => value !== null)
      .map(([name, value]: [string, unknown]) => [
        name,
        name === "arrangedProductSets" && Array.isArray(value) ? value.map(withoutNulls) : value,
      ]),
  );
}

/** `userQuery` or its aliases; throws 400 when missing, 400 for an unreadable limit. */
export function parseSuggestParameters(query: string): SuggestRequest {
  const parameters = new URLSearchParams(query);
  const userQuery = parameters.get("userQuery") ?? parameters.get("q") ?? parameters.get("query");
  if (userQuery === null || userQuery === "") throw parameterError("userQuery", "is missing");
  const limit = parseCount("limit", parameters.get("limit") ?? undefined, DEFAULT_SUGGEST_LIMIT);
  return {
    userQuery,
    limit: Math.min(limit, LIMITS.suggestLimit.value),
    filter: parameters
      .getAll("filter")
      .flatMap((value) => value.split(","))
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ""),
  };
}

/**
 * The ids of DELETE: `id` and `id[]`, repeated or comma separated, each once, in the order sent. `%2C` is a comma
 * inside an id; as nothing can escape it, every id comes with the text it was written as, which is meant where there
 * is no such id.
 *
 *   1,a%2Cb   ->   "1" => "1", "a,b" => "a%2Cb"
 */
export function parseDeleteIds(query: string): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  for (const [name, value] of queryPairs(query)) {
    if (name !== "id" && name !== "id[]") continue;
    for (const written of value.split(",")) {
      const id = written.replaceAll(/%2c/gi, ",");
      if (id !== "" && !ids.has(id)) ids.set(id, written);
    }
  }
  const limit = LIMITS.deleteIds.value;
  if (ids.size > limit) throw parameterError("id", `holds ${ids.size} ids, more than ${limit}`);
  return ids;
}

/** `true` or `false`, in any case of letters. */
export function parseBoolean(name: string, text: string | undefined, otherwise: boolean): boolean {
  if (text === undefined) return otherwise;
  const lower = text.toLowerCase();
  if (lower === "true") return true;
  if (lower === "false") return false;
  throw parameterError(name, `must be true or false, not ${quoted(text)}`);
}

function parseCount(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (!/^[0-9]+$/.test(text))
    throw parameterError(name, `must be a number of 0 or more, not ${quoted(text)}`);
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}

/**
 * Not counted here: limits are for fields, and a name that is none (a tracking parameter) is ignored
 * (query/filter/resolve.ts).
 */
function parseFilters(sent: ReadonlyMap<string, readonly string[]>): readonly FilterParameter[] {
  const filters: FilterParameter[] = [];
  for (const [name, texts] of sent) {
    const filter = readFilterParameter(filteredBy(name), texts);
    if (filter !== null) filters.push(filter);
  }
  return filters;
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
