/**
 * A million products: imported over HTTP into the service under workerd, published, searched, restarted, searched
 * again.
 *
 *   node bench/million.ts [--documents 1000000] [--seed 1] [--bulk-bytes 8000000] [--parallel 2] [--searches 300]
 *   [--keep folder]
 *
 * Says how long each part took, how many shards there are, what each object held at most by its own account (it ends
 * with 1 when one held more than 64 MB), what lies in R2 and SQLite, and what the process needed. workerd runs Worker
 * and all objects on one thread, and the catalogue is made meanwhile on another: times are a floor. With --keep an
 * earlier run's folder is only restarted and searched.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { importCatalogue, systemTiming } from "../cli/index.ts";
import type { SearchResult } from "../src/interface/index.ts";
import { bigCatalogue, bigQueries } from "./big-catalogue.ts";
import { cpuMsOf, describeLoad, machineLoad, percentile } from "./measure.ts";
import { Client, startService, type Service } from "./service.ts";

const INDEX = "million";
const MEGABYTE = 1e6;
const MOST_BYTES = 64 * 1024 * 1024;

interface Figures {
  readonly documents: number;
  readonly variants: number;
  readonly shards: readonly {
    readonly shard: string;
    readonly documents: number;
    readonly segments: number;
    readonly memoryBytes: Readonly<Record<string, number>>;
    readonly storedBytes: Readonly<Record<string, number>>;
  }[];
}

const { values } = parseArgs({
  options: {
    documents: { type: "string", default: "1000000" },
    seed: { type: "string", default: "1" },
    "bulk-bytes": { type: "string", default: "8000000" },
    parallel: { type: "string", default: "2" },
    searches: { type: "string", default: "300" },
    keep: { type: "string" },
  },
});
const documents = Number(values.documents);

const mb = (bytes: number): string => `${(bytes / MEGABYTE).toFixed(1)} MB`;
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
const total = (record: Readonly<Record<string, number>>): number => sum(Object.values(record));

/** Bytes of memory of a process: now and at most. */
function memoryOf(pid: number): { readonly now: number; readonly most: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const kilobytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? 0) * 1024;
  return { now: kilobytes("VmRSS"), most: kilobytes("VmHWM") };
}

function bytesOnDisk(folder: string): number {
  return Number(execFileSync("du", ["-sb", folder], { encoding: "utf8" }).split("\t")[0]);
}

/** What the service logs about merging and publishing. */
interface Watch {
  mergeBytes: number;
  merges: number;
  mergedBytes: number;
  mergeMs: number;
  tookMs: string;
}

function watch(): Watch & { readonly onLog: (line: string) => void } {
  const seen: Watch = { mergeBytes: 0, merges: 0, mergedBytes: 0, mergeMs: 0, tookMs: "" };
  return Object.assign(seen, {
    onLog: (line: string): void => {
      if (!line.startsWith("{")) return;
      const event = JSON.parse(line) as {
        event?: string;
        memoryBytes?: number;
        inputs?: number[];
        tookMs?: unknown;
      };
      if (event.event === "merged") {
        seen.merges++;
        seen.mergeBytes = Math.max(seen.mergeBytes, event.memoryBytes ?? 0);
        seen.mergedBytes += sum(event.inputs ?? []);
        seen.mergeMs += Number(event.tookMs);
      } else if (event.event === "published") {
        seen.tookMs = JSON.stringify(event.tookMs);
      }
    },
  });
}

async function importInto(service: Service): Promise<void> {
  const position = { readBytes: 0, totalBytes: 0 };
  async function* bytes(): AsyncGenerator<Buffer> {
    for (const piece of bigCatalogue(documents, Number(values.seed))) {
      position.readBytes += piece.length;
      yield piece;
    }
  }
  const summary = await importCatalogue(
    { name: INDEX, bytes: bytes(), position },
    {
      url: service.url,
      user: null,
      password: null,
      indexName: INDEX,
      locale: "en",
      bulkBytes: Number(values["bulk-bytes"]),
      parallel: Number(values.parallel),
      mapping: null,
      maxRejectedPercent: 5,
      cacheFolder: null,
      skipBadLines: false,
      allowEmpty: false,
      tenantCheck: true,
    },
    { screen: process.stderr, timing: systemTiming, signal: new AbortController().signal },
  );
  const { indexed } = summary.counts;
  console.log(`  CPU of workerd until searchable: ${seconds(cpuMsOf(service.pid))}`);
  console.log(
    `import: ${indexed} documents (${mb(position.readBytes)}) added in ${seconds(summary.addedMs)}, ` +
      `${Math.round((indexed / summary.addedMs) * 1_000)} docs/s; done ${seconds(summary.doneMs)}; ` +
      `searchable ${seconds(summary.searchableMs)} after start`,
  );
}

async function figures(client: Client): Promise<Figures> {
  const { status, text } = await client.send({
    method: "GET",
    path: `/admin-api/v1/indexes/${INDEX}`,
  });
  if (status !== 200) throw new Error(`figures: ${status} ${text}`);
  return JSON.parse(text) as Figures;
}

