/** Locates a posting list in its bytes (format.ts) and decodes its blocks and tail. */
import { PART, type SectionViews } from "../format/index.ts";
import { BLOCK } from "./format.ts";

/** Head, tail and padding of a list in the data: a tail is at most 127 rows with their codes, of 31 bits each. */
const MOST_LIST_BYTES = 1_024;

/** The bytes that contain the list at `entry` of the data. */
export function listAt(views: SectionViews, base: number, entry: number): Uint8Array {
  return views.rangeU8(base + PART.data, entry, entry + MOST_LIST_BYTES);
}

/** Length of a block in words. */
export function wordsOf(widths: number): number {
  return (BLOCK / 32) * ((widths & 255) + (widths >>> 8));
}

export function readVarint(data: Uint8Array, at: number): number {
  let value = 0;
  for (let shift = 0, i = at; ; shift += 7, i++) {
    const byte = data[i];
    value |= (byte & 127) << shift;
    if (byte < 128) return value >>> 0;
  }
}

export function varintBytes(value: number): number {
  return value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x200000 ? 3 : value < 0x10000000 ? 4 : 5;
}

/** Reads `width` <= 31 bits, `bit` bits after byte `at`. May read 4 extra bytes; the data is padded. */
export function readBits(data: Uint8Array, at: number, bit: number, width: number): number {
  const byte = at + (bit >>> 3);
  const shift = bit & 7;
  let value =
    (data[byte] | (data[byte + 1] << 8) | (data[byte + 2] << 16) | (data[byte + 3] << 24)) >>>
    shift;
  if (shift + width > 32) value |= data[byte + 4] << (32 - shift);
  return value & ((1 << width) - 1);
}

/** Decodes 128 rows from gaps - 1 of `width` bits, starting after row `before`. */
export function decodeGaps(
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
  // `word` holds the `left` unused bits, so that no word is read twice and every shift is by the constant
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
      // A shift by 32 would shift by 0; width - left is 1..31.
      word = fresh >>> (width - left);
      left += 32 - width;
    }
    row += gap;
    rows[i] = row++;
  }
}

/** Decodes 128 codes of `width` bits. */
export function decodeCodes(
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

export function decodeTail(
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
