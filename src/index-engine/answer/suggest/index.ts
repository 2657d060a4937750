/** Typed characters -> suggestions. */
export { suggest, suggestBytes, suggestParts } from "./suggest.ts";
export { suggestSharded } from "./merged-labels.ts";
export { suggestPartial, type SuggestFollowUp, type SuggestPartial } from "./partial.ts";
export type { SuggestFieldPlan } from "./label-finder.ts";
export { OwnQueries, storedQueries } from "./own-queries.ts";
