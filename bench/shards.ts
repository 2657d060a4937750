/**
 * What does a search over several shards cost beside the same search on one?
 *
 *   node bench/shards.ts [--set icecat] [--shards 4] [--queries 60]
 *
 * The catalogue is cut by the hash that the service uses. Everything between the two sides is serialised as RPC does
 * it (V8's structured clone). One thread does the work of all shards here; of a deployment, where shards work at the
 * same time, "longest path" says more: the slowest shard of every round, serialising, and the Worker's own part.
 * Answers must be equal, or it ends with 1.
 */
import { parseArgs } from "node:util";
import { deserialize, serialize } from "node:v8";
import { Reader } from "../src/index-engine/index/reader.ts";
import { openSegment, SegmentBuilder } from "../src/index-engine/segment/index.ts";
import type { StoredRef } from "../src/index-engine/segment/model/index.ts";
import {
  EAGER_BYTES,
  searchSharded,
  ShardSearch,
  type ShardTransport,
} from "../src/index-engine/shards/index.ts";
import { readStored, storedChunks } from "../src/index-engine/segment/stored/index.ts";
import {
  suggest,
  suggestPartial,
  suggestSharded,
} from "../src/index-engine/answer/suggest/index.ts";
import { resolveSuggestConfig } from "../src/interface/index.ts";
import { shardIndexOf } from "../src/objects/partition.ts";
import { parseSuggestParameters } from "../src/worker/parameters.ts";
import { CASE_CLASSES, CaseMaker, readInput, type BenchCase } from "./cases.ts";
import { DATASET_NAMES, loadDataset, type Dataset } from "./datasets.ts";
import { Engine } from "./engine.ts";
import { indexDataset, type IndexedSet } from "./index-set.ts";
import { describeLoad, machineLoad, median, percentile } from "./measure.ts";
import { wholeJson } from "../src/index-engine/answer/render/index.ts";

const ROUNDS = 3;
const PHYSICAL_NAME = "ocs-1-bench-en";
const decoder = new TextDecoder();

interface Shard {
  readonly reader: Reader;
  readonly chunks: readonly Uint8Array[];
}

/** One segment per shard. */
function cut(dataset: Dataset, { plan }: IndexedSet, count: number): Shard[] {
  const sharding = { shards: Array.from({ length: count }, (_, i) => String(i)) };
  const builders = sharding.shards.map(
    (storedBlock) =>
      new SegmentBuilder({
        analyzer: plan.analyzer,
        normGroup: (field) => plan.normGroup(field),
        language: plan.language,
        storedBlock,
      }),
  );
  for (const source of dataset.sources) {
    const outcome = plan.read(JSON.parse(decoder.decode(source)), source);
    if (outcome.status === "indexable") {
      builders[shardIndexOf(sharding, outcome.product.id)]?.add(outcome.product);
    }
  }
  return builders.map((builder) => {
    const built = builder.finish();
    return {
      reader: Reader.of([openSegment(built.index)]),
      chunks: storedChunks(built.stored),
    };
  });
}

/** Of one request, in ms and bytes. */
interface Cost {
  pathMs: number;
  shardsMs: number;
  bytes: number;
  rounds: number;
}

/** Every side of a round, and what goes over the wire; adds to `cost`. */
function ask<Step, Answer>(
  cost: Cost,
  steps: readonly Step[],
  answer: (step: Step, shard: number) => Answer,
): Answer[] {
  cost.rounds++;
  let slowestMs = 0;
  const sent = steps.map((step, shard) => {
    const there = serialize(step);
    const startMs = performance.now();
    const back = serialize(answer(deserialize(there) as Step, shard));
    const tookMs = performance.now() - startMs;
    slowestMs = Math.max(slowestMs, tookMs);
    cost.shardsMs += tookMs;
    cost.bytes += there.length + back.length;
    return back;
  });
  // What the shards did at the same time counts once.
  cost.pathMs += slowestMs;
  return sent.map((bytes) => deserialize(bytes) as Answer);
}

async function answerSharded(
  shards: readonly Shard[],
  { plan }: IndexedSet,
  { input, tenant }: Pick<BenchCase, "input" | "tenant">,
): Promise<{ readonly json: string; readonly cost: Cost }> {
  const cost: Cost = { pathMs: 0, shardsMs: 0, bytes: 0, rounds: 0 };
  const startMs = performance.now();
  const request = readInput(input);
  const sides = shards.map(
    ({ reader }) => new ShardSearch(reader, plan, { request, tenant, physicalName: PHYSICAL_NAME }),
  );
  const rendered = (shard: number, positions: readonly number[]): Uint8Array[] => {
    const { hits, refs } = sides[shard].hits(positions);
    return hits.map((hit, i) => wholeJson(sides[shard].render(hit, sourceOf(shard, refs[i]))));
  };
  const sourceOf = (shard: number, { chunk, offset }: StoredRef): Uint8Array =>
    readStored(shards[shard].chunks[chunk], offset);
  /** As objects/shard/reading/rounds.ts decides. */
  const eagerly = (shard: number, positions: readonly number[] | null): Uint8Array[] | null => {
    if (positions === null) return null;
    const { refs } = sides[shard].hits(positions);
    const sizeBytes = refs.reduce((sum, ref) => sum + sourceOf(shard, ref).byteLength, 0);
    return sizeBytes > EAGER_BYTES ? null : rendered(shard, positions);
  };
  const transport: ShardTransport = {
    survey: async (steps) => ask(cost, steps, (step, i) => sides[i].survey(step)),
    decide: async (steps) => ask(cost, steps, (step, i) => sides[i].decide(step)),
    sets: async (steps) => ask(cost, steps, (step, i) => sides[i].sets(step)),
    execute: async (steps) =>
      ask(cost, steps, (step, i) => {
        const { partial, facets, eagerHits } = sides[i].execute(step);
        return { partial, facets, hits: eagerly(i, eagerHits) };
      }),
    more: async (steps) =>
      ask(cost, steps, (step, i) =>
        step === null
          ? null
          : {
              hits: rendered(i, step.positions),
              sourceBytes: step.positions.map(() => 0),
              facets: sides[i].facets(step.needs),
            },
      ),
  };
  const { json } = await searchSharded(
    transport,
    shards.map(() => 0),
    request,
    tenant,
  );
  cost.pathMs += performance.now() - startMs - cost.shardsMs;
  return { json: decoder.decode(json), cost };
}

