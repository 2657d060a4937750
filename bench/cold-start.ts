/**
 * Measures how long a shard takes to wake up.
 *
 *   node bench/cold-start.ts [--documents 100000] [--rounds 5] [--restarts 3] [--folder kept]
 *
 * Imports the first documents of the data set `scale` into the service under workerd, on a shard of their own, and
 * then asks
 *
 *   evicted      after 11 idle seconds: the platform has dropped the object's memory, the code is warm
 *   restarted    in a new process: nothing of the code has run yet
 *
 * first a search with a word, then everything with all facets. "load" is the shard's own time for
 * opening: bytes from SQLite, checksums, views, log; "engine" is searching, counting facets and
 * rendering. Both are wall times and include the machine's load. "CPU" is the time of all threads
 * of workerd for the answer.
 */
import { parseArgs } from "node:util";
import { loadDataset } from "./datasets.ts";
import { cpuMsOf, describeLoad, machineLoad, median } from "./measure.ts";
import { importInto, startService, type Service } from "./service.ts";

const INDEX = "cold";
const IDLE_MS = 11_000;
const COMPACTED_WITHIN_MS = 30_000;
const WORDS = ["shoe", "shirt", "watch", "bag", "phone", "camera", "dress", "book"];

const { values } = parseArgs({
  options: {
    documents: { type: "string", default: "100000" },
    rounds: { type: "string", default: "5" },
    restarts: { type: "string", default: "3" },
    folder: { type: "string" },
  },
});

interface Loaded {
  readonly sizeBytes: number;
  readonly segments: number;
  readonly fetched: number;
  readonly tookMs: number;
}

interface Sample {
  readonly totalMs: number;
  /** Of workerd. */
  readonly cpuMs: number;
  readonly engineMs: number;
}

interface Compacted {
  readonly before: readonly number[];
  readonly after: readonly number[];
  readonly tookMs: number;
}

let loaded: Loaded | null = null;
const compacted: Compacted[] = [];
function onLog(line: string): void {
  if (!line.startsWith("{")) return;
  const event = JSON.parse(line) as { event?: string };
  if (event.event === "shard_loaded") loaded = event as unknown as Loaded;
  if (event.event === "compacted") compacted.push(event as unknown as Compacted);
}

/**
 * Waits for the merge of segments that follows publishing after a few seconds.
 */
async function untilCompacted(): Promise<void> {
  const megabytes = (sizes: readonly number[]): string => sizes.map((bytes) => (bytes / 1e6).toFixed(1)).join(" + ");
  for (let waitedMs = 0; waitedMs < COMPACTED_WITHIN_MS; waitedMs += 1_000) {
    await wait(1_000);
    const one = compacted.shift();
    if (one === undefined) continue;
    console.log(`  compaction: ${megabytes(one.before)} MB to ${megabytes(one.after)} MB in ${one.tookMs} ms`);
    return;
  }
  console.log("  (nothing was compacted)");
}

async function ask(service: Service, parameters: string): Promise<Sample> {
  const beforeMs = cpuMsOf(service.pid);
  const startMs = performance.now();
  const response = await fetch(new URL(`/search-api/v1/search/${INDEX}?${parameters}`, service.url));
  const text = await response.text();
  const totalMs = performance.now() - startMs;
  if (response.status !== 200) throw new Error(`${response.status} ${text.slice(0, 300)}`);
  const cpuMs = cpuMsOf(service.pid) - beforeMs;
  const timing = response.headers.get("server-timing") ?? "";
  return { totalMs, cpuMs, engineMs: Number(/engine;dur=([\d.]+)/.exec(timing)?.[1] ?? NaN) };
}

const wait = async (ms: number): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve, ms));
};

function print(what: string, samples: readonly Sample[], loads: readonly Loaded[]): void {
  const of = (list: readonly number[]): string => {
    const rest = list.length > 1 ? ` (${Math.min(...list).toFixed(0)}-${Math.max(...list).toFixed(0)})` : "";
    return `${median(list).toFixed(0)} ms${rest}`;
  };
  const [first] = loads;
  const perMegabyte = loads.map(({ tookMs, sizeBytes }) => tookMs / (sizeBytes / 1e6));
  console.log(
    `  ${what.padEnd(34)} answer ${of(samples.map(({ totalMs }) => totalMs))}, CPU ${of(samples.map(({ cpuMs }) => cpuMs))}, engine ${of(samples.map(({ engineMs }) => engineMs))}` +
      (first === undefined
        ? ""
        : `, load ${of(loads.map(({ tookMs }) => tookMs))} for ${(first.sizeBytes / 1e6).toFixed(1)} MB in ` +
          `${first.segments} segments, ${median(perMegabyte).toFixed(2)} ms per MB`),
  );
}

const dataset = loadDataset("scale");
if (dataset === null) {
  console.log("scale: this data set is not on this machine");
} else {
  let { folder } = values;
  const cold: Sample[] = [];
  const all: Sample[] = [];
  const loads: Loaded[] = [];
  const take = (): void => {
    if (loaded !== null) loads.push(loaded);
    loaded = null;
  };
  let service = await startService({
    onLog,
    ...(folder === undefined ? { keep: true } : { folder }),
  });
  try {
    if (folder === undefined) {
      folder = service.folder;
      const sources = dataset.sources.slice(0, Number(values.documents));
      await importInto(service.url, INDEX, {
        ...dataset,
        sources,
        sourceBytes: sources.reduce((sum, source) => sum + source.length, 0),
      });
    }
    for (const word of WORDS) await ask(service, `q=${word}`);
    await untilCompacted();
    // Sources are copied from R2 in the background, which keeps the shard awake.
    await wait(5_000);
    for (const word of WORDS) await ask(service, `q=${word}`);
    await ask(service, "sort=price");
    print("warm: q=shoe", [await ask(service, "q=shoe")], []);
    print("warm: everything", [await ask(service, "limit=12")], []);
    for (let round = 0; round < Number(values.rounds) * 2; round++) {
      await wait(IDLE_MS);
      loaded = null;
      const isAll = round % 2 === 1;
      const sample = await ask(service, isAll ? "limit=12" : `q=${WORDS[round % WORDS.length]}`);
      if (loaded === null) console.log("  (the shard had not been evicted)");
      take();
      (isAll ? all : cold).push(sample);
    }
    print("evicted: first answer, a word", cold, loads);
    print("evicted: first answer, everything", all, loads);
  } finally {
    await service.stop();
  }
  for (const isAll of [false, true]) {
    const samples: Sample[] = [];
    const opened: Loaded[] = [];
    for (let restart = 0; restart < Number(values.restarts); restart++) {
      loaded = null;
      service = await startService({ onLog, folder });
      try {
        samples.push(await ask(service, isAll ? "limit=12" : "q=shoe"));
        if (loaded !== null) opened.push(loaded);
      } finally {
        await service.stop();
      }
    }
    print(`restarted: first answer, ${isAll ? "everything" : "a word"}`, samples, opened);
  }
  console.log(`  ${describeLoad(machineLoad())}; the folder is ${folder}`);
}
