/** Splits typed text into words: preprocessors and analyzers under the reference's names. */
export { analyze, expandsByRules } from "./analyze.ts";
export { preprocess } from "./preprocess.ts";
export { phraseOf, plainWord, type UserWord } from "./split.ts";
