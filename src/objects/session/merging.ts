/**
 * Merging the segments of a session (which and where to cut: merge-policy.ts): in the background while documents come
 * in, and to the end when it is published. At most one merge at a time; what it makes takes the place of its inputs in
 * one turn (SessionStore.replaceRun), so one that dies or is given up has changed nothing.
 *
 *   inBackground   for a number of shards that is only guessed yet: as if the import were to grow by half. Begun by `register` and not by
 *                  an alarm, which a busy thread lets wait for long; the alarm is the net below: it goes on where an incarnation or its
 *                  merge has ended
 *   toTheEnd       for the number that is decided. A merge that is under way may be just what is needed, or is given up
 */
import { Attempts } from "../attempts.ts";
import { GROWTH, nextMerge, type Merge } from "../merge-policy.ts";
import { importPrefix } from "../names.ts";
import { covers, shardCountFor, shardRanges, type PartitionRange } from "../partition.ts";
import { MergeAbandoned, mergeStoredSegments } from "../segment-storage.ts";
import { isAlive, type RankedSegment, type SessionData, type SessionStore } from "./store.ts";

/** When the alarm looks for a background merge that was interrupted or has failed. */
const RETRY_MS = 10_000;

export class Merging {
  readonly #storage: DurableObjectStorage;
  readonly #attempts: Attempts;
  readonly #bucket: R2Bucket;
  readonly #store: SessionStore;
  readonly #shardBytes: () => number;
  #merging: Promise<"merged"> | null = null;

  /** `shardBytes`: what a shard should hold at most, as it is set now. */
  constructor(
    storage: DurableObjectStorage,
    bucket: R2Bucket,
    store: SessionStore,
    shardBytes: () => number,
  ) {
    this.#storage = storage;
    this.#attempts = new Attempts(storage);
    this.#bucket = bucket;
    this.#store = store;
    this.#shardBytes = shardBytes;
  }

  /** How many shards the bytes there are ask for, times `growth`. */
  shardCount({ options }: SessionData, growth = 1): number {
    return shardCountFor(this.#store.sizeBytes * growth, options.leastShards, this.#shardBytes());
  }

  /** While there is something to merge. Never fails; nobody waits for it. */
  async inBackground(): Promise<void> {
    const due = (): boolean => this.#store.data()?.state === "open" && this.#next(false) !== null;
    if (this.#merging !== null || !due()) return;
    const notBeforeMs = this.#attempts.notBeforeMs("merging");
    // Given up: `done` merges what is left.
    if (notBeforeMs === Infinity) return;
    try {
      await this.#storage.setAlarm(Math.max(notBeforeMs, Date.now() + RETRY_MS));
      while (due()) {
        if ((await this.#attempts.run("merging", () => this.#mergeNext(false))) === null) return;
      }
    } catch (error) {
      if (error instanceof MergeAbandoned) return;
      // Inputs are untouched; `done` merges what is left in any case.
      console.error(JSON.stringify({ event: "background_merge_failed", reason: String(error) }));
    }
  }

  /** Until each shard has few segments of its own. */
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

  /** Once the number of shards is decided, cutting for more of them is lost time. */
  #isWanted(inputs: readonly RankedSegment[], outputs: readonly PartitionRange[]): boolean {
    const shardCount = this.#store.data()?.shardCount ?? null;
    if (shardCount === null || outputs.length === 1) return true;
    const shards = shardRanges(shardCount);
    return inputs.some(({ partitions }) => !shards.some((shard) => covers(shard, partitions)));
  }

  /** Merges one run, or waits for the merge that is under way. */
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
    const { pieces: merged, memoryBytes } = await mergeStoredSegments(
      this.#bucket,
      prefix,
      inputs,
      outputs,
      () => this.#isWanted(inputs, outputs),
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
    // Cancelled meanwhile: the result is garbage like its inputs.
    const data = this.#store.data();
    if (data !== null && isAlive(data)) this.#store.replaceRun(inputs, merged);
    return "merged";
  }
}
