/**
 * The title bonus: what the order of words in a title adds to a product's score.
 *
 * BM25F ignores positions. A shopper who types "running shoes" means these words together; "shoes for running" is
 * close, "running belt that fits over shoes" is not. So a title adds, for the query's words 0 .. n-1 with idf(0) ..
 * idf(n-1):
 *
 *   pairs      PAIR * min(idf(j), idf(j+1))         for every j with adjacent words j and j+1 in
 *                                                   this order; half of it in the reverse order
 *   window     WINDOW * P * n / w                   all n words lie within w terms;
 *                                                   P = sum over j of min(idf(j), idf(j+1))
 *   phrase     PHRASE * P                           the title has the whole query in order
 *   coverage   COVERAGE * idf of its words * k / m  k of the title's m terms are query words:
 *                                                   favours titles with few other words
 *   start      START * idf(j)                       the title begins with word j
 *
 * A pair has the value of its more common word (Rasolofo and Savoy 2003): "for women" is worth little. All parts are
 * proportional to idf, like BM25F (a word in a title scores 1 to 2 times its idf), so the bonus keeps its proportion
 * to the score: a product with all words and the best title gains about a fifth. A whole phrase is worth more than any
 * window, and a full window more than all pairs together.
 *
 * A term may match several words ("headphones" for "head phones"), which then count as adjacent. A word may match
 * several terms ("head phones" for "headphones"). If these are adjacent, each of them counts as the word.
 *
 * Of several texts (two title fields, several values) the best one counts. Texts of unsearched fields do not.
 *
 * Integers: the parts are rounded per query, before any row is read, and fractions (n / w, k / m) are truncated to
 * integers. The bonus depends on the row's own titles, the query and the statistics of the whole index (invariant I4).
 * Only the first 30 words count, and alternatives of words only while words and parts together are at most 30.
 */
import { popcount } from "../../base/index.ts";
import { MAX_TOKENS, titleWord, WordMasks, type QueryWord } from "../../segment/positions/index.ts";
import type { Segment } from "../../segment/model/index.ts";
import { SCORE_SCALE } from "./similarity.ts";

/**
 * Order factors from a quarter to four thirds of these rank equally well, and so does coverage from 0.1 to 0.3. Any
 * preference for the beginning costs, because titles begin with brands; `start` is meant for catalogues whose titles
 * begin with the kind of product.
 */
export const PROXIMITY: ProximityFactors = {
  pair: 0.15,
  window: 0.2,
  phrase: 0.2,
  coverage: 0.15,
  start: 0,
};
export type ProximityFactors = Readonly<Record<"pair" | "window" | "phrase" | "coverage" | "start", number>>;

const NO_WORD: QueryWord = { lists: [], ranges: [] };

/**
 * Maximum distance from "for" to the first word of the query after it: what comes later in a long title is rarely what
 * the product is for ("Flashlight for dad, best gift for birthdays, with batteries"). Plateau 3 to 8.
 */
const PURPOSE_REACH = 5;

/** Share of a pair in reverse order. */
const REVERSED = 0.5;

/** The query's part of the bonus. Plain data, integers. */
interface ProximityWeights {
  /** Index j: words j and j+1. */
  readonly pairs: readonly number[];
  readonly reversedPairs: readonly number[];
  readonly window: number;
  readonly phrase: number;
  /** By word. */
  readonly coverage: readonly number[];
  readonly start: readonly number[];
}

/** A word of the query in one segment, and its alternatives of several words each, in this order. */
export interface ProximityWord extends QueryWord {
  readonly sequences: readonly (readonly QueryWord[])[];
  /** Whether a head ends before this word, as before a stop word. */
  readonly isInNoHead?: boolean;
}

/** The best text of a title and its bonus by parts (see above). */
interface TitleBonus {
  readonly field: string;
  readonly words: readonly string[];
  readonly parts: Readonly<BonusParts>;
}

type BonusParts = Record<"pairs" | "window" | "phrase" | "coverage" | "start", number>;

