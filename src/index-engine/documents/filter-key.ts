/**
 * Makes long strings filterable by a hash instead of storing them.
 *
 * A filter compares whole values, so the value table need not contain all 4,000 characters of a description. Values of
 * filter-only fields (usage Filter without Facet, and
 * unconfigured fields) are stored as
 *
 *   value                                  up to 64 characters in lower case
 *   "\u0002" + 22 characters (base64url)   longer: the 128-bit MurmurHash3 (x86 variant, seed 0) of
 *                                          the UTF-8 bytes of the value in lower case
 *
 * and filters map the values of requests the same way. Values of fields with usage Facet are stored unhashed up to
 * LIMITS.configuredFacetValueCharacters, so a filter on a long value looks up both the value and its filter key. Term
 * values are compared in lower case, including keys, which leaves about 115 of the 128 bits: the probability that any
 * two of 2^32 long values of a field share a key is 2^-52.
 */
import { LIMITS } from "../../interface/index.ts";

/** First character of a hashed value: a control character, which no text starts with. */
export const HASHED_VALUE_PREFIX = "\u0002";

const LIMIT = LIMITS.facetValueCharacters.value;

/** Whether `value` is stored unhashed. Measured in lower case, so that indexing and filtering agree in any case. */
export function isShortValue(value: string): boolean {
  // Lower-casing at most doubles the length (only İ grows).
  return value.length * 2 <= LIMIT || value.toLowerCase().length <= LIMIT;
}

/** The form in which a filter-only value is stored and looked up. */
export function filterKey(value: string): string {
  if (isShortValue(value)) return value;
  return HASHED_VALUE_PREFIX + base64Url(murmur128(UTF8.encode(value.toLowerCase())));
}

const UTF8 = new TextEncoder();

/** Four words, most significant byte first, without padding: 22 characters. */
function base64Url(words: readonly number[]): string {
  const bytesOf = (word: number): string =>
    String.fromCharCode(word >>> 24, (word >>> 16) & 0xff, (word >>> 8) & 0xff, word & 0xff);
  const padded = btoa(words.map(bytesOf).join(""));
  return padded.slice(0, -"==".length).replaceAll("+", "-").replaceAll("/", "_");
}

const C1 = 0x239b961b;
const C2 = 0xab0e9789;
const C3 = 0x38b34ae5;
const C4 = 0xa1e38b93;

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

function mix(word: number, before: number, bits: number, after: number): number {
  return Math.imul(rotate(Math.imul(word, before), bits), after);
}

function finish(hash: number): number {
  let word = hash;
  word ^= word >>> 16;
  word = Math.imul(word, 0x85ebca6b);
  word ^= word >>> 13;
  word = Math.imul(word, 0xc2b2ae35);
  return word ^ (word >>> 16);
}

/** MurmurHash3_x86_128, seed 0 (Austin Appleby, public domain). Collisions only affect filters of the same shop. */
export function murmur128(bytes: Uint8Array): [number, number, number, number] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const blocksEnd = bytes.length & ~15;
  let h1 = 0;
  let h2 = 0;
  let h3 = 0;
  let h4 = 0;
  for (let at = 0; at < blocksEnd; at += 16) {
    h1 ^= mix(view.getUint32(at, true), C1, 15, C2);
    h1 = (Math.imul((rotate(h1, 19) + h2) | 0, 5) + 0x561ccd1b) | 0;
    h2 ^= mix(view.getUint32(at + 4, true), C2, 16, C3);
    h2 = (Math.imul((rotate(h2, 17) + h3) | 0, 5) + 0x0bcaa747) | 0;
    h3 ^= mix(view.getUint32(at + 8, true), C3, 17, C4);
    h3 = (Math.imul((rotate(h3, 15) + h4) | 0, 5) + 0x96cd1c35) | 0;
    h4 ^= mix(view.getUint32(at + 12, true), C4, 18, C1);
    h4 = (Math.imul((rotate(h4, 13) + h1) | 0, 5) + 0x32ac3b17) | 0;
  }
  // The last 0 to 15 bytes, padded with zeros: a word of zeros mixes to zero.
  const tail = [0, 0, 0, 0];
  for (let at = blocksEnd; at < bytes.length; at++) {
    const offset = at - blocksEnd;
    tail[offset >> 2] |= bytes[at] << ((offset & 3) * 8);
  }
  h4 ^= mix(tail[3], C4, 18, C1);
  h3 ^= mix(tail[2], C3, 17, C4);
  h2 ^= mix(tail[1], C2, 16, C3);
  h1 ^= mix(tail[0], C1, 15, C2);

  h1 ^= bytes.length;
  h2 ^= bytes.length;
  h3 ^= bytes.length;
  h4 ^= bytes.length;
  h1 = (h1 + h2 + h3 + h4) | 0;
  h2 = (h2 + h1) | 0;
  h3 = (h3 + h1) | 0;
  h4 = (h4 + h1) | 0;
  h1 = finish(h1);
  h2 = finish(h2);
  h3 = finish(h3);
  h4 = finish(h4);
  h1 = (h1 + h2 + h3 + h4) | 0;
  h2 = (h2 + h1) | 0;
  h3 = (h3 + h1) | 0;
  h4 = (h4 + h1) | 0;
  return [h1 >>> 0, h2 >>> 0, h3 >>> 0, h4 >>> 0];
}
