/**
 * Segments and stored blocks as objects in R2, and merging segments that lie there: inputs are read and verified, merged term by
 * term in steps of a few milliseconds, and the result is put back. Between steps the object answers other calls.
 */
import { live } from "../index-engine/reader.ts";
import { mergeSteps, openSegment } from "../index-engine/segment/index.ts";
import { storedChunks } from "../index-engine/stored/index.ts";
import type { LiveSegment, Segment } from "../index-engine/model.ts";
import { getObject, putObject } from "./bucket.ts";
import { blockKey, segmentKey } from "./names.ts";
import { covers, outside, partitionOf, type PartitionRange } from "./partition.ts";
import type { BlockEntry, SegmentEntry } from "./protocol.ts";
import type { CutSegment } from "./session-store.ts";

/** Inputs of less than this are merged within a few milliseconds: pauses would take longer than the work. */
const SMALL_MERGE_BYTES = 262_144;

/** A merge was given up half-way, because nobody wants its result any more. */
export class MergeAbandoned extends Error {}

/** Runs a merge, giving way after every step unless it is small. Throws MergeAbandoned once it is not wanted any more. */
export async function mergeWithPauses(
  inputs: readonly LiveSegment[],
  isWanted: () => boolean = () => true,
): Promise<Uint8Array<ArrayBuffer>> {
  const sizeBytes = inputs.reduce((sum, { segment }) => sum + segment.sizeBytes, 0);
  const steps = mergeSteps(inputs);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (!isWanted()) throw new MergeAbandoned();
    if (sizeBytes >= SMALL_MERGE_BYTES) await scheduler.wait(0);
  }
}

/**
 * One segment per range of `outputs` that has documents, of the inputs' documents in it; others are left out. Oldest first. The results
 * lie under `prefix`. A document belongs to one range and its versions with it, so each output is what merging its documents alone gives.
 */
export async function mergeStoredSegments(
  bucket: R2Bucket,
  prefix: string,
  run: readonly CutSegment[],
  outputs: readonly PartitionRange[],
  isWanted: () => boolean,
): Promise<CutSegment[]> {
  const inputs: { readonly segment: Segment; readonly partitions: Uint8Array | null }[] = [];
  // One after another: as many reads at once as inputs would double the memory while their checksums are computed.
  for (const entry of run) {
    const segment = openSegment(await getObject(bucket, entry));
    const isWhole = outputs.some((output) => covers(output, entry.partitions));
    inputs.push({ segment, partitions: isWhole ? null : await partitionsOf(segment) });
  }
  const pieces: CutSegment[] = [];
  for (const output of outputs) {
    const parts = inputs
      .map(({ segment, partitions }) => partOf(segment, partitions, output))
      .filter((part) => part.deletedCount < part.segment.productCount);
    if (parts.length === 0) continue;
    const entry = await putSegment(bucket, prefix, await mergeWithPauses(parts, isWanted));
    pieces.push({ ...entry, partitions: output });
  }
  return pieces;
}

/** Rows between two pauses: some milliseconds. */
const ROWS_PER_STEP = 5_000;

/** The partition of each row. */
async function partitionsOf(segment: Segment): Promise<Uint8Array> {
  const partitions = new Uint8Array(segment.productCount);
  for (let row = 0; row < partitions.length; row++) {
    partitions[row] = partitionOf(segment.ids.get(row));
    if (row % ROWS_PER_STEP === ROWS_PER_STEP - 1) await scheduler.wait(0);
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
  bytes: Uint8Array<ArrayBuffer>,
): Promise<SegmentEntry> {
  const { productCount, variantCount } = openSegment(bytes);
  const id = crypto.randomUUID();
  const object = await putObject(bucket, segmentKey(prefix, id), bytes);
  return { ...object, id, productCount, variantCount };
}

/** `id`: the name under which segments refer to the block. */
export async function putBlock(
  bucket: R2Bucket,
  prefix: string,
  id: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<BlockEntry> {
  const chunks = chunkRanges(bytes);
  const object = await putObject(bucket, blockKey(prefix, id), bytes);
  return { ...object, id, chunks };
}

/** Where the chunks of a block lie in it, flat (BlockEntry). */
export function chunkRanges(block: Uint8Array): number[] {
  return storedChunks(block).flatMap((chunk) => {
    const start = chunk.byteOffset - block.byteOffset;
    return [start, start + chunk.byteLength];
  });
}
