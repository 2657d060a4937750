/**
 * The memory of request bodies that are read whole: everything except bulks. Anybody may begin a body of 1 MB and send
 * the rest slowly, a hundred times at once, and isolates have 128 MB.
 *
 *   body        claims its bytes as they arrive, until its request is answered
 *     no room   the slowest of those that arrive slowly loses its bytes, and is 429 when more of it arrives
 *     no slow   429 too_many_requests; one body alone always has room
 *
 * A request with a body goes on without its client (app.ts). After 30 seconds the runtime may drop it without telling,
 * so some claims are never released. If the body was still arriving, it soon counts as slow. If it was whole, its claim
 * lapses.
 */
import { LIMITS, ServiceError } from "../interface/index.ts";

const MOST_BYTES = LIMITS.waitingBodyBytes.value;
/** Bodies at or below this rate count as slow, once their first seconds are over. */
const FAST_BYTES_PER_MS = 256;
const SLOW_AFTER_MS = 2_000;
/** Longer than any request takes once its body is there. */
const LAPSES_AFTER_MS = 120_000;

const claims = new Set<BodyClaim>();
const byRequest = new WeakMap<Request, BodyClaim>();

export class BodyClaim {
  /** Null: whole, or lost. */
  #chunks: Uint8Array[] | null = [];
  #sizeBytes = 0;
  readonly #beganMs = Date.now();
  #wholeMs = Infinity;

  static of(request: Request): BodyClaim {
    const claim = new BodyClaim();
    byRequest.set(request, claim);
    return claim;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** Throws 429 too_many_requests. */
  add(chunk: Uint8Array): void {
    if (this.#chunks === null) throw tooMany();
    claims.add(this);
    makeRoom(chunk.length, this);
    this.#sizeBytes += chunk.length;
    this.#chunks.push(chunk);
  }

  /** The body; its bytes are claimed until `releaseBody`. Throws 429 too_many_requests. */
  whole(): Uint8Array {
    const chunks = this.#chunks;
    if (chunks === null) throw tooMany();
    this.#chunks = null;
    this.#wholeMs = Date.now();
    const [first] = chunks;
    if (chunks.length === 1 && first !== undefined) return first;
    const bytes = new Uint8Array(this.#sizeBytes);
    let offset = 0;
    for (const chunk of chunks) {
      bytes.set(chunk, offset);
      offset += chunk.length;
    }
    return bytes;
  }

  /** Bytes per millisecond, if it is still arriving and slow; else null. */
  slowness(nowMs: number): number | null {
    const ms = nowMs - this.#beganMs;
    const rate = this.#sizeBytes / ms;
    return this.#chunks === null || ms < SLOW_AFTER_MS || rate > FAST_BYTES_PER_MS ? null : rate;
  }

  hasLapsed(nowMs: number): boolean {
    return nowMs - this.#wholeMs > LAPSES_AFTER_MS;
  }

  drop(): void {
    claims.delete(this);
    this.#chunks = null;
    this.#sizeBytes = 0;
  }
}

/** Call when the request is answered. */
export function releaseBody(request: Request): void {
  byRequest.get(request)?.drop();
}

/** Bytes of bodies that this isolate holds. */
export function waitingBodyBytes(): number {
  const nowMs = Date.now();
  let bytes = 0;
  for (const claim of claims) {
    if (claim.hasLapsed(nowMs)) claim.drop();
    else bytes += claim.sizeBytes;
  }
  return bytes;
}

function makeRoom(bytes: number, own: BodyClaim): void {
  while (waitingBodyBytes() + bytes > MOST_BYTES) {
    const slowest = slowestBut(own);
    if (slowest === null) {
      if (claims.size === 1) return;
      own.drop();
      throw tooMany();
    }
    slowest.drop();
  }
}

function slowestBut(own: BodyClaim): BodyClaim | null {
  const nowMs = Date.now();
  let slowest: BodyClaim | null = null;
  let slowestRate = Infinity;
  for (const claim of claims) {
    const rate = claim === own ? null : claim.slowness(nowMs);
    if (rate === null || rate >= slowestRate) continue;
    slowest = claim;
    slowestRate = rate;
  }
  return slowest;
}

function tooMany(): ServiceError {
  return new ServiceError(
    "too_many_requests",
    `${MOST_BYTES} bytes of bodies are being received here; send this one again, faster or smaller.`,
    { details: { limit: "waitingBodyBytes", value: MOST_BYTES } },
  );
}
