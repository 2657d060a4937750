/**
 * XXH32 (Collet, https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md), seed 0. Chosen because it is 32-bit arithmetic
 * throughout, which JavaScript has as `Math.imul` and shifts, and reads four words at a time. It finds damage; it does not
 * authenticate.
 */
const PRIME_1 = 0x9e3779b1 | 0;
const PRIME_2 = 0x85ebca77 | 0;
const PRIME_3 = 0xc2b2ae3d | 0;
const PRIME_4 = 0x27d4eb2f | 0;
const PRIME_5 = 0x165667b1 | 0;

const NO_BYTES = new Uint8Array(0);

function round(lane: number, word: number): number {
  const mixed = (lane + Math.imul(word, PRIME_2)) | 0;
  return Math.imul((mixed << 13) | (mixed >>> 19), PRIME_1);
}

function wordAt(bytes: Uint8Array, at: number): number {
  return bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24);
}

/** The checksum of all of `bytes`, 0..2^32-1. About 1 ns per word when the bytes start at a multiple of 4. */
export function checksum32(bytes: Uint8Array): number {
  return checksumOfPieces([bytes]);
}

/** The checksum of what these pieces are one after another. All but the last have a multiple of 16 bytes (RangeError). */
export function checksumOfPieces(pieces: readonly Uint8Array[]): number {
  let a = (PRIME_1 + PRIME_2) | 0;
  let b = PRIME_2;
  let c = 0;
  let d = -PRIME_1 | 0;
  let length = 0;
  let last: Uint8Array = NO_BYTES;
  for (const bytes of pieces) {
    if (length % 16 !== 0) throw new RangeError("a piece in the middle of a stripe");
    length += bytes.length;
    last = bytes;
    const stripes = bytes.length >>> 4;
    if ((bytes.byteOffset & 3) === 0) {
      const words = new Int32Array(bytes.buffer, bytes.byteOffset, stripes * 4);
      for (let i = 0; i < words.length; i += 4) {
        a = round(a, words[i]);
        b = round(b, words[i + 1]);
        c = round(c, words[i + 2]);
        d = round(d, words[i + 3]);
      }
    } else {
      for (let i = 0; i < stripes * 16; i += 16) {
        a = round(a, wordAt(bytes, i));
        b = round(b, wordAt(bytes, i + 4));
        c = round(c, wordAt(bytes, i + 8));
        d = round(d, wordAt(bytes, i + 12));
      }
    }
  }
  const isStriped = length >= 16;
  let hash = isStriped
    ? (((a << 1) | (a >>> 31)) +
        ((b << 7) | (b >>> 25)) +
        ((c << 12) | (c >>> 20)) +
        ((d << 18) | (d >>> 14))) |
      0
    : PRIME_5;
  hash = (hash + length) | 0;
  // What is left of the last piece.
  let at = (last.length >>> 4) << 4;
  for (; at + 4 <= last.length; at += 4) {
    hash = (hash + Math.imul(wordAt(last, at), PRIME_3)) | 0;
    hash = Math.imul((hash << 17) | (hash >>> 15), PRIME_4);
  }
  for (; at < last.length; at++) {
    hash = (hash + Math.imul(last[at], PRIME_5)) | 0;
    hash = Math.imul((hash << 11) | (hash >>> 21), PRIME_1);
  }
  hash = Math.imul(hash ^ (hash >>> 15), PRIME_2);
  hash = Math.imul(hash ^ (hash >>> 13), PRIME_3);
  return (hash ^ (hash >>> 16)) >>> 0;
}
