/** Typed characters -> suggestions. */
export { suggest, suggestBytes, type SuggestFieldPlan } from "./suggest.ts";
