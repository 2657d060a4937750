/** Combines arrays of values by score-mode and boost-mode (plan.ts). */
import type { ScoringPlan } from "./plan.ts";
import { featureValues, functionValues, type Subjects } from "./values.ts";

/** Base scores: adds features to `text`, in their order. Changes and returns `text`. */
export function addFeatures(plan: ScoringPlan, text: Float64Array, subjects: Subjects): Float64Array {
  for (const feature of plan.features) {
    const values = featureValues(feature, subjects);
    for (let i = 0; i < subjects.count; i++) text[i] += values[i];
  }
  return text;
}

/**
 * Final scores of all subjects; `subjects.base` without functions. `variants`: only uses functions that rank variants.
 */
export function combine(plan: ScoringPlan, subjects: Subjects, variants: boolean): Float64Array {
  const { base, count } = subjects;
  const functions = variants ? plan.functions.filter((each) => each.variants) : plan.functions;
  if (functions.length === 0) return base;
  const mode = plan.scoreMode;
  const [first, ...rest] = functions;
  const combined = functionValues(first.body, subjects);
  for (let i = 0; i < count; i++) combined[i] *= first.weight;
  let weights = first.weight;
  if (mode !== "first") {
    for (const { body, weight } of rest) {
      const values = functionValues(body, subjects);
      const joined = JOINED[mode === "avg" ? "sum" : mode];
      weights += weight;
      for (let i = 0; i < count; i++) combined[i] = joined(combined[i], values[i] * weight);
    }
  }
  if (mode === "avg") {
    for (let i = 0; i < count; i++) combined[i] = weights > 0 ? combined[i] / weights : 0;
  }
  const boosted = BOOSTED[plan.boostMode];
  for (let i = 0; i < count; i++) combined[i] = boosted(base[i], combined[i]);
  return combined;
}

const JOINED: Readonly<Record<"multiply" | "sum" | "max" | "min", (a: number, b: number) => number>> = {
  multiply: (a, b) => a * b,
  sum: (a, b) => a + b,
  max: (a, b) => Math.max(a, b),
  min: (a, b) => Math.min(a, b),
};
const BOOSTED: Readonly<Record<ScoringPlan["boostMode"], (base: number, combined: number) => number>> = {
  ...JOINED,
  avg: (base, combined) => (base + combined) / 2,
  replace: (_base, combined) => combined,
};
