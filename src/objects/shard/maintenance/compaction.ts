/**
 * Compaction: the published segments of a live shard become one, or as few as its memory allows (merge-policy.ts, "A
 * live shard"), while searches and writes go on. What is dead goes with it, of stored sources too
 * (maintenance/source-packing.ts).
 *
 * It is a checkpoint (checkpoint.ts) that merges like-sized segments and may find the log empty: put to R2 under new
 * names, copied to SQLite, the manifest that names the result, then one turn in which manifest and reader change
 * together. So what ends a checkpoint half-way ends this one:
 *   before the manifest is put    the result is an orphan in R2 (garbage collection) and in SQLite (the sweep after the next one)
 *   before the turn               R2's manifest names the result, the shard works with the inputs; collection spares what either names, and
 *                                 the next checkpoint puts a manifest again
 *   after it                      copies of the inputs are left in SQLite, for the next sweep; in R2 they are garbage
 * A generation that is replaced meanwhile gives up. What it has compacted before is what a rollback finds.
 *
 * When: `afterMs` after the shard went live or was compacted last, when there is something to merge. Stored
 * (compactAtMs), so that an object which is evicted in between goes on waiting; a failure puts it off by RETRY_MS.
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

/** A shard may have so many stored blocks, */
const MANY_BLOCKS = 64;
/** and one more for so many bytes: packed ones are at least twice as large (maintenance/source-packing.ts). */
const BYTES_PER_BLOCK = 1_048_576;

export class Compaction {
  readonly #store: ShardStore;
  readonly #memory: ShardMemory;
  readonly #checkpoints: Checkpoints;
  readonly #afterMs: () => number;

  /** `afterMs`: how long segments stay as they were published, as it is set now. */
  constructor(
    store: ShardStore,
    memory: ShardMemory,
    checkpoints: Checkpoints,
    afterMs: () => number,
  ) {
    this.#store = store;
    this.#memory = memory;
    this.#checkpoints = checkpoints;
    this.#afterMs = afterMs;
  }

  /** The shard has gone live, in the turn it does. */
  wentLive(): void {
    this.#wait(this.#afterMs());
  }

  /** Infinity: there is nothing to merge. */
  dueMs(): number {
    const state = this.#store.state();
    const { current } = this.#memory;
    if (state?.status !== "live" || current === null) return Infinity;
    const published = current.manifest.segments.map((entry, i) => ({
      entry,
      live: current.reader.segments[i],
    }));
    if (runOfAlike(published, this.#chooseFor(current)) === null) return Infinity;
    return Math.max(
      state.compactAtMs ?? 0,
      this.#checkpoints.nextMs,
      this.#store.attempts.notBeforeMs("compaction"),
    );
  }

  /** Never fails: what went wrong is tried again. */
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

  /** What merging takes at most: inputs that are brought whole, and the result. */
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

  /** Many small stored blocks, as an import of small bulks leaves: they are joined by a merge of everything. */
  #isCrumbled({ manifest }: LoadedShard): boolean {
    const { blocks } = manifest;
    if (blocks.length <= MANY_BLOCKS) return false;
    const sizeBytes = blocks.reduce((sum, { bounds }) => sum + (bounds.at(-1) ?? 0) - bounds[0], 0);
    const isMany = blocks.length > MANY_BLOCKS + sizeBytes / BYTES_PER_BLOCK;
    return isMany && this.#store.following() === null && this.#store.chunks.hasAll(manifest);
  }
}
