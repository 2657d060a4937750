/**
 * Finds dictionary terms that are possible corrections of a typed word.
 *
 * Candidates are found by their letters (letters.ts): a scan of two typed arrays over the part of the dictionary that
 * can match. It leaves a few dozen terms to read and compare (edits.ts).
 *
 * By our own rule, an edit of the first letter costs 2, the whole budget. All other candidates therefore share the
 * first letter, which is one contiguous part of the dictionary. Those with another first letter differ in exactly that
 * edit and are looked up by name: the word without its first letter, with its first two letters swapped, and with each
 * first letter of the dictionary instead of and before its own. No typo turns a word into an article code: terms with
 * a digit are only similar to themselves.
 *
 * Letters exclude few terms where a beginning within two edits is enough. Then the dictionary is walked
 * (beginnings.ts).
 */
import { STEM_PREFIX, type StringTable } from "../../segment/model/index.ts";
import { FrontCodedTable } from "../../segment/strings/index.ts";
import { eachBeginning } from "./beginnings.ts";
import { editCost } from "./edits.ts";
import { codePointsOf, lettersOf, maskOf, MOST_COUNTED, type FirstLetter } from "./letters.ts";
import { hasDigit } from "./pieces.ts";
import { isUnspaced } from "../../analysis/index.ts";

interface EditedTerm {
  readonly term: string;
  readonly ordinal: number;
  /** Cost of turning the word into the term; 0 is the word itself. */
  readonly edits: number;
}

export type EditBudget = 0 | 1 | 2;

/**
 * Allowed edits of a typed word: 1 from 4 letters, 2 from 8; none for sizes, codes and numbers, and for pairs of
 * characters of scripts without spaces, which are no words.
 */
export function typoBudget(word: string): EditBudget {
  if (hasDigit(word) || isUnspaced(word)) return 0;
  const letters = codePointsOf(word).length;
  return letters < 4 ? 0 : letters < 8 ? 1 : 2;
}

/** The reference's `fuzziness: AUTO`: thresholds 3 and 6. */
export function autoFuzziness(word: string): EditBudget {
  if (isUnspaced(word)) return 0;
  const letters = codePointsOf(word).length;
  return letters < 3 ? 0 : letters < 6 ? 1 : 2;
}

const FIRST_LETTER_COST = 2;

/** With this few terms per first letter, scanning all is cheaper than two lookups. */
const FEW_TERMS = 32;

/** Finds terms similar to a word, called for each dictionary. */
export type SimilarIn = (dictionary: StringTable) => EditedTerm[];

/** Exact terms without digits within `budget` of `word`, and the word itself, in dictionary order. */
export function similarTerms(word: string, budget: 1 | 2): SimilarIn {
  const letters = codePointsOf(word);
  if (letters.length === 0 || word.startsWith(STEM_PREFIX)) return () => [];
  const first = String.fromCodePoint(letters[0]);
  const search = new Search(letters, budget, FIRST_LETTER_COST);
  return (dictionary) => {
    const found: EditedTerm[] = [];
    const known = lettersOf(dictionary);
    const own = known.of(first);
    search.scan(dictionary, own, found);
    for (const group of budget < FIRST_LETTER_COST ? [] : known.all) {
      if (group === own || group.isDigit) continue;
      if (group.end - group.start <= FEW_TERMS) {
        search.scan(dictionary, group, found);
        continue;
      }
      addSpellings(dictionary, word, first, group.first, found);
    }
    return found.filter(({ term, edits }) => edits === 0 || !hasDigit(term)).sort((a, b) => a.ordinal - b.ordinal);
  };
}

/**
 * Exact terms within `most` edits of `word`, with equal cost for first letters (the reference's `fuzziness`).
 * @param areDigitsFirst whether terms that begin with a digit are wanted, too
 */
export function fuzzyTerms(word: string, most: 1 | 2, areDigitsFirst = true): SimilarIn {
  const letters = codePointsOf(word);
  if (letters.length === 0 || word.startsWith(STEM_PREFIX)) return () => [];
  const search = new Search(letters, most, 1);
  return (dictionary) => {
    const found: EditedTerm[] = [];
    for (const group of lettersOf(dictionary).all) {
      if (areDigitsFirst || !group.isDigit) search.scan(dictionary, group, found);
    }
    return found;
  };
}

/** Exact terms without digits that differ by one edit of the first letter, which costs two edits. */
export function otherFirstLetters(word: string): SimilarIn {
  const [letter] = codePointsOf(word);
  if (letter === undefined || word.startsWith(STEM_PREFIX)) return () => [];
  const first = String.fromCodePoint(letter);
  return (dictionary) => {
    const found: EditedTerm[] = [];
    const known = lettersOf(dictionary);
    const own = known.of(first);
    for (const group of known.all) {
      if (group !== own && !group.isDigit) addSpellings(dictionary, word, first, group.first, found);
    }
    return found.filter(({ term }) => !hasDigit(term));
  };
}

