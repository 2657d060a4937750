/**
 * Garbage collection of one generation. Deletes only objects that no manifest of a live or kept generation names. A
 * shard has two manifests: the one in R2 and its current one. They differ after a checkpoint that crashed before the
 * shard adopted its manifest; the shard's next manifest again names the objects of its current one.
 *
 * If an expected manifest cannot be read, nothing is deleted; the sweep throws and is repeated later. Every step can be
 * repeated, and an interrupted sweep has deleted only garbage.
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
  /** Later objects of a live generation may belong to a manifest that is not written yet. */
  readonly youngerThanMs: number;
}

export async function sweepGeneration(env: ObjectsEnv, sweep: Sweep): Promise<{ readonly deleted: number }> {
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
  for (const prefix of [generationPrefix(indexName, row.generation), importPrefix(row.physicalName)]) {
    for await (const object of listObjects(env.SNAPSHOTS, prefix)) {
      if (named.has(object.key)) continue;
      if (row.kind === "live" && object.uploadedMs >= sweep.youngerThanMs) continue;
      doomed.push(object.key);
    }
  }
  await deleteObjects(env.SNAPSHOTS, doomed);
  return { deleted: doomed.length };
}
