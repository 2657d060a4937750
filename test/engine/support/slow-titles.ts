/**
 * The order of words in titles without any index: which texts count as titles, where phrases are, what standing
 * together is worth. Words of a query are given as tests of single tokens.
 */
import type { FieldText, IndexableProduct, NormGroup } from "../../../src/index-engine/segment/model/index.ts";
import { PROXIMITY, type ProximityFactors } from "../../../src/index-engine/query/rank/proximity.ts";

/** Whether a token of a text stands for a word. */
export type Stands = (token: string) => boolean;

export interface Analysis {
  terms(text: string): readonly string[];
  normGroup(field: string): NormGroup;
}

export interface PlainText {
  readonly field: string;
  readonly words: readonly string[];
}

export interface PlainTitles {
  readonly isWhole: boolean;
  readonly texts: readonly PlainText[];
}

export function plainTitles(given: IndexableProduct, analysis: Analysis): PlainTitles {
  const titles = (texts: readonly FieldText[]): PlainText[] =>
    texts
      .filter(({ field }) => analysis.normGroup(field) === "title")
      .map(({ field, text }) => ({ field, words: analysis.terms(text) }))
      .filter(({ words }) => words.length > 0);
  const key = (text: PlainText): string => JSON.stringify(text);
  const distinct = [...new Map(titles(given.texts).map((text) => [key(text), text])).values()];
  const known = new Set(distinct.map(key));
  let isWhole = given.variants.every(({ texts }) => titles(texts).every((t) => known.has(key(t))));
  const kept: PlainText[] = [];
  let tokens = 0;
  let previous = "";
  for (const { field, words } of distinct) {
    // A text with the words of the one before costs no words.
    const isRepeated = words.join(" ") === previous;
    const room = 64 - tokens;
    if (kept.length === 64 || (!isRepeated && room === 0)) {
      isWhole = false;
      continue;
    }
    previous = words.join(" ");
    if (!isRepeated && room < words.length) isWhole = false;
    kept.push({ field, words: isRepeated ? words : words.slice(0, room) });
    if (!isRepeated) tokens += Math.min(words.length, room);
  }
  return { isWhole, texts: kept };
}

/** All ways of giving places to positions, one after the other. */
function isPhraseOf(places: readonly Stands[], text: readonly string[], slop: number): boolean {
  const positions: number[] = [];
  const place = (j: number): boolean => {
    if (j === places.length) {
      const shifted = positions.map((position, i) => position - i);
      return Math.max(...shifted) - Math.min(...shifted) <= slop;
    }
    for (let i = 0; i < text.length; i++) {
      if (positions.includes(i) || !places[j](text[i])) continue;
      positions.push(i);
      if (place(j + 1)) return true;
      positions.pop();
    }
    return false;
  };
  return places.length > 0 && place(0);
}

export function slowPhrase(
  given: IndexableProduct,
  places: readonly Stands[],
  slop: number,
  searched: (field: string) => boolean,
  analysis: Analysis,
  /** The places in fields without positions, where a word that is still being typed does not count. */
  elsewhere: readonly Stands[] = places,
): boolean {
  const { isWhole, texts } = plainTitles(given, analysis);
  if (texts.some((text) => searched(text.field) && isPhraseOf(places, text.words, slop))) return true;
  const all = [given, ...given.variants].flatMap((row) => row.texts);
  return [...new Set(all.map(({ field }) => field))].some((field) => {
    if (!searched(field)) return false;
    if (isWhole && analysis.normGroup(field) === "title") return false;
    const tokens = all.filter((text) => text.field === field).flatMap(({ text }) => analysis.terms(text));
    return elsewhere.length > 0 && elsewhere.every((stands) => tokens.some(stands));
  });
}

export interface SlowWord {
  readonly stands: Stands;
  readonly idf: number;
  /** Other ways to say it, in several words. */
  readonly sequences: readonly (readonly Stands[])[];
}

/** The note of query/rank/proximity.ts, read aloud. */
export function slowProximity(
  given: IndexableProduct,
  words: readonly SlowWord[],
  searched: (field: string) => boolean,
  analysis: Analysis,
  factors: ProximityFactors = PROXIMITY,
): number {
  const { texts } = plainTitles(given, analysis);
  const searchedTexts = texts.filter(({ field }) => searched(field));
  return Math.max(0, ...searchedTexts.map((text) => bonusOfText(words.slice(0, 30), text.words, factors)));
}

