/**
 * Segments as R2 objects (stored blocks: stored-blocks.ts) and their merges: inputs are read and verified, merged term
 * by term in steps of a few milliseconds, and the result is put back. Between steps the object serves other calls.
 */
import { live } from "../index-engine/index/index.ts";
import {
  mergePartsSteps,
  mergeSteps,
  openApart,
  OpenedSegment,
  openSegment,
  type PlaceSources,
} from "../index-engine/segment/index.ts";
import { release, type CopyableBytes, type PlacedBytes } from "../index-engine/base/index.ts";
import type { LiveSegment, Segment } from "../index-engine/segment/model/index.ts";
import { getObject, putPieces } from "./bucket.ts";
import { withMemory } from "./isolate-memory.ts";
import { segmentKey } from "./names.ts";
import { Pause } from "./pause.ts";
import { covers, outside, partitionOf, type PartitionRange } from "./partition.ts";
import type { RegisteredSegment } from "./protocol/index.ts";

/** Smaller inputs are merged within a few milliseconds, without pauses. */
const SMALL_MERGE_BYTES = 262_144;

/**
 * Size of a step of a large merge for Pause: a pause after eight steps, or after 4 ms if the clock advances. Most steps
 * take less than half a millisecond, a few take several, and a pause costs a turn of the event loop.
 */
const STEP_BYTES = 4_096;
/** A merge has at least about a hundred steps, so small merges have small steps. */
const LEAST_STEPS = 512;

/** A written segment. */
interface WrittenSegment extends RegisteredSegment {
  readonly analysisVersion: number;
}

/** A segment of a session with the partitions of its documents. */
export interface CutSegment extends WrittenSegment {
  readonly partitions: PartitionRange;
}

/** A merge was aborted because its result is no longer wanted. */
export class MergeAbandoned extends Error {}

/**
 * Runs a merge, with pauses unless it is small. `place`: see mergeSteps; `isWanted`: see mergeApart.
 */
export function mergeWithPauses(
  inputs: readonly LiveSegment[],
  place: PlaceSources | null = null,
  isWanted: () => boolean = () => true,
): Promise<Uint8Array<ArrayBuffer>> {
  return withPauses(inputs, mergeSteps(inputs, place), isWanted);
}

/**
 * The same for large merges: the result is in memory once, and paged inputs are loaded completely first. Throws
 * MergeAbandoned when the result is no longer wanted.
 */
export async function mergeApart(
  inputs: readonly LiveSegment[],
  isWanted: () => boolean,
  place: PlaceSources | null = null,
): Promise<PlacedBytes> {
  for (const { segment } of inputs) await loadAll(segment, isWanted);
  return withPauses(inputs, mergePartsSteps(inputs, place), isWanted);
}

/** Bytes loaded in one step (one or two milliseconds), and their size for Pause. */
const LOADED_PER_STEP = 1_048_576;
const BROUGHT_COUNTS = 14_000;

/** Loads all of a segment in steps. Its copy in SQLite is then no longer needed. */
async function loadAll({ base }: Segment, isWanted: () => boolean): Promise<void> {
  if (!(base instanceof OpenedSegment)) throw new TypeError("only opened segments are paged");
  const pause = new Pause("merge");
  for (const _ of base.views.loadAll(LOADED_PER_STEP)) {
    if (!isWanted()) throw new MergeAbandoned();
    await pause.after(BROUGHT_COUNTS);
  }
}

async function withPauses<Result>(
  inputs: readonly LiveSegment[],
  steps: Generator<void, Result, void>,
  isWanted: () => boolean,
): Promise<Result> {
  const sizeBytes = inputs.reduce((sum, { segment }) => sum + segment.sizeBytes, 0);
  const pause = new Pause("merge");
  const stepBytes = Math.min(STEP_BYTES, sizeBytes / LEAST_STEPS);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (!pause.isDue(stepBytes)) continue;
    if (!isWanted()) throw new MergeAbandoned();
    if (sizeBytes >= SMALL_MERGE_BYTES) await pause.take();
    else pause.skip();
  }
}

