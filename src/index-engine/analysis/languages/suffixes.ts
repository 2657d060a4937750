/**
 * Shared parts of the stemmers: tables of endings, vowels, and the regions of the Snowball algorithms.
 *
 *   R1 = the part after the first consonant that follows a vowel      R2 = the same inside R1
 *
 *   beautiful:  R1 = "iful" (from 5), R2 = "ul" (from 7)
 *
 * A region is the index where it begins, or the length of the word if it is empty. Source: Martin Porter's descriptions
 * at snowballstem.org ("Defining R1 and R2", one page per language).
 */
import { pushTo } from "../../base/index.ts";
import { words } from "./language.ts";

interface Ending<Action extends string> {
  readonly text: string;
  readonly action: Action;
}

/** The endings of a language with their actions; finds the longest one. */
export class Endings<Action extends string> {
  readonly #byLastLetter = new Map<number, Ending<Action>[]>();

  /** Action -> its endings, separated by spaces. */
  constructor(table: Readonly<Record<Action, string>>) {
    for (const action in table) {
      for (const text of words(table[action])) {
        pushTo(this.#byLastLetter, text.charCodeAt(text.length - 1), { text, action });
      }
    }
    for (const endings of this.#byLastLetter.values())
      endings.sort((left, right) => right.text.length - left.text.length);
  }

  /** The longest ending of `word` that begins at or after `from`. */
  longest(word: string, from: number): Ending<Action> | null {
    const endings = this.#byLastLetter.get(word.charCodeAt(word.length - 1));
    if (endings === undefined) return null;
    const room = word.length - from;
    for (const ending of endings) if (ending.text.length <= room && word.endsWith(ending.text)) return ending;
    return null;
  }

  /** `word` without that ending; null if it has none. */
  without(word: string, from: number): string | null {
    const ending = this.longest(word, from);
    return ending === null ? null : cut(word, ending.text.length);
  }
}

/**
 * The vowels of a language. Letters outside ASCII are not vowels: in the languages that use this, folding leaves none.
 */
export class Vowels {
  readonly #flags = new Uint8Array(128);

  constructor(letters: string) {
    for (const letter of letters) this.#flags[letter.charCodeAt(0)] = 1;
  }

  /** False outside the word. */
  at(word: string, index: number): boolean {
    return this.#flags[word.charCodeAt(index)] === 1;
  }

  /** Index of the first vowel at or after `from`, or the length of the word. */
  next(word: string, from: number): number {
    let at = from;
    while (at < word.length && !this.at(word, at)) at++;
    return at;
  }

  /** Index of the first letter at or after `from` that is not a vowel, or the length of the word. */
  nextConsonant(word: string, from: number): number {
    let at = from;
    while (at < word.length && this.at(word, at)) at++;
    return at;
  }

  /** Start of R1 for `from` = 0, of R2 for `from` = R1. */
  region(word: string, from: number): number {
    return Math.min(word.length, this.nextConsonant(word, this.next(word, from)) + 1);
  }

  /** Whether any letter before `end` is a vowel. */
  before(word: string, end: number): boolean {
    return this.next(word, 0) < end;
  }
}

/** Replaces the last `count` letters of `word` by `ending`. */
export function cut(word: string, count: number, ending = ""): string {
  return word.slice(0, word.length - count) + ending;
}
