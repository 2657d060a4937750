/** Text -> terms. A language is data (`languages.ts`); everything else is shared. */
export { analyzerFor, ANALYSIS_VERSION, type Analyzer } from "./analyzer.ts";
export { fold } from "./fold.ts";
export {
  foldedOfSortKey,
  keyOfSortedText,
  sortKey,
  SORT_KEY_VERSION,
  textOfSortKey,
} from "./sort-key.ts";
