/** The log in memory is kept short: merged with the writes and beside them. */
export { type ChooseRun, isOfAnalysis, runOfAlike } from "./analysis.ts";
export { LogMerging } from "./log-merging.ts";
