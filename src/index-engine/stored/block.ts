/**
 * Stored blocks (`.blk`): the sources of products, exactly as received. Written once beside a segment and never merged; segments
 * refer to (block name, chunk, offset). Numbers are little-endian.
 *
 *   block   = header, chunk table, chunks without gaps
 *   header  = magic "AISLBLK1", u32 version (STORED_VERSION), u32 number of chunks
 *   table   = per chunk: u32 offset in the block, u32 length in bytes, u32 checksum (XXH32, seed 0)
 *   chunk   = records; ends with the first record that reaches CHUNK_BYTES, so a chunk can be read (and kept in a database row) on its
 *             own and a record never spans two. A record of CHUNK_BYTES and more has a chunk to itself
 *   record  = u32 length, UTF-8 JSON
 *
 * Offsets of records are below CHUNK_BYTES, so 16 bits hold them.
 *
 * Example: one document `{}`:  41 49 53 4c 42 4c 4b 31 | 01 00 00 00 | 01 00 00 00 | 1c 00 00 00, 06 00 00 00, checksum |
 *                              02 00 00 00 7b 7d
 */
import { GrowableBytes, GrowableU32 } from "../segment/bytes.ts";
import { checksum32 } from "../segment/checksum.ts";
import { SegmentCorruptError } from "../segment/sections.ts";

const MAGIC = "AISLBLK1";
export const STORED_VERSION = 1;
const HEADER_BYTES = 16;
const TABLE_ENTRY_BYTES = 12;

/** Target size of a chunk. */
export const CHUNK_BYTES = 65_536;

export class StoredBlockWriter {
  readonly #bytes = new GrowableBytes();
  /** Where each chunk ends in #bytes; the last chunk is open. */
  readonly #ends = new GrowableU32();
  #start = 0;

  get sizeBytes(): number {
    return HEADER_BYTES + (this.#ends.length + 1) * TABLE_ENTRY_BYTES + this.#bytes.length;
  }

  /** Copies the bytes; returns where they will be found. */
  add(source: Uint8Array): { readonly chunk: number; readonly offset: number } {
    const recordBytes = 4 + source.length;
    const filled = this.#bytes.length - this.#start;
    if (filled > 0 && filled + recordBytes > CHUNK_BYTES) this.#closeChunk();
    const place = { chunk: this.#ends.length, offset: this.#bytes.length - this.#start };
    const length = source.length;
    this.#bytes.push(length & 255);
    this.#bytes.push((length >>> 8) & 255);
    this.#bytes.push((length >>> 16) & 255);
    this.#bytes.push(length >>> 24);
    this.#bytes.pushBytes(source);
    return place;
  }

  finish(): Uint8Array<ArrayBuffer> {
    if (this.#bytes.length > this.#start) this.#closeChunk();
    const ends = this.#ends.view();
    const dataStart = HEADER_BYTES + ends.length * TABLE_ENTRY_BYTES;
    const block = new Uint8Array(dataStart + this.#bytes.length);
    const view = new DataView(block.buffer);
    for (let i = 0; i < MAGIC.length; i++) block[i] = MAGIC.charCodeAt(i);
    view.setUint32(8, STORED_VERSION, true);
    view.setUint32(12, ends.length, true);
    block.set(this.#bytes.view(), dataStart);
    let start = 0;
    for (let chunk = 0; chunk < ends.length; chunk++) {
      const at = HEADER_BYTES + chunk * TABLE_ENTRY_BYTES;
      view.setUint32(at, dataStart + start, true);
      view.setUint32(at + 4, ends[chunk] - start, true);
      const bytes = block.subarray(dataStart + start, dataStart + ends[chunk]);
      view.setUint32(at + 8, checksum32(bytes), true);
      start = ends[chunk];
    }
    return block;
  }

  #closeChunk(): void {
    this.#ends.push(this.#bytes.length);
    this.#start = this.#bytes.length;
  }
}

/** The chunks of a block by number, as views. Throws SegmentCorruptError when this is no whole block or a chunk is damaged. */
export function storedChunks(block: Uint8Array): Uint8Array[] {
  if (block.length < HEADER_BYTES) throw new SegmentCorruptError("stored", "too short");
  const view = new DataView(block.buffer, block.byteOffset, block.byteLength);
  for (let i = 0; i < MAGIC.length; i++) {
    if (block[i] !== MAGIC.charCodeAt(i)) throw new SegmentCorruptError("stored", "no block");
  }
  const version = view.getUint32(8, true);
  if (version !== STORED_VERSION) {
    throw new SegmentCorruptError("stored", `version ${version}, expected ${STORED_VERSION}`);
  }
  const count = view.getUint32(12, true);
  let end = HEADER_BYTES + count * TABLE_ENTRY_BYTES;
  if (end > block.length) throw new SegmentCorruptError("stored", "the chunk table is cut off");
  const chunks: Uint8Array[] = [];
  for (let chunk = 0; chunk < count; chunk++) {
    const at = HEADER_BYTES + chunk * TABLE_ENTRY_BYTES;
    const start = view.getUint32(at, true);
    const length = view.getUint32(at + 4, true);
    if (start !== end || end + length > block.length) {
      throw new SegmentCorruptError("stored", `chunk ${chunk} lies outside`);
    }
    end = start + length;
    const bytes = block.subarray(start, end);
    if (checksum32(bytes) !== view.getUint32(at + 8, true)) {
      throw new SegmentCorruptError("stored", `chunk ${chunk}: checksum differs`);
    }
    chunks.push(bytes);
  }
  if (end !== block.length) throw new SegmentCorruptError("stored", "bytes after the last chunk");
  return chunks;
}

/** Where a block says of its chunk `chunk` where it lies and what its checksum is: for those who read a chunk on its own. */
export function storedTableEntry(chunk: number): { readonly start: number; readonly end: number } {
  const start = HEADER_BYTES + chunk * TABLE_ENTRY_BYTES;
  return { start, end: start + TABLE_ENTRY_BYTES };
}

/** Whether these are the bytes of the chunk that `entry` (see storedTableEntry) describes, starting at `start` of the block. */
export function isStoredChunk(entry: Uint8Array, start: number, chunk: Uint8Array): boolean {
  const view = new DataView(entry.buffer, entry.byteOffset, entry.byteLength);
  return (
    view.getUint32(0, true) === start &&
    view.getUint32(4, true) === chunk.length &&
    view.getUint32(8, true) === checksum32(chunk)
  );
}

/** The JSON bytes of the record at `offset`, a view. Throws SegmentCorruptError when there is none. */
export function readStored(chunk: Uint8Array, offset: number): Uint8Array {
  const start = offset + 4;
  if (!(offset >= 0 && start <= chunk.length)) {
    throw new SegmentCorruptError("stored", `no record at ${offset}`);
  }
  const length =
    (chunk[offset] |
      (chunk[offset + 1] << 8) |
      (chunk[offset + 2] << 16) |
      (chunk[offset + 3] << 24)) >>>
    0;
  if (start + length > chunk.length) {
    throw new SegmentCorruptError("stored", `the record at ${offset} is cut off`);
  }
  return chunk.subarray(start, start + length);
}
