/**
 * The step budget of a configuration's regular expressions in one document, LIMITS.patternSteps. A
 * search also spends from its own budget, because shown documents go through the processors again.
 */
import { LIMITS, type Pattern } from "../../interface/index.ts";
import { work } from "../base/index.ts";

/** A document exceeded its step budget. */
export class TooManySteps extends Error {}

class PatternSteps {
  #left = 0;

  /** Runs `body` with the budget of one document. Throws TooManySteps. */
  within<T>(body: () => T): T {
    this.#left = LIMITS.patternSteps.value;
    return body();
  }

  /** Steps of the last `within`. */
  get spent(): number {
    return LIMITS.patternSteps.value - this.#left;
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
  try {
    return pattern.isIn(name, patternSteps.spend);
  } catch (error) {
    if (error instanceof TooManySteps) return otherwise;
    throw error;
  }
}
