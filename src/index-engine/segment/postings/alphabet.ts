/** Replaces the codes of a list by indexes into its alphabet (format.ts). Reusable. */
import { MOST_LETTERS } from "./format.ts";

export class Alphabet {
  /** Codes of the current list, the most frequent first, ties ascending; empty if there are too many. */
  letters: readonly number[] = [];
  /** By code: its number of occurrences, later its index in the alphabet. */
  #ofCode = new Uint32Array(16);
  #places = new Uint32Array(16);

  /** The indexes of codes[start..end) in the alphabet, from 0 on. Valid until the next call. */
  placesOf(codes: Uint32Array, start: number, end: number): Uint32Array {
    const length = end - start;
    if (this.#places.length < length) this.#places = new Uint32Array(length * 2);
    const places = this.#places;
    const letters = this.#count(codes, start, end);
    if (letters.length > MOST_LETTERS) {
      this.letters = [];
      for (const letter of letters) this.#ofCode[letter] = 0;
      places.set(codes.subarray(start, end));
      return places;
    }
    const ofCode = this.#ofCode;
    letters.sort((a, b) => ofCode[b] - ofCode[a] || a - b);
    this.letters = letters;
    letters.forEach((letter, place) => (ofCode[letter] = place));
    for (let i = 0; i < length; i++) places[i] = ofCode[codes[start + i]];
    for (const letter of letters) ofCode[letter] = 0;
    return places;
  }

  /** Counts the occurrences. Returns the codes that occur. */
  #count(codes: Uint32Array, start: number, end: number): number[] {
    let most = 0;
    for (let i = start; i < end; i++) if (codes[i] > most) most = codes[i];
    if (most >= this.#ofCode.length) this.#ofCode = new Uint32Array(most * 2);
    const ofCode = this.#ofCode;
    const letters: number[] = [];
    for (let i = start; i < end; i++) if (ofCode[codes[i]]++ === 0) letters.push(codes[i]);
    return letters;
  }
}
