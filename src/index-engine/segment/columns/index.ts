/** Row -> number or sort key, for sorting and scoring by fields. */
export { ColumnsBuilder } from "./builder.ts";
export { mergeColumns } from "./merge.ts";
export { openColumns, type OpenColumns } from "./reader.ts";
