/**
 * What a shard does between calls: checkpoints, merging its log and its segments, caching stored blocks, deleting
 * what was replaced in R2, asking after joint updates, growing. Nothing of it is part of an answer, and nothing is lost when it fails or dies: everything is
 * found again in SQLite, and tried again.
 *
 *   alarm        what is due, then the next alarm. At the next thing to do; an earlier one stays
 *   afterWrite   merges the log; begins maintenance where the write made a checkpoint due, because a busy thread lets alarms wait
 * Maintenance goes on at most once at a time: whoever comes in between joins.
 */
import type { LoadedShard } from "../loaded/index.ts";
import { LogMerging } from "../log/index.ts";
import type { ShardStore } from "../store/index.ts";
import { deleteObjects } from "../../bucket.ts";
import type { Checkpoints } from "./checkpoints.ts";
import type { Compaction } from "./compaction.ts";
import type { Growth } from "./growth.ts";
import type { ShardMemory } from "../standing/index.ts";

const RETRY_MS = 5_000;

/** Objects in R2 that are deleted in one go. */
const MOST_DELETED = 1_000;

/** A session that has not been heard of for so long follows no more: it is one that ended without a word. */
const FOLLOWED_FOR_MS = 3_600_000;

interface Parts {
  readonly storage: DurableObjectStorage;
  readonly bucket: R2Bucket;
  /** How long replaced objects stay in R2, as it is set now. */
  readonly graceMs: () => number;
  readonly store: ShardStore;
  readonly memory: ShardMemory;
  readonly checkpoints: Checkpoints;
  readonly compaction: Compaction;
  readonly growth: Growth;
  /** Updates of several shards that were left half done. */
  readonly joint: { dueMs(): number; settleOld(): Promise<void> };
}

export class Maintenance {
  readonly #parts: Parts;
  #maintaining: Promise<void> | null = null;
  readonly #log: LogMerging;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#log = new LogMerging(parts.store);
  }

  async alarm(): Promise<void> {
    const { storage, store, memory } = this.#parts;
    // Loading may take more memory than there is, and nobody asks for it but this alarm.
    const loaded =
      memory.current ??
      (await store.attempts.run("opening", () => memory.load().catch(() => null)));
    const notBeforeMs = store.attempts.notBeforeMs("opening");
    if (loaded === null && notBeforeMs > Date.now()) {
      if (notBeforeMs < Infinity) await storage.setAlarm(notBeforeMs);
      return;
    }
    await this.#maintain();
    if (await this.#parts.growth.ask()) await this.schedule();
  }

  /** Never fails: it belongs to no answer. */
  async afterWrite(shard: LoadedShard): Promise<void> {
    const { memory, checkpoints } = this.#parts;
    // Small ones now, with the write. Not under the lock: a large one takes its time, and writes go on meanwhile.
    const merging = this.#log
      .merge(shard, () => memory.current === shard)
      .catch((error: unknown) => {
        // Nothing is lost by it: the log stays longer than it should be.
        console.error(JSON.stringify({ event: "log_merge_failed", reason: String(error) }));
      });
    try {
      await Promise.all([merging, this.schedule()]);
      if (checkpoints.dueMs() <= Date.now()) await this.#maintain();
    } catch (error) {
      console.error(JSON.stringify({ event: "shard_maintenance_failed", reason: String(error) }));
    }
  }

  /** The alarm at the next thing to do; an earlier one stays. */
  async schedule(): Promise<void> {
    const { storage, store, checkpoints, compaction, growth, joint } = this.#parts;
    if (store.serving() === null) return;
    const firstMs = this.#hasUncachedBlocks()
      ? 0
      : Math.min(checkpoints.dueMs(), compaction.dueMs(), growth.dueMs(), joint.dueMs());
    const dueMs = Math.max(firstMs, Date.now());
    if (dueMs === Infinity) return;
    const set = await storage.getAlarm();
    if (set === null || set > dueMs) await storage.setAlarm(dueMs);
  }

  /**
   * The alarm in the commit of what it is for: this incarnation may never come to `schedule`. Cached blocks have an
   * alarm, an earlier one: false.
   */
  alarmInCommit(afterMs: number): boolean {
    if (this.#hasUncachedBlocks()) return false;
    void this.#parts.storage.setAlarm(Date.now() + afterMs);
    return true;
  }

  /** What went wrong is tried again. */
  async #maintain(): Promise<void> {
    const { storage, store } = this.#parts;
    this.#maintaining ??= this.#maintainOnce()
      .catch(async (error: unknown) => {
        // Destroyed meanwhile: its tables are gone, and nothing is left to maintain.
        if (store.state() === null) return;
        console.error(JSON.stringify({ event: "shard_maintenance_failed", reason: String(error) }));
        // The platform gives up on an alarm after six failures, so it is set anew.
        await storage.setAlarm(Date.now() + RETRY_MS);
      })
      .finally(() => {
        this.#maintaining = null;
      });
    await this.#maintaining;
  }

  async #maintainOnce(): Promise<void> {
    const { bucket, store, memory, checkpoints, compaction, joint } = this.#parts;
    const shard = await memory.load();
    if (shard === null) return;
    if (checkpoints.dueMs() <= Date.now()) {
      await store.attempts.run("checkpoint", () => checkpoints.write(shard));
    }
    await store.chunks.fill(bucket, shard.manifest, () => store.state() !== null);
    await joint.settleOld();
    await this.#deleteReplaced();
    const heardMs = store.state() === null ? null : store.followingHeardMs;
    if (heardMs !== null && heardMs + FOLLOWED_FOR_MS < Date.now()) store.unfollow();
    // Last: it takes longest, and is the least urgent.
    if (compaction.dueMs() <= Date.now()) {
      await store.attempts.run("compaction", () => compaction.run(shard));
    }
    await this.schedule();
  }

  #hasUncachedBlocks(): boolean {
    const { store, memory } = this.#parts;
    return memory.current !== null && !store.chunks.hasAll(memory.current.manifest);
  }

  /**
   * Objects in R2 that checkpoints have replaced, a grace period ago: searches and garbage collection may have known
   * the manifest that names them. It comes with other maintenance, and what is left when none comes any more is taken
   * by garbage collection.
   */
  async #deleteReplaced(): Promise<void> {
    const { bucket, store, graceMs } = this.#parts;
    if (store.state() === null) return;
    const keys = store.replacedBefore(Date.now() - graceMs(), MOST_DELETED);
    if (keys.length === 0) return;
    await deleteObjects(bucket, keys);
    if (store.state() !== null) store.transaction(() => store.dropReplaced(keys));
  }
}
