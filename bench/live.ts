/**
 * Measures a search right after a write, in the engine alone, on one thread, without HTTP and
 * SQLite.
 *
 *   node bench/live.ts [--documents 60000] [--batch 10] [--rounds 300] [--searches 1]
 *
 * Each round puts a batch of documents with other prices (as a shard does: one tiny segment, the
 * log kept short by the shard's rules), then searches once in the resulting reader and once in the
 * one without writes, in alternating order. A new reader has empty caches unless they are carried
 * over.
 *
 * Printed: means in ms, the ratio of the two searches, and the phases of both.
 */
import { parseArgs } from "node:util";
import type { Reader } from "../src/index-engine/index/reader.ts";
import type { LiveSegment, Segment } from "../src/index-engine/segment/model/index.ts";
import { mergeSegments, openSegment, SegmentBuilder } from "../src/index-engine/segment/index.ts";
import { storedChunks } from "../src/index-engine/segment/stored/index.ts";
import { builtInTenantConfig } from "../src/interface/index.ts";
import { logRun } from "../src/objects/shard/log/log-run.ts";
import { loadDataset } from "./datasets.ts";
import { Engine, PHASES, type PhaseTimes } from "./engine.ts";
import { indexDataset, type IndexedSet } from "./index-set.ts";

const decoder = new TextDecoder();

const { values } = parseArgs({
  options: {
    documents: { type: "string", default: "60000" },
    batch: { type: "string", default: "10" },
    rounds: { type: "string", default: "300" },
    searches: { type: "string", default: "1" },
  },
});

class LiveSet {
  readonly plan;
  readonly chunks: Map<string, readonly Uint8Array[]>;
  reader: Reader;
  #log: readonly Segment[] = [];
  #blocks = 0;

  constructor({ plan, reader, chunks }: IndexedSet) {
    this.plan = plan;
    this.reader = reader;
    this.chunks = new Map(chunks);
  }

  get logLength(): number {
    return this.#log.length;
  }

  put(sources: readonly Uint8Array[]): void {
    const block = `update-${++this.#blocks}`;
    const { plan } = this;
    const builder = new SegmentBuilder({
      analyzer: plan.analyzer,
      normGroup: (field) => plan.normGroup(field),
      language: plan.language,
      storedBlock: block,
    });
    const ids = new Set<string>();
    for (const source of sources) {
      const outcome = plan.read(JSON.parse(decoder.decode(source)), source);
      if (outcome.status !== "indexable" || ids.has(outcome.product.id)) continue;
      ids.add(outcome.product.id);
      builder.add(outcome.product);
    }
    const built = builder.finish();
    this.chunks.set(block, storedChunks(built.stored));
    const segment = openSegment(built.index);
    this.reader = this.reader.withUpdate(segment, []);
    this.#log = [...this.#log, segment];
  }

  /** Like LogMerging of a shard, but large runs are merged immediately. */
  merge(): void {
    for (;;) {
      const run = logRun(
        this.#log.map(({ sizeBytes }) => ({ sizeBytes, isSegment: true })),
        true,
      );
      if (run === null) return;
      const { start, end } = run;
      const merged = new Set(this.#log.slice(start, end));
      const inputs: LiveSegment[] = this.reader.segments.filter(({ segment }) =>
        merged.has(segment.base),
      );
      const segment = openSegment(mergeSegments(inputs));
      this.reader = this.reader.replaceRun(inputs, segment);
      this.#log = [...this.#log.slice(0, start), segment, ...this.#log.slice(end)];
    }
  }
}

const whole = loadDataset("scale");
if (whole === null) {
  console.log("scale: this data set is not on this machine");
} else {
  const sources = whole.sources.slice(0, Number(values.documents));
  const set = indexDataset({ ...whole, sources });
  const live = new LiveSet(set);
  const quiet = new Engine(set);
  const engine = new Engine(live);
  const tenant = builtInTenantConfig("bench", ["bench"]);
  const cases = whole.queries
    .filter((_, at) => at % Math.max(1, Math.floor(whole.queries.length / 300)) === 0)
    .map((q) => ({ query: new URLSearchParams({ q }).toString() }))
    .filter(({ query }) => {
      const input = { kind: "address", query } as const;
      const { slices } = JSON.parse(decoder.decode(quiet.answer({ input, tenant }))) as {
        slices: readonly { matchCount: number }[];
      };
      return (slices[0]?.matchCount ?? 0) > 0;
    })
    .map(({ query }) => ({ input: { kind: "address", query } as const, tenant }));
  let state = 12_345;
  const below = (bound: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % bound;
  };
  const encoder = new TextEncoder();
  const nextBatch = (): Uint8Array[] =>
    Array.from({ length: Number(values.batch) }, () => {
      const product = JSON.parse(decoder.decode(sources[below(sources.length)])) as {
        data: Record<string, unknown>;
      };
      product.data["price"] = (below(50_000) + 99) / 100;
      return encoder.encode(JSON.stringify(product));
    });
  const noTimes = (): PhaseTimes =>
    Object.fromEntries(PHASES.map((phase) => [phase, 0])) as PhaseTimes;
  const spent = { put: 0, merge: 0, live: 0, quiet: 0, log: 0 };
  let phases = { live: noTimes(), quiet: noTimes() };
  const rounds = Number(values.rounds);
  const warmUp = Math.ceil(rounds / 5);
  const searches = Number(values.searches);
  const since = (startMs: number): number => performance.now() - startMs;
  for (let round = -warmUp; round < rounds; round++) {
    if (round === 0) {
      for (const key of Object.keys(spent) as (keyof typeof spent)[]) spent[key] = 0;
      phases = { live: noTimes(), quiet: noTimes() };
    }
    const batch = nextBatch();
    let startMs = performance.now();
    live.put(batch);
    spent.put += since(startMs);
    startMs = performance.now();
    live.merge();
    spent.merge += since(startMs);
    spent.log += live.logLength;
    for (let i = 0; i < searches; i++) {
      const one =
        cases[
          (round + warmUp) * searches + i < 0 ? 0 : ((round + warmUp) * searches + i) % cases.length
        ];
      const runs = [
        () => {
          startMs = performance.now();
          engine.answer(one, phases.live);
          spent.live += since(startMs);
        },
        () => {
          startMs = performance.now();
          quiet.answer(one, phases.quiet);
          spent.quiet += since(startMs);
        },
      ];
      for (const run of round % 2 === 0 ? runs : runs.toReversed()) run();
    }
  }
  const count = rounds * searches;
  const ms = (total: number, per: number): string => (total / per).toFixed(2);
  console.log(
    `${values.batch} documents a batch: put ${ms(spent.put, rounds)} ms, merging ${ms(spent.merge, rounds)} ms, ` +
      `${(spent.log / rounds).toFixed(1)} segments of updates`,
  );
  for (const which of ["quiet", "live"] as const) {
    const parts = PHASES.map((phase) => `${phase} ${ms(phases[which][phase], count)}`).join(", ");
    console.log(`search ${which.padEnd(5)} ${ms(spent[which], count)} ms: ${parts}`);
  }
  console.log(`ratio ${(spent.live / spent.quiet).toFixed(2)}`);
}