/**
 * Writes one segment per range of `outputs`, with the inputs' documents of that range; ranges without documents are
 * omitted. Inputs are oldest first, results are put under `prefix`. All versions of a document belong to one range, so
 * each output equals a merge of its documents alone. `memoryBytes`: the maximum memory used.
 */
export async function mergeStoredSegments(
  bucket: R2Bucket,
  prefix: string,
  run: readonly CutSegment[],
  outputs: readonly PartitionRange[],
  isWanted: () => boolean,
): Promise<Merged> {
  const inputBytes = run.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return withMemory(inputBytes * MEMORY_FACTOR, (touch) =>
    mergeInMemory(bucket, prefix, run, outputs, () => {
      touch();
      return isWanted();
    }),
  );
}

interface Merged {
  readonly pieces: readonly CutSegment[];
  readonly memoryBytes: number;
}

/** Inputs and results (merge-policy.ts, "Memory"). */
const MEMORY_FACTOR = 2;

async function mergeInMemory(
  bucket: R2Bucket,
  prefix: string,
  run: readonly CutSegment[],
  outputs: readonly PartitionRange[],
  isWanted: () => boolean,
): Promise<Merged> {
  const inputs: Input[] = [];
  const pause = new Pause("merge");
  // One after another, because concurrent reads would double the memory while checksums are computed.
  for (const entry of run) {
    const bytes = await getObject(bucket, entry);
    // The merge checks whether it is wanted; this call only signals progress.
    isWanted();
    pause.skip();
    const segment = openSegment(bytes);
    const isWhole = outputs.some((output) => covers(output, entry.partitions));
    inputs.push({ bytes, segment, partitions: isWhole ? null : await partitionsOf(segment) });
  }
  let memoryBytes = 0;
  for (const { segment, partitions } of inputs) {
    // Includes the merge's row maps.
    memoryBytes += segment.sizeBytes + (partitions?.byteLength ?? 0) + segment.productCount * 8;
  }
  let largest = 0;
  const pieces: CutSegment[] = [];
  for (const output of outputs) {
    const parts = inputs
      .map(({ segment, partitions }) => partOf(segment, partitions, output))
      .filter((part) => part.deletedCount < part.segment.productCount);
    if (parts.length === 0) continue;
    const merged = await mergeApart(parts, isWanted);
    const entry = await putSegment(bucket, prefix, merged).finally(() => {
      merged.release();
    });
    pieces.push({ ...entry, partitions: output });
    largest = Math.max(largest, entry.sizeBytes);
  }
  for (const { bytes } of inputs) release(bytes);
  return { pieces, memoryBytes: memoryBytes + largest };
}

interface Input {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly segment: Segment;
  /** Partition of each row; null: all rows are wanted. */
  readonly partitions: Uint8Array | null;
}

/** Size of computing the partition of a row for Pause: several thousand take several milliseconds. */
const ROW_COUNTS = 6;

/** The partition of each row. */
async function partitionsOf(segment: Segment): Promise<Uint8Array> {
  const partitions = new Uint8Array(segment.productCount);
  const pause = new Pause("merge");
  for (let row = 0; row < partitions.length; row++) {
    partitions[row] = partitionOf(segment.ids.get(row));
    if (pause.isDue(ROW_COUNTS)) await pause.take();
  }
  return partitions;
}

/** The segment with rows outside the range deleted; `partitions` null: none are outside. */
function partOf(segment: Segment, partitions: Uint8Array | null, range: PartitionRange): LiveSegment {
  if (partitions === null) return live(segment);
  const { bits, count } = outside(partitions, range);
  return { segment, deleted: bits, deletedCount: count };
}

export async function putSegment(bucket: R2Bucket, prefix: string, bytes: CopyableBytes): Promise<WrittenSegment> {
  const { productCount, variantCount, analysisVersion } = openApart(bytes);
  const id = crypto.randomUUID();
  const object = await putPieces(bucket, segmentKey(prefix, id), bytes);
  return { ...object, id, productCount, variantCount, analysisVersion };
}
