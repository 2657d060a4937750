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
  bindSort,
  compareSortKeys,
  resolveSort,
  type BoundCriterion,
  type ColumnKind,
  type SortCriterion,
  type SortKeyValue,
  type SortToken,
} from "./sort.ts";
export {
  exactTerm,
  STEM_FACTOR,
  termGroup,
  type TermAlternative,
  type TermGroup,
} from "./term-group.ts";
