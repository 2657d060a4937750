/**
 * The work budget of one search on one reader. A search runs synchronously, so nothing else in the
 * isolate runs until it ends.
 *
 * Work is counted in steps of about 10 ns: a visited posting, value or term. It is not measured in
 * time, because Cloudflare's clock does not advance while code computes. Work done once per search,
 * or cached from earlier searches, is counted roughly or not at all.
 *
 *   42 words, 126,824 products, facets      a few million steps
 *   LIMITS.searchSteps                      several times as many: 0.1 to 0.5 s (bench/budgets.ts)
 */
import { LIMITS, ServiceError } from "../../interface/index.ts";

class Work {
  #left = Infinity;

  /** Runs `body` with a new budget, or within the surrounding one. */
  within<T>(body: () => T): T {
    if (this.#left !== Infinity) return body();
    this.#left = LIMITS.searchSteps.value;
    try {
      return body();
    } finally {
      this.#left = Infinity;
    }
  }

  /**
   * Call before doing the steps. Throws ServiceError `search_too_expensive` if the budget does not
   * cover them.
   */
  readonly spend = (steps: number): void => {
    if (this.#left === Infinity) return;
    this.#left -= steps;
    if (this.#left >= 0) return;
    throw new ServiceError(
      "search_too_expensive",
      `The search takes more than ${LIMITS.searchSteps.value} steps; ask for fewer words, clauses or product sets.`,
      { details: { limit: "searchSteps" } },
    );
  };
}

export const work = new Work();
