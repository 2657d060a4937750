/** A tenant's scoring configuration: text score and product data -> the score that orders (plan.ts says how). */
export {
  compileScoring,
  type DroppedFunction,
  type ScoringContext,
  type ScoringFeature,
  type ScoringFunction,
  type ScoringPlan,
} from "./plan.ts";
export { maxTextScore, MAX_TEXT, NO_QUERY_TEXT, textScore } from "./text.ts";
export { finalScores } from "./final.ts";
export { valueOfUnits, unitsOf, UNITS } from "./units.ts";
export { variantScores } from "./variants.ts";
export { explainScore, type ScoreExplanation, type ScorePart } from "./explain.ts";
export { randomHashBytes } from "./random.ts";
