/**
 * Checkpoints: the log moves into published segments, while searches and writes go on. Due when the log is over 4 MB
 * or 5,000 operations, or 60 s after a write.
 *
 *   seal      a turn between writes: the log's rows up to s become one segment. New writes go to rows after s.
 *   put       segment and stored chunks to R2 under new names, then the manifest that names them and all deletions; size and checksum verified.
 *   trim      one turn: manifest stored, the sealed segment joins the published ones, log rows <= s go.
 * A crash or R2 failure anywhere: the log is still there, the alarm comes back; objects already put are orphans for
 * garbage collection. The work itself is checkpoint.ts.
 */
import type { ChooseRun } from "../log/index.ts";
import type { LoadedShard } from "../loaded/index.ts";
import { putCheckpoint, runOfMany, seal, sweepCopies, trim, unseal } from "./checkpoint.ts";
import type { ShardStore } from "../store/index.ts";
import { MergeAbandoned } from "../../segment-storage.ts";
import type { ShardMemory } from "../standing/index.ts";
import type { Lock } from "../locks.ts";

/**
 * A log beyond one of these is written to R2 soon, a younger one after CHECKPOINT_AFTER_S.
 */
const LOG_BYTES = 4_194_304;
const LOG_OPERATIONS = 5_000;
/** Checkpoints follow each other at this distance at least: R2 takes one write a second to the manifest's key. */
const INTERVAL_MS = 2_000;

export class Checkpoints {
  readonly #store: ShardStore;
  readonly #bucket: R2Bucket;
  readonly #memory: ShardMemory;
  readonly #turns: Lock;
  readonly #afterMs: () => number;
  #lastMs = 0;

  /** `turns`: of the shard's writes. `afterMs`: how long a small log may wait, as it is set now. */
  constructor(
    store: ShardStore,
    bucket: R2Bucket,
    memory: ShardMemory,
    turns: Lock,
    afterMs: () => number,
  ) {
    this.#store = store;
    this.#bucket = bucket;
    this.#memory = memory;
    this.#turns = turns;
    this.#afterMs = afterMs;
  }

  /** Infinity: nothing to write. */
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
      // Destroyed meanwhile.
      if (!(error instanceof MergeAbandoned)) throw error;
    }
  }

  /** The next one may not come before. */
  get nextMs(): number {
    return this.#lastMs + INTERVAL_MS;
  }

  /**
   * Also of an empty log, if there is something to merge. Throws MergeAbandoned once `isWanted` says no or the shard
   * is another one.
   */
  async carryOut(shard: LoadedShard, choose: ChooseRun, isWanted: () => boolean): Promise<void> {
    const store = this.#store;
    const isCurrent = (): boolean =>
      store.state() !== null && this.#memory.current === shard && isWanted();
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

  /** Changed numbers are no documents: a checkpoint has nothing to index for them. */
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
