/** Indexes, imports and metrics for operators, in the part `admin`. */
import * as z from "zod";
import { anyJson, count, inPath, operationsOf, text } from "./operation.ts";

const ADMIN = "/admin-api/v1";

const ofIndex = [inPath("name", "an index name")];

const IndexDescription = z
  .object({
    name: text,
    locale: text,
    generation: z.object({ number: count, physicalName: text, epoch: count }),
    kept: z.object({ generation: count, physicalName: text }).nullable(),
    givenUp: z.array(text).describe("background work of the index that has stopped after repeated crashes"),
    lastImport: count.describe("milliseconds since 1970"),
    documents: count,
    variants: count,
    memoryBytes: count,
    storedBytes: count,
    pendingWrites: count,
    shards: z.array(anyJson),
  })
  .meta({ id: "IndexDescription", description: "A live index and its statistics." });

const SessionDescription = z
  .object({
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
  })
  .meta({ id: "SessionDescription", description: "A running import." });

export const indexOperations = operationsOf("admin", [
  {
    id: "getIndexes",
    method: "get",
    path: `${ADMIN}/indexes`,
    summary: "All live indexes with their statistics",
    answers: [{ status: 200, doc: "by name", body: z.array(IndexDescription) }],
  },
  {
    id: "getIndex",
    method: "get",
    path: `${ADMIN}/indexes/{name}`,
    summary: "One live index with its statistics",
    parameters: ofIndex,
    answers: [{ status: 200, doc: "the index", body: IndexDescription }],
    errors: ["index_not_found"],
  },
  {
    id: "deleteIndex",
    method: "delete",
    path: `${ADMIN}/indexes/{name}`,
    summary: "Removes an index with all its generations and open imports",
    parameters: ofIndex,
    answers: [{ status: 200, doc: "removed", body: z.object({ deleted: text }) }],
    errors: ["index_not_found"],
  },
  {
    id: "rollbackIndex",
    method: "post",
    path: `${ADMIN}/indexes/{name}/rollback`,
    summary: "Rolls back to the generation before the last done, or forward again",
    parameters: ofIndex,
    answers: [
      {
        status: 200,
        doc: "the live generation, and the number of updates left in the previous one",
        body: z.object({ generation: count, physicalName: text, updatesLeftBehind: count }),
      },
    ],
    errors: ["index_not_found", "generation_not_found", "index_unavailable"],
  },
  {
    id: "exportIndex",
    method: "get",
    path: `${ADMIN}/indexes/{name}/documents`,
    summary:
      "All documents as sent, one per line, as a backup for another import; private fields only for the role admin",
    parameters: ofIndex,
    answers: [{ status: 200, doc: "NDJSON", body: "application/x-ndjson" }],
    errors: ["index_not_found", "index_unavailable"],
  },
  {
    id: "exportTenant",
    method: "get",
    path: `${ADMIN}/tenants/{name}/documents`,
    summary:
      "The documents that a tenant sees, from all its indexes, one per line; private fields only for the role admin",
    parameters: [inPath("name", "a tenant name")],
    answers: [{ status: 200, doc: "NDJSON", body: "application/x-ndjson" }],
    errors: ["index_not_found", "index_unavailable"],
  },
  {
    id: "reindexIndex",
    method: "post",
    path: `${ADMIN}/indexes/{name}/reindex`,
    summary: "Rebuilds the index from its stored documents with the current configuration",
    parameters: ofIndex,
    answers: [
      {
        status: 200,
        doc: "the live generation, including writes during the rebuild",
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
    summary: "Open imports with their progress",
    answers: [{ status: 200, doc: "open and publishing sessions", body: z.array(SessionDescription) }],
  },
  {
    id: "metrics",
    method: "get",
    path: "/metrics",
    summary: "Metrics of indexes, imports and requests for Prometheus",
    answers: [{ status: 200, doc: "text format 0.0.4", body: "text/plain" }],
    errors: ["index_unavailable"],
  },
]);
