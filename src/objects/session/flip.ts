/**
 * The publishing step "flip": switches from the old generation to the new one.
 *
 *   turn       imports that go live at the same time take turns (index/flip-turns.ts)
 *   freeze     the live shards refuse writes, under a lease
 *   drain      reindex only: the last writes are applied to the new shards
 *   commit     one transaction of the index: pointer, epoch + 1, session completed. Repeating it is a no-op
 *   freeze_lost: a lease expired, or another generation went live meanwhile: repeat from the freeze.
 *
 * A freeze without a commit is released. After the commit, IndexObject retires the old shards.
 */
import { ServiceError } from "../../interface/index.ts";
import { forAll, repeated } from "../calls.ts";
import { shardRanges } from "../partition.ts";
import type { FreezeToken, SessionInfo, SessionState } from "../protocol/index.ts";
import { indexStub, shardStub, type ObjectsEnv } from "../stubs.ts";
import { replaced, type Reindex } from "./reindex.ts";

/**
 * How long old shards delay writes for a commit. A flip takes tens of milliseconds; more means that an object died.
 */
const FREEZE_LEASE_MS = 10_000;

/** Consecutive lost freezes (another session went live, or leases expired) before `done` gives up. */
const ATTEMPTS = 10;

/**
 * Returns "committed", or the session state because of which the index refused. Throws the error of a failed call (the
 * commit may have happened anyway), too_many_requests, or index_unavailable if freezes are lost repeatedly or a reindex
 * follows shards that are no longer live.
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
        "Too many imports of this index are waiting to go live; nothing is lost, send done again.",
      );
    }
    // No token: already committed, only the answer was lost.
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
      // Harmless if the commit has happened: retired shards refuse writes anyway.
      await release(env, freeze);
      throw error;
    }
  }
  throw new ServiceError("index_unavailable", "Other imports of this index kept going live; retry.");
}

/** Best effort, because leases expire. */
async function release(env: ObjectsEnv, { token, shards }: FreezeToken): Promise<void> {
  await forAll(shards, (shard) => shardStub(env, shard).release(token)).catch(() => undefined);
}
