/**
 * Stored blocks (`.blk`): the sources of products, exactly as received. A block is written once, beside a segment, and
 * never merged; segments refer to (block name, chunk, offset). Numbers are little-endian.
 *
 *   block   = header, chunk table, group table, chunks without gaps
 *   header  = magic "AISLBLK1", u32 version (STORED_VERSION), u32 number of chunks
 *   table   = per chunk: u32 offset in the block, u32 length in bytes, u32 checksum (XXH32, seed 0)
 *   groups  = per chunk: u16 first group, u16 last group of its records
 *   chunk   = records, together at most CHUNK_BYTES, or one larger record. So a chunk can be read (and kept in a
 *             database row) on its own
 *   record  = u32 length, UTF-8 JSON
 *
 * Records are ordered by group. A shard reads a range of partitions, and its groups are then in one run of chunks. A
 * chunk of at least LEAST_BYTES also ends with its group, so the run contains few other records and no tiny chunks.
 * Without groups, all records are in group 0.
 *
 *   groups 0 0 0 1 | 1 1 2 2 | 3        groups 2 to 3 are in the last two chunks
 *
 * Offsets of records are below CHUNK_BYTES, so they take 16 bits.
 *
 * Example: one document `{}` of group 5:
 *   41 49 53 4c 42 4c 4b 31 | 02 00 00 00 | 01 00 00 00 | 20 00 00 00, 06 00 00 00, checksum | 05 00, 05 00
 *   | 02 00 00 00 7b 7d
 */
import {
  PlacedBytes,
  wholeBytes,
  type CopyableBytes,
  type Placed,
  checksum32,
  PiecedRecords,
  run,
} from "../../base/index.ts";
import { SegmentCorruptError } from "../format/index.ts";

const MAGIC = "AISLBLK1";
const STORED_VERSION = 2;
const HEADER_BYTES = 16;
const TABLE_ENTRY_BYTES = 12;
const GROUP_ENTRY_BYTES = 4;
const LENGTH_BYTES = 4;

/** Target size of a chunk: reading one document reads a chunk. */
export const CHUNK_BYTES = 32_768;
/** A chunk of at least this size ends where its group ends. */
const LEAST_BYTES = 8_192;

/** A part of the block has whole chunks, together at least this many bytes. */
const PART_BYTES = 262_144;
/** Bytes written per step. The checksum of 256 KB takes 10 ms until V8 has optimised it. */
const STEP_BYTES = 65_536;
const RECORDS_PER_STEP = 4_096;

interface Places {
  /** Chunk, and offset in the chunk, by index in `records`. */
  readonly chunks: Uint32Array<ArrayBuffer>;
  readonly offsets: Uint16Array<ArrayBuffer>;
}

/** A written block and the places of its records. */
export interface StoredBlock extends Places {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The same in separate parts. */
export interface StoredBlockApart extends Places {
  readonly parts: PlacedBytes;
}

interface PlannedChunk {
  sizeBytes: number;
  /** How many records. */
  count: number;
  /** First and last group. */
  first: number;
  last: number;
}

export class StoredBlockWriter {
  readonly #sources = new PiecedRecords();

  /** An estimate, because the number of chunks is not known yet. */
  get sizeBytes(): number {
    const { count, sizeBytes } = this.#sources;
    const chunks = Math.ceil(sizeBytes / CHUNK_BYTES);
    const perChunk = TABLE_ENTRY_BYTES + GROUP_ENTRY_BYTES;
    return HEADER_BYTES + chunks * perChunk + count * LENGTH_BYTES + sizeBytes;
  }

  /** Copies the bytes. Records are numbered in order of arrival. */
  add(source: Uint8Array): void {
    this.#sources.add(source);
  }

  finish(records: Uint32Array, groups: Uint16Array | null = null): StoredBlock {
    return run(this.finishSteps(records, groups));
  }

  /**
   * Writes these records, in steps of a few milliseconds. Frees the sources, so it may be called only once.
   * @param groups 0 to 65,535, by index in `records`
   */
  *finishSteps(records: Uint32Array, groups: Uint16Array | null = null): Generator<void, StoredBlock, void> {
    const { parts, ...places } = yield* this.finishPartsSteps(records, groups);
    return { bytes: yield* parts.join(), ...places };
  }

