/**
 * Works that somebody waits for.
 *
 * The end of a work is not always told: when the client goes away, the runtime drops the request, and no `finally`
 * runs. So each work counts for a limited time.
 */
/** So long after a work has ended another one is expected. */
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

  /** One is under way, or has ended not long ago. */
  isLately(nowMs: number): boolean {
    return this.isAny(nowMs) || nowMs - this.#endedMs < EXPECTED_FOR_MS;
  }
}
