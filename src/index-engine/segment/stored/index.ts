/** Product -> its document, exactly as received: `.blk` byte blocks of ~32 KB chunks. */
export {
  CHUNK_BYTES,
  isStoredChunk,
  isWholeStored,
  readStored,
  storedChunks,
  storedLayout,
  storedRecords,
  storedTableRange,
  StoredBlockWriter,
} from "./block.ts";
export { StoredRefs, writeStoredRefs } from "./refs.ts";
