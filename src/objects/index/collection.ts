/**
 * Garbage collection. Generations are `live`, `kept` (at most one) or `dropped` (replaced kept ones, cancelled and
 * removed sessions, deleted index). The alarm collects dropped generations after a grace period: shard objects delete
 * everything, then R2 keys under the generation's prefixes that no manifest of a live or kept generation names, then
 * the row. Live generations are swept once after publishing, for merged import segments, and then daily; again only
 * keys without a manifest that are older than the grace period.
 *
 * A shard has two manifests: the one in R2 and its current one. They differ after a checkpoint that crashed before the
 * shard adopted its manifest; the shard's next manifest again names the objects of its current one.
 *
 * If an expected manifest cannot be read, nothing is deleted; the sweep throws and is repeated later. Every step can be
 * repeated, and an interrupted sweep has deleted only garbage.
 */
import { deleteObjects, listObjects, readManifest } from "../bucket.ts";
import { forAll, repeated } from "../calls.ts";
import { namedKeys } from "../manifest.ts";
import { generationPrefix, importPrefix, manifestKey } from "../names.ts";
import { garbageGraceMs } from "../settings.ts";
import { shardStub, type ObjectsEnv } from "../stubs.ts";
import type { GarbageRow, Generation, IndexStore } from "./store.ts";

/** Interval of sweeps of a live generation, for objects that checkpoints have replaced. */
const SWEEP_INTERVAL_MS = 24 * 3_600_000;

export class Collection {
  readonly #env: ObjectsEnv;
  readonly #store: IndexStore;

  constructor(env: ObjectsEnv, store: IndexStore) {
    this.#env = env;
    this.#store = store;
  }

  async collect(row: GarbageRow): Promise<void> {
    const state = this.#store.state();
    if (state === null) return;
    const alive = [state.live, state.kept].filter((generation) => generation !== null);
    // A generation restored by a rollback is not garbage, even if its row says so.
    if (row.kind === "dropped" && alive.some(({ generation }) => generation === row.generation)) {
      this.#store.addGarbage({ ...row, kind: "live", dueMs: Date.now() + SWEEP_INTERVAL_MS });
      return;
    }
    await this.#sweep(state.indexName, row, alive);
    // If the row became "dropped" during a sweep as "live", it stays until its own time.
    const now = this.#store.garbage().find((other) => other.generation === row.generation);
    if (now === undefined || now.kind !== row.kind) return;
    if (row.kind === "live") this.#store.addGarbage({ ...row, dueMs: Date.now() + SWEEP_INTERVAL_MS });
    else this.#store.removeGarbage(row.generation);
  }

  async #sweep(indexName: string, row: GarbageRow, alive: readonly Generation[]): Promise<void> {
    const bucket = this.#env.SNAPSHOTS;
    // Later objects of a live generation may belong to a manifest that is not written yet.
    const youngMs = Date.now() - garbageGraceMs(this.#env);
    const named = new Set<string>();
    for (const { shards } of alive) {
      for (const shard of shards) {
        named.add(manifestKey(shard));
        for (const key of namedKeys(await readManifest(bucket, shard))) named.add(key);
        for (const key of await repeated(() => shardStub(this.#env, shard).namedKeys())) named.add(key);
      }
    }
    if (row.kind === "dropped") {
      await forAll(row.shards, (shard) => repeated(() => shardStub(this.#env, shard).destroy()));
    }
    const doomed: string[] = [];
    for (const prefix of [generationPrefix(indexName, row.generation), importPrefix(row.physicalName)]) {
      for await (const { key, uploadedMs } of listObjects(bucket, prefix)) {
        if (named.has(key) || (row.kind === "live" && uploadedMs >= youngMs)) continue;
        doomed.push(key);
      }
    }
    await deleteObjects(bucket, doomed);
  }
}
