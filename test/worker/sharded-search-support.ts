/** Below HTTP: what sharded-search.test.ts asks of the objects themselves. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { ROUNDS_VERSION, type BeginSearchCall, type ShardApi } from "../../src/objects/index.ts";
import { parseSearchParameters } from "../../src/worker/parameters.ts";

export function beginPayload(
  epoch: number,
  configurationVersion: number,
  tenant: string,
  query: string,
): BeginSearchCall {
  const request = parseSearchParameters(query);
  const step = { known: null, withPlan: true, expansions: null };
  return { roundsVersion: ROUNDS_VERSION, epoch, configurationVersion, tenant, request, step };
}

/** From now on counts the calls of all shards. */
export async function countRounds(shard: string): Promise<{
  readonly calls: { beginSearch: number; continueSearch: number };
  readonly stop: () => void;
}> {
  const calls = { beginSearch: 0, continueSearch: 0 };
  const stop = await runInDurableObject(env.SHARD.getByName(shard), (object) => {
    const prototype = Object.getPrototypeOf(object) as Pick<ShardApi, "beginSearch" | "continueSearch">;
    const { beginSearch, continueSearch } = prototype;
    prototype.beginSearch = function begin(call) {
      calls.beginSearch++;
      return beginSearch.call(this, call);
    };
    prototype.continueSearch = function proceed(call) {
      calls.continueSearch++;
      return continueSearch.call(this, call);
    };
    return () => Object.assign(prototype, { beginSearch, continueSearch });
  });
  return { calls, stop };
}

/** From now on this shard's rounds begin late, as if its thread were busy. Answers what ends that. */
export async function slowDown(shard: string, byMs: number): Promise<() => void> {
  return runInDurableObject(env.SHARD.getByName(shard), (slow) => {
    const prototype = Object.getPrototypeOf(slow) as Pick<ShardApi, "beginSearch" | "suggestPart">;
    const { beginSearch, suggestPart } = prototype;
    const busy = async (object: unknown): Promise<void> => {
      if (object === slow) await scheduler.wait(byMs);
    };
    prototype.beginSearch = async function begin(call) {
      await busy(this);
      return beginSearch.call(this, call);
    };
    prototype.suggestPart = async function part(call) {
      await busy(this);
      return suggestPart.call(this, call);
    };
    return () => Object.assign(prototype, { beginSearch, suggestPart });
  });
}
