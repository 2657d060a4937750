/**
 * Garbage collection of one generation: deletes only what no manifest of a live or kept generation names. Of each
 * shard that is two manifests: the one in R2 and the one the shard works with. They differ after a checkpoint that
 * died before the shard took its manifest over; the shard's next one names again what only its own has.
 *
 * When a manifest that should be there cannot be read, nothing is deleted: the sweep throws and is tried again later.
 * Every step may be repeated; a sweep that dies half-way has deleted garbage only.
 */
import { deleteObjects, listObjects, readManifest } from "../bucket.ts";
import { forAll, repeated } from "../calls.ts";
import type { GarbageRow, Generation } from "./store.ts";
import { namedKeys } from "../manifest.ts";
import { generationPrefix, importPrefix, manifestKey } from "../names.ts";
import { shardStub, type ObjectsEnv } from "../stubs.ts";

interface Sweep {
  readonly indexName: string;
  readonly row: GarbageRow;
  /** Live and kept. */
  readonly alive: readonly Generation[];
  /** Objects of a live generation put after this may belong to a manifest that is still to be written. */
  readonly youngerThanMs: number;
}

export async function sweepGeneration(
  env: ObjectsEnv,
  sweep: Sweep,
): Promise<{ readonly deleted: number }> {
  const { indexName, row } = sweep;
  const named = new Set<string>();
  for (const generation of sweep.alive) {
    for (const shard of generation.shards) {
      named.add(manifestKey(shard));
      for (const key of namedKeys(await readManifest(env.SNAPSHOTS, shard))) named.add(key);
      for (const key of await repeated(() => shardStub(env, shard).namedKeys())) named.add(key);
    }
  }
  if (row.kind === "dropped") {
    await forAll(row.shards, (shard) => repeated(() => shardStub(env, shard).destroy()));
  }
  const doomed: string[] = [];
  for (const prefix of [
    generationPrefix(indexName, row.generation),
    importPrefix(row.physicalName),
  ]) {
    for await (const object of listObjects(env.SNAPSHOTS, prefix)) {
      if (named.has(object.key)) continue;
      if (row.kind === "live" && object.uploadedMs >= sweep.youngerThanMs) continue;
      doomed.push(object.key);
    }
  }
  await deleteObjects(env.SNAPSHOTS, doomed);
  return { deleted: doomed.length };
}
