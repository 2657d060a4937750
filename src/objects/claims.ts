/**
 * What works of an isolate hold, such as bytes of memory or a turn.
 *
 * The runtime may drop a request silently, and an object may die, so that nothing ends its claim: claims without a sign
 * of life lapse.
 */
export interface Claim {
  readonly size: number;
  /** Time of its last sign of life. */
  seenMs: number;
}

export class Claims {
  readonly #lapseAfterMs: number;
  readonly #claims = new Set<Claim>();

  constructor(lapseAfterMs: number) {
    this.#lapseAfterMs = lapseAfterMs;
  }

  /** Of all claims together. */
  get size(): number {
    const lapsedMs = Date.now() - this.#lapseAfterMs;
    let size = 0;
    for (const claim of this.#claims) {
      if (claim.seenMs < lapsedMs) this.#claims.delete(claim);
      else size += claim.size;
    }
    return size;
  }

  begin(size = 1): Claim {
    const claim = { size, seenMs: Date.now() };
    this.#claims.add(claim);
    return claim;
  }

  end(claim: Claim): void {
    this.#claims.delete(claim);
  }
}
