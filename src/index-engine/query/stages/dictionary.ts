/** The dictionary of one reader, with lookups on demand. Results for up to MOST_KEPT words are cached with it. */
import type { Analyzer } from "../../analysis/index.ts";
import {
  MOST_SIMILAR,
  prefixFrequency,
  similarTo,
  splitsOf,
  type Likeness,
  type SimilarTerm,
} from "../expansion/index.ts";
import type { LiveSegment } from "../../segment/model/index.ts";
import { termGroup, type TermGroup } from "../rank/index.ts";
import { liveFrequency, type Reader } from "../../index/index.ts";
import { getOrInsert, work } from "../../base/index.ts";

/** The dictionary for expanding words: of one reader that searches alone, or merged from shards (term-expansion.ts). */
export interface ExpansionSource {
  /** A word with its other forms. The same object for the same word while it is cached. */
  groupOf(word: string): TermGroup;
  /** Live products of a dictionary term; 0 if unknown. Terms that no expansions looked up are unknown. */
  frequencyOf(term: string): number;
  /** Live products of the most frequent form of a word, or 0. */
  knownIn(word: string): number;
  /** Splits of a word into known words, best first (query/expansion/splits.ts). */
  splitsOf(word: string): readonly (readonly string[])[];
  /** Similar words of the dictionary, best first, at most MOST_SIMILAR. */
  similarTo(word: string, likeness: Likeness): readonly SimilarTerm[];
  /** Sum of the frequencies of all terms with the prefix. */
  prefixFrequency(prefix: string): number;
}

/** Cached entries per kind; the cache is emptied when full. */
const MOST_KEPT = 4_096;
/** Approximate cost of finding similar words in a dictionary, cached or not. */
export const STEPS_OF_SIMILAR = 5_000;
/** Of one candidate for a part of a word: its stem is made and looked up. */
export const STEPS_OF_PART = 200;
/** Approximate size of a Map entry with its key. */
const ENTRY_BYTES = 100;

class Memo<T> extends Map<string, T> {
  keep(key: string, value: T): T {
    if (this.size >= MOST_KEPT) this.clear();
    this.set(key, value);
    return value;
  }
}

/** A word of some product. */
interface KnownWord {
  readonly group: TermGroup;
  readonly frequency: number;
}

interface KnownTerm {
  /** List per segment, or -1. */
  readonly lists: Int32Array;
  readonly frequency: number;
}

/** Caches results derived from term frequencies, which every stage needs for the same words. */
export abstract class KnownWords implements ExpansionSource {
  abstract frequencyOf(term: string): number;
  abstract similarTo(word: string, likeness: Likeness): readonly SimilarTerm[];
  abstract prefixFrequency(prefix: string): number;
  /** False only if `frequencyOf` is 0. */
  abstract mayOccur(term: string): boolean;
  readonly #analyzer: Analyzer;
  readonly #words = new Memo<KnownWord>();
  /** A separate cache: most unknown words are joined words, which would evict the others. */
  readonly #unknown = new Memo<true>();
  readonly #splits = new Memo<readonly (readonly string[])[]>();

  constructor(analyzer: Analyzer) {
    this.#analyzer = analyzer;
  }

  get sizeBytes(): number {
    return (this.#words.size + this.#unknown.size + this.#splits.size) * ENTRY_BYTES;
  }

  groupOf(word: string): TermGroup {
    return this.#word(word)?.group ?? termGroup(this.#analyzer, word);
  }

  knownIn(word: string): number {
    return this.#word(word)?.frequency ?? 0;
  }

  splitsOf(word: string): readonly (readonly string[])[] {
    const mayOccur = (part: string): boolean => {
      work.spend(STEPS_OF_PART);
      return termGroup(this.#analyzer, part).alternatives.some(({ term }) => this.mayOccur(term));
    };
    const { compounds } = this.#analyzer.data;
    return (
      this.#splits.get(word) ??
      this.#splits.keep(
        word,
        splitsOf(word, (part) => this.knownIn(part), compounds, mayOccur),
      )
    );
  }

  /** Null: no product has a form of it. */
  #word(word: string): KnownWord | null {
    const known = this.#words.get(word);
    if (known !== undefined) return known;
    if (this.#unknown.has(word)) return null;
    const group = termGroup(this.#analyzer, word);
    let frequency = 0;
    for (const { term } of group.alternatives) {
      if (this.mayOccur(term)) frequency = Math.max(frequency, this.frequencyOf(term));
    }
    if (frequency > 0) return this.#words.keep(word, { group, frequency });
    this.#unknown.keep(word, true);
    return null;
  }
}

export class ReaderDictionary extends KnownWords {
  readonly #segments: readonly LiveSegment[];
  readonly #terms = new Memo<KnownTerm>();
  readonly #similar = new Memo<readonly SimilarTerm[]>();
  readonly #prefixes = new Memo<number>();

  constructor(reader: Reader, analyzer: Analyzer) {
    super(analyzer);
    this.#segments = reader.segments;
  }

  #term(term: string): KnownTerm {
    const known = this.#terms.get(term);
    if (known !== undefined) return known;
    const lists = new Int32Array(this.#segments.length);
    let frequency = 0;
    for (let s = 0; s < lists.length; s++) {
      const live = this.#segments[s];
      lists[s] = live.segment.terms.find(term);
      if (lists[s] >= 0) frequency += liveFrequency(live, lists[s]);
    }
    return this.#terms.keep(term, { lists, frequency });
  }

  /** The list of a term per segment, or -1. */
  lists(term: string): Int32Array {
    return this.#term(term).lists;
  }

  frequencyOf(term: string): number {
    return this.#term(term).frequency;
  }

  /** Not cached, because most lookups are parts of words. */
  mayOccur(term: string): boolean {
    return this.#segments.some(({ segment }) => segment.terms.find(term) >= 0);
  }

  similarTo(word: string, likeness: Likeness): readonly SimilarTerm[] {
    work.spend(STEPS_OF_SIMILAR);
    const key = similarKey(word, likeness);
    const most = MOST_SIMILAR[likeness.kind];
    return this.#similar.get(key) ?? this.#similar.keep(key, similarTo(this.#segments, word, likeness).slice(0, most));
  }

  prefixFrequency(prefix: string): number {
    return this.#prefixes.get(prefix) ?? this.#prefixes.keep(prefix, prefixFrequency(this.#segments, prefix));
  }

  override get sizeBytes(): number {
    let entries = this.#terms.size + this.#prefixes.size;
    for (const { length } of this.#similar.values()) entries += 1 + length;
    return super.sizeBytes + entries * ENTRY_BYTES;
  }
}

export function similarKey(word: string, likeness: Likeness): string {
  switch (likeness.kind) {
    case "typos":
      return `${likeness.edits} ${word}`;
    case "firstLetter":
      return `first ${word}`;
    case "compounds":
      return `compounds ${likeness.minPartLength} ${word}`;
    case "fuzziness":
      return `fuzziness ${likeness.value} ${word}`;
    case "ngrams":
      return `ngrams ${likeness.share} ${word}`;
  }
}

const dictionaries = new WeakMap<Reader, Map<string, ReaderDictionary>>();

/** Returns the same object for the same reader and language. */
export function dictionaryOf(reader: Reader, analyzer: Analyzer): ReaderDictionary {
  const ofReader = getOrInsert(dictionaries, reader, () => new Map<string, ReaderDictionary>());
  return getOrInsert(ofReader, analyzer.language, () => new ReaderDictionary(reader, analyzer));
}

export function dictionaryBytes(reader: Reader): number {
  const known = dictionaries.get(reader)?.values() ?? [];
  return [...known].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}
