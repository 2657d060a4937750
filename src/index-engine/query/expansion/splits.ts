/**
 * Splits a word that was meant as several: "headphones" -> head | phones, "fussballschuhe" ->
 * fussball | schuhe. Uses the shop's own dictionary, not a word list.
 *
 *   split = part part | part [link] part ... (2 to 4 parts)
 *
 *   letters only   every part has the minimum length of the language (default: 3 letters). In languages with
 *                  compounds, a link may stand between two parts (arbeit-s-schuhe), and all parts but the last may
 *                  have lost an ending that the dictionary has (schul(e)-tasche). Of two parts without a link one may
 *                  be shorter, because the other spelling has a hyphen or a space there: t | shirt, usb | c, wi | fi.
 *                  Not an `s` at the end: "gloves" is no glove in size S.
 *   with digits    split where letters meet digits, and between letters if both sides are long
 *                  enough or contain a digit (galaxy | s8); never inside a number.
 *
 * The caller looks up `splitLookups` first, sums over shards, then calls `splitsOf`: equal sums give equal splits
 * (invariant I4). Parts are words as typed: to accept "schuhe" if only "schuh" is known, pass a frequency over all
 * forms.
 */
import type { CompoundData } from "../../analysis/index.ts";
import { compareCodePoints, work } from "../../base/index.ts";
import { hasDigit } from "./pieces.ts";

/** Default for languages without compounds. */
const MIN_PART_LENGTH = 3;
const MAX_PARTS = 4;
/** Longer tokens are codes or remains of markup. */
const MAX_WORD_LENGTH = 40;
const MIN_WORD_LENGTH = 4;
export const MOST_SPLITS = 4;

/** A candidate: characters [start, end) of the word, `term` in the dictionary. */
interface Part {
  readonly start: number;
  readonly end: number;
  readonly term: string;
  /** Only valid with exactly one other part. */
  readonly isShort: boolean;
}

/** All distinct terms whose frequency `splitsOf` may need. */
export function splitLookups(word: string, compounds: CompoundData | null): string[] {
  return [...new Set(partsOf([...word], compounds).map(({ term }) => term))];
}

/**
 * Splits of `word` into 2 to 4 known words, best first: fewest parts, then the longest shortest part, then the
 * greatest product of frequencies, then by code points. At most MOST_SPLITS.
 * @param frequencyOf live products of a dictionary term, or 0
 * @param mayOccur a cheaper test, false only for terms without live products: most candidates are not words
 */
export function splitsOf(
  word: string,
  frequencyOf: (term: string) => number,
  compounds: CompoundData | null,
  mayOccur: (term: string) => boolean = (term) => frequencyOf(term) > 0,
): string[][] {
  const characters = [...word];
  const candidates = partsOf(characters, compounds);
  const terms = new Set(candidates.map(({ term }) => term));
  const occurring = new Set([...terms].filter(mayOccur));
  const parts = candidates.filter(({ term }) => occurring.has(term));
  const links = compounds === null || hasDigit(word) ? [] : compounds.links;
  const found: Split[] = [];
  const extend = (start: number, before: readonly Part[], shortest: number): void => {
    work.spend(parts.length);
    for (const part of parts) {
      if (part.start !== start) continue;
      // A short part allows only one other part.
      if (before.length > 0 && (part.isShort || before[0].isShort)) {
        if (before.length > 1 || before[0].end !== start || part.end !== characters.length) continue;
      }
      const all = [...before, part];
      const least = Math.min(shortest, part.end - start);
      if (part.end === characters.length) {
        const words = all.map(({ term }) => term);
        const product = words.reduce((sum, term) => sum * frequencyOf(term), 1);
        if (product > 0) found.push({ words, key: words.join(" "), shortest: least, product });
        continue;
      }
      if (all.length === MAX_PARTS) continue;
      extend(part.end, all, least);
      if (part.isShort) continue;
      for (const link of links) {
        const letters = [...link];
        if (letters.every((letter, i) => characters[part.end + i] === letter)) {
          extend(part.end + letters.length, all, least);
        }
      }
    }
  };
  extend(0, [], Infinity);
  // Splits with and without links may have the same words.
  const distinct = new Map<string, string[]>();
  for (const { key, words } of found.sort(compare)) {
    if (!distinct.has(key)) distinct.set(key, words);
  }
  return [...distinct.values()].slice(0, MOST_SPLITS);
}

interface Split {
  readonly words: string[];
  readonly key: string;
  readonly shortest: number;
  readonly product: number;
}

function compare(a: Split, b: Split): number {
  return (
    a.words.length - b.words.length ||
    b.shortest - a.shortest ||
    b.product - a.product ||
    compareCodePoints(a.key, b.key)
  );
}

/** All candidates, known or not. */
function partsOf(characters: readonly string[], compounds: CompoundData | null): Part[] {
  const length = characters.length;
  if (length > MAX_WORD_LENGTH) return [];
  const least = compounds?.minPartLength ?? MIN_PART_LENGTH;
  const digits = characters.map(hasDigit);
  return digits.includes(true)
    ? partsOfCode(characters, digits, least)
    : partsOfWord(characters, least, compounds?.dropped ?? []);
}

function partsOfWord(characters: readonly string[], least: number, dropped: readonly string[]): Part[] {
  const length = characters.length;
  const parts: Part[] = [];
  if (length < MIN_WORD_LENGTH) return parts;
  const text = (start: number, end: number): string => characters.slice(start, end).join("");
  for (let start = 0; start + least <= length; start++) {
    if (start > 0 && start < least) continue;
    for (let end = start + least; end <= length; end++) {
      if (end === length ? start === 0 : end + least > length) continue;
      const term = text(start, end);
      parts.push({ start, end, term, isShort: false });
      if (end === length) continue;
      for (const ending of dropped) {
        parts.push({ start, end, term: term + ending, isShort: false });
      }
    }
  }
  for (let cut = 1; cut < length; cut++) {
    const shorter = Math.min(cut, length - cut);
    const longer = length - shorter;
    if (shorter >= least || (shorter < 2 && longer < least)) continue;
    if (cut === length - 1 && characters[cut] === "s") continue;
    parts.push({ start: 0, end: cut, term: text(0, cut), isShort: true });
    parts.push({ start: cut, end: length, term: text(cut, length), isShort: true });
  }
  return parts;
}

function partsOfCode(characters: readonly string[], digits: readonly boolean[], least: number): Part[] {
  const length = characters.length;
  // The kind of a cut before character i: not allowed, where letters meet digits, or between letters.
  const isBorder = (at: number): boolean => at === 0 || at === length || ofNumber(at - 1) !== ofNumber(at);
  const ofNumber = (at: number): boolean => digits[at] || isPoint(characters, digits, at);
  const isLetters = (at: number): boolean => !isBorder(at) && !ofNumber(at);
  const parts: Part[] = [];
  for (let start = 0; start < length; start++) {
    if (!isBorder(start) && !isLetters(start)) continue;
    for (let end = start + 1; end <= length; end++) {
      if (end - start === length || (!isBorder(end) && !isLetters(end))) continue;
      const isGuess = isLetters(start) || isLetters(end);
      if (isGuess && end - start < least && !digits.slice(start, end).includes(true)) continue;
      parts.push({ start, end, term: characters.slice(start, end).join(""), isShort: false });
    }
  }
  return parts;
}

/** A point with digits around it belongs to the number. */
function isPoint(characters: readonly string[], digits: readonly boolean[], at: number): boolean {
  return characters[at] === "." && digits[at - 1] === true && digits[at + 1] === true;
}
