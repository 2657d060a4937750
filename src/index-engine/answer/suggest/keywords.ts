/**
 * Phrases: the input, with its last word completed by words from titles. If only one word was typed, also followed by
 * the words that directly follow the best completions in titles (followers.ts).
 *
 *   "black sh"   black shoes 40, black shirt 21        products whose titles have both words
 *   "lap"        laptop 90, laptop bag 40, lapel 12    products whose titles have the word; for
 *                                                      "laptop bag", next to each other
 *
 * A word must occur in at least two titles, have at least three letters and no digits, and not be a stop word. Scripts
 * without spaces have no such words. Of words with the same stem, only the most frequent is used. Words are fetched by
 * number of titles until no other can be among the first:
 *
 *   part 1: shoes 30, shirt 12, others at most 9        part 2: shirt 9, shoes 10, others at most 4
 *   shoes 40, shirt 21, others at most 13
 *
 * A segment counts a completion from its list, until reading the titles of the products with the preceding words costs
 * less (row-titles.ts), which counts all completions.
 *
 * A part is a segment or a shard. More words are requested from the parts until the missing ones cannot matter, so the
 * answer does not depend on the distribution of products (I4). A word is spelled as in the title of the product with
 * the smallest id.
 */
import { isUnspaced, plainText, termsWithPlaces, type Analyzer } from "../../analysis/index.ts";
import { andNotInto, compareCodePoints, countBits, hasBit } from "../../base/index.ts";
import { hasDigit } from "../../query/expansion/index.ts";
import type { LiveSegment, Segment } from "../../segment/model/index.ts";
import { rowsWithWords } from "./column-labels.ts";
import { TITLE } from "./label.ts";
import { countTerms, TITLE_COST } from "./row-titles.ts";
import { titleCounts, type TitleCounts } from "./title-counts.ts";
import { partOf, type Lookup, type TermRange } from "./words.ts";

const FEWEST_TITLES = 2;
const FEWEST_LETTERS = 3;
/** Number of words first requested from a part, and the factor if those are not enough. */
export const FIRST_WORDS = 64;
const MORE_WORDS = 8;

/** Words of one part, with the number of live products that have them. */
export interface WordCounts {
  readonly words: readonly string[];
  readonly counts: readonly number[];
  /** No other word of the part has a higher count. 0 if there is no other word. */
  readonly rest: number;
}

export interface WordPart {
  /** Whether missing words sort after returned words with the same count. */
  readonly isOrdered: boolean;
  /** `size` words that may be the most frequent; null if not known yet. */
  top(size: number): WordCounts | null;
  /** Null if not known yet. */
  countsOf(words: readonly string[]): readonly number[] | null;
}

/** The `size` most frequent words of at least `fewest` products; ties by code points. Null: a part has to be asked. */
export function topWords(parts: readonly WordPart[], size: number, fewest: number = FEWEST_TITLES): WordCounts | null {
  for (let wanted = Math.max(FIRST_WORDS, size); ; wanted *= MORE_WORDS) {
    const sums = new Map<string, number>();
    let rest = 0;
    const sent: WordCounts[] = [];
    for (const part of parts) {
      const own = part.top(wanted);
      if (own === null) return null;
      sent.push(own);
      rest += own.rest;
      for (const word of own.words) sums.set(word, 0);
    }
    const words = [...sums.keys()];
    for (const [i, part] of parts.entries()) {
      const known = sent[i].words.length === words.length ? sent[i] : null;
      const counts = known?.counts ?? part.countsOf(words);
      if (counts === null) return null;
      const names = known?.words ?? words;
      for (const [at, word] of names.entries()) sums.set(word, (sums.get(word) ?? 0) + counts[at]);
    }
    const sorted = [...sums]
      .filter(([, count]) => count >= fewest)
      .sort((a, b) => b[1] - a[1] || compareCodePoints(a[0], b[0]));
    const last = sorted[size - 1]?.[1] ?? 0;
    const isOrdered = parts.length === 1 && parts[0].isOrdered;
    if (rest < fewest || last > rest || (isOrdered && last === rest)) {
      const best = sorted.slice(0, size);
      const isAll = rest < fewest && best.length === sorted.length;
      return {
        words: best.map(([word]) => word),
        counts: best.map(([, count]) => count),
        rest: isAll ? 0 : Math.max(rest, sorted[best.length]?.[1] ?? 0),
      };
    }
  }
}

/** The first word of each stem. */
export function oneOfEachStem(
  { words, counts }: WordCounts,
  analyzer: Analyzer,
): { readonly word: string; readonly count: number }[] {
  const seen = new Set<string>();
  return words.flatMap((word, i) => {
    const stem = analyzer.stem(word);
    if (seen.has(stem)) return [];
    seen.add(stem);
    return [{ word, count: counts[i] }];
  });
}

export function wordParts(segments: readonly LiveSegment[], lookup: Lookup): WordPart[] {
  return segments.flatMap((live) => {
    const titles = titleCounts(live.segment);
    return titles === null ? [] : [new SegmentWords(live, titles, lookup)];
  });
}

class SegmentWords implements WordPart {
  readonly isOrdered: boolean;
  readonly #live: LiveSegment;
  readonly #titles: TitleCounts;
  readonly #analyzer: Analyzer;
  readonly #ranges: readonly TermRange[];
  /** Products with the preceding words; null if there are no such words. */
  readonly #rows: Uint32Array | null;
  /** Rows of lists that may be read before reading the titles of these products costs less. */
  #leftRows: number;
  /** Counts so far. */
  #counts = new Map<number, number>();
  /** Whether they are those of all completions. */
  #isComplete = false;

