/**
 * The work budget of one search on one reader, and the parts in which it runs.
 *
 * Work is counted in steps of about 10 ns: a visited posting, value or term. It is not measured in time, because
 * Cloudflare's clock does not advance while code computes. Work done once per search, or cached from earlier searches,
 * is counted roughly or not at all.
 *
 *   an ordinary search                      thousands of steps
 *   42 words, 126,824 products, facets      a few million
 *   LIMITS.searchSteps                      several times as many: 0.1 to 0.5 s (bench/budgets.ts)
 *
 * Nothing else in the isolate runs during a part. A search is a generator, which yields between parts: between
 * segments, sets and fields. `inParts` passes on a yield once TURN_STEPS have been spent, so an ordinary search is not
 * interrupted, and an expensive one lets others run:
 *
 *   parts of the search      300  400  500  200  700  100      thousands of steps
 *   yields                                |         |          after 1,200 and 900
 *
 * A part must not leave anything in memory that searches share (scratch memory, tables by row).
 *
 * Parts may be large. While many searches come at once, `mostFirst` ends a search within a part, so that it takes no
 * more than a cheap one before it waits for its turn (objects/expensive-searches.ts). It begins again then.
 */
import { LIMITS, ServiceError } from "../../interface/index.ts";

/** About 10 ms. */
export const TURN_STEPS = 1_000_000;

/** Thrown to a search that takes more than `mostFirst` steps; it may begin again. */
export class MustBeginAgain extends Error {}

export interface FirstRun {
  /** The first yield comes after so many steps. */
  readonly steps: number;
  /** The search must not take more steps before its first yield; default Infinity. */
  readonly mostFirst?: number;
}

/** A computation that yields between parts. */
export type Parts<T> = Generator<void, T, void>;

/** What several computations may take together, such as the hits of a page. */
export interface Budget {
  readonly limit: "searchSteps" | "highlightSteps";
  left: number;
  /** Steps since the last yield. */
  sinceTurn: number;
}

export function budgetOf(limit: Budget["limit"]): Budget {
  return { limit, left: LIMITS[limit].value, sinceTurn: 0 };
}

class Work {
  #left = Infinity;
  /** The limit of what is left. */
  #limit: Budget["limit"] | "searchPartSteps" | "mostFirst" = "searchPartSteps";
  #spent = 0;
  /** Steps of the current part that do not count for the limits. */
  #onCached = 0;

  /** Steps of all parts so far. */
  get spent(): number {
    return this.#spent;
  }

  /** Runs `body` as one part, or within the surrounding one. */
  within<T>(body: () => T): T {
    if (this.#left !== Infinity) return body();
    this.#limit = "searchPartSteps";
    this.#left = LIMITS.searchPartSteps.value;
    try {
      return body();
    } finally {
      this.#left = Infinity;
    }
  }

  /** Runs all parts under one budget. Yields when others should run. Throws MustBeginAgain. */
  *inParts<T>(
    body: Parts<T>,
    { steps, mostFirst = Infinity }: FirstRun = { steps: TURN_STEPS },
    budget: Budget = budgetOf("searchSteps"),
  ): Parts<T> {
    let leftFirst = mostFirst;
    budget.sinceTurn += TURN_STEPS - steps;
    for (;;) {
      const most = Math.min(budget.left, LIMITS.searchPartSteps.value, leftFirst);
      this.#limit = most === leftFirst ? "mostFirst" : most === budget.left ? budget.limit : "searchPartSteps";
      this.#left = most;
      this.#onCached = 0;
      let spent = 0;
      let spentWithCached = 0;
      let step;
      try {
        step = body.next();
      } finally {
        spent = most - this.#left;
        this.#left = Infinity;
        spentWithCached = spent + this.#onCached;
        this.#spent += spentWithCached;
        budget.left -= spent;
        budget.sinceTurn += spentWithCached;
      }
      if (step.done === true) return step.value;
      leftFirst -= spentWithCached;
      if (leftFirst < 0) throw new MustBeginAgain();
      if (budget.sinceTurn < TURN_STEPS) continue;
      budget.sinceTurn = 0;
      leftFirst = Infinity;
      yield;
    }
  }

  /** Call before doing the steps. Throws ServiceError `search_too_expensive`, or MustBeginAgain. */
  readonly spend = (steps: number): void => {
    if (this.#left === Infinity) return;
    this.#left -= steps;
    if (this.#left >= 0) return;
    if (this.#limit === "mostFirst") throw new MustBeginAgain();
    const message =
      this.#limit === "highlightSteps"
        ? "Highlighting takes too many steps (highlightSteps); ask for fewer hits, or highlight fewer fields."
        : `The search takes too many steps (${this.#limit}); ask for fewer words, clauses or product sets.`;
    const details = { limit: this.#limit, value: LIMITS[this.#limit].value };
    throw new ServiceError("search_too_expensive", message, { details });
  };

  /**
   * Runs a small part of what is done once and cached for all later searches. Others run in between, but the search
   * that happens to do it is not refused: what `body` spends does not count for the limits, and is never too much.
   * @param steps those that `body` does not spend itself
   */
  onCached<T>(steps: number, body: () => T): T {
    const left = this.#left;
    this.#left = Number.MAX_SAFE_INTEGER;
    try {
      return body();
    } finally {
      this.#onCached += steps + Number.MAX_SAFE_INTEGER - this.#left;
      this.#left = left;
    }
  }
}

export const work = new Work();
