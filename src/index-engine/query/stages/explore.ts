/**
 * What a dictionary says of the words of a query: of one reader, and summed over the shards of an index.
 *
 * A reader that searches alone asks its own dictionary, word by word. With several shards every shard sends all that may be needed with its
 * survey (`explore`), where a search without stages, or stages that need it, are left to ask. The sums are the dictionary then
 * (`ExploredSource`), so all shards expand words alike (invariant I4).
 */
import { QUERY_GRAMMAR } from "../../../interface/configuration-query.ts";
import type { Analyzer } from "../../analysis/index.ts";
import {
  autoFuzziness,
  joinsOf,
  mergeNgrams,
  mergeTypos,
  prefixFrequency,
  splitLookups,
  splitsOf,
  surveyFuzzy,
  surveyNgrams,
  surveyTypos,
  typoBudget,
  type EditBudget,
  type NgramTerm,
  type TypoTerm,
} from "../../expansion/index.ts";
import { STEM_PREFIX, type LiveSegment } from "../../model.ts";
import { liveFrequency, type Reader } from "../../reader.ts";
import type { TextQuery, WordQuery } from "../plan.ts";
import { ANY_FIRST_LETTER, CORRECTION, KNOWN_CORRECTION } from "../relevance/corrections.ts";
import { MIN_PREFIX_LENGTH } from "../word-builder.ts";
import { numberFormsOf, withoutElision } from "./expand.ts";
import type { ExpansionSource, TypoSetting } from "./source.ts";
import type { Expansions } from "./stage.ts";

/** Plain data. Keys as `typoKey` and so on make them. */
export interface Exploration {
  /** Live products per term looked up; 0 left out. */
  readonly frequencies: readonly (readonly [string, number])[];
  readonly typos: readonly (readonly [string, readonly TypoTerm[]])[];
  readonly ngrams: readonly (readonly [string, readonly NgramTerm[]])[];
  /** Sums of frequencies per prefix. */
  readonly prefixes: readonly (readonly [string, number])[];
}

/** What all readers of an index know of the words of a plan. Plain data. */
export interface Explored {
  /** Null: nobody was asked. */
  readonly exploration: Exploration | null;
  /** Live products of the plan's terms. */
  readonly frequencies: readonly (readonly [string, number])[];
}

const EMPTY: Exploration = { frequencies: [], typos: [], ngrams: [], prefixes: [] };

/** All that any stage of the searches asks about. */
interface ExplorationNeeds {
  readonly terms: ReadonlySet<string>;
  readonly typos: ReadonlyMap<string, readonly [string, TypoSetting]>;
  readonly ngrams: ReadonlyMap<string, readonly [string, number]>;
  readonly prefixes: ReadonlySet<string>;
}

/** @param queries searches for words that need the dictionary */
export function explorationNeeds(
  queries: readonly TextQuery[],
  analyzer: Analyzer,
): ExplorationNeeds {
  const needs = new NeedsBuilder(analyzer);
  for (const query of queries) {
    if (query.kind === "stages") {
      for (const { expansions } of query.stages) needs.addStage(query.words, expansions);
    } else if (query.kind === "relevance") needs.addAll(query.words);
  }
  return needs;
}

class NeedsBuilder implements ExplorationNeeds {
  readonly terms = new Set<string>();
  readonly typos = new Map<string, readonly [string, TypoSetting]>();
  readonly ngrams = new Map<string, readonly [string, number]>();
  readonly prefixes = new Set<string>();
  readonly #analyzer: Analyzer;

  constructor(analyzer: Analyzer) {
    this.#analyzer = analyzer;
  }

