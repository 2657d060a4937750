/**
 * Decides whether the words of a label match the typed words.
 *
 *   "red sho"  matches  Shoes, Red       "mike" (1 edit)  matches  Nike          "fur" matches  Für
 *
 * Every typed word must be a word of the label, at any position. The last one may be unfinished: a prefix of a word is
 * enough. If a language writes letters out (German ü as ue), a word typed without the mark also matches, and may have
 * typos too. With typo tolerance, words may have one edit from 3 letters on and two from 6 on (like the reference's
 * `fuzziness: AUTO`), at any position including the first letter. The edits of all words are added up.
 *
 * Words are looked up in a dictionary, as ranges of its ordinals. The result per dictionary is cached for the request.
 */
import { LIMITS } from "../../../interface/index.ts";
import type { Analyzer } from "../../analysis/index.ts";
import {
  autoFuzziness,
  codePointsOf,
  editCost,
  fuzzyTerms,
  hasDigit,
  fuzzyPrefixTerms,
} from "../../query/expansion/index.ts";
import type { StringTable } from "../../segment/model/index.ts";
import { work, getOrInsert } from "../../base/index.ts";

/** Ordinals [start, end) of a dictionary: terms with this number of edits. */
export interface TermRange {
  readonly start: number;
  readonly end: number;
  readonly edits: number;
}

/** An edit costs the same at every position, including the first. */
const FIRST_LETTER_COST = 1;
/** For work.ts: finding similar words reads a share of the dictionary's terms. */
const TERMS_PER_STEP = 8;

class TypedWord {
  readonly text: string;
  /** Whether a word with this prefix is enough. */
  readonly isBeginning: boolean;
  /** The word itself, and with letters written out according to the language. */
  readonly spellings: readonly string[];
  readonly #mostEdits: number;
  readonly #found = new Map<StringTable, (readonly TermRange[])[]>();

  constructor(text: string, isBeginning: boolean, analyzer: Analyzer) {
    this.text = text;
    this.isBeginning = isBeginning;
    this.#mostEdits = hasDigit(text) ? 0 : autoFuzziness(text);
    this.spellings = spellingsOf(text, analyzer.data.letters);
  }

