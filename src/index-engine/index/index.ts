/** What one search sees: segments, what changed since they were written, live statistics. */
export {
  Reader,
  type ReplacedRows,
  hasTitleHeads,
  live,
  liveFrequency,
  mergedLive,
} from "./reader.ts";
