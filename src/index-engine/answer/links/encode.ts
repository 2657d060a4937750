/** Form encoding of names and values in links, as URLSearchParams writes it. */
import type { GrowableBytes } from "../../base/index.ts";

/** A value that starts with `!` or contains `%2C` cannot be escaped. */
const UNWRITABLE = /^!|%2c/i;

/** Whether a link can contain the value. */
export function isWritable(value: string): boolean {
  return !UNWRITABLE.test(value);
}

/** Encodes one value of a parameter. */
export function encodeValue(value: string): string {
  return PLAIN.test(value) ? value : encode(value.replaceAll(",", "%2C"));
}

const PLAIN = /^[\w.*-]*$/;

/** The differences between encodeURIComponent and form encoding. */
const WRITTEN_OTHERWISE: Readonly<Record<string, string>> = {
  "%20": "+",
  "!": "%21",
  "'": "%27",
  "(": "%28",
  ")": "%29",
  "~": "%7E",
};

/** Ten times as fast as URLSearchParams. A lone surrogate becomes U+FFFD. */
export function encode(text: string): string {
  if (PLAIN.test(text)) return text;
  return encodeURIComponent(text.toWellFormed()).replace(
    /%20|[!'()~]/g,
    (part) => WRITTEN_OTHERWISE[part],
  );
}

const SPACE = 0x20;
const BANG = 0x21;
const PERCENT = 0x25;
const COMMA = 0x2c;
const HEX = Uint8Array.from("0123456789ABCDEF", (digit) => digit.charCodeAt(0));

/** By byte: 1 if it needs no escaping. */
const IS_PLAIN = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 128 && PLAIN.test(String.fromCharCode(byte)) ? 1 : 0,
);

/** `isWritable` for UTF-8 bytes. */
export function areWritable(bytes: Uint8Array, length: number): boolean {
  if (length > 0 && bytes[0] === BANG) return false;
  for (let i = 0; i + 2 < length; i++) {
    if (bytes[i] === PERCENT && bytes[i + 1] === 0x32 && (bytes[i + 2] | 32) === 0x63) return false;
  }
  return true;
}

/**
 * Appends `encodeValue` of the first bytes of a UTF-8 text.
 *
 * @param lowers whether to convert ASCII letters to lower case
 */
export function pushEncoded(
  to: GrowableBytes,
  bytes: Uint8Array,
  length: number,
  lowers: boolean,
): void {
  for (let i = 0; i < length; i++) {
    let byte = bytes[i];
    if (IS_PLAIN[byte] === 1) {
      if (lowers && byte >= 0x41 && byte <= 0x5a) byte |= 32;
      to.push(byte);
    } else if (byte === SPACE) to.push(0x2b);
    else {
      to.push(PERCENT);
      if (byte === COMMA) {
        // An unescaped comma separates values, so a comma becomes `%252C`.
        to.push(0x32);
        to.push(0x35);
      }
      to.push(HEX[byte >>> 4]);
      to.push(HEX[byte & 15]);
    }
  }
}
