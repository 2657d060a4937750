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
 * Final scores of all subjects; `subjects.base` without functions. `variants`: only uses functions
 * that rank variants.
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
      weights += weight;
      fold(mode === "avg" ? "sum" : mode, combined, values, weight);
    }
  }
  if (mode === "avg") {
    for (let i = 0; i < count; i++) combined[i] = weights > 0 ? combined[i] / weights : 0;
  }
  boost(plan.boostMode, base, combined);
  return combined;
}

function fold(
  mode: "multiply" | "sum" | "max" | "min",
  combined: Float64Array,
  values: Float64Array,
  weight: number,
): void {
  const { length } = combined;
  switch (mode) {
    case "multiply":
      for (let i = 0; i < length; i++) combined[i] *= values[i] * weight;
      return;
    case "sum":
      for (let i = 0; i < length; i++) combined[i] += values[i] * weight;
      return;
    case "max":
      for (let i = 0; i < length; i++) combined[i] = Math.max(combined[i], values[i] * weight);
      return;
    case "min":
      for (let i = 0; i < length; i++) combined[i] = Math.min(combined[i], values[i] * weight);
      return;
  }
}

/** Overwrites `combined` with the final scores. */
function boost(mode: ScoringPlan["boostMode"], base: Float64Array, combined: Float64Array): void {
  const { length } = combined;
  switch (mode) {
    case "multiply":
      for (let i = 0; i < length; i++) combined[i] *= base[i];
      return;
    case "replace":
      return;
    case "sum":
      for (let i = 0; i < length; i++) combined[i] += base[i];
      return;
    case "avg":
      for (let i = 0; i < length; i++) combined[i] = (base[i] + combined[i]) / 2;
      return;
    case "max":
      for (let i = 0; i < length; i++) combined[i] = Math.max(base[i], combined[i]);
      return;
    case "min":
      for (let i = 0; i < length; i++) combined[i] = Math.min(base[i], combined[i]);
      return;
  }
}