  /** The same bytes, not copied into one range. */
  *finishPartsSteps(records: Uint32Array, groups: Uint16Array | null = null): Generator<void, StoredBlockApart, void> {
    const sources = this.#sources;
    const order = groups === null ? null : orderByGroup(groups);
    const recordAt = (i: number): number => records[order === null ? i : order[i]];
    const { plan, ...places } = yield* this.#plan(records, groups, order);

    const groupsStart = HEADER_BYTES + plan.length * TABLE_ENTRY_BYTES;
    const head = new Uint8Array(groupsStart + plan.length * GROUP_ENTRY_BYTES);
    const view = new DataView(head.buffer);
    for (let i = 0; i < MAGIC.length; i++) head[i] = MAGIC.charCodeAt(i);
    view.setUint32(8, STORED_VERSION, true);
    view.setUint32(12, plan.length, true);
    const parts: Placed[] = [{ offset: 0, bytes: head }];
    let offset = head.length;
    let next = 0;
    let stepBytes = 0;
    for (let from = 0, to = 0; from < plan.length; from = to) {
      let partBytes = 0;
      while (to < plan.length && partBytes < PART_BYTES) partBytes += plan[to++].sizeBytes;
      const bytes = new Uint8Array(partBytes);
      const lengths = new DataView(bytes.buffer);
      let at = 0;
      for (let chunk = from; chunk < to; chunk++) {
        const { sizeBytes, count, first, last } = plan[chunk];
        const start = at;
        for (const end = next + count; next < end; next++) {
          const record = recordAt(next);
          const source = sources.startOf(record);
          const length = sources.lengthOf(record);
          lengths.setUint32(at, length, true);
          bytes.set(sources.pieceOf(record).subarray(source, source + length), at + LENGTH_BYTES);
          at += LENGTH_BYTES + length;
        }
        const entry = HEADER_BYTES + chunk * TABLE_ENTRY_BYTES;
        view.setUint32(entry, offset + start, true);
        view.setUint32(entry + 4, sizeBytes, true);
        view.setUint32(entry + 8, checksum32(bytes.subarray(start, at)), true);
        view.setUint16(groupsStart + chunk * GROUP_ENTRY_BYTES, first, true);
        view.setUint16(groupsStart + chunk * GROUP_ENTRY_BYTES + 2, last, true);
        if ((stepBytes += sizeBytes) < STEP_BYTES || chunk + 1 === to) continue;
        stepBytes = 0;
        yield;
      }
      parts.push({ offset, bytes });
      offset += partBytes;
      stepBytes = 0;
      yield;
    }
    sources.release();
    return { parts: new PlacedBytes(offset, parts), ...places };
  }

  /** Assigns records to chunks. `order`: indexes into `records` in their final order; null: as given. */
  *#plan(
    records: Uint32Array,
    groups: Uint16Array | null,
    order: Uint32Array | null,
  ): Generator<void, Places & { readonly plan: readonly PlannedChunk[] }, void> {
    const chunks = new Uint32Array(records.length);
    const offsets = new Uint16Array(records.length);
    const plan: PlannedChunk[] = [];
    for (let i = 0; i < records.length; i++) {
      const place = order === null ? i : order[i];
      const group = groups === null ? 0 : groups[place];
      const recordBytes = LENGTH_BYTES + this.#sources.lengthOf(records[place]);
      let chunk = plan.at(-1);
      const isFull =
        chunk === undefined ||
        chunk.sizeBytes + recordBytes > CHUNK_BYTES ||
        (group !== chunk.last && chunk.sizeBytes >= LEAST_BYTES);
      if (chunk === undefined || isFull) {
        chunk = { sizeBytes: 0, count: 0, first: group, last: group };
        plan.push(chunk);
      }
      chunks[place] = plan.length - 1;
      offsets[place] = chunk.sizeBytes;
      chunk.sizeBytes += recordBytes;
      chunk.count++;
      chunk.last = group;
      if (i % RECORDS_PER_STEP === RECORDS_PER_STEP - 1) yield;
    }
    return { chunks, offsets, plan };
  }
}

/** Indexes sorted by group; stable. */
function orderByGroup(groups: Uint16Array): Uint32Array {
  const next = new Uint32Array(65_537);
  for (const group of groups) next[group + 1]++;
  for (let group = 0; group < 65_536; group++) next[group + 1] += next[group];
  const order = new Uint32Array(groups.length);
  for (let place = 0; place < groups.length; place++) order[next[groups[place]]++] = place;
  return order;
}

/** Layout of a block's chunks. */
export interface StoredLayout {
  /** Start of each chunk, then the end of the last one. */
  readonly bounds: readonly number[];
  /** First and last group of each chunk, in one list. */
  readonly groups: readonly number[];
}

