/** Hit -> which variant to show. */
export {
  VARIANT_BOOST,
  VariantPicker,
  type PickedVariant,
  type VariantBoost,
  type VariantPickerOptions,
} from "./pick.ts";
