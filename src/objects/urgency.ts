/**
 * What somebody waits for at a moment, and until when it counts.
 *
 * The end of a work is not always told: where the client goes away, the runtime drops the request, and no `finally`
 * runs. So each counts for two seconds at most.
 */
const COUNTS_FOR_MS = 2_000;
/** So long after a work has ended another one is expected. */
const EXPECTED_FOR_MS = 1_000;

interface Work {
  readonly sinceMs: number;
}

export class Urgency {
  readonly #works = new Set<Work>();
  #endedMs = -Infinity;

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
      if (nowMs - work.sinceMs < COUNTS_FOR_MS) return true;
      this.#works.delete(work);
    }
    return false;
  }

  /** One is under way, or has ended not long ago. */
  isLately(nowMs: number): boolean {
    return this.isAny(nowMs) || nowMs - this.#endedMs < EXPECTED_FOR_MS;
  }
}
