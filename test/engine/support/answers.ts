// Answers as objects: the engine writes bytes.
import type { Facet, SearchResult } from "../../../src/interface/index.ts";
import { writeFacets } from "../../../src/index-engine/answer/facets/index.ts";
import { render, type RenderInput } from "../../../src/index-engine/answer/render/index.ts";
import { GrowableBytes } from "../../../src/index-engine/base/index.ts";
import type { Execution } from "../../../src/index-engine/query/execution.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A stored document. */
export function storedBytes(source: unknown): Uint8Array {
  return encoder.encode(JSON.stringify(source));
}

/** `sources`: the documents of the hits as objects. */
export function renderParsed(
  input: Omit<RenderInput, "sources"> & { readonly sources: readonly unknown[] },
): SearchResult {
  const json = render({ ...input, sources: input.sources.map(storedBytes) });
  return JSON.parse(decoder.decode(json)) as SearchResult;
}

type FacetContext = Parameters<typeof writeFacets>[1];

export function buildFacets(
  counts: FacetContext["counts"],
  execution: FacetContext["execution"],
  tenant: FacetContext["tenant"],
  plan: FacetContext["plan"],
  request: FacetContext["request"],
): Facet[] {
  const to = new GrowableBytes();
  writeFacets(to, { counts, execution, tenant, plan, request });
  return JSON.parse(decoder.decode(to.view())) as Facet[];
}

/** Everything that an answer is made of. */
export function wholeExecution(execution: Execution): unknown {
  const { facets, ...rest } = execution;
  const counts = facets?.fields().map(({ name, kind }) => {
    const values = facets
      .field(name, kind)
      ?.values()
      .map(({ key, count }) => [key, count]);
    return [name, kind, values];
  });
  return { ...rest, counts };
}
