/**
 * Measures the effect of an import with four clients on searches, in workerd, which runs Workers
 * and objects on one thread here.
 *
 *   node bench/import-load.ts [--documents 60000] [--clients 2] [--pace 20] [--bulk 3000000] [--seconds 5] [--gate]
 *
 *   quiet       searches only
 *   another     the same while the catalogue is imported into another index, by four clients
 *   replaced    the same while it is imported into the index that is searched, until the new generation serves
 *
 * A client sends the next search --pace ms after an answer. Also printed: the service's CPU time
 * per second, the import's speed, the isolate's stretches of work without a pause (GET /metrics),
 * peak memory of bulks, and for each stretch above 20 ms its time without a core (thread-time.ts),
 * in garbage collection (collections.ts), and in its own work. --gate exits with 1 after a search
 * error, with a p95 above 50 ms, or with more than 20 ms of own work in a stretch.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { SearchResult } from "../src/interface/index.ts";
import { traceCollections, type Collections, type LongStretch } from "./collections.ts";
import { loadDataset } from "./datasets.ts";
import { describeLoad, machineLoad, percentile } from "./measure.ts";
import { newTexts } from "./new-texts.ts";
import { Client, importInto, serviceCpuSeconds, startService } from "./service.ts";
import { ThreadTime } from "./thread-time.ts";

const MOST_P95_MS = 50;
/** Limit of own work in a stretch, without garbage collections. */
const MOST_STEP_MS = 20;
const QUERIES = 100;

const { values } = parseArgs({
  options: {
    documents: { type: "string", default: "60000" },
    clients: { type: "string", default: "2" },
    pace: { type: "string", default: "20" },
    bulk: { type: "string", default: "3000000" },
    seconds: { type: "string", default: "5" },
    gate: { type: "boolean", default: false },
  },
});

interface Searched {
  readonly ms: readonly number[];
  readonly failures: number;
  readonly cpuPerSecond: number;
}

async function searchWhile(url: string, nextPath: () => string, work: Promise<void>): Promise<Searched> {
  const clients = Number(values.clients);
  const client = new Client(url, clients);
  const ms: number[] = [];
  let failures = 0;
  let isOver = false;
  const startMs = performance.now();
  const startCpuSeconds = serviceCpuSeconds();
  async function ask(): Promise<void> {
    while (!isOver) {
      const sentMs = performance.now();
      const { status, text } = await client.send({ method: "GET", path: nextPath() });
      ms.push(performance.now() - sentMs);
      if (status !== 200 || !text.includes('"slices"')) failures++;
      await new Promise((resolve) => setTimeout(resolve, Number(values.pace)));
    }
  }
  const asking = Promise.all(Array.from({ length: clients }, ask));
  await work.finally(() => (isOver = true));
  await asking;
  client.close();
  const seconds = (performance.now() - startMs) / 1_000;
  return { ms, failures, cpuPerSecond: (serviceCpuSeconds() - startCpuSeconds) / seconds };
}

/**
 * Upper bound of a stretch's own work: the time between collections in which the thread had a core.
 */
function ownMsOf({ startedMs, endedMs, collections }: LongStretch, threadTime: ThreadTime): number {
  let ownMs = 0;
  let atMs = startedMs;
  for (const pause of [...collections, { startedMs: endedMs, endedMs }]) {
    if (pause.startedMs > atMs) {
      ownMs += Math.min(pause.startedMs - atMs, threadTime.usedMs(atMs, pause.startedMs));
    }
    atMs = Math.max(atMs, pause.endedMs);
  }
  return ownMs;
}

/** Prints what each long stretch was; true when one of them may have had work of more than MOST_STEP_MS in it. */
function toldLongSteps(collections: Collections, threadTime: ThreadTime): boolean {
  const { majorCount, longestMs, stretches } = collections;
  console.log(
    `  major collections: ${majorCount}, the longest ${longestMs.toFixed(1)} ms; stretches above ${MOST_STEP_MS} ms: ${stretches.length}`,
  );
  let isAny = false;
  for (const stretch of stretches) {
    const tookMs = stretch.endedMs - stretch.startedMs;
    const collectedMs = stretch.collections.reduce((sum, { startedMs, endedMs }) => sum + endedMs - startedMs, 0);
    const ownMs = ownMsOf(stretch, threadTime);
    console.log(
      `    ${stretch.work.padEnd(12)}${tookMs.toFixed(1).padStart(6)} ms, ${collectedMs.toFixed(1)} of them collections; ` +
        `its own at most ${ownMs.toFixed(1)}`,
    );
    if (!(ownMs <= MOST_STEP_MS)) isAny = true;
  }
  return isAny;
}

