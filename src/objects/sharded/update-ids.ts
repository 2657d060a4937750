/** Reads the document ids of an update before it is executed. */
import { parseDocument, readableId } from "../../index-engine/documents/index.ts";
import type { UpdateChange } from "../protocol/index.ts";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The id of a document as shards read it; null: not a document, or no id. */
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