  addStage(words: WordQuery, expansions: Expansions): void {
    const sequence = words.sequence.map((at) => words.terms[at]);
    words.terms.forEach((word) => this.#addWord(word));
    if (expansions.joins) this.#addJoins(sequence);
    if (expansions.splits) this.#addSplits(words);
    if (expansions.prefix) this.#addPrefix(sequence);
    for (const word of words.terms) {
      if (expansions.typos !== null) {
        this.#addTypos(word, expansions.typos);
        this.#addTypos(this.#analyzer.stem(word), expansions.typos);
      }
      if (expansions.ngrams !== null) {
        this.ngrams.set(ngramKey(word, expansions.ngrams), [word, expansions.ngrams]);
      }
    }
  }

  /** What readings of words may ask (relevance/readings.ts). */
  addAll(words: WordQuery): void {
    const sequence = words.sequence.map((at) => words.terms[at]);
    words.terms.forEach((word) => this.#addWord(word));
    for (const synonym of words.synonyms) synonym.words.forEach((word) => this.#addWord(word));
    this.#addJoins(sequence);
    this.#addSplits(words);
    this.#addPrefix(sequence);
    for (const word of words.terms) {
      this.#addTypos(word, CORRECTION);
      this.#addTypos(this.#analyzer.stem(word), CORRECTION);
      this.#addTypos(word, ANY_FIRST_LETTER);
      this.#addTypos(word, KNOWN_CORRECTION);
    }
  }

  #addWord(word: string): void {
    for (const form of formsOf(this.#analyzer, word)) this.terms.add(form);
  }

  #addJoins(sequence: readonly string[]): void {
    for (const { term } of joinsOf(sequence, this.#analyzer.data.compounds)) this.#addWord(term);
  }

  #addSplits(words: WordQuery): void {
    for (const word of words.terms) {
      for (const part of splitLookups(word, this.#analyzer.data.compounds)) this.#addWord(part);
      for (const rest of withoutElision(word, this.#analyzer)) this.#addWord(rest);
    }
    for (const { alternatives } of numberFormsOf(words)) {
      for (const form of alternatives) form.forEach((word) => this.#addWord(word));
    }
  }

  #addPrefix(sequence: readonly string[]): void {
    const last = sequence.at(-1);
    if (last !== undefined && last.length >= MIN_PREFIX_LENGTH) this.prefixes.add(last);
  }

  #addTypos(word: string, setting: TypoSetting): void {
    this.typos.set(typoKey(word, setting), [word, setting]);
  }
}

/** All that is asked, of one reader. */
export function explore({ segments }: Reader, needs: ExplorationNeeds): Exploration {
  const frequencies: [string, number][] = [];
  for (const term of needs.terms) {
    const lists = Int32Array.from(segments, ({ segment }) => segment.terms.find(term));
    const frequency = frequencyOfLists(segments, lists);
    if (frequency > 0) frequencies.push([term, frequency]);
  }
  return {
    frequencies,
    typos: [...needs.typos].map(([key, [word, setting]]) => [
      key,
      typosIn(segments, word, setting),
    ]),
    ngrams: [...needs.ngrams].map(([key, [word, share]]) => [
      key,
      surveyNgrams(segments, word, share),
    ]),
    prefixes: [...needs.prefixes].map((prefix) => [prefix, prefixFrequency(segments, prefix)]),
  };
}

/** Of shards, or of indexes. Lists stay whole: they are cut where they are read. */
export function mergeExplorations(all: readonly (Exploration | null)[]): Exploration | null {
  const parts = all.filter((one) => one !== null);
  if (parts.length === 0) return null;
  return {
    frequencies: sums(parts.map(({ frequencies }) => frequencies)),
    prefixes: sums(parts.map(({ prefixes }) => prefixes)),
    typos: grouped(parts.map(({ typos }) => typos)).map(([key, lists]) => [
      key,
      mergeTypos(lists, Infinity),
    ]),
    ngrams: grouped(parts.map(({ ngrams }) => ngrams)).map(([key, lists]) => [
      key,
      mergeNgrams(lists, Infinity),
    ]),
  };
}

/** What follows from the frequencies: every stage asks it again of the same words. */
abstract class KnownWords {
  abstract readonly frequencyOf: (this: void, term: string) => number;
  /** False only where `frequencyOf` is 0. */
  abstract mayOccur(term: string): boolean;
  readonly #analyzer: Analyzer;
  readonly #known = new Map<string, number>();
  readonly #splits = new Map<string, readonly (readonly string[])[]>();

  constructor(analyzer: Analyzer) {
    this.#analyzer = analyzer;
  }

  /** Words that something is kept of. */
  protected get knownCount(): number {
    return this.#known.size + this.#splits.size;
  }

  readonly knownIn = (word: string): number =>
    memoised(this.#known, word, () =>
      Math.max(...formsOf(this.#analyzer, word).map(this.frequencyOf)),
    );

  splitsOf(word: string): readonly (readonly string[])[] {
    return memoised(this.#splits, word, () =>
      splitsOf(word, this.knownIn, this.#analyzer.data.compounds, (part) =>
        formsOf(this.#analyzer, part).some((form) => this.mayOccur(form)),
      ),
    );
  }
}

/** Explorations as a source. */
export class ExploredSource extends KnownWords implements ExpansionSource {
  readonly #frequencies: ReadonlyMap<string, number>;
  readonly #typos: ReadonlyMap<string, readonly TypoTerm[]>;
  readonly #ngrams: ReadonlyMap<string, readonly NgramTerm[]>;
  readonly #prefixes: ReadonlyMap<string, number>;

  constructor(explored: Explored, analyzer: Analyzer) {
    super(analyzer);
    const { frequencies, typos, ngrams, prefixes } = explored.exploration ?? EMPTY;
    this.#frequencies = new Map([
      ...frequencies,
      ...[...typos, ...ngrams].flatMap(([, terms]) =>
        terms.map((one): [string, number] => [one.term, one.documentFrequency]),
      ),
      ...explored.frequencies,
    ]);
    this.#typos = new Map(typos.map(([key, terms]) => [key, mergeTypos([terms])]));
    this.#ngrams = new Map(ngrams.map(([key, terms]) => [key, mergeNgrams([terms])]));
    this.#prefixes = new Map(prefixes);
  }

  readonly frequencyOf = (term: string): number => this.#frequencies.get(term) ?? 0;

  mayOccur(term: string): boolean {
    return this.frequencyOf(term) > 0;
  }

  typosOf(word: string, setting: TypoSetting): readonly TypoTerm[] {
    return this.#typos.get(typoKey(word, setting)) ?? [];
  }

  ngramsOf(word: string, share: number): readonly NgramTerm[] {
    return this.#ngrams.get(ngramKey(word, share)) ?? [];
  }

  prefixFrequency(prefix: string): number {
    return this.#prefixes.get(prefix) ?? 0;
  }
}

/**
 * The dictionary of one reader, asked when it is needed. Shoppers ask for the same words again and again, and a reader never changes: what it
 * says of a word is kept as long as the reader, for so many words.
 */
export class ReaderDictionary extends KnownWords implements ExpansionSource {
  readonly #segments: readonly LiveSegment[];
  readonly #lists = new Map<string, Int32Array>();
  readonly #frequencies = new Map<string, number>();
  readonly #typos = new Map<string, readonly TypoTerm[]>();
  readonly #ngrams = new Map<string, readonly NgramTerm[]>();
  readonly #prefixes = new Map<string, number>();

  constructor(reader: Reader, analyzer: Analyzer) {
    super(analyzer);
    this.#segments = reader.segments;
  }

  /** The list of a term per segment, -1 where a segment has none. */
  lists(term: string): Int32Array {
    return memoised(this.#lists, term, () =>
      Int32Array.from(this.#segments, ({ segment }) => segment.terms.find(term)),
    );
  }

  readonly frequencyOf = (term: string): number =>
    memoised(this.#frequencies, term, () => frequencyOfLists(this.#segments, this.lists(term)));

  /** Not kept: most of what is asked are letters of words, not words. */
  mayOccur(term: string): boolean {
    return this.#segments.some(({ segment }) => segment.terms.find(term) >= 0);
  }

  typosOf(word: string, setting: TypoSetting): readonly TypoTerm[] {
    return memoised(this.#typos, typoKey(word, setting), () =>
      mergeTypos([typosIn(this.#segments, word, setting)]),
    );
  }

  ngramsOf(word: string, share: number): readonly NgramTerm[] {
    return memoised(this.#ngrams, ngramKey(word, share), () =>
      mergeNgrams([surveyNgrams(this.#segments, word, share)]),
    );
  }

  prefixFrequency(prefix: string): number {
    return memoised(this.#prefixes, prefix, () => prefixFrequency(this.#segments, prefix));
  }

  /** About what is kept. */
  get sizeBytes(): number {
    const kept = this.#lists.size + this.#frequencies.size + this.#prefixes.size + this.knownCount;
    const similar = [...this.#typos.values(), ...this.#ngrams.values()];
    return (
      kept * ENTRY_BYTES + similar.reduce((sum, { length }) => sum + (1 + length) * ENTRY_BYTES, 0)
    );
  }
}

/** An entry of a Map with its key, roughly. */
const ENTRY_BYTES = 100;
/** What is kept of one kind; all of it is forgotten when there is more. */
const MOST_KEPT = 4_096;

const dictionaries = new WeakMap<Reader, Map<string, ReaderDictionary>>();

/** The same for the same reader and language. */
export function dictionaryOf(reader: Reader, analyzer: Analyzer): ReaderDictionary {
  let ofReader = dictionaries.get(reader);
  if (ofReader === undefined) dictionaries.set(reader, (ofReader = new Map()));
  let dictionary = ofReader.get(analyzer.language);
  if (dictionary === undefined) {
    ofReader.set(analyzer.language, (dictionary = new ReaderDictionary(reader, analyzer)));
  }
  return dictionary;
}

/** Memory that is kept of words of the reader. */
export function dictionaryBytes(reader: Reader): number {
  const known = dictionaries.get(reader)?.values() ?? [];
  return [...known].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}

/** By our own rule a word of three letters may be one of four that lost one ("xbx"). */
function typosIn(
  segments: readonly LiveSegment[],
  word: string,
  setting: TypoSetting,
): readonly TypoTerm[] {
  switch (setting.kind) {
    case "own": {
      const budget = Math.min(typoBudget(word), setting.edits) as EditBudget;
      if (budget === 0) {
        const isShort = [...word].length === SHORT_WORD && !/\p{Nd}/u.test(word);
        if (!isShort) return [];
        const longer = ({ term }: TypoTerm): boolean => [...term].length > SHORT_WORD;
        return surveyTypos(segments, word, 1).filter(longer);
      }
      return surveyTypos(segments, word, budget);
    }
    case "fuzziness": {
      const budget = fuzzinessOf(word, setting.value);
      return budget === 0 ? [] : surveyFuzzy(segments, word, budget);
    }
  }
}

const SHORT_WORD = 3;

/** Never for what holds a digit. */
function fuzzinessOf(word: string, text: string): EditBudget {
  const fuzziness = QUERY_GRAMMAR.fuzziness.read(text);
  if (fuzziness === null || /\p{Nd}/u.test(word)) return 0;
  switch (fuzziness.kind) {
    case "auto":
      return autoFuzziness(word);
    case "lengths": {
      const letters = [...word].length;
      return letters < fuzziness.low ? 0 : letters < fuzziness.high ? 1 : 2;
    }
    case "edits":
      return fuzziness.edits;
  }
}

/** Live products of a term. @param lists per segment, -1 where it has none */
function frequencyOfLists(segments: readonly LiveSegment[], lists: Int32Array): number {
  let frequency = 0;
  for (let s = 0; s < lists.length; s++) {
    if (lists[s] >= 0) frequency += liveFrequency(segments[s], lists[s]);
  }
  return frequency;
}

function formsOf(analyzer: Analyzer, word: string): readonly string[] {
  const stem = analyzer.stem(word);
  return [word, stem, STEM_PREFIX + stem];
}

function typoKey(word: string, setting: TypoSetting): string {
  return `${setting.kind === "own" ? setting.edits : setting.value} ${word}`;
}

function ngramKey(word: string, share: number): string {
  return `${share} ${word}`;
}

function memoised<T>(memo: Map<string, T>, key: string, make: () => T): T {
  const known = memo.get(key);
  if (known !== undefined) return known;
  const made = make();
  if (memo.size >= MOST_KEPT) memo.clear();
  memo.set(key, made);
  return made;
}

function sums(lists: readonly (readonly (readonly [string, number])[])[]): [string, number][] {
  const total = new Map<string, number>();
  for (const list of lists) {
    for (const [key, value] of list) total.set(key, (total.get(key) ?? 0) + value);
  }
  return [...total];
}

function grouped<T>(
  parts: readonly (readonly (readonly [string, readonly T[]])[])[],
): [string, (readonly T[])[]][] {
  const lists = new Map<string, (readonly T[])[]>();
  for (const part of parts) {
    for (const [key, list] of part) {
      const known = lists.get(key);
      if (known === undefined) lists.set(key, [list]);
      else known.push(list);
    }
  }
  return [...lists];
}
