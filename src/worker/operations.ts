/**
 * Every operation of the service in one table: openapi.json and the docs page derive from it, and a test holds it against the routes that
 * exist. Schemas are those the code validates with.
 */
import { z } from "zod";
import {
  AddReport,
  ArrangedSearchQuery,
  BulkImportData,
  DocumentAnswer,
  HIGHLIGHT_TAGS,
  ImportSession,
  LIMITS,
  Product,
  SearchResultSchema,
  Suggestion,
  UpdateAnswer,
  type ErrorType,
} from "../interface/index.ts";
import type { Part } from "./settings.ts";

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly required: boolean;
  readonly schema: z.ZodType;
  readonly doc: string;
}

export interface Answer {
  readonly status: number;
  readonly doc: string;
  /** Null: no body. A text names a content type that is no JSON. */
  readonly body: z.ZodType | string | null;
}

export interface Operation {
  readonly id: string;
  readonly method: "get" | "post" | "put" | "patch" | "delete";
  /** With `{parameters}`. */
  readonly path: string;
  /** Null: answered by every deployment, without credentials. */
  readonly part: Part | null;
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  /** Null: none is read. A text names a content type that is no JSON. */
  readonly body: z.ZodType | string | null;
  readonly answers: readonly Answer[];
  /** Besides those every operation of its part can answer. */
  readonly errors: readonly ErrorType[];
}

const text = z.string();
const count = z.number().int().min(0);
const anyJson = z.unknown();

function inPath(name: string, doc: string): Parameter {
  return { name, in: "path", required: true, schema: text, doc };
}

function inQuery(name: string, schema: z.ZodType, doc: string, required = false): Parameter {
  return { name, in: "query", required, schema, doc };
}

const tenant = inPath("tenant", "a configured tenant or the name of a live index");
const indexName = inPath("indexName", "must match [a-z0-9_-]+");
const Documents = z.union([z.array(Product), z.object({ documents: z.array(Product) }), Product]);
const Version = z.object({ version: count });
const updateDoc = "id -> what became of it; without a body under Prefer: return=minimal";

const IndexDescription = z.object({
  name: text,
  locale: text,
  generation: z.object({ number: count, physicalName: text, epoch: count }),
  kept: z.object({ generation: count, physicalName: text }).nullable(),
  lastImport: count.describe("milliseconds since 1970"),
  documents: count,
  variants: count,
  memoryBytes: count,
  storedBytes: count,
  pendingWrites: count,
  shards: z.array(anyJson),
});

const SessionDescription = z.object({
  indexName: text,
  temporaryIndexName: text,
  generation: count,
  locale: text,
  state: z.enum(["open", "publishing"]),
  startedAtMs: count,
  segments: count,
  sizeBytes: count,
  documents: count,
  step: text.nullable(),
});

/** How hits and facets are shown; an arranged search has them in its body. */
const viewParameters: readonly Parameter[] = [
  inQuery(
    "fields",
    text,
    "what hits carry of `data`: names separated by commas, `*` for any characters, `-` in front leaves out: title,attr*,-attr_x; " +
      "`attributes` and `categories` are chosen by these names, the id always comes",
  ),
  inQuery(
    "highlight",
    text,
    "fields, written as in `fields`: what was searched for is marked in `metaData.highlights` of every hit",
  ),
  inQuery("highlightTag", z.enum(HIGHLIGHT_TAGS).default("em"), "element of the marks"),
  inQuery(
    "facetQuery",
    text,
    "repeatable; `<field>:<text>`: instead of the usual facets the values of this one that match the text; %253A is a colon in a field",
  ),
];