/** An integer >= 0 to add to the score of a row, at most `max`. */
export interface ProximityBonus {
  readonly max: number;
  of(row: number): number;
  /**
   * For the last row: number of words between the last query word in the head of its title and the
   * end of that head. In languages with the head first, the number before the first query word. -1
   * if the head has no word of the query, or heads are unknown.
   */
  readonly gap: number;
  /**
   * Whether this title names the query only as what the product is for: it has words of the query soon after a word
   * like "for", among them all that it has before it ("HTC - Case for HTC phones"), and its head does not end with one. In
   * languages with the head first, does not begin with one.
   */
  readonly isPurpose: boolean;
  /** The text that gives the result of `of`, the first of the best ones. Null: no text has a bonus. */
  explain(row: number): TitleBonus | null;
}

/** @param idfs of the query's words, in typed order */
export function proximityWeights(idfs: readonly number[], factors: ProximityFactors = PROXIMITY): ProximityWeights {
  const units = (factor: number, idf: number): number => Math.round(SCORE_SCALE * factor * idf);
  const pairs: number[] = [];
  const reversedPairs: number[] = [];
  const coverage: number[] = [];
  const start: number[] = [];
  let total = 0;
  const count = Math.min(idfs.length, WordMasks.MOST_WORDS);
  for (let j = 0; j < count; j++) {
    coverage.push(units(factors.coverage, idfs[j]));
    start.push(units(factors.start, idfs[j]));
    if (j === 0) continue;
    const least = Math.min(idfs[j - 1], idfs[j]);
    total += least;
    pairs.push(units(factors.pair, least));
    reversedPairs.push(units(factors.pair * REVERSED, least));
  }
  const window = units(factors.window, total);
  const phrase = units(factors.phrase, total);
  return { pairs, reversedPairs, window, phrase, coverage, start };
}

function maxProximityBonus(weights: ProximityWeights): number {
  const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
  return sum(weights.pairs) + weights.window + weights.phrase + sum(weights.coverage) + Math.max(0, ...weights.start);
}

/**
 * Null if no row of the segment can get a bonus.
 * @param words in typed order, as many as in `weights`
 * @param searched whether the field with this name is searched
 * @param purpose the words like "for" (LanguageData.purpose)
 */
export function proximityBonus(
  segment: Segment,
  weights: ProximityWeights,
  words: readonly ProximityWord[],
  searched: (fieldName: string) => boolean,
  isHeadFirst = false,
  purpose: QueryWord = NO_WORD,
): ProximityBonus | null {
  const { titles } = segment;
  const max = maxProximityBonus(weights);
  if (max === 0) return null;
  const isSearched = titles.fields.map(searched);
  if (!isSearched.includes(true)) return null;
  const count = weights.coverage.length;
  const bound = words.slice(0, count).map((word) => titleWord(titles, word));
  const sequences: Sequence[] = [];
  words.slice(0, count).forEach((word, w) => {
    for (const parts of word.sequences) {
      if (parts.length < 2 || bound.length + parts.length > WordMasks.MOST_WORDS) continue;
      sequences.push({ word: w, firstBit: bound.length, length: parts.length });
      for (const part of parts) bound.push(titleWord(titles, part));
    }
  });
  const inHeads = words
    .slice(0, count)
    .reduce((bits, { isInNoHead }, w) => (isInNoHead === true ? bits : bits | (1 << w)), 0);
  const purposeBit = 1 << bound.length;
  const masks = new WordMasks([...bound, titleWord(titles, purpose)]);
  const cursor = titles.cursor();
  const text = new TextBonus(weights, sequences);
  const { heads } = titles;
  const bonusOf = {
    max,
    gap: -1,
    isPurpose: false,
    of: (row: number): number => {
      cursor.open(row);
      bonusOf.gap = -1;
      bonusOf.isPurpose = false;
      let best = 0;
      let isKnown = false;
      // The head of the first text with more than one word, or of the first text if there is none
      // (segment/positions/writer.ts).
      let headLength = heads === null ? MAX_TOKENS : 0;
      while (cursor.next()) {
        // The same words have the same bonus.
        if (!cursor.isRepeated) isKnown = false;
        if (isKnown || !isSearched[cursor.field]) continue;
        isKnown = true;
        const { codes, length } = cursor;
        let any = 0;
        for (let i = 0; i < length; i++) any |= text.masks[i] = masks.maskOf(codes[i]);
        const purposeAt = (any & purposeBit) === 0 ? -1 : text.take(purposeBit, length);
        any &= ~purposeBit;
        const bonus = any === 0 ? 0 : text.of(length, any);
        if (headLength < Math.min(length, 2)) {
          bonusOf.gap = any === 0 ? -1 : text.gap(Math.min(length, heads?.[row] ?? 0), inHeads, isHeadFirst);
          bonusOf.isPurpose = purposeAt > 0 && bonusOf.gap !== 0 && text.isAllAfter(purposeAt, length, inHeads);
          headLength = length;
        }
        if (bonus > best) best = bonus;
      }
      return best;
    },
    explain: (row: number): TitleBonus | null => {
      cursor.open(row);
      let best = 0;
      let found: TitleBonus | null = null;
      while (cursor.next()) {
        if (!isSearched[cursor.field]) continue;
        const codes = cursor.codes.slice(0, cursor.length);
        let any = 0;
        codes.forEach((code, i) => (any |= text.masks[i] = masks.maskOf(code) & ~purposeBit));
        const parts: BonusParts = { pairs: 0, window: 0, phrase: 0, coverage: 0, start: 0 };
        const bonus = any === 0 ? 0 : text.of(codes.length, any, parts);
        if (bonus <= best) continue;
        best = bonus;
        const words = Array.from(codes, (code) => segment.terms.get(titles.term(code)));
        found = { field: titles.fields[cursor.field], words, parts };
      }
      return found;
    },
  };
  return bonusOf;
}

