/**
 * What time would do to the objects of an index, done now: checkpoints, caching, collection; and what they have left.
 * All shards of it.
 */
import { env } from "cloudflare:workers";
import { indexStub, shardStub, shardsStats } from "../../../src/objects/index.ts";
import { checksum32 } from "../../../src/index-engine/base/index.ts";
import { openSegment } from "../../../src/index-engine/segment/index.ts";
import { withAnalysisVersion } from "../../support/other-version.ts";
import { decodeManifest, type ShardManifest } from "../../../src/objects/manifest.ts";
import { evict, inside, runAlarm, withAgedObjects, type Binding } from "./faults.ts";
import { insist } from "./points.ts";
import { contentsOf, current, routeOf } from "./index.ts";

/** Makes a checkpoint of one shard due, if there is anything to write, and runs its alarm. */
export async function checkpointShard(shard: string): Promise<void> {
  for (;;) {
    const isDue = await inside("SHARD", shard, ({ kv }) => {
      const state = kv.get<{ dirtySinceMs: number | null }>("shard");
      if (state === undefined || state.dirtySinceMs === null) return false;
      kv.put("shard", { ...state, dirtySinceMs: 0 });
      // After crashes it is tried later, or no more (src/objects/attempts.ts).
      const tried = kv.get<{ notBeforeMs: number }>("attempts/checkpoint");
      return tried === undefined || tried.notBeforeMs <= Date.now();
    });
    // No alarm is set while the platform rings the one of caching, which gives way to searches and may be past the
    // checkpoint. It then sets the next one.
    if ((await runAlarm("SHARD", shard)) || !isDue) return;
  }
}

/** Updates of an index that are only in the logs of its shards. */
export async function pendingWrites(name: string): Promise<number> {
  const stats = current(await shardsStats(env, await routeOf(name)));
  return stats.reduce((sum, one) => sum + one.pendingWrites, 0);
}

/** A checkpoint of every live shard; "ok" when their logs are empty then. */
export async function checkpoint(name: string): Promise<"ok" | "pending"> {
  for (const shard of (await routeOf(name)).shards) await checkpointShard(shard);
  return (await pendingWrites(name)) === 0 ? "ok" : "pending";
}

/** Caching of stored blocks is over in every live shard: a checkpoint does not share its turn with it. */
export async function cached(name: string): Promise<void> {
  for (const shard of (await routeOf(name)).shards) {
    while ((await uncachedBlocks(shard)) > 0) await runAlarm("SHARD", shard);
  }
}

async function uncachedBlocks(shard: string): Promise<number> {
  return inside("SHARD", shard, ({ sql }) => {
    const rows = sql.exec<{ block: string }>("SELECT block FROM cached_blocks").toArray();
    const known = new Set(rows.map(({ block }) => block));
    const manifest = sql.exec<{ bytes: ArrayBuffer }>("SELECT bytes FROM pieces WHERE owner = 'manifest'").one();
    const { blocks } = decodeManifest(new Uint8Array(manifest.bytes));
    return blocks.filter(({ id }) => !known.has(id)).length;
  });
}

/** Everything of the live shards that R2 has, too, goes from SQLite; the next call opens from R2. */
export async function wipeCache(name: string): Promise<void> {
  for (const shard of (await routeOf(name)).shards) await wipeShard(shard);
}

/** The same of one shard, live or not; `tables`: only what these hold. */
export async function wipeShard(
  shard: string,
  tables: readonly string[] = ["chunks", "cached_blocks", "segment_parts"],
): Promise<void> {
  await inside("SHARD", shard, ({ sql }) => {
    for (const table of tables) sql.exec(`DELETE FROM ${table}`);
  });
  await evict("SHARD", shard);
}

/** Keys and tables that an object has stored. */
export async function storedBy(binding: Binding, name: string): Promise<string[]> {
  return inside(binding, name, ({ kv, sql }) => [
    ...[...kv.list()].map(([key]) => key),
    ...sql
      .exec<{ name: string }>("SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'")
      .toArray()
      .map((row) => row.name),
  ]);
}

