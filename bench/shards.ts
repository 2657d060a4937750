/**
 * What a search costs when an index is split into shards, beside the same data in one.
 *
 *   npm run node -- bench/shards.ts [--set scale] [--documents 50000] [--queries 40] [--rounds 5] [--class listing,...]
 *   npm run node -- --cpu-prof bench/shards.ts --class unconfigured --profile "2 shards"
 *
 *   one segment   the whole index after merging
 *   4 segments    the same in four, in one shard
 *   n shards      n shards of two segments
 *
 * All shards run in this thread, one after the other, and every message is cloned as by RPC. So times are CPU times of
 * whole answers, from the parsed request to JSON; deployed shards run side by side. Texts get another number of spaces
 * each time, so only lookups of their words are cached. The classes are those of cases.ts, and `everything`: no words.
 * `--documents` takes the first ones; by default all. Exits with 1 if two contestants answer differently.
 */
import { parseArgs } from "node:util";
import { render, sortableFields, wholeJson } from "../src/index-engine/answer/render/index.ts";
import { run } from "../src/index-engine/base/index.ts";
import type { FieldPlan } from "../src/index-engine/documents/index.ts";
import { Reader } from "../src/index-engine/index/index.ts";
import { search } from "../src/index-engine/search.ts";
import { readStored } from "../src/index-engine/segment/stored/index.ts";
import type { StoredRef } from "../src/index-engine/segment/model/index.ts";
import { searchSharded, ShardSearch, type ShardTransport } from "../src/index-engine/shards/index.ts";
import type { SearchRequest, TenantConfig } from "../src/interface/index.ts";
import { partitionOf, PARTITION_COUNT } from "../src/objects/partition.ts";
import { CASE_CLASSES, CaseMaker, readInput, type BenchCase } from "./cases.ts";
import { loadDataset, readDatasetName, type Dataset } from "./datasets.ts";
import { indexDataset, type IndexedSet } from "./index-set.ts";
import { describeLoad, machineLoad, median, percentile } from "./measure.ts";

const { values: options } = parseArgs({
  options: {
    set: { type: "string", default: "scale" },
    documents: { type: "string", default: "1000000" },
    queries: { type: "string", default: "40" },
    rounds: { type: "string", default: "5" },
    class: { type: "string", default: "unconfigured,listing,browse,everything" },
    profile: { type: "string" },
  },
});

const PHYSICAL_NAME = "ocs-1-bench-en";
const PROFILE_MS = 15_000;
const MOST_SPACES = 100;

/** What an object of a deployment has: a reader and its stored documents. */
class Shard {
  readonly fields: FieldPlan;
  readonly reader: Reader;
  readonly #sets: readonly IndexedSet[];

  constructor(sets: readonly IndexedSet[]) {
    this.fields = sets[0].plan;
    this.reader = Reader.of(sets.flatMap(({ reader }) => reader.segments.map(({ segment }) => segment)));
    this.#sets = sets;
  }

  source({ block, chunk, offset }: StoredRef, segment: number): Uint8Array {
    const bytes = this.#sets[segment].chunks.get(block)?.at(chunk);
    if (bytes === undefined) throw new Error(`no chunk ${chunk} of stored block ${block}`);
    return readStored(bytes, offset);
  }
}

interface Answer {
  readonly json: Uint8Array;
  readonly rounds: number;
}

interface Contestant {
  readonly name: string;
  answer(request: SearchRequest, tenant: TenantConfig): Promise<Answer>;
}

/** One call, as of an index with one shard. */
function alone(name: string, shard: Shard): Contestant {
  const { reader, fields } = shard;
  return {
    name,
    answer: async (request, tenant) => {
      const execution = search(reader, request, tenant, fields);
      const sources = execution.hits.map(({ segment, row }) =>
        shard.source(reader.segments[segment].segment.storedRef(row), segment),
      );
      const sortable = sortableFields(reader.segments, fields, tenant.sortOptions);
      const shown = { execution, request, tenant, plan: fields, sources, sortable, tookInMillis: 0 };
      return { json: render({ ...shown, indexName: () => PHYSICAL_NAME }), rounds: 1 };
    },
  };
}

function together(name: string, shards: readonly Shard[]): Contestant {
  return {
    name,
    answer: async (request, tenant) => {
      const sides = shards.map(
        ({ reader, fields }) => new ShardSearch(reader, fields, { request, tenant, physicalName: PHYSICAL_NAME }),
      );
      const hits = (shard: number, positions: readonly number[]): Uint8Array[] => {
        const found = run(sides[shard].hits(positions));
        return found.hits.map((hit, i) =>
          wholeJson(sides[shard].render(hit, shards[shard].source(found.refs[i], hit.segment), found.refs[i])),
        );
      };
      let rounds = 0;
      const ask = async <Step, Given>(
        steps: readonly Step[],
        answer: (step: Step, shard: number) => Given,
      ): Promise<Given[]> => {
        rounds++;
        return steps.map((step, shard) => structuredClone(answer(structuredClone(step), shard)));
      };
      const transport: ShardTransport = {
        statistics: (steps) => ask(steps, (step, shard) => run(sides[shard].statistics(step))),
        decide: (steps) => ask(steps, (step, shard) => run(sides[shard].decide(step))),
        sets: (steps) => ask(steps, (step, shard) => run(sides[shard].sets(step))),
        execute: (steps) =>
          ask(steps, (step, shard) => {
            const { partial, facets, eagerHits } = run(sides[shard].execute(step));
            return { partial, facets, hits: eagerHits === null ? null : hits(shard, eagerHits) };
          }),
        more: (steps) =>
          ask(steps, (step, shard) => {
            if (step === null) return null;
            const texts = hits(shard, step.positions);
            const facets = run(sides[shard].facets(step.followUps));
            return { hits: texts, sourceBytes: texts.map(({ length }) => length), facets };
          }),
        pause: async () => {},
      };
      const { json } = await searchSharded(
        transport,
        shards.map(() => 0),
        request,
        tenant,
      );
      return { json, rounds };
    },
  };
}

