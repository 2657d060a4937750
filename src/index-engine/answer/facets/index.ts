/**
 * Facets of a match set: exact counts (count.ts), summed over shards (partial.ts, merged.ts), then
 * selected and written (build.ts).
 */
export { writeFacets, type FacetFieldPlan } from "./build.ts";
export { facetQueryPartial, queriedFields, writeQueriedFacets } from "./facet-query.ts";
export { countFacets, type LocalFacetCounts } from "./count.ts";
export { cachedHashes, hashText, keyHashBytes, sharedHashes } from "./key-hashes.ts";
export { MergedFacets } from "./merged.ts";
export {
  answerFacetFollowUps,
  EAGERNESS,
  facetPartial,
  type Eagerness,
  type FacetAnswer,
  type FacetFollowUp,
  type FacetPartial,
} from "./partial.ts";
export { countedKinds, mismatches } from "./shape.ts";
export {
  countedValue,
  mergeEntries,
  PlainEntriesBuilder,
  tallied,
  type PlainEntries,
  type TalliedEntry,
} from "./plain.ts";
export { countingBytes } from "./walk.ts";
export { nameOfPath, parentOf, writtenValueBytes } from "./written-value.ts";
