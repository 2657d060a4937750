/** The ids that an update names, before it is carried out. */
import { parseDocument, readableId } from "../../index-engine/documents/index.ts";
import type { UpdateChange } from "../protocol/index.ts";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The id of a document as shards read it; null for what is no document or has none. */
function documentId(bytes: Uint8Array): string | null {
  let document: unknown;
  try {
    document = parseDocument(decoder.decode(bytes));
  } catch {
    return null;
  }
  return readableId(document);
}

/** By position in the request. */
export function idsOf(change: UpdateChange): readonly (string | null)[] {
  return change.kind === "delete" ? change.ids : change.documents.map(documentId);
}
