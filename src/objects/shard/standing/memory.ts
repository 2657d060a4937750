/**
 * What this incarnation of a shard has in memory: one LoadedShard, loaded by whoever needs it first.
 *
 *   (nothing) -> loading     `load`; whoever comes meanwhile waits for the same
 *   loading   -> loaded      from now on there is a `current`, what synchronous code works with
 *   loading   -> (nothing)   it failed; that is forgotten, so that the next one tries again
 *   any       -> (nothing)   `forget`, when the shard is opened anew or destroyed, or a copy was found to be damaged
 *
 * A load that is forgotten ends at its next pause and writes nothing more: another one may have read the log by then,
 * and would not know what this one adds to it. Whoever waited for it loads again.
 *
 * Whoever has waited for something compares: `current` may be another shard by then, or none.
 */
import { LoadedShard, SourceReader } from "../loaded/index.ts";
import { LogMerging } from "../log/index.ts";
import type { ShardStore } from "../store/index.ts";

export interface MemoryOwner {
  /** Part of loading: nobody is answered before. Writes nothing once `isWanted` says no. */
  settle(shard: LoadedShard, isWanted: () => boolean): Promise<void>;
  /** There is a `current` now. */
  loaded(): void;
}

export class ShardMemory {
  readonly #store: ShardStore;
  readonly #bucket: R2Bucket;
  readonly #owner: MemoryOwner;
  /** Memoised; null: not loaded, or to be loaded again. Comes to null when it was forgotten. */
  #ready: Promise<LoadedShard | null> | null = null;
  /** Set when #ready is fulfilled. */
  #current: LoadedShard | null = null;
  /** Counts what was forgotten. */
  #forgotten = 0;

  constructor(store: ShardStore, bucket: R2Bucket, owner: MemoryOwner) {
    this.#store = store;
    this.#bucket = bucket;
    this.#owner = owner;
  }

  /** Null: not loaded. */
  get current(): LoadedShard | null {
    return this.#current;
  }

  /** Null: nothing to load. Throws what loading has thrown. */
  async load(): Promise<LoadedShard | null> {
    while (this.#store.serving() !== null) {
      this.#ready ??= this.#loadOnce();
      const shard = await this.#ready;
      if (shard !== null && shard === this.#current) return shard;
    }
    return null;
  }

  forget(): void {
    this.#forgotten++;
    this.#ready = null;
    this.#current = null;
  }

  /** For one call. */
  sources(shard: LoadedShard): SourceReader {
    return new SourceReader(this.#store, this.#bucket, shard);
  }

  /** Null: it was forgotten meanwhile. */
  async #loadOnce(): Promise<LoadedShard | null> {
    const forgotten = this.#forgotten;
    const isWanted = (): boolean => this.#forgotten === forgotten;
    try {
      const shard = await LoadedShard.load(this.#store, this.#bucket, isWanted);
      if (shard === null) return null;
      new LogMerging(this.#store).mergeLoaded(shard);
      await this.#owner.settle(shard, isWanted);
      if (!isWanted()) return null;
      this.#current = shard;
      this.#owner.loaded();
      return shard;
    } catch (error) {
      if (!isWanted()) return null;
      this.#ready = null;
      throw error;
    }
  }
}
