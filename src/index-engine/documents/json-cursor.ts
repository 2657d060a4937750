/**
 * Walks JSON bytes without building objects.
 *
 *   {"id": "A1", "n": [1, 2]}
 *   0    5 7    …              first(0) = 1, textEnd(1) = 5, valueAt(5) = 7, scalarEnd(7) = 11,
 *                              next(11) = 13, … next(24) = NONE, end = 25
 *
 * Values that cannot be copied byte by byte are UNUSUAL: malformed UTF-8, escapes and numbers that JavaScript writes
 * differently (`\/`, `1.50`, `1e3`, 16 digits), and lists or objects where a scalar is expected.
 */
import { decodeUtf8, GrowableBytes } from "../base/index.ts";

const [QUOTE, BACKSLASH, COMMA, COLON, MINUS, POINT] = [34, 92, 44, 58, 45, 46];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125];
const [ZERO, NINE, SMALL_F, SMALL_N, SMALL_T] = [48, 57, 102, 110, 116];
const SPACE = 32;
/** A double preserves this many decimal digits. */
const MOST_DIGITS = 15;
/** Four bytes at once (`textEnd`). */
const [QUOTES, BACKSLASHES, ONES, HIGHEST_BITS] = [0x22222222, 0x5c5c5c5c, 0x01010101, 0x80808080];

/** A loop copies so many bytes faster than a call does. */
const FEW_BYTES = 96;

export const NONE = -1;

/** Thrown to stop the walk. The document is then shown by way of objects. */
export class Unusual extends Error {}
export const UNUSUAL = new Unusual();

export class JsonCursor {
  /** The document, and a quote that ends a text without end. */
  readonly #document = new GrowableBytes();
  #words = this.#document.room(0);
  bytes = this.#document.view();
  /** After the closing bracket of the list or object that `first` or `next` found the end of. */
  end = 0;

  read(document: Uint8Array): void {
    this.#document.clear();
    this.#document.pushBytes(document);
    this.#document.push(QUOTE);
    this.#words = this.#document.room(Int32Array.BYTES_PER_ELEMENT);
    this.bytes = this.#document.view();
  }

  /** Releases large memory. */
  clear(kept: number): void {
    if (this.bytes.length <= kept) return;
    this.#document.clear(kept);
    this.#words = this.#document.room(0);
    this.bytes = this.#document.view();
  }

  pushTo(out: GrowableBytes, from: number, to: number): void {
    if (to - from < FEW_BYTES) out.pushFrom(this.#document, from, to - from);
    else out.pushBytes(this.bytes, from, to);
  }

  /** The first place from `at` on that is not white space. */
  ink(at: number): number {
    const { bytes } = this;
    let ink = at;
    while (bytes[ink] <= SPACE) ink++;
    return ink;
  }

  /** The place of the first name or item after an opening bracket, or NONE. */
  first(open: number): number {
    const at = this.ink(open + 1);
    const byte = this.bytes[at];
    if (byte !== CLOSE_LIST && byte !== CLOSE_OBJECT) return at;
    this.end = at + 1;
    return NONE;
  }

  /** The place of the name or item after a value, or NONE. */
  next(valueEnd: number): number {
    const at = this.ink(valueEnd);
    if (this.bytes[at] === COMMA) return this.ink(at + 1);
    this.end = at + 1;
    return NONE;
  }

  valueAt(nameEnd: number): number {
    const colon = this.ink(nameEnd);
    if (this.bytes[colon] !== COLON) throw UNUSUAL;
    return this.ink(colon + 1);
  }

  /** After the closing quote. */
  textEnd(open: number): number {
    const { bytes } = this;
    if (bytes[open] !== QUOTE) throw UNUSUAL;
    const words = this.#words;
    let at = open + 1;
    for (;;) {
      const word = words.getInt32(at, true);
      // The lowest of these bits is in the first byte that is a quote, a backslash or not ASCII.
      const found = (((word ^ QUOTES) - ONES) | ((word ^ BACKSLASHES) - ONES) | word) & HIGHEST_BITS;
      if (found === 0) {
        at += 4;
        continue;
      }
      at += (31 - Math.clz32(found & -found)) >> 3;
      const byte = bytes[at];
      if (byte === QUOTE) return at + 1;
      if (byte !== BACKSLASH) at = endOfSequence(bytes, at);
      else if (isKeptEscape(bytes[at + 1])) at += 2;
      else throw UNUSUAL;
      if (at >= bytes.length) throw UNUSUAL;
    }
  }

  /** Throws for lists, objects, and numbers that JavaScript writes differently. */
  scalarEnd(from: number): number {
    const { bytes } = this;
    switch (bytes[from]) {
      case QUOTE:
        return this.textEnd(from);
      case SMALL_N:
      case SMALL_T:
        return from + 4;
      case SMALL_F:
        return from + 5;
    }
    let to = from;
    for (let byte = bytes[to]; byte > SPACE && byte !== COMMA; byte = bytes[++to]) {
      if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) break;
    }
    if (!isPlainNumber(bytes, from, to)) throw UNUSUAL;
    return to;
  }

