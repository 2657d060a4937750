// Shards without objects: the engine's own two sides of a search, and a wire between them that clones like RPC.
import type { Eagerness } from "../../../src/index-engine/answer/facets/index.ts";
import { MustBeginAgain, run, work, type Parts } from "../../../src/index-engine/base/index.ts";
import type { FieldPlan } from "../../../src/index-engine/documents/index.ts";
import type { Reader } from "../../../src/index-engine/index/reader.ts";
import {
  searchSharded,
  ShardSearch,
  type MoreAnswer,
  type MoreStep,
  type ShardTransport,
} from "../../../src/index-engine/shards/index.ts";
import type { SearchRequest, TenantConfig } from "../../../src/interface/index.ts";
import { storedBytes } from "./answers.ts";
import { wholeJson } from "../../../src/index-engine/answer/render/index.ts";

export interface TestShard {
  readonly reader: Reader;
  readonly fields: FieldPlan;
  /** Documents by id. */
  readonly sources: ReadonlyMap<string, unknown>;
  readonly physicalName: string;
}

export interface Rounds {
  statistics: number;
  decide: number;
  sets: number;
  execute: number;
  more: number;
}

/** Shards of one index (equal `physicalName`) must stand together. */
export async function searchClones(
  shards: readonly TestShard[],
  request: SearchRequest,
  tenant: TenantConfig,
  {
    mostSent = Infinity,
    paused = () => undefined,
    firstSteps = () => Infinity,
    ...unasked
  }: {
    readonly eagerness?: Eagerness;
    readonly eagerWindow?: number;
    /** Hits in an answer to `more`, but for one that has to be there. */
    readonly mostSent?: number;
    readonly paused?: () => void;
    /** A shard that needs more steps for an answer begins it again (src/objects/expensive-searches.ts). */
    readonly firstSteps?: () => number;
  } = {},
): Promise<{ readonly json: string; readonly rounds: Rounds }> {
  const rounds: Rounds = { statistics: 0, decide: 0, sets: 0, execute: 0, more: 0 };
  const sides = shards.map(
    ({ reader, fields, physicalName }) =>
      new ShardSearch(reader, fields, structuredClone({ request, tenant, physicalName, ...unasked })),
  );
  const twice = <T>(shard: number, begin: (side: ShardSearch) => Parts<T>): T => {
    const side = sides[shard];
    const most = firstSteps();
    try {
      return run(work.inParts(begin(side), { steps: most, mostFirst: most }));
    } catch (error) {
      if (!(error instanceof MustBeginAgain)) throw error;
      side.forgetMatches();
      return run(work.inParts(begin(side)));
    }
  };
  const hits = (shard: number, positions: readonly number[]): Uint8Array[] =>
    twice(shard, (side) => side.hits(positions)).hits.map((hit) =>
      wholeJson(sides[shard].render(hit, storedBytes(shards[shard].sources.get(hit.id)))),
    );
  /** Not more of the hits than a shard has to send: then the rest is asked for again. */
  const more = (shard: number, { positions, withFirst, followUps }: MoreStep): MoreAnswer => {
    const sent = hits(shard, positions.slice(0, Math.max(mostSent, withFirst ? 1 : 0)));
    const sourceBytes = sent.map(({ length }) => length);
    return { hits: sent, sourceBytes, facets: twice(shard, (side) => side.facets(followUps)) };
  };
  /** Every side answers a clone of its step with a clone. */
  const ask = async <Step, Answer>(
    round: keyof Rounds,
    steps: readonly Step[],
    answer: (step: Step, shard: number) => Answer,
  ): Promise<Answer[]> => {
    rounds[round]++;
    return structuredClone(steps.map((step, shard) => answer(structuredClone(step), shard)));
  };
  const transport: ShardTransport = {
    statistics: (steps) => ask("statistics", steps, (step, shard) => twice(shard, (side) => side.statistics(step))),
    decide: (steps) => ask("decide", steps, (step, shard) => twice(shard, (side) => side.decide(step))),
    sets: (steps) => ask("sets", steps, (step, shard) => twice(shard, (side) => side.sets(step))),
    execute: (steps) =>
      ask("execute", steps, (step, shard) => {
        const { partial, facets, eagerHits } = twice(shard, (side) => side.execute(step));
        return { partial, facets, hits: eagerHits === null ? null : hits(shard, eagerHits) };
      }),
    more: (steps) => ask("more", steps, (step, shard) => (step === null ? null : more(shard, step))),
    pause: async () => paused(),
  };
  const names = [...new Set(shards.map(({ physicalName }) => physicalName))];
  const indexOf = shards.map(({ physicalName }) => names.indexOf(physicalName));
  const { json } = await searchSharded(transport, indexOf, request, tenant);
  return { json: new TextDecoder().decode(json), rounds };
}
