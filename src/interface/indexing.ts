/** Full imports and updates: sessions, bulks, results per document. */
import * as z from "zod";
import { LIMITS } from "./limits.ts";
import { Product } from "./document.ts";

export const INDEX_NAME_PATTERN = /^[a-z0-9_-]+$/;

export function isIndexName(name: string): boolean {
  return name.length <= LIMITS.indexNameLength.value && INDEX_NAME_PATTERN.test(name);
}

/** The handle of a full import. All members except the two names are ignored. */
export const ImportSession = z
  .object({
    finalIndexName: z.string().min(1),
    temporaryIndexName: z.string().min(1),
  })
  .meta({
    id: "ImportSession",
    description: "The handle of a full import. Send it back unchanged.",
  });
export type ImportSession = z.infer<typeof ImportSession>;

export const BulkImportData = z
  .object({
    session: ImportSession,
    documents: z.array(Product).min(1),
  })
  .meta({ id: "BulkImportData", description: "Documents for a running import." });

export const UPDATE_RESULTS = ["CREATED", "UPDATED", "DELETED", "NOT_FOUND", "NOOP", "DISMISSED"] as const;
export type UpdateResult = (typeof UPDATE_RESULTS)[number];

/**
 * id -> result; documents without a readable id share the key "". An id sent twice in one PUT is CREATED
 * (UPDATED) if it did not exist (existed) before and one of its documents was written, regardless of the
 * others; in one PATCH it is UPDATED if one of them changed it, else it has the last result.
 */
export const UpdateAnswer = z
  .record(z.string(), z.enum(UPDATE_RESULTS))
  .meta({ id: "UpdateAnswer", description: "The result for each document id." });
export type UpdateAnswer = z.infer<typeof UpdateAnswer>;

/** `add?report=true`. `position` counts from 0 in the order sent; `id` is null if unreadable. */
export const AddReport = z
  .object({
    indexed: z.number().int(),
    rejected: z.array(z.object({ position: z.number().int(), id: z.string().nullable(), reason: z.string() })),
    ignored: z.array(z.object({ position: z.number().int(), path: z.string(), reason: z.string() })),
  })
  .meta({ id: "AddReport", description: "The results of the documents of one bulk." });
export type AddReport = z.infer<typeof AddReport>;

/** PUT and PATCH with `report=true`. Documents without a readable id, and those of one id, share an entry. */
export const UpdateReport = z
  .object({
    indexed: z.number().int().describe("how many ids are CREATED or UPDATED"),
    rejected: AddReport.shape.rejected.describe("why ids are DISMISSED, by the position of their last document"),
    results: UpdateAnswer,
  })
  .meta({ id: "UpdateReport", description: "The result for each document id, with reasons." });
export type UpdateReport = z.infer<typeof UpdateReport>;

/**
 * The language of a locale: `en`, `en_US`, `en-US`, `de-DE`, `DE-de` -> `en`, `en`, `en`, `de`, `de`; null when
 * unreadable. Variants and scripts after the region are tolerated (`zh_Hans_CN`).
 */
export function languageOfLocale(locale: string): string | null {
  const match = /^([A-Za-z]{2,3})(?:[_-][A-Za-z0-9]{2,8})*$/.exec(locale.trim());
  return match === null || match[1] === undefined ? null : match[1].toLowerCase();
}
