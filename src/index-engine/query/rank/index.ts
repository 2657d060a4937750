/** Ranking: field weights, BM25F, relevance order, sorting by columns, the best k. */
export {
  fieldWeights,
  signatureWeights,
  signatureWeightBytes,
  SUB_FIELD,
  weightOf,
  weightsIn,
  type FieldWeight,
  type FieldWeights,
} from "./weights.ts";
export {
  areSameStatistics,
  BM25_B,
  inverseDocumentFrequency,
  MAX_WORD_SCORE,
  scaleOf,
  Similarity,
  SUM_LENGTH,
  type Statistics,
} from "./similarity.ts";
export { proximityBonus, proximityWeights, type ProximityBonus } from "./proximity.ts";
export {
  FIRST_RANK,
  inStockOf,
  inStockOfVariant,
  keyOf,
  leastScoreOf,
  MAX_SCORE,
  rankOf,
  rankOfKey,
  rowOfKey,
  SCORE_BUCKET,
  STOCK_FIELD,
} from "./relevance.ts";
export { TopKeys, topOf } from "./top.ts";
export { compileScoring, type ScoringPlan } from "./scoring/plan.ts";
export { maxTextScore } from "./scoring/text.ts";
export { finalScores, variantScores } from "./scoring/final.ts";
export { columnsRead, explainScore, type ScoreExplanation } from "./scoring/explain.ts";
export { randomHashBytes } from "./scoring/random.ts";
export {
  bindSort,
  compareSortKeys,
  resolveSort,
  type BoundCriterion,
  type ColumnKind,
  type SortCriterion,
  type SortKeyValue,
  type SortToken,
} from "./sort.ts";
export { readFacetSort } from "./facet-sort.ts";
export {
  exactTerm,
  termGroup,
  type AlternativeOrigin,
  type WordsTogether,
  type TermAlternative,
  type TermGroup,
  type SubQuery,
} from "./term-group.ts";