/** An alternative of word `word`: its parts have the bits from `firstBit`. */
interface Sequence {
  readonly word: number;
  readonly firstBit: number;
  readonly length: number;
}

/**
 * Scratch memory shared by all queries: the masks of one text, the words that its terms only
 * continue, and the last position of each word.
 */
const textMasks = new Int32Array(MAX_TOKENS);
const textContinued = new Int32Array(MAX_TOKENS);
const lastSeen = new Int32Array(WordMasks.MOST_WORDS);

/** One text as a mask per term: bit j = word j of the query, or a part of a sequence. */
class TextBonus {
  readonly masks = textMasks;
  readonly #sequences: readonly Sequence[];
  readonly #weights: ProximityWeights;
  readonly #count: number;

  constructor(weights: ProximityWeights, sequences: readonly Sequence[]) {
    this.#weights = weights;
    this.#sequences = sequences;
    this.#count = weights.coverage.length;
  }

  /**
   * @param anyBit union of the first `length` masks; not 0
   * @param parts receives the parts of the sum
   */
  of(length: number, anyBit: number, parts: BonusParts | null = null): number {
    const { masks } = this;
    const weights = this.#weights;
    const count = this.#count;
    const any = this.#sequences.length === 0 ? anyBit : this.#readSequences(length);
    if (any === 0) return 0;
    let covered = 0;
    for (let j = 0; j < count; j++) if ((any >>> j) & 1) covered += weights.coverage[j];
    const k = Math.min(popcount(any), length);
    const coverage = Math.floor((covered * k) / length);
    let start = 0;
    if (masks[0] !== 0) {
      for (let j = 0; j < count; j++) {
        if ((masks[0] >>> j) & 1 && weights.start[j] > start) start = weights.start[j];
      }
    }
    if (parts !== null) {
      parts.coverage = coverage;
      parts.start = start;
    }
    if (count < 2 || (any & (any - 1)) === 0) return coverage + start;

    // Bit j: words j and j+1 are adjacent. `run`: bit j = the query up to word j ends at this term (Shift-And).
    const continued = textContinued;
    if (this.#sequences.length === 0) continued.fill(0, 0, length);
    let inOrder = 0;
    let reversed = 0;
    let run = 0;
    let isPhrase = false;
    for (let i = 0; i < length; i++) {
      const mask = masks[i];
      if (mask === 0) {
        run = 0;
        continue;
      }
      run = (((run << 1) | 1) & mask) | (run & continued[i]);
      const both = mask & (mask >>> 1);
      if (both !== 0) {
        inOrder |= both;
        for (let before = 0; before !== run; run |= (run << 1) & mask) before = run;
      }
      if ((run >>> (count - 1)) & 1) isPhrase = true;
      if (i === 0) continue;
      inOrder |= masks[i - 1] & (mask >>> 1);
      reversed |= (masks[i - 1] >>> 1) & mask;
    }
    let pairs = 0;
    for (let j = 0; j + 1 < count; j++) {
      if ((inOrder >>> j) & 1) pairs += weights.pairs[j];
      else if ((reversed >>> j) & 1) pairs += weights.reversedPairs[j];
    }
    const phrase = isPhrase ? weights.phrase : 0;
    let window = 0;
    if (any === 2 ** count - 1) {
      const width = isPhrase ? count : Math.max(count, this.#narrowest(length));
      window = Math.floor((weights.window * count) / width);
    }
    if (parts !== null) {
      parts.pairs = pairs;
      parts.phrase = phrase;
      parts.window = window;
    }
    return coverage + start + pairs + phrase + window;
  }

  /**
   * Number of words between the last of these query words before `end` and `end`; with
   * `isBeforeFirst`, the number before the first of them. -1 if there are none. Call after `of`.
   */
  gap(end: number, words: number, isBeforeFirst: boolean): number {
    for (let gap = 0; gap < end; gap++) {
      if ((this.masks[isBeforeFirst ? gap : end - 1 - gap] & words) !== 0) return gap;
    }
    return -1;
  }

  /** Removes a bit from all masks; returns the first position that had it. */
  take(bit: number, length: number): number {
    let first = -1;
    for (let i = length - 1; i >= 0; i--) {
      if ((this.masks[i] & bit) === 0) continue;
      this.masks[i] &= ~bit;
      first = i;
    }
    return first;
  }

  /** Whether some of these words are soon after the position, and all that are before it come again. Call after `of`. */
  isAllAfter(position: number, length: number, words: number): boolean {
    let before = 0;
    let after = 0;
    let first = position;
    for (let i = 0; i < length; i++) {
      const own = this.masks[i] & words;
      if (i < position) before |= own;
      else if (after === 0 && own !== 0) first = i;
      if (i >= position) after |= own;
    }
    return after !== 0 && (before & ~after) === 0 && first - position <= PURPOSE_REACH;
  }

  /** Replaces the parts of complete sequences by their words and drops other parts; returns the union of the masks. */
  #readSequences(length: number): number {
    const { masks } = this;
    const words = 2 ** this.#count - 1;
    const continued = textContinued.fill(0, 0, length);
    for (const { word, firstBit, length: parts } of this.#sequences) {
      for (let i = 0; i + parts <= length; i++) {
        let part = 0;
        while (part < parts && (masks[i + part] >>> (firstBit + part)) & 1) part++;
        if (part < parts) continue;
        for (part = 0; part < parts; part++) masks[i + part] |= 1 << word;
        for (part = 1; part < parts; part++) continued[i + part] |= 1 << word;
      }
    }
    let any = 0;
    for (let i = 0; i < length; i++) any |= masks[i] &= words;
    return any;
  }

  /** Length of the shortest window with all words, which must exist. */
  #narrowest(length: number): number {
    const { masks } = this;
    const last = lastSeen.fill(-1);
    const count = this.#count;
    let narrowest = length;
    for (let i = 0; i < length; i++) {
      if (masks[i] === 0) continue;
      let first = i;
      for (let j = 0; j < count; j++) {
        if ((masks[i] >>> j) & 1) last[j] = i;
        if (last[j] < first) first = last[j];
      }
      if (first >= 0 && i - first + 1 < narrowest) narrowest = i - first + 1;
    }
    return narrowest;
  }
}
