/** The data of one search: segments, their later changes, live statistics. */
export { Reader, type ReplacedRows, hasTitleHeads, live, liveFrequency, mergedLive } from "./reader.ts";
