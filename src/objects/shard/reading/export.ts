/**
 * Exports all documents of a shard as NDJSON, as a backup and as input for `npm run import`.
 *
 * The ids are those at the beginning. Each page has the documents as they are when it is read: changed documents are
 * exported changed, deleted ones are left out, new ones are not included. So a long export keeps no old sources. Pages
 * are made on demand, so a slow client takes no memory.
 */
import type { Reader } from "../../../index-engine/index/index.ts";
import { hasBit } from "../../../index-engine/base/index.ts";

const DOCUMENTS_PER_PAGE = 256;
const NEWLINE = Uint8Array.of(10);

export function* liveIds(reader: Reader): Generator<string, void, void> {
  for (const { segment, deleted } of reader.segments) {
    for (let row = 0; row < segment.productCount; row++) {
      if (deleted === null || !hasBit(deleted, row)) yield segment.ids.get(row);
    }
  }
}

/** @param read the current sources of these ids, without deleted ones */
export function ndjsonOf(
  ids: Iterator<string, void, void>,
  read: (ids: readonly string[]) => Promise<readonly Uint8Array[]>,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const page: string[] = [];
      while (page.length < DOCUMENTS_PER_PAGE) {
        const next = ids.next();
        if (next.done === true) break;
        page.push(next.value);
      }
      const sources = page.length === 0 ? [] : await read(page);
      for (const source of sources) {
        controller.enqueue(isOneLine(source) ? source : oneLine(source));
        controller.enqueue(NEWLINE);
      }
      if (page.length < DOCUMENTS_PER_PAGE) controller.close();
    },
  });
}

function isOneLine(source: Uint8Array): boolean {
  return !source.includes(10) && !source.includes(13);
}

/** JSON has line breaks only between tokens; in strings they are escaped. */
function oneLine(source: Uint8Array): Uint8Array {
  return source.map((byte) => (byte === 10 || byte === 13 ? 32 : byte));
}
