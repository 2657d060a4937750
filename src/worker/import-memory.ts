/**
 * Tracks the memory of the isolate's bulks and decides whether another one fits.
 *
 * A bulk reserves its maximum (LIMITS.importBulkMemoryBytes) at its start; a fifth one is refused. Documents
 * that precede their session need additional memory (LIMITS.importBufferBytes): if there is none,
 * their bulk is refused. A refusal is 429 with Retry-After: other isolates may have room, and bulks take seconds.
 *
 * After a second of waiting for its client (`awaitsClient`), a bulk counts with its held memory instead of its
 * maximum, so that slow clients do not block others. When it continues, it needs its maximum again and is
 * refused if that does not fit.
 *
 * If the client disconnects during its bulk, the request goes on for up to 30 seconds, in which its body ends and the
 * bulk is released (app.ts). After that the runtime drops it silently: no `finally` runs. So a bulk without reports for
 * a while is no longer counted. If it continues later, it is counted again.
 */
import { LIMITS, ServiceError } from "../interface/index.ts";

const RESERVED_BYTES = LIMITS.importBulkMemoryBytes.value;
const MOST_BYTES = LIMITS.importMemoryBytes.value;

/** Longer than the pauses of a client that sends at full speed. */
const AWAITED_MS = 1_000;

/** Longer than finishing, storing and registering the last segment of a bulk takes. */
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

  /** Reports held bytes. Throws 429 too_many_requests if they exceed the reservation and do not fit. */
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

  /** Reports held bytes while waiting for more of the body, until `hold`. */
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
  return new ServiceError("too_many_requests", "Too many bulks are in progress; send this one again.", {
    retryAfterS: 2,
  });
}

/** Peaks since the isolate's start: of all bulks together, and of one bulk. */
export function importMemory(): { readonly peakBytes: number; readonly peakOfOneBytes: number } {
  return { peakBytes, peakOfOneBytes };
}
