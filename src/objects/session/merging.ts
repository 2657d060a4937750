/**
 * Merges the segments of a session (merge-policy.ts decides which and where to cut): in the background during the
 * import, and completely when it is published. There is at most one merge at a time. Its result replaces its inputs in
 * one turn (SessionStore.replaceRun), so an aborted merge changes nothing.
 *
 *   inBackground   for the expected number of shards, assuming that the import grows by half. Started by `register` rather than by an
 *                  alarm, which a busy thread delays; the alarm continues after crashes and failures
 *   toTheEnd       for the decided number. Uses a running merge if it helps; otherwise aborts it
 */
import { Attempts } from "../attempts.ts";
import { GROWTH, nextMerge, type Merge } from "../merge-policy.ts";
import { importPrefix } from "../names.ts";
import { covers, shardCountFor, shardRanges, type PartitionRange } from "../partition.ts";
import { MergeAbandoned, mergeStoredSegments } from "../segment-storage.ts";
import { isAlive, type RankedSegment, type SessionData, type SessionStore } from "./store.ts";

/** Delay of the alarm that repeats an interrupted or failed background merge. */
const RETRY_MS = 10_000;

export class Merging {
  readonly #storage: DurableObjectStorage;
  readonly #attempts: Attempts;
  readonly #bucket: R2Bucket;
  readonly #store: SessionStore;
  readonly #shardBytes: () => number;
  #merging: Promise<"merged"> | null = null;

  /** `shardBytes`: the current maximum size of a shard. */
  constructor(storage: DurableObjectStorage, bucket: R2Bucket, store: SessionStore, shardBytes: () => number) {
    this.#storage = storage;
    this.#attempts = new Attempts(storage);
    this.#bucket = bucket;
    this.#store = store;
    this.#shardBytes = shardBytes;
  }

  /** Number of shards for the current bytes times `growth`. */
  shardCount({ options }: SessionData, growth = 1): number {
    return shardCountFor(this.#store.sizeBytes * growth, options.leastShards, this.#shardBytes());
  }

  /** Merges as long as there is something to merge. Never fails; nobody waits for it. */
  async inBackground(): Promise<void> {
    const due = (): boolean => this.#store.data()?.state === "open" && this.#next(false) !== null;
    if (this.#merging !== null || !due()) return;
    const notBeforeMs = this.#attempts.notBeforeMs("merging");
    // Aborted: `done` merges the rest.
    if (notBeforeMs === Infinity) return;
    try {
      await this.#storage.setAlarm(Math.max(notBeforeMs, Date.now() + RETRY_MS));
      while (due()) {
        if ((await this.#attempts.run("merging", () => this.#mergeNext(false))) === null) return;
      }
    } catch (error) {
      if (error instanceof MergeAbandoned) return;
      // Inputs are unchanged; `done` merges the rest anyway.
      console.error(JSON.stringify({ event: "background_merge_failed", reason: String(error) }));
    }
  }

  /** Merges until each shard has few segments of its own. */
  async toTheEnd(): Promise<void> {
    await this.#merging?.catch(() => undefined);
    while (this.#next(true) !== null) await this.#mergeNext(true);
  }

  #next(final: boolean): Merge | null {
    const data = this.#store.data();
    if (data === null || !isAlive(data)) return null;
    const count = final ? (data.shardCount ?? 1) : this.shardCount(data, GROWTH);
    return nextMerge(this.#store.segments(), shardRanges(count), final);
  }

  /** Aborts cuts for more shards than were decided. */
  #isWanted(inputs: readonly RankedSegment[], outputs: readonly PartitionRange[]): boolean {
    const shardCount = this.#store.data()?.shardCount ?? null;
    if (shardCount === null || outputs.length === 1) return true;
    const shards = shardRanges(shardCount);
    return inputs.some(({ partitions }) => !shards.some((shard) => covers(shard, partitions)));
  }

  /** Merges one run, or waits for the running merge. */
  #mergeNext(final: boolean): Promise<"merged"> {
    this.#merging ??= this.#mergeOne(final).finally(() => {
      this.#merging = null;
    });
    return this.#merging;
  }

  async #mergeOne(final: boolean): Promise<"merged"> {
    const merge = this.#next(final);
    const info = this.#store.data()?.info;
    if (merge === null || info === undefined) return "merged";
    const segments = this.#store.segments();
    const inputs = merge.inputs.map((position) => segments[position]);
    const prefix = importPrefix(info.temporaryIndexName);
    const { outputs } = merge;
    const startMs = performance.now();
    const { pieces: merged, memoryBytes } = await mergeStoredSegments(this.#bucket, prefix, inputs, outputs, () =>
      this.#isWanted(inputs, outputs),
    );
    console.log(
      JSON.stringify({
        event: "merged",
        session: info.temporaryIndexName,
        final,
        inputs: inputs.map(({ sizeBytes }) => sizeBytes),
        outputs: merged.map(({ sizeBytes }) => sizeBytes),
        memoryBytes,
        tookMs: Math.round(performance.now() - startMs),
      }),
    );
    // Cancelled meanwhile, so the result is garbage like its inputs.
    const data = this.#store.data();
    if (data !== null && isAlive(data)) this.#store.replaceRun(inputs, merged);
    return "merged";
  }
}
