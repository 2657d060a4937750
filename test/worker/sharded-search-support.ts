/** Below HTTP: what sharded-search.test.ts asks of the objects themselves. */
import { createExecutionContext, runInDurableObject, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { unwrap } from "../../src/interface/index.ts";
import {
  catalogStub,
  indexStub,
  isStale,
  ROUNDS_VERSION,
  type BeginSearchCall,
  type Route,
  type ShardApi,
  type ShardResult,
} from "../../src/objects/index.ts";
import worker from "../../src/worker/index.ts";
import { parseSearchParameters } from "../../src/worker/parameters.ts";
import type { WorkerEnv } from "../../src/worker/settings.ts";
import { HOST } from "./support.ts";

export async function routeOf(indexName: string): Promise<Route> {
  return unwrap(await indexStub(env, indexName).route());
}

export async function catalogVersion(): Promise<number> {
  return (await catalogStub(env).snapshot()).version;
}

export function beginPayload(
  epoch: number,
  configurationVersion: number,
  tenant: string,
  query: string,
): BeginSearchCall {
  const request = parseSearchParameters(query);
  const step = { known: null, withPlan: true, expansions: null };
  return {
    roundsVersion: ROUNDS_VERSION,
    epoch,
    configurationVersion,
    tenant,
    request,
    step,
  };
}

/** Through a Worker whose searches over several shards may take so long. */
export async function searchWithin(deadlineMs: number, path: string): Promise<Response> {
  const context = createExecutionContext();
  const settings = { ...env, LOG: "off", SHARDED_SEARCH_MS: deadlineMs };
  const response = await worker.fetch(new Request(HOST + path), settings as unknown as WorkerEnv, context);
  await waitOnExecutionContext(context);
  return response;
}

export function current<T>(answer: ShardResult<T>): T {
  if (isStale(answer)) throw new Error("STALE");
  return unwrap(answer);
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
