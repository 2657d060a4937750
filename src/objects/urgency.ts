/**
 * Tracks work that a client is waiting for.
 *
 * If the client disconnects, the runtime may drop the request without running any `finally`, so the
 * end of the work is not reported. Each work therefore counts for a limited time only.
 */
/** Another work is expected within this time after the end of one. */
const EXPECTED_FOR_MS = 1_000;

interface Work {
  readonly sinceMs: number;
}

export class Urgency {
  readonly #countsForMs: number;
  readonly #works = new Set<Work>();
  #endedMs = -Infinity;

  constructor(countsForMs: number) {
    this.#countsForMs = countsForMs;
  }

  begin(nowMs: number): Work {
    const work = { sinceMs: nowMs };
    this.#works.add(work);
    return work;
  }

  end(work: Work, nowMs: number): void {
    this.#works.delete(work);
    this.#endedMs = nowMs;
  }

  isAny(nowMs: number): boolean {
    for (const work of this.#works) {
      if (nowMs - work.sinceMs < this.#countsForMs) return true;
      this.#works.delete(work);
    }
    return false;
  }

  /** One is in progress or has ended recently. */
  isLately(nowMs: number): boolean {
    return this.isAny(nowMs) || nowMs - this.#endedMs < EXPECTED_FOR_MS;
  }
}
