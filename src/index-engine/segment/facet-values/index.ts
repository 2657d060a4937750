/** Row -> facet values and back. */
export { FacetDataBuilder } from "./builder.ts";
export { mergeFacetData, type FacetRows } from "./merge.ts";
export { FacetDataViews } from "./reader.ts";
export { compareFields, firstOfGroup } from "./values.ts";
