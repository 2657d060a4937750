/** What else a typed word may stand for: typos, words split and joined, prefixes, number forms, n-grams. */
export { expansionBytes } from "./letters.ts";
export { autoFuzziness, typoBudget, type EditBudget } from "./typos.ts";
export { mergeTypos, surveyFuzzy, surveyTypos, type TypoTerm } from "./survey-typos.ts";
export { splitLookups, splitsOf } from "./splits.ts";
export { joinsOf } from "./joins.ts";
export { numberForms } from "./numbers.ts";
export { mergeNgrams, surveyNgrams, type NgramTerm } from "./ngrams.ts";
export { prefixFrequency, prefixRange } from "./prefix.ts";
