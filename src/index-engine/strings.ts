/** Strings in bytes: their order, UTF-8, and the front-coded string table (strings/writer.ts has its format). */
export { compareCodePoints, sortByCodePoints, sortInStepsBy } from "./strings/order.ts";
export { decodeUtf8, encodeToScratch, scratchBytes } from "./strings/utf8.ts";
export {
  FrontCodedWriter,
  STRING_BLOCK,
  writeNumberedStrings,
  writeStrings,
} from "./strings/writer.ts";
export { ByteStrings } from "./strings/byte-strings.ts";
export { StringNumbers } from "./strings/numbers.ts";
export { FrontCodedTable } from "./strings/table.ts";
export { scanOf, StringScan } from "./strings/scan.ts";
export { StringMerge, type SortedScan } from "./strings/merge.ts";
