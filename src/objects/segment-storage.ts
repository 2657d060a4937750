/**
 * Segments as objects in R2 (stored blocks: stored-blocks.ts), and merging those that lie there: inputs are read and
 * verified, merged term by term in steps of a few milliseconds, and the result is put back. Between steps the object
 * answers other calls.
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
import { segmentKey } from "./names.ts";
import { Pause } from "./pause.ts";
import { covers, outside, partitionOf, type PartitionRange } from "./partition.ts";
import type { RegisteredSegment } from "./protocol/index.ts";

/** Inputs of less than this are merged within a few milliseconds: pauses would take longer than the work. */
const SMALL_MERGE_BYTES = 262_144;

/**
 * A step of a large merge, as Pause counts: a pause is due after eight of them, or after 4 ms where the clock says so.
 * Most take less than half a millisecond, a few several, and a pause costs a turn of the event loop.
 */
const STEP_BYTES = 4_096;
/** A merge has some hundred steps at least: those of small ones are small. */
const LEAST_STEPS = 512;

/** A segment that was written here. */
interface WrittenSegment extends RegisteredSegment {
  readonly analysisVersion: number;
}

/** A segment of a session, and what it holds: its documents are all of these partitions. */
export interface CutSegment extends WrittenSegment {
  readonly partitions: PartitionRange;
}

/** A merge was given up half-way, because nobody wants its result any more. */
export class MergeAbandoned extends Error {}

/**
 * Runs a merge, giving way after every few steps unless it is small. `place` as in mergeSteps; `isWanted` as in
 * mergeApart.
 */
export function mergeWithPauses(
  inputs: readonly LiveSegment[],
  place: PlaceSources | null = null,
  isWanted: () => boolean = () => true,
): Promise<Uint8Array<ArrayBuffer>> {
  return withPauses(inputs, mergeSteps(inputs, place), isWanted);
}

/**
 * The same, large: the result lies in memory once, and inputs that are brought page by page are brought whole before.
 * Throws MergeAbandoned once it is not wanted any more.
 */
export async function mergeApart(
  inputs: readonly LiveSegment[],
  isWanted: () => boolean,
): Promise<PlacedBytes> {
  for (const { segment } of inputs) await bringAll(segment, isWanted);
  return withPauses(inputs, mergePartsSteps(inputs), isWanted);
}

/** Bytes that are brought in one step, a millisecond or two, and what Pause counts for it. */
const BROUGHT_PER_STEP = 1_048_576;
const BROUGHT_COUNTS = 14_000;

/** All of a segment, in steps: what still has it then needs its copy in SQLite no more. */
async function bringAll({ base }: Segment, isWanted: () => boolean): Promise<void> {
  if (!(base instanceof OpenedSegment)) throw new TypeError("only opened segments are paged");
  const pause = new Pause("merge");
  for (const _ of base.views.bringAll(BROUGHT_PER_STEP)) {
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
 * One segment per range of `outputs` that has documents, of the inputs' documents in it; others are left out. Oldest
 * first. The results lie under `prefix`. A document belongs to one range and its versions with it, so each output is
 * what merging its documents alone gives. `memoryBytes`: what this has held at most.
 */
export async function mergeStoredSegments(
  bucket: R2Bucket,
  prefix: string,
  run: readonly CutSegment[],
  outputs: readonly PartitionRange[],
  isWanted: () => boolean,
): Promise<{ readonly pieces: readonly CutSegment[]; readonly memoryBytes: number }> {
  const inputs: Input[] = [];
  const pause = new Pause("merge");
  // One after another: as many reads at once as inputs would double the memory while their checksums are computed.
  for (const entry of run) {
    const bytes = await getObject(bucket, entry);
    pause.skip();
    const segment = openSegment(bytes);
    const isWhole = outputs.some((output) => covers(output, entry.partitions));
    inputs.push({ bytes, segment, partitions: isWhole ? null : await partitionsOf(segment) });
  }
  let memoryBytes = 0;
  for (const { segment, partitions } of inputs) {
    // With the merge's maps of rows.
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
  /** Of each row, null where all are wanted. */
  readonly partitions: Uint8Array | null;
}

/** What Pause counts for the partition of a row: some thousand take some milliseconds. */
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

/** The segment as if what lies outside the range were deleted; `partitions` null: nothing does. */
function partOf(
  segment: Segment,
  partitions: Uint8Array | null,
  range: PartitionRange,
): LiveSegment {
  if (partitions === null) return live(segment);
  const { bits, count } = outside(partitions, range);
  return { segment, deleted: bits, deletedCount: count };
}

export async function putSegment(
  bucket: R2Bucket,
  prefix: string,
  bytes: CopyableBytes,
): Promise<WrittenSegment> {
  const { productCount, variantCount, analysisVersion } = openApart(bytes);
  const id = crypto.randomUUID();
  const object = await putPieces(bucket, segmentKey(prefix, id), bytes);
  return { ...object, id, productCount, variantCount, analysisVersion };
}