/** Documents by a hash of their ids, as in a deployment. */
function dealt(dataset: Dataset, count: number): Dataset[] {
  const decoder = new TextDecoder();
  const sources = Array.from({ length: count }, (): Uint8Array[] => []);
  for (const source of dataset.sources) {
    const { id } = JSON.parse(decoder.decode(source)) as { readonly id: unknown };
    sources[Math.floor((partitionOf(String(id)) * count) / PARTITION_COUNT)].push(source);
  }
  return sources.map((own) => ({ ...dataset, sources: own }));
}

function contestantsOf(dataset: Dataset, whole: IndexedSet): Contestant[] {
  const eighths = dealt(dataset, 8).map((part) => indexDataset(part));
  const quarters = dealt(dataset, 4).map((part) => indexDataset(part));
  const shards = (parts: readonly IndexedSet[]): Shard[] =>
    parts.flatMap((_, i) => (i % 2 === 0 ? [new Shard(parts.slice(i, i + 2))] : []));
  return [
    alone("one segment", new Shard([whole])),
    alone("4 segments", new Shard(quarters)),
    together("2 shards", shards(quarters)),
    together("4 shards", shards(eighths)),
  ];
}

/** A name and cases; the text of a case differs each time around. */
function casesOf(name: string, maker: CaseMaker): readonly BenchCase[] {
  if (name !== "everything") {
    const known = CASE_CLASSES.find((one) => one === name);
    if (known === undefined) throw new TypeError(`--class ${name}: one of ${CASE_CLASSES.join(", ")}, everything`);
    return maker.of(known);
  }
  const [{ tenant }] = maker.of("unconfigured");
  return ["", "sort=price", "sort=-price"].map((query) => ({ input: { kind: "address", query }, tenant }));
}

function requestOf({ input }: BenchCase, round: number): SearchRequest {
  const request = readInput(input);
  return request.q === "" ? request : { ...request, q: request.q + " ".repeat(round % MOST_SPACES) };
}

async function compare(name: string, contestants: readonly Contestant[], cases: readonly BenchCase[]): Promise<void> {
  const ms = contestants.map(() => cases.map((): number[] => []));
  const rounds = contestants.map(() => 0);
  for (let round = 0; round <= Number(options.rounds); round++) {
    for (const [at, one] of cases.entries()) {
      const answers: string[] = [];
      for (const [i, contestant] of contestants.entries()) {
        const request = requestOf(one, round);
        const startMs = performance.now();
        const answer = await contestant.answer(request, one.tenant);
        // The first round warms up.
        if (round > 0) ms[i][at].push(performance.now() - startMs);
        rounds[i] += answer.rounds;
        if (round === 0) answers.push(decoder.decode(answer.json));
      }
      const unlike = answers.findIndex((answer) => answer !== answers[0]);
      if (unlike >= 0) {
        process.exitCode = 1;
        console.log(`${JSON.stringify(one.input)}: ${contestants[unlike].name} answers differently`);
      }
    }
  }
  const p50 = (i: number): number => percentile(ms[i].map(median), 0.5);
  for (const [i, contestant] of contestants.entries()) {
    const cells = [p50(i), percentile(ms[i].map(median), 0.95)].map((one) => one.toFixed(2).padStart(8));
    const each = rounds[i] / cases.length / (Number(options.rounds) + 1);
    console.log(
      `${name.padEnd(13)}${contestant.name.padEnd(12)}${cells.join("")} ms` +
        `${(p50(i) / p50(0)).toFixed(2).padStart(8)} x${each.toFixed(1).padStart(6)} calls a shard`,
    );
  }
}

const decoder = new TextDecoder();
const loaded = loadDataset(readDatasetName(options.set));
if (loaded === null) {
  console.log(`${options.set} is not there: skipped`);
} else {
  const dataset = { ...loaded, sources: loaded.sources.slice(0, Number(options.documents)) };
  const whole = indexDataset(dataset);
  const maker = new CaseMaker(whole, dataset.queries, Number(options.queries));
  const contestants = contestantsOf(dataset, whole);
  console.log(`${options.set}, ${whole.facts.documents} documents; p50 and p95 over cases, p50 against one segment`);
  if (options.profile !== undefined && !contestants.some(({ name }) => name === options.profile)) {
    throw new TypeError(`--profile ${options.profile}: one of ${contestants.map(({ name }) => name).join(", ")}`);
  }
  for (const name of options.class.split(",")) {
    const cases = casesOf(name, maker);
    const profiled = contestants.find((one) => one.name === options.profile);
    if (profiled === undefined) {
      await compare(name, contestants, cases);
      continue;
    }
    const startMs = performance.now();
    for (let round = 0; performance.now() - startMs < PROFILE_MS; round++) {
      for (const one of cases) await profiled.answer(requestOf(one, round), one.tenant);
    }
  }
  console.log(describeLoad(machineLoad()));
}
