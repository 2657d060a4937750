/**
 * What an answer costs after the search: documents, facets with their links, JSON.
 *
 *   npm run node -- bench/rendering.ts [--products 100000] [--queries 300] [--passes 20]
 *
 *   listing   words, every second time a filter: 24 hits, five facets       target 60 us
 *   tree      no words, no filter: 24 hits, five facets, one of them a
 *             category tree with 558 leaves                                  target 300 us
 *
 * The catalogue is the synthetic one of `bench:core`. The clock runs from the stored bytes of the hits and the counts
 * of a finished search to the text of the answer. The mean over all queries of the best of several passes. Searching
 * between two measurements is not measured, and empties the caches of the processor as it does in a service.
 */
import { parseArgs } from "node:util";
import { parseDocument } from "../src/index-engine/fields/index.ts";
import { Reader } from "../src/index-engine/reader.ts";
import { render, sortableFields } from "../src/index-engine/render/index.ts";
import { search } from "../src/index-engine/search.ts";
import { openSegment } from "../src/index-engine/segment/index.ts";
import { parseSearchParameters } from "../src/worker/parameters.ts";
import type { SearchRequest } from "../src/interface/index.ts";
import { tenantFor } from "./core/aisle.ts";
import { syntheticSegment } from "./core/aisle-segment.ts";
import { describeLoad, machineLoad } from "./measure.ts";
import { SyntheticCorpus } from "./synthetic/corpus.ts";
import { makeQueries, queryAddress } from "./synthetic/queries.ts";

const { values: options } = parseArgs({
  options: {
    products: { type: "string", default: "100000" },
    queries: { type: "string", default: "300" },
    passes: { type: "string", default: "20" },
  },
});
const corpus = new SyntheticCorpus(Number(options.products), 1);
const { bytes, plan } = syntheticSegment(corpus, false);
const reader = Reader.of([openSegment(bytes)]);
const tenant = tenantFor("facet", "plain");
const encoder = new TextEncoder();
const decoder = new TextDecoder();
const sources = new Map<string, Uint8Array>();

function sourceOf(id: string): Uint8Array {
  let source = sources.get(id);
  if (source === undefined) {
    source = encoder.encode(JSON.stringify(corpus.document(Number(id.slice(1)))));
    sources.set(id, source);
  }
  return source;
}

/** us from the counts and the stored documents to the text. */
function renderingUs(request: SearchRequest): { us: number; characters: number; hits: number } {
  const execution = search(reader, request, tenant, plan);
  const stored = execution.hits.map(({ id }) => sourceOf(id));
  const startMs = performance.now();
  const text = render({
    execution,
    request,
    tenant,
    plan,
    indexName: () => "ocs-1-bench-en",
    sources: stored.map((source) => parseDocument(decoder.decode(source))),
    sortable: sortableFields(reader.segments, plan, tenant.sortOptions),
    tookInMillis: 0,
  });
  const us = (performance.now() - startMs) * 1_000;
  return { us, characters: text.length, hits: execution.hits.length };
}

function measure(name: string, requests: readonly SearchRequest[], targetUs: number): void {
  const best = requests.map(() => Infinity);
  let characters = 0;
  let hits = 0;
  for (let pass = 0; pass < Number(options.passes); pass++) {
    requests.forEach((request, at) => {
      const one = renderingUs(request);
      best[at] = Math.min(best[at], one.us);
      characters += one.characters;
      hits += one.hits;
    });
  }
  const count = requests.length * Number(options.passes);
  const mean = best.reduce((sum, us) => sum + us, 0) / best.length;
  console.log(
    `${name.padEnd(9)} ${mean.toFixed(0).padStart(6)} us (target ${targetUs}), ${requests.length} queries, ` +
      `${(hits / count).toFixed(1)} hits, ${(characters / count / 1_000).toFixed(1)} kB`,
  );
}

const address = (query: string): SearchRequest => parseSearchParameters(query);
const listings = makeQueries(corpus, Number(options.queries))
  .map((query) => address(queryAddress(corpus, "facet", query)))
  .filter((request) => search(reader, request, tenant, plan).hits.length === 24);
console.log(
  `${corpus.size} products, Node ${process.versions.node}, ${describeLoad(machineLoad())}`,
);
measure("listing", listings, 60);
measure(
  "tree",
  Array.from({ length: 50 }, (_, at) => address(`limit=24&offset=${at * 24}`)),
  300,
);
