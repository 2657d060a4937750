/**
 * Stored blocks of published segments in SQLite, so that hits are read from here; until then single chunks are fetched
 * from R2.
 */
import type { ShardManifest } from "../manifest.ts";
import { Pause } from "../pause.ts";
import type { ShardStore } from "./state/index.ts";
import { chunkCount, readChunks } from "../stored-blocks.ts";

/** What Pause counts for so many bytes that are written: a megabyte takes some milliseconds. */
const WRITTEN_SHARE = 1 / 32;

export function hasUncachedBlocks(store: ShardStore, { blocks }: ShardManifest): boolean {
  const cached = store.cachedBlocks();
  return blocks.some((block) => !cached.has(block.id));
}

/** Copies what the shard needs of its blocks. Ends where the shard is destroyed meanwhile. */
export async function cacheBlocks(
  store: ShardStore,
  bucket: R2Bucket,
  { blocks }: ShardManifest,
): Promise<void> {
  const cached = store.cachedBlocks();
  const pause = new Pause("block_copy");
  for (const block of blocks) {
    if (cached.has(block.id)) continue;
    const { firstChunk } = block;
    const end = firstChunk + chunkCount(block);
    const chunks = await readChunks(bucket, block, firstChunk, end, pause);
    for (const [i, bytes] of chunks.entries()) {
      if (store.state() === null) return;
      store.putChunk(block.id, firstChunk + i, bytes);
      await pause.after(bytes.byteLength * WRITTEN_SHARE);
    }
    if (store.state() === null) return;
    store.markCached(block.id);
  }
}
