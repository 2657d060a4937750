/** Product -> its document, exactly as received: `.blk` byte blocks of ~32 KB chunks. */
export {
  CHUNK_BYTES,
  isStoredChunk,
  readStored,
  STORED_VERSION,
  storedChunks,
  storedLayout,
  storedTableRange,
  StoredBlockWriter,
  type StoredBlock,
  type StoredLayout,
} from "./block.ts";
export { StoredRefs, writeStoredRefs } from "./refs.ts";
