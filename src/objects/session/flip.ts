/**
 * The publishing step "flip": from the old generation to the new one.
 *
 *   turn       imports that go live together wait for each other at the index (index/flip-turns.ts)
 *   freeze     the live shards, under a lease: they take no writes
 *   drain      of a reindex: what is still to be caught up
 *   commit     one transaction of the index: pointer, epoch + 1, session completed. Repeating it is a no-op
 *   freeze_lost: a lease ran out, or another generation went live in between: from the freeze again.
 *
 * A freeze that comes to nothing is released. The commit itself retires the old shards (IndexObject tells them).
 */
import { ServiceError } from "../../interface/index.ts";
import { forAll, repeated } from "../calls.ts";
import { shardRanges } from "../partition.ts";
import type { FreezeToken, SessionInfo, SessionState } from "../protocol/index.ts";
import { indexStub, shardStub, type ObjectsEnv } from "../stubs.ts";
import { replaced, type Reindex } from "./reindex.ts";

/**
 * How long old shards wait with writes for a commit. A flip takes some ten milliseconds; longer means that something
 * died.
 */
const FREEZE_LEASE_MS = 10_000;

/** Freezes lost in a row (another session went live in between, or leases ran out) before `done` gives up. */
const ATTEMPTS = 10;

/**
 * "committed", or the state for which the index has refused. Throws what a call has thrown (the commit may have
 * happened all the same), too_many_requests, index_unavailable when freezes are lost again and again or a reindex follows other shards
 * than those that are live.
 */
export async function flip(
  env: ObjectsEnv,
  { finalIndexName, temporaryIndexName }: SessionInfo,
  shards: readonly string[],
  reindex: Reindex | null,
): Promise<"committed" | SessionState> {
  const partitions = shardRanges(shards.length);
  const index = () => indexStub(env, finalIndexName);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const freeze = await repeated(() => index().beginFreeze(temporaryIndexName));
    if (freeze === null) {
      throw new ServiceError(
        "too_many_requests",
        "Too many imports of this index wait to go live; nothing is lost, send done again.",
      );
    }
    // No token: committed already, and only the answer was lost.
    const isDecided = freeze.token === 0;
    if (!isDecided && reindex?.isOf(freeze.shards) === false) throw replaced();
    try {
      await forAll(freeze.shards, async (shard) => {
        await repeated(() => shardStub(env, shard).freeze(freeze.token, FREEZE_LEASE_MS));
      });
      if (!isDecided) await reindex?.drain();
      const answer = await repeated(() =>
        index().commit({ temporaryIndexName, token: freeze.token, shards, partitions }),
      );
      if (answer.outcome === "committed") return "committed";
      await release(env, freeze);
      if (answer.outcome === "refused") return answer.state;
    } catch (error) {
      // Should the commit have happened all the same: a retired shard takes no writes, frozen or not.
      await release(env, freeze);
      throw error;
    }
  }
  throw new ServiceError(
    "index_unavailable",
    "Other imports of this index kept going live; retry.",
  );
}

/** Best effort: a lease ends by itself. */
async function release(env: ObjectsEnv, { token, shards }: FreezeToken): Promise<void> {
  await forAll(shards, (shard) => shardStub(env, shard).release(token)).catch(() => undefined);
}