/** Collection of everything that is garbage by now; "ok" when nothing is left to collect. */
export async function collect(name: string): Promise<"ok" | "left"> {
  await inside("INDEX", name, (storage) => {
    const isKnown = storage.kv.get("index") !== undefined;
    if (isKnown) storage.sql.exec("UPDATE garbage SET due_ms = 0");
  });
  await runAlarm("INDEX", name);
  const due = await inside("INDEX", name, (storage) =>
    storage.kv.get("index") === undefined
      ? []
      : storage.sql.exec("SELECT 1 FROM garbage WHERE due_ms < ?", Date.now() + 3_600_000).toArray(),
  );
  return due.length === 0 ? "ok" : "left";
}

/** The same as if the grace period of every object in R2 were over. */
export async function collectAged(name: string): Promise<"ok" | "left"> {
  return withAgedObjects(name, () => collect(name));
}

/**
 * Id -> title of every live document, when all shards are awake: what was decided before they died is everywhere
 * (joint-update.ts).
 */
export async function settled(name: string): Promise<Record<string, string>> {
  return insist(async () => {
    const { epoch, shards } = await routeOf(name);
    for (const shard of shards) current(await shardStub(env, shard).stats({ epoch }));
    return contentsOf(name);
  });
}

/** The sessions of an index, newest first, as its object has them. */
export async function stateOf(name: string, temporaryIndexName: string): Promise<string | null> {
  const sessions = await indexStub(env, name).sessions();
  return sessions.find((one) => one.temporaryIndexName === temporaryIndexName)?.state ?? null;
}

/**
 * Makes compaction of one shard due, if there is anything to merge, and runs its alarm. Not soon after a checkpoint of
 * this incarnation.
 */
export async function compactAwake(shard: string): Promise<void> {
  await inside("SHARD", shard, async (storage) => {
    const state = storage.kv.get<object>("shard");
    if (state === undefined) return;
    storage.kv.put("shard", { ...state, compactAtMs: 0 });
    await storage.setAlarm(Date.now() + 60_000);
  });
  await runAlarm("SHARD", shard);
}

/** The same in a new incarnation. */
export async function compactShard(shard: string): Promise<void> {
  await evict("SHARD", shard);
  await compactAwake(shard);
}

/** Bytes of the published segments of a shard, as its own manifest has them; oldest first. */
export async function segmentBytes(shard: string): Promise<number[]> {
  const { segments } = await ownManifest(shard);
  return segments.map(({ sizeBytes }) => sizeBytes);
}

/** The manifest that the shard works with. */
export async function ownManifest(shard: string): Promise<ShardManifest> {
  const bytes = await inside(
    "SHARD",
    shard,
    ({ sql }) => sql.exec<{ bytes: ArrayBuffer }>("SELECT bytes FROM pieces WHERE owner = 'manifest'").one().bytes,
  );
  return decodeManifest(new Uint8Array(bytes));
}

/**
 * The copies of the published segments in SQLite as another version of the analysis would have written them; the shards
 * are other incarnations then. How many there were.
 */
export async function rewritePublished(name: string, version: number): Promise<number> {
  let count = 0;
  for (const shard of (await routeOf(name)).shards) {
    await inside("SHARD", shard, ({ sql }) => {
      const heads = sql
        .exec<{ id: number; bytes: ArrayBuffer }>(`SELECT id, bytes FROM segment_parts WHERE id % ${2 ** 32} = 0`)
        .toArray();
      for (const { id, bytes } of heads) {
        const other = withAnalysisVersion(new Uint8Array(bytes), version);
        sql.exec("UPDATE segment_parts SET bytes = ?, checksum = ? WHERE id = ?", other, checksum32(other), id);
      }
      count += heads.length;
    });
    await evict("SHARD", shard);
  }
  return count;
}

/** Versions of the analysis of the published segments in R2, oldest first. */
export async function publishedVersions(name: string): Promise<number[]> {
  const manifests = await Promise.all((await routeOf(name)).shards.map(ownManifest));
  const objects = await Promise.all(
    manifests.flatMap(({ segments }) => segments.map(({ key }) => env.SNAPSHOTS.get(key))),
  );
  return Promise.all(
    objects.map(async (object) => {
      if (object === null) throw new Error("a segment of the manifest is not in R2");
      return openSegment(new Uint8Array(await object.arrayBuffer())).analysisVersion;
    }),
  );
}
