/**
 * Reads posting lists (format.ts). The writer's bytes are trusted here; checksums are verified elsewhere.
 *
 * Of `data` and `words`, a third of a segment, a search reads a few lists: both are asked for by range, so that of a
 * paged segment only what is about to be read is brought.
 */
import { lowerBound } from "../../base/index.ts";
import { NO_MORE_ROWS, type PostingCursor, type TermPostings } from "../model/index.ts";
import { type SectionViews, PART } from "../format/index.ts";
import { entryOf, rowBitsOf } from "./directory.ts";
import { BLOCK, COUNT_FOLLOWS, INLINE } from "./format.ts";

export class PackedPostings implements TermPostings {
  readonly #views: SectionViews;
  readonly #base: number;

  constructor(views: SectionViews, base: number) {
    this.#views = views;
    this.#base = base;
  }

  count(list: number): number {
    const directory = this.#views.u32(this.#base + PART.directory);
    const entry = entryOf(directory, list);
    if (entry === 0) return 0;
    if (entry >= INLINE) return 1;
    const data = listAt(this.#views, this.#base, entry);
    const start = entry - this.#views.rangeStart;
    const count = data[start + 1] >>> 2;
    return count === COUNT_FOLLOWS ? readVarint(data, start + 2) : count;
  }

  cursor(): PostingCursor {
    return new PackedCursor(this.#views, this.#base);
  }

  decode(list: number, rows: Uint32Array, codes: Uint32Array | null): number {
    const directory = this.#views.u32(this.#base + PART.directory);
    const entry = entryOf(directory, list);
    if (entry === 0) return 0;
    const rowBits = rowBitsOf(directory);
    if (entry >= INLINE) {
      rows[0] = entry & ((1 << rowBits) - 1);
      if (codes !== null) codes[0] = (entry & 0x7fffffff) >>> rowBits;
      return 1;
    }
    const data = listAt(this.#views, this.#base, entry);
    let at = entry - this.#views.rangeStart;
    const head = data[at] | (data[at + 1] << 8);
    at += 2;
    let count = head >>> 10;
    if (count === COUNT_FOLLOWS) {
      count = readVarint(data, at);
      at += varintBytes(count);
    }
    let length = 0;
    if (count >= BLOCK) {
      const first = readVarint(data, at);
      at += varintBytes(first);
      const blocks = (count / BLOCK) | 0;
      const last = this.#views.u32(this.#base + PART.blockLast);
      const offsets = this.#views.u32(this.#base + PART.blockOffset);
      const widths = this.#views.u16(this.#base + PART.blockWidths);
      const end = first + blocks - 1;
      const endWord = offsets[end] + wordsOf(widths[end]);
      const words = this.#views.rangeU32(this.#base + PART.words, offsets[first], endWord);
      const { rangeStart } = this.#views;
      for (let block = first; block < first + blocks; block++) {
        const gapBits = widths[block] & 255;
        const before = block === first ? -1 : last[block - 1];
        const start = offsets[block] - rangeStart;
        decodeGaps(words, start, gapBits, before, rows, length);
        if (codes !== null) {
          decodeCodes(words, start + (BLOCK / 32) * gapBits, widths[block] >>> 8, codes, length);
        }
        length += BLOCK;
      }
    }
    const tail = count % BLOCK;
    if (tail > 0) decodeTail(data, at, rowBits, head, tail, rows, codes, length);
    return count;
  }

  codesOf(list: number, rows: Uint32Array, count: number, codes: Int32Array): void {
    codes.fill(-1, 0, count);
    const directory = this.#views.u32(this.#base + PART.directory);
    const entry = entryOf(directory, list);
    if (entry === 0 || count === 0) return;
    const rowBits = rowBitsOf(directory);
    if (entry >= INLINE) {
      const row = entry & ((1 << rowBits) - 1);
      const at = lowerBound(rows, 0, count, row);
      if (at < count && rows[at] === row) codes[at] = (entry & 0x7fffffff) >>> rowBits;
      return;
    }
    const data = listAt(this.#views, this.#base, entry);
    let at = entry - this.#views.rangeStart;
    const head = data[at] | (data[at + 1] << 8);
    at += 2;
    let length = head >>> 10;
    if (length === COUNT_FOLLOWS) {
      length = readVarint(data, at);
      at += varintBytes(length);
    }
    let asked = 0;
    if (length >= BLOCK) {
      const first = readVarint(data, at);
      at += varintBytes(first);
      asked = this.#codesInBlocks(first, (length / BLOCK) | 0, rows, count, codes);
    }
    const tail = length % BLOCK;
    if (asked === count || tail === 0) return;
    decodeTail(data, at, rowBits, head, tail, blockRows, null, 0);
    const width = (head >>> 5) & 31;
    const codesAt = rowBits + (tail - 1) * (head & 31);
    let i = lowerBound(rows, asked, count, blockRows[0]);
    for (let place = 0; place < tail && i < count;) {
      const row = rows[i];
      const there = blockRows[place];
      if (there < row) place++;
      else {
        if (there === row) codes[i] = readBits(data, at, codesAt + place * width, width);
        i++;
      }
    }
  }

  /**
   * The part of `codesOf` that lies in blocks [first, first + blocks). Returns the first of the rows that is behind
   * them.
   */
  #codesInBlocks(
    first: number,
    blocks: number,
    rows: Uint32Array,
    count: number,
    codes: Int32Array,
  ): number {
    const views = this.#views;
    const last = views.u32(this.#base + PART.blockLast);
    const offsets = views.u32(this.#base + PART.blockOffset);
    const widths = views.u16(this.#base + PART.blockWidths);
    const end = first + blocks;
    let i = 0;
    for (let block = first; i < count; block++) {
      block = firstBlockTo(last, block, end, rows[i]);
      if (block === end) return i;
      const before = block === first ? -1 : last[block - 1];
      // Rows of a gap between blocks are in none of them.
      const start = offsets[block];
      const words = views.rangeU32(this.#base + PART.words, start, start + wordsOf(widths[block]));
      const wordsAt = start - views.rangeStart;
      const gapBits = widths[block] & 255;
      decodeGaps(words, wordsAt, gapBits, before, blockRows, 0);
      const codeBits = widths[block] >>> 8;
      const codesAt = wordsAt + (BLOCK / 32) * gapBits;
      const mask = (1 << codeBits) - 1;
      const lastRow = last[block];
      let place = 0;
      for (; i < count && rows[i] <= lastRow; i++) {
        const row = rows[i];
        if (blockRows[place] < row) place = firstPlaceTo(place, row);
        if (blockRows[place] !== row) continue;
        const bit = place * codeBits;
        const word = codesAt + (bit >>> 5);
        const shift = bit & 31;
        let code = words[word] >>> shift;
        if (shift + codeBits > 32) code |= words[word + 1] << (32 - shift);
        codes[i] = code & mask;
      }
    }
    return i;
  }
}

/** Rows of the block or tail that is looked at. */
const blockRows = new Uint32Array(BLOCK);

/**
 * The first of blocks [from, end) whose last row is `row` or behind it; `end`: none. Gallops, because most jumps are
 * short.
 */
function firstBlockTo(last: Uint32Array, from: number, end: number, row: number): number {
  let low = from;
  if (low >= end || last[low] >= row) return low;
  let step = 1;
  while (low + step < end && last[low + step] < row) {
    low += step;
    step *= 2;
  }
  let high = Math.min(end, low + step);
  low++;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (last[middle] < row) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The first place of `blockRows` from `from` on that is not before `row`; there is one. */
function firstPlaceTo(from: number, row: number): number {
  let low = from;
  let step = 1;
  while (low + step < BLOCK && blockRows[low + step] < row) {
    low += step;
    step *= 2;
  }
  let high = Math.min(BLOCK - 1, low + step);
  low++;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (blockRows[middle] < row) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Decodes one block of rows at a time and no codes: a code is cut out of its bits when it is asked for, because a
 * conjunction asks for few of them.
 */
class PackedCursor implements PostingCursor {
  count = 0;
  row = NO_MORE_ROWS;
  readonly #views: SectionViews;
  readonly #base: number;
  #directory: Uint32Array;
  /** What holds the list. */
  #data: Uint8Array = NO_DATA;
  /** What holds the current block, and where it begins there. */
  #words: Uint32Array = NO_WORDS;
  #wordsAt = 0;
  #blockLast: Uint32Array;
  #blockOffset: Uint32Array;
  #blockWidths: Uint16Array;

  /** Decoded rows of the current block or tail, which is [0, #length). */
  readonly #rows = new Uint32Array(BLOCK);
  #length = 0;
  #index = 0;

  /** Blocks of the list: #block counts from 0 on; #block === #blocks is the tail. */
  #firstBlock = 0;
  #blocks = 0;
  #block = 0;
  #tail = 0;
  #tailAt = 0;
  #head = 0;
  #inlineCode = 0;

  constructor(views: SectionViews, base: number) {
    this.#views = views;
    this.#base = base;
    this.#directory = views.u32(base + PART.directory);
    this.#blockLast = views.u32(base + PART.blockLast);
    this.#blockOffset = views.u32(base + PART.blockOffset);
    this.#blockWidths = views.u16(base + PART.blockWidths);
  }

  open(list: number): void {
    // Asked again for every list: the bytes may have moved since the last one.
    const views = this.#views;
    const base = this.#base;
    this.#directory = views.u32(base + PART.directory);
    this.#blockLast = views.u32(base + PART.blockLast);
    this.#blockOffset = views.u32(base + PART.blockOffset);
    this.#blockWidths = views.u16(base + PART.blockWidths);

    const directory = this.#directory;
    const entry = entryOf(directory, list);
    this.#index = 0;
    this.#block = 0;
    this.#blocks = 0;
    this.#tail = 0;
    if (entry === 0) {
      this.count = 0;
      this.#length = 0;
      this.row = NO_MORE_ROWS;
      return;
    }
    const rowBits = rowBitsOf(directory);
    if (entry >= INLINE) {
      this.count = 1;
      this.#length = 1;
      this.#rows[0] = entry & ((1 << rowBits) - 1);
      this.#inlineCode = (entry & 0x7fffffff) >>> rowBits;
      this.row = this.#rows[0];
      return;
    }
    const data = listAt(views, base, entry);
    let at = entry - views.rangeStart;
    const head = data[at] | (data[at + 1] << 8);
    at += 2;
    let count = head >>> 10;
    if (count === COUNT_FOLLOWS) {
      count = readVarint(data, at);
      at += varintBytes(count);
    }
    if (count >= BLOCK) {
      this.#firstBlock = readVarint(data, at);
      at += varintBytes(this.#firstBlock);
      this.#blocks = (count / BLOCK) | 0;
    }
    this.count = count;
    this.#data = data;
    this.#head = head;
    this.#tail = count % BLOCK;
    this.#tailAt = at;
    this.#load(0);
  }

  get code(): number {
    const index = this.#index;
    if (index >= this.#length) return 0;
    if (this.#block < this.#blocks) {
      const block = this.#firstBlock + this.#block;
      const widths = this.#blockWidths[block];
      const width = widths >>> 8;
      if (width === 0) return 0;
      const bit = index * width;
      const word = this.#wordsAt + (BLOCK / 32) * (widths & 255) + (bit >>> 5);
      const shift = bit & 31;
      let value = this.#words[word] >>> shift;
      if (shift + width > 32) value |= this.#words[word + 1] << (32 - shift);
      return value & ((1 << width) - 1);
    }
    if (this.#tail === 0) return this.#inlineCode;
    const width = (this.#head >>> 5) & 31;
    const gapBits = this.#head & 31;
    const bit = rowBitsOf(this.#directory) + (this.#tail - 1) * gapBits + index * width;
    return readBits(this.#data, this.#tailAt, bit, width);
  }

  next(): number {
    if (this.#index + 1 < this.#length) return (this.row = this.#rows[++this.#index]);
    return this.#load(this.#block + 1);
  }

  advance(target: number): number {
    if (this.row >= target) return this.row;
    if (this.#rows[this.#length - 1] < target) {
      // First block whose last row is not before the target; else the tail.
      let low = this.#block + 1;
      let high = this.#blocks;
      if (low < high && this.#blockLast[this.#firstBlock + low] < target) {
        // Gallop: most jumps are short.
        let step = 1;
        while (low + step < high && this.#blockLast[this.#firstBlock + low + step] < target) {
          low += step;
          step *= 2;
        }
        high = Math.min(high, low + step);
        low++;
        while (low < high) {
          const middle = (low + high) >>> 1;
          if (this.#blockLast[this.#firstBlock + middle] < target) low = middle + 1;
          else high = middle;
        }
      }
      if (this.#load(low) >= target) return this.row;
      if (this.#rows[this.#length - 1] < target) return this.#load(this.#blocks + 1);
    }
    const rows = this.#rows;
    let low = this.#index + 1;
    let high = this.#length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (rows[middle] < target) low = middle + 1;
      else high = middle;
    }
    this.#index = low;
    return (this.row = rows[low]);
  }

  /** Stands on the first row of block `block` (or the tail, or the end). */
  #load(block: number): number {
    this.#index = 0;
    if (block < this.#blocks) {
      this.#block = block;
      const global = this.#firstBlock + block;
      const before = block === 0 ? -1 : this.#blockLast[global - 1];
      const widths = this.#blockWidths[global];
      const start = this.#blockOffset[global];
      // With the codes, which are cut out later.
      const words = this.#views.rangeU32(this.#base + PART.words, start, start + wordsOf(widths));
      this.#words = words;
      this.#wordsAt = start - this.#views.rangeStart;
      decodeGaps(words, this.#wordsAt, widths & 255, before, this.#rows, 0);
      this.#length = BLOCK;
      return (this.row = this.#rows[0]);
    }
    if (block === this.#blocks && this.#tail > 0) {
      this.#block = block;
      const rowBits = rowBitsOf(this.#directory);
      decodeTail(this.#data, this.#tailAt, rowBits, this.#head, this.#tail, this.#rows, null, 0);
      this.#length = this.#tail;
      return (this.row = this.#rows[0]);
    }
    this.#block = this.#blocks + 1;
    this.#length = 0;
    return (this.row = NO_MORE_ROWS);
  }
}

/** Head, tail and padding of a list in the data: a tail is at most 127 rows with their codes, of 31 bits each. */
const MOST_LIST_BYTES = 1_024;

/** What holds the list at `entry` of the data. */
function listAt(views: SectionViews, base: number, entry: number): Uint8Array {
  return views.rangeU8(base + PART.data, entry, entry + MOST_LIST_BYTES);
}

const NO_DATA = new Uint8Array(0);
const NO_WORDS = new Uint32Array(0);

/** Words of a block. */
function wordsOf(widths: number): number {
  return (BLOCK / 32) * ((widths & 255) + (widths >>> 8));
}

function readVarint(data: Uint8Array, at: number): number {
  let value = 0;
  for (let shift = 0, i = at; ; shift += 7, i++) {
    const byte = data[i];
    value |= (byte & 127) << shift;
    if (byte < 128) return value >>> 0;
  }
}

function varintBytes(value: number): number {
  return value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x200000 ? 3 : value < 0x10000000 ? 4 : 5;
}

/** `width` <= 31 bits, `bit` bits behind byte `at`. May read 4 bytes further than needed: the data is padded. */
function readBits(data: Uint8Array, at: number, bit: number, width: number): number {
  const byte = at + (bit >>> 3);
  const shift = bit & 7;
  let value =
    (data[byte] | (data[byte + 1] << 8) | (data[byte + 2] << 16) | (data[byte + 3] << 24)) >>>
    shift;
  if (shift + width > 32) value |= data[byte + 4] << (32 - shift);
  return value & ((1 << width) - 1);
}

/** 128 rows from gaps - 1 of `width` bits, starting after row `before`. */
function decodeGaps(
  words: Uint32Array,
  start: number,
  width: number,
  before: number,
  rows: Uint32Array,
  at: number,
): void {
  let row = before + 1;
  if (width === 0) {
    for (let i = 0; i < BLOCK; i++) rows[at + i] = row + i;
    return;
  }
  const mask = (1 << width) - 1;
  // `word` holds the bits not taken yet, `left` of them: no word is read twice, and each shift is by the constant
  // width.
  let word = 0;
  let left = 0;
  let next = start;
  for (let i = at; i < at + BLOCK; i++) {
    let gap: number;
    if (left >= width) {
      gap = word & mask;
      word >>>= width;
      left -= width;
    } else {
      const fresh = words[next++];
      gap = (word | (fresh << left)) & mask;
      // A shift by 32 would be one by 0; width - left is 1..31.
      word = fresh >>> (width - left);
      left += 32 - width;
    }
    row += gap;
    rows[i] = row++;
  }
}

/** 128 codes of `width` bits. */
function decodeCodes(
  words: Uint32Array,
  start: number,
  width: number,
  codes: Uint32Array,
  at: number,
): void {
  if (width === 0) {
    codes.fill(0, at, at + BLOCK);
    return;
  }
  const mask = (1 << width) - 1;
  let word = 0;
  let left = 0;
  let next = start;
  for (let i = at; i < at + BLOCK; i++) {
    if (left >= width) {
      codes[i] = word & mask;
      word >>>= width;
      left -= width;
    } else {
      const fresh = words[next++];
      codes[i] = (word | (fresh << left)) & mask;
      word = fresh >>> (width - left);
      left += 32 - width;
    }
  }
}

function decodeTail(
  data: Uint8Array,
  at: number,
  rowBits: number,
  head: number,
  count: number,
  rows: Uint32Array,
  codes: Uint32Array | null,
  offset: number,
): void {
  const gapBits = head & 31;
  let row = readBits(data, at, 0, rowBits);
  rows[offset] = row;
  let bit = rowBits;
  for (let i = 1; i < count; i++) {
    row += readBits(data, at, bit, gapBits) + 1;
    rows[offset + i] = row;
    bit += gapBits;
  }
  if (codes === null) return;
  const codeBits = (head >>> 5) & 31;
  if (codeBits === 0) {
    codes.fill(0, offset, offset + count);
    return;
  }
  for (let i = 0; i < count; i++) {
    codes[offset + i] = readBits(data, at, bit, codeBits);
    bit += codeBits;
  }
}
