/** User query -> plan -> what only the data knows -> decision -> matches. plan.ts says how the steps follow each other. */
export { prepare, DEFAULT_FIELD_WEIGHTS, readSort } from "./prepare.ts";
export { SearchContext } from "./context.ts";
export { hasLiveNumber, hasLiveString, mergeSurveys, survey, uniteKnown } from "./survey.ts";
export { decide, MATCH_ALL_NAME, STAGE_NAMES } from "./decide.ts";
export { mergeSets, resolveSets, MAX_LOOKUP_PRODUCTS } from "./sets.ts";
export { execute, mergePartials, pageOf, setQueryName, unfinishedHit } from "./execute.ts";
export { finish } from "./finish.ts";
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
