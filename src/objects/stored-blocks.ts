/**
 * Stored blocks in R2: selects the chunks that a shard needs, reads them, and checks that blocks exist.
 *
 * ImportWriter orders the sources of a block by partition (segment/stored/block.ts: groups). So a shard, which is a
 * range of partitions, needs one run of chunks of each block. Its manifest lists the blocks with that run, and it
 * caches and reads nothing else.
 *
 *   block of an import   chunks 0 1 2 3, partitions 0-9 | 9-30 | 31-40 | 41-63
 *   with two shards      0-31: chunks 0 1 2      32-63: chunks 2 3
 *   with four            0-15: 0 1    16-31: 1 2    32-47: 2 3    48-63: 3
 *
 * A session checks all its blocks once, by a listing, before it goes live: sources are read later, and a missing block
 * must stop the import rather than a search.
 */
import type { CopyableBytes } from "../index-engine/base/index.ts";
import { isStoredChunk, storedLayout, storedTableRange } from "../index-engine/segment/stored/index.ts";
import { getRange, listObjects, putPieces, unavailable } from "./bucket.ts";
import { blockKey, storedPrefix } from "./names.ts";
import type { PartitionRange } from "./partition.ts";
import type { Pause } from "./pause.ts";
import type { BlockEntry, RegisteredBlock } from "./protocol/index.ts";

/** `id`: the name of the block in segments. */
export async function putBlock(
  bucket: R2Bucket,
  prefix: string,
  id: string,
  bytes: CopyableBytes,
): Promise<RegisteredBlock> {
  const object = await putPieces(bucket, blockKey(prefix, id), bytes);
  const { bounds, groups } = storedLayout(bytes);
  return { ...object, id, firstChunk: 0, bounds, partitions: groups };
}

/** Omits the data that only sessions need. */
export function wholeBlock(block: RegisteredBlock): BlockEntry {
  const { id, key, sizeBytes, checksum, firstChunk, bounds } = block;
  return { id, key, sizeBytes, checksum, firstChunk, bounds };
}

/** Number of chunks of the block (in a manifest: of those that the shard needs). */
export function chunkCount({ bounds }: Pick<BlockEntry, "bounds">): number {
  return Math.max(0, bounds.length - 1);
}

/** The blocks that may have sources of these partitions, each with the chunks that may have them. */
export function blocksFor(blocks: readonly RegisteredBlock[], range: PartitionRange): BlockEntry[] {
  const needed: BlockEntry[] = [];
  for (const block of blocks) {
    const { partitions } = block;
    let first = 0;
    let end = chunkCount(block);
    while (first < end && partitions[first * 2 + 1] < range.first) first++;
    while (first < end && partitions[(end - 1) * 2] >= range.end) end--;
    if (first === end) continue;
    needed.push({
      ...wholeBlock(block),
      firstChunk: block.firstChunk + first,
      bounds: block.bounds.slice(first, end + 1),
    });
  }
  return needed;
}

/**
 * Reads chunks [first, end), by number in the block; the entry must contain them. They are verified with the checksums
 * in the block's table, because the object's checksum only covers the whole. Throws storage_unavailable for missing or
 * damaged bytes. `pause` is taken between chunks.
 */
export async function readChunks(
  bucket: R2Bucket,
  { id, key, firstChunk, bounds }: BlockEntry,
  first: number,
  end: number,
  pause: Pause | null = null,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const starts = bounds.slice(first - firstChunk, end - firstChunk + 1);
  const [from] = starts;
  const to = starts.at(-1);
  if (first < firstChunk || from === undefined || to === undefined || starts.length <= end - first) {
    throw new Error(`chunks ${first} to ${end} of stored block ${id} are in no manifest`);
  }
  const table = storedTableRange(first, end);
  const [bytes, entries] = await Promise.all([
    getRange(bucket, key, from, to),
    getRange(bucket, key, table.start, table.end),
  ]);
  pause?.skip();
  const entryBytes = entries.byteLength / (end - first);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for (let i = 0; i < end - first; i++) {
    const chunk = bytes.slice(starts[i] - from, starts[i + 1] - from);
    const entry = entries.subarray(i * entryBytes, (i + 1) * entryBytes);
    if (!isStoredChunk(entry, starts[i], chunk)) {
      throw unavailable(`get ${key}: chunk ${first + i} is damaged`);
    }
    chunks.push(chunk);
    await pause?.after(chunk.byteLength * CHECKED_SHARE);
  }
  return chunks;
}

/** Size of verifying bytes for Pause: a megabyte takes a millisecond. */
const CHECKED_SHARE = 1 / 64;

/**
 * Checks by metadata that every block is in R2 with its size and checksum. All blocks are under `prefix`.
 */
export async function checkBlocks(bucket: R2Bucket, prefix: string, blocks: readonly RegisteredBlock[]): Promise<void> {
  if (blocks.length === 0) return;
  const missing = new Map(blocks.map((block) => [block.key, block]));
  for await (const found of listObjects(bucket, storedPrefix(prefix))) {
    const block = missing.get(found.key);
    if (block === undefined) continue;
    if (found.sizeBytes !== block.sizeBytes || found.checksum !== block.checksum) {
      throw unavailable(`list ${found.key}: other bytes than were put`);
    }
    missing.delete(found.key);
  }
  for (const key of missing.keys()) throw unavailable(`list ${key}: missing`);
}
