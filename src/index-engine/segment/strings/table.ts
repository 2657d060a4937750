/**
 * Looking up in a front-coded table (writer.ts has the bytes): compares bytes and builds no strings. The string of an
 * ordinal takes at most 16 steps.
 */
import type { StringTable } from "../model/index.ts";
import { sectionName, SegmentCorruptError, type SectionViews } from "../format/index.ts";
import {
  hashOfBytes,
  decodeUtf8,
  encodeToScratch,
  scratchBytes,
  scratchHash,
  readVarint,
  varint,
} from "../../base/index.ts";
import { StringFilter } from "./filter.ts";
import { BlockHeads } from "./heads.ts";
import { StringScan } from "./scan.ts";
import { STRING_BLOCK } from "./writer.ts";

/**
 * Scratch of `get`: per string of a block, the bytes it shares and where its own begin; and the bytes of the string.
 */
const blockShared = new Uint32Array(STRING_BLOCK);
const blockStart = new Uint32Array(STRING_BLOCK);
let gathered = new Uint8Array(256);
/** Scratch of `prefixEnd`. */
let raised = new Uint8Array(256);

/** Strings that are read in the time that one look-up takes longer without a filter. */
const STRINGS_PER_LOOKUP = 4;
/** Of larger tables making the filter would be a long step, some 50 ns a string. */
const MOST_FILTERED = 65_536;

/** Blocks whose heads are read in the time that one look-up takes longer without them. */
const BLOCKS_PER_LOOKUP = 16;

/** A table, or the part of one that starts at a block. Searching needs it sorted; `get` does not. */
export class FrontCodedTable implements StringTable {
  readonly size: number;
  readonly #views: SectionViews;
  readonly #indexSection: number;
  readonly #bytesSection: number;
  readonly #firstBlock: number;
  /** Whether the last search met what it looked for. */
  #exact = false;
  #heads: BlockHeads | null = null;
  #filter: StringFilter | null = null;
  /** Before there were heads, and before there was a filter. */
  #lookups = 0;
  #finds = 0;
  /** Where the block begins that `#blockBytes` has returned last. */
  #blockAt = 0;

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
    if (!(ordinal >= 0 && ordinal < this.size)) {
      throw new RangeError(`string ${ordinal} of ${this.size}`);
    }
    const place = ordinal % STRING_BLOCK;
    const bytes = this.#blockBytes((ordinal - place) / STRING_BLOCK);
    let at = readVarint(bytes, this.#blockAt);
    let rest = varint;
    if (place === 0) return decodeUtf8(bytes, at, at + rest);

    // Forward over the heads alone; then backward, and of each string before only the bytes that are still missing.
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
    if (gathered.length < length) gathered = new Uint8Array(length * 2);
    const target = gathered;
    let missing = length;
    for (let i = place; missing > 0; i--) {
      const first = blockShared[i];
      if (first >= missing) continue;
      const offset = blockStart[i] - first;
      for (let j = first; j < missing; j++) target[j] = bytes[offset + j];
      missing = first;
    }
    return decodeUtf8(target, 0, length);
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
    // No byte of UTF-8 is 255, so the last one can be raised: the first bytes after all that start with the prefix.
    if (raised.length < length) raised = new Uint8Array(length * 2);
    raised.set(scratchBytes().subarray(0, length));
    raised[length - 1]++;
    return this.#lowerBound(raised, length);
  }

  /**
   * First ordinal of [from, end) whose string is not before what is looked for, by an order of its own: `order` gets a
   * string as bytes [start, end), valid until it returns, and tells where it is (negative: before). Reads the first
   * strings of blocks, then one block.
   */
  partition(
    from: number,
    end: number,
    order: (bytes: Uint8Array, start: number, end: number) => number,
  ): number {
    // Last block whose first string is in the range and before.
    let low = Math.ceil(from / STRING_BLOCK);
    let high = Math.ceil(end / STRING_BLOCK);
    while (low < high) {
      const middle = (low + high) >>> 1;
      const bytes = this.#blockBytes(middle);
      const at = readVarint(bytes, this.#blockAt);
      if (order(bytes, at, at + varint) < 0) low = middle + 1;
      else high = middle;
    }
    if (low * STRING_BLOCK <= from) return from;
    const block = low - 1;
    const bytes = this.#blockBytes(block);
    let at = this.#blockAt;
    const last = Math.min(end, low * STRING_BLOCK);
    for (let ordinal = block * STRING_BLOCK; ordinal < last; ordinal++) {
      let shared = 0;
      let rest: number;
      if (ordinal % STRING_BLOCK === 0) {
        at = readVarint(bytes, at);
        rest = varint;
      } else {
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
      }
      const length = shared + rest;
      if (gathered.length < length) {
        const grown = new Uint8Array(length * 2);
        grown.set(gathered.subarray(0, shared));
        gathered = grown;
      }
      for (let i = shared; i < length; i++) gathered[i] = bytes[at++];
      if (ordinal >= from && order(gathered, 0, length) >= 0) return ordinal;
    }
    return last;
  }

  /** What holds the block, which begins there at `#blockAt`. Of a paged segment only the block is brought. */
  #blockBytes(block: number): Uint8Array {
    const views = this.#views;
    const index = views.u32(this.#indexSection);
    const place = this.#firstBlock + 1 + block;
    const start = index[place];
    const end =
      place + 1 === index.length ? views.lengthBytes(this.#bytesSection) : index[place + 1];
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

    // Last block whose head is <= target.
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

    // `common` = bytes that the current string (always < target) shares with the target.
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
      // Shares less with its predecessor than the target does: it is behind the target. More: still before it.
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

  /** As with the heads; up to 3 ms for the largest table. */
  #filterOnceWorth(): StringFilter | null {
    const { size } = this;
    if (size > MOST_FILTERED || ++this.#finds * STRINGS_PER_LOOKUP < size) return null;
    const filter = new StringFilter(size);
    const scan = new StringScan();
    scan.reset(this);
    while (scan.next()) filter.add(hashOfBytes(scan.bytes, scan.length));
    return (this.#filter = filter);
  }

  /** Making them costs about as much as so many lookups without them: until those were made, null. */
  #headsOnceWorth(bytes: Uint8Array, index: Uint32Array, blocks: number): BlockHeads | null {
    if (++this.#lookups * BLOCKS_PER_LOOKUP < blocks) return null;
    const first = this.#firstBlock + 1;
    return (this.#heads = new BlockHeads(bytes, index.subarray(first, first + blocks)));
  }

  /** What has been made for looking up, besides the bytes of the segment. */
  get lookupBytes(): number {
    return (this.#heads?.sizeBytes ?? 0) + (this.#filter?.sizeBytes ?? 0);
  }

  /** Where block `block` of this table starts; for StringScan. */
  blockOffset(block: number): number {
    return this.#views.u32(this.#indexSection)[this.#firstBlock + 1 + block];
  }

  bytes(): Uint8Array {
    return this.#views.u8(this.#bytesSection);
  }
}
