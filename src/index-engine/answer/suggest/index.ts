/** Typed characters -> suggestions. */
export { suggest, suggestBytes, type SuggestFieldPlan } from "./suggest.ts";
export { suggestSharded } from "./merged-labels.ts";
export { suggestPartial, type SuggestNeed, type SuggestPartial } from "./partial.ts";