/** The log after all `count` long stretches have arrived. Null: they did not arrive. */
async function toldBy(read: () => Collections, count: number): Promise<Collections | null> {
  for (let round = 0; round < 40; round++) {
    const told = read();
    if (told.stretches.length >= count) return told;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return null;
}

const whole = loadDataset("scale");
if (whole === null) {
  console.log("scale: this data set is not on this machine");
} else {
  const sources = whole.sources.slice(0, Number(values.documents));
  const sourceBytes = sources.reduce((sum, { length }) => sum + length, 0);
  const dataset = { ...whole, sources, sourceBytes };
  const folder = await mkdtemp(join(tmpdir(), "aisle-load-"));
  const collections = traceCollections(folder);
  const service = await startService({ variables: { LOG: "errors" } });
  const threadTime = new ThreadTime(service.pid);
  const importing = { parallel: 4, bulkBytes: Number(values.bulk) };
  try {
    await importInto(service.url, "shop", dataset, importing);
    const client = new Client(service.url, 1);
    const paths: string[] = [];
    for (let at = 0; at < dataset.queries.length && paths.length < QUERIES; at += 9) {
      const q = new URLSearchParams({ q: dataset.queries[at] }).toString();
      const path = `/search-api/v1/search/shop?${q}`;
      const { status, text } = await client.send({ method: "GET", path });
      if (status !== 200) throw new Error(`search answered ${status}: ${text}`);
      if (((JSON.parse(text) as SearchResult).slices[0]?.matchCount ?? 0) > 0) paths.push(path);
    }
    const nextPath = newTexts(paths);
    let missed = false;
    console.log("  phase        p50 ms   p95 ms   max ms  searches  errors   cpu/s");
    const phases: readonly (readonly [string, () => Promise<void>])[] = [
      ["quiet", () => new Promise((resolve) => setTimeout(resolve, Number(values.seconds) * 1_000))],
      ["another", () => importInto(service.url, "other", dataset, importing)],
      ["replaced", () => importInto(service.url, "shop", dataset, importing)],
    ];
    for (const [name, work] of phases) {
      const { ms, failures, cpuPerSecond } = await searchWhile(service.url, nextPath, work());
      const cells = [percentile(ms, 0.5), percentile(ms, 0.95), percentile(ms, 1)];
      console.log(
        `  ${name.padEnd(10)}${cells.map((cell) => cell.toFixed(1).padStart(9)).join("")}` +
          `${String(ms.length).padStart(10)}${String(failures).padStart(8)}${cpuPerSecond.toFixed(2).padStart(8)}`,
      );
      if (failures > 0 || percentile(ms, 0.95) > MOST_P95_MS) missed = true;
    }
    const { text } = await client.send({ method: "GET", path: "/metrics" });
    client.close();
    let longCount = 0;
    for (const line of text.split("\n")) {
      const found = /^(aisle_work_\w+|aisle_import_memory_peak_bytes)\{(?:work="(\w+)")?.*\} (\S+)$/.exec(line);
      if (found === null) continue;
      console.log(`  ${found[1]} ${found[2] ?? ""} ${found[3]}`);
      if (found[1] === "aisle_work_long_total") longCount += Number(found[3]);
    }
    const told = collections === null ? null : await toldBy(collections, longCount);
    // Without a log, all stretches count as own work.
    if (told === null ? longCount > 0 : toldLongSteps(told, threadTime)) missed = true;
    console.log(`  ${describeLoad(machineLoad())}`);
    if (missed && values.gate) process.exitCode = 1;
  } finally {
    await threadTime.stop();
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
