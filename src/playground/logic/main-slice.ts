import type { SearchResult, SearchResultSlice } from "../../interface/index.ts";

/** The slice of all hits that no product set has for itself. */
export function mainSlice({ slices }: SearchResult): SearchResultSlice | null {
  return slices.find(({ label }) => label === null) ?? slices.at(-1) ?? null;
}
