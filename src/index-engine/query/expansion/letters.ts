/**
 * Which letters a word is made of, as 32 bits: what rules out nearly all terms of a dictionary before one is read.
 *
 * Every code point belongs to one class: a..z (bits 0..25), the other ASCII characters (digits, the point: bits 26..28), everything
 * else shared out over bits 0..25. Bit of a class = the word has a letter of it. Bits 29..31 = it has a second one of the
 * classes of e, a, s.
 *
 *   "shoes"  ->  s h o e + second s          "dress"  ->  d r e s + second s
 *
 * One edit adds or takes away one letter of a class, or both (a substitution), or none (a transposition): so it sets
 * at most one bit and clears at most one. Words within k edits of each other have at most k bits that the other lacks,
 * either way round.
 *
 * Made for all terms of one first character when one of them is first asked for (a scan of their bytes, some 100 ns a
 * term), 5 bytes a term, kept as long as the dictionary object. Nothing of it is stored. Real dictionaries are mostly
 * article codes and numbers, which begin with digits: words never cause those to be read.
 */
import { STEM_PREFIX, type StringTable } from "../../segment/model/index.ts";
import { FrontCodedTable, STRING_BLOCK, StringScan } from "../../segment/strings/index.ts";
import { hasDigit } from "./pieces.ts";

const DIGIT_BIT = 26;

/** Code points of a term are counted up to here. */
export const MOST_COUNTED = 255;

/** Of the terms of one first character, by ordinal less `start`. */
interface TermLetters {
  readonly masks: Int32Array;
  /** Code points, up to MOST_COUNTED. */
  readonly lengths: Uint8Array;
}

/** The exact terms that begin with one character: ordinals [start, end). */
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
    return this.#letters === null
      ? 0
      : this.#letters.masks.byteLength + this.#letters.lengths.byteLength;
  }
}

/**
 * By ASCII character: the bit of its class, and the bit that says there is a second one of the class (0: none does).
 */
const BIT = new Int32Array(128);
const SECOND_BIT = new Int32Array(128);
for (let code = 0; code < 128; code++) {
  BIT[code] = code >= 97 && code <= 122 ? 1 << (code - 97) : 1 << (DIGIT_BIT + (code % 3));
}
SECOND_BIT[101] = 1 << 29;
SECOND_BIT[97] = 1 << 30;
SECOND_BIT[115] = 1 << 31;

/** `mask` with one more letter. */
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

/** What is kept of a dictionary: first letters that were asked for, and the list of all once it was. */
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

  /** One first character, which no term need have. */
  of(first: string): FirstLetter {
    let letter = this.#byFirst.get(first);
    if (letter === undefined) {
      letter = new FirstLetter(this.#dictionary, first);
      // Shoppers type what they like: only what the dictionary has is kept.
      if (letter.start < letter.end) this.#byFirst.set(first, letter);
    }
    return letter;
  }

  /** The first characters of exact terms, in order. */
  get all(): readonly FirstLetter[] {
    if (this.#all !== null) return this.#all;
    const all: FirstLetter[] = [];
    const dictionary = this.#dictionary;
    // Stems come first.
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
  let letters = known.get(dictionary);
  if (letters === undefined) known.set(dictionary, (letters = new KnownLetters(dictionary)));
  return letters;
}

/** Memory that what is kept of a dictionary takes now. */
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

/** The same from the bytes of the table, without making strings. */
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
        // withLetter, inlined: most of a cold start's first typo is spent here.
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
