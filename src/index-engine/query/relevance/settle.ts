/**
 * Decides searches without stages, of all indexes of a tenant together. Asks the readers, in this order:
 *
 *   parts       which products have the parts of unknown words?      where there are such words
 *   match       what do the words find?                              how many products have all words, the best cut value, the voters
 *   evidence    what do other readings of known words find?          where fewer than `enough` products have all words
 *   match       as before                                            where a word is read otherwise now
 *   match       with the lower cut                                   where too few products for a page belong
 *
 * Most searches ask once.
 */
import type { SimilarTerm } from "../../expansion/index.ts";
import type { TermGroup } from "../../rank/index.ts";
import type { SurveyedIndex } from "../survey.ts";
import { basisFilters } from "../known-fields.ts";
import type { Settlement, WordsAsked } from "../plan.ts";
import { reaches } from "../core/requirements.ts";
import { Weigher } from "../weigh.ts";
import { EVIDENCE, FULL_PAGE } from "./policy.ts";
import {
  isFilledWith,
  NOTHING_ASKED,
  type Ask,
  type CountQuestion,
  type MatchQuestion,
  type MatchSummary,
  type Told,
} from "./questions.ts";
import { candidatesOf } from "./corrections.ts";
import { readWords, withMatchWeights, type Read, type ReadingInput } from "./readings.ts";
import { compareVoters, NO_VOTES, votesOf } from "./votes.ts";

export interface Settled {
  readonly asked: WordsAsked;
  readonly settlement: Settlement;
}

type Settling<T> = Generator<readonly Ask[], T, readonly Told[]>;

/** By index, then by search; null for searches that stages, or no words, decide. */
export function* settleAll(
  indexes: readonly SurveyedIndex[],
): Settling<readonly (readonly (Settled | null)[])[]> {
  const searches = indexes[0]?.plan.searches.map((_, i) => i) ?? [];
  const settled: (readonly (Settled | null)[])[] = [];
  const readings = searches.map((search) =>
    indexes.flatMap((index, i) => {
      const { query, weights } = index.plan.searches[search];
      return query.kind === "relevance"
        ? [new IndexReading(index, i, search, { ...query, weights })]
        : [];
    }),
  );
  yield* replaceUnknown(readings);
  const open = readings.filter((all) => all.length > 0);
  const found = new Map<readonly IndexReading[], Totals>();
  yield* matchAll(indexes.length, open, found);
  const changed = yield* correctKnown(open, found);
  if (changed.length > 0) yield* matchAll(indexes.length, changed, found);
  const sparse = open.filter((all) => isSparse(all, found.get(all)));
  for (const reading of sparse.flat()) {
    reading.cutThousandths = reading.input.settings.lowCutThousandths;
  }
  yield* matchAll(indexes.length, sparse, found);
  for (let i = 0; i < indexes.length; i++) {
    settled.push(
      readings.map((all) => {
        const own = all.find(({ index }) => index === i);
        const totals = found.get(all);
        if (own === undefined || totals === undefined) return null;
        return { asked: own.asked, settlement: settlementOf(own, totals) };
      }),
    );
  }
  return settled;
}

/** One search as one index reads it. */
class IndexReading {
  readonly index: number;
  readonly search: number;
  readonly input: ReadingInput;
  readonly #surveyed: SurveyedIndex;
  readonly splits = new Map<string, readonly string[]>();
  readonly corrections = new Map<string, readonly SimilarTerm[]>();
  readonly joins = new Set<string>();
  cutThousandths: number;
  asked: WordsAsked;
  open: Read["open"];
  #neighbours: Read["joins"];

  constructor(surveyed: SurveyedIndex, index: number, search: number, input: ReadingInput) {
    this.#surveyed = surveyed;
    this.index = index;
    this.search = search;
    this.input = input;
    this.cutThousandths = input.settings.cutThousandths;
    const read = this.#read();
    this.asked = read.asked;
    this.open = read.open;
    this.#neighbours = read.joins;
  }

