/** Strings -> term ordinals, and the postings of each term. */
export { TermsBuilder } from "./builder.ts";
export { mergeTerms } from "./merge.ts";
