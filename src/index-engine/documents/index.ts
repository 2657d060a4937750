/**
 * Compiles a configuration into a plan that reads and shows documents. All other files of this folder are internal.
 */
export { scalarText } from "./answered-values.ts";
export { checkIndexConfig } from "./check.ts";
export { compileFieldPlan } from "./compile.ts";
export { readableId } from "./decode.ts";
export { parseDocument, parseVerbatim } from "./json.ts";
export { parseIdOnly } from "./large-json.ts";
export type { FieldPlan } from "./plan.ts";
export { ATTRIBUTES_SEARCH_FIELD, isUrl, OTHER_SEARCH_FIELD } from "./catch-all.ts";
export { VARIANT_ID_FIELD } from "./convert.ts";
export { filterKey, HASHED_VALUE_PREFIX, murmur128 } from "./filter-key.ts";
export { PROCESSOR_NAMES } from "./processors/index.ts";
export { isFeatureColumn } from "./rank-features.ts";
export { numberOf } from "./values.ts";
