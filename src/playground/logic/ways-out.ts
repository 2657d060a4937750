/** What to offer if there are no hits: broader searches, or the first page of those before this one. */
import { activeFilters, firstPage, withoutFilters } from "./filters.ts";
import { valueOf, withValue, type Parameters } from "./parameters.ts";

export interface WayOut {
  readonly label: string;
  readonly parameters: Parameters;
}

/** Number of single words that are offered from a long query. */
const MOST_WORDS = 4;

/**
 *   matches, but none on this page    ->  first page
 *   q=red unicorn shoes&color=black  ->  without filters; red; unicorn; shoes; all products
 */
export function waysOut(parameters: Parameters, matchCount: number): WayOut[] {
  if (matchCount > 0) {
    const first = firstPage(parameters);
    return first.length === parameters.length ? [] : [{ label: "First page", parameters: first }];
  }
  const ways: WayOut[] = [];
  const q = valueOf(parameters, "q")?.trim() ?? "";
  const plain = withoutFilters(parameters);
  if (activeFilters(parameters, []).length > 0) {
    ways.push({ label: "Without filters", parameters: plain });
  }
  const words = [...new Set(q.split(/[\s"]+/).filter((word) => /[\p{L}\p{N}]/u.test(word)))];
  if (words.length > 1) {
    for (const word of words.slice(0, MOST_WORDS)) {
      ways.push({ label: `Only “${word}”`, parameters: withValue(plain, "q", word) });
    }
  }
  if (q !== "") {
    ways.push({ label: "All products", parameters: firstPage(withValue(plain, "q", null)) });
  }
  return ways;
}
