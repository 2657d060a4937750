/**
 * The letters of a word as 32 bits, which exclude most terms of a dictionary without reading them.
 *
 *   "shoes"  ->  s h o e + second s          "dress"  ->  d r e s + second s
 *
 * Every code point belongs to one class: a..z (bits 0..25), the other ASCII characters (digits, the point: bits
 * 26..28), everything else is distributed over bits 0..25. A class bit means that the word has a letter of the class.
 * Bits 29..31 mean a second letter of the classes of e, a, s.
 *
 * One edit adds or removes one letter of a class, or both (a substitution), or none (a transposition), so it sets at
 * most one bit and clears at most one. Words within k edits of each other each have at most k bits that the other
 * lacks.
 *
 * The bits are computed for all terms with one first character on first use: a scan of their bytes, about 100 ns per
 * term. They take 5 bytes per term, are cached with the dictionary object and never stored. Real dictionaries consist
 * mostly of article codes and numbers, which start with digits, so words never cause them to be read.
 */
import { getOrInsert } from "../../base/index.ts";
import { STEM_PREFIX, type StringTable } from "../../segment/model/index.ts";
import { FrontCodedTable, STRING_BLOCK, StringScan } from "../../segment/strings/index.ts";
import { hasDigit } from "./pieces.ts";

const DIGIT_BIT = 26;

/** Code points of a term are counted up to this number. */
export const MOST_COUNTED = 255;

/** Letters of the terms with one first character, by ordinal minus `start`. */
interface TermLetters {
  readonly masks: Int32Array;
  /** Code points, up to MOST_COUNTED. */
  readonly lengths: Uint8Array;
}

/** The exact terms that start with one character: ordinals [start, end). */
export class FirstLetter {
  readonly first: string;
  readonly isDigit: boolean;
  readonly start: number;
  readonly end: number;
  readonly #dictionary: StringTable;
  #letters: TermLetters | null = null;

  constructor(dictionary: StringTable, first: string) {
    this.first = first;
    this.isDigit = hasDigit(first);
    this.start = dictionary.lowerBound(first);
    this.end = dictionary.prefixEnd(first);
    this.#dictionary = dictionary;
  }

  get letters(): TermLetters {
    const dictionary = this.#dictionary;
    this.#letters ??=
      dictionary instanceof FrontCodedTable
        ? readBytes(dictionary, this.start, this.end)
        : readStrings(dictionary, this.start, this.end);
    return this.#letters;
  }

  get sizeBytes(): number {
    return this.#letters === null ? 0 : this.#letters.masks.byteLength + this.#letters.lengths.byteLength;
  }
}

/** By ASCII character: the bit of its class, and the bit for a second letter of the class (0: none). */
const BIT = new Int32Array(128);
const SECOND_BIT = new Int32Array(128);
for (let code = 0; code < 128; code++) {
  BIT[code] = code >= 97 && code <= 122 ? 1 << (code - 97) : 1 << (DIGIT_BIT + (code % 3));
}
SECOND_BIT[101] = 1 << 29;
SECOND_BIT[97] = 1 << 30;
SECOND_BIT[115] = 1 << 31;

function withLetter(mask: number, codePoint: number): number {
  const character = codePoint < 128 ? codePoint : 97 + (codePoint % 26);
  const bit = BIT[character];
  return mask | ((mask & bit) === 0 ? bit : SECOND_BIT[character]);
}

export function codePointsOf(text: string): number[] {
  const codePoints: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const codePoint = text.codePointAt(i) ?? 0;
    if (codePoint > 0xffff) i++;
    codePoints.push(codePoint);
  }
  return codePoints;
}

export function maskOf(codePoints: readonly number[]): number {
  let mask = 0;
  for (const codePoint of codePoints) mask = withLetter(mask, codePoint);
  return mask;
}

/** Caches first letters of a dictionary, and their list once it was used. */
class KnownLetters {
  readonly #dictionary: StringTable;
  readonly #byFirst = new Map<string, FirstLetter>();
  #all: readonly FirstLetter[] | null = null;

  constructor(dictionary: StringTable) {
    this.#dictionary = dictionary;
  }

  get sizeBytes(): number {
    let bytes = 0;
    for (const { sizeBytes } of this.#byFirst.values()) bytes += sizeBytes;
    return bytes;
  }

  /** A first character, possibly without terms. */
  of(first: string): FirstLetter {
    let letter = this.#byFirst.get(first);
    if (letter === undefined) {
      letter = new FirstLetter(this.#dictionary, first);
      // Queries may have any letter, so only letters of the dictionary are cached.
      if (letter.start < letter.end) this.#byFirst.set(first, letter);
    }
    return letter;
  }

  /** The first characters of exact terms, in order. */
  get all(): readonly FirstLetter[] {
    if (this.#all !== null) return this.#all;
    const all: FirstLetter[] = [];
    const dictionary = this.#dictionary;
    // Stems sort first.
    for (let start = dictionary.prefixEnd(STEM_PREFIX); start < dictionary.size;) {
      const letter = this.of(String.fromCodePoint(dictionary.get(start).codePointAt(0) ?? 0));
      all.push(letter);
      start = letter.end;
    }
    return (this.#all = all);
  }
}

const known = new WeakMap<StringTable, KnownLetters>();

export function lettersOf(dictionary: StringTable): KnownLetters {
  return getOrInsert(known, dictionary, () => new KnownLetters(dictionary));
}

export function expansionBytes(dictionary: StringTable): number {
  return known.get(dictionary)?.sizeBytes ?? 0;
}

function readStrings(dictionary: StringTable, start: number, end: number): TermLetters {
  const masks = new Int32Array(end - start);
  const lengths = new Uint8Array(end - start);
  for (let i = 0; i < masks.length; i++) {
    const codePoints = codePointsOf(dictionary.get(start + i));
    masks[i] = maskOf(codePoints);
    lengths[i] = Math.min(codePoints.length, MOST_COUNTED);
  }
  return { masks, lengths };
}

/** The same from the bytes of the table, without creating strings. */
function readBytes(dictionary: FrontCodedTable, start: number, end: number): TermLetters {
  const masks = new Int32Array(end - start);
  const lengths = new Uint8Array(end - start);
  const scan = new StringScan();
  scan.reset(dictionary, start - (start % STRING_BLOCK));
  while (scan.ordinal + 1 < end && scan.next()) {
    if (scan.ordinal < start) continue;
    const { bytes, length } = scan;
    let mask = 0;
    let count = 0;
    for (let at = 0; at < length; count++) {
      const byte = bytes[at++];
      if (byte < 128) {
        // withLetter inlined: it dominates the first typo after a cold start.
        const bit = BIT[byte];
        mask |= (mask & bit) === 0 ? bit : SECOND_BIT[byte];
        continue;
      }
      // The tables hold well-formed UTF-8.
      const following = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
      let codePoint = byte & (0x3f >>> following);
      for (let i = 0; i < following; i++) codePoint = (codePoint << 6) | (bytes[at++] & 0x3f);
      mask = withLetter(mask, codePoint);
    }
    masks[scan.ordinal - start] = mask;
    lengths[scan.ordinal - start] = Math.min(count, MOST_COUNTED);
  }
  return { masks, lengths };
}
