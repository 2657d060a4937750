/**
 * Tracks the memory of the isolate's bulks and decides whether another one fits.
 *
 * A bulk reserves its maximum (LIMITS.importBulkMemoryBytes) at its first bytes, so four have room. A fifth one waits
 * in line (objects/line.ts) before more of its body is read: clients that send eight bulks at once need not know how
 * many fit. Documents that precede their session need additional memory (LIMITS.importBufferBytes): if there is none,
 * their bulk is refused, because it cannot give up what it holds. A refusal is 429 with Retry-After: other isolates may
 * have room.
 *
 * After a second of waiting for its client (`awaitsClient`), a bulk counts with its held memory instead of its
 * maximum, so that slow clients do not block others. When it continues, it needs its maximum again, and is the first
 * in line if that does not fit.
 *
 *   (none)   -> reading              there is room and nobody waits
 *   (none)   -> waiting in line      otherwise
 *   reading  -> waiting for client   counts with what it holds after a second
 *   waiting  -> reading              there is room
 *   waiting  -> (none)               429 after LIMITS.bulkWaitMs
 *
 * If the client disconnects during its bulk, the request goes on for up to 30 seconds, in which its body ends and the
 * bulk is released (app.ts). After that the runtime drops it silently: no `finally` runs. So a bulk without reports for
 * a while is no longer counted. If it continues later, it is counted again.
 */
import { LIMITS, ServiceError } from "../interface/index.ts";
import { Line } from "../objects/index.ts";

const RESERVED_BYTES = LIMITS.importBulkMemoryBytes.value;
const MOST_BYTES = LIMITS.importMemoryBytes.value;

/** Longer than the pauses of a client that sends at full speed. */
const AWAITED_MS = 1_000;

/** Longer than finishing, storing and registering the last segment of a bulk takes. */
const LAPSES_AFTER_MS = 120_000;

const TOO_MANY = "Too many bulks are in progress; send this one again.";
const RETRY_AFTER_S = 2;
const line = new Line({
  waiting: "bulksWaiting",
  waitMs: "bulkWaitMs",
  tooMany: TOO_MANY,
  retryAfterS: RETRY_AFTER_S,
});

const bulks = new Set<BulkMemory>();
let peakBytes = 0;
let peakOfOneBytes = 0;

export class BulkMemory {
  #heldBytes = 0;
  #heardMs = Date.now();
  #awaitsClient = false;
  #isInLine = false;

  /** Waits for room. Throws 429 too_many_requests. */
  static async reserve(): Promise<BulkMemory> {
    const take = (): BulkMemory | null => BulkMemory.#take();
    return (line.isAwaited ? null : take()) ?? line.wait(take);
  }

  static #take(): BulkMemory | null {
    if (claimed() + RESERVED_BYTES > MOST_BYTES) return null;
    const bulk = new BulkMemory();
    bulks.add(bulk);
    return bulk;
  }

  /**
   * Reports held bytes; waits for room if the bulk has waited for its client. Returns whether others have run since the
   * last report. Throws 429 too_many_requests if there is no room for a while, or if the bytes exceed the reservation
   * and do not fit.
   */
  async hold(bytes: number): Promise<boolean> {
    const hasYielded = this.#hasYielded(Date.now());
    this.#heldBytes = bytes;
    this.#heardMs = Date.now();
    this.#awaitsClient = false;
    bulks.add(this);
    peakOfOneBytes = Math.max(peakOfOneBytes, bytes);
    let sum = 0;
    for (const { heldBytes } of bulks) sum += heldBytes;
    peakBytes = Math.max(peakBytes, sum);
    // Nobody in line holds more than this bulk, so it does not ask whether there is a line.
    const mustWait = hasYielded && claimed() > MOST_BYTES;
    if (mustWait) await this.#waitFirst();
    if (bytes > RESERVED_BYTES && claimed() > MOST_BYTES) throw tooMany();
    return mustWait;
  }

  async #waitFirst(): Promise<void> {
    this.#isInLine = true;
    try {
      await line.wait(() => {
        this.#heardMs = Date.now();
        this.#isInLine = false;
        if (claimed() <= MOST_BYTES) return this;
        this.#isInLine = true;
        return null;
      }, true);
    } finally {
      this.#isInLine = false;
    }
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
    return this.#isInLine || (this.#awaitsClient && nowMs - this.#heardMs > AWAITED_MS);
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
  return new ServiceError("too_many_requests", TOO_MANY, { retryAfterS: RETRY_AFTER_S });
}

/** Peaks since the isolate's start: of all bulks together, and of one bulk. */
export function importMemory(): { readonly peakBytes: number; readonly peakOfOneBytes: number } {
  return { peakBytes, peakOfOneBytes };
}
