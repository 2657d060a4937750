/** `trace`: explanations of an answer. */
export type { HitExplanation } from "./explanation.ts";
export { areHitsExplained, explainHit } from "./hit.ts";
export { variantLine } from "./lines.ts";
export { traceMeta } from "./trace.ts";
