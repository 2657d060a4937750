/**
 * Shared parts of the stemmers of Spanish, Italian and Portuguese, after Snowball: three regions, and a table of
 * standard endings with their actions.
 *
 *   R1, R2 = see suffixes.ts
 *   RV     = after the next vowel if the second letter is a consonant (prendo, oliva -> va);
 *            after the next consonant if the first two letters are vowels (aureo);
 *            otherwise after the third letter (macho -> ho)
 */
import { Endings, type Vowels } from "./suffixes.ts";

interface RomanceRegions {
  readonly rv: number;
  readonly r1: number;
  readonly r2: number;
}

export function romanceRegions(word: string, vowels: Vowels): RomanceRegions {
  const r1 = vowels.region(word, 0);
  return { rv: regionV(word, vowels), r1, r2: vowels.region(word, r1) };
}

function regionV(word: string, vowels: Vowels): number {
  const { length } = word;
  if (length < 3) return length;
  if (!vowels.at(word, 1)) return Math.min(length, vowels.next(word, 2) + 1);
  if (vowels.at(word, 0)) return Math.min(length, vowels.nextConsonant(word, 2) + 1);
  return 3;
}

/** One row of the table. */
interface StandardRule {
  /** Separated by spaces. */
  readonly endings: string;
  /** Region in which the ending must begin to be removed; default: R2. */
  readonly region?: keyof RomanceRegions;
  /** Replacement of the ending; default: none. */
  readonly becomes?: string;
  /** A suffix that is also removed if it then ends the word and begins in R2. */
  readonly before?: RegExp;
}

export class StandardEndings {
  readonly #rules: readonly StandardRule[];
  readonly #endings: Endings<string>;

  constructor(rules: readonly StandardRule[]) {
    this.#rules = rules;
    this.#endings = new Endings(Object.fromEntries(rules.map(({ endings }, number) => [number, endings])));
  }

  /** Null if the longest ending of the word begins before its region, or there is none. */
  without(word: string, regions: RomanceRegions): string | null {
    const ending = this.#endings.longest(word, 0);
    if (ending === null) return null;
    const { region = "r2", becomes = "", before } = this.#rules[Number(ending.action)];
    const at = word.length - ending.text.length;
    if (at < regions[region]) return null;
    const bare = word.slice(0, at);
    const inner = before === undefined ? -1 : bare.search(before);
    return inner >= regions.r2 ? bare.slice(0, inner) : bare + becomes;
  }
}
