/**
 * Match set -> facets: exact counts (count.ts), added up over shards (partial.ts, merged.ts), then which are shown and
 * how (build.ts).
 */
export { buildFacets, type FacetFieldPlan } from "./build.ts";
export { buildQueriedFacets, facetQueryPartial } from "./facet-query.ts";
export { countFacets, type LocalFacetCounts } from "./count.ts";
export { hashText, keyHashBytes, sharedHashes } from "./key-hashes.ts";
export { MergedFacets } from "./merged.ts";
export {
  answerFacetNeeds,
  EAGERNESS,
  facetPartial,
  type Eagerness,
  type FacetAnswer,
  type FacetNeed,
  type FacetPartial,
} from "./partial.ts";
export { mismatches } from "./shape.ts";
export { countedValue, mergeEntries, PlainEntriesBuilder, type PlainEntries } from "./plain.ts";
export { countingBytes } from "./walk.ts";