const contract: readonly Operation[] = [
  {
    id: "search",
    method: "get",
    path: "/search-api/v1/search/{tenant}",
    part: "search",
    summary: "Runs a search for a tenant",
    parameters: [
      tenant,
      inQuery("q", text, "user query; missing or empty matches everything"),
      inQuery("sort", text, "fields separated by commas, `-` in front for descending: price,-name"),
      inQuery("limit", count.default(12), `hits per page, at most ${LIMITS.resultWindow.value}`),
      inQuery("offset", count.default(0), "hits to skip"),
      inQuery("withFacets", z.boolean().default(true), "false leaves facets out"),
      inQuery(
        "trace",
        text,
        "flags separated by commas: Explain (why each hit is there, up to 100 per page), Request (what was understood), EsQuery (the executed plan)",
      ),
      inQuery("query_stage", count.default(0), "the first of the query's stages to try"),
      ...viewParameters,
      inQuery(
        "<field>",
        text,
        "filter; any other name. Comma = or, `!` in front negates, %252C is a literal comma, `<field>.id` compares ids, " +
          "numbers as 10,20 or 10-20 or 10, or ,20; a repeated parameter is one more range",
      ),
    ],
    body: null,
    answers: [
      { status: 200, doc: "the result", body: SearchResultSchema },
      { status: 304, doc: "If-None-Match names the present state", body: null },
    ],
    errors: ["invalid_parameter", "index_not_found", "index_unavailable"],
  },
  {
    id: "arrangedSearch",
    method: "post",
    path: "/search-api/v1/search/arranged/{tenant}",
    part: "search",
    summary: "Runs a search with product sets injected in a given order",
    parameters: [tenant],
    body: ArrangedSearchQuery,
    answers: [{ status: 200, doc: "the result", body: SearchResultSchema }],
    errors: [
      "bad_request",
      "invalid_body",
      "index_not_found",
      "body_too_large",
      "index_unavailable",
    ],
  },
  {
    id: "getDocument",
    method: "get",
    path: "/search-api/v1/doc/{tenant}/{id}",
    part: "search",
    summary: "A document by its id, with everything that was sent",
    parameters: [tenant, inPath("id", "percent-encoded; slashes may stay")],
    body: null,
    answers: [
      { status: 200, doc: "the document", body: DocumentAnswer },
      { status: 304, doc: "If-None-Match names the present state", body: null },
    ],
    errors: ["index_not_found", "document_not_found", "index_unavailable"],
  },
  {
    id: "getTenants",
    method: "get",
    path: "/search-api/v1/tenants",
    part: "search",
    summary: "Names of configured tenants and live indexes",
    parameters: [],
    body: null,
    answers: [{ status: 200, doc: "sorted names", body: z.array(text) }],
    errors: [],
  },
  {
    id: "suggest",
    method: "get",
    path: "/suggest-api/v1/{indexname}/suggest",
    part: "suggest",
    summary: "Completes what a user has typed so far",
    parameters: [
      inPath("indexname", "an index; an unknown one has no suggestions"),
      inQuery("userQuery", text, "what was typed; also as q or query", true),
      inQuery("limit", count.default(10), `at most ${LIMITS.suggestLimit.value}`),
      inQuery("filter", text, "kinds of suggestions, separated by commas, for example brand"),
    ],
    body: null,
    answers: [
      { status: 200, doc: "suggestions, best first", body: z.array(Suggestion) },
      { status: 304, doc: "If-None-Match names the present state", body: null },
    ],
    errors: ["invalid_parameter", "index_unavailable"],
  },
  {
    id: "startImport",
    method: "get",
    path: "/indexer-api/v1/full/start/{indexName}",
    part: "indexer",
    summary: "Opens a full import",
    parameters: [indexName, inQuery("locale", text, "for example en, de-DE", true)],
    body: null,
    answers: [{ status: 200, doc: "the session; send it back unchanged", body: ImportSession }],
    errors: ["invalid_index_name", "invalid_locale"],
  },
  {
    id: "add",
    method: "post",
    path: "/indexer-api/v1/full/add",
    part: "indexer",
    summary: "Adds documents to a running import",
    parameters: [
      inQuery("report", z.boolean().default(false), "true: answer what was dropped and why"),
    ],
    body: BulkImportData,
    answers: [
      {
        status: 200,
        doc: "number of documents indexed; with report=true the report",
        body: z.union([count, AddReport]),
      },
    ],
    errors: [
      "bad_request",
      "invalid_body",
      "session_unknown",
      "session_mismatch",
      "session_completed",
      "session_cancelled",
      "session_busy",
      "body_too_large",
      "storage_unavailable",
    ],
  },
  {
    id: "done",
    method: "post",
    path: "/indexer-api/v1/full/done",
    part: "indexer",
    summary: "Completes an import: its documents replace the live index",
    parameters: [],
    body: ImportSession,
    answers: [
      {
        status: 200,
        doc: "true; without a body under Prefer: return=minimal",
        body: z.literal(true),
      },
    ],
    errors: [
      "bad_request",
      "invalid_body",
      "session_unknown",
      "session_mismatch",
      "session_completed",
      "session_cancelled",
      "too_few_documents",
      "storage_unavailable",
    ],
  },
  {
    id: "cancel",
    method: "post",
    path: "/indexer-api/v1/full/cancel",
    part: "indexer",
    summary: "Drops an import and everything added to it",
    parameters: [],
    body: ImportSession,
    answers: [{ status: 202, doc: "dropped", body: null }],
    errors: [
      "bad_request",
      "invalid_body",
      "session_unknown",
      "session_mismatch",
      "session_completed",
      "session_cancelled",
      "session_busy",
    ],
  },
  {
    id: "deleteDocuments",
    method: "delete",
    path: "/indexer-api/v1/update/{indexName}",
    part: "indexer",
    summary: "Deletes documents of a live index",
    parameters: [
      indexName,
      inQuery(
        "id[]",
        text,
        "ids; also as id, repeated or separated by commas. %252C is a comma inside an id, or %2C where there is no such id",
      ),
    ],
    body: null,
    answers: [
      { status: 200, doc: updateDoc, body: UpdateAnswer },
      { status: 304, doc: "none of the documents existed", body: null },
    ],
    errors: ["invalid_parameter", "index_not_found", "index_unavailable"],
  },
  {
    id: "patchDocuments",
    method: "patch",
    path: "/indexer-api/v1/update/{indexName}",
    part: "indexer",
    summary: "Changes parts of existing documents",
    parameters: [indexName],
    body: Documents,
    answers: [{ status: 200, doc: updateDoc, body: UpdateAnswer }],
    errors: [
      "bad_request",
      "invalid_body",
      "index_not_found",
      "body_too_large",
      "index_unavailable",
      "index_full_resharding",
    ],
  },
  {
    id: "putDocuments",
    method: "put",
    path: "/indexer-api/v1/update/{indexName}",
    part: "indexer",
    summary: "Adds or replaces whole documents",
    parameters: [
      indexName,
      inQuery(
        "replaceExisting",
        z.boolean().default(true),
        "false keeps documents that exist already",
      ),
      inQuery("langCode", text, "language of the index, required when it does not exist yet"),
    ],
    body: Documents,
    answers: [{ status: 200, doc: updateDoc, body: UpdateAnswer }],
    errors: [
      "bad_request",
      "invalid_body",
      "invalid_parameter",
      "invalid_index_name",
      "invalid_locale",
      "body_too_large",
      "index_unavailable",
      "index_full_resharding",
    ],
  },
];

