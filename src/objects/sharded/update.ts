/**
 * Sends one update request to the shards of an index, from the Worker. Groups documents by shard and returns answers in
 * the order sent.
 *
 * An update of one shard goes directly to it. An update of several goes to the first shard of the generation, which
 * applies all of it or nothing (shard/joint/joint-update.ts). So after a failure nothing was applied, unless the
 * answer was lost or a decided shard could not be reached; then the whole update is applied eventually. The request
 * can be repeated: PUT and PATCH have the same result; DELETE as well, but documents deleted the first time are
 * NOT_FOUND, and PUT with replaceExisting=false answers DISMISSED for its own documents.
 *
 * A document without a readable id goes to the first shard, which rejects it.
 */
import { Pause, paused } from "../pause.ts";
import { isStale, type Route, type ShardResult, type ShardUpdateAnswer, type UpdateChange } from "../protocol/index.ts";
import { ok } from "../results.ts";
import { shardStub, type ObjectsEnv } from "../stubs.ts";
import { idsOf, joined, partsOf } from "./update-parts.ts";

/** STALE: the shards have another epoch and nothing was applied; repeat with a fresh route. Throws errors of calls. */
export async function updateShards(
  env: ObjectsEnv,
  route: Route,
  change: UpdateChange,
): Promise<ShardResult<ShardUpdateAnswer>> {
  const { epoch, shards } = route;
  if (shards.length === 1) return shardStub(env, shards[0]).update({ ...change, epoch });
  const pause = new Pause("update");
  const ids = await paused(idsOf(change), pause);
  const parts = await paused(partsOf(route, change, ids), pause);
  const [only] = parts;
  if (parts.length === 1) return shardStub(env, only.shard).update({ ...only.change, epoch });
  const answer = await shardStub(env, shards[0]).updateJointly({ epoch, parts });
  if (isStale(answer) || !answer.ok) return answer;
  pause.skip();
  return ok(await paused(joined(ids, answer.value), pause));
}
