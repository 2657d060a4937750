/**
 * Tests whether a difference between two searches is significant. The paired bootstrap over queries
 * (Sakai 2006; Efron and Tibshirani 1993): draw as many queries as there are, with replacement, and
 * take the mean difference. The interval holds the middle 95% of many such means. If it contains 0,
 * other queries could have turned the result around.
 */
import { mulberry32 } from "../../test/support/mulberry32.ts";
import { mean } from "./metrics.ts";

const RESAMPLES = 10_000;
const SEED = 20_261_123;
/** Outside the interval, on either side. */
const TAIL = 0.025;

/** `own` minus `other`, in the unit of the values. */
export interface Difference {
  readonly mean: number;
  /** Ends of the 95% interval. */
  readonly low: number;
  readonly high: number;
}

/** @param own values by query; `other` holds the values of the same queries in the same order */
export function pairedDifference(own: readonly number[], other: readonly number[]): Difference {
  if (own.length !== other.length) throw new RangeError(`${own.length} values cannot be paired with ${other.length}`);
  const differences = own.map((value, at) => value - other[at]);
  const count = differences.length;
  if (count === 0) return { mean: NaN, low: NaN, high: NaN };
  const random = mulberry32(SEED);
  const means = new Float64Array(RESAMPLES);
  for (let resample = 0; resample < RESAMPLES; resample++) {
    let sum = 0;
    for (let draw = 0; draw < count; draw++) sum += differences[Math.floor(random() * count)];
    means[resample] = sum / count;
  }
  means.sort();
  return {
    mean: mean(differences),
    low: means[Math.floor(TAIL * RESAMPLES)],
    high: means[Math.ceil((1 - TAIL) * RESAMPLES) - 1],
  };
}
