/** Picks the variant that a hit shows. */
export type { VariantExplanation } from "./explanation.ts";
export { VariantPicker, type VariantBoost } from "./pick.ts";
