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
 * of a finished search to the bytes of the answer. The figure is the mean over all queries of the best of several
 * passes. A shard keeps the documents it has shown last (render/kept-documents.ts), so both cases are measured.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { FieldPlan } from "../src/index-engine/documents/index.ts";
import { Reader } from "../src/index-engine/index/index.ts";
import {
  hitViewOf,
  keptHit,
  renderAnswer,
  renderHit,
  sortableFields,
} from "../src/index-engine/answer/render/index.ts";
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
    json: { type: "string" },
  },
});
const figures: { readonly name: string; readonly isFirst: boolean; readonly meanUs: number }[] = [];
const corpus = new SyntheticCorpus(Number(options.products), 1);
const { bytes, plan } = syntheticSegment(corpus, false);
const reader = Reader.of([openSegment(bytes)]);
const tenant = tenantFor("facet", "plain");
const encoder = new TextEncoder();
const sources = new Map<string, Uint8Array>();

function sourceOf(id: string): Uint8Array {
  let source = sources.get(id);
  if (source === undefined) {
    source = encoder.encode(JSON.stringify(corpus.document(Number(id.slice(1)))));
    sources.set(id, source);
  }
  return source;
}

/** us from the counts and the stored documents to the text, as a shard does it (objects/shard/reading/search.ts). */
function renderingUs(request: SearchRequest, shown: FieldPlan): { us: number; characters: number; hits: number } {
  const execution = search(reader, request, tenant, plan);
  const { hits } = execution;
  const stored = hits.map(({ id }) => sourceOf(id));
  const startMs = performance.now();
  const view = hitViewOf(request, execution.asked ?? [], plan.analyzer);
  const input = { request, plan: shown, view, indexName: "ocs-1-bench-en" };
  const jsons = hits.map((hit, at) => {
    const ref = reader.segments[hit.segment].segment.storedRef(hit.row);
    return keptHit(hit, ref, input)?.json ?? renderHit(hit, stored[at], input, ref);
  });
  const sortable = sortableFields(reader.segments, plan, tenant.sortOptions);
  const answer = { execution, request, tenant, plan, sortable, tookInMillis: 0 };
  const bytes = renderAnswer(answer, jsons);
  const us = (performance.now() - startMs) * 1_000;
  return { us, characters: bytes.length, hits: hits.length };
}

/** @param isFirst whether no document was shown before */
function measure(name: string, requests: readonly SearchRequest[], isFirst: boolean, targetUs: number): void {
  const best = requests.map(() => Infinity);
  let characters = 0;
  let hits = 0;
  for (let pass = 0; pass < Number(options.passes); pass++) {
    requests.forEach((request, at) => {
      // Documents are kept by plan.
      const one = renderingUs(request, isFirst ? { ...plan } : plan);
      best[at] = Math.min(best[at], one.us);
      characters += one.characters;
      hits += one.hits;
    });
  }
  const count = requests.length * Number(options.passes);
  const mean = best.reduce((sum, us) => sum + us, 0) / best.length;
  figures.push({ name, isFirst, meanUs: mean });
  console.log(
    `${name.padEnd(8)} ${isFirst ? "documents for the first time" : "documents shown before      "} ` +
      `${mean.toFixed(0).padStart(6)} us (target ${targetUs}), ${requests.length} queries, ` +
      `${(hits / count).toFixed(1)} hits, ${(characters / count / 1_000).toFixed(1)} kB`,
  );
}

const address = (query: string): SearchRequest => parseSearchParameters(query);
const listings = makeQueries(corpus, Number(options.queries))
  .map((query) => address(queryAddress(corpus, "facet", query)))
  .filter((request) => search(reader, request, tenant, plan).hits.length === 24);
const pages = Array.from({ length: 50 }, (_, at) => address(`limit=24&offset=${at * 24}`));
console.log(`${corpus.size} products, Node ${process.versions.node}, ${describeLoad(machineLoad())}`);
for (const isFirst of [true, false]) {
  measure("listing", listings, isFirst, 60);
  measure("tree", pages, isFirst, 300);
}
if (options.json !== undefined) writeFileSync(options.json, JSON.stringify(figures));
