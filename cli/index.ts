/** What tests, benchmarks and scripts may use of the command line. */
export { importCatalogue, type ImportOptions, type ImportSummary } from "./import/run.ts";
export { openSource, type Source } from "./import/source.ts";
export { systemTiming } from "./import/retry.ts";