const ADMIN = "/admin-api/v1";

function entryOperations(kind: string, doc: string): readonly Operation[] {
  const path = `${ADMIN}/config/${kind}/{name}`;
  const parameters = [inPath("name", doc)];
  const title = kind.charAt(0).toUpperCase() + kind.slice(1);
  return [
    {
      id: `get${title}Configuration`,
      method: "get",
      path,
      part: "admin",
      summary: `The configuration entry of one ${kind}, as it was sent`,
      parameters,
      body: null,
      answers: [{ status: 200, doc: "the entry", body: anyJson }],
      errors: ["configuration_not_found"],
    },
    {
      id: `put${title}Configuration`,
      method: "put",
      path,
      part: "admin",
      summary: `Sets the configuration entry of one ${kind}; JSON or YAML`,
      parameters,
      body: anyJson,
      answers: [{ status: 200, doc: "the new version", body: Version }],
      errors: ["bad_request", "invalid_configuration", "body_too_large"],
    },
    {
      id: `delete${title}Configuration`,
      method: "delete",
      path,
      part: "admin",
      summary: `Removes the configuration entry of one ${kind}`,
      parameters,
      body: null,
      answers: [{ status: 200, doc: "the new version", body: Version }],
      errors: ["configuration_not_found"],
    },
  ];
}

