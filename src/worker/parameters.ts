/**
 * Parses the URL or body of a search into a SearchRequest.
 *
 *   address = [param ('&' param)*]     form encoding, decoded once: `+` is a space, an invalid escape stays unchanged
 *   sort    = ['-'] field (',' ['-'] field)*              `%2C` is a comma inside a field
 *
 *   facetQuery = field ':' text                           `%3A` is a colon inside a field; repeatable
 *   fields, highlight                                     index-engine/answer/highlight/field-selection.ts; repeatable
 *
 * All other parameters are filters; their grammar is in
 * index-engine/query/filter/parameter.ts. Because the URL is decoded first, a literal comma inside a value is
 * written `%252C` in it. Fields and their kinds are unknown here.
 */
import {
  ArrangedSearchQuery,
  DEFAULT_LIMIT,
  HIGHLIGHT_TAGS,
  LIMITS,
  filteredBy,
  isPlainObject,
  SEARCH_PARAMETERS,
  sortProblem,
  TRACE_FLAGS,
  type FilterParameter,
  type SearchRequest,
  type SuggestRequest,
} from "../interface/index.ts";
import { pushTo } from "../index-engine/base/index.ts";
import { patternsOf } from "../index-engine/answer/highlight/index.ts";
import { readFilterParameter } from "../index-engine/query/filter/index.ts";
import { readSort } from "../index-engine/query/index.ts";
import { queryPairs } from "./address.ts";
import { parameterError, problemError, problemsOf } from "./problems.ts";

const DEFAULT_SUGGEST_LIMIT = 10;
const NAMES: ReadonlySet<string> = new Set(SEARCH_PARAMETERS);
/** Members of the body of an arranged search: among its filters these names are fields. */
const OF_BODY: ReadonlySet<string> = new Set(["q", "sort", "limit", "offset", "withFacets"]);

/** Throws 400 invalid_parameter with the parameter's name as path. */
export function parseSearchParameters(query: string): SearchRequest {
  const known = new Map<string, string[]>();
  const filters = new Map<string, string[]>();
  for (const [name, value] of queryPairs(query)) {
    if (NAMES.has(name)) pushTo(known, name, value);
    else if (name !== "") pushTo(filters, name, value);
  }
  // As in the reference, the first of repeated q, sort, limit is used.
  const first = (name: (typeof SEARCH_PARAMETERS)[number]): string | undefined => known.get(name)?.[0];
  const wrongSort = sortProblem(first("sort") ?? "");
  if (wrongSort !== null) throw parameterError("sort", wrongSort);
  return {
    q: first("q") ?? "",
    sort: readSort(first("sort")),
    limit: Math.min(parseCount("limit", first("limit"), DEFAULT_LIMIT), LIMITS.resultWindow.value),
    offset: parseCount("offset", first("offset"), 0),
    withFacets: parseBoolean("withFacets", first("withFacets"), true),
    filters: parseFilters(filters),
    ...parseOptions(first),
    ...parseView((name) => known.get(name) ?? []),
    arranged: null,
  };
}

/** The body of an arranged search. Throws 400 invalid_body with the paths of problems. */
export function parseArrangedSearch(body: unknown): SearchRequest {
  checkMembers(body);
  const parsed = ArrangedSearchQuery.safeParse(asRead(body));
  if (!parsed.success) throw problemError("invalid_body", problemsOf(parsed.error));
  const query = parsed.data;
  // An arranged search has the other parameters of a search among its filters (docs/behaviour.md 2.1).
  const sent = new Map(Object.entries(query.filters ?? {}));
  const isFilter = (name: string): boolean => OF_BODY.has(name) || !NAMES.has(name);
  const filters = new Map([...sent].filter(([name]) => isFilter(name)).map(([name, value]) => [name, [value]]));
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

/** First, because reading and checking a hundred thousand members takes a second. Throws 400 invalid_body. */
function checkMembers(body: unknown): void {
  const most = LIMITS.searchBodyMembers.value;
  const open: unknown[] = [body];
  let members = 0;
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== "object" || value === null) continue;
    const inner: unknown[] = Array.isArray(value) ? value : Object.values(value);
    if (!Array.isArray(value)) members += 1 + inner.length;
    if (members > most) {
      throw problemError("invalid_body", [{ path: "", message: `has more than ${most} objects and members` }]);
    }
    for (const one of inner) if (typeof one === "object" && one !== null) open.push(one);
  }
}

