/** Text -> terms. A language is data (`languages/`); everything else is shared. */
export { analyzerFor, ANALYSIS_VERSION, type Analyzer } from "./analyzer.ts";
export { fold } from "./fold.ts";
export { plainText, termsWithPlaces, type PlacedTerm } from "./places.ts";
export type { CompoundData, LanguageData } from "./languages/index.ts";
export {
  foldedOfSortKey,
  keyOfSortedText,
  sortKey,
  SORT_KEY_VERSION,
  textOfSortKey,
} from "./sort-key.ts";
export { isAmbiguousUnit, unitAliases, unitOf } from "./units.ts";
