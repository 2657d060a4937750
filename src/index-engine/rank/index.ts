/** What is how good: field weights, BM25F, the relevance order, sorting by columns, the best k. */
export {
  fieldWeights,
  signatureWeights,
  signatureWeightBytes,
  weightOf,
  FIELD_TIE,
  type FieldWeight,
  type FieldWeights,
  type SignatureWeights,
} from "./weights.ts";
export {
  BM25_B,
  BM25_K1,
  inverseDocumentFrequency,
  SCORE_SCALE,
  scaleOf,
  Scorer,
  type Statistics,
} from "./scorer.ts";
export {
  maxProximityBonus,
  PROXIMITY,
  proximityBonus,
  proximityWeights,
  type BonusParts,
  type ProximityBonus,
  type ProximityFactors,
  type ProximityWeights,
  type ProximityWord,
  type RowBonus,
  type TitleBonus,
} from "./proximity.ts";
export {
  inStockOf,
  keyOf,
  MAX_SCORE,
  rankOf,
  rankOfKey,
  rowOfKey,
  SCORE_BUCKET,
} from "./relevance.ts";
export { TopKeys, topOf } from "./top.ts";
export {
  compileScoring,
  explainScore,
  finalScores,
  maxTextScore,
  randomHashBytes,
  variantScores,
  type ScoreExplanation,
  type ScorePart,
  type ScoringPlan,
} from "./scoring/index.ts";
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
  STEM_FACTOR,
  termGroup,
  type AlternativeOrigin,
  type TermAlternative,
  type TermGroup,
  type WholeAlternative,
} from "./term-group.ts";
