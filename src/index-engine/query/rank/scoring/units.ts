/**
 * Final scores as integers with the same order (invariant I4), within the range of query/rank/relevance.ts.
 *
 *   up to 5,000     units = round(10,000 * score)
 *                   in steps of 0.0001
 *   above           units = 50,000,000 * (1 + ln(score / 5,000) / ln(1e18 / 5,000))
 *                   in steps of less than a millionth of the score
 *
 * Ordinary scores are below 100. The upper half is for functions of counts without a modifier (`sold`: 250,000). With
 * a cap, such products would all be equal.
 */
import { MAX_SCORE } from "../relevance.ts";

/** Units of a score of 1. */
const UNITS = 10_000;
const LINEAR_UNITS = MAX_SCORE / 2;
const LINEAR = LINEAR_UNITS / UNITS;
const LARGEST = 1e18;
const LOG_RANGE = Math.log(LARGEST / LINEAR);

/** 0 for negative values and NaN. */
export function unitsOf(score: number): number {
  if (!(score > 0)) return 0;
  if (score <= LINEAR) return Math.round(score * UNITS);
  if (score >= LARGEST) return MAX_SCORE;
  return Math.round(LINEAR_UNITS * (1 + Math.log(score / LINEAR) / LOG_RANGE));
}

/** The score of `units` in readable form, exact to the step. */
export function valueOfUnits(units: number): number {
  if (units <= LINEAR_UNITS) return units / UNITS;
  return LINEAR * Math.exp((units / LINEAR_UNITS - 1) * LOG_RANGE);
}
