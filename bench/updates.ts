/**
 * What do updates cost the searches beside them, and are their rates held? One shard, through workerd.
 *
 *   node bench/updates.ts [--documents 60000] [--seconds 8] [--rounds 3] [--clients 4] [--pace 0] [--load
 *   puts,patches] [--gate]
 *
 *   quiet     searches from a few clients, each asking again as soon as it has its answer (or after --pace ms)
 *   puts      the same beside 300 PUTs a second of one document each
 *   patches   the same beside 10 PATCHes a second of 500 prices each
 *
 * Loads take turns with quiet phases, so that whatever else the machine does meets all of them; figures are medians
 * over the rounds, and a ratio is formed with the quiet phase just before. "cpu" is that of the service per second of
 * the phase; "cpu ms" what a search took in the quiet phase, and a document in the loaded one (what is left when its
 * searches are taken off): on a machine that is busy otherwise, these alone mean something. Updates are sent by the
 * clock, whether or not earlier ones have been answered: a service that does not keep up is found out. --gate ends
 * with 1 where a target is missed.
 *
 * The searches send what shoppers of the data set `scale` typed, with all facets; documents are those of `scale`, the
 * priced ones first.
 */
import { parseArgs } from "node:util";
import type { SearchResult, UpdateAnswer } from "../src/interface/index.ts";
import { loadDataset, type Dataset } from "./datasets.ts";
import { describeLoad, machineLoad, median, percentile } from "./measure.ts";
import { newTexts } from "./new-texts.ts";
import { Client, importInto, serviceCpuSeconds, startService, type Ask } from "./service.ts";

const INDEX = "bench";
/** Queries that the clients go round. */
const QUERIES = 150;
const MOST_RATIO = 2;
/** Share of the asked rate that counts as held: the last ones may be under way when the phase ends. */
const HELD = 0.97;

const LOADS = {
  puts: { perSecond: 300, documents: 1 },
  patches: { perSecond: 10, documents: 500 },
} as const;
type LoadName = keyof typeof LOADS;

interface Product {
  readonly id: string;
  readonly data: Readonly<Record<string, unknown>>;
}

interface Phase {
  readonly searchMs: readonly number[];
  readonly searchFailures: number;
  readonly updateMs: readonly number[];
  readonly updateFailures: number;
  /** Documents acknowledged as updated, per second. */
  readonly documentsPerSecond: number;
  readonly cpuSeconds: number;
  /** Until the last update was answered. */
  readonly seconds: number;
  /** Acknowledged, in the phase or after it. */
  readonly documents: number;
}

/** The priced documents of the set first, then others, so that all prices are in. */
function cut(dataset: Dataset, documents: number): { dataset: Dataset; priced: Product[] } {
  const decoder = new TextDecoder();
  const priced: Product[] = [];
  const first: Uint8Array[] = [];
  const others: Uint8Array[] = [];
  for (const source of dataset.sources) {
    const product = JSON.parse(decoder.decode(source)) as Product;
    const isPriced = typeof product.data["price"] === "number" && first.length < documents;
    if (isPriced) priced.push(product);
    (isPriced ? first : others).push(source);
  }
  const sources = [...first, ...others.slice(0, documents - first.length)];
  const sourceBytes = sources.reduce((sum, source) => sum + source.length, 0);
  return { dataset: { ...dataset, sources, sourceBytes }, priced };
}

async function searchesFor(client: Client, dataset: Dataset): Promise<() => string> {
  const paths: string[] = [];
  const step = Math.max(1, Math.floor(dataset.queries.length / (QUERIES * 2)));
  for (let at = 0; at < dataset.queries.length && paths.length < QUERIES; at += step) {
    const q = new URLSearchParams({ q: dataset.queries[at] }).toString();
    const path = `/search-api/v1/search/${INDEX}?${q}`;
    const { status, text } = await client.send({ method: "GET", path });
    if (status !== 200) throw new Error(`search answered ${status}: ${text}`);
    const found = JSON.parse(text) as SearchResult;
    if ((found.slices[0]?.matchCount ?? 0) > 0) paths.push(path);
  }
  return newTexts(paths);
}

