/** Lookups in a front-coded table (writer.ts), without creating strings. Reading one reads at most its block of 16. */
import type { StringTable } from "../model/index.ts";
import { sectionName, SegmentCorruptError, type SectionViews } from "../format/index.ts";
import {
  type GrowableBytes,
  hashOfBytes,
  decodeUtf8,
  encodeToScratch,
  firstBehind,
  scratchBytes,
  scratchHash,
  readVarint,
  varint,
  work,
} from "../../base/index.ts";
import { StringFilter } from "./filter.ts";
import { BlockHeads } from "./heads.ts";
import { StringScan, type ScannedTable } from "./scan.ts";
import { STRING_BLOCK } from "./writer.ts";

/** Scratch memory of `#read`: by string of a block, its shared length and the start of its own bytes. */
const blockShared = new Uint32Array(STRING_BLOCK);
const blockStart = new Uint32Array(STRING_BLOCK);
/** The bytes of the string that was read. */
let gathered = new Uint8Array(256);
/** Scratch memory of `prefixEnd`. */
let raised = new Uint8Array(256);
/** Scratch scan of `partition`. */
const partitionScan = new StringScan();

/** A lookup without a filter costs this many reads of a string more. */
const STRINGS_PER_LOOKUP = 4;
/** Larger tables have no filter: building it takes about 50 ns per string, all in one step. */
const MOST_FILTERED = 65_536;

/** A lookup without heads costs this many reads of a head more. */
const BLOCKS_PER_LOOKUP = 16;

/** Readers count a string as work (base/work.ts). The bytes of strings longer than this count in addition. */
const ORDINARY_BYTES = 128;
const BYTES_PER_STEP = 8;

function spendLength(lengthBytes: number): void {
  if (lengthBytes > ORDINARY_BYTES) work.spend(Math.ceil(lengthBytes / BYTES_PER_STEP));
}

/** A table, or a part of one that starts at a block. Searching needs sorted strings; `get` does not. */
export class FrontCodedTable implements StringTable {
  readonly size: number;
  readonly #views: SectionViews;
  readonly #indexSection: number;
  readonly #bytesSection: number;
  readonly #firstBlock: number;
  /** Whether the last search found its target. */
  #exact = false;
  #heads: BlockHeads | null = null;
  #filter: StringFilter | null = null;
  /** Lookups so far, until the heads (the filter) are built. */
  #lookups = 0;
  #finds = 0;
  /** Start of the block last returned by `#blockBytes`. */
  #blockAt = 0;
  #readAt = 0;
  #readEnd = 0;

  constructor(
    views: SectionViews,
    indexSection: number,
    bytesSection: number,
    part?: { readonly start: number; readonly size: number },
  ) {
    this.#views = views;
    this.#indexSection = indexSection;
    this.#bytesSection = bytesSection;
    const index = views.u32(indexSection);
    const stored = index.length === 0 ? 0 : index[0];
    if (index.length !== (stored === 0 ? 0 : 1 + Math.ceil(stored / STRING_BLOCK))) {
      throw new SegmentCorruptError(sectionName(indexSection), `${stored} strings`);
    }
    this.size = part === undefined ? stored : part.size;
    this.#firstBlock = part === undefined ? 0 : part.start / STRING_BLOCK;
  }

