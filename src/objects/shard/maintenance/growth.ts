/**
 * A shard whose index should be built anew: updates have made it larger than a shard should be, or its segments lack
 * what this version reads.
 *
 *   beyond what it should hold (40 MB)     the alarm asks the index for a reindex over twice as many shards and waits for it; a failed one is
 *                                          asked for again
 *   half as much again (60 MB)             growing writes get 503 index_full_resharding until the flip
 *   titles without their heads             the alarm asks for a reindex over as many shards; searches go without heads until then
 * A shard of one partition cannot be cut: the index has become as large as one can be (index_too_large).
 */
import { hasTitleHeads } from "../../../index-engine/index.ts";
import { unwrap } from "../../../interface/index.ts";
import type { LoadedShard } from "../loaded/index.ts";
import type { ShardStore } from "../store/index.ts";
import { MOST_SHARDS, PARTITION_COUNT } from "../../partition.ts";
import { fail, type Failure } from "../../results.ts";
import { indexStub, type ObjectsEnv } from "../../stubs.ts";
import type { ShardMemory } from "../standing/index.ts";

/** A shard this much larger than it should be takes no growing writes: 60 MB. */
const HARD_STOP = 1.5;

/** Between two requests for a reindex. */
const RETRY_MS = 60_000;

export class Growth {
  readonly #env: ObjectsEnv;
  readonly #store: ShardStore;
  readonly #memory: ShardMemory;
  readonly #shardBytes: () => number;
  /** When the index was last asked for more shards. */
  #askedMs = 0;

  /** `shardBytes`: what a shard should hold at most, as it is set now. */
  constructor(env: ObjectsEnv, store: ShardStore, memory: ShardMemory, shardBytes: () => number) {
    this.#env = env;
    this.#store = store;
    this.#memory = memory;
    this.#shardBytes = shardBytes;
  }

  /** The answer to a growing write; null: there is room. */
  refuses(shard: LoadedShard): Failure | null {
    if (shard.reader.sizeBytes <= HARD_STOP * this.#shardBytes()) return null;
    const { partitions } = shard.manifest;
    return partitions.end - partitions.first > 1
      ? fail(
          "index_full_resharding",
          "The index has outgrown its shard; retry growing writes later.",
        )
      : fail("index_too_large", `The index has outgrown its ${MOST_SHARDS} shards.`);
  }

  /** When the index is to be asked; Infinity: not at all. */
  dueMs(): number {
    return this.#leastShards() === null ? Infinity : this.#askedMs + RETRY_MS;
  }

  /** Has the index built anew, if that is due. Waits for it: so the index stays awake. False: it was not due. */
  async ask(): Promise<boolean> {
    const state = this.#store.state();
    const atLeast = this.#leastShards();
    if (state === null || atLeast === null || this.dueMs() > Date.now()) return false;
    this.#askedMs = Date.now();
    try {
      unwrap(await indexStub(this.#env, state.indexName).reindex({ atLeast }));
    } catch (error) {
      console.error(JSON.stringify({ event: "growth_failed", reason: String(error) }));
    }
    return true;
  }

  /** How many shards the index should have when it is built anew; null: it need not be. */
  #leastShards(): number | null {
    const state = this.#store.state();
    const shard = this.#memory.current;
    if (state?.status !== "live" || shard === null) return null;
    const { first, end } = shard.manifest.partitions;
    const shards = PARTITION_COUNT / (end - first);
    const isLarge = state.updates > 0 && shard.reader.sizeBytes > this.#shardBytes();
    if (isLarge && end - first > 1) return Math.min(shards * 2, MOST_SHARDS);
    return hasTitleHeads(shard.reader) ? null : shards;
  }
}
