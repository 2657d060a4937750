/**
 * Segments and stored blocks as objects in R2, and merging segments that lie there: inputs are read and verified, merged term by
 * term in steps of a few milliseconds, and the result is put back. Between steps the object answers other calls.
 */
import { live } from "../index-engine/reader.ts";
import { mergeSteps, openSegment } from "../index-engine/segment/index.ts";
import { storedChunks } from "../index-engine/stored/index.ts";
import type { LiveSegment } from "../index-engine/model.ts";
import { getObject, putObject } from "./bucket.ts";
import { blockKey, segmentKey } from "./names.ts";
import type { BlockEntry, SegmentEntry } from "./protocol.ts";

/** Inputs of less than this are merged within a few milliseconds: pauses would take longer than the work. */
const SMALL_MERGE_BYTES = 262_144;

/** Runs a merge, giving way after every step unless it is small. */
export async function mergeWithPauses(
  inputs: readonly LiveSegment[],
): Promise<Uint8Array<ArrayBuffer>> {
  const sizeBytes = inputs.reduce((sum, { segment }) => sum + segment.sizeBytes, 0);
  const steps = mergeSteps(inputs);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (sizeBytes >= SMALL_MERGE_BYTES) await scheduler.wait(0);
  }
}

/** Oldest first. The result lies under `prefix`. */
export async function mergeStoredSegments(
  bucket: R2Bucket,
  prefix: string,
  run: readonly SegmentEntry[],
): Promise<SegmentEntry> {
  const inputs: LiveSegment[] = [];
  // One after another: as many reads at once as inputs would double the memory while their checksums are computed.
  for (const segment of run) inputs.push(live(openSegment(await getObject(bucket, segment))));
  return putSegment(bucket, prefix, await mergeWithPauses(inputs));
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
