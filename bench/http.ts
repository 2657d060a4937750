/**
 * Requests through the real thing: workerd, Durable Objects with SQLite, R2, HTTP on 127.0.0.1.
 *
 *   node bench/http.ts [--set sample] [--seconds 3] [--requests 2000] [--connections 1,8] [--url http://...] [--index bench]
 *
 * Starts the built Worker under Miniflare (`wrangler dev` puts a proxy and inspectors in between, which cost several
 * times the service's own time), imports the data set by the command-line importer's code, then asks for a bounded
 * time and number of requests per class. With --url it uses a service that runs already (AISLE_USER and
 * AISLE_PASSWORD, where it wants them).
 *
 * workerd runs Worker and objects on one thread and shares the machine with this process: what is printed is a floor.
 */
import { parseArgs } from "node:util";
import type { SearchResult } from "../src/interface/index.ts";
import { DATASET_NAMES, loadDataset, type Dataset } from "./datasets.ts";
import { describeLoad, machineLoad, percentile } from "./measure.ts";
import { Client, importInto, startService, type Ask } from "./service.ts";

interface Load {
  readonly requests: number;
  readonly seconds: number;
  readonly ms: readonly number[];
  readonly failures: number;
}

/** Asks in turn with `connections` requests under way, until time or number is used up. */
async function load(
  url: string,
  asks: readonly Ask[],
  connections: number,
  bounds: { readonly seconds: number; readonly requests: number },
): Promise<Load> {
  const client = new Client(url, connections);
  const ms: number[] = [];
  let failures = 0;
  let begun = 0;
  const startMs = performance.now();
  const endMs = startMs + bounds.seconds * 1_000;
  async function runConnection(): Promise<void> {
    while (begun < bounds.requests && performance.now() < endMs) {
      const ask = asks[begun++ % asks.length];
      const beforeMs = performance.now();
      const { status } = await client.send(ask);
      ms.push(performance.now() - beforeMs);
      if (status !== 200) failures++;
    }
  }
  await Promise.all(Array.from({ length: connections }, runConnection));
  const seconds = (performance.now() - startMs) / 1_000;
  client.close();
  return { requests: ms.length, seconds, ms, failures };
}

/** Queries that find something, and what a shopper does next: the filters that the answers themselves offer. */
async function asksFor(
  url: string,
  indexName: string,
  dataset: Dataset,
): Promise<Record<string, Ask[]>> {
  const client = new Client(url, 1);
  const search = `/search-api/v1/search/${indexName}`;
  const get = (path: string): Ask => ({ method: "GET", path });
  const words: Ask[] = [];
  const filtered: Ask[] = [];
  const documents: Ask[] = [];
  const prices: Ask[] = [];
  const typed: Ask[] = [];
  const step = Math.max(1, Math.floor(dataset.queries.length / 100));
  for (let at = 0; at < dataset.queries.length; at += step) {
    const q = new URLSearchParams({ q: dataset.queries[at] }).toString();
    const answer = await client.send(get(`${search}?${q}`));
    if (answer.status !== 200) throw new Error(`search answered ${answer.status}: ${answer.text}`);
    const { slices } = JSON.parse(answer.text) as SearchResult;
    const [main] = slices;
    if (main.matchCount === 0) continue;
    words.push(get(`${search}?${q}`));
    const link = main.facets
      ?.flatMap(({ entries }) => entries)
      .find((entry) => entry.link !== null)?.link;
    if (link !== undefined && link !== null) filtered.push(get(`${search}?${link}`));
    const id = main.hits[0].document.id;
    documents.push(get(`/search-api/v1/doc/${indexName}/${encodeURIComponent(id)}`));
    prices.push({
      method: "PATCH",
      path: `/indexer-api/v1/update/${indexName}`,
      body: JSON.stringify([{ id, data: { price: 10 + (at % 90) } }]),
    });
    const letters = dataset.queries[at].slice(0, 3 + (at % 5));
    typed.push(
      get(
        `/suggest-api/v1/${indexName}/suggest?${new URLSearchParams({ userQuery: letters }).toString()}`,
      ),
    );
  }
  client.close();
  return {
    health: [get("/health")],
    words,
    "words + filter": filtered,
    "all, sorted": [get(`${search}?sort=price`), get(`${search}?sort=-price&offset=120`)],
    document: documents,
    suggest: typed,
    "price patch": prices,
  };
}

function describe(
  name: string,
  connections: number,
  { requests, seconds, ms, failures }: Load,
): string {
  const time = (share: number): string => percentile(ms, share).toFixed(1).padStart(8);
  const failed = failures === 0 ? "" : `  ${failures} FAILED`;
  return (
    `  ${name.padEnd(24)}${String(connections).padStart(6)}${(requests / seconds).toFixed(0).padStart(10)}` +
    `${time(0.5)}${time(0.95)}${String(requests).padStart(10)}${failed}`
  );
}

const { values } = parseArgs({
  options: {
    set: { type: "string", default: "sample" },
    seconds: { type: "string", default: "3" },
    requests: { type: "string", default: "2000" },
    connections: { type: "string", default: "1,8" },
    index: { type: "string", default: "bench" },
    url: { type: "string" },
  },
});
const setName = DATASET_NAMES.find((name) => name === values.set);
if (setName === undefined)
  throw new TypeError(`--set ${values.set}: one of ${DATASET_NAMES.join(", ")}`);
const dataset = loadDataset(setName);
if (dataset === null) {
  console.log(`${setName}: this data set is not on this machine`);
} else {
  const bounds = { seconds: Number(values.seconds), requests: Number(values.requests) };
  const service =
    values.url === undefined
      ? await startService()
      : { url: values.url, stop: async () => undefined };
  try {
    await importInto(service.url, values.index, dataset);
    const classes = await asksFor(service.url, values.index, dataset);
    console.log(
      `  ${"class".padEnd(24)}${"conns".padStart(6)}${"req/s".padStart(10)}${"p50 ms".padStart(8)}${"p95 ms".padStart(8)}${"requests".padStart(10)}`,
    );
    let failures = 0;
    for (const [name, asks] of Object.entries(classes)) {
      if (asks.length === 0) continue;
      for (const connections of values.connections.split(",").map(Number)) {
        const result = await load(service.url, asks, connections, bounds);
        failures += result.failures;
        console.log(describe(name, connections, result));
      }
    }
    // Writes beside searches: the searches wait for nothing but the turn of the thread.
    const [searches, patches] = await Promise.all([
      load(service.url, classes["words"], 4, bounds),
      load(service.url, classes["price patch"], 1, bounds),
    ]);
    failures += searches.failures + patches.failures;
    console.log(describe("words, while patching", 4, searches));
    console.log(describe("price patch, meanwhile", 1, patches));
    console.log(`  ${describeLoad(machineLoad())}`);
    if (failures > 0) process.exitCode = 1;
  } finally {
    await service.stop();
  }
}
