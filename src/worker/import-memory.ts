/**
 * What the bulks of this isolate hold in memory, and whether there is room for another one.
 *
 * A bulk reserves what it may need (LIMITS.importBulkMemoryBytes) when it begins; a fifth one is refused. Documents
 * that come before their session are kept beyond that (LIMITS.importBufferBytes): where there is no room for them,
 * their bulk is refused. A refusal is 429 with Retry-After: other isolates may have room, and bulks take seconds.
 *
 * A bulk that waits for its client (`awaitsClient`) counts with what it holds after a second, not with what it may
 * need: clients that stall or trickle take no room from others. When it goes on it needs its room again, and is
 * refused where there is none.
 *
 * Where the client goes away in the middle of its bulk, the runtime may drop the request without a word: no `finally`
 * runs, and nobody releases. So what has not said for a while what it holds is not counted any more. Should it go on
 * after all, it is counted again.
 */
import { LIMITS, ServiceError } from "../interface/index.ts";

const RESERVED_BYTES = LIMITS.importBulkMemoryBytes.value;
const MOST_BYTES = LIMITS.importMemoryBytes.value;

/** A client that sends as fast as it can is waited for less long. */
const AWAITED_MS = 1_000;

/** Longer than closing, sending and registering the last segment of a bulk takes. */
const LAPSES_AFTER_MS = 120_000;

const bulks = new Set<BulkMemory>();
let peakBytes = 0;
let peakOfOneBytes = 0;

export class BulkMemory {
  #heldBytes = 0;
  #heardMs = Date.now();
  #awaitsClient = false;

  /** Throws 429 too_many_requests. */
  static reserve(): BulkMemory {
    const bulk = new BulkMemory();
    if (claimed() + RESERVED_BYTES > MOST_BYTES) throw tooMany();
    bulks.add(bulk);
    return bulk;
  }

  /** What it holds now. Throws 429 too_many_requests where that is more than it has reserved and there is no room. */
  hold(bytes: number): void {
    const hasYielded = this.#hasYielded(Date.now());
    this.#heldBytes = bytes;
    this.#heardMs = Date.now();
    this.#awaitsClient = false;
    bulks.add(this);
    peakOfOneBytes = Math.max(peakOfOneBytes, bytes);
    let sum = 0;
    for (const { heldBytes } of bulks) sum += heldBytes;
    peakBytes = Math.max(peakBytes, sum);
    if ((bytes > RESERVED_BYTES || hasYielded) && claimed() > MOST_BYTES) throw tooMany();
  }

  /** What it holds while it waits for more of its body; `hold` ends that. */
  awaitsClient(bytes: number): void {
    this.#heldBytes = bytes;
    this.#heardMs = Date.now();
    this.#awaitsClient = true;
  }

  release(): void {
    bulks.delete(this);
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  claimedBytes(nowMs: number): number {
    return this.#hasYielded(nowMs) ? this.#heldBytes : Math.max(this.#heldBytes, RESERVED_BYTES);
  }

  #hasYielded(nowMs: number): boolean {
    return this.#awaitsClient && nowMs - this.#heardMs > AWAITED_MS;
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
    else bytes += bulk.claimedBytes(nowMs);
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