/**
 * `trace`: flags in any case, unknown ones ignored. `query_stage`: the first stage to try. `aggSampling` is accepted
 * without effect: counts are always exact.
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
    ...(parseBoolean("typing", parameter("typing"), false) && { isTyping: true }),
  };
}

/** Options for hits and facets. Absent or empty ones have no effect. */
function parseView(
  parameter: (name: "highlight" | "highlightTag" | "fields" | "facetQuery") => readonly string[],
): Pick<SearchRequest, "highlight" | "highlightTag" | "fields" | "facetQueries"> {
  const [highlight, fields] = (["highlight", "fields"] as const).map((name) => {
    const patterns = patternsOf(parameter(name));
    const limit = LIMITS.fieldPatterns.value;
    if (patterns.length > limit) {
      throw parameterError(name, `has ${patterns.length} names, more than ${limit}`);
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
    throw parameterError("facetQuery", `occurs ${written.length} times, more than ${limit}`);
  }
  return written.map((value) => {
    const colon = value.indexOf(":");
    const field = value.slice(0, Math.max(0, colon)).trim().replaceAll(/%3a/gi, ":");
    if (field === "") {
      throw parameterError("facetQuery", `must be a field, a colon and a text, not ${quoted(value)}`);
    }
    const text = value.slice(colon + 1, colon + 1 + LIMITS.queryCharacters.value).trim();
    return { field, text };
  });
}

/**
 * Normalises a body like the reference's JSON reader: converts scalars to the member's type
 * (`"limit": "5"`, `"q": 5`, `"withFacets": 0`), and drops nulls, because clients that
 * serialise objects send unused members as null.
 */
function asRead(body: unknown): unknown {
  if (!isPlainObject(body)) return body;
  return withoutNulls(body, (name, value) => {
    switch (name) {
      case "arrangedProductSets":
        return Array.isArray(value) ? value.map(asRead) : value;
      case "filters":
      case "parameters":
        return isPlainObject(value) ? withoutNulls(value, (_, one) => asText(one)) : value;
      case "fieldWeights":
        return isPlainObject(value) ? withoutNulls(value, (_, one) => asNumber(one)) : value;
      case "limit":
      case "offset":
        return asNumber(value);
      case "withFacets":
      case "includeMainResult":
      case "asSeparateSlice":
        return asFlag(value);
      case "q":
      case "sort":
      case "query":
      case "name":
      case "variantBoostTerms":
        return asText(value);
      default:
        return value;
    }
  });
}

function withoutNulls(object: object, read: (name: string, value: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(object)
      .filter(([, value]) => value !== null)
      .map(([name, value]: [string, unknown]) => [name, read(name, value)]),
  );
}

function asText(value: unknown): unknown {
  return typeof value === "number" || typeof value === "boolean" ? String(value) : value;
}

function asNumber(value: unknown): unknown {
  return typeof value === "string" && /^\s*-?[0-9.]+\s*$/.test(value) ? Number(value) : value;
}

function asFlag(value: unknown): unknown {
  if (value === 0 || value === 1) return value === 1;
  const flag = typeof value === "string" ? value.trim().toLowerCase() : "";
  return flag === "true" || flag === "false" ? flag === "true" : value;
}

/** `userQuery` or its aliases. Throws 400 if it is missing or the limit is unreadable. */
export function parseSuggestParameters(query: string): SuggestRequest {
  const parameters = new URLSearchParams(query);
  const userQuery = ["userQuery", "q", "query"].map((name) => parameters.get(name) ?? "").find((text) => text !== "");
  if (userQuery === undefined) throw parameterError("userQuery", "is missing");
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
 * The distinct ids of DELETE: `id` and `id[]`, repeated or comma-separated, in the order sent. `%2C` is a comma
 * inside an id. Because `%2C` itself cannot be escaped, every id is returned with its original text, which is used if
 * there is no document with the id.
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
  if (ids.size > limit) throw parameterError("id", `has ${ids.size} ids, more than ${limit}`);
  return ids;
}

const TRUE: readonly string[] = ["true", "on", "yes", "1"];
const FALSE: readonly string[] = ["false", "off", "no", "0"];

/** `true` or `false` in any case, or the reference's alternatives. */
export function parseBoolean(name: string, text: string | undefined, otherwise: boolean): boolean {
  const lower = text?.trim().toLowerCase() ?? "";
  if (lower === "") return otherwise;
  if (TRUE.includes(lower)) return true;
  if (FALSE.includes(lower)) return false;
  throw parameterError(name, `must be true or false, not ${quoted(text ?? "")}`);
}

/** As in the reference, an empty value is the default: forms send fields that nobody has filled. */
function parseCount(name: string, text: string | undefined, otherwise: number): number {
  const digits = text?.trim() ?? "";
  if (digits === "") return otherwise;
  if (!/^[0-9]+$/.test(digits)) throw parameterError(name, `must be a number of 0 or more, not ${quoted(digits)}`);
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}

/**
 * Does not check limits, which are for fields: other names (tracking parameters) are ignored
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
