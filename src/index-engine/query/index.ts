/** User query -> plan -> global statistics -> decision -> matches. plan.ts explains the steps. */
export { prepare, readSort } from "./prepare.ts";
export { SearchContext, type Clock } from "./context.ts";
export { hasLiveNumber, hasLiveString } from "./live-columns.ts";
export { hasLiveValue, knownFields, uniteKnown } from "./known-fields.ts";
export { gatherAlone, gatherStatistics, mergeStatistics, needsExpansion } from "./global-statistics.ts";
export { decide, type Deciding } from "./decide.ts";
export { answer, NOTHING_ASKED, type Answers, type Ask } from "./relevance/questions.ts";
export { requiredGroups } from "./stages/expand.ts";
export { dictionaryBytes } from "./stages/dictionary.ts";
export { ExpandedTerms, type TermExpansions } from "./stages/term-expansion.ts";
export { adjacentBytes } from "./core/adjacent-rows.ts";
export { prefixUnionBytes } from "./core/prefix-unions.ts";
export { cachedSearchBytes, CachedSearches } from "./cached-searches.ts";
export { categoryBytes } from "./relevance/categories.ts";
export { mergeSets, resolveSets } from "./sets.ts";
export {
  askedGroups,
  countMeta,
  execute,
  executionOf,
  pageOf,
  isSorted,
  shownFilters,
  unfetchedHit,
} from "./execute.ts";
export { fetchHits } from "./fetch-hits.ts";
export { traceMeta, variantLine, type HitExplanation } from "./explain/index.ts";
export { TermMatcher } from "./term-matcher.ts";
export {
  type ArrangedSets,
  type Decision,
  type KnownFields,
  type Partial,
  type QueryPlan,
  type SearchPlan,
  type SetsPartial,
  type GlobalStatistics,
} from "./plan.ts";
export type {
  CountInput,
  CountedValue,
  LinkFrame,
  WrittenForms,
  EngineHit,
  Execution,
  FacetCounts,
  FieldCounts,
  KeyTest,
  NumberedEntries,
  QueriedField,
  FieldCoverage,
  SegmentMatches,
} from "./execution.ts";
