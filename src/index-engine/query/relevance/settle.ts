/**
 * Decides searches without stages, for all indexes of a tenant together. Asks the readers in this order:
 *
 *   parts     which products have parts of unknown words?    if there are such words
 *   match     what do the words find?                        always; returns the number of products
 *                                                            with all words, the best cut value and the voters,
 *                                                            and how many products have each correction of a word
 *                                                            with the other words (agreeing.ts)
 *   evidence  what do other readings of known words find?    if fewer than `enough` products have
 *                                                            all words, or neighbours may be one word
 *   match     as before                                      if a reading has changed
 *   match     with the lower cut                             if too few products fill a page
 *
 * Most searches need one round.
 */
import type { SimilarTerm } from "../expansion/index.ts";
import type { TermGroup } from "../rank/index.ts";
import type { PreparedIndex } from "../global-statistics.ts";
import { basisFilters, filtersOfSearch } from "../known-fields.ts";
import type { Settled } from "../plan.ts";
import { reaches } from "../core/requirements.ts";
import { Weigher } from "../weigh.ts";
import { EVIDENCE, FULL_PAGE, SPLIT } from "./policy.ts";
import {
  isFilledWith,
  NOTHING_ASKED,
  type Ask,
  type CountQuestion,
  type MatchQuestion,
  type MatchSummary,
  type IndexAnswers,
} from "./questions.ts";
import { candidatesOf } from "./corrections.ts";
import { agreeing, comparedCorrections } from "./agreeing.ts";
import { withMatchWeights, withModestOptionals } from "./match-weights.ts";
import { readWords, type Read, type ReadingInput } from "./readings.ts";
import { compareByValue, compareByVote, NO_VOTES, votesOf } from "./votes.ts";

type Settling<T> = Generator<readonly Ask[], T, readonly IndexAnswers[]>;

/** Between parts of the work. */
const NOTHING_YET: readonly Ask[] = [];

/**
 * By index, then by search; null for searches with stages or without words.
 * @param settled searches of the only index that are settled already; null: not yet
 */
export function* settleAll(
  indexes: readonly PreparedIndex[],
  settled: readonly (Settled | null)[],
): Settling<readonly (readonly (Settled | null)[])[]> {
  const all: (Search | null)[] = [];
  for (const i of (indexes[0]?.plan.searches ?? []).keys()) {
    const search = (settled[i] ?? null) === null ? new Search(indexes, i) : null;
    for (const reading of search?.readings ?? []) yield* reading.readWords();
    all.push(search);
    yield NOTHING_YET;
  }
  const searches = all.flatMap((search) => (search === null || search.readings.length === 0 ? [] : [search]));
  const match = (some: readonly Search[]): Settling<void> => matchAll(indexes.length, some);
  yield* replaceUnknown(searches);
  yield* match(searches);
  yield* match(yield* correctKnown(searches));
  const sparse = searches.filter((search) => search.isSparse());
  for (const search of sparse) search.cutThousandths = search.settings.lowCutThousandths;
  yield* match(sparse);
  return indexes.map((_, index) => all.map((search, i) => search?.settledFor(index) ?? settled[i] ?? null));
}

/** One search in one index. */
class IndexReading {
  readonly index: number;
  readonly search: number;
  readonly input: ReadingInput;
  readonly #prepared: PreparedIndex;
  readonly splits = new Map<string, readonly string[]>();
  readonly corrections = new Map<string, readonly SimilarTerm[]>();
  readonly joins = new Set<string>();
  readonly unwanted = new Set<string>();
  #read: Read | null = null;
  #filters: CountQuestion["filters"] | null = null;

  constructor(prepared: PreparedIndex, index: number, search: number, input: ReadingInput) {
    this.#prepared = prepared;
    this.index = index;
    this.search = search;
    this.input = input;
  }

