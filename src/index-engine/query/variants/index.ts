/** Picks the variant that a hit shows. */
export { codeOf, type NamedVariants } from "./named.ts";
export { VariantPicker, type VariantBoost, type VariantExplanation } from "./pick.ts";
