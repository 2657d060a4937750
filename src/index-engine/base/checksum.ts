/**
 * XXH32 (Collet, https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md), seed 0. Chosen because it uses only
 * 32-bit arithmetic, which JavaScript has as `Math.imul` and shifts, and reads four words at a time. It detects damage;
 * it does not authenticate.
 */
const PRIME_1 = 0x9e3779b1 | 0;
const PRIME_2 = 0x85ebca77 | 0;
const PRIME_3 = 0xc2b2ae3d | 0;
const PRIME_4 = 0x27d4eb2f | 0;
const PRIME_5 = 0x165667b1 | 0;

const NO_BYTES = new Uint8Array(0);

/** Creating a view of words costs more than reading fewer bytes: the segment of an update has forty such sections. */
const LEAST_VIEWED = 512;

function round(lane: number, word: number): number {
  const mixed = (lane + Math.imul(word, PRIME_2)) | 0;
  return Math.imul((mixed << 13) | (mixed >>> 19), PRIME_1);
}

function wordAt(bytes: Uint8Array, at: number): number {
  return bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24);
}

/** The checksum of `bytes`, 0..2^32-1. About 1 ns per word if the bytes start at a multiple of 4. */
export function checksum32(bytes: Uint8Array): number {
  const checksum = new Checksum();
  checksum.add(bytes);
  return checksum.value();
}

/**
 * The checksum of consecutive pieces:
 *
 *   add(16 bytes), add(32 bytes), add(5 bytes), value()
 *
 * Only the last piece may end within a stripe of 16.
 */
export class Checksum {
  #a = (PRIME_1 + PRIME_2) | 0;
  #b = PRIME_2;
  #c = 0;
  #d = -PRIME_1 | 0;
  #length = 0;
  /** The last piece; its bytes from `#restStart` on are after the last whole stripe. */
  #last: Uint8Array = NO_BYTES;
  #restStart = 0;

  /** Throws RangeError if an earlier piece was not a multiple of 16 bytes. */
  add(bytes: Uint8Array): void {
    if (this.#length % 16 !== 0) throw new RangeError("an earlier piece does not end with a stripe");
    this.#length += bytes.length;
    let a = this.#a;
    let b = this.#b;
    let c = this.#c;
    let d = this.#d;
    const stripes = bytes.length >>> 4;
    if (bytes.length >= LEAST_VIEWED && (bytes.byteOffset & 3) === 0) {
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
    this.#a = a;
    this.#b = b;
    this.#c = c;
    this.#d = d;
    this.#last = bytes;
    this.#restStart = stripes * 16;
  }

  /** The checksum of all pieces, 0..2^32-1. */
  value(): number {
    const isStriped = this.#length >= 16;
    let hash = isStriped
      ? (rotated(this.#a, 1) + rotated(this.#b, 7) + rotated(this.#c, 12) + rotated(this.#d, 18)) | 0
      : PRIME_5;
    hash = (hash + this.#length) | 0;
    const rest = this.#last;
    let at = this.#restStart;
    for (; at + 4 <= rest.length; at += 4) {
      hash = Math.imul(rotated((hash + Math.imul(wordAt(rest, at), PRIME_3)) | 0, 17), PRIME_4);
    }
    for (; at < rest.length; at++) {
      hash = Math.imul(rotated((hash + Math.imul(rest[at], PRIME_5)) | 0, 11), PRIME_1);
    }
    hash = Math.imul(hash ^ (hash >>> 15), PRIME_2);
    hash = Math.imul(hash ^ (hash >>> 13), PRIME_3);
    return (hash ^ (hash >>> 16)) >>> 0;
  }
}

function rotated(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
