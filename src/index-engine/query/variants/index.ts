/** Hit -> which variant to show. */
export type { VariantExplanation } from "./explanation.ts";
export { VariantPicker, type VariantBoost } from "./pick.ts";
