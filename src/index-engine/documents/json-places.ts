/**
 * Walks JSON bytes without building objects. One pass records the places of quotes, brackets,
 * colons and commas. These places are then used to find members, items and scalars.
 *
 *   {"id": "A1", "n": [1, 2]}      places: {  " " : " " ,  " " : [ , ] }
 *
 * A value is identified by the place before it: its colon, comma or bracket. Values that cannot be
 * copied byte by byte are UNUSUAL: numbers that JavaScript writes differently (`1.50`, `1e3`, 16
 * digits), and lists or objects where a scalar is expected.
 */
import { decodeUtf8, type GrowableBytes } from "../base/index.ts";

const [QUOTE, BACKSLASH, COMMA, COLON, MINUS, POINT] = [34, 92, 44, 58, 45, 46];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125];
const [ZERO, NINE, SMALL_F, SMALL_N, SMALL_T] = [48, 57, 102, 110, 116];
const SPACE = 32;
/** A double preserves this many decimal digits. */
const MOST_DIGITS = 15;
/** Buffers up to this size are kept for the next document. */
const KEPT_PLACES = 65_536;
const FIRST_PLACES = 1_024;

/** A string (without its quotes) or another scalar. */
export interface Scalar {
  readonly from: number;
  readonly to: number;
  readonly isText: boolean;
}

/** Thrown to stop the walk. The document is then shown by way of objects. */
export class Unusual extends Error {}
export const UNUSUAL = new Unusual();

export class JsonPlaces {
  bytes: Uint8Array = new Uint8Array(0);
  #places = new Uint32Array(FIRST_PLACES);
  #placeCount = 0;

