/** Product -> its document, exactly as received: `.blk` byte blocks of ~64 KB chunks. */

/** Collects sources; `finish` gives the bytes of the block. */
export declare class StoredBlockWriter {
  readonly sizeBytes: number;
  add(source: Uint8Array): { readonly chunk: number; readonly offset: number };
  finish(): Uint8Array<ArrayBuffer>;
}
/** The chunks of a block, by number (views, no copies). Throws SegmentCorruptError. */
export declare function storedChunks(block: Uint8Array): Uint8Array[];
/** The JSON bytes of the document at `offset` of a chunk (a view). */
export declare function readStored(chunk: Uint8Array, offset: number): Uint8Array;