  constructor(live: LiveSegment, titles: TitleCounts, { typed, maxEdits }: Lookup) {
    const { segment, deleted } = live;
    const last = typed.words.length - 1;
    this.#live = live;
    this.#titles = titles;
    this.#analyzer = typed.analyzer;
    this.#rows = last > 0 ? rowsWithWords(segment, titles.field, partOf(typed, [0, last]), 0) : null;
    if (this.#rows !== null && deleted !== null) andNotInto(this.#rows, deleted);
    const rowCount = this.#rows === null ? Infinity : countBits(this.#rows);
    this.#leftRows = rowCount * TITLE_COST;
    this.#ranges = rowCount === 0 ? [] : (typed.words[last]?.rangesIn(segment.terms, maxEdits) ?? []);
    this.isOrdered = this.#rows === null && deleted === null;
  }

  top(size: number): WordCounts {
    if (this.#isComplete) return this.#best(size);
    const words: string[] = [];
    const counts: number[] = [];
    const { terms, rest } = this.#titles.mostFrequent(this.#ranges, size);
    for (const term of terms) {
      const word = this.#live.segment.terms.get(term);
      if (!isPhraseWord(word, this.#analyzer)) continue;
      const count = this.#count(term);
      if (this.#isComplete) return this.#best(size);
      if (count === 0) continue;
      words.push(word);
      counts.push(count);
    }
    return { words, counts, rest };
  }

  #best(size: number): WordCounts {
    const sorted = [...this.#counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
    const terms = sorted.map(([term]) => term);
    const counts = sorted.map(([, count]) => count);
    return firstWords(this.#live.segment, { terms, counts }, this.#analyzer, size);
  }

  countsOf(words: readonly string[]): number[] {
    const { terms } = this.#live.segment;
    return words.map((word) => {
      const term = terms.find(word);
      return this.#ranges.some(({ start, end }) => term >= start && term < end) ? this.#count(term) : 0;
    });
  }

  #count(term: number): number {
    const rows = this.#rows;
    if (rows === null) return this.#titles.ofLive(term, this.#live);
    const known = this.#counts.get(term);
    if (known !== undefined) return known;
    if (!this.#isComplete && this.#leftRows < 0) this.#readTitles(rows);
    if (this.#isComplete) return this.#counts.get(term) ?? 0;
    this.#leftRows -= this.#live.segment.postings.count(term);
    const count = this.#titles.count(term, (row) => hasBit(rows, row));
    this.#counts.set(term, count);
    return count;
  }

  #readTitles(rows: Uint32Array): void {
    this.#leftRows = Infinity;
    const counts = countTerms(this.#titles.titleField, rows, this.#ranges);
    if (counts === null) return;
    this.#counts = counts;
    this.#isComplete = true;
  }
}

/** Terms by count, descending. */
export interface TermCounts {
  readonly terms: ArrayLike<number>;
  readonly counts: ArrayLike<number>;
}

/** The first `size` terms that phrases may have. */
export function firstWords(
  segment: Segment,
  { terms, counts }: TermCounts,
  analyzer: Analyzer,
  size: number,
): WordCounts {
  const words: string[] = [];
  const found: number[] = [];
  let at = 0;
  for (; at < terms.length && words.length < size; at++) {
    const word = segment.terms.get(terms[at]);
    if (!isPhraseWord(word, analyzer)) continue;
    words.push(word);
    found.push(counts[at]);
  }
  return { words, counts: found, rest: at < terms.length ? counts[at] : 0 };
}

function isPhraseWord(word: string, analyzer: Analyzer): boolean {
  return word.length >= FEWEST_LETTERS && !hasDigit(word) && !analyzer.isStopWord(word) && !isUnspaced(word);
}

// ---- Spelling of words

/** A word as spelled by the first product that has it. */
export interface WordSpelling {
  readonly id: string;
  readonly spelling: string;
}

/** In the order of `words`; null if no live title has the word. */
export function spellingsOf(
  segments: readonly LiveSegment[],
  words: readonly string[],
  analyzer: Analyzer,
): (WordSpelling | null)[] {
  return words.map((word) => firstSpelling(segments.map((live) => spelled(live, word, analyzer))));
}

/** The spelling with the smallest id. */
export function firstSpelling(spellings: readonly (WordSpelling | null)[]): WordSpelling | null {
  let first: WordSpelling | null = null;
  for (const own of spellings) {
    if (own !== null && (first === null || compareCodePoints(own.id, first.id) < 0)) first = own;
  }
  return first;
}

function spelled(live: LiveSegment, word: string, analyzer: Analyzer): WordSpelling | null {
  const { segment, deleted } = live;
  const term = segment.terms.find(word);
  const row = term === -1 ? -1 : (titleCounts(segment)?.firstRow(term, deleted) ?? -1);
  if (row === -1) return null;
  const id = segment.ids.get(row);
  const column = segment.stringColumns.get(TITLE);
  const title = column?.min(row) ?? -1;
  if (column === undefined || title === -1) return { id, spelling: word };
  const text = plainText(column.keys.text(title));
  const place = termsWithPlaces(text, analyzer).find((own) => own.term === word);
  const spelling = place === undefined ? word : text.slice(place.start, place.end).toLowerCase();
  return { id, spelling };
}