  /**
   * Finds the places of a document. Returns false if it has malformed UTF-8 or escapes that
   * JavaScript writes differently.
   */
  read(bytes: Uint8Array): boolean {
    this.bytes = bytes;
    const length = bytes.length;
    if (this.#places.length < length) this.#places = new Uint32Array(length * 2);
    const places = this.#places;
    let count = 0;
    for (let at = 0; at < length; at++) {
      switch (bytes[at]) {
        case QUOTE:
          places[count++] = at++;
          for (let byte = bytes[at]; byte !== QUOTE; byte = bytes[at]) {
            if (byte < 128 && byte !== BACKSLASH) at++;
            else if (byte > 128) at = endOfSequence(bytes, at);
            else if (byte === BACKSLASH && isKeptEscape(bytes[at + 1])) at += 2;
            else return false;
            if (at >= length) return false;
          }
          places[count++] = at;
          break;
        case COMMA:
        case COLON:
        case OPEN_LIST:
        case CLOSE_LIST:
        case OPEN_OBJECT:
        case CLOSE_OBJECT:
          places[count++] = at;
      }
    }
    this.#placeCount = count;
    return true;
  }

  /** Releases the document and large buffers. */
  clear(): void {
    this.bytes = new Uint8Array(0);
    if (this.#places.length > KEPT_PLACES) this.#places = new Uint32Array(FIRST_PLACES);
  }

  /**
   * @param visit receives the bounds of the name without quotes, and the place before the value
   */
  eachMember(before: number, visit: (from: number, to: number, value: number) => void): void {
    const [bytes, places] = [this.bytes, this.#places];
    let at = this.#startOf(before);
    if (bytes[places[at]] !== OPEN_OBJECT) throw UNUSUAL;
    at++;
    if (bytes[places[at]] === CLOSE_OBJECT) return;
    for (;;) {
      if (at + 3 >= this.#placeCount || bytes[places[at + 2]] !== COLON) throw UNUSUAL;
      visit(places[at] + 1, places[at + 1], at + 2);
      at = this.#endOf(at + 2);
      if (bytes[places[at]] === CLOSE_OBJECT) return;
      at++;
    }
  }

  /**
   * @param visit receives the place before an element
   */
  eachItem(before: number, visit: (item: number) => void): void {
    const [bytes, places] = [this.bytes, this.#places];
    let at = this.#startOf(before);
    if (bytes[places[at]] !== OPEN_LIST) throw UNUSUAL;
    if (bytes[places[at + 1]] === CLOSE_LIST && this.#afterSpace(places[at]) === places[at + 1]) {
      return;
    }
    for (;;) {
      visit(at);
      at = this.#endOf(at);
      if (at >= this.#placeCount) throw UNUSUAL;
      if (bytes[places[at]] === CLOSE_LIST) return;
    }
  }

  /**
   * The place at which a list or an object begins. The document itself begins at the first place.
   */
  #startOf(before: number): number {
    return before === 0 ? 0 : before + 1;
  }

  /** The place that ends the value after `before`: a comma or a closing bracket. */
  #endOf(before: number): number {
    const [bytes, places] = [this.bytes, this.#places];
    const first = this.byteAt(before);
    if (first === QUOTE) return before + 3;
    if (first !== OPEN_LIST && first !== OPEN_OBJECT) return before + 1;
    let depth = 0;
    for (let at = before + 1; at < this.#placeCount; at++) {
      switch (bytes[places[at]]) {
        case QUOTE:
          at++;
          break;
        case OPEN_LIST:
        case OPEN_OBJECT:
          depth++;
          break;
        case CLOSE_LIST:
        case CLOSE_OBJECT:
          if (--depth === 0) return at + 1;
      }
    }
    throw UNUSUAL;
  }

  #afterSpace(place: number): number {
    let at = place + 1;
    while (this.bytes[at] <= SPACE) at++;
    return at;
  }

  /** The first byte of the value after a place. */
  byteAt(before: number): number {
    return this.bytes[this.#afterSpace(this.#places[before])];
  }

  /** Throws for lists, objects, and numbers that JavaScript writes differently. */
  scalar(before: number): Scalar {
    const [bytes, places] = [this.bytes, this.#places];
    const from = this.#afterSpace(places[before]);
    const first = bytes[from];
    if (first === QUOTE) return { from: from + 1, to: places[before + 2], isText: true };
    let to = places[before + 1];
    while (bytes[to - 1] <= SPACE) to--;
    const isWord = first === SMALL_N || first === SMALL_T || first === SMALL_F;
    if (!isWord && !isPlainNumber(bytes, from, to)) throw UNUSUAL;
    return { from, to, isText: false };
  }

  is(from: number, to: number, name: Uint8Array): boolean {
    if (to - from !== name.length) return false;
    for (let i = 0; i < name.length; i++) if (this.bytes[from + i] !== name[i]) return false;
    return true;
  }

  isNull({ from, isText }: Scalar): boolean {
    return !isText && this.bytes[from] === SMALL_N;
  }

  isTruth({ from, isText }: Scalar): boolean {
    const first = this.bytes[from];
    return !isText && (first === SMALL_T || first === SMALL_F);
  }

  isBlank({ from, to, isText }: Scalar): boolean {
    if (!isText) return false;
    if (from === to) return true;
    const [first, second] = [this.bytes[from], this.bytes[from + 1]];
    if (first === BACKSLASH && second !== QUOTE && second !== BACKSLASH) throw UNUSUAL;
    return !isInk(first) && decodeUtf8(this.bytes, from, to).trim() === "";
  }

  isTrimmed({ from, to }: Scalar): boolean {
    if (from === to) return false;
    if (isInk(this.bytes[from]) && isInk(this.bytes[to - 1])) return true;
    const text = decodeUtf8(this.bytes, from, to);
    return text.trim() === text;
  }

  pushAsText(out: GrowableBytes, { from, to, isText }: Scalar): void {
    if (isText) {
      out.pushBytes(this.bytes, from - 1, to + 1);
      return;
    }
    out.push(QUOTE);
    out.pushBytes(this.bytes, from, to);
    out.push(QUOTE);
  }
}

/** Whether the byte is certainly not white space. Non-ASCII text needs a closer look. */
function isInk(byte: number): boolean {
  return byte > SPACE && byte < 127;
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

/**
 * The end of the two- to four-byte sequence at `at`. If it is malformed, the length of the input.
 */
function endOfSequence(bytes: Uint8Array, at: number): number {
  const first = bytes[at];
  const second = bytes[at + 1];
  const isNext = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;
  if (!isNext(second)) return bytes.length;
  if (first >= 0xc2 && first <= 0xdf) return at + 2;
  if (!isNext(bytes[at + 2])) return bytes.length;
  if (first >= 0xe0 && first <= 0xef) {
    // Overlong sequences and surrogates.
    if ((first === 0xe0 && second < 0xa0) || (first === 0xed && second > 0x9f)) return bytes.length;
    return at + 3;
  }
  if (!isNext(bytes[at + 3]) || first < 0xf0 || first > 0xf4) return bytes.length;
  if ((first === 0xf0 && second < 0x90) || (first === 0xf4 && second > 0x8f)) return bytes.length;
  return at + 4;
}

/**
 * Whether String(Number(text)) is the text itself: at most 15 digits, no exponent, no redundant
 * zeros.
 */
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
