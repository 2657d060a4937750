export {
  AisleClient,
  mainSlice,
  searchPairs,
  type ArrangedSearchOptions,
  type PutOptions,
  type SearchOptions,
  type SuggestOptions,
} from "./client.ts";
export { AisleError } from "./error.ts";
export type { Filter, Filters, FilterValue, Pair, Path, Range, Sort, SortCriterion } from "./filters.ts";
export type { ImportOptions, ImportOutcome, ImportProgress, ImportRun, Rejection } from "./import.ts";
export type { CallOptions, RetryPolicy, TransportOptions } from "./transport.ts";
export type * from "./types.ts";
