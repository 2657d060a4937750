/** Indexing: full imports and updates, the part `indexer`. */
import * as z from "zod";
import {
  AddReport,
  BulkImportData,
  ImportSession,
  Product,
  UpdateAnswer,
  UpdateReport,
} from "../../interface/index.ts";
import { count, inPath, inQuery, operationsOf, text } from "./operation.ts";

const indexName = inPath("indexName", "must match [a-z0-9_-]+");
const Documents = z.union([z.array(Product), z.object({ documents: z.array(Product) }), Product]);
const updateDoc = "the result for each id; no body with Prefer: return=minimal";
const reportedDoc = `${updateDoc}; with report=true the results with reasons`;
const updateReport = inQuery("report", z.boolean().default(false), "true: return a report of dismissed documents");

export const indexerOperations = operationsOf("indexer", [
  {
    id: "startImport",
    method: "get",
    path: "/indexer-api/v1/full/start/{indexName}",
    summary: "Opens a full import",
    parameters: [indexName, inQuery("locale", text, "for example en, de-DE", true)],
    answers: [{ status: 200, doc: "the session; send it back unchanged", body: ImportSession }],
    errors: ["invalid_index_name", "invalid_locale"],
  },
  {
    id: "add",
    method: "post",
    path: "/indexer-api/v1/full/add",
    summary: "Adds documents to a running import",
    parameters: [
      inQuery("report", z.boolean().default(false), "true: return a report of dropped documents and ignored values"),
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
      "invalid_parameter",
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
    summary: "Completes an import: its documents replace the live index",
    body: ImportSession,
    answers: [
      {
        status: 200,
        doc: "true; no body with Prefer: return=minimal",
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
      "session_busy",
      "body_too_large",
      "too_few_documents",
      "index_unavailable",
      "storage_unavailable",
    ],
  },
  {
    id: "cancel",
    method: "post",
    path: "/indexer-api/v1/full/cancel",
    summary: "Cancels an import and deletes its documents",
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
      "body_too_large",
    ],
  },
  {
    id: "deleteDocuments",
    method: "delete",
    path: "/indexer-api/v1/update/{indexName}",
    summary: "Deletes documents of a live index",
    parameters: [
      indexName,
      inQuery(
        "id[]",
        z.array(text),
        "ids; also as id, repeated or separated by commas. %252C is a comma in an id, or a literal %2C if no such id exists",
      ),
    ],
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
    summary: "Changes parts of existing documents",
    parameters: [indexName, updateReport],
    body: Documents,
    answers: [{ status: 200, doc: reportedDoc, body: z.union([UpdateAnswer, UpdateReport]) }],
    errors: [
      "bad_request",
      "invalid_body",
      "invalid_parameter",
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
    summary: "Adds or replaces whole documents",
    parameters: [
      indexName,
      inQuery("replaceExisting", z.boolean().default(true), "false keeps existing documents"),
      inQuery("langCode", text, "language of the index; required if the index does not exist"),
      updateReport,
    ],
    body: Documents,
    answers: [{ status: 200, doc: reportedDoc, body: z.union([UpdateAnswer, UpdateReport]) }],
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
]);
