/**
 * The step budget of a configuration's regular expressions in one document, LIMITS.patternSteps. A
 * search also spends from its own budget, because shown documents go through the processors again.
 */
import { LIMITS, type Pattern } from "../../interface/index.ts";
import { work } from "../base/index.ts";

/** A document exceeded its step budget. */
export class TooManySteps extends Error {}

class PatternSteps {
  #budget = 0;
  #left = 0;

  /** Runs `body` with the budget of one document, or what is left of it. Throws TooManySteps. */
  within<T>(body: () => T, budget: number = LIMITS.patternSteps.value): T {
    this.#budget = budget;
    this.#left = budget;
    return body();
  }

  /** Steps of the last `within`. */
  get spent(): number {
    return this.#budget - this.#left;
  }

  /** Whether the last `within` has exceeded its budget: each further `spend` throws. */
  get isExceeded(): boolean {
    return this.#left < 0;
  }

  readonly spend = (steps: number): void => {
    this.#left -= steps;
    if (this.#left < 0) throw new TooManySteps();
    work.spend(steps);
  };
}

export const patternSteps = new PatternSteps();

/** Whether the pattern is found in a name; `otherwise` if the steps of `within` do not suffice. */
export function isInName(pattern: Pattern, name: string, otherwise: boolean): boolean {
  // A match spends only after thousands of steps, which 3,000 more patterns would each take in vain.
  if (patternSteps.isExceeded) return otherwise;
  try {
    return pattern.isIn(name, patternSteps.spend);
  } catch (error) {
    if (error instanceof TooManySteps) return otherwise;
    throw error;
  }
}
