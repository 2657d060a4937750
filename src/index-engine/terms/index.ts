/** Strings -> term ordinals, and the postings of each term. */
export { TermsBuilder } from "./builder.ts";
export { mergeTerms, type TermsInput } from "./merge.ts";
