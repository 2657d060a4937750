/**
 * Measures the cost of highlighting, selected fields and facet queries: answer bytes, and time on
 * one thread.
 *
 *   node bench/answers.ts [icecat ...]        the same queries of the set with each parameter, 24 hits each; medians
 */
import { gzipSync } from "node:zlib";
import { builtInTenantConfig } from "../src/interface/index.ts";
import { DATASET_NAMES, loadDataset } from "./datasets.ts";
import { Engine } from "./engine.ts";
import { indexDataset } from "./index-set.ts";
import { describeLoad, machineLoad, median } from "./measure.ts";

const QUERIES = 60;
const ROUNDS = 5;
const WAYS: readonly [string, string][] = [
  ["as always", ""],
  ["without facets", "withFacets=false"],
  ["fields=title,price,brand", "fields=title,price,brand"],
  ["the same without facets", "fields=title,price,brand&withFacets=false"],
  ["fields=-description", "fields=-description"],
  ["highlight=title", "highlight=title"],
  ["highlight=title,description", "highlight=title,description"],
  ["highlight=*", "highlight=*"],
  ["facetQuery=brand:s&limit=0", "facetQuery=brand:s&limit=0"],
  ["facetQuery=brand:", "facetQuery=brand:"],
];

const tenant = builtInTenantConfig("bench", ["bench"]);
const named = process.argv.slice(2);
for (const name of DATASET_NAMES.filter((one) => (named.length === 0 ? one === "icecat" : named.includes(one)))) {
  const dataset = loadDataset(name);
  if (dataset === null) {
    console.log(`${name} is not on this machine`);
    continue;
  }
  const engine = new Engine(indexDataset(dataset));
  const step = Math.max(1, Math.floor(dataset.queries.length / QUERIES));
  const queries = dataset.queries.filter((_, i) => i % step === 0).slice(0, QUERIES);
  console.log(`${name}: ${dataset.sources.length} products, ${queries.length} queries, ${describeLoad(machineLoad())}`);
  const answer = (query: string, way: string): Uint8Array => {
    const q = new URLSearchParams({ q: query }).toString();
    const limit = way.includes("limit=") ? "" : "limit=24&";
    return engine.answer({ input: { kind: "address", query: `${limit}${q}&${way}` }, tenant });
  };
  const found = WAYS.map(() => ({
    bytes: [] as number[],
    zipped: [] as number[],
    ms: [] as number[],
  }));
  for (const query of queries) {
    const times = WAYS.map((): number[] => []);
    // Alternating, so that all variants run under the same load.
    for (let round = 0; round <= ROUNDS; round++) {
      WAYS.forEach(([, way], i) => {
        const startMs = performance.now();
        const json = answer(query, way);
        times[i].push(performance.now() - startMs);
        if (round > 0) return;
        found[i].bytes.push(json.length);
        found[i].zipped.push(gzipSync(json).length);
        times[i] = [];
      });
    }
    times.forEach((own, i) => found[i].ms.push(median(own)));
  }
  WAYS.forEach(([label], i) => {
    const { bytes, zipped, ms } = found[i];
    const kilobytes = (all: readonly number[]): string => (median(all) / 1000).toFixed(1).padStart(7);
    console.log(
      `${label.padEnd(30)} ${kilobytes(bytes)} kB ${kilobytes(zipped)} kB gzip ${median(ms).toFixed(2).padStart(7)} ms`,
    );
  });
}
