/** Variables of the objects, with their defaults. Tests set them instead of waiting. */
import { SMALL_SECTION_BYTES } from "../index-engine/segment/index.ts";
import { LIMITS } from "../interface/index.ts";

function figure(env: object, name: string, fallback: number): number {
  const text: unknown = (env as Readonly<Record<string, unknown>>)[name];
  const value = typeof text === "number" ? text : typeof text === "string" && text !== "" ? Number(text) : NaN;
  return Number.isFinite(value) && value >= 0 ? value : fallback;
}

/**
 * IMPORT_ABANDONED_AFTER_S (3600): an uncompleted session older than this is removed by the next `start` of any index.
 */
export function abandonedAfterMs(env: object): number {
  return figure(env, "IMPORT_ABANDONED_AFTER_S", 3600) * 1000;
}

/** GARBAGE_GRACE_S (900): how long dropped data is kept for requests that still use it. */
export function garbageGraceMs(env: object): number {
  return figure(env, "GARBAGE_GRACE_S", 900) * 1000;
}

/**
 * CHECKPOINT_AFTER_S (60): how long updates may be in a shard's log only; a large log is written
 * earlier.
 */
export function checkpointAfterMs(env: object): number {
  return figure(env, "CHECKPOINT_AFTER_S", 60) * 1000;
}

/** COMPACT_AFTER_S (2): delay between going live and the compaction of a shard's segments. */
export function compactAfterMs(env: object): number {
  return figure(env, "COMPACT_AFTER_S", 2) * 1000;
}

/**
 * SHARDS_MIN (1): minimum number of shards of a new generation, rounded up to a power of two; for
 * tests and benches.
 */
export function leastShards(env: object): number {
  return Math.max(1, figure(env, "SHARDS_MIN", 1));
}

/**
 * SHARD_INDEX_BYTES (LIMITS.shardIndexBytes): target size of a shard's index; lower in tests and
 * benches.
 */
export function shardIndexBytes(env: object): number {
  return Math.max(1, figure(env, "SHARD_INDEX_BYTES", LIMITS.shardIndexBytes.value));
}

/**
 * SMALL_SECTION_BYTES (65,536): segment sections up to this length are stored together in SQLite;
 * lower in tests.
 */
export function smallSectionBytes(env: object): number {
  return figure(env, "SMALL_SECTION_BYTES", SMALL_SECTION_BYTES);
}

/**
 * SHARDED_SEARCH_MS (LIMITS.shardedSearchMs): time limit of a search over several shards; shorter
 * in tests.
 */
export function shardedSearchMs(env: object): number {
  return Math.max(1, figure(env, "SHARDED_SEARCH_MS", LIMITS.shardedSearchMs.value));
}

/**
 * PENDING_UPDATE_BYTES (LIMITS.pendingUpdateBytes): total bodies of updates that may wait for a
 * shard; lower in tests.
 */
export function pendingUpdateBytes(env: object): number {
  return figure(env, "PENDING_UPDATE_BYTES", LIMITS.pendingUpdateBytes.value);
}

/**
 * REINDEX_BULK_BYTES (8,388,608): stored sources that a reindex copies per bulk; lower in tests.
 */
export function reindexBulkBytes(env: object): number {
  return Math.max(1, figure(env, "REINDEX_BULK_BYTES", 8_388_608));
}
