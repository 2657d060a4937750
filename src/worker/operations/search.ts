/** Searching: the parts `search` and `suggest`. */
import * as z from "zod";
import {
  ArrangedSearchQuery,
  DocumentAnswer,
  HIGHLIGHT_TAGS,
  LIMITS,
  SearchResultSchema,
  Suggestion,
} from "../../interface/index.ts";
import { count, inPath, inQuery, operationsOf, text, type Parameter } from "./operation.ts";

const tenant = inPath("tenant", "a configured tenant or the name of a live index");

/** How hits and facets are shown; an arranged search has them in its body. */
const viewParameters: readonly Parameter[] = [
  inQuery(
    "fields",
    text,
    "fields of `data` in hits, separated by commas. `*` matches any characters, a leading `-` excludes: title,attr*,-attr_x; " +
      "`attributes` and `categories` are selected by these names; the id is always included",
  ),
  inQuery(
    "highlight",
    text,
    "fields to highlight, as in `fields`; `metaData.highlights` of every hit has the marked texts",
  ),
  inQuery("highlightTag", z.enum(HIGHLIGHT_TAGS).default("em"), "HTML element around each match"),
  inQuery(
    "facetQuery",
    text,
    "repeatable; `<field>:<text>`: returns the values of this facet that match the text, instead of the usual facets; %253A is a colon in a field",
  ),
];

/** Of every search: its work and its page are limited, and its documents may be in R2. */
const ofReading = ["search_too_expensive", "answer_too_large", "index_unavailable", "storage_unavailable"] as const;

export const searchOperations = operationsOf("search", [
  {
    id: "search",
    method: "get",
    path: "/search-api/v1/search/{tenant}",
    summary: "Runs a search for a tenant",
    parameters: [
      tenant,
      inQuery("q", text, "user query; without it, everything matches"),
      inQuery("sort", text, "fields separated by commas; a leading `-` sorts in descending order: price,-name"),
      inQuery("limit", count.default(12), `hits per page, at most ${LIMITS.resultWindow.value}`),
      inQuery("offset", count.default(0), "hits to skip"),
      inQuery("withFacets", z.boolean().default(true), "false omits facets"),
      inQuery(
        "trace",
        text,
        "flags separated by commas: Explain (the score of each hit, up to 100 per page), Request (the interpreted request), EsQuery (the executed plan)",
      ),
      inQuery("query_stage", count.default(0), "number of the first stage to try"),
      inQuery("typing", z.boolean().default(false), "true: the last word is unfinished"),
      inQuery("aggSampling", count, "no effect, because counts are always exact"),
      ...viewParameters,
      inQuery(
        "filters",
        z.record(text, text),
        "every other parameter filters the field of its name: `color=Black,Red&price=50,200`. A comma means OR, a " +
          "leading `!` negates, %252C is a literal comma, `<field>.id` compares ids, numbers are `10,20`, `10-20`, `10,` or " +
          "`,20`; a repeated parameter is one more range",
      ),
    ],
    answers: [
      { status: 200, doc: "the result", body: SearchResultSchema },
      { status: 304, doc: "If-None-Match names the present state", body: null },
    ],
    errors: ["invalid_parameter", "index_not_found", ...ofReading],
  },
  {
    id: "arrangedSearch",
    method: "post",
    path: "/search-api/v1/search/arranged/{tenant}",
    summary: "Runs a search with product sets injected in a given order",
    parameters: [tenant],
    body: ArrangedSearchQuery,
    answers: [{ status: 200, doc: "the result", body: SearchResultSchema }],
    errors: ["bad_request", "invalid_parameter", "invalid_body", "index_not_found", "body_too_large", ...ofReading],
  },
  {
    id: "getDocument",
    method: "get",
    path: "/search-api/v1/doc/{tenant}/{id}",
    summary: "A document by its id, with all its data",
    parameters: [tenant, inPath("id", "percent-encoded; slashes may be unencoded")],
    answers: [
      { status: 200, doc: "the document", body: DocumentAnswer },
      { status: 304, doc: "If-None-Match names the present state", body: null },
    ],
    errors: ["index_not_found", "document_not_found", "index_unavailable", "storage_unavailable"],
  },
  {
    id: "getTenants",
    method: "get",
    path: "/search-api/v1/tenants",
    summary: "Names of configured tenants and live indexes",
    answers: [{ status: 200, doc: "sorted names", body: z.array(text) }],
  },
]);

export const suggestOperations = operationsOf("suggest", [
  {
    id: "suggest",
    method: "get",
    path: "/suggest-api/v1/{indexname}/suggest",
    summary: "Completes the typed text",
    parameters: [
      inPath("indexname", "an index; an unknown one has no suggestions"),
      inQuery("userQuery", text, "the typed text; also as q or query", true),
      inQuery("limit", count.default(10), `at most ${LIMITS.suggestLimit.value}`),
      inQuery("filter", text, "kinds of suggestions, separated by commas, for example brand"),
    ],
    answers: [
      { status: 200, doc: "suggestions, best first", body: z.array(Suggestion) },
      { status: 304, doc: "If-None-Match names the present state", body: null },
    ],
    errors: ["invalid_parameter", "search_too_expensive", "index_unavailable"],
  },
]);