const administration: readonly Operation[] = [
  {
    id: "getConfiguration",
    method: "get",
    path: `${ADMIN}/config`,
    part: "admin",
    summary: "The whole configuration document, as it was sent",
    parameters: [],
    body: null,
    answers: [{ status: 200, doc: "the document; {} when nothing is configured", body: anyJson }],
    errors: [],
  },
  {
    id: "putConfiguration",
    method: "put",
    path: `${ADMIN}/config`,
    part: "admin",
    summary: "Replaces the whole configuration document; JSON or YAML",
    parameters: [],
    body: anyJson,
    answers: [{ status: 200, doc: "the new version", body: Version }],
    errors: ["bad_request", "invalid_configuration", "body_too_large"],
  },
  {
    id: "deleteConfiguration",
    method: "delete",
    path: `${ADMIN}/config`,
    part: "admin",
    summary: "Removes the whole configuration document: the built-in preset holds again",
    parameters: [],
    body: null,
    answers: [{ status: 200, doc: "the new version", body: Version }],
    errors: ["configuration_not_found"],
  },
  ...entryOperations("index", "an index name"),
  ...entryOperations("tenant", "a tenant name"),
  ...entryOperations("suggest", "an index name"),
  {
    id: "getRules",
    method: "get",
    path: `${ADMIN}/config/rules/{name}`,
    part: "admin",
    summary: "A rules text",
    parameters: [inPath("name", "the name a tenant's common_rules_url uses")],
    body: null,
    answers: [{ status: 200, doc: "the text", body: "text/plain" }],
    errors: ["configuration_not_found"],
  },
  {
    id: "putRules",
    method: "put",
    path: `${ADMIN}/config/rules/{name}`,
    part: "admin",
    summary: "Sets a rules text",
    parameters: [inPath("name", "the name a tenant's common_rules_url uses")],
    body: "text/plain",
    answers: [{ status: 200, doc: "the new version", body: Version }],
    errors: ["bad_request", "invalid_rules", "body_too_large"],
  },
  {
    id: "deleteRules",
    method: "delete",
    path: `${ADMIN}/config/rules/{name}`,
    part: "admin",
    summary: "Removes a rules text",
    parameters: [inPath("name", "the name a tenant's common_rules_url uses")],
    body: null,
    answers: [{ status: 200, doc: "the new version", body: Version }],
    errors: ["configuration_not_found"],
  },
  {
    id: "getIndexes",
    method: "get",
    path: `${ADMIN}/indexes`,
    part: "admin",
    summary: "All live indexes with their figures",
    parameters: [],
    body: null,
    answers: [{ status: 200, doc: "by name", body: z.array(IndexDescription) }],
    errors: [],
  },
  {
    id: "getIndex",
    method: "get",
    path: `${ADMIN}/indexes/{name}`,
    part: "admin",
    summary: "One live index with its figures",
    parameters: [inPath("name", "an index name")],
    body: null,
    answers: [{ status: 200, doc: "the index", body: IndexDescription }],
    errors: ["index_not_found"],
  },
  {
    id: "deleteIndex",
    method: "delete",
    path: `${ADMIN}/indexes/{name}`,
    part: "admin",
    summary: "Removes an index with all its generations and open imports",
    parameters: [inPath("name", "an index name")],
    body: null,
    answers: [{ status: 200, doc: "removed", body: z.object({ deleted: text }) }],
    errors: ["index_not_found"],
  },
  {
    id: "rollbackIndex",
    method: "post",
    path: `${ADMIN}/indexes/{name}/rollback`,
    part: "admin",
    summary: "Back to the generation before the last done, or forward again",
    parameters: [inPath("name", "an index name")],
    body: null,
    answers: [
      {
        status: 200,
        doc: "what is live now, and how many updates stayed with what was live before",
        body: z.object({ generation: count, physicalName: text, updatesLeftBehind: count }),
      },
    ],
    errors: ["index_not_found", "generation_not_found"],
  },
  {
    id: "exportIndex",
    method: "get",
    path: `${ADMIN}/indexes/{name}/documents`,
    part: "admin",
    summary: "All documents as they were sent, one a line: a backup, ready for another import",
    parameters: [inPath("name", "an index name")],
    body: null,
    answers: [{ status: 200, doc: "NDJSON", body: "application/x-ndjson" }],
    errors: ["index_not_found", "index_unavailable"],
  },
  {
    id: "reindexIndex",
    method: "post",
    path: `${ADMIN}/indexes/{name}/reindex`,
    part: "admin",
    summary: "Builds the index anew from its stored documents, with the configuration of now",
    parameters: [inPath("name", "an index name")],
    body: null,
    answers: [
      {
        status: 200,
        doc: "what is live now; writes that came meanwhile are in it",
        body: z.object({
          generation: count,
          physicalName: text,
          shards: count,
          documents: count,
          rejected: count,
        }),
      },
    ],
    errors: ["index_not_found", "index_unavailable", "storage_unavailable"],
  },
  {
    id: "getSessions",
    method: "get",
    path: `${ADMIN}/sessions`,
    part: "admin",
    summary: "Open imports with their progress",
    parameters: [],
    body: null,
    answers: [
      { status: 200, doc: "open and publishing sessions", body: z.array(SessionDescription) },
    ],
    errors: [],
  },
];

