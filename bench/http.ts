/**
 * Requests through the real thing: workerd, Durable Objects with SQLite, R2, HTTP on 127.0.0.1.
 *
 *   node bench/http.ts [--set sample] [--seconds 3] [--requests 2000] [--connections 1,8] [--url http://...] [--index bench]
 *
 * Starts the built Worker under Miniflare (`wrangler dev` puts a proxy and inspectors in between, which cost several times the
 * service's own time), imports the data set by the command-line importer's code, then asks for a bounded time and number of
 * requests per class. With --url it uses a service that runs already (AISLE_USER and AISLE_PASSWORD, where it wants them).
 *
 * workerd runs Worker and objects on one thread and shares the machine with this process: what is printed is a floor.
 */
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { Agent, request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Miniflare, convertV4MiniflareOptions } from "miniflare";
import { importCatalogue, systemTiming, type Source } from "../cli/index.ts";
import type { SearchResult } from "../src/interface/index.ts";
import { DATASET_NAMES, loadDataset, type Dataset } from "./datasets.ts";
import { describeLoad, machineLoad, percentile } from "./measure.ts";

interface Service {
  readonly url: string;
  stop(): Promise<void>;
}

interface Ask {
  readonly method: "GET" | "PATCH";
  readonly path: string;
  readonly body?: string;
}

interface Load {
  readonly requests: number;
  readonly seconds: number;
  readonly ms: readonly number[];
  readonly failures: number;
}

const MAX_ERRORS_SHOWN = 5;
let errorsShown = 0;

const root = fileURLToPath(new URL("..", import.meta.url));

/** The Worker as `npm run deploy` would send it, under Miniflare with its storage in a folder of its own. */
async function startService(): Promise<Service> {
  const folder = await mkdtemp(join(tmpdir(), "aisle-bench-"));
  await bundle(join(folder, "dist"));
  const objects = [
    "INDEX:IndexObject",
    "SHARD:ShardObject",
    "SESSION:ImportSessionObject",
    "CATALOG:CatalogObject",
  ];
  const config = await readFile(join(root, "wrangler.toml"), "utf8");
  const compatibilityDate = /^compatibility_date = "(.*)"/m.exec(config)?.[1];
  if (compatibilityDate === undefined) throw new Error("wrangler.toml has no compatibility_date");
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: "127.0.0.1",
      port: 0,
      // The Worker logs every request. That is part of its work, but not for this terminal.
      handleStructuredLogs: ({ level, message }) => {
        if (level === "error" && errorsShown++ < MAX_ERRORS_SHOWN) console.error(message);
      },
      modules: true,
      rootPath: join(folder, "dist"),
      modulesRoot: join(folder, "dist"),
      scriptPath: "index.js",
      compatibilityDate,
      bindings: { ENVIRONMENT: "development" },
      durableObjects: Object.fromEntries(
        objects.map((pair) => {
          const [binding, className] = pair.split(":");
          return [binding, { className, useSQLite: true }];
        }),
      ),
      r2Buckets: ["SNAPSHOTS"],
      resourcePersistencePath: join(folder, "state"),
    }),
  );
  const { origin } = await miniflare.ready;
  return {
    url: origin,
    stop: async () => {
      await miniflare.dispose();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function bundle(outdir: string): Promise<void> {
  const wrangler = join(root, "scripts", "wrangler.ts");
  const child = spawn(process.execPath, [wrangler, "deploy", "--dry-run", "--outdir", outdir], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const code = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", resolve);
  });
  if (code !== 0) throw new Error(`the Worker could not be bundled (exit code ${String(code)})`);
}

async function importInto(url: string, indexName: string, dataset: Dataset): Promise<void> {
  const newline = Buffer.from("\n");
  const position = { readBytes: 0, totalBytes: dataset.sourceBytes };
  async function* bytes(): AsyncGenerator<Buffer> {
    for (const source of dataset.sources) {
      position.readBytes += source.length + 1;
      yield Buffer.concat([source, newline]);
    }
  }
  const source: Source = { name: dataset.name, bytes: bytes(), position };
  const summary = await importCatalogue(
    source,
    {
      url,
      user: process.env["AISLE_USER"] ?? null,
      password: process.env["AISLE_PASSWORD"] ?? null,
      indexName,
      locale: dataset.locale,
      bulkBytes: 2_000_000,
      parallel: 2,
      strict: false,
      skipBadLines: false,
      allowEmpty: false,
      tenantCheck: true,
    },
    { screen: process.stderr, timing: systemTiming, signal: new AbortController().signal },
  );
  const seconds = (milliseconds: number): string => (milliseconds / 1_000).toFixed(1);
  console.log(
    `${dataset.name}: ${summary.counts.indexed} documents added in ${seconds(summary.addedMs)} s ` +
      `(${Math.round((summary.counts.indexed / summary.addedMs) * 1_000)} docs/s), done in ` +
      `${seconds(summary.doneMs)} s, searchable ${seconds(summary.searchableMs)} s after start`,
  );
}

/** One keep-alive connection pool; every request is read to its end. */
class Client {
  readonly #agent: Agent;
  readonly #base: URL;
  readonly #authorization: string | null;

  constructor(url: string, connections: number) {
    this.#base = new URL(url);
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
    const user = process.env["AISLE_USER"];
    this.#authorization =
      user === undefined
        ? null
        : `Basic ${Buffer.from(`${user}:${process.env["AISLE_PASSWORD"] ?? ""}`).toString("base64")}`;
  }

  async send({
    method,
    path,
    body,
  }: Ask): Promise<{ readonly status: number; readonly text: string }> {
    return await new Promise((resolve, reject) => {
      const outgoing = httpRequest(
        new URL(path, this.#base),
        {
          method,
          agent: this.#agent,
          headers: {
            ...(this.#authorization === null ? {} : { authorization: this.#authorization }),
            ...(body === undefined ? {} : { "content-type": "application/json" }),
          },
        },
        (response) => {
          const parts: Buffer[] = [];
          response.on("data", (part: Buffer) => parts.push(part));
          response.on("end", () =>
            resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() }),
          );
          response.on("error", reject);
        },
      );
      outgoing.on("error", reject);
      outgoing.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
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
