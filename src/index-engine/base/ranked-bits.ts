/**
 * Bits that can be counted up to any place: padded to 4 words per 128 bits, then per 128 bits a word: how many are set
 * before them.
 */
import { popcount } from "./bits.ts";

const RANKED_BITS = 128;

/** Words of the bits and, after them, of the counts. */
export function rankedWords(size: number): { readonly bits: number; readonly counts: number } {
  const counts = Math.ceil(size / RANKED_BITS);
  return { bits: counts * (RANKED_BITS / 32), counts };
}

export function writeCounts(words: Uint32Array, at: number, size: number): void {
  const { bits, counts } = rankedWords(size);
  let before = 0;
  for (let block = 0; block < counts; block++) {
    words[at + bits + block] = before;
    for (let i = 0; i < RANKED_BITS / 32; i++) {
      before += popcount(words[at + block * (RANKED_BITS / 32) + i]);
    }
  }
}

/** How many of the bits at words[at] are set before bit `index`. @param bits words of the bits */
export function rank(words: Uint32Array, at: number, bits: number, index: number): number {
  let word = at + (index >>> 5);
  let before = words[at + bits + ((index / RANKED_BITS) | 0)];
  before += popcount(words[word] & ~(-1 << (index & 31)));
  for (const first = at + ((index >>> 5) & -(RANKED_BITS / 32)); word > first;) {
    before += popcount(words[--word]);
  }
  return before;
}
