/**
 * Pages of more than LARGE_PAGE hits are made two at a time in an isolate, in the order of their arrival: making one takes
 * up to a second with pauses for others, and holds its hits, up to 16 MB, until the end. Sixty at once would hold a
 * gigabyte.
 *
 *   (none)   -> making     fewer than LIMITS.largePagesAtOnce are being made and nobody waits
 *   (none)   -> waiting    429 too_many_requests where LIMITS.largePagesWaiting wait
 *   waiting  -> making     the first that waits, when one has ended or lapsed
 *
 * Nobody awaits promises of other requests, which may be gone: who waits looks again, and who has not been seen for a
 * while is forgotten.
 */
import { LIMITS, ServiceError } from "../interface/index.ts";

export const LARGE_PAGE = 100;

const MOST_AT_ONCE = LIMITS.largePagesAtOnce.value;
const MOST_WAITING = LIMITS.largePagesWaiting.value;
const LOOK_AGAIN_MS = 20;
/** A page pauses every few milliseconds; reading a chunk from R2 may take longer. */
const LAPSES_AFTER_MS = 10_000;
const FORGOTTEN_AFTER_MS = 2_000;

interface Page {
  seenMs: number;
}

const making = new Set<Page>();
let waiting: Page[] = [];

/** @param limit hits that are asked for at most. Throws 429 too_many_requests. */
export async function inTurn<T>(limit: number, make: () => Promise<T>): Promise<T> {
  if (limit <= LARGE_PAGE) return make();
  const page: Page = { seenMs: Date.now() };
  forget(page.seenMs);
  if (waiting.length > 0 || making.size >= MOST_AT_ONCE) {
    if (waiting.length >= MOST_WAITING) throw tooMany();
    waiting.push(page);
    while (waiting[0] !== page || making.size >= MOST_AT_ONCE) {
      await scheduler.wait(LOOK_AGAIN_MS);
      page.seenMs = Date.now();
      if (!waiting.includes(page)) waiting.push(page);
      forget(page.seenMs);
    }
    waiting.shift();
  }
  making.add(page);
  try {
    return await make();
  } finally {
    making.delete(page);
  }
}

function forget(nowMs: number): void {
  for (const page of making) if (page.seenMs < nowMs - LAPSES_AFTER_MS) making.delete(page);
  waiting = waiting.filter(({ seenMs }) => seenMs >= nowMs - FORGOTTEN_AFTER_MS);
}

function tooMany(): ServiceError {
  return new ServiceError(
    "too_many_requests",
    `Too many pages of more than ${LARGE_PAGE} hits are being made; ask again, or for a smaller page.`,
    { details: { limit: "largePagesWaiting", value: MOST_WAITING } },
  );
}
