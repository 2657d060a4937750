/**
 * What the bulks of this isolate hold in memory, and whether there is room for another one.
 *
 * A bulk reserves what it may need (LIMITS.importBulkMemoryBytes) when it begins; a fifth one is refused. Documents
 * that come before their session are kept beyond that (LIMITS.importBufferBytes): where there is no room for them,
 * their bulk is refused. A refusal is 429 with Retry-After: other isolates may have room, and bulks take seconds.
 *
 * Where the client goes away in the middle of its bulk, the runtime may drop the request without a word: no `finally`
 * runs, and nobody releases. So what has not said for a while what it holds is not counted any more. Should it go on
 * after all, it is counted again.
 */
import { LIMITS, ServiceError } from "../interface/index.ts";

const RESERVED_BYTES = LIMITS.importBulkMemoryBytes.value;
const MOST_BYTES = LIMITS.importMemoryBytes.value;

/** Longer than closing, sending and registering the last segment of a bulk takes. */
const LAPSES_AFTER_MS = 120_000;

const bulks = new Set<BulkMemory>();
let peakBytes = 0;
let peakOfOneBytes = 0;

export class BulkMemory {
  #heldBytes = 0;
  #heardMs = Date.now();

  /** Throws 429 too_many_requests. */
  static reserve(): BulkMemory {
    const bulk = new BulkMemory();
    if (claimed() + RESERVED_BYTES > MOST_BYTES) throw tooMany();
    bulks.add(bulk);
    return bulk;
  }

  /** What it holds now. Throws 429 too_many_requests where that is more than it has reserved and there is no room. */
  hold(bytes: number): void {
    this.#heldBytes = bytes;
    this.#heardMs = Date.now();
    bulks.add(this);
    peakOfOneBytes = Math.max(peakOfOneBytes, bytes);
    let sum = 0;
    for (const { heldBytes } of bulks) sum += heldBytes;
    peakBytes = Math.max(peakBytes, sum);
    if (bytes > RESERVED_BYTES && claimed() > MOST_BYTES) throw tooMany();
  }

  release(): void {
    bulks.delete(this);
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  hasLapsed(nowMs: number): boolean {
    return nowMs - this.#heardMs > LAPSES_AFTER_MS;
  }
}

function claimed(): number {
  const nowMs = Date.now();
  let bytes = 0;
  for (const bulk of bulks) {
    if (bulk.hasLapsed(nowMs)) bulks.delete(bulk);
    else bytes += Math.max(bulk.heldBytes, RESERVED_BYTES);
  }
  return bytes;
}

function tooMany(): ServiceError {
  return new ServiceError(
    "too_many_requests",
    "There are as many bulks under way here as memory allows; send this one again.",
    { retryAfterS: 2 },
  );
}

/** Since the isolate's start: the most that all bulks together, and that one bulk, have held. */
export function importMemory(): { readonly peakBytes: number; readonly peakOfOneBytes: number } {
  return { peakBytes, peakOfOneBytes };
}
