/** Strings in bytes: their order, UTF-8, and the front-coded string table (segment/strings/writer.ts has its format). */
export { compareCodePoints, sortByCodePoints, sortInStepsBy } from "../../base/order.ts";
export { decodeUtf8, encodeToScratch, scratchBytes } from "../../base/utf8.ts";
export { FrontCodedWriter, STRING_BLOCK, writeNumberedStrings, writeStrings } from "./writer.ts";
export { ByteStrings } from "./byte-strings.ts";
export { StringNumbers } from "./numbers.ts";
export { FrontCodedTable } from "./table.ts";
export { scanOf, StringScan } from "./scan.ts";
export { StringMerge, type SortedScan } from "./merge.ts";
