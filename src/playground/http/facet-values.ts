/** Searches the values of one facet within the current search. */
import type { Facet, SearchResult } from "../../interface/index.ts";
import { mainSlice } from "../logic/main-slice.ts";
import { facetValuesRequest, type Search } from "../logic/requests.ts";
import { CallError, type Client } from "./client.ts";

/** Null: none, or the request failed. */
export async function findFacetValues(
  client: Client,
  search: Search,
  field: string,
  text: string,
  signal: AbortSignal,
): Promise<Facet | null> {
  try {
    const { json } = await client.expect(facetValuesRequest(search, field, text), signal);
    const facets = mainSlice(json as SearchResult)?.facets ?? [];
    return facets.find(({ fieldName }) => fieldName === field) ?? null;
  } catch (error) {
    if (error instanceof CallError || error instanceof DOMException) return null;
    throw error;
  }
}
