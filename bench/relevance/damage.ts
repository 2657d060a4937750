/**
 * Damages queries like typing mistakes do, reproducibly by seed.
 *
 *   transposition  headphones -> haedphones        two neighbouring letters of a word, changed places
 *   deletion                  -> hedphones
 *   substitution              -> heafphones
 *   insertion                 -> heaadphones
 *   firstLetter               -> jeadphones        a substitution there; searches may trust the first letter
 *   joined         gaming mouse -> gamingmouse     two neighbouring words
 *   split          headphones -> headp hones       two letters at least on either side
 *   plural         laptops -> laptop, mouse -> mouses      the last word of letters
 *
 * Typos hit words of 4 letters and more, without digits, behind their first letter. A query that a kind of damage does
 * not fit is left out of that kind.
 */
import { mulberry32 } from "../../test/support/mulberry32.ts";

export const DAMAGE_KINDS = [
  "transposition",
  "deletion",
  "substitution",
  "insertion",
  "firstLetter",
  "joined",
  "split",
  "plural",
] as const;
export type DamageKind = (typeof DAMAGE_KINDS)[number];

/** 0 <= n < below. */
type Draw = (below: number) => number;

const TYPO_LETTERS = 4;
const SPLIT_LETTERS = 5;
const SPLIT_REST = 2;
const ALPHABET = "abcdefghijklmnopqrstuvwxyz";
const LETTERS = /^[a-z]+$/;

/** Null where the kind does not fit the query. */
export function damage(query: string, kind: DamageKind, seed: number): string | null {
  const words = query.toLowerCase().split(/\s+/);
  const draw = drawsOf(`${kind} ${seed} ${query}`);
  switch (kind) {
    case "transposition":
    case "deletion":
    case "substitution":
    case "insertion":
    case "firstLetter":
      return replaceOne(words, TYPO_LETTERS, draw, (word) => typo(word, kind, draw));
    case "joined": {
      if (words.length < 2) return null;
      const at = draw(words.length - 1);
      return words.toSpliced(at, 2, words[at] + words[at + 1]).join(" ");
    }
    case "split":
      return replaceOne(words, SPLIT_LETTERS, draw, (word) => {
        const at = SPLIT_REST + draw(word.length - 2 * SPLIT_REST + 1);
        return `${word.slice(0, at)} ${word.slice(at)}`;
      });
    case "plural": {
      const at = words.findLastIndex((word) => LETTERS.test(word) && word.length >= TYPO_LETTERS);
      return at < 0 ? null : words.with(at, otherNumber(words[at])).join(" ");
    }
  }
}

function replaceOne(
  words: readonly string[],
  minLetters: number,
  draw: Draw,
  change: (word: string) => string | null,
): string | null {
  const fitting = words.flatMap((word, at) => (LETTERS.test(word) && word.length >= minLetters ? [at] : []));
  if (fitting.length === 0) return null;
  const at = fitting[draw(fitting.length)];
  const changed = change(words[at]);
  return changed === null ? null : words.with(at, changed).join(" ");
}

type TypoKind = "transposition" | "deletion" | "substitution" | "insertion" | "firstLetter";

function typo(word: string, kind: TypoKind, draw: Draw): string | null {
  const behindFirst = 1 + draw(word.length - 1);
  switch (kind) {
    case "transposition": {
      // Equal letters would change nothing.
      const places = Array.from(word.slice(1, -1)).flatMap((letter, at) => (letter === word[at + 2] ? [] : [at + 1]));
      if (places.length === 0) return null;
      const at = places[draw(places.length)];
      return word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2);
    }
    case "deletion":
      return word.slice(0, behindFirst) + word.slice(behindFirst + 1);
    case "substitution":
      return word.slice(0, behindFirst) + other(word[behindFirst], draw) + word.slice(behindFirst + 1);
    case "insertion":
      return word.slice(0, behindFirst) + ALPHABET[draw(26)] + word.slice(behindFirst);
    case "firstLetter":
      return other(word[0], draw) + word.slice(1);
  }
}

function other(letter: string, draw: Draw): string {
  return ALPHABET[(ALPHABET.indexOf(letter) + 1 + draw(25)) % 26];
}

/** Singular -> plural and back, as English does it. */
export function otherNumber(word: string): string {
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (/(?:ch|sh|x|ss|zz)es$/.test(word)) return word.slice(0, -2);
  if (/(?:[^s])s$/.test(word)) return word.slice(0, -1);
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return /(?:ch|sh|x|s|z)$/.test(word) ? `${word}es` : `${word}s`;
}

/** Numbers that follow from a text alone: FNV-1a seeds mulberry32. */
function drawsOf(text: string): Draw {
  let hash = 2_166_136_261;
  for (const letter of text) {
    hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16_777_619);
  }
  const random = mulberry32(hash);
  return (below) => Math.floor(random() * below);
}
