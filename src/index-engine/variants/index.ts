/** Hit -> which variant to show. */
export type { VariantCandidate, VariantExplanation } from "./explanation.ts";
export {
  VARIANT_BOOST,
  VariantPicker,
  type PickedVariant,
  type VariantBoost,
  type VariantPickerOptions,
} from "./pick.ts";
