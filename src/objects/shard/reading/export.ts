/**
 * Exports all documents of a shard as NDJSON, as a backup and as input for `npm run import`.
 *
 * The ids are those at the beginning. Each page has the documents as they are when it is read: changed documents are
 * exported changed, deleted ones are left out, new ones are not included. So a long export keeps no old sources. Pages
 * are made on demand, so a slow client takes no memory except the ids. A page ends after so many documents or bytes.
 */
import type { Reader } from "../../../index-engine/index/index.ts";
import { hasBit } from "../../../index-engine/base/index.ts";

const DOCUMENTS_PER_PAGE = 256;
export const PAGE_BYTES = 1_048_576;
const NEWLINE = 10;

export function* liveIds(reader: Reader): Generator<string, void, void> {
  for (const { segment, deleted } of reader.segments) {
    for (let row = 0; row < segment.productCount; row++) {
      if (deleted === null || !hasBit(deleted, row)) yield segment.ids.get(row);
    }
  }
}

/** The current sources of the first `count` ids, without deleted ones. */
export interface Page {
  readonly sources: readonly Uint8Array[];
  readonly count: number;
}

/** @param read at least one of these ids, until the sources have PAGE_BYTES */
export function ndjsonOf(
  ids: Iterator<string, void, void>,
  read: (ids: readonly string[]) => Promise<Page>,
): ReadableStream<Uint8Array> {
  const asked: string[] = [];
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        // A pull that enqueues nothing is not repeated.
        for (;;) {
          while (asked.length < DOCUMENTS_PER_PAGE) {
            const next = ids.next();
            if (next.done === true) break;
            asked.push(next.value);
          }
          if (asked.length === 0) {
            controller.close();
            return;
          }
          const { sources, count } = await read(asked);
          asked.splice(0, count);
          if (sources.length === 0) continue;
          controller.enqueue(linesOf(sources));
          return;
        }
      },
    },
    { highWaterMark: 0 },
  );
}

function linesOf(sources: readonly Uint8Array[]): Uint8Array {
  const lines = new Uint8Array(sources.reduce((sum, { byteLength }) => sum + byteLength + 1, 0));
  let at = 0;
  for (const source of sources) {
    lines.set(isOneLine(source) ? source : oneLine(source), at);
    at += source.byteLength;
    lines[at++] = NEWLINE;
  }
  return lines;
}

function isOneLine(source: Uint8Array): boolean {
  return !source.includes(10) && !source.includes(13);
}

/** JSON has line breaks only between tokens; in strings they are escaped. */
function oneLine(source: Uint8Array): Uint8Array {
  return source.map((byte) => (byte === 10 || byte === 13 ? 32 : byte));
}
