/**
 * Sends an export as its client reads it. A client that does not read holds the request, and in each shard the segments
 * that were live when its part began. So there is a time for which it may let us wait, which reading earns back:
 *
 *   client        pauses 50 s       reads 64 KB       pauses 12 s       reads 64 KB
 *   left    60 s  ----------  10 s  ----------  14 s  ----------  2 s  ----------  6 s
 *
 * `exportStallMs` is left at the beginning, and at most. At `exportBytesPerSecond` 64 KB earn 4 s.
 *
 *   no room among the exports   429 too_many_requests
 *   no time is left             the connection is aborted
 *   read, aborted, closed       the next one has room
 */
import { LIMITS, ServiceError } from "../interface/index.ts";
import { Claims } from "../objects/index.ts";
import { chunkReader } from "./body.ts";

const MOST = LIMITS.exportsAtOnce.value;
const STALL_MS = LIMITS.exportStallMs.value;
const BYTES_PER_MS = LIMITS.exportBytesPerSecond.value / 1_000;

/** Seen when their client reads. */
const exports = new Claims(2 * STALL_MS);

/** Exports that are being sent by this isolate. */
export function runningExports(): number {
  return exports.size;
}

/**
 * @param first the documents of the first shard, which is cancelled if nobody reads it
 * @param others those of the other shards; a part that fails ends the connection, so that what was sent does not look
 *   complete
 * @returns the body; throws 429 too_many_requests
 */
export function exportStream(
  first: ReadableStream<Uint8Array>,
  others: AsyncIterable<ReadableStream<Uint8Array>>,
): ReadableStream<Uint8Array> {
  if (exports.size >= MOST) {
    first.cancel().catch(() => undefined);
    throw tooMany();
  }
  const one = exports.begin();
  const chunks = chunksOf(first, others);
  let isBegun = false;
  let leftMs: number = STALL_MS;
  let timer: ReturnType<typeof setTimeout> | null = null;
  const end = (): void => {
    clearTimeout(timer);
    exports.end(one);
  };
  const drop = (): void => {
    end();
    // A generator that has not begun runs no `finally`. Not awaited: a shard that is gone does not answer.
    (isBegun ? chunks.return() : first.cancel()).catch(() => undefined);
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        clearTimeout(timer);
        const nowMs = Date.now();
        // A timer may be late.
        if (isBegun) leftMs = Math.max(0, leftMs - (nowMs - one.seenMs));
        isBegun = true;
        one.seenMs = nowMs;
        try {
          const { done, value } = await chunks.next();
          one.seenMs = Date.now();
          if (done === true) {
            end();
            controller.close();
            return;
          }
          leftMs = Math.min(STALL_MS, leftMs + value.length / BYTES_PER_MS);
          controller.enqueue(value);
        } catch (error) {
          end();
          throw error;
        }
        timer = setTimeout(() => {
          drop();
          controller.error(new Error("the client reads its export too slowly"));
        }, leftMs);
      },
      cancel: drop,
    },
    { highWaterMark: 0 },
  );
}

async function* chunksOf(
  first: ReadableStream<Uint8Array>,
  others: AsyncIterable<ReadableStream<Uint8Array>>,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield* chunksOfPart(first);
  for await (const part of others) yield* chunksOfPart(part);
}

async function* chunksOfPart(part: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = chunkReader(part);
  let isOver = false;
  try {
    while (!isOver) {
      const { done, value } = await reader.read();
      isOver = done;
      if (value !== undefined && value.length > 0) yield value;
    }
  } finally {
    if (!isOver) await reader.cancel();
  }
}

function tooMany(): ServiceError {
  return new ServiceError("too_many_requests", `${MOST} exports are being read here; ask again later.`, {
    details: { limit: "exportsAtOnce", value: MOST },
  });
}
