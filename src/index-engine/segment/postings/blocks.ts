/** Locates a posting list in its bytes (format.ts) and decodes its blocks and tail. */
import { PART, type SectionViews } from "../format/index.ts";
import { BLOCK, EXCEPTIONS, PLACE_BITS } from "./format.ts";
import type { ListHead } from "./list-head.ts";

/** Upper bound of a list in the data: 127 rows and codes of 31 bits, and an alphabet of MOST_LETTERS varints. */
const MOST_LIST_BYTES = 4_096;

/** The bytes that contain the list at `entry` of the data. */
export function listAt(views: SectionViews, base: number, entry: number): Uint8Array {
  return views.rangeU8(base + PART.data, entry, entry + MOST_LIST_BYTES);
}

/** End of a block. `wordCount`: number of words of all blocks. */
export function endOf(offsets: Uint32Array, block: number, wordCount: number): number {
  return block + 1 < offsets.length ? offsets[block + 1] : wordCount;
}

/** Reads `width` <= 31 bits, `bit` bits after byte `at`. May read 4 extra bytes; the data is padded. */
export function readBits(data: Uint8Array, at: number, bit: number, width: number): number {
  const byte = at + (bit >>> 3);
  const shift = bit & 7;
  let value = (data[byte] | (data[byte + 1] << 8) | (data[byte + 2] << 16) | (data[byte + 3] << 24)) >>> shift;
  if (shift + width > 32) value |= data[byte + 4] << (32 - shift);
  return value & ((1 << width) - 1);
}

/** Number of words of a block's gaps and codes, without exceptions. */
function plainWords(widths: number): number {
  return (BLOCK / 32) * ((widths & 31) + ((widths >>> 8) & 31));
}

/** Unit `index` of the exceptions at `words[start]`. */
function unitAt(words: Uint32Array, start: number, index: number): number {
  return (words[start + (index >>> 1)] >>> ((index & 1) * 16)) & 0xffff;
}

/** Decodes the 128 rows of the block at `words[start]`. The first gap is from row `before`. */
export function decodeGaps(
  words: Uint32Array,
  start: number,
  widths: number,
  before: number,
  rows: Uint32Array,
  at: number,
): void {
  const width = widths & 31;
  let row = before + 1;
  let i = at;
  const end = at + BLOCK;
  if (width === 0) {
    for (; i < end; i++) rows[i] = row++;
  } else {
    const mask = (1 << width) - 1;
    // Word by word: first the value that began in the previous word, then complete ones. `carry` has the first `have`
    // bits of the next value.
    let carry = 0;
    let have = 0;
    for (let next = start; i < end; next++) {
      const fresh = words[next];
      row += (carry | (fresh << have)) & mask;
      rows[i++] = row++;
      // A shift by 32 would shift by 0; width - have is 1..31.
      let word = fresh >>> (width - have);
      let left = 32 - width + have;
      for (; left >= width; left -= width) {
        row += word & mask;
        rows[i++] = row++;
        word >>>= width;
      }
      carry = word;
      have = left;
    }
  }
  if ((widths & EXCEPTIONS) !== 0) addHigherGaps(words, start, widths, rows, at);
}

/** The higher bits of a gap move all rows from its own on. */
function addHigherGaps(words: Uint32Array, start: number, widths: number, rows: Uint32Array, at: number): void {
  const exceptions = start + plainWords(widths);
  const count = words[exceptions] & 0xff;
  let added = 0;
  for (let exception = 1; exception <= count; exception++) {
    const unit = unitAt(words, exceptions, exception);
    added += (unit >>> PLACE_BITS) << (widths & 31);
    const end = exception < count ? unitAt(words, exceptions, exception + 1) & (BLOCK - 1) : BLOCK;
    for (let i = at + (unit & (BLOCK - 1)); i < at + end; i++) rows[i] += added;
  }
}

/** The code at an index of the alphabet. */
export function letter(alphabet: Uint32Array | null, place: number): number {
  return alphabet === null ? place : alphabet[place];
}

