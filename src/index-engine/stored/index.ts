/** Product -> its document, exactly as received: `.blk` byte blocks of ~64 KB chunks. */
export {
  CHUNK_BYTES,
  isStoredChunk,
  readStored,
  STORED_VERSION,
  storedChunks,
  storedTableEntry,
  StoredBlockWriter,
} from "./block.ts";
export { StoredRefs, writeStoredRefs } from "./refs.ts";
