/** Filters: parameters -> filters on known fields -> bitsets over rows. */
export { readFilterParameter } from "./parameter.ts";
export { isOpenRange, readNumber, readRange, readRangeOf } from "./number-filter.ts";
export { DOCUMENT_ID, fieldNamesOf, resolveFilters, type PlannedFilter, type ResolvedFilter } from "./resolve.ts";
export { FilterBitset, passedNumbers, STEPS_OF_ID } from "./evaluate.ts";
export { filterCacheBytes } from "./cache.ts";
export { seenThrough, viewBytes } from "./seen-through.ts";
