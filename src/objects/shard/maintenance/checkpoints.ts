/**
 * Checkpoints move the log into published segments, while searches and writes continue. Due when the log exceeds 4 MB
 * or 5,000 operations, or 60 s after a write. checkpoint.ts does the work.
 *
 * After a crash or a failure of R2 the log is still complete and the alarm tries again. Objects already written to R2
 * are orphans, which garbage collection deletes.
 */
import type { ChooseRun } from "../log/index.ts";
import type { LoadedShard } from "../loaded/index.ts";
import { putCheckpoint, runOfMany, seal, sweepCopies, trim, unseal } from "./checkpoint.ts";
import type { ShardStore } from "../store/index.ts";
import { MergeAbandoned } from "../../segment-storage.ts";
import type { ShardMemory } from "../standing/index.ts";
import type { Lock } from "../locks.ts";

/** A log over one of these limits is written to R2 soon, others after CHECKPOINT_AFTER_S. */
const LOG_BYTES = 4_194_304;
const LOG_OPERATIONS = 5_000;
/** Shortest time between checkpoints: R2 accepts one write per second to the manifest's key. */
const INTERVAL_MS = 2_000;

export class Checkpoints {
  readonly #store: ShardStore;
  readonly #bucket: R2Bucket;
  readonly #memory: ShardMemory;
  readonly #turns: Lock;
  readonly #afterMs: () => number;
  #lastMs = 0;

  /**
   * @param turns lock of the shard's writes
   * @param afterMs how long a small log may wait; the setting may change
   */
  constructor(store: ShardStore, bucket: R2Bucket, memory: ShardMemory, turns: Lock, afterMs: () => number) {
    this.#store = store;
    this.#bucket = bucket;
    this.#memory = memory;
    this.#turns = turns;
    this.#afterMs = afterMs;
  }

  /** Infinity: not due. */
  dueMs(): number {
    const dirtySinceMs = this.#store.state()?.dirtySinceMs ?? null;
    if (dirtySinceMs === null) return Infinity;
    const { sizeBytes, documents } = this.#logSize();
    const large = sizeBytes > LOG_BYTES || documents >= LOG_OPERATIONS;
    const dueMs = large ? this.nextMs : dirtySinceMs + this.#afterMs();
    return Math.max(dueMs, this.#store.attempts.notBeforeMs("checkpoint"));
  }

  /** A failure leaves the log as it was. */
  async write(shard: LoadedShard): Promise<void> {
    if (shard.log.length === 0) return;
    try {
      await this.carryOut(shard, runOfMany, () => true);
    } catch (error) {
      // The shard was destroyed meanwhile.
      if (!(error instanceof MergeAbandoned)) throw error;
    }
  }

  /** Earliest time of the next checkpoint. */
  get nextMs(): number {
    return this.#lastMs + INTERVAL_MS;
  }

  /** The log may be empty. Throws MergeAbandoned when `isWanted` is false or the shard was replaced. */
  async carryOut(shard: LoadedShard, choose: ChooseRun, isWanted: () => boolean): Promise<void> {
    const store = this.#store;
    const isCurrent = (): boolean => store.state() !== null && this.#memory.current === shard && isWanted();
    const sealed = await this.#turns.run(async () => (isCurrent() ? seal(shard) : null));
    if (sealed === null) throw new MergeAbandoned();
    this.#lastMs = Date.now();
    try {
      const parts = {
        bucket: this.#bucket,
        store,
        sources: this.#memory.sources(shard),
        isWanted: isCurrent,
      };
      const checkpoint = await putCheckpoint(parts, sealed, shard, choose);
      await this.#turns.run(async () => {
        const isLate = checkpoint.hasMoved && store.following() !== null;
        if (!isCurrent() || isLate) throw new MergeAbandoned();
        trim(store, shard, checkpoint);
      });
      await sweepCopies(store, shard, isCurrent);
    } catch (error) {
      unseal(shard);
      throw error;
    }
  }

  /** Changed numbers do not count as documents, because a checkpoint does not index them. */
  #logSize(): { readonly sizeBytes: number; readonly documents: number } {
    let sizeBytes = 0;
    let documents = 0;
    const { current } = this.#memory;
    if (current === null) {
      for (const entry of this.#store.log.entries()) {
        sizeBytes += entry.sizeBytes;
        documents += entry.operations;
      }
      return { sizeBytes, documents };
    }
    for (const entry of current.log) {
      sizeBytes += entry.sizeBytes;
      documents += entry.operations - entry.numbers.size;
    }
    return { sizeBytes, documents };
  }
}
