/**
 * Work between calls: checkpoints, merging the log and the segments, caching stored blocks, deleting replaced objects
 * in R2, resolving joint updates, growth. A failure or crash loses nothing: SQLite has the state, and the work is
 * repeated.
 *
 *   alarm        does what is due and sets the next alarm, unless an earlier one is set
 *   afterWrite   merges the log; also starts maintenance if the write made a checkpoint due, because alarms are late on a busy thread
 * Maintenance runs at most once at a time. A write joins it; an alarm waits for it and runs it again, because the
 * platform has forgotten the alarm.
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

/** Objects in R2 deleted at once. */
const MOST_DELETED = 1_000;

/** A session without calls for this time has ended. */
const FOLLOWED_FOR_MS = 3_600_000;

interface Parts {
  readonly storage: DurableObjectStorage;
  readonly bucket: R2Bucket;
  /** How long replaced objects stay in R2; the setting may change. */
  readonly graceMs: () => number;
  readonly store: ShardStore;
  readonly memory: ShardMemory;
  readonly checkpoints: Checkpoints;
  readonly compaction: Compaction;
  readonly growth: Growth;
  /** Unfinished joint updates. */
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
    // Loading may exceed the memory, and only this alarm requests it.
    const loaded = memory.current ?? (await store.attempts.run("opening", () => memory.load().catch(() => null)));
    const notBeforeMs = store.attempts.notBeforeMs("opening");
    if (loaded === null && notBeforeMs > Date.now()) {
      if (notBeforeMs < Infinity) await storage.setAlarm(notBeforeMs);
      return;
    }
    // Earlier maintenance may be past what is due now, and may have read this alarm before it rang. Then it set no
    // other.
    await this.#maintaining;
    await this.#maintain();
    if (await this.#parts.growth.ask()) await this.schedule();
  }

  /** Never throws. */
  async afterWrite(shard: LoadedShard): Promise<void> {
    const { memory, checkpoints } = this.#parts;
    // Merges small runs now, in the turn of the write. Not under the lock, because a large run takes long.
    const merging = this.#log
      .merge(shard, () => memory.current === shard)
      .catch((error: unknown) => {
        // The log only stays longer than it should be.
        console.error(JSON.stringify({ event: "log_merge_failed", reason: String(error) }));
      });
    try {
      // Every write asks for it, and it reads SQLite, so it is asked for once.
      const checkpointMs = checkpoints.dueMs();
      await Promise.all([merging, this.schedule(checkpointMs)]);
      if (checkpointMs <= Date.now()) await this.#maintain();
    } catch (error) {
      console.error(JSON.stringify({ event: "shard_maintenance_failed", reason: String(error) }));
    }
  }

  /** Sets the alarm for the next due work, unless an earlier one is set. */
  async schedule(checkpointMs = this.#parts.checkpoints.dueMs()): Promise<void> {
    const { storage, store, compaction, growth, joint } = this.#parts;
    if (store.serving() === null) return;
    const firstMs = this.#hasUncachedBlocks()
      ? 0
      : Math.min(checkpointMs, compaction.dueMs(), growth.dueMs(), joint.dueMs());
    const dueMs = Math.max(firstMs, Date.now());
    if (dueMs === Infinity) return;
    const set = await storage.getAlarm();
    if (set === null || set > dueMs) await storage.setAlarm(dueMs);
  }

  /**
   * Sets the alarm in the current commit, because this incarnation may never reach `schedule`. False: caching blocks
   * already has an earlier alarm.
   */
  alarmInCommit(afterMs: number): boolean {
    if (this.#hasUncachedBlocks()) return false;
    void this.#parts.storage.setAlarm(Date.now() + afterMs);
    return true;
  }

  /** Retries after a failure. */
  async #maintain(): Promise<void> {
    const { storage, store } = this.#parts;
    this.#maintaining ??= this.#maintainOnce()
      .catch(async (error: unknown) => {
        // The shard was destroyed meanwhile.
        if (store.state() === null) return;
        console.error(JSON.stringify({ event: "shard_maintenance_failed", reason: String(error) }));
        // The platform drops an alarm after six failures, so set a new one.
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
    // Last, because it takes longest and is least urgent.
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
   * Deletes objects in R2 that checkpoints replaced, after a grace period, because searches and garbage collection may
   * use the previous manifest. Garbage collection deletes what maintenance never gets to.
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
