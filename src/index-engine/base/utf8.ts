/** Converts strings to UTF-8 and back, without allocations for short ASCII strings. */
import { hashOfBytes } from "./hash.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });
let scratch = new Uint8Array(1024);

/** The last short string in the scratch memory, because all segments of a reader look up the same term in turn. */
let encoded: string | null = null;
let encodedLength = 0;
/** The string whose hash is cached. */
let hashed: string | null = null;
let hash = 0;
/** Longer strings are not cached. */
const MOST_REMEMBERED = 64;

/** Encodes into the shared scratch memory (`scratchBytes()`); returns the length. A lone surrogate becomes U+FFFD. */
export function encodeToScratch(text: string): number {
  if (text === encoded) return encodedLength;
  encodedLength = encode(text);
  encoded = text.length <= MOST_REMEMBERED ? text : null;
  return encodedLength;
}

/** `hashOfBytes` of the last encodeToScratch. */
export function scratchHash(): number {
  if (encoded === null || hashed !== encoded) {
    hash = hashOfBytes(scratch, encodedLength);
    hashed = encoded;
  }
  return hash;
}

function encode(text: string): number {
  const length = text.length;
  if (scratch.length < length * 3) scratch = new Uint8Array(length * 3);
  // Short ASCII, the usual case, is faster without the call.
  if (length <= 48) {
    let i = 0;
    for (; i < length; i++) {
      const unit = text.charCodeAt(i);
      if (unit > 127) break;
      scratch[i] = unit;
    }
    if (i === length) return length;
  }
  return encoder.encodeInto(text, scratch).written;
}

/** The UTF-8 bytes of a text. For short texts this is faster than an encoder. */
export function utf8Of(text: string): Uint8Array<ArrayBuffer> {
  const length = encodeToScratch(text);
  return scratch.slice(0, length);
}

/** The result of the last encodeToScratch; valid until the next call. Must not be changed. */
export function scratchBytes(): Uint8Array {
  return scratch;
}

export function decodeUtf8(bytes: Uint8Array, start: number, end: number): string {
  const length = end - start;
  // Short ASCII, the usual case, is faster without the call; up to 32 characters faster in pieces than as one array.
  if (length <= 64) {
    let i = start;
    while (i < end && bytes[i] < 128) i++;
    if (i === end) {
      if (length <= 32) return asciiText(bytes, start, end);
      return String.fromCharCode.apply(null, bytes.subarray(start, end) as unknown as number[]);
    }
  }
  return decoder.decode(bytes.subarray(start, end));
}

function asciiText(b: Uint8Array, start: number, end: number): string {
  const of = String.fromCharCode;
  let text = "";
  let i = start;
  for (; i + 8 <= end; i += 8) {
    text += of(b[i], b[i + 1], b[i + 2], b[i + 3], b[i + 4], b[i + 5], b[i + 6], b[i + 7]);
  }
  if (i + 4 <= end) {
    text += of(b[i], b[i + 1], b[i + 2], b[i + 3]);
    i += 4;
  }
  switch (end - i) {
    case 3:
      return text + of(b[i], b[i + 1], b[i + 2]);
    case 2:
      return text + of(b[i], b[i + 1]);
    case 1:
      return text + of(b[i]);
    default:
      return text;
  }
}
