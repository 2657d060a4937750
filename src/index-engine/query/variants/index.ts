/** Picks the variant that a hit shows. */
export { VariantPicker, type VariantBoost, type VariantExplanation } from "./pick.ts";
