/** Keeps the log in memory short by merging it, during and beside writes. */
export { type ChooseRun, isOfAnalysis, isOfOlderAnalysis, runOfAlike } from "./analysis.ts";
export { LogMerging } from "./log-merging.ts";
