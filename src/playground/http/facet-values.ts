/** Values of one facet that match a text, of the search that is shown. */
import type { Facet, SearchResult } from "../../interface/index.ts";
import { mainSlice } from "../logic/main-slice.ts";
import { facetValuesRequest, type Search } from "../logic/requests.ts";
import { CallError, type Client } from "./client.ts";

/** Null: there are none, or they could not be asked for. */
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
