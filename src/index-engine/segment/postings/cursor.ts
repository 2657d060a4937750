/** Walks one posting list row by row, with skips. */
import { lowerBound } from "../../base/index.ts";
import { NO_MORE_ROWS, type PostingCursor } from "../model/index.ts";
import { PART, type SectionViews } from "../format/index.ts";
import { codeAt, decodeGaps, decodeTail, endOf, letter, listAt, tailCodeAt } from "./blocks.ts";
import { entryOf, hasAlphabets, rowBitsOf } from "./directory.ts";
import { BLOCK, INLINE } from "./format.ts";
import { ListHead } from "./list-head.ts";

const NO_DATA = new Uint8Array(0);
const NO_WORDS = new Uint32Array(0);
const NO_WIDTHS = new Uint16Array(0);

/** Decodes the rows of one block at a time. Codes are extracted on demand, because a conjunction needs few of them. */
export class PackedCursor implements PostingCursor {
  count = 0;
  row = NO_MORE_ROWS;
  readonly #views: SectionViews;
  readonly #base: number;
  #directory: Uint32Array = NO_WORDS;
  /** The bytes that contain the list. */
  #data: Uint8Array = NO_DATA;
  /** The words that contain the current block, and its start in them. */
  #words: Uint32Array = NO_WORDS;
  #wordsAt = 0;
  #blockLast: Uint32Array = NO_WORDS;
  #blockOffset: Uint32Array = NO_WORDS;
  #blockWidths: Uint16Array = NO_WIDTHS;

  /** Decoded rows [0, #length) of the current block or tail. */
  readonly #rows = new Uint32Array(BLOCK);
  #length = 0;
  #index = 0;

  readonly #head = new ListHead();
  /** Blocks of the list. #block counts from 0, and #blocks means the tail. */
  #firstBlock = 0;
  #blocks = 0;
  #block = 0;
  #isInline = false;
  #inlineCode = 0;

  constructor(views: SectionViews, base: number) {
    this.#views = views;
    this.#base = base;
  }

  open(list: number): void {
    // Read for every list, because a paged section may have been replaced by a whole one.
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
    this.#isInline = false;
    if (entry === 0) {
      this.count = 0;
      this.#length = 0;
      this.row = NO_MORE_ROWS;
      return;
    }
    if (entry >= INLINE) {
      const rowBits = rowBitsOf(directory);
      this.count = 1;
      this.#isInline = true;
      this.#length = 1;
      this.#rows[0] = entry & ((1 << rowBits) - 1);
      this.#inlineCode = (entry & 0x7fffffff) >>> rowBits;
      this.row = this.#rows[0];
      return;
    }
    const data = listAt(views, base, entry);
    const head = this.#head;
    head.read(data, entry - views.rangeStart, hasAlphabets(directory));
    this.#firstBlock = head.firstBlock;
    this.#blocks = head.blocks;
    this.count = head.count;
    this.#data = data;
    this.#load(0);
  }

  get code(): number {
    const index = this.#index;
    if (index >= this.#length) return 0;
    if (this.#isInline) return this.#inlineCode;
    const head = this.#head;
    if (this.#block < this.#blocks) {
      const widths = this.#blockWidths[this.#firstBlock + this.#block];
      return letter(head.alphabet, codeAt(this.#words, this.#wordsAt, widths, index));
    }
    return tailCodeAt(this.#data, rowBitsOf(this.#directory), head, index);
  }

  next(): number {
    if (this.#index + 1 < this.#length) return (this.row = this.#rows[++this.#index]);
    return this.#load(this.#block + 1);
  }

  advance(target: number): number {
    if (this.row >= target) return this.row;
    if (this.#rows[this.#length - 1] < target) {
      // The first block whose last row is not before the target, otherwise the tail.
      const first = this.#firstBlock;
      const end = first + this.#blocks;
      const block = lowerBound(this.#blockLast, first + this.#block + 1, end, target) - first;
      if (this.#load(block) >= target) return this.row;
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

  /** Moves to the first row of block `block`, or of the tail, or to the end. */
  #load(block: number): number {
    this.#index = 0;
    this.#block = block;
    if (block < this.#blocks) {
      const global = this.#firstBlock + block;
      const before = block === 0 ? -1 : this.#blockLast[global - 1];
      const widths = this.#blockWidths[global];
      const start = this.#blockOffset[global];
      const views = this.#views;
      const wordCount = views.lengthBytes(this.#base + PART.words) / 4;
      const end = endOf(this.#blockOffset, global, wordCount);
      // Includes the codes, which are extracted later.
      const words = views.rangeU32(this.#base + PART.words, start, end);
      this.#words = words;
      this.#wordsAt = start - views.rangeStart;
      decodeGaps(words, this.#wordsAt, widths, before, this.#rows, 0);
      this.#length = BLOCK;
      return (this.row = this.#rows[0]);
    }
    if (block === this.#blocks && this.#head.tail > 0 && !this.#isInline) {
      decodeTail(this.#data, rowBitsOf(this.#directory), this.#head, this.#rows, null, 0);
      this.#length = this.#head.tail;
      return (this.row = this.#rows[0]);
    }
    this.#block = this.#blocks + 1;
    this.#length = 0;
    return (this.row = NO_MORE_ROWS);
  }
}