/** Another number each time, the same ones in every run. */
class Counter {
  #state = 12345;

  below(bound: number): number {
    this.#state = (Math.imul(this.#state, 1_103_515_245) + 12_345) >>> 0;
    return (this.#state >>> 8) % bound;
  }
}

class Updates {
  readonly #priced: readonly Product[];
  readonly #random = new Counter();

  constructor(priced: readonly Product[]) {
    this.#priced = priced;
  }

  next(load: LoadName): Ask {
    const path = `/indexer-api/v1/update/${INDEX}`;
    switch (load) {
      case "puts": {
        const product = this.#priced[this.#random.below(this.#priced.length)];
        const data = { ...product.data, price: this.#price() };
        return { method: "PUT", path, body: JSON.stringify([{ ...product, data }]) };
      }
      case "patches": {
        const patches = Array.from({ length: LOADS.patches.documents }, () => {
          const { id } = this.#priced[this.#random.below(this.#priced.length)];
          return { id, data: { price: this.#price() } };
        });
        return { method: "PATCH", path, body: JSON.stringify(patches) };
      }
    }
  }

  #price(): number {
    return (this.#random.below(50_000) + 99) / 100;
  }
}

interface Run {
  readonly url: string;
  readonly nextSearch: () => string;
  readonly updates: Updates;
  readonly clients: number;
  readonly paceMs: number;
  readonly seconds: number;
}

async function phase(run: Run, load: LoadName | null): Promise<Phase> {
  const searchMs: number[] = [];
  const updateMs: number[] = [];
  let searchFailures = 0;
  let updateFailures = 0;
  let documents = 0;
  let acknowledged = 0;
  const startCpuSeconds = serviceCpuSeconds();
  const startMs = performance.now();
  const endMs = startMs + run.seconds * 1_000;
  const searching = new Client(run.url, run.clients);
  // Many, as of many senders: what waits for a connection would slow down the sending.
  const updating = new Client(run.url, 64);

  async function search(): Promise<void> {
    while (performance.now() < endMs) {
      const path = run.nextSearch();
      const sentMs = performance.now();
      const { status } = await searching.send({ method: "GET", path });
      searchMs.push(performance.now() - sentMs);
      if (status !== 200) searchFailures++;
      if (run.paceMs > 0) await new Promise((resolve) => setTimeout(resolve, run.paceMs));
    }
  }

  async function sendUpdate(ask: Ask, dueMs: number): Promise<void> {
    const { status, text } = await updating.send(ask);
    // From when it was due: waiting for a free connection counts.
    updateMs.push(performance.now() - dueMs);
    if (status !== 200) updateFailures++;
    else {
      const done = Object.values(JSON.parse(text) as UpdateAnswer).filter(
        (result) => result === "UPDATED" || result === "NOOP",
      ).length;
      acknowledged += done;
      // What is answered after the phase was not done in it.
      if (performance.now() < endMs) documents += done;
    }
  }

  async function update(name: LoadName): Promise<void> {
    const { perSecond } = LOADS[name];
    const sent: Promise<void>[] = [];
    for (let i = 0; ; i++) {
      const dueMs = startMs + (i * 1_000) / perSecond;
      if (dueMs >= endMs) break;
      const waitMs = dueMs - performance.now();
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      sent.push(sendUpdate(run.updates.next(name), dueMs));
    }
    await Promise.all(sent);
  }

  await Promise.all([...Array.from({ length: run.clients }, search), ...(load === null ? [] : [update(load)])]);
  searching.close();
  updating.close();
  return {
    searchMs,
    searchFailures,
    updateMs,
    updateFailures,
    documentsPerSecond: documents / run.seconds,
    cpuSeconds: serviceCpuSeconds() - startCpuSeconds,
    seconds: (performance.now() - startMs) / 1_000,
    documents: acknowledged,
  };
}

function line(name: string, columns: readonly (string | number)[]): string {
  const cells = columns.map((value) => (typeof value === "number" ? value.toFixed(1) : value).padStart(10));
  return `  ${name.padEnd(22)}${cells.join("")}`;
}

const { values } = parseArgs({
  options: {
    documents: { type: "string", default: "60000" },
    seconds: { type: "string", default: "8" },
    rounds: { type: "string", default: "3" },
    clients: { type: "string", default: "4" },
    pace: { type: "string", default: "0" },
    load: { type: "string", default: "puts,patches" },
    gate: { type: "boolean", default: false },
  },
});
const whole = loadDataset("scale");
if (whole === null) {
  console.log("scale: this data set is not on this machine");
} else {
  const { dataset, priced } = cut(whole, Number(values.documents));
  const loads = values.load.split(",").map((name) => {
    if (name !== "puts" && name !== "patches") throw new TypeError(`--load ${name}`);
    return name;
  });
  const service = await startService({ variables: { LOG: "errors" } });
  try {
    await importInto(service.url, INDEX, dataset);
    const client = new Client(service.url, 1);
    const nextSearch = await searchesFor(client, dataset);
    client.close();
    const run: Run = {
      url: service.url,
      nextSearch,
      updates: new Updates(priced),
      clients: Number(values.clients),
      paceMs: Number(values.pace),
      seconds: Number(values.seconds),
    };
    // Rates are held for hours, so V8 has compiled what they need.
    await phase(run, null);
    for (const load of loads) await phase(run, load);
    const header = ["p50 ms", "p95 ms", "max ms", "searches", "cpu", "cpu ms"];
    console.log(line("phase", [...header, "upd p50", "upd p95", "docs/s", "p95 ratio"]));
    let missed = false;
    for (const load of loads) {
      const quiet: Phase[] = [];
      const loaded: Phase[] = [];
      for (let round = 0; round < Number(values.rounds); round++) {
        quiet.push(await phase(run, null));
        loaded.push(await phase(run, load));
      }
      const over = (phases: readonly Phase[], of: (one: Phase) => number): number => median(phases.map(of));
      const ratio = median(
        loaded.map(({ searchMs }, i) => percentile(searchMs, 0.95) / percentile(quiet[i].searchMs, 0.95)),
      );
      const searchCpuMs = over(quiet, ({ cpuSeconds, searchMs }) => (cpuSeconds * 1_000) / searchMs.length);
      const documentCpuMs = over(
        loaded,
        ({ cpuSeconds, searchMs, documents }) => (cpuSeconds * 1_000 - searchMs.length * searchCpuMs) / documents,
      );
      for (const [name, phases] of [
        ["quiet", quiet],
        [load, loaded],
      ] as const) {
        const failures = phases.reduce((sum, one) => sum + one.searchFailures + one.updateFailures, 0);
        const own =
          name === "quiet"
            ? []
            : [
                over(phases, ({ updateMs }) => percentile(updateMs, 0.5)),
                over(phases, ({ updateMs }) => percentile(updateMs, 0.95)),
                over(phases, ({ documentsPerSecond }) => documentsPerSecond),
                ratio.toFixed(2),
              ];
        console.log(
          line(name, [
            over(phases, ({ searchMs }) => percentile(searchMs, 0.5)),
            over(phases, ({ searchMs }) => percentile(searchMs, 0.95)),
            over(phases, ({ searchMs }) => percentile(searchMs, 1)),
            over(phases, ({ searchMs }) => searchMs.length),
            over(phases, ({ cpuSeconds, seconds }) => cpuSeconds / seconds).toFixed(2),
            (name === "quiet" ? searchCpuMs : documentCpuMs).toFixed(name === "quiet" ? 1 : 3),
            ...own,
          ]) + (failures === 0 ? "" : `  ${failures} FAILED`),
        );
        if (failures > 0) missed = true;
      }
      const { perSecond, documents } = LOADS[load];
      const held = over(loaded, ({ documentsPerSecond }) => documentsPerSecond);
      // An id twice in one bulk is answered once.
      if (ratio > MOST_RATIO || held < HELD * perSecond * documents) missed = true;
    }
    console.log(`  ${describeLoad(machineLoad())}`);
    if (missed && values.gate) process.exitCode = 1;
  } finally {
    await service.stop();
  }
}