  valueEnd(from: number): number {
    const { bytes } = this;
    let depth = 0;
    let at = from;
    if (bytes[at] !== OPEN_LIST && bytes[at] !== OPEN_OBJECT) {
      if (bytes[at] === QUOTE) return this.textEnd(at);
      while (bytes[at] > SPACE && bytes[at] !== COMMA && bytes[at] !== CLOSE_LIST && bytes[at] !== CLOSE_OBJECT) at++;
      return at;
    }
    while (at < bytes.length) {
      switch (bytes[at]) {
        case QUOTE:
          at = this.textEnd(at);
          continue;
        case OPEN_LIST:
        case OPEN_OBJECT:
          depth++;
          break;
        case CLOSE_LIST:
        case CLOSE_OBJECT:
          if (--depth === 0) return at + 1;
      }
      at++;
    }
    throw UNUSUAL;
  }

  /** @param token with quotes, if it is a text */
  is(from: number, to: number, token: Uint8Array): boolean {
    if (to - from !== token.length) return false;
    for (let i = 0; i < token.length; i++) if (this.bytes[from + i] !== token[i]) return false;
    return true;
  }

  isText(from: number): boolean {
    return this.bytes[from] === QUOTE;
  }

  isNull(from: number): boolean {
    return this.bytes[from] === SMALL_N;
  }

  /** Whether it is true or false. */
  isTruth(from: number): boolean {
    const first = this.bytes[from];
    return first === SMALL_T || first === SMALL_F;
  }

  /** Whether the scalar is a text of white space. */
  isBlank(from: number, to: number): boolean {
    if (!this.isText(from)) return false;
    if (to - from === 2) return true;
    const [first, second] = [this.bytes[from + 1], this.bytes[from + 2]];
    if (first === BACKSLASH && second !== QUOTE && second !== BACKSLASH) throw UNUSUAL;
    return !isInk(first) && decodeUtf8(this.bytes, from + 1, to - 1).trim() === "";
  }

  /** Whether the text begins and ends with other characters than white space. */
  isTrimmed(from: number, to: number): boolean {
    if (to - from === 2) return false;
    if (isInk(this.bytes[from + 1]) && isInk(this.bytes[to - 2])) return true;
    const text = decodeUtf8(this.bytes, from + 1, to - 1);
    return text.trim() === text;
  }
}

/**
 * Whether no white space begins or ends with the byte. Characters of two bytes and more begin with 0xc2 to 0xf4; only
 * some from 0xc2, 0xe1 to 0xe3 and 0xef on are white space.
 */
function isInk(byte: number): boolean {
  return (byte > SPACE && byte < 127) || (byte > 0xc2 && byte < 0xe1);
}

/** The escapes that JSON.stringify writes: `\"`, `\\`, `\b`, `\f`, `\n`, `\r`, `\t`. */
function isKeptEscape(byte: number): boolean {
  return (
    byte === QUOTE ||
    byte === BACKSLASH ||
    byte === 98 ||
    byte === SMALL_F ||
    byte === SMALL_N ||
    byte === 114 ||
    byte === SMALL_T
  );
}

/** The end of the two- to four-byte sequence at `at`. */
function endOfSequence(bytes: Uint8Array, at: number): number {
  const first = bytes[at];
  const second = bytes[at + 1];
  const isNext = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;
  if (!isNext(second)) throw UNUSUAL;
  if (first >= 0xc2 && first <= 0xdf) return at + 2;
  if (!isNext(bytes[at + 2])) throw UNUSUAL;
  if (first >= 0xe0 && first <= 0xef) {
    // Overlong sequences and surrogates.
    if ((first === 0xe0 && second < 0xa0) || (first === 0xed && second > 0x9f)) throw UNUSUAL;
    return at + 3;
  }
  if (!isNext(bytes[at + 3]) || first < 0xf0 || first > 0xf4) throw UNUSUAL;
  if ((first === 0xf0 && second < 0x90) || (first === 0xf4 && second > 0x8f)) throw UNUSUAL;
  return at + 4;
}

/** Whether String(Number(text)) is the text itself: at most 15 digits, no exponent, no redundant zeros. */
function isPlainNumber(bytes: Uint8Array, from: number, to: number): boolean {
  const start = bytes[from] === MINUS ? from + 1 : from;
  let digits = 0;
  let point = -1;
  for (let at = start; at < to; at++) {
    const byte = bytes[at];
    if (byte >= ZERO && byte <= NINE) digits++;
    else if (byte === POINT && point === -1) point = at;
    else return false;
  }
  if (digits === 0 || digits > MOST_DIGITS) return false;
  if (point === -1) return bytes[start] !== ZERO || (start === from && to === start + 1);
  if (bytes[to - 1] === ZERO || bytes[to - 1] === POINT) return false;
  if (bytes[start] !== ZERO) return point > start;
  // JavaScript writes numbers below 0.000001 with an exponent.
  if (point !== start + 1) return false;
  for (let at = point + 1; at < to && at <= point + 6; at++) if (bytes[at] !== ZERO) return true;
  return false;
}
