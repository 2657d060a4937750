/**
 * A budget of steps that refills over time. Callers report their steps afterwards, so it may be overdrawn; then it is
 * used up until that many have come back.
 *
 * The clock may stand still during computation (production); it advances between requests.
 */
export class Allowance {
  readonly #most: number;
  readonly #perMs: number;
  #left: number;
  #countedMs = Date.now();

  /** @param perMs steps that come back each millisecond */
  constructor(most: number, perMs: number) {
    this.#most = most;
    this.#perMs = perMs;
    this.#left = most;
  }

  isUsedUp(): boolean {
    const nowMs = Date.now();
    const elapsedMs = Math.max(0, nowMs - this.#countedMs);
    this.#left = Math.min(this.#most, this.#left + elapsedMs * this.#perMs);
    this.#countedMs = nowMs;
    return this.#left <= 0;
  }

  take(steps: number): void {
    this.#left -= steps;
  }
}