/** Decodes the 128 codes of the block at `words[start]`. */
export function decodeCodes(
  words: Uint32Array,
  start: number,
  widths: number,
  alphabet: Uint32Array | null,
  codes: Uint32Array,
  at: number,
): void {
  const width = (widths >>> 8) & 31;
  if (width === 0) {
    codes.fill(letter(alphabet, 0), at, at + BLOCK);
  } else if (alphabet === null) {
    for (let place = 0; place < BLOCK; place++) {
      codes[at + place] = lowBits(words, start, widths, place);
    }
  } else {
    const mask = (1 << width) - 1;
    let i = at;
    const end = at + BLOCK;
    // As in decodeGaps.
    let carry = 0;
    let have = 0;
    for (let next = start + (BLOCK / 32) * (widths & 31); i < end; next++) {
      const fresh = words[next];
      codes[i++] = alphabet[(carry | (fresh << have)) & mask];
      let word = fresh >>> (width - have);
      let left = 32 - width + have;
      for (; left >= width; left -= width) {
        codes[i++] = alphabet[word & mask];
        word >>>= width;
      }
      carry = word;
      have = left;
    }
  }
  if ((widths & EXCEPTIONS) === 0) return;
  largerCodes.open(words, start, widths);
  for (; largerCodes.place < BLOCK; largerCodes.next()) {
    const { place, higher } = largerCodes;
    codes[at + place] = letter(alphabet, higher | lowBits(words, start, widths, place));
  }
}

const NO_WORDS = new Uint32Array(0);

/** Walks the exceptions among the codes of a block. */
export class LargerCodes {
  /** Index in the block; BLOCK after the last exception. */
  place = BLOCK;
  /** The higher bits, shifted to their position. */
  higher = 0;
  #words: Uint32Array = NO_WORDS;
  #exceptions = 0;
  #width = 0;
  #at = 0;
  #end = 0;

  open(words: Uint32Array, start: number, widths: number): void {
    this.place = BLOCK;
    if ((widths & EXCEPTIONS) === 0) return;
    this.#words = words;
    this.#exceptions = start + plainWords(widths);
    this.#width = (widths >>> 8) & 31;
    const counts = words[this.#exceptions];
    this.#at = counts & 0xff;
    this.#end = this.#at + ((counts >>> 8) & 0xff);
    this.next();
  }

  /** Returns the next place. */
  next(): number {
    if (this.#at === this.#end) return (this.place = BLOCK);
    const unit = unitAt(this.#words, this.#exceptions, ++this.#at);
    this.higher = (unit >>> PLACE_BITS) << this.#width;
    return (this.place = unit & (BLOCK - 1));
  }
}

const largerCodes = new LargerCodes();

/** The code at index `place` of the block at `words[start]`, as an index into the alphabet. */
export function codeAt(words: Uint32Array, start: number, widths: number, place: number): number {
  const code = lowBits(words, start, widths, place);
  if ((widths & EXCEPTIONS) === 0) return code;
  largerCodes.open(words, start, widths);
  while (largerCodes.place < place) largerCodes.next();
  return largerCodes.place === place ? code | largerCodes.higher : code;
}

function lowBits(words: Uint32Array, start: number, widths: number, place: number): number {
  const width = (widths >>> 8) & 31;
  const bit = place * width;
  const word = start + (BLOCK / 32) * (widths & 31) + (bit >>> 5);
  const shift = bit & 31;
  let value = words[word] >>> shift;
  if (shift + width > 32) value |= words[word + 1] << (32 - shift);
  return value & ((1 << width) - 1);
}

/** Decodes the rows of a tail, and its codes unless `codes` is null. */
export function decodeTail(
  data: Uint8Array,
  rowBits: number,
  head: ListHead,
  rows: Uint32Array,
  codes: Uint32Array | null,
  offset: number,
): void {
  const { gapBits, codeBits, tail: count, tailAt: at } = head;
  let row = readBits(data, at, 0, rowBits);
  rows[offset] = row;
  let bit = rowBits;
  for (let i = 1; i < count; i++) {
    row += readBits(data, at, bit, gapBits) + 1;
    rows[offset + i] = row;
    bit += gapBits;
  }
  if (codes === null) return;
  const { alphabet } = head;
  if (codeBits === 0) {
    codes.fill(letter(alphabet, 0), offset, offset + count);
    return;
  }
  for (let i = offset; i < offset + count; i++) {
    codes[i] = readBits(data, at, bit, codeBits);
    bit += codeBits;
  }
  if (alphabet === null) return;
  for (let i = offset; i < offset + count; i++) codes[i] = alphabet[codes[i]];
}

/** The code at index `place` of a tail. */
export function tailCodeAt(data: Uint8Array, rowBits: number, head: ListHead, place: number): number {
  const { gapBits, codeBits, tail, tailAt } = head;
  const bit = rowBits + (tail - 1) * gapBits + place * codeBits;
  return letter(head.alphabet, readBits(data, tailAt, bit, codeBits));
}
