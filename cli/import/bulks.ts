/**
 * Documents -> bodies of requests. The JSON of a document goes into the body byte by byte, it is not written anew: what
 * the shop sent is what the service stores.
 */
import type { FeedDocument } from "../../src/feeds/index.ts";
import type { ImportSession } from "../../src/interface/index.ts";
import type { ReadPosition } from "./source.ts";

/** What stands around the documents of a body. */
export interface Envelope {
  readonly head: string;
  readonly tail: string;
}

/** Of `POST /indexer-api/v1/full/add`. */
export function addEnvelope(session: ImportSession): Envelope {
  return { head: `{"session":${JSON.stringify(session)},"documents":[`, tail: "]}" };
}

/** Of `PUT` and `PATCH /indexer-api/v1/update/{index}`. */
export const UPDATE_ENVELOPE: Envelope = { head: "[", tail: "]" };

export interface Bulk {
  readonly number: number;
  readonly body: Buffer;
  /** Line of the document at each position of the body. */
  readonly lines: readonly number[];
  readonly ids: ReadonlySet<string>;
  /** The id at each position; null where it could not be read. */
  readonly documentIds: readonly (string | null)[];
  /** Bytes of the documents' JSON. */
  readonly documentBytes: number;
  /** Position of the reader when the bulk was full. */
  readonly readBytes: number;
}

/** A bulk is closed by the document that brings it to `bulkBytes`, so a larger document is a bulk of its own. */
export async function* bulksOf(
  documents: AsyncIterable<FeedDocument>,
  envelope: Envelope,
  bulkBytes: number,
  position: Readonly<ReadPosition>,
): AsyncGenerator<Bulk> {
  const head = Buffer.from(envelope.head);
  const comma = Buffer.from(",");
  const tail = Buffer.from(envelope.tail);
  let number = 0;
  let open = emptyBulk();

  function emptyBulk(): {
    parts: Uint8Array[];
    lines: number[];
    ids: Set<string>;
    documentIds: (string | null)[];
    documentBytes: number;
  } {
    return { parts: [head], lines: [], ids: new Set(), documentIds: [], documentBytes: 0 };
  }
  function close(): Bulk {
    const { parts, lines, ids, documentIds, documentBytes } = open;
    parts.push(tail);
    open = emptyBulk();
    return {
      number: number++,
      body: Buffer.concat(parts),
      lines,
      ids,
      documentIds,
      documentBytes,
      readBytes: position.readBytes,
    };
  }

  for await (const document of documents) {
    if (open.lines.length > 0) open.parts.push(comma);
    open.parts.push(document.json);
    open.lines.push(document.line);
    open.documentIds.push(document.id);
    if (document.id !== null) open.ids.add(document.id);
    open.documentBytes += document.json.length;
    if (open.documentBytes >= bulkBytes) yield close();
  }
  if (open.lines.length > 0) yield close();
}

/** True when some id occurs in both: then the later bulk must wait until the earlier one is answered. */
export function shareAnId(a: Bulk, b: Bulk): boolean {
  const [small, large] = a.ids.size <= b.ids.size ? [a.ids, b.ids] : [b.ids, a.ids];
  for (const id of small) if (large.has(id)) return true;
  return false;
}
