/** `trace`: what an answer says about itself. */
export type {
  BoostExplanation,
  FieldShare,
  HitExplanation,
  StageName,
  TermReason,
  TitleExplanation,
  WholeReason,
  WordExplanation,
} from "./explanation.ts";
export { areHitsExplained, explainHit } from "./hit.ts";
export { traceMeta, type TracedSearch } from "./trace.ts";
