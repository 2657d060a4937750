/**
 * The memory of answers that wait for their clients. Anybody may ask for 16 MB and then not read it, and isolates have
 * 128 MB.
 *
 *   small answer                 sent as it is
 *   large one                    claims its bytes, and is sent piece by piece as its client reads
 *     no room among the claims   429 too_many_requests; one answer alone always has room
 *     nobody reads for a while   the connection is aborted
 *     read, aborted, closed      its claim ends
 */
import { LIMITS, ServiceError } from "../interface/index.ts";
import { Claims } from "../objects/index.ts";

/** Answers up to this size fit into the buffers of their connections. */
const SMALL_BYTES = 262_144;
const PIECE_BYTES = 65_536;
const MOST_BYTES = LIMITS.waitingAnswerBytes.value;
const STALL_MS = LIMITS.answerStallMs.value;

/** Bytes; seen when their client reads. */
const claims = new Claims(2 * STALL_MS);

/** Bytes of large answers that are being sent by this isolate. */
export function waitingAnswerBytes(): number {
  return claims.size;
}

/** The body of an answer. Throws 429 too_many_requests. */
export function answerBody(json: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> {
  const sizeBytes = json.length;
  if (sizeBytes <= SMALL_BYTES) return json;
  const waiting = claims.size;
  if (waiting > 0 && waiting + sizeBytes > MOST_BYTES) throw tooMany();
  const claim = claims.begin(sizeBytes);
  let at = 0;
  let timer: ReturnType<typeof setTimeout> | null = null;
  const end = (): void => {
    clearTimeout(timer);
    claims.end(claim);
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const watch = (): void => {
          const leftMs = claim.seenMs + STALL_MS - Date.now();
          if (leftMs > 0) {
            timer = setTimeout(watch, leftMs);
            return;
          }
          end();
          controller.error(new Error("the client does not read its answer"));
        };
        timer = setTimeout(watch, STALL_MS);
      },
      pull(controller) {
        claim.seenMs = Date.now();
        controller.enqueue(json.subarray(at, at + PIECE_BYTES));
        at += PIECE_BYTES;
        if (at < sizeBytes) return;
        end();
        controller.close();
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}

function tooMany(): ServiceError {
  return new ServiceError(
    "too_many_requests",
    `${MOST_BYTES} bytes of answers wait for their clients here; ask again, or for a smaller page.`,
    { details: { limit: "waitingAnswerBytes", value: MOST_BYTES } },
  );
}
