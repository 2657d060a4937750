/** Stored blocks of published segments in SQLite, so that hits are read from here; until then single chunks are fetched from R2. */
import type { ShardManifest } from "../manifest.ts";
import type { ShardStore } from "./state/index.ts";
import { chunkCount, readChunks } from "../stored-blocks.ts";

/** Stored chunks that are cached between two pauses: about 1 MB. */
const CHUNKS_PER_STEP = 32;

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
  for (const block of blocks) {
    if (cached.has(block.id)) continue;
    const { firstChunk } = block;
    const end = firstChunk + chunkCount(block);
    const chunks = await readChunks(bucket, block, firstChunk, end);
    for (const [i, bytes] of chunks.entries()) {
      if (store.state() === null) return;
      store.putChunk(block.id, firstChunk + i, bytes);
      if (i % CHUNKS_PER_STEP === CHUNKS_PER_STEP - 1) await scheduler.wait(0);
    }
    if (store.state() === null) return;
    store.markCached(block.id);
  }
}
