/** Reads the document ids of an update before it is executed. */
import { parseIdOnly, readableId } from "../../index-engine/documents/index.ts";
import type { UpdateChange } from "../protocol/index.ts";

/**
 * By position in the request; null: not a document, or no id. One that is not valid UTF-8 has an id here, but its shard
 * rejects it without one.
 */
export function idsOf(change: UpdateChange): readonly (string | null)[] {
  return change.kind === "delete" ? change.ids : change.documents.map((bytes) => readableId(parseIdOnly(bytes)));
}
