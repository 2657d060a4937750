/**
 * Documents -> bodies for `POST /indexer-api/v1/full/add`. The JSON of the file goes into the body byte by byte, it is
 * not written anew: what the shop sent is what the service stores.
 */
import type { ImportSession } from "../../src/interface/index.ts";
import type { ReadPosition, SourceDocument } from "./source.ts";

export interface Bulk {
  readonly number: number;
  readonly body: Buffer;
  /** Line of the document at each position of the body. */
  readonly lines: readonly number[];
  readonly ids: ReadonlySet<string>;
  /** Bytes of the documents' JSON. */
  readonly documentBytes: number;
  /** Position of the reader when the bulk was full. */
  readonly readBytes: number;
}

/** A bulk is closed by the document that brings it to `bulkBytes`, so a larger document is a bulk of its own. */
export async function* bulksOf(
  documents: AsyncIterable<SourceDocument>,
  session: ImportSession,
  bulkBytes: number,
  position: Readonly<ReadPosition>,
): AsyncGenerator<Bulk> {
  const head = Buffer.from(`{"session":${JSON.stringify(session)},"documents":[`);
  const comma = Buffer.from(",");
  const tail = Buffer.from("]}");
  let number = 0;
  let open = emptyBulk();

  function emptyBulk(): {
    parts: Buffer[];
    lines: number[];
    ids: Set<string>;
    documentBytes: number;
  } {
    return { parts: [head], lines: [], ids: new Set(), documentBytes: 0 };
  }
  function close(): Bulk {
    const { parts, lines, ids, documentBytes } = open;
    parts.push(tail);
    open = emptyBulk();
    return {
      number: number++,
      body: Buffer.concat(parts),
      lines,
      ids,
      documentBytes,
      readBytes: position.readBytes,
    };
  }

  for await (const document of documents) {
    if (open.lines.length > 0) open.parts.push(comma);
    open.parts.push(document.json);
    open.lines.push(document.line);
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
