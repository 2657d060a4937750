/** Text -> terms. A language is data (`languages/`); everything else is shared. */
export { analyzerFor, ANALYSIS_VERSION, type Analyzer } from "./analyzer.ts";
export { fold, withFewMarks } from "./fold.ts";
export { plainText, termsWithPlaces } from "./places.ts";
export { headEnd, isBetweenParts, textParts } from "./segments.ts";
export type { CompoundData } from "./languages/index.ts";
export { KEY_SEPARATOR, keyOfSortedText, sortKey, textOfSortKey } from "./sort-key.ts";
export { unitAliases } from "./units.ts";
export { isUnspaced } from "./unspaced.ts";
