/**
 * The LoadedShard of this incarnation, loaded by the first call that needs it.
 *
 *   (nothing) -> loading     `load`; concurrent calls share one load
 *   loading   -> loaded      `current` is set, for synchronous code
 *   loading   -> (nothing)   it failed; the next call tries again
 *   any       -> (nothing)   `forget`: the shard is opened again or destroyed, or a copy was damaged
 *
 * A forgotten load ends at its next pause and writes nothing more, because another load may already have read the log
 * and would miss its additions. Calls that waited for it load again.
 *
 * After any await, compare `current`: it may be another shard, or null.
 */
import { LoadedShard, SourceReader } from "../loaded/index.ts";
import { LogMerging } from "../log/index.ts";
import type { ShardStore } from "../store/index.ts";

export interface MemoryOwner {
  /** Part of loading, before any call is answered. Writes nothing once `isWanted` is false. */
  settle(shard: LoadedShard, isWanted: () => boolean): Promise<void>;
  /** Called when `current` is set. */
  loaded(): void;
}

export class ShardMemory {
  readonly #store: ShardStore;
  readonly #bucket: R2Bucket;
  readonly #owner: MemoryOwner;
  /** Null: must be loaded. Resolves to null if the load was forgotten. */
  #ready: Promise<LoadedShard | null> | null = null;
  /** Set when #ready resolves. */
  #current: LoadedShard | null = null;
  /** Number of calls of `forget`. */
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

  /** Null: there is nothing to load. Throws if loading fails. */
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

  /** A source reader for one call. */
  sources(shard: LoadedShard): SourceReader {
    return new SourceReader(this.#store, this.#bucket, shard);
  }

  /** Null: the load was forgotten. */
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