  get read(): Read {
    if (this.#read === null) throw new Error("the words were not read");
    return this.#read;
  }

  /** Reads the words, with the evidence found so far. */
  *readWords(): Settling<void> {
    const { source, analyzer, globals } = this.#prepared;
    const reading = readWords(this.input, source, analyzer, this);
    let step = reading.next();
    while (step.done !== true) {
      yield NOTHING_YET;
      step = reading.next();
    }
    const read = step.value;
    const weigher = new Weigher(source, globals.statistics.productCount);
    const weighed = withMatchWeights(weigher.words(read.asked), analyzer);
    this.#read = { ...read, asked: withModestOptionals(weighed, analyzer) };
  }

  /** The part of questions that describes the basis. */
  get #question(): Omit<CountQuestion, "groups"> {
    const { plan, globals } = this.#prepared;
    const search = plan.searches[this.search];
    this.#filters ??= basisFilters(search, filtersOfSearch(search, globals.known));
    return { asked: this.read.asked, filters: this.#filters };
  }

  count(groups: readonly TermGroup[]): CountQuestion {
    return { ...this.#question, groups };
  }

  match(cutThousandths: number): MatchQuestion {
    const { search } = this;
    const { settings } = this.input;
    const { statistics, hasHeads } = this.#prepared.globals;
    return { ...this.#question, search, settings, cutThousandths, statistics, hasHeads };
  }

  /** The parts of an unknown word, adjacent in a title; anywhere in languages with compounds. */
  near(parts: readonly string[]): TermGroup[] {
    const hasCompounds = this.#prepared.analyzer.data.compounds !== null;
    return hasCompounds ? this.anywhere(parts) : this.adjacent(parts);
  }

  /** Products with the other words and one correction, by word and correction. */
  comparisons(): { readonly key: string; readonly question: CountQuestion }[] {
    const { groups } = this.read.asked;
    const { source } = this.#prepared;
    return comparedCorrections(this.read.asked).map(({ word, term, key }) => ({
      key,
      question: this.count(groups.map((group) => (group.word === word ? source.groupOf(term) : group))),
    }));
  }

  /** Words adjacent in a title. */
  adjacent(parts: readonly string[]): TermGroup[] {
    const groups = this.anywhere(parts);
    const slop = 0;
    const sub = { kind: "all", groups, factor: 1, slop, origin: "split" } as const;
    return [{ word: parts.join(" "), alternatives: [], subQueries: [sub] }];
  }

  anywhere(parts: readonly string[]): TermGroup[] {
    return parts.map((part) => this.#prepared.source.groupOf(part));
  }

  /**
   * Other readings of known words: corrections by frequency if few products have all words, and adjacent words as one
   * word, which products counted so far may have.
   */
  suspicions(areFew: boolean): Suspicion[] {
    if (!this.input.settings.correctKnownWords) return [];
    const { source, analyzer, globals } = this.#prepared;
    const { groups } = this.read.asked;
    const { terms } = this.input.words;
    const { productCount } = globals.statistics;
    const typos = groups.flatMap(({ word }) => {
      if (!areFew || !terms.includes(word) || source.knownIn(word) === 0) return [];
      const found = candidatesOf(word, groups.length === 1, productCount, source, analyzer);
      return found.map((one): Suspicion => ({
        reading: this,
        key: `${word} ${one.term}`,
        otherwise: groups.map((group) => (group.word === word ? source.groupOf(one.term) : group)),
        own: null,
        factor: EVIDENCE.products,
        accept: ({ corrections }) => {
          const known = corrections.get(word) ?? [];
          if (known.some(({ term }) => term === one.term)) return;
          corrections.set(word, [...known, one]);
        },
      }));
    });
    const joins = this.read.joins
      .filter(({ parts }) => parts.every((part) => groups.some(({ word }) => word === part)))
      .map(({ word, parts }): Suspicion => {
        const others = groups.filter((group) => !parts.includes(group.word));
        const known = parts.filter((part) => source.knownIn(part) > 0);
        return {
          reading: this,
          key: word,
          otherwise: [...others, source.groupOf(word)],
          own: [...others, ...this.anywhere(known)],
          // An unknown part is sufficient evidence.
          factor: known.length < parts.length ? 1 : EVIDENCE.products,
          accept: (reading) => void reading.joins.add(word),
        };
      });
    return [...typos, ...joins];
  }
}

/** A possible other reading of known words. */
interface Suspicion {
  readonly reading: IndexReading;
  /** Equal for the same reading in several indexes. */
  readonly key: string;
  /** The words of the search with this reading. */
  readonly otherwise: readonly TermGroup[];
  /** The words as typed, or null if they are the same as in the earlier question. */
  readonly own: readonly TermGroup[] | null;
  /** Required ratio of its products to products with the words as typed. */
  readonly factor: number;
  readonly accept: (reading: IndexReading) => void;
}

/** One search in all indexes, and their joint results. */
class Search {
  /** The readings of the indexes in which the search is decided here. */
  readonly readings: readonly IndexReading[];
  cutThousandths: number;
  found: readonly MatchSummary[] = [];
  /** By `key` of comparisons: the number of products in all indexes. */
  agreements: ReadonlyMap<string, number> = new Map();

  constructor(indexes: readonly PreparedIndex[], search: number) {
    this.readings = indexes.flatMap((index, i) => {
      const { query, weights } = index.plan.searches[search];
      return query.kind === "relevance" ? [new IndexReading(index, i, search, { ...query, weights })] : [];
    });
    this.cutThousandths = this.readings[0]?.input.settings.cutThousandths ?? 0;
  }

  get settings(): ReadingInput["settings"] {
    return this.readings[0].input.settings;
  }

  get completeCount(): number {
    return this.found.reduce((sum, { completeCount }) => sum + completeCount, 0);
  }

  get #bestValue(): number {
    return this.found.reduce((best, { bestValue }) => Math.max(best, bestValue), 0);
  }

  #isBelonging(value: number): boolean {
    return reaches(value, this.#bestValue, this.cutThousandths);
  }

  /** Whether there are too few products for a page. */
  isSparse(): boolean {
    const { completeCount, settings } = this;
    if (!isFilledWith(this.readings[0].read.asked, settings, completeCount)) return false;
    if (this.cutThousandths <= settings.lowCutThousandths) return false;
    const partial = this.found.flatMap(({ partialValues }) => partialValues);
    return completeCount + partial.filter((value) => this.#isBelonging(value)).length < FULL_PAGE;
  }

  settledFor(index: number): Settled | null {
    const reading = this.readings.find((one) => one.index === index);
    if (reading === undefined) return null;
    const { asked } = reading.read;
    const { settings } = reading.input;
    const { completeCount, cutThousandths } = this;
    const isFilled = isFilledWith(asked, settings, completeCount);
    const found = this.found.flatMap((one) => one.voters);
    const voters = isFilled
      ? found.filter(({ isComplete, value }) => isComplete || this.#isBelonging(value)).sort(compareByValue)
      : found.filter(({ isComplete }) => isComplete).sort(compareByVote);
    const settlement = {
      completeCount,
      isFilled,
      bestValue: this.#bestValue,
      cutThousandths,
      votes: settings.categoryFeedback ? votesOf(voters, isFilled) : NO_VOTES,
      isBrandAndKindFirst:
        isFilled && this.found.some(({ bestBrandAndKind: value }) => value > 0 && this.#isBelonging(value)),
    };
    return { asked: agreeing(asked, this.agreements), settlement };
  }
}

/**
 * Finds unknown words that are several words written together. Their parts must be adjacent in some
 * title, unless a correction is far more frequent. Otherwise the parts may be anywhere, if more
 * products have them than any correction.
 */
function* replaceUnknown(searches: readonly Search[]): Settling<void> {
  const open = searches.flatMap(({ readings }) =>
    readings.filter(({ read }) => read.open.length > 0 || read.negations.length > 0),
  );
  if (open.length === 0) return;
  const keyOf = (...words: readonly string[]): string => words.join(" ");
  const counted = yield* count(
    open.flatMap((reading) => [
      ...reading.read.negations.map((pair) => ({
        reading,
        key: keyOf("said", ...pair),
        groups: reading.adjacent(pair),
      })),
      ...reading.read.open.flatMap(({ word, splits }) =>
        splits.flatMap((parts) => [
          { reading, key: keyOf("together", word, ...parts), groups: reading.near(parts) },
          { reading, key: keyOf("anywhere", word, ...parts), groups: reading.anywhere(parts) },
        ]),
      ),
    ]),
  );
  for (const reading of open) {
    for (const pair of reading.read.negations) {
      if (counted(reading, keyOf("said", ...pair)) === 0) reading.unwanted.add(pair[1]);
    }
    for (const { word, splits, correctionFrequency } of reading.read.open) {
      const best = (place: string): readonly string[] | null => {
        const counts = splits.map((parts) => counted(reading, keyOf(place, word, ...parts)));
        const most = Math.max(...counts);
        const factor = place === "together" ? SPLIT.likelier : 1;
        return most > 0 && most * factor > correctionFrequency ? splits[counts.indexOf(most)] : null;
      };
      const parts = best("together") ?? best("anywhere");
      if (parts !== null) reading.splits.set(word, parts);
    }
    yield* reading.readWords();
  }
}

function* matchAll(indexCount: number, searches: readonly Search[]): Settling<void> {
  if (searches.length === 0) return;
  const asks = Array.from({ length: indexCount }, () => ({
    matches: [] as MatchQuestion[],
    counts: [] as CountQuestion[],
    /** Of each count: the sums that it belongs to, and its key there. */
    sums: [] as (readonly [Map<string, number>, string])[],
  }));
  for (const search of searches) {
    const agreements = new Map<string, number>();
    search.agreements = agreements;
    for (const one of search.readings) {
      const { matches, counts, sums } = asks[one.index];
      matches.push(one.match(search.cutThousandths));
      for (const { key, question } of one.comparisons()) {
        counts.push(question);
        sums.push([agreements, key]);
      }
    }
  }
  const answers = yield asks.map(({ matches, counts }) => ({ matches, counts }));
  for (const { index, counts } of answers) {
    for (const [i, [sums, key]] of asks[index].sums.entries()) sums.set(key, (sums.get(key) ?? 0) + (counts[i] ?? 0));
  }
  for (const one of searches) {
    const { search } = one.readings[0];
    one.found = answers.flatMap(({ matches }) => matches.filter((own) => own.search === search));
  }
}

/** Returns the searches whose reading has changed. */
function* correctKnown(searches: readonly Search[]): Settling<readonly Search[]> {
  const doubtful: { readonly search: Search; readonly suspicions: readonly Suspicion[] }[] = [];
  for (const search of searches) {
    const suspicions = search.readings.flatMap((reading) =>
      reading.suspicions(search.completeCount < reading.input.settings.enough),
    );
    if (suspicions.length === 0) continue;
    doubtful.push({ search, suspicions });
    yield NOTHING_YET;
  }
  if (doubtful.length === 0) return [];
  const counted = yield* count(
    doubtful.flatMap(({ suspicions }) =>
      suspicions.flatMap(({ reading, key, otherwise, own }) => [
        { reading, key: `otherwise ${key}`, groups: otherwise },
        ...(own === null ? [] : [{ reading, key: `own ${key}`, groups: own }]),
      ]),
    ),
  );
  const changed = doubtful.filter(({ search, suspicions }) => {
    const accepted = suspicions.filter(({ reading, key, own, factor }) => {
      const known = own === null ? search.completeCount : counted(reading, `own ${key}`);
      return counted(reading, `otherwise ${key}`) >= factor * Math.max(1, known);
    });
    for (const { accept } of accepted) search.readings.forEach(accept);
    return accepted.length > 0;
  });
  for (const { search } of changed) {
    for (const reading of search.readings) yield* reading.readWords();
  }
  return changed.map(({ search }) => search);
}

/** Counts products of all readers, by search and key. */
function* count(
  questions: readonly {
    readonly reading: IndexReading;
    readonly key: string;
    readonly groups: readonly TermGroup[];
  }[],
): Settling<(reading: IndexReading, key: string) => number> {
  const sums = new Map<string, number>();
  if (questions.length > 0) {
    const indexCount = Math.max(...questions.map(({ reading }) => reading.index)) + 1;
    const byIndex = Array.from({ length: indexCount }, (_, index) =>
      questions.filter(({ reading }) => reading.index === index),
    );
    const answers = yield byIndex.map((own) => ({
      ...NOTHING_ASKED,
      counts: own.map(({ reading, groups }) => reading.count(groups)),
    }));
    for (const { index, counts } of answers) {
      counts.forEach((found, i) => {
        const { reading, key } = byIndex[index][i];
        const name = `${reading.search} ${key}`;
        sums.set(name, (sums.get(name) ?? 0) + found);
      });
    }
  }
  return ({ search }, key) => sums.get(`${search} ${key}`) ?? 0;
}
