/**
 * Writes terms into answers from their stored UTF-8, without making strings: as JSON, and in lower case
 * and form-encoded for links.
 *
 *   Größe S, W   ->   "Größe S, W"   gr%C3%B6%C3%9Fe+s%252C+w
 *
 * Only for texts of Latin-1 characters that JSON does not escape. In UTF-8 these are ASCII bytes and
 * pairs with a first byte of C2 or C3, and their lower case has the same length. Other texts are written
 * as strings (written-value.ts).
 */
import type { GrowableBytes } from "../../base/index.ts";

/** First byte of the letters À to ÿ. Larger bytes begin characters beyond Latin-1. */
const LETTERS_PAIR = 0xc3;
const LOWER_CASE = 0x20;
const CAPITAL_A = 0x41;
const CAPITAL_Z = 0x5a;
/** Second bytes of À to Þ. Among them is the multiplication sign. */
const CAPITALS_FROM = 0x80;
const CAPITALS_TO = 0x9e;
const TIMES = 0x97;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const EXCLAMATION = 0x21;
const PERCENT = 0x25;
const PLUS = 0x2b;
const COMMA = 0x2c;
const DIGIT_2 = 0x32;
const LETTER_C = 0x63;

/** Whether this module can write the text. */
export function isPlainLatin(bytes: Uint8Array, length: number): boolean {
  for (let i = 0; i < length; i++) {
    const byte = bytes[i];
    if (byte < SPACE || byte === QUOTE || byte === BACKSLASH || byte > LETTERS_PAIR) return false;
  }
  return true;
}

const HEX_DIGITS = Uint8Array.from("0123456789ABCDEF", (digit) => digit.charCodeAt(0));

/** 1 for bytes that form encoding leaves as they are. */
const UNCHANGED = new Uint8Array(256);
for (let byte = 0; byte < 256; byte++) UNCHANGED[byte] = /[\w.*-]/.test(String.fromCharCode(byte)) ? 1 : 0;

let encoded = new Uint8Array(1_024);

/**
 * Appends the key of the term, encoded for a link; returns its length. Appends nothing and returns -1 if
 * no link can contain it (links/encode.ts).
 */
export function writeLinkKey(to: GrowableBytes, bytes: Uint8Array, length: number): number {
  if (length === 0 || bytes[0] === EXCLAMATION) return -1;
  // A comma becomes five bytes.
  if (encoded.length < length * 5) encoded = new Uint8Array(length * 10);
  const target = encoded;
  let at = 0;
  let previous = 0;
  for (let i = 0; i < length; i++) {
    let byte = bytes[i];
    const isCapital =
      previous === LETTERS_PAIR
        ? byte >= CAPITALS_FROM && byte <= CAPITALS_TO && byte !== TIMES
        : byte >= CAPITAL_A && byte <= CAPITAL_Z;
    if (isCapital) byte += LOWER_CASE;
    previous = byte;
    if (UNCHANGED[byte] === 1) {
      // %2C would be read as a comma of the value.
      if (byte === LETTER_C && i > 1 && bytes[i - 1] === DIGIT_2 && bytes[i - 2] === PERCENT) return -1;
      target[at++] = byte;
    } else if (byte === SPACE) {
      target[at++] = PLUS;
    } else {
      target[at++] = PERCENT;
      if (byte === COMMA) {
        target[at++] = DIGIT_2;
        target[at++] = HEX_DIGITS[PERCENT & 15];
      }
      target[at++] = HEX_DIGITS[byte >>> 4];
      target[at++] = HEX_DIGITS[byte & 15];
    }
  }
  to.pushBytes(target, 0, at);
  return at;
}
