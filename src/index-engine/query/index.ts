/** User query -> plan -> what only the data knows -> decision -> matches. plan.ts says how the steps follow each other. */
export { prepare, readSort } from "./prepare.ts";
export { DEFAULT_FIELD_WEIGHTS } from "./stages/tenant-stages.ts";
export { SearchContext, type Clock } from "./context.ts";
export {
  exploredSource,
  hasLiveNumber,
  hasLiveString,
  hasLiveValue,
  mergeStages,
  mergeSurveys,
  needsExploration,
  survey,
  surveyAlone,
  uniteKnown,
} from "./survey.ts";
export { decide, MATCH_ALL_NAME } from "./decide.ts";
export { requiredGroups } from "./stages/expand.ts";
export { LADDER_NAMES } from "./stages/ladder.ts";
export { ExploredSource, mergeExplorations, type Exploration } from "./stages/explore.ts";
export { mergeSets, resolveSets, MAX_LOOKUP_PRODUCTS } from "./sets.ts";
export {
  askedGroups,
  execute,
  mergePartials,
  pageOf,
  setQueryName,
  shownFilters,
  unfinishedHit,
} from "./execute.ts";
export { finish } from "./finish.ts";
export { traceMeta, type HitExplanation } from "./explain/index.ts";
export { parseQueryString, type QueryStringContext } from "./query-string.ts";
export { scratchBytes } from "./scratch.ts";
export {
  MAIN_SEARCH,
  type ArrangedSets,
  type Decision,
  type Executed,
  type Expression,
  type KnownFields,
  type Partial,
  type PartialHit,
  type PlacedHit,
  type QueryPlan,
  type SearchPlan,
  type SetCandidate,
  type SetPlan,
  type SetsPartial,
  type Survey,
} from "./plan.ts";
