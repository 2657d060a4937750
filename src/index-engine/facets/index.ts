/** Match set -> facets: exact counts (count.ts), then which facets are shown and how (build.ts). */
export { buildFacets, type FacetFieldPlan } from "./build.ts";
export { countFacets } from "./count.ts";
export { countingBytes } from "./walk.ts";