async function suggestOverShards(
  shards: readonly Shard[],
  { plan }: IndexedSet,
  query: string,
): Promise<{ readonly json: string; readonly cost: Cost }> {
  const cost: Cost = { pathMs: 0, shardsMs: 0, bytes: 0, rounds: 0 };
  const config = resolveSuggestConfig({}, "bench");
  const startMs = performance.now();
  const request = parseSuggestParameters(query);
  const suggestions = await suggestSharded(
    async (needs) =>
      ask(
        cost,
        shards.map(() => needs),
        (wanted, i) => suggestPartial(shards[i].reader, plan, config, request, wanted),
      ),
    plan.language,
    config,
    request,
  );
  cost.pathMs += performance.now() - startMs - cost.shardsMs;
  return { json: JSON.stringify(suggestions), cost };
}

function comparable(json: string): string {
  return json.replace(/^\{"tookInMillis":\d+/, "{");
}

function row(name: string, singleMs: readonly number[], costs: readonly Cost[]): string {
  const us = (values: readonly number[], share: number): string =>
    String(Math.round(percentile([...values], share) * 1_000)).padStart(8);
  const paths = costs.map(({ pathMs }) => pathMs);
  return [
    name.padEnd(14),
    us(singleMs, 0.5),
    us(singleMs, 0.95),
    us(paths, 0.5),
    us(paths, 0.95),
    us(
      costs.map(({ shardsMs }) => shardsMs),
      0.5,
    ),
    String(median(costs.map(({ rounds }) => rounds))).padStart(8),
    String(Math.max(...costs.map(({ rounds }) => rounds))).padStart(6),
    String(Math.round(median(costs.map(({ bytes }) => bytes)) / 1_024)).padStart(8),
    String(Math.round(Math.max(...costs.map(({ bytes }) => bytes)) / 1_024)).padStart(8),
  ].join(" ");
}

const { values } = parseArgs({
  options: {
    set: { type: "string", default: "icecat" },
    shards: { type: "string", default: "4" },
    queries: { type: "string", default: "60" },
  },
});
const name = DATASET_NAMES.find((known) => known === values.set);
const dataset = name === undefined ? null : loadDataset(name);
if (dataset === null) throw new Error(`no data set ${values.set}`);
console.log(describeLoad(machineLoad()));
const set = indexDataset(dataset);
const count = Number(values.shards);
const shards = cut(dataset, set, count);
const engine = new Engine(set);
const cases = new CaseMaker(set, dataset.queries, Number(values.queries));
let different = 0;

console.log(
  `${dataset.name}, ${set.facts.documents} documents, ${count} shards; us\n` +
    "                one p50  one p95 path p50 path p95 work p50   rounds   most   KB p50   KB max",
);
for (const className of CASE_CLASSES) {
  const singleMs: number[] = [];
  const costs: Cost[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const one of cases.of(className)) {
      const startMs = performance.now();
      const expected = engine.answer(one);
      const tookMs = performance.now() - startMs;
      const { json, cost } = await answerSharded(shards, set, one);
      if (comparable(json) !== comparable(decoder.decode(expected))) {
        different++;
        console.log(`different: ${JSON.stringify(one.input)}`);
      }
      // The first round warms up.
      if (round === 0) continue;
      singleMs.push(tookMs);
      costs.push(cost);
    }
  }
  console.log(row(className, singleMs, costs));
}
const singleMs: number[] = [];
const costs: Cost[] = [];
for (let round = 0; round < ROUNDS; round++) {
  for (const typed of cases.typed()) {
    const query = `userQuery=${encodeURIComponent(typed)}&limit=10`;
    const startMs = performance.now();
    const request = parseSuggestParameters(query);
    const config = resolveSuggestConfig({}, "bench");
    const expected = JSON.stringify(suggest(set.reader, set.plan, config, request));
    const tookMs = performance.now() - startMs;
    const { json, cost } = await suggestOverShards(shards, set, query);
    if (json !== expected) {
      different++;
      console.log(`different suggestions: ${typed}`);
    }
    if (round === 0) continue;
    singleMs.push(tookMs);
    costs.push(cost);
  }
}
console.log(row("suggest", singleMs, costs));
if (different > 0) process.exitCode = 1;
