/** Row -> number or sort key, for sorting and scoring by fields. */
export { ColumnsBuilder } from "./builder.ts";
export { mergeColumns, type ColumnsInput } from "./merge.ts";
export { openColumns, PackedNumberColumn, PackedStringColumn, type OpenColumns } from "./reader.ts";
