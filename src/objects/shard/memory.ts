/**
 * What this incarnation of a shard has in memory: one LoadedShard, loaded by whoever needs it first.
 *
 *   (nothing) -> loading     `load`; whoever comes meanwhile waits for the same
 *   loading   -> loaded      from now on there is a `current`, what synchronous code works with
 *   loading   -> (nothing)   it failed; that is forgotten, so that the next one tries again
 *   any       -> (nothing)   `forget`, when the shard is opened anew or destroyed
 *
 * Whoever has waited for something compares: `current` may be another shard by then, or none.
 */
import { LoadedShard, LogMerging, type ShardStore, SourceReader } from "./state/index.ts";

export interface MemoryOwner {
  /** Part of loading: nobody is answered before. */
  settle(shard: LoadedShard): Promise<void>;
  /** There is a `current` now. */
  loaded(): void;
}

export class ShardMemory {
  readonly #store: ShardStore;
  readonly #bucket: R2Bucket;
  readonly #owner: MemoryOwner;
  /** Memoised; null: not loaded, or to be loaded again. */
  #ready: Promise<LoadedShard> | null = null;
  /** Set when #ready is fulfilled. */
  #current: LoadedShard | null = null;

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
    if (this.#store.serving() === null) return null;
    if (this.#ready === null) {
      const ready = this.#loadOnce();
      this.#ready = ready;
      ready.then(
        (shard) => {
          if (this.#ready !== ready) return;
          this.#current = shard;
          this.#owner.loaded();
        },
        () => {
          if (this.#ready === ready) this.#ready = null;
        },
      );
    }
    return this.#ready;
  }

  forget(): void {
    this.#ready = null;
    this.#current = null;
  }

  /** For one call. */
  sources(shard: LoadedShard): SourceReader {
    return new SourceReader(this.#store, this.#bucket, shard);
  }

  async #loadOnce(): Promise<LoadedShard> {
    const shard = await LoadedShard.load(this.#store, this.#bucket);
    new LogMerging(this.#store).mergeLoaded(shard);
    await this.#owner.settle(shard);
    return shard;
  }
}
