/** Writes posting lists (format.ts) in the order of their ordinals. */
import { bitWidth, GrowableU32, PiecedBytes, PiecedU32 } from "../../base/index.ts";
import { type SectionWriter, PART } from "../format/index.ts";
import { packDirectory } from "./directory.ts";
import { Alphabet } from "./alphabet.ts";
import {
  ALPHABETS,
  BLOCK,
  COUNT_FOLLOWS,
  EXCEPTIONS,
  HIGH_BITS,
  INLINE,
  PLACE_BITS,
  TAIL_PADDING_BYTES,
} from "./format.ts";

/** Words of the current block: at most 32 bits per gap, 32 per code and 16 per exception. */
const blockWords = new Uint32Array(BLOCK * 3 + 1);
/** Gaps of the current block. */
const gaps = new Uint32Array(BLOCK);
/** Number of values of the current block by their width in bits. */
const byWidth = new Uint32Array(33);
/** Units of the current block's exceptions. */
const exceptions: number[] = [];

/** An exception takes 16 bits. It must also save the time of reading it: a larger gap moves all later rows. */
const GAP_EXCEPTION_BITS = 56;
const CODE_EXCEPTION_BITS = 24;

export class PostingsWriter {
  readonly #rowBits: number;
  readonly #directory = new GrowableU32();
  readonly #data = new PiecedBytes();
  readonly #blockLast = new GrowableU32();
  readonly #blockOffset = new GrowableU32();
  readonly #blockWidths: number[] = [];
  readonly #words = new PiecedU32();
  readonly #alphabet = new Alphabet();
  /** Bits of a tail that do not fill a byte yet. */
  #pending = 0;
  #pendingBits = 0;

