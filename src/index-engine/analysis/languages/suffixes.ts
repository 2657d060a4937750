/**
 * What the stemmers share: tables of endings, vowels, and the regions of the Snowball algorithms.
 *
 *   R1 = what follows the first consonant after a vowel      R2 = the same again inside R1      RV = see `romanceRv`
 *
 *   beautiful:  R1 = "iful" (from 5), R2 = "ul" (from 7)
 *
 * Regions are numbers: the index where one begins, or the length of the word where there is none.
 * Source: Martin Porter's descriptions at snowballstem.org ("Defining R1 and R2", one page per language).
 */

export interface Ending<Action extends string> {
  readonly text: string;
  readonly action: Action;
}

/** Endings of a language with what is to be done about each; finds the longest. */
export class Endings<Action extends string> {
  readonly #byLastLetter = new Map<number, Ending<Action>[]>();

  /** Action -> its endings, separated by spaces. */
  constructor(table: Readonly<Record<Action, string>>) {
    for (const action in table) {
      for (const text of table[action].split(/\s+/).filter((ending) => ending !== "")) {
        const last = text.charCodeAt(text.length - 1);
        const others = this.#byLastLetter.get(last);
        if (others === undefined) this.#byLastLetter.set(last, [{ text, action }]);
        else others.push({ text, action });
      }
    }
    for (const endings of this.#byLastLetter.values())
      endings.sort((left, right) => right.text.length - left.text.length);
  }

  /** The longest ending of `word` that begins at `from` or later. */
  longest(word: string, from: number): Ending<Action> | null {
    const endings = this.#byLastLetter.get(word.charCodeAt(word.length - 1));
    if (endings === undefined) return null;
    const room = word.length - from;
    for (const ending of endings)
      if (ending.text.length <= room && word.endsWith(ending.text)) return ending;
    return null;
  }
}

/** Which letters are vowels. Letters outside ASCII are none: folding left none in the languages that ask. */
export class Vowels {
  readonly #flags = new Uint8Array(128);

  constructor(letters: string) {
    for (const letter of letters) this.#flags[letter.charCodeAt(0)] = 1;
  }

  /** False outside the word. */
  at(word: string, index: number): boolean {
    return this.#flags[word.charCodeAt(index)] === 1;
  }

  /** Index of the first vowel at or after `from`; the length where there is none. */
  next(word: string, from: number): number {
    let at = from;
    while (at < word.length && !this.at(word, at)) at++;
    return at;
  }

  /** Index of the first letter at or after `from` that is no vowel; the length where there is none. */
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

/**
 * RV of Spanish, Italian and Portuguese: behind the next vowel where the second letter is a consonant (prendo, oliva -> va), behind
 * the next consonant where the first two are vowels (aureo), behind the third letter otherwise (macho -> ho).
 */
export function romanceRv(word: string, vowels: Vowels): number {
  const { length } = word;
  if (length < 3) return length;
  if (!vowels.at(word, 1)) return Math.min(length, vowels.next(word, 2) + 1);
  if (vowels.at(word, 0)) return Math.min(length, vowels.nextConsonant(word, 2) + 1);
  return 3;
}

/** `word` without its last `count` letters, and `ending` instead. */
export function cut(word: string, count: number, ending = ""): string {
  return word.slice(0, word.length - count) + ending;
}

/** `word` without what `ending` matches at its end, where that begins at `region` or later. */
export function from(region: number, word: string, ending: RegExp): string {
  const at = word.search(ending);
  return at >= region ? word.slice(0, at) : word;
}
