/** Alternatives of a typed word: typos, splits, joins, prefixes, number forms, n-grams. */
export { codePointsOf, expansionBytes } from "./letters.ts";
export { editCost } from "./edits.ts";
export { autoFuzziness, fuzzyTerms, fuzzyPrefixTerms, typoBudget } from "./typos.ts";
export {
  mergeSimilar,
  MOST_SIMILAR,
  NGRAM_SHARE,
  similarTo,
  TYPO_SHARES,
  type Likeness,
  type SimilarTerm,
} from "./similar.ts";
export { splitLookups, splitsOf } from "./splits.ts";
export { joinsOf } from "./joins.ts";
export { decimalInches, measures, numberForms } from "./numbers.ts";
export { hasDigit } from "./pieces.ts";
export { prefixFrequency, prefixRange } from "./prefix.ts";
