/**
 * Calls one method on many shards, with at most six calls at once per invocation, directly or through relays
 * (protocol/search-rounds.ts, "Two levels"). Used by the Worker and by the shards that relay.
 */
import { CALLS_AT_ONCE, forAll } from "../calls.ts";
import { detached } from "../results.ts";
import type { FannedOut, RelayedCall, SearchRoundsApi, ShardResult } from "../protocol/index.ts";
import { shardStub, type ObjectsEnv } from "../stubs.ts";

type Answer<Method extends keyof FannedOut> = ShardResult<FannedOut[Method]["answer"]>;

/** The methods by name, with one type. */
type Callable = {
  readonly [Method in keyof FannedOut]: (call: FannedOut[Method]["call"]) => Promise<Answer<Method>>;
};

export function callShard<Method extends keyof FannedOut>(
  shard: Pick<SearchRoundsApi, keyof FannedOut>,
  method: Method,
  call: FannedOut[Method]["call"],
): Promise<Answer<Method>> {
  const callable: Callable = shard;
  return callable[method](call);
}

/** Returns answers in the order of the calls. Fails with the first failure, after all calls have ended. */
export async function callShards<Method extends keyof FannedOut>(
  env: ObjectsEnv,
  method: Method,
  calls: readonly RelayedCall<Method>[],
): Promise<Answer<Method>[]> {
  const answers: Answer<Method>[] = [];
  await forAll([...calls.entries()], async ([i, { shard, call }]) => {
    answers[i] = detached(await callShard(shardStub(env, shard), method, call));
  });
  return answers;
}

/** The same from the Worker, for any number of shards. */
export async function fanOut<Method extends keyof FannedOut>(
  env: ObjectsEnv,
  method: Method,
  calls: readonly RelayedCall<Method>[],
): Promise<Answer<Method>[]> {
  if (calls.length <= CALLS_AT_ONCE) return callShards(env, method, calls);
  const size = Math.ceil(calls.length / CALLS_AT_ONCE);
  const groups: RelayedCall<Method>[][] = [];
  for (let at = 0; at < calls.length; at += size) groups.push(calls.slice(at, at + size));
  const answers: (readonly Answer<Method>[])[] = [];
  await forAll([...groups.entries()], async ([i, group]) => {
    const [first] = group;
    if (first !== undefined) answers[i] = await shardStub(env, first.shard).relay(method, group);
  });
  return answers.flat();
}
