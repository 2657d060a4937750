/** Facets of a match set: counts (count.ts), sums over shards (partial.ts, merged.ts), choice and text (build.ts). */
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
