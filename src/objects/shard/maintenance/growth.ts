/**
 * Requests a reindex when updates made the shard too large, or when an earlier version of the code analysed its
 * documents.
 *
 *   over the target size (40 MB)      the alarm requests a reindex with twice as many shards, and waits for it
 *   over 1.5 times the size (60 MB)   growing writes get 503 index_full_resharding until the flip
 *   an older ANALYSIS_VERSION         the alarm requests a reindex with as many shards; until then, words that are
 *                                     analysed differently now are found only as they are written
 * A request that fails is repeated after 1, 2, 4, ... 16 minutes. A shard of one partition cannot be split: the index
 * has its largest size (index_too_large).
 */
import { unwrap } from "../../../interface/index.ts";
import type { LoadedShard } from "../loaded/index.ts";
import { isOfOlderAnalysis } from "../log/index.ts";
import type { ShardStore } from "../store/index.ts";
import { MOST_SHARDS, PARTITION_COUNT } from "../../partition.ts";
import { fail, type Failure } from "../../results.ts";
import { indexStub, type ObjectsEnv } from "../../stubs.ts";
import type { ShardMemory } from "../standing/index.ts";

/** Growing writes are refused at this multiple of the target size: 60 MB. */
const HARD_STOP = 1.5;

/** Time between requests for a reindex; longer after failures (attempts.ts). */
const PAUSE_MS = 60_000;
const WORK = "growth";

export class Growth {
  readonly #env: ObjectsEnv;
  readonly #store: ShardStore;
  readonly #memory: ShardMemory;
  readonly #shardBytes: () => number;

  /** @param shardBytes target size of a shard; the setting may change */
  constructor(env: ObjectsEnv, store: ShardStore, memory: ShardMemory, shardBytes: () => number) {
    this.#env = env;
    this.#store = store;
    this.#memory = memory;
    this.#shardBytes = shardBytes;
  }

  /** The answer to a growing write; null: accepted. */
  refuses(shard: LoadedShard): Failure | null {
    if (shard.reader.sizeBytes <= HARD_STOP * this.#shardBytes()) return null;
    const { partitions } = shard.manifest;
    return partitions.end - partitions.first > 1
      ? fail(
          "index_full_resharding",
          "The index is being split because its shard is full; retry writes that add data later.",
        )
      : fail("index_too_large", `The index exceeds its maximum of ${MOST_SHARDS} shards.`);
  }

  /** Infinity: not due. */
  dueMs(): number {
    return this.#leastShards() === null ? Infinity : this.#store.attempts.pacedUntilMs(WORK);
  }

  /** Requests a reindex if it is due, and waits for it, which keeps the index object awake. False: not due. */
  async ask(): Promise<boolean> {
    const state = this.#store.state();
    const atLeast = this.#leastShards();
    if (state === null || atLeast === null || this.dueMs() > Date.now()) return false;
    try {
      await this.#store.attempts.paced(WORK, PAUSE_MS, async () =>
        unwrap(await indexStub(this.#env, state.indexName).reindex({ atLeast })),
      );
    } catch (error) {
      console.error(JSON.stringify({ event: "growth_failed", reason: String(error) }));
    }
    return true;
  }

  /** Number of shards that a reindex should make; null: none is needed. */
  #leastShards(): number | null {
    const state = this.#store.serving();
    const shard = this.#memory.current;
    if (state?.status !== "live" || shard === null) return null;
    const { first, end } = shard.manifest.partitions;
    const shards = PARTITION_COUNT / (end - first);
    const isLarge = state.updates > 0 && shard.reader.sizeBytes > this.#shardBytes();
    if (isLarge && end - first > 1) return Math.min(shards * 2, MOST_SHARDS);
    return shard.reader.segments.some(({ segment }) => isOfOlderAnalysis(segment)) ? shards : null;
  }
}