  #read(): Read {
    const { source, analyzer, survey } = this.#surveyed;
    const read = readWords(this.input, source, analyzer, this);
    const weigher = new Weigher(source, survey.statistics.productCount);
    return { ...read, asked: withMatchWeights(weigher.words(read.asked)) };
  }

  /** After evidence has come. */
  readAgain(): void {
    const { asked, open, joins } = this.#read();
    this.asked = asked;
    this.open = open;
    this.#neighbours = joins;
  }

  count(groups: readonly TermGroup[]): CountQuestion {
    const { plan, survey } = this.#surveyed;
    const filters = basisFilters(plan.searches[this.search], survey.known);
    return { groups, asked: this.asked, filters };
  }

  match(): MatchQuestion {
    const { plan, survey } = this.#surveyed;
    return {
      search: this.search,
      asked: this.asked,
      filters: basisFilters(plan.searches[this.search], survey.known),
      settings: this.input.settings,
      cutThousandths: this.cutThousandths,
      statistics: survey.statistics,
    };
  }

  /** The parts of an unknown word, side by side in a title; anywhere, where words of the language grow together. */
  together(parts: readonly string[]): TermGroup[] {
    const groups = this.anywhere(parts);
    if (this.#surveyed.analyzer.data.compounds !== null) return groups;
    const whole = { kind: "all", groups, factor: 1, slop: 0, origin: "split" } as const;
    return [{ word: parts.join(" "), alternatives: [], wholes: [whole] }];
  }

  anywhere(parts: readonly string[]): TermGroup[] {
    return parts.map((part) => this.#surveyed.source.groupOf(part));
  }

  /** What known words may be besides themselves: a misspelling, by frequency; or neighbours that are one word. */
  suspicions(): Suspicion[] {
    if (!this.input.settings.correctKnownWords) return [];
    const { source, analyzer, survey } = this.#surveyed;
    const { groups } = this.asked;
    const isAsked = (word: string): boolean => groups.some((group) => group.word === word);
    const { terms } = this.input.words;
    const typos = groups.flatMap(({ word }) => {
      if (!terms.includes(word) || source.knownIn(word) === 0) return [];
      const found = candidatesOf(word, survey.statistics.productCount, source, analyzer);
      return found.map((one): Suspicion => ({
        key: `${word} ${one.term}`,
        otherwise: groups.map((group) => (group.word === word ? source.groupOf(one.term) : group)),
        own: null,
        factor: EVIDENCE.products,
        accept: (reading) => {
          const known = reading.corrections.get(word) ?? [];
          if (known.every(({ term }) => term !== one.term)) {
            reading.corrections.set(word, [...known, one]);
          }
        },
      }));
    });
    const joins = this.#neighbours
      .filter(({ parts }) => parts.every(isAsked))
      .map(({ word, parts }): Suspicion => {
        const others = groups.filter((group) => !parts.includes(group.word));
        const known = parts.filter((part) => source.knownIn(part) > 0);
        return {
          key: word,
          otherwise: [...others, source.groupOf(word)],
          own: [...others, ...this.anywhere(known)],
          // A part that no product has is a reason by itself.
          factor: known.length < parts.length ? 1 : EVIDENCE.products,
          accept: (reading) => void reading.joins.add(word),
        };
      });
    return [...typos, ...joins];
  }
}

/** Known words may be meant otherwise. */
interface Suspicion {
  /** Equal for the same one in several indexes. */
  readonly key: string;
  /** The words of the search, read so. */
  readonly otherwise: readonly TermGroup[];
  /** As typed, where that is not what was asked before; null: it is. */
  readonly own: readonly TermGroup[] | null;
  /** Products that it must find for each that has the words as typed. */
  readonly factor: number;
  accept(reading: IndexReading): void;
}

/** All indexes together. */
interface Totals {
  readonly completeCount: number;
  readonly bestValue: number;
  readonly partialValues: readonly number[];
  readonly summaries: readonly MatchSummary[];
}

/**
 * Which unknown words are several words written together? Those whose parts some product has side by side in a title; or else anywhere, where
 * more products have them than any correction of the word.
 */
function* replaceUnknown(readings: readonly (readonly IndexReading[])[]): Settling<void> {
  const open = readings.flat().filter((reading) => reading.open.length > 0);
  const asked = open.flatMap((reading) =>
    reading.open.flatMap(({ word, splits }) => splits.map((parts) => ({ reading, word, parts }))),
  );
  if (asked.length === 0) return;
  const counts = yield* count([
    ...asked.map(({ reading, parts }) => ({ reading, groups: reading.together(parts) })),
    ...asked.map(({ reading, parts }) => ({ reading, groups: reading.anywhere(parts) })),
  ]);
  /** Products of all indexes. */
  const sums = { together: new Map<string, number>(), apart: new Map<string, number>() };
  const keyOf = (word: string, parts: readonly string[]): string => [word, ...parts].join(" ");
  asked.forEach(({ word, parts }, i) => {
    const key = keyOf(word, parts);
    sums.together.set(key, (sums.together.get(key) ?? 0) + counts[i]);
    sums.apart.set(key, (sums.apart.get(key) ?? 0) + counts[asked.length + i]);
  });
  for (const reading of open) {
    for (const { word, splits, correctionFrequency } of reading.open) {
      const together = mostFrequent(splits, (parts) => sums.together.get(keyOf(word, parts)) ?? 0);
      const apart = mostFrequent(splits, (parts) => sums.apart.get(keyOf(word, parts)) ?? 0);
      const isApart = together === null && (apart?.count ?? 0) > correctionFrequency;
      const best = isApart ? apart : together;
      if (best !== null) reading.splits.set(word, best.parts);
    }
    reading.readAgain();
  }
}

/** The parts that the most products have, of equal ones the first; null: no product has any. */
function mostFrequent(
  splits: readonly (readonly string[])[],
  countOf: (parts: readonly string[]) => number,
): { readonly parts: readonly string[]; readonly count: number } | null {
  let best: { readonly parts: readonly string[]; readonly count: number } | null = null;
  for (const parts of splits) {
    const count = countOf(parts);
    if (count > (best?.count ?? 0)) best = { parts, count };
  }
  return best;
}

function* matchAll(
  indexCount: number,
  searches: readonly (readonly IndexReading[])[],
  found: Map<readonly IndexReading[], Totals>,
): Settling<void> {
  if (searches.length === 0) return;
  const asks = Array.from({ length: indexCount }, (_, index) => ({
    ...NOTHING_ASKED,
    matches: searches.flat().flatMap((one) => (one.index === index ? [one.match()] : [])),
  }));
  const summaries = (yield asks).flatMap(({ matches }) => matches);
  for (const all of searches) {
    const own = summaries.filter(({ search }) => search === all[0]?.search);
    found.set(all, {
      completeCount: own.reduce((sum, { completeCount }) => sum + completeCount, 0),
      bestValue: own.reduce((best, { bestValue }) => Math.max(best, bestValue), 0),
      partialValues: own.flatMap(({ partialValues }) => partialValues),
      summaries: own,
    });
  }
}

/** Returns the searches that are read otherwise now. */
function* correctKnown(
  searches: readonly (readonly IndexReading[])[],
  found: ReadonlyMap<readonly IndexReading[], Totals>,
): Settling<readonly (readonly IndexReading[])[]> {
  const suspected = searches.flatMap((all) => {
    const completeCount = found.get(all)?.completeCount ?? 0;
    return all.flatMap((reading) =>
      completeCount >= reading.input.settings.enough
        ? []
        : reading.suspicions().map((suspicion) => ({ all, reading, suspicion, completeCount })),
    );
  });
  if (suspected.length === 0) return [];
  const counts = yield* count([
    ...suspected.map(({ reading, suspicion }) => ({ reading, groups: suspicion.otherwise })),
    ...suspected.map(({ reading, suspicion }) => ({ reading, groups: suspicion.own ?? [] })),
  ]);
  const changed = new Set<readonly IndexReading[]>();
  for (const { all, suspicion, completeCount } of suspected) {
    let otherwise = 0;
    let own = 0;
    suspected.forEach((other, i) => {
      if (other.all !== all || other.suspicion.key !== suspicion.key) return;
      otherwise += counts[i];
      own += counts[suspected.length + i];
    });
    const known = suspicion.own === null ? completeCount : own;
    if (otherwise < suspicion.factor * Math.max(1, known)) continue;
    changed.add(all);
    for (const reading of all) suspicion.accept(reading);
  }
  for (const all of changed) for (const reading of all) reading.readAgain();
  return [...changed];
}

/** Products of all readers, by question. */
function* count(
  questions: readonly { readonly reading: IndexReading; readonly groups: readonly TermGroup[] }[],
): Settling<readonly number[]> {
  const indexCount = Math.max(...questions.map(({ reading }) => reading.index)) + 1;
  const places: number[][] = Array.from({ length: indexCount }, () => []);
  const asks: { counts: CountQuestion[]; matches: MatchQuestion[] }[] = places.map(() => ({
    counts: [],
    matches: [],
  }));
  questions.forEach(({ reading, groups }, i) => {
    places[reading.index].push(i);
    asks[reading.index].counts.push(reading.count(groups));
  });
  const sums = questions.map(() => 0);
  for (const { index, counts } of yield asks) {
    counts.forEach((own, at) => (sums[places[index][at]] += own));
  }
  return sums;
}

/** Whether too few products belong for a page. */
function isSparse(all: readonly IndexReading[], totals: Totals | undefined): boolean {
  const [reading] = all;
  if (reading === undefined || totals === undefined) return false;
  const { completeCount, bestValue, partialValues } = totals;
  const { asked, cutThousandths } = reading;
  const { settings } = reading.input;
  if (!isFilledWith(asked, settings, completeCount)) return false;
  if (cutThousandths <= settings.lowCutThousandths) return false;
  const belonging = partialValues.filter((value) => reaches(value, bestValue, cutThousandths));
  return completeCount + belonging.length < FULL_PAGE;
}

function settlementOf(reading: IndexReading, totals: Totals): Settlement {
  const { settings } = reading.input;
  const { cutThousandths } = reading;
  const { completeCount, bestValue, summaries } = totals;
  const isFilled = isFilledWith(reading.asked, settings, completeCount);
  const voters = summaries
    .flatMap((one) => one.voters)
    .filter(
      ({ isComplete, value }) =>
        isComplete || (isFilled && reaches(value, bestValue, cutThousandths)),
    )
    .sort(compareVoters);
  return {
    completeCount,
    isFilled,
    bestValue,
    cutThousandths,
    votes: settings.categoryFeedback ? votesOf(voters) : NO_VOTES,
  };
}