function describe(when: string, { documents: count, variants, shards }: Figures): number {
  const memory = shards.map(({ memoryBytes }) => total(memoryBytes));
  const most = Math.max(...memory);
  console.log(
    `${when}: ${count} documents, ${variants} variants in ${shards.length} shards of ${shards.map((s) => s.segments).join(",")} segments; ` +
      `memory by their account ${mb(sum(memory))}, the largest ${mb(most)}; ` +
      `index ${mb(sum(shards.map((s) => s.storedBytes["segments"] ?? 0)))}, stored ${mb(sum(shards.map((s) => s.storedBytes["stored"] ?? 0)))}, ` +
      `SQLite ${mb(sum(shards.map((s) => s.storedBytes["cache"] ?? 0)))} (largest ${mb(Math.max(...shards.map((s) => s.storedBytes["cache"] ?? 0)))})`,
  );
  return most;
}

async function search(client: Client, parameters: string): Promise<SearchResult> {
  const path = `/search-api/v1/search/${INDEX}?${parameters}`;
  const { status, text } = await client.send({ method: "GET", path });
  if (status !== 200) throw new Error(`${path}: ${status} ${text.slice(0, 300)}`);
  return JSON.parse(text) as SearchResult;
}

async function searches(client: Client, when: string): Promise<void> {
  const { words, filtered } = bigQueries(Number(values.searches));
  const browse = words.map((_, i) => `category=${["Fashion", "Sports", "Home"][i % 3]}&color=red`);
  const all = words.map((_, i) => `sort=${i % 2 === 0 ? "price" : "-price"}`);
  for (const [name, list] of Object.entries({ words, filtered, browse, "all, sorted": all })) {
    const ms: number[] = [];
    let matches = 0;
    for (const parameters of list) {
      const startMs = performance.now();
      const { slices } = await search(client, parameters);
      ms.push(performance.now() - startMs);
      matches += slices[0]?.matchCount ?? 0;
    }
    console.log(
      `  ${when}, ${name.padEnd(12)} p50 ${percentile(ms, 0.5).toFixed(1)} ms  p95 ${percentile(ms, 0.95).toFixed(1)} ms  ` +
        `first ${ms[0].toFixed(0)} ms  (${list.length} searches, ${Math.round(matches / list.length)} matches each)`,
    );
  }
}

/** Until the shards have copied their sources: searches meanwhile would measure that, too. */
async function settled(client: Client): Promise<Figures> {
  for (let before = -1; ;) {
    const now = await figures(client);
    const cached = sum(now.shards.map(({ storedBytes }) => storedBytes["cache"] ?? 0));
    if (cached === before) return now;
    before = cached;
    await new Promise((resolve) => setTimeout(resolve, 3_000));
  }
}

let most = 0;
let folder = values.keep;
const log = watch();
if (folder === undefined) {
  const service = await startService({ onLog: log.onLog, keep: true });
  folder = service.folder;
  const peaks = { import: 0 };
  const timer = setInterval(() => {
    peaks.import = Math.max(peaks.import, memoryOf(service.pid).now);
  }, 500);
  const client = new Client(service.url, 1);
  try {
    await importInto(service);
    clearInterval(timer);
    console.log(`  done's steps, ms: ${log.tookMs}`);
    console.log(
      `  merges: ${log.merges}, ${mb(log.mergedBytes)} of inputs in ${seconds(log.mergeMs)}, at most ${mb(log.mergeBytes)} in the session's memory`,
    );
    console.log(`  workerd: at most ${mb(peaks.import)} while importing`);
    most = Math.max(log.mergeBytes, describe("published", await figures(client)));
    await searches(client, "after done");
    const startMs = performance.now();
    most = Math.max(most, describe("at rest", await settled(client)));
    console.log(`  sources cached ${seconds(performance.now() - startMs)} later`);
    await searches(client, "at rest");
    console.log(`  workerd: now ${mb(memoryOf(service.pid).now)}`);
  } finally {
    clearInterval(timer);
    client.close();
    await service.stop();
  }
}
console.log(
  `on disk: R2 ${mb(bytesOnDisk(join(folder, "state", "r2")))}, SQLite ${mb(bytesOnDisk(join(folder, "state", "do")))}  (${folder})`,
);
const startMs = performance.now();
const service = await startService({ folder });
const client = new Client(service.url, 1);
try {
  const readyMs = performance.now();
  const [slice] = (await search(client, "q=shoe")).slices;
  const answeredMs = performance.now();
  console.log(
    `restart: workerd ready after ${seconds(readyMs - startMs)}, first answer (${slice?.matchCount} matches) ${seconds(answeredMs - readyMs)} later`,
  );
  await searches(client, "restarted");
  most = Math.max(most, describe("serving", await figures(client)));
  const memory = memoryOf(service.pid);
  console.log(`  workerd: now ${mb(memory.now)}, at most ${mb(memory.most)}`);
} finally {
  client.close();
  await service.stop();
}
console.log(describeLoad(machineLoad()));
if (most > MOST_BYTES) {
  console.log(`an object held ${mb(most)}: more than ${mb(MOST_BYTES)}`);
  process.exitCode = 1;
}