/** Per token of a text the words of the query that it is, and those of them that it only continues. */
function readText(
  words: readonly SlowWord[],
  text: readonly string[],
): { readonly isWord: boolean[][]; readonly continues: boolean[][] } {
  const isWord = text.map((token) => words.map(({ stands }) => stands(token)));
  const continues = text.map(() => words.map(() => false));
  let parts = words.length;
  words.forEach(({ sequences }, w) => {
    for (const sequence of sequences) {
      if (sequence.length < 2 || parts + sequence.length > 30) continue;
      parts += sequence.length;
      for (let i = 0; i + sequence.length <= text.length; i++) {
        if (!sequence.every((stands, part) => stands(text[i + part]))) continue;
        sequence.forEach((_, part) => {
          isWord[i + part][w] = true;
          if (part > 0) continues[i + part][w] = true;
        });
      }
    }
  });
  return { isWord, continues };
}

/**
 * How many words stand between the last word of the query in a part of a text and the end of that part; -1: none
 * stands there.
 */
export function slowGap(
  words: readonly SlowWord[],
  text: readonly string[],
  part: { readonly start: number; readonly end: number },
  isHeadFirst: boolean,
): number {
  const { isWord } = readText(words.slice(0, 30), text.slice(0, 64));
  const own = isWord.slice(part.start, part.end).map((one) => one.includes(true));
  return (isHeadFirst ? own : own.reverse()).indexOf(true);
}

/**
 * Whether a text has words of the query soon after the first word for a purpose, which does not begin it, and before that
 * word none but these.
 */
export function slowIsPurpose(
  words: readonly SlowWord[],
  text: readonly string[],
  purpose: ReadonlySet<string>,
): boolean {
  const { isWord } = readText(words.slice(0, 30), text.slice(0, 64));
  const at = text.slice(0, 64).findIndex((word) => purpose.has(word));
  if (at <= 0) return false;
  const wordsIn = (part: readonly boolean[][]): number[] =>
    words.slice(0, 30).flatMap((_, w) => (part.some((one) => one[w]) ? [w] : []));
  const after = wordsIn(isWord.slice(at));
  const distance = isWord.slice(at).findIndex((one) => one.includes(true));
  return after.length > 0 && distance <= 5 && wordsIn(isWord.slice(0, at)).every((w) => after.includes(w));
}

function bonusOfText(words: readonly SlowWord[], text: readonly string[], factors: ProximityFactors): number {
  const units = (factor: number, idf: number): number => Math.round(10_000 * factor * idf);
  const n = words.length;
  const { isWord, continues } = readText(words, text);
  const isIn = (from: number, to: number, w: number): boolean => isWord.slice(from, to).some((one) => one[w]);
  const present = words.filter((_, w) => isIn(0, text.length, w));
  if (present.length === 0) return 0;
  const pairIdf = words.slice(1).map(({ idf }, j) => Math.min(idf, words[j].idf));
  const total = pairIdf.reduce((a, b) => a + b, 0);
  const covered = present.reduce((sum, { idf }) => sum + units(factors.coverage, idf), 0);
  let bonus = Math.floor((covered * Math.min(present.length, text.length)) / text.length);
  const starting = words.filter((_, w) => isWord[0][w]);
  bonus += Math.max(0, ...starting.map(({ idf }) => units(factors.start, idf)));
  if (present.length < 2) return bonus;
  const isNext = (a: number, b: number): boolean => isWord.some((one, i) => one[a] && (isWord[i + 1]?.[b] ?? false));
  pairIdf.forEach((idf, j) => {
    if (isNext(j, j + 1) || isWord.some((one) => one[j] && one[j + 1])) {
      bonus += units(factors.pair, idf);
    } else if (isNext(j + 1, j)) {
      bonus += units(factors.pair * 0.5, idf);
    }
  });
  // The query up to word j ends at token i.
  const ends = (i: number, j: number): boolean =>
    i >= 0 &&
    ((isWord[i][j] && (j === 0 || ends(i - 1, j - 1) || ends(i, j - 1))) || (continues[i][j] && ends(i - 1, j)));
  const isPhrase = text.some((_, i) => ends(i, n - 1));
  if (isPhrase) bonus += units(factors.phrase, total);
  let width = Infinity;
  for (let from = 0; from < text.length; from++) {
    for (let to = from + 1; to <= text.length; to++) {
      if (words.every((_, w) => isIn(from, to, w))) width = Math.min(width, to - from);
    }
  }
  if (width < Infinity) {
    const narrowest = isPhrase ? n : Math.max(width, n);
    bonus += Math.floor((units(factors.window, total) * n) / narrowest);
  }
  return bonus;
}
