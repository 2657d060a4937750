/** What to offer if there are no hits: broader searches, or the first page of those before this one. */
import type { IndexUiState } from "instantsearch.js/es/types";

export interface WayOut {
  readonly label: string;
  readonly state: IndexUiState;
}

/** Number of single words that are offered from a long query. */
const MOST_WORDS = 4;

export function waysOut(asked: IndexUiState, matchCount: number): WayOut[] {
  const { query = "", sortBy, page: _, ...others } = asked;
  if (matchCount > 0)
    return [{ label: "First page", state: { ...others, query, ...(sortBy !== undefined && { sortBy }) } }];
  const sorted: IndexUiState = sortBy === undefined ? {} : { sortBy };
  const { refinementList, hierarchicalMenu, range } = others;
  const filters = [refinementList, hierarchicalMenu, range].flatMap((one) => Object.values(one ?? {}));
  const words = [...new Set(query.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)))];
  return [
    ...(filters.length > 0 && query !== "" ? [{ label: "Without filters", state: { ...sorted, query } }] : []),
    ...(words.length > 1
      ? words.slice(0, MOST_WORDS).map((word) => ({
          label: `Only “${word}”`,
          state: { ...sorted, query: word },
        }))
      : []),
    { label: "All products", state: sorted },
  ];
}