/**
 * Exact terms without digits that have a prefix within `most` edits of `word`, in dictionary order. Edits of the first
 * letter cost no more than others. With one edit, terms with another first letter begin with one of a few spellings.
 */
export function fuzzyPrefixTerms(word: string, most: 1 | 2): SimilarIn {
  const letters = codePointsOf(word);
  if (letters.length === 0 || word.startsWith(STEM_PREFIX)) return () => [];
  const first = String.fromCodePoint(letters[0]);
  const search = new Search(letters, most, 1, true);
  return (dictionary) => {
    const found: EditedTerm[] = [];
    const known = lettersOf(dictionary);
    const own = known.of(first);
    for (const group of known.all) {
      if (group.isDigit) continue;
      if (most === 2 && dictionary instanceof FrontCodedTable) {
        eachBeginning(dictionary, [group.start, group.end], letters, most, (ordinal, edits) =>
          found.push({ term: dictionary.get(ordinal), ordinal, edits }),
        );
        continue;
      }
      if (most === 2 || group === own) {
        search.scan(dictionary, group, found);
        continue;
      }
      for (const beginning of spellings(word, first, group.first)) {
        const end = dictionary.prefixEnd(beginning);
        for (let ordinal = dictionary.lowerBound(beginning); ordinal < end; ordinal++)
          found.push({ term: dictionary.get(ordinal), ordinal, edits: 1 });
      }
    }
    return found
      .filter(({ term }) => !hasDigit(term))
      .sort((a, b) => a.ordinal - b.ordinal)
      .filter(({ ordinal }, i, all) => i === 0 || all[i - 1].ordinal !== ordinal);
  };
}

/** Maximum length of an ending: laufschuh(en). */
const MOST_ENDING = 2;

/**
 * Exact terms without digits that end with `word`, or with it and an ending, after a part of at
 * least `minPartLength` letters: laufschuhe for "schuh".
 */
export function compoundsWith(word: string, minPartLength: number): SimilarIn {
  const mask = maskOf(codePointsOf(word));
  return (dictionary) => {
    const found: EditedTerm[] = [];
    for (const { start, isDigit, letters } of lettersOf(dictionary).all) {
      if (isDigit) continue;
      const { masks } = letters;
      for (let i = 0; i < masks.length; i++) {
        if ((mask & ~masks[i]) !== 0) continue;
        const term = dictionary.get(start + i);
        const at = term.lastIndexOf(word);
        const isTail = at >= minPartLength && term.length - at - word.length <= MOST_ENDING;
        if (isTail && !hasDigit(term)) found.push({ term, ordinal: start + i, edits: 0 });
      }
    }
    return found;
  };
}

/** Adds the terms among the spellings with the first letter `other`. */
function addSpellings(dictionary: StringTable, word: string, first: string, other: string, found: EditedTerm[]): void {
  for (const term of spellings(word, first, other)) {
    const ordinal = dictionary.find(term);
    if (ordinal >= 0) found.push({ term, ordinal, edits: FIRST_LETTER_COST });
  }
}

/** Spellings of a word that starts with `first` with the first letter `other`. */
function spellings(word: string, first: string, other: string): ReadonlySet<string> {
  const rest = word.slice(first.length);
  const all = new Set([other + rest, other + word]);
  if (rest.startsWith(other)) all.add(rest).add(other + first + rest.slice(other.length));
  return all;
}

class Search {
  readonly #letters: readonly number[];
  readonly #most: 1 | 2;
  readonly #firstCost: number;
  readonly #mask: number;
  readonly #toBeginning: boolean;

  constructor(letters: readonly number[], most: 1 | 2, firstCost: number, toBeginning = false) {
    this.#toBeginning = toBeginning;
    this.#letters = letters;
    this.#most = most;
    this.#firstCost = firstCost;
    this.#mask = maskOf(letters);
  }

  scan(dictionary: StringTable, group: FirstLetter, found: EditedTerm[]): void {
    const { start } = group;
    const { masks, lengths } = group.letters;
    const most = this.#most;
    const own = this.#mask;
    const shortest = Math.min(this.#letters.length - most, MOST_COUNTED);
    const toBeginning = this.#toBeginning;
    const longest = toBeginning ? Infinity : Math.min(this.#letters.length + most, MOST_COUNTED);
    for (let i = 0; i < masks.length; i++) {
      const mask = masks[i];
      // The bits that one has and the other lacks. One bit is cleared per allowed edit.
      let more = toBeginning ? 0 : mask & ~own;
      let fewer = own & ~mask;
      more &= more - 1;
      fewer &= fewer - 1;
      if (most === 2) {
        more &= more - 1;
        fewer &= fewer - 1;
      }
      if ((more | fewer) !== 0) continue;
      const length = lengths[i];
      if (length < shortest || length > longest) continue;
      const term = dictionary.get(start + i);
      const edits = editCost(this.#letters, codePointsOf(term), most, this.#firstCost, toBeginning);
      if (edits <= most) found.push({ term, ordinal: start + i, edits });
    }
  }
}
