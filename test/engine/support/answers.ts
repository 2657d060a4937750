// Answers as objects: the engine writes text.
import type { Facet, SearchResult } from "../../../src/interface/index.ts";
import { writeFacets } from "../../../src/index-engine/answer/facets/index.ts";
import { render } from "../../../src/index-engine/answer/render/index.ts";

export function renderParsed(...input: Parameters<typeof render>): SearchResult {
  return JSON.parse(render(...input)) as SearchResult;
}

export function buildFacets(...input: Parameters<typeof writeFacets>): Facet[] {
  return JSON.parse(writeFacets(...input)) as Facet[];
}
