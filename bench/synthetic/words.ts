/**
 * Made-up words, and numbers drawn by Zipf-Mandelbrot's law.
 *
 * A word is two to four syllables of a consonant and a vowel, such as `tamiro` or `kebok`. It has letters
 * only, at least four, and ends in a, o, u or one of `k m p n r l t`. So analysis neither splits nor changes
 * it, and the English stemmer finds no ending to cut: no plural, no -ing, no -ed. core/aisle-segment.ts checks
 * each word.
 */
const CONSONANTS = "bcdfghjklmnprstvwz";
const VOWELS = "aeiou";
const LAST_VOWELS = "aou";
const LAST_CONSONANTS = "kmpnrlt";

/** Share of words with two and with three syllables. The others have four. */
const SHORT = 0.2;
const MIDDLE = 0.6;
/** Share of words that end in a consonant. */
const CLOSED = 0.4;

/** So many different words, in no order. */
export function makeWords(count: number, random: () => number): string[] {
  const letter = (letters: string): string => letters[Math.floor(random() * letters.length)];
  const words = new Set<string>();
  while (words.size < count) {
    const length = random();
    const syllables = length < SHORT ? 2 : length < SHORT + MIDDLE ? 3 : 4;
    const isClosed = random() < CLOSED;
    let word = "";
    for (let i = 1; i < syllables; i++) word += letter(CONSONANTS) + letter(VOWELS);
    word += letter(CONSONANTS);
    word += isClosed ? letter(VOWELS) + letter(LAST_CONSONANTS) : letter(LAST_VOWELS);
    words.add(word);
  }
  return [...words];
}

/** A word as a name. */
export function nameOf(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Ranks 0 to size - 1. Rank r has the probability (r + 1 + shift) ^ -exponent, scaled to a sum of 1. */
export class ZipfMandelbrot {
  /** Sums of the probabilities up to each rank. */
  readonly #sums: Float64Array;

  constructor(size: number, exponent: number, shift: number) {
    this.#sums = new Float64Array(size);
    let sum = 0;
    for (let rank = 0; rank < size; rank++) {
      sum += (rank + 1 + shift) ** -exponent;
      this.#sums[rank] = sum;
    }
    for (let rank = 0; rank < size; rank++) this.#sums[rank] /= sum;
  }

  draw(random: () => number): number {
    const wanted = random();
    let low = 0;
    let high = this.#sums.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#sums[middle] <= wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
