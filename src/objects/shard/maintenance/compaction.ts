/**
 * Compaction merges the published segments of a live shard into one, or as few as its memory allows (merge-policy.ts,
 * "A live shard"), while searches and writes continue. It also drops dead stored sources (source-packing.ts).
 *
 * It is a checkpoint (checkpoint.ts) that merges segments of similar size, and whose log may be empty. If it is
 * interrupted
 *   before the manifest is written    the result is an orphan in R2 (garbage collection) and SQLite (the next sweep)
 *   before the turn                   R2's manifest names the result, the shard uses the inputs; garbage collection keeps what either names,
 *                                     and the next checkpoint writes a new manifest
 *   after it                          copies of the inputs stay in SQLite until the next sweep; in R2 they are garbage
 * When the generation is replaced meanwhile, compaction stops.
 *
 * It is due `afterMs` after the shard went live or was last compacted, if there is something to merge. The time is
 * stored (compactAtMs), so it survives an eviction. After a failure it waits RETRY_MS.
 */
import { type ChooseRun, runOfAlike } from "../log/index.ts";
import type { LoadedShard } from "../loaded/index.ts";
import type { ShardStore } from "../store/index.ts";
import { withMemory } from "../../isolate-memory.ts";
import { compactionBytes, compactionRun } from "../../merge-policy.ts";
import { MergeAbandoned } from "../../segment-storage.ts";
import type { Checkpoints } from "./checkpoints.ts";
import type { ShardMemory } from "../standing/index.ts";

const RETRY_MS = 60_000;

/** A shard may have this many stored blocks, */
const MANY_BLOCKS = 64;
/** plus one per this many bytes. Packed blocks have at least twice this size (source-packing.ts). */
const BYTES_PER_BLOCK = 1_048_576;

export class Compaction {
  readonly #store: ShardStore;
  readonly #memory: ShardMemory;
  readonly #checkpoints: Checkpoints;
  readonly #afterMs: () => number;

  /** @param afterMs how long segments stay as published; the setting may change */
  constructor(store: ShardStore, memory: ShardMemory, checkpoints: Checkpoints, afterMs: () => number) {
    this.#store = store;
    this.#memory = memory;
    this.#checkpoints = checkpoints;
    this.#afterMs = afterMs;
  }

  /** Call in the turn in which the shard goes live. */
  wentLive(): void {
    this.#wait(this.#afterMs());
  }

  /** Infinity: nothing to merge. */
  dueMs(): number {
    const { current } = this.#memory;
    if (current === null) return Infinity;
    const published = current.manifest.segments.map((entry, i) => ({
      entry,
      live: current.reader.segments[i],
    }));
    if (runOfAlike(published, this.#chooseFor(current)) === null) return Infinity;
    const state = this.#store.state();
    if (state?.status !== "live") return Infinity;
    return Math.max(state.compactAtMs ?? 0, this.#checkpoints.nextMs, this.#store.attempts.notBeforeMs("compaction"));
  }

  /** Never throws; retries after a failure. */
  async run(shard: LoadedShard): Promise<void> {
    const isWanted = (): boolean => this.#store.state()?.status === "live";
    const startMs = performance.now();
    const before = shard.manifest.segments;
    try {
      await withMemory(this.#memoryBytes(shard), (touch) =>
        this.#checkpoints.carryOut(shard, this.#chooseFor(shard), () => {
          touch();
          return isWanted();
        }),
      );
      if (isWanted()) this.#wait(this.#afterMs());
      console.log(
        JSON.stringify({
          event: "compacted",
          shard: shard.manifest.shard,
          before: before.map(({ sizeBytes }) => sizeBytes),
          after: shard.manifest.segments.map(({ sizeBytes }) => sizeBytes),
          tookMs: Math.round(performance.now() - startMs),
        }),
      );
    } catch (error) {
      if (error instanceof MergeAbandoned) return;
      console.error(JSON.stringify({ event: "compaction_failed", reason: String(error) }));
      if (isWanted()) this.#wait(RETRY_MS);
    }
  }

  /** Most memory of a merge: all inputs, and the result. */
  #memoryBytes({ manifest }: LoadedShard): number {
    return manifest.segments.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) * 2;
  }

  #wait(ms: number): void {
    this.#store.change({ compactAtMs: Date.now() + ms });
  }

  #chooseFor(shard: LoadedShard): ChooseRun {
    const mostBytes = compactionBytes(shard.reader.sizeBytes);
    const isCrumbled = this.#isCrumbled(shard);
    return (pieces) => {
      const run = compactionRun(pieces, mostBytes);
      if (run !== null || !isCrumbled || pieces.length < shard.manifest.segments.length) return run;
      const liveBytes = pieces.reduce((sum, piece) => sum + piece.liveBytes, 0);
      return liveBytes <= mostBytes ? { start: 0, end: pieces.length } : null;
    };
  }

  /** Has many small stored blocks, as after an import of small bulks. Merging everything joins them. */
  #isCrumbled({ manifest }: LoadedShard): boolean {
    const { blocks } = manifest;
    if (blocks.length <= MANY_BLOCKS) return false;
    const sizeBytes = blocks.reduce((sum, { bounds }) => sum + (bounds.at(-1) ?? 0) - bounds[0], 0);
    const isMany = blocks.length > MANY_BLOCKS + sizeBytes / BYTES_PER_BLOCK;
    return isMany && this.#store.following() === null && this.#store.chunks.hasAll(manifest);
  }
}
