// What tests ask for.
import { DEFAULT_LIMIT, type SearchRequest } from "../../../src/interface/index.ts";

/** A request without parameters, which asks for everything, and no facets; and what `more` says. */
export function plainRequest(more: Partial<SearchRequest> = {}): SearchRequest {
  return { q: "", sort: [], limit: DEFAULT_LIMIT, offset: 0, withFacets: false, filters: [], arranged: null, ...more };
}
