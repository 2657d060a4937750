/** What else a typed word may stand for, asked of the dictionaries: typos, words split and joined, prefixes, number forms, n-grams. */
export {
  autoFuzziness,
  fuzzyTerms,
  similarTerms,
  typoBudget,
  type EditBudget,
  type SimilarTerm,
} from "./typos.ts";
export {
  mergeTypos,
  MOST_TYPO_TERMS,
  surveyFuzzy,
  surveyTypos,
  type TypoTerm,
} from "./survey-typos.ts";
export { expansionBytes } from "./letters.ts";
export { MOST_SPLITS, splitLookups, splitsOf } from "./splits.ts";
export { joinsOf, type Join } from "./joins.ts";
export { numberForms, type NumberForm } from "./numbers.ts";
export {
  mergeNgrams,
  MOST_NGRAM_TERMS,
  ngramTerms,
  surveyNgrams,
  type NgramMatch,
  type NgramTerm,
} from "./ngrams.ts";
export { prefixFrequency, prefixRange } from "./prefix.ts";
