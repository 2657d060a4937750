/**
 * What the regular expressions of a configuration may look at in one document, LIMITS.patternSteps. In a search it
 * is spent from that of the search as well: documents that are shown go through the processors again.
 */
import { LIMITS, type Pattern } from "../../interface/index.ts";
import { work } from "../base/index.ts";

/** A document takes more steps than it may. */
export class TooManySteps extends Error {}

class PatternSteps {
  #left = 0;

  /** Runs `body` on a document of its own. Throws TooManySteps. */
  within<T>(body: () => T): T {
    this.#left = LIMITS.patternSteps.value;
    return body();
  }

  readonly spend = (steps: number): void => {
    this.#left -= steps;
    if (this.#left < 0) throw new TooManySteps();
    work.spend(steps);
  };
}

export const patternSteps = new PatternSteps();

/** Whether a name has the pattern in it; `otherwise`, where that takes too many steps to know. */
export function isInName(pattern: Pattern, name: string, otherwise: boolean): boolean {
  try {
    return patternSteps.within(() => pattern.isIn(name, patternSteps.spend));
  } catch (error) {
    if (error instanceof TooManySteps) return otherwise;
    throw error;
  }
}
