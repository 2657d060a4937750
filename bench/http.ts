/**
 * Measures requests through workerd, compared with a minimal Worker: HTTP on 127.0.0.1, Durable
 * Objects with SQLite, R2.
 *
 *   npm run bench:http -- [--products 100000] [--queries 400] [--rounds 30] [--connections 1,8] [--keep folder]
 *                         [--shards 1] [--json file]
 *   npm run bench:http -- --profile listing [--seconds 10] [--save listing.cpuprofile]
 *
 * Two processes of workerd run as a deployment would have them: our Worker, bundled by Wrangler, and a bare one of
 * ten lines whose route calls an object that does nothing (http/bare.js). They are asked in turns, class by class, in
 * slices of a quarter of a second, so that whatever else the machine does meets all of them. CPU is that of all
 * threads of the process. A process runs Worker and objects on one thread and shares the machine with the client.
 *
 * `--keep` names a folder for the imported catalogue, so that the next run need not import it. `--profile` prints the
 * functions that take the most time of one class, by V8's profiler in workerd.
 */
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startWorker } from "../scripts/local-worker.ts";
import { profileOf, topFunctions } from "./http/profile.ts";
import { configuration, INDEX_NAME, requestClasses, type RequestClass } from "./http/requests.ts";
import { cpuMsOf, describeLoad, machineLoad, percentile } from "./measure.ts";
import { newTexts } from "./new-texts.ts";
import { Client, importInto, startService, type Service } from "./service.ts";
import { SyntheticCorpus } from "./synthetic/corpus.ts";

const SLICE_MS = 250;
const WARM_MS = 2_000;
const INSPECTOR_PORTS = { own: 9_339, bare: 9_340 };

const { values: options } = parseArgs({
  options: {
    products: { type: "string", default: "100000" },
    queries: { type: "string", default: "400" },
    rounds: { type: "string", default: "30" },
    connections: { type: "string", default: "1,8" },
    keep: { type: "string" },
    profile: { type: "string" },
    seconds: { type: "string", default: "10" },
    save: { type: "string" },
    json: { type: "string" },
    shards: { type: "string", default: "1" },
  },
});

/** The output of `--json`. */
const report: (Figures & { readonly name: string; readonly connections: number })[] = [];

function repeated(paths: readonly string[]): () => string {
  let next = 0;
  return () => paths[next++ % paths.length];
}

/** A class of requests, and its target. */
class Contestant {
  readonly name: string;
  readonly #nextPath: () => string;
  readonly #url: string;
  readonly #pid: number;
  ms: number[] = [];
  #spentMs = 0;
  #cpuMs = 0;
  #bytes = 0;

  constructor({ name, paths, isNew }: RequestClass, { url, pid }: Pick<Service, "url" | "pid">) {
    this.name = name;
    this.#nextPath = isNew ? newTexts(paths) : repeated(paths);
    this.#url = url;
    this.#pid = pid;
  }