  /** Rows are 0..rowCount-1. */
  constructor(rowCount: number) {
    this.#rowBits = bitWidth(Math.max(0, rowCount - 1));
    if (this.#rowBits > 30) throw new RangeError(`${rowCount} rows`);
    this.#data.push(0);
  }

  /** Adds the next list: rows[start..end), ascending and distinct. `codes` has their codes at the same indexes. */
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
    // The codes to write, from index `from` on.
    let written = codes;
    let from = start;
    if (codes !== null && count >= BLOCK) {
      written = this.#alphabet.placesOf(codes, start, end);
      from = 0;
    }
    const tailCount = count % BLOCK;
    const tailStart = end - tailCount;
    const tailCodes = from + count - tailCount;
    let gapBits = 0;
    let codeBits = 0;
    if (tailStart < end) {
      let all = 0;
      for (let i = tailStart + 1; i < end; i++) all |= rows[i] - rows[i - 1] - 1;
      gapBits = bitWidth(all);
      if (written !== null) {
        all = 0;
        for (let i = 0; i < tailCount; i++) all |= written[tailCodes + i];
        codeBits = bitWidth(all);
      }
    }
    this.#directory.push(this.#data.length);
    const shownCount = Math.min(count, COUNT_FOLLOWS);
    const head = gapBits | (codeBits << 5) | (shownCount << 10);
    this.#data.push(head & 255);
    this.#data.push(head >>> 8);
    if (shownCount === COUNT_FOLLOWS) this.#data.pushVarint(count);
    if (count >= BLOCK) {
      this.#data.pushVarint(this.#blockLast.length);
      const { letters } = this.#alphabet;
      this.#data.pushVarint(codes === null ? 0 : letters.length);
      if (codes !== null) for (const letter of letters) this.#data.pushVarint(letter);
    }
    let before = -1;
    for (let block = start; block < tailStart; block += BLOCK) {
      this.#addBlock(rows, block, before, written, from + block - start);
      before = rows[block + BLOCK - 1];
    }
    if (tailStart < end) {
      this.#pushBits(rows[tailStart], this.#rowBits);
      for (let i = tailStart + 1; i < end; i++) {
        this.#pushBits(rows[i] - rows[i - 1] - 1, gapBits);
      }
      if (written !== null && codeBits > 0) {
        for (let i = 0; i < tailCount; i++) this.#pushBits(written[tailCodes + i], codeBits);
      }
      if (this.#pendingBits > 0) this.#pushBits(0, 8 - this.#pendingBits);
    }
  }

  finish(sections: SectionWriter, base: number): void {
    // If all lists are empty, no section is needed.
    const entries = this.#directory.view();
    if (this.#data.length === 1 && entries.every((entry) => entry === 0)) return;
    sections.set(base + PART.directory, packDirectory(this.#rowBits | ALPHABETS, entries));
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

  /** @param codes null without codes; the block's codes start at `codesAt` */
  #addBlock(rows: Uint32Array, start: number, before: number, codes: Uint32Array | null, codesAt: number): void {
    let previous = before;
    for (let i = 0; i < BLOCK; i++) {
      gaps[i] = rows[start + i] - previous - 1;
      previous = rows[start + i];
    }
    const words = blockWords.fill(0);
    exceptions.length = 0;
    const gapBits = bestWidth(gaps, 0, GAP_EXCEPTION_BITS);
    putLow(words, 0, gaps, 0, gapBits);
    const gapExceptions = exceptions.length;
    let codeBits = 0;
    // BLOCK * bits is a multiple of 32, so gaps, codes and exceptions all start at a word.
    let length = (BLOCK / 32) * gapBits;
    if (codes !== null) {
      codeBits = bestWidth(codes, codesAt, this.#alphabet.letters.length > 0 ? CODE_EXCEPTION_BITS : Infinity);
      putLow(words, length, codes, codesAt, codeBits);
      length += (BLOCK / 32) * codeBits;
    }
    let widths = gapBits | (codeBits << 8);
    if (exceptions.length > 0) {
      widths |= EXCEPTIONS;
      words[length] = gapExceptions | ((exceptions.length - gapExceptions) << 8);
      exceptions.forEach((unit, i) => (words[length + ((i + 1) >>> 1)] |= unit << (((i + 1) & 1) * 16)));
      length += (exceptions.length + 2) >>> 1;
    }
    this.#blockLast.push(rows[start + BLOCK - 1]);
    this.#blockOffset.push(this.#words.length);
    this.#blockWidths.push(widths);
    this.#words.pushAll(words.subarray(0, length));
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

/** The width with which the 128 values from `at` on take the fewest bits. */
function bestWidth(values: Uint32Array, at: number, exceptionBits: number): number {
  byWidth.fill(0);
  let all = 0;
  for (let i = at; i < at + BLOCK; i++) {
    all |= values[i];
    byWidth[32 - Math.clz32(values[i])]++;
  }
  const widest = bitWidth(all);
  let best = widest;
  let fewestBits = BLOCK * widest;
  let larger = 0;
  for (let width = widest - 1; width >= 0 && width >= widest - HIGH_BITS; width--) {
    larger += byWidth[width + 1];
    const bits = BLOCK * width + larger * exceptionBits;
    if (bits >= fewestBits) continue;
    fewestBits = bits;
    best = width;
  }
  return best;
}

/** Writes the lowest bits of 128 values from words[start] on, which must be zero, and the others as exceptions. */
function putLow(words: Uint32Array, start: number, values: Uint32Array, at: number, width: number): void {
  const mask = (1 << width) - 1;
  let bit = start * 32;
  for (let place = 0; place < BLOCK; place++) {
    const value = values[at + place];
    const higher = value >>> width;
    if (higher > 0) exceptions.push(place | (higher << PLACE_BITS));
    if (width === 0) continue;
    const low = value & mask;
    const shift = bit & 31;
    const word = bit >>> 5;
    words[word] |= low << shift;
    if (shift + width > 32) words[word + 1] |= low >>> (32 - shift);
    bit += width;
  }
}
