/**
 * Reads posting lists (format.ts). Trusts the bytes; their checksums are verified elsewhere.
 *
 * `data` and `words` are a third of a segment, but a search reads few lists. Both are read by range, so a paged segment
 * loads only the needed bytes.
 */
import { lowerBound, readVarint, varint } from "../../base/index.ts";
import type { PostingCursor, TermPostings } from "../model/index.ts";
import { type SectionViews, PART } from "../format/index.ts";
import { decodeCodes, decodeGaps, decodeTail, endOf, LargerCodes, listAt, tailCodeAt } from "./blocks.ts";
import { PackedCursor } from "./cursor.ts";
import { entryOf, hasAlphabets, rowBitsOf } from "./directory.ts";
import { BLOCK, COUNT_FOLLOWS, INLINE } from "./format.ts";
import { ListHead } from "./list-head.ts";

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
    if (count !== COUNT_FOLLOWS) return count;
    readVarint(data, start + 2);
    return varint;
  }

  cursor(): PostingCursor {
    return new PackedCursor(this.#views, this.#base);
  }

  decode(list: number, rows: Uint32Array, codes: Uint32Array | null): number {
    const views = this.#views;
    const base = this.#base;
    const directory = views.u32(base + PART.directory);
    const entry = entryOf(directory, list);
    if (entry === 0) return 0;
    const rowBits = rowBitsOf(directory);
    if (entry >= INLINE) {
      rows[0] = entry & ((1 << rowBits) - 1);
      if (codes !== null) codes[0] = (entry & 0x7fffffff) >>> rowBits;
      return 1;
    }
    const data = listAt(views, base, entry);
    head.read(data, entry - views.rangeStart, hasAlphabets(directory));
    const { alphabet, firstBlock, blocks, count } = head;
    if (head.tail > 0) decodeTail(data, rowBits, head, rows, codes, blocks * BLOCK);
    if (blocks === 0) return count;
    const last = views.u32(base + PART.blockLast);
    const offsets = views.u32(base + PART.blockOffset);
    const widths = views.u16(base + PART.blockWidths);
    const wordCount = views.lengthBytes(base + PART.words) / 4;
    const end = endOf(offsets, firstBlock + blocks - 1, wordCount);
    const words = views.rangeU32(base + PART.words, offsets[firstBlock], end);
    const { rangeStart } = views;
    for (let i = 0; i < blocks; i++) {
      const block = firstBlock + i;
      const before = i === 0 ? -1 : last[block - 1];
      const start = offsets[block] - rangeStart;
      decodeGaps(words, start, widths[block], before, rows, i * BLOCK);
      if (codes === null) continue;
      decodeCodes(words, start, widths[block], alphabet, codes, i * BLOCK);
    }
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
    head.read(data, entry - this.#views.rangeStart, hasAlphabets(directory));
    const asked = head.blocks === 0 ? 0 : this.#codesInBlocks(rows, count, codes);
    const { tail } = head;
    if (asked === count || tail === 0) return;
    decodeTail(data, rowBits, head, blockRows, null, 0);
    let i = lowerBound(rows, asked, count, blockRows[0]);
    for (let place = 0; place < tail && i < count;) {
      const row = rows[i];
      const there = blockRows[place];
      if (there < row) place++;
      else {
        if (there === row) codes[i] = tailCodeAt(data, rowBits, head, place);
        i++;
      }
    }
  }

  mayHaveCode(list: number, test: (code: number) => boolean): boolean {
    const directory = this.#views.u32(this.#base + PART.directory);
    const entry = entryOf(directory, list);
    if (entry === 0 || entry >= INLINE) return entry !== 0;
    const data = listAt(this.#views, this.#base, entry);
    head.read(data, entry - this.#views.rangeStart, hasAlphabets(directory));
    const { alphabet, letters } = head;
    if (alphabet === null) return true;
    for (let i = 0; i < letters; i++) if (test(alphabet[i])) return true;
    return false;
  }

  /** `codesOf` for the blocks of `head`. Returns the index of the first row after them. */
  #codesInBlocks(rows: Uint32Array, count: number, codes: Int32Array): number {
    const views = this.#views;
    const last = views.u32(this.#base + PART.blockLast);
    const offsets = views.u32(this.#base + PART.blockOffset);
    const widths = views.u16(this.#base + PART.blockWidths);
    const wordCount = views.lengthBytes(this.#base + PART.words) / 4;
    const { alphabet, firstBlock: first } = head;
    const end = first + head.blocks;
    let i = 0;
    for (let block = first; i < count; block++) {
      block = lowerBound(last, block, end, rows[i]);
      if (block === end) return i;
      const before = block === first ? -1 : last[block - 1];
      // No block contains the rows of a gap between blocks.
      const offset = offsets[block];
      const blockEnd = endOf(offsets, block, wordCount);
      const words = views.rangeU32(this.#base + PART.words, offset, blockEnd);
      const start = offset - views.rangeStart;
      const blockWidths = widths[block];
      decodeGaps(words, start, blockWidths, before, blockRows, 0);
      const codeBits = (blockWidths >>> 8) & 31;
      const codesAt = start + (BLOCK / 32) * (blockWidths & 31);
      const mask = (1 << codeBits) - 1;
      largerCodes.open(words, start, blockWidths);
      let largerPlace = largerCodes.place;
      const lastRow = last[block];
      let place = 0;
      for (; i < count && rows[i] <= lastRow; i++) {
        const row = rows[i];
        place = lowerBound(blockRows, place, BLOCK, row);
        if (blockRows[place] !== row) continue;
        const bit = place * codeBits;
        const word = codesAt + (bit >>> 5);
        const shift = bit & 31;
        let code = words[word] >>> shift;
        if (shift + codeBits > 32) code |= words[word + 1] << (32 - shift);
        code &= mask;
        while (largerPlace < place) largerPlace = largerCodes.next();
        if (largerPlace === place) code |= largerCodes.higher;
        codes[i] = alphabet === null ? code : alphabet[code];
      }
    }
    return i;
  }
}

/** Of the current list, and of its current block. */
const head = new ListHead();
const largerCodes = new LargerCodes();

/** Rows of the current block or tail. */
const blockRows = new Uint32Array(BLOCK);
