/**
 * A tenant's scoring configuration: combines text score and product data to the final score
 * (plan.ts).
 */
export { compileScoring, type ScoringPlan } from "./plan.ts";
export { maxTextScore } from "./text.ts";
export { finalScores } from "./final.ts";
export { variantScores } from "./variants.ts";
export { columnsRead, explainScore, type ScoreExplanation } from "./explain.ts";
export { randomHashBytes } from "./random.ts";
