/**
 * Reads posting lists (format.ts). Trusts the bytes; checksums are verified elsewhere.
 *
 * `data` and `words` are a third of a segment, but a search reads few lists. Both are read by range, so that a
 * paged segment fetches only the needed bytes.
 */
import { lowerBound } from "../../base/index.ts";
import type { PostingCursor, TermPostings } from "../model/index.ts";
import { type SectionViews, PART } from "../format/index.ts";
import {
  decodeCodes,
  decodeGaps,
  decodeTail,
  listAt,
  readBits,
  readVarint,
  varintBytes,
  wordsOf,
} from "./blocks.ts";
import { PackedCursor } from "./cursor.ts";
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
   * The part of `codesOf` in blocks [first, first + blocks). Returns the index of the first row after
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
      // No block contains the rows of a gap between blocks.
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

/** Rows of the current block or tail. */
const blockRows = new Uint32Array(BLOCK);

/**
 * The first of blocks [from, end) whose last row is at or after `row`; `end` if none. Gallops, because most jumps are
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

/** The first index of `blockRows`, at or after `from`, whose row is not before `row`. It must exist. */
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
