/**
 * Every document of a shard as NDJSON: a backup, and what `npm run import` takes.
 *
 * Which ids there are is decided once, at the beginning; each page is read as the documents are when its turn comes,
 * so a long export holds no sources back: what was changed meanwhile is exported changed, what was deleted is left
 * out, what came is not in it. A page is made when the reader asks for it, so a slow reader costs no memory.
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

/** `read`: the sources of these ids as they are now, those that are gone left out. */
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

/** Line breaks of JSON are between its tokens only: inside strings they are escaped. */
function oneLine(source: Uint8Array): Uint8Array {
  return source.map((byte) => (byte === 10 || byte === 13 ? 32 : byte));
}
