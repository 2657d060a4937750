/** Writes posting lists in the order of their ordinals; the bytes are described in format.ts. */
import { bitWidth, GrowableU32, PiecedBytes, PiecedU32 } from "../../base/index.ts";
import { type SectionWriter, PART } from "../format/index.ts";
import { packDirectory } from "./directory.ts";
import { BLOCK, COUNT_FOLLOWS, INLINE, TAIL_PADDING_BYTES } from "./format.ts";

/** The words of the current block: at most 32 bits for the gap and 32 for the code of each row. */
const blockWords = new Uint32Array(BLOCK * 2);

export class PostingsWriter {
  readonly #rowBits: number;
  readonly #directory = new GrowableU32();
  readonly #data = new PiecedBytes();
  readonly #blockLast = new GrowableU32();
  readonly #blockOffset = new GrowableU32();
  readonly #blockWidths: number[] = [];
  readonly #words = new PiecedU32();
  // Bits of a tail that do not fill a byte yet.
  #pending = 0;
  #pendingBits = 0;

  /** Rows are 0..rowCount-1. */
  constructor(rowCount: number) {
    this.#rowBits = bitWidth(Math.max(0, rowCount - 1));
    if (this.#rowBits > 30) throw new RangeError(`${rowCount} rows`);
    this.#directory.push(this.#rowBits);
    this.#data.push(0);
  }

  /** Adds the next list: rows[start..end), ascending and distinct, with their codes at the same indexes, or null. */
  add(rows: Uint32Array, codes: Uint32Array | null, start: number, end: number): void {
    const count = end - start;
    if (count === 0) {
      this.#directory.push(0);
      return;
    }
    if (count === 1) {
      const code = codes === null ? 0 : codes[start];
      if (bitWidth(code) <= 31 - this.#rowBits) {
        // rowBits is 0 .. 30, so the shift stays within 31 bits.
        this.#directory.push((INLINE | (code << this.#rowBits) | rows[start]) >>> 0);
        return;
      }
    }
    const tailStart = end - (count % BLOCK);
    let gapBits = 0;
    let codeBits = 0;
    if (tailStart < end) {
      let all = 0;
      for (let i = tailStart + 1; i < end; i++) all |= rows[i] - rows[i - 1] - 1;
      gapBits = bitWidth(all);
      if (codes !== null) {
        all = 0;
        for (let i = tailStart; i < end; i++) all |= codes[i];
        codeBits = bitWidth(all);
      }
    }
    this.#directory.push(this.#data.length);
    const shownCount = Math.min(count, COUNT_FOLLOWS);
    const head = gapBits | (codeBits << 5) | (shownCount << 10);
    this.#data.push(head & 255);
    this.#data.push(head >>> 8);
    if (shownCount === COUNT_FOLLOWS) this.#data.pushVarint(count);
    if (count >= BLOCK) this.#data.pushVarint(this.#blockLast.length);
    let before = -1;
    for (let block = start; block < tailStart; block += BLOCK) {
      this.#addBlock(rows, codes, block, before);
      before = rows[block + BLOCK - 1];
    }
    if (tailStart < end) {
      this.#pushBits(rows[tailStart], this.#rowBits);
      for (let i = tailStart + 1; i < end; i++) {
        this.#pushBits(rows[i] - rows[i - 1] - 1, gapBits);
      }
      if (codes !== null && codeBits > 0) {
        for (let i = tailStart; i < end; i++) this.#pushBits(codes[i], codeBits);
      }
      if (this.#pendingBits > 0) this.#pushBits(0, 8 - this.#pendingBits);
    }
  }

  finish(sections: SectionWriter, base: number): void {
    // Lists without any row need no bytes: an absent section reads as empty lists.
    if (
      this.#data.length === 1 &&
      this.#directory.view().every((word, i) => i === 0 || word === 0)
    ) {
      return;
    }
    sections.set(base + PART.directory, packDirectory(this.#directory.view()));
    if (this.#data.length > 1) {
      for (let i = 0; i < TAIL_PADDING_BYTES; i++) this.#data.push(0);
      sections.setPieces(base + PART.data, this.#data.pieces());
    }
    if (this.#blockLast.length > 0) {
      sections.set(base + PART.blockLast, this.#blockLast.view());
      sections.set(base + PART.blockOffset, this.#blockOffset.view());
      sections.set(base + PART.blockWidths, Uint16Array.from(this.#blockWidths));
      sections.setPieces(base + PART.words, this.#words.pieces());
    }
  }

  #addBlock(rows: Uint32Array, codes: Uint32Array | null, start: number, before: number): void {
    let all = rows[start] - before - 1;
    for (let i = start + 1; i < start + BLOCK; i++) all |= rows[i] - rows[i - 1] - 1;
    const gapBits = bitWidth(all);
    let codeBits = 0;
    if (codes !== null) {
      all = 0;
      for (let i = start; i < start + BLOCK; i++) all |= codes[i];
      codeBits = bitWidth(all);
    }
    this.#blockLast.push(rows[start + BLOCK - 1]);
    this.#blockOffset.push(this.#words.length);
    this.#blockWidths.push(gapBits | (codeBits << 8));

    // BLOCK * bits is a multiple of 32, so gaps and codes both start at a word.
    const words = blockWords.subarray(0, (BLOCK / 32) * (gapBits + codeBits)).fill(0);
    let bit = 0;
    let previous = before;
    if (gapBits > 0) {
      for (let i = start; i < start + BLOCK; i++) {
        putBits(words, bit, rows[i] - previous - 1, gapBits);
        previous = rows[i];
        bit += gapBits;
      }
    }
    if (codes !== null && codeBits > 0) {
      for (let i = start; i < start + BLOCK; i++) {
        putBits(words, bit, codes[i], codeBits);
        bit += codeBits;
      }
    }
    this.#words.pushAll(words);
  }

  /** Appends `width` <= 31 bits of `value`, lowest first. */
  #pushBits(value: number, width: number): void {
    let rest = value;
    let left = width;
    while (left > 0) {
      const taken = Math.min(8 - this.#pendingBits, left);
      this.#pending |= (rest & ((1 << taken) - 1)) << this.#pendingBits;
      this.#pendingBits += taken;
      rest >>>= taken;
      left -= taken;
      if (this.#pendingBits === 8) {
        this.#data.push(this.#pending);
        this.#pending = 0;
        this.#pendingBits = 0;
      }
    }
  }
}

/** `words` after `bit` must be zero. */
function putBits(words: Uint32Array, bit: number, value: number, width: number): void {
  const shift = bit % 32;
  const word = (bit - shift) / 32;
  words[word] |= value << shift;
  if (shift + width > 32) words[word + 1] |= value >>> (32 - shift);
}
