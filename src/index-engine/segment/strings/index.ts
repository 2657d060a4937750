/** The front-coded string table (format in writer.ts). */
export { FrontCodedWriter, STRING_BLOCK, writeNumberedStrings, writeStrings } from "./writer.ts";
export { ByteStrings } from "./byte-strings.ts";
export { FrontCodedTable } from "./table.ts";
export { scanOf, StringScan } from "./scan.ts";
export { StringMerge, type SortedScan } from "./merge.ts";
export { codeAt, codeBytes, codesFor, pushCode, tableFor, WordCodes } from "./codes.ts";