const extras: readonly Operation[] = [
  {
    id: "metrics",
    method: "get",
    path: "/metrics",
    part: "admin",
    summary: "Figures of indexes, imports and requests for Prometheus",
    parameters: [],
    body: null,
    answers: [{ status: 200, doc: "text format 0.0.4", body: "text/plain" }],
    errors: ["index_unavailable"],
  },
  {
    id: "health",
    method: "get",
    path: "/health",
    part: null,
    summary: "200 when the objects answer",
    parameters: [],
    body: null,
    answers: [
      {
        status: 200,
        doc: "well",
        body: z.object({ status: z.literal("ok"), indexes: count, configurationVersion: count }),
      },
    ],
    errors: [],
  },
  {
    id: "openapi",
    method: "get",
    path: "/openapi.json",
    part: null,
    summary: "This description",
    parameters: [],
    body: null,
    answers: [{ status: 200, doc: "OpenAPI 3.1", body: anyJson }],
    errors: [],
  },
  {
    id: "root",
    method: "get",
    path: "/",
    part: null,
    summary: "Leads to the page for people",
    parameters: [],
    body: null,
    answers: [{ status: 302, doc: "to /docs", body: null }],
    errors: [],
  },
  {
    id: "docs",
    method: "get",
    path: "/docs",
    part: null,
    summary: "A page for people",
    parameters: [],
    body: null,
    answers: [{ status: 200, doc: "HTML", body: "text/html" }],
    errors: [],
  },
];

export const OPERATIONS: readonly Operation[] = [...contract, ...administration, ...extras];

/** Errors every operation of a part can answer besides its own. */
export function commonErrors(part: Part | null): readonly ErrorType[] {
  switch (part) {
    case null:
      return ["internal_error"];
    case "search":
    case "suggest":
      return ["unauthorized", "forbidden", "too_many_requests", "misconfigured", "internal_error"];
    case "indexer":
    case "admin":
      return ["unauthorized", "forbidden", "too_many_requests", "misconfigured", "internal_error"];
  }
}