/** Does not read the chunks. Throws SegmentCorruptError unless this is a complete block. */
export function storedLayout(block: CopyableBytes): StoredLayout {
  const header = viewOf(block.copy(0, HEADER_BYTES));
  if (header.byteLength < HEADER_BYTES) throw new SegmentCorruptError("stored", "too short");
  for (let i = 0; i < MAGIC.length; i++) {
    if (header.getUint8(i) !== MAGIC.charCodeAt(i)) {
      throw new SegmentCorruptError("stored", "no block");
    }
  }
  const version = header.getUint32(8, true);
  if (version !== STORED_VERSION) {
    throw new SegmentCorruptError("stored", `version ${version}, expected ${STORED_VERSION}`);
  }
  const count = header.getUint32(12, true);
  const groupsStart = HEADER_BYTES + count * TABLE_ENTRY_BYTES;
  let end = groupsStart + count * GROUP_ENTRY_BYTES;
  if (end > block.sizeBytes) {
    throw new SegmentCorruptError("stored", "the chunk table is cut off");
  }
  const view = viewOf(block.copy(0, end));
  const bounds = [end];
  for (let chunk = 0; chunk < count; chunk++) {
    const at = HEADER_BYTES + chunk * TABLE_ENTRY_BYTES;
    const start = view.getUint32(at, true);
    const length = view.getUint32(at + 4, true);
    if (start !== end || end + length > block.sizeBytes) {
      throw new SegmentCorruptError("stored", `chunk ${chunk} lies outside`);
    }
    end = start + length;
    bounds.push(end);
  }
  if (end !== block.sizeBytes) {
    throw new SegmentCorruptError("stored", "bytes after the last chunk");
  }
  const groups = Array.from({ length: count * 2 }, (_, i) => view.getUint16(groupsStart + i * 2, true));
  return { bounds, groups };
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** The chunks of a block by number, as views. Throws SegmentCorruptError if it is incomplete or damaged. */
export function storedChunks(block: Uint8Array): Uint8Array[] {
  const view = viewOf(block);
  const { bounds } = storedLayout(wholeBytes(block));
  return Array.from({ length: bounds.length - 1 }, (_, chunk) => {
    const bytes = block.subarray(bounds[chunk], bounds[chunk + 1]);
    const checksum = view.getUint32(HEADER_BYTES + chunk * TABLE_ENTRY_BYTES + 8, true);
    if (checksum32(bytes) !== checksum) {
      throw new SegmentCorruptError("stored", `chunk ${chunk}: checksum differs`);
    }
    return bytes;
  });
}

/** The byte range of the table entries of chunks [first, end), for reading chunks separately. */
export function storedTableRange(first: number, end: number): { readonly start: number; readonly end: number } {
  return {
    start: HEADER_BYTES + first * TABLE_ENTRY_BYTES,
    end: HEADER_BYTES + end * TABLE_ENTRY_BYTES,
  };
}

/** Whether these are the bytes of the chunk with this table entry, which starts at byte `start` of the block. */
export function isStoredChunk(entry: Uint8Array, start: number, chunk: Uint8Array): boolean {
  const view = viewOf(entry);
  return (
    view.getUint32(0, true) === start &&
    view.getUint32(4, true) === chunk.length &&
    view.getUint32(8, true) === checksum32(chunk)
  );
}

/** Whether these bytes start with a complete record. */
export function isWholeStored(bytes: Uint8Array): boolean {
  if (bytes.length < LENGTH_BYTES) return false;
  return LENGTH_BYTES + lengthAt(bytes, 0) <= bytes.length;
}

function lengthAt(bytes: Uint8Array, at: number): number {
  return (bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)) >>> 0;
}

/** Number of records in a chunk with a valid checksum. */
export function storedRecords(chunk: Uint8Array): number {
  const view = viewOf(chunk);
  let records = 0;
  for (let at = 0; at < chunk.length; at += LENGTH_BYTES + view.getUint32(at, true)) records++;
  return records;
}

/** A view of the JSON bytes of the record at `offset`. Throws SegmentCorruptError if there is none. */
export function readStored(chunk: Uint8Array, offset: number): Uint8Array {
  const start = offset + 4;
  if (!(offset >= 0 && start <= chunk.length)) {
    throw new SegmentCorruptError("stored", `no record at ${offset}`);
  }
  const length = lengthAt(chunk, offset);
  if (start + length > chunk.length) {
    throw new SegmentCorruptError("stored", `the record at ${offset} is cut off`);
  }
  return chunk.subarray(start, start + length);
}
