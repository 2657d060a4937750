/** Filters: parameters -> filters on known fields -> bitsets over rows. */
export { readFilterParameter } from "./parameter.ts";
export { isOpenRange, readNumber, readRange, readRangeOf } from "./number-filter.ts";
export { fieldNamesOf, resolveFilters, type PlannedFilter } from "./resolve.ts";
export { PassingRows, passedNumbers } from "./evaluate.ts";
export { filterCacheBytes } from "./cache.ts";
export type { ResolvedFilter } from "./resolved-filter.ts";