  /** Terms within `maxEdits`, ascending. */
  rangesIn(dictionary: StringTable, maxEdits: number): readonly TermRange[] {
    const byEdits = getOrInsert(this.#found, dictionary, () => []);
    return (byEdits[maxEdits] ??= this.#find(dictionary, maxEdits));
  }

  /** Edits to a word of a label or a prefix of it. `maxEdits + 1` if there are more than `maxEdits`. */
  editsTo(word: string, maxEdits: number): number {
    const { isBeginning } = this;
    const isSame = this.spellings.some((own) => (isBeginning ? word.startsWith(own) : word === own));
    if (isSame) return 0;
    const most = Math.min(maxEdits, this.#mostEdits);
    if (most <= 0 || hasDigit(word)) return maxEdits + 1;
    const letters = codePointsOf(word);
    let edits = most + 1;
    for (const own of this.spellings) {
      const cost = editCost(codePointsOf(own), letters, most, FIRST_LETTER_COST, isBeginning);
      edits = Math.min(edits, cost);
    }
    return edits > most ? maxEdits + 1 : edits;
  }

  #find(dictionary: StringTable, maxEdits: number): TermRange[] {
    const ranges: TermRange[] = [];
    for (const spelling of this.spellings) {
      const start = dictionary.lowerBound(spelling);
      const end = this.isBeginning ? dictionary.prefixEnd(spelling) : start + Number(dictionary.find(spelling) !== -1);
      // Words with the prefix "mue" are among those with the prefix "mu".
      const isInside = ranges.some((known) => known.start <= start && end <= known.end);
      if (start < end && !isInside) ranges.push({ start, end, edits: 0 });
    }
    const most = Math.min(maxEdits, this.#mostEdits);
    if (most === 1 || most === 2) {
      const exact = ranges.slice();
      const nearest = new Map<number, number>();
      for (const spelling of this.spellings) {
        work.spend(Math.ceil(dictionary.size / TERMS_PER_STEP));
        const similar = this.isBeginning ? fuzzyPrefixTerms(spelling, most) : fuzzyTerms(spelling, most, false);
        for (const { term, ordinal, edits } of similar(dictionary)) {
          const isExact = exact.some(({ start, end }) => ordinal >= start && ordinal < end);
          if (isExact || hasDigit(term)) continue;
          nearest.set(ordinal, Math.min(edits, nearest.get(ordinal) ?? edits));
        }
      }
      for (const [ordinal, edits] of nearest) {
        ranges.push({ start: ordinal, end: ordinal + 1, edits });
      }
    }
    return ranges.sort((a, b) => a.start - b.start);
  }
}

export interface TypedWords {
  readonly words: readonly TypedWord[];
  /** The input, trimmed. */
  readonly text: string;
  readonly analyzer: Analyzer;
}

/** What labels must match: these words, with at most `maxEdits` edits in total. */
export interface Lookup {
  readonly typed: TypedWords;
  readonly maxEdits: number;
}

/**
 * The first words, as of a search: the parts of a query are as many as the square of its words. Null if there are none.
 */
export function typedWords(text: string, analyzer: Analyzer): TypedWords | null {
  const words = analyzer.queryTerms(text).slice(0, LIMITS.queryTerms.value);
  if (words.length === 0) return null;
  const last = words.length - 1;
  return {
    words: words.map((word, i) => new TypedWord(word, i === last, analyzer)),
    text: text.trim(),
    analyzer,
  };
}

/** Words [start, end) of a query. */
export type Part = readonly [start: number, end: number];

export function partOf(typed: TypedWords, part: Part | null): TypedWords {
  return part === null ? typed : { ...typed, words: typed.words.slice(...part) };
}

/** Parts of a query with fewer letters are not used. */
const SHORTEST_PART = 3;

/** Parts of a query with `length` adjacent words. */
export function partsOf({ words }: TypedWords, length: number): Part[] {
  const starts = Array.from({ length: words.length - length + 1 }, (_, start) => start);
  return starts.flatMap((start): Part[] => {
    const part = words.slice(start, start + length);
    const letters = part.reduce((sum, { text }) => sum + text.length, 0);
    return letters < SHORTEST_PART ? [] : [[start, start + length]];
  });
}

/** The sum of edits, or null if there are more than `maxEdits`. 0 is an exact match. */
export function editsToAnswer(typed: TypedWords, labelWords: readonly string[], maxEdits: number): number | null {
  let sum = 0;
  for (const own of typed.words) {
    let best = maxEdits - sum + 1;
    for (const word of labelWords) {
      best = Math.min(best, own.editsTo(word, maxEdits - sum));
      if (best === 0) break;
    }
    sum += best;
    if (sum > maxEdits) return null;
  }
  return sum;
}

/** Letters of one word that may stand for others. Further ones only stand for themselves. */
const MOST_WRITTEN_OUT = 4;

/** "fur" -> fur, fuer: each letter as typed, and as the language writes it out. */
function spellingsOf(word: string, letters: Readonly<Record<string, string>>): string[] {
  const writtenOut = new Map<string, string>();
  for (const [letter, written] of Object.entries(letters)) {
    const plain = letter.normalize("NFD").charAt(0);
    if (plain !== letter && plain !== written) writtenOut.set(plain, written);
  }
  let spellings = [""];
  let changed = 0;
  for (const letter of word) {
    const written = writtenOut.get(letter);
    const isChanged = written !== undefined && changed++ < MOST_WRITTEN_OUT;
    spellings = spellings.flatMap((own) => [own + letter, ...(isChanged ? [own + written] : [])]);
  }
  return spellings;
}
