import type { SearchResult, SearchResultSlice } from "../../interface/index.ts";

/** The slice of hits that are not in a separate slice. */
export function mainSlice({ slices }: SearchResult): SearchResultSlice | null {
  return slices.find(({ label }) => label === null) ?? slices.at(-1) ?? null;
}
