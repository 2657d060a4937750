/**
 * Statistics of all shards of an index, in order. STALE if any shard is, because statistics of two
 * generations cannot be added.
 */
import { forAll } from "../calls.ts";
import { isStale, STALE, type Route, type ShardResult, type ShardStats } from "../protocol/index.ts";
import { ok, type Failure } from "../results.ts";
import { shardStub, type ObjectsEnv } from "../stubs.ts";

export async function shardsStats(env: ObjectsEnv, route: Route): Promise<ShardResult<readonly ShardStats[]>> {
  const stats: ShardStats[] = [];
  const failures: Failure[] = [];
  let isAnyStale = false;
  await forAll([...route.shards.entries()], async ([i, shard]) => {
    const answer = await shardStub(env, shard).stats({ epoch: route.epoch });
    if (isStale(answer)) isAnyStale = true;
    else if (answer.ok) stats[i] = answer.value;
    else failures.push(answer);
  });
  if (isAnyStale) return STALE;
  return failures[0] ?? ok(stats);
}
