/**
 * The work of one search on one reader. A search runs without waiting, so until it ends nothing else of the isolate
 * does.
 *
 * Work is counted in steps: a posting, value or term that is looked at, some 10 ns each. Steps and not milliseconds,
 * because Cloudflare's clock stands still while code computes. What is done once a search, or kept from searches
 * before, counts roughly or not at all.
 *
 *   42 words, 126,824 products, facets      a few million steps
 *   LIMITS.searchSteps                      several times that: refused after 0.1 to 0.5 s (bench/budgets.ts)
 */
import { LIMITS, ServiceError } from "../../interface/index.ts";

class Work {
  #left = Infinity;

  /** Runs `body` within a budget of its own; inside another budget, within that one. */
  within<T>(body: () => T): T {
    if (this.#left !== Infinity) return body();
    this.#left = LIMITS.searchSteps.value;
    try {
      return body();
    } finally {
      this.#left = Infinity;
    }
  }

  /** Before the steps are done. Throws ServiceError `search_too_expensive` when the budget does not cover them. */
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