  get(ordinal: number): string {
    const bytes = this.#read(ordinal);
    return decodeUtf8(bytes, this.#readAt, this.#readEnd);
  }

  toArray(): string[] {
    return Array.from({ length: this.size }, (_, ordinal) => this.get(ordinal));
  }

  /** Appends the bytes of the string. */
  pushTo(target: GrowableBytes, ordinal: number): void {
    const bytes = this.#read(ordinal);
    target.pushBytes(bytes, this.#readAt, this.#readEnd);
  }

  /** At most the last `mostBytes` of the string, which may begin within a character. */
  getEnd(ordinal: number, mostBytes: number): string {
    const bytes = this.#read(ordinal, mostBytes);
    return decodeUtf8(bytes, this.#readAt, this.#readEnd);
  }

  /** Returns bytes with the string, or with its last `mostBytes`, at [#readAt, #readEnd). */
  #read(ordinal: number, mostBytes = Infinity): Uint8Array {
    if (!(ordinal >= 0 && ordinal < this.size)) {
      throw new RangeError(`string ${ordinal} of ${this.size}`);
    }
    const place = ordinal % STRING_BLOCK;
    const bytes = this.#blockBytes((ordinal - place) / STRING_BLOCK);
    let at = readVarint(bytes, this.#blockAt);
    let rest = varint;
    if (place === 0) {
      const skipped = Math.max(0, rest - mostBytes);
      spendLength(rest - skipped);
      this.#readAt = at + skipped;
      this.#readEnd = at + rest;
      return bytes;
    }

    // Forward over the headers, then backward, copying only bytes that later strings do not have.
    let shared = 0;
    blockShared[0] = 0;
    blockStart[0] = at;
    at += rest;
    for (let i = 1; i <= place; i++) {
      const head = bytes[at++];
      shared = head >>> 4;
      rest = head & 15;
      if (shared === 15) {
        at = readVarint(bytes, at);
        shared += varint;
      }
      if (rest === 15) {
        at = readVarint(bytes, at);
        rest += varint;
      }
      blockShared[i] = shared;
      blockStart[i] = at;
      at += rest;
    }
    const length = shared + rest;
    const skipped = Math.max(0, length - mostBytes);
    spendLength(length - skipped);
    if (gathered.length < length) gathered = new Uint8Array(length * 2);
    const target = gathered;
    let missing = length;
    for (let i = place; missing > skipped; i--) {
      const first = Math.max(skipped, blockShared[i]);
      if (first >= missing) continue;
      const offset = blockStart[i] - blockShared[i];
      for (let j = first; j < missing; j++) target[j] = bytes[offset + j];
      missing = first;
    }
    this.#readAt = skipped;
    this.#readEnd = length;
    return target;
  }

  find(text: string): number {
    const length = encodeToScratch(text);
    const filter = this.#filter ?? this.#filterOnceWorth();
    if (filter !== null && !filter.mayHave(scratchHash())) return -1;
    const ordinal = this.#lowerBound(scratchBytes(), length);
    return this.#exact ? ordinal : -1;
  }

  lowerBound(text: string): number {
    const length = encodeToScratch(text);
    return this.#lowerBound(scratchBytes(), length);
  }

  prefixEnd(prefix: string): number {
    const length = encodeToScratch(prefix);
    if (length === 0) return this.size;
    // No UTF-8 byte is 255. So incrementing the last byte gives the first bytes after the range of the prefix.
    if (raised.length < length) raised = new Uint8Array(length * 2);
    raised.set(scratchBytes().subarray(0, length));
    raised[length - 1]++;
    return this.#lowerBound(raised, length);
  }

  /**
   * First ordinal of [from, end) for which `order` is not negative, or `end`. Strings must be partitioned by that.
   * `order` gets a string as bytes [start, end), which are valid until it returns. Reads the first strings of some
   * blocks, then one block.
   */
  partition(from: number, end: number, order: (bytes: Uint8Array, start: number, end: number) => number): number {
    // The last block whose first string is in the range and before the target.
    const low = firstBehind(Math.ceil(from / STRING_BLOCK), Math.ceil(end / STRING_BLOCK), (block) => {
      const bytes = this.#blockBytes(block);
      const at = readVarint(bytes, this.#blockAt);
      spendLength(varint);
      return order(bytes, at, at + varint) >= 0;
    });
    if (low * STRING_BLOCK <= from) return from;
    const first = (low - 1) * STRING_BLOCK;
    const last = Math.min(end, low * STRING_BLOCK);
    partitionScan.reset(this.blocks(first, last), first);
    while (partitionScan.ordinal + 1 < last && partitionScan.next()) {
      const { bytes, length, ordinal } = partitionScan;
      spendLength(length);
      if (ordinal >= from && order(bytes, 0, length) >= 0) return ordinal;
    }
    return last;
  }

  /** Bytes that contain the block, which starts at `#blockAt`. A paged segment loads only the block. */
  #blockBytes(block: number): Uint8Array {
    const views = this.#views;
    const index = views.u32(this.#indexSection);
    const place = this.#firstBlock + 1 + block;
    const start = index[place];
    const end = place + 1 === index.length ? views.lengthBytes(this.#bytesSection) : index[place + 1];
    const bytes = views.rangeU8(this.#bytesSection, start, end);
    this.#blockAt = start - views.rangeStart;
    return bytes;
  }

  /** First ordinal whose bytes are >= target[0..length); `#exact`: they are equal. */
  #lowerBound(target: Uint8Array, length: number): number {
    this.#exact = false;
    const size = this.size;
    if (size === 0) return 0;
    const bytes = this.#views.u8(this.#bytesSection);
    const index = this.#views.u32(this.#indexSection);
    const first = this.#firstBlock + 1;

    // The last block whose head is <= target.
    let low = 0;
    let high = ((size + STRING_BLOCK - 1) / STRING_BLOCK) | 0;
    const heads = this.#heads ?? this.#headsOnceWorth(bytes, index, high);
    if (heads !== null) {
      low = heads.before(target, length);
      high = heads.equalEnd;
    }
    while (low < high) {
      const middle = (low + high) >>> 1;
      const at = readVarint(bytes, index[first + middle]);
      const headLength = varint;
      let order = 0;
      const shorter = headLength < length ? headLength : length;
      for (let i = 0; i < shorter; i++) {
        order = bytes[at + i] - target[i];
        if (order !== 0) break;
      }
      if (order === 0) order = headLength - length;
      if (order <= 0) {
        if (order === 0) {
          this.#exact = true;
          return middle * STRING_BLOCK;
        }
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low === 0) return 0;
    const block = low - 1;

    // `common`: how many bytes the target shares with the current string, which is before the target.
    let at = readVarint(bytes, index[first + block]);
    const headLength = varint;
    let common = 0;
    while (common < headLength && common < length && bytes[at + common] === target[common]) {
      common++;
    }
    at += headLength;
    let ordinal = block * STRING_BLOCK + 1;
    const end = Math.min(ordinal + STRING_BLOCK - 1, size);
    for (; ordinal < end; ordinal++) {
      const head = bytes[at++];
      let shared = head >>> 4;
      let rest = head & 15;
      if (shared === 15) {
        at = readVarint(bytes, at);
        shared += varint;
      }
      if (rest === 15) {
        at = readVarint(bytes, at);
        rest += varint;
      }
      // A string that shares fewer bytes with its predecessor is after the target, one that shares more is before it.
      if (shared < common) return ordinal;
      if (shared === common) {
        let i = 0;
        while (i < rest && common < length && bytes[at + i] === target[common]) {
          i++;
          common++;
        }
        if (common === length) {
          this.#exact = i === rest;
          return ordinal;
        }
        if (i < rest && bytes[at + i] > target[common]) return ordinal;
      }
      at += rest;
    }
    return ordinal;
  }

  /** Null until enough lookups were made to pay for building the filter, which takes up to 3 ms. */
  #filterOnceWorth(): StringFilter | null {
    const { size } = this;
    if (size > MOST_FILTERED || ++this.#finds * STRINGS_PER_LOOKUP < size) return null;
    const filter = new StringFilter(size);
    const scan = new StringScan();
    scan.reset(this);
    while (scan.next()) filter.add(hashOfBytes(scan.bytes, scan.length));
    return (this.#filter = filter);
  }

  /** Null until enough lookups were made to pay for building the heads. */
  #headsOnceWorth(bytes: Uint8Array, index: Uint32Array, blocks: number): BlockHeads | null {
    if (++this.#lookups * BLOCKS_PER_LOOKUP < blocks) return null;
    const first = this.#firstBlock + 1;
    return (this.#heads = new BlockHeads(bytes, index.subarray(first, first + blocks)));
  }

  /** Memory of heads and filter, in addition to the segment. */
  get lookupBytes(): number {
    return (this.#heads?.sizeBytes ?? 0) + (this.#filter?.sizeBytes ?? 0);
  }

  /** The blocks with strings [from, end), for StringScan. A paged segment loads nothing else. */
  blocks(from: number, end: number): ScannedTable {
    const views = this.#views;
    const index = views.u32(this.#indexSection);
    const behind = Math.ceil(end / STRING_BLOCK);
    const place = this.#firstBlock + 1 + behind;
    const last = place < index.length ? index[place] : views.lengthBytes(this.#bytesSection);
    const start = this.blockOffset(Math.floor(from / STRING_BLOCK));
    const bytes = views.rangeU8(this.#bytesSection, start, last);
    const shift = views.rangeStart;
    return {
      size: Math.min(this.size, behind * STRING_BLOCK),
      bytes: () => bytes,
      blockOffset: (block) => this.blockOffset(block) - shift,
    };
  }

  /** Start of block `block` of this table; for StringScan. */
  blockOffset(block: number): number {
    return this.#views.u32(this.#indexSection)[this.#firstBlock + 1 + block];
  }

  bytes(): Uint8Array {
    return this.#views.u8(this.#bytesSection);
  }
}