  /** Asks in turn with so many requests under way. Throws where one is not answered with 200. */
  async run(client: Client, connections: number, forMs: number): Promise<void> {
    const startMs = performance.now();
    const startCpuMs = cpuMsOf(this.#pid);
    const runConnection = async (): Promise<void> => {
      while (performance.now() - startMs < forMs) {
        const path = this.#nextPath();
        const sentMs = performance.now();
        const { status, text } = await client.send({ method: "GET", path });
        this.ms.push(performance.now() - sentMs);
        if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`);
        this.#bytes += text.length;
      }
    };
    await Promise.all(Array.from({ length: connections }, runConnection));
    this.#spentMs += performance.now() - startMs;
    this.#cpuMs += cpuMsOf(this.#pid) - startCpuMs;
  }

  client(connections: number): Client {
    return new Client(this.#url, connections);
  }

  reset(): void {
    this.ms = [];
    this.#spentMs = this.#cpuMs = this.#bytes = 0;
  }

  get figures(): Figures {
    const count = this.ms.length;
    return {
      p50Ms: percentile(this.ms, 0.5),
      p95Ms: percentile(this.ms, 0.95),
      cpuMs: this.#cpuMs / count,
      perSecond: (count / this.#spentMs) * 1_000,
      bytes: this.#bytes / count,
    };
  }
}

interface Figures {
  readonly p50Ms: number;
  readonly p95Ms: number;
  /** Of workerd, a request. */
  readonly cpuMs: number;
  readonly perSecond: number;
  /** Of an answer, mean. */
  readonly bytes: number;
}

/** Alternating slices, each round starting with another class. */
async function compare(contestants: readonly Contestant[], connections: number): Promise<void> {
  const turns = contestants.map((one) => ({ one, client: one.client(connections) }));
  for (const { one, client } of turns) {
    await one.run(client, connections, WARM_MS);
    one.reset();
  }
  for (let round = 0; round < Number(options.rounds); round++) {
    turns.push(...turns.splice(0, 1));
    for (const { one, client } of turns) await one.run(client, connections, SLICE_MS);
  }
  for (const { client } of turns) client.close();
  const bare = contestants[0].figures;
  console.log(
    `\n${connections === 1 ? "one client" : `${connections} clients`}` +
      "\n  class                     p50 ms  p95 ms  CPU ms   req/s   bytes     p50, p95, req/s against bare",
  );
  for (const { name, figures } of contestants) {
    report.push({ name, connections, ...figures });
    const { p50Ms, p95Ms, cpuMs, perSecond, bytes } = figures;
    const cells = [...[p50Ms, p95Ms, cpuMs].map((ms) => ms.toFixed(3)), perSecond.toFixed(0), bytes.toFixed(0)];
    // Both times relative to the median of the bare route, whose own p95 shows the machine's noise.
    const ratios = [p50Ms / bare.p50Ms, p95Ms / bare.p50Ms, perSecond / bare.perSecond];
    console.log(
      `  ${name.padEnd(24)}${cells.map((cell) => cell.padStart(8)).join("")}` +
        `     ${ratios.map((one) => one.toFixed(2).padStart(6)).join("")}`,
    );
  }
}

async function profile(contestants: readonly Contestant[], name: string): Promise<void> {
  const one = contestants.find((contestant) => contestant.name === name);
  if (one === undefined) {
    throw new TypeError(`class ${name}: one of ${contestants.map((each) => each.name).join(", ")}`);
  }
  const client = one.client(1);
  await one.run(client, 1, WARM_MS * 2);
  one.reset();
  const found = await profileOf(INSPECTOR_PORTS[name === "bare" ? "bare" : "own"], () =>
    one.run(client, 1, Number(options.seconds) * 1_000),
  );
  client.close();
  if (options.save !== undefined) await writeFile(options.save, JSON.stringify(found));
  const { p50Ms, cpuMs } = one.figures;
  console.log(`${name}: p50 ${p50Ms.toFixed(3)} ms, CPU ${cpuMs.toFixed(3)} ms`);
  for (const line of topFunctions(found, 60)) console.log(line);
}

const corpus = new SyntheticCorpus(Number(options.products), 1);
const folder = options.keep ?? (await mkdtemp(join(tmpdir(), "aisle-http-")));
const isImported = existsSync(join(folder, "state"));
// A kept folder still uses the current code.
await rm(join(folder, "dist"), { recursive: true, force: true });
const service = await startService({
  variables: { LOG: "errors", SHARDS_MIN: options.shards },
  folder,
  ...(options.profile !== undefined && { inspectorPort: INSPECTOR_PORTS.own }),
});
try {
  const bare = await startWorker({
    code: join(import.meta.dirname, "http"),
    script: "bare.js",
    objects: { BARE: "BareObject" },
    state: join(folder, "bare"),
    ...(options.profile === "bare" && { inspectorPort: INSPECTOR_PORTS.bare }),
    onLog: (_, message) => console.error(message),
  });
  try {
    if (!isImported) await importCorpus();
    const own = requestClasses(corpus, Number(options.queries));
    const contestants = [
      new Contestant({ name: "bare", paths: ["/?q=nothing"], isNew: false }, { url: bare.origin, pid: bare.pid }),
      ...own.map((requests) => new Contestant(requests, service)),
    ];
    if (options.profile === undefined) {
      for (const connections of options.connections.split(",").map(Number)) {
        await compare(contestants, connections);
      }
      if (options.json !== undefined) await writeFile(options.json, JSON.stringify(report));
    } else await profile(contestants, options.profile);
    await showSegments();
    console.log(describeLoad(machineLoad()));
  } finally {
    await bare.dispose();
  }
} finally {
  await service.stop();
  if (options.keep === undefined) await rm(folder, { recursive: true, force: true });
}

async function importCorpus(): Promise<void> {
  const encoder = new TextEncoder();
  const sources = Array.from({ length: corpus.size }, (_, number) =>
    encoder.encode(JSON.stringify(corpus.document(number))),
  );
  const sourceBytes = sources.reduce((sum, { length }) => sum + length, 0);
  const client = new Client(service.url, 1);
  const body = JSON.stringify(configuration());
  const { status, text } = await client.send({
    method: "PUT",
    path: "/admin-api/v1/config",
    body,
  });
  client.close();
  if (status !== 200 && status !== 204) throw new Error(`the configuration: ${status} ${text}`);
  await importInto(service.url, INDEX_NAME, {
    name: INDEX_NAME,
    locale: "en",
    sources,
    sourceBytes,
  });
  // The shard merges its segments in the background.
  await new Promise((resolve) => setTimeout(resolve, 15_000));
}

/** Every search walks through all segments of a shard, so figures of one and of several are not comparable. */
async function showSegments(): Promise<void> {
  const client = new Client(service.url, 1);
  const { text } = await client.send({
    method: "GET",
    path: `/admin-api/v1/indexes/${INDEX_NAME}`,
  });
  client.close();
  const { shards } = JSON.parse(text) as {
    readonly shards: readonly { readonly segments: number }[];
  };
  console.log(`segments of the shard: ${shards.map(({ segments }) => segments).join(", ")}`);
}
