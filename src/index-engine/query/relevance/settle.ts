/**
 * Decides searches without stages, of all indexes of a tenant together. Asks the readers at most three times:
 *
 *   1  do the parts of unknown words stand together?          only where there are such words
 *   2  what do the words find?                                how many products have all words, the best cut value, the voters
 *   3  what do corrections of known words find?               only where too few products have all words; then 2 once more
 */
import type { TypoTerm } from "../../expansion/index.ts";
import type { TermGroup } from "../../rank/index.ts";
import type { SurveyedIndex } from "../decide.ts";
import { basisFilters } from "../known-fields.ts";
import type { Settlement, WordsAsked } from "../plan.ts";
import { reaches } from "../core/requirements.ts";
import { Weigher } from "../weigh.ts";
import { EVIDENCE } from "./policy.ts";
import {
  NOTHING_ASKED,
  type Ask,
  type CountQuestion,
  type MatchQuestion,
  type MatchSummary,
  type Told,
} from "./questions.ts";
import {
  candidatesOf,
  partOf,
  readWords,
  withMatchWeights,
  type Open,
  type ReadingInput,
} from "./readings.ts";
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
  readonly corrections = new Map<string, readonly TypoTerm[]>();
  asked: WordsAsked;
  /** Unknown words, with the ways to write them as several. */
  open: Open;

  constructor(surveyed: SurveyedIndex, index: number, search: number, input: ReadingInput) {
    this.#surveyed = surveyed;
    this.index = index;
    this.search = search;
    this.input = input;
    const read = this.#read();
    this.asked = read.asked;
    this.open = read.open;
  }

  #read(): Pick<IndexReading, "asked" | "open"> {
    const { source, analyzer, survey } = this.#surveyed;
    const { asked, open } = readWords(this.input, source, analyzer, this);
    const weigher = new Weigher(source, survey.statistics.productCount);
    return { asked: withMatchWeights(weigher.words(asked)), open };
  }

  /** After evidence has come. */
  readAgain(): void {
    const { asked, open } = this.#read();
    this.asked = asked;
    this.open = open;
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
      statistics: survey.statistics,
    };
  }

  /** The parts of an unknown word, as they must stand: side by side in a title, or anywhere where words grow together. */
  together(parts: readonly string[]): TermGroup[] {
    const { analyzer } = this.#surveyed;
    const groups = parts.map((part) => partOf(part, analyzer));
    if (analyzer.data.compounds !== null) return groups;
    const whole = { kind: "all", groups, factor: 1, slop: 0, origin: "split" } as const;
    return [{ word: parts.join(" "), alternatives: [], wholes: [whole] }];
  }

  /** What known words may be a misspelling of, by frequency. */
  candidates(): { readonly word: string; readonly one: TypoTerm }[] {
    if (!this.input.settings.correctKnownWords) return [];
    const { source, analyzer, survey } = this.#surveyed;
    return this.asked.groups.flatMap(({ word }) => {
      if (!this.input.words.terms.includes(word) || source.knownIn(word) === 0) return [];
      const found = candidatesOf(word, survey.statistics.productCount, source, analyzer);
      return found.map((one) => ({ word, one }));
    });
  }

  /** All words of the search, one of them as another. */
  withCandidate(word: string, other: string): TermGroup[] {
    const { analyzer } = this.#surveyed;
    return this.asked.groups.map((group) =>
      group.word === word ? partOf(other, analyzer) : group,
    );
  }
}

/** All indexes together. */
interface Totals {
  readonly completeCount: number;
  readonly bestValue: number;
  readonly summaries: readonly MatchSummary[];
}

function* replaceUnknown(readings: readonly (readonly IndexReading[])[]): Settling<void> {
  const questions: { reading: IndexReading; word: string; parts: readonly string[] }[] = [];
  for (const reading of readings.flat()) {
    for (const [word, splits] of reading.open) {
      for (const parts of splits) questions.push({ reading, word, parts });
    }
  }
  if (questions.length === 0) return;
  const counts = yield* count(
    questions.map(({ reading, parts }) => ({ reading, groups: reading.together(parts) })),
  );
  // A word that any index has in parts is these parts in all of them.
  const together = new Map<string, readonly string[]>();
  questions.forEach(({ word, parts }, i) => {
    if (counts[i] > 0 && !together.has(word)) together.set(word, parts);
  });
  for (const reading of readings.flat()) {
    for (const [word] of reading.open) {
      const parts = together.get(word);
      if (parts !== undefined) reading.splits.set(word, parts);
    }
    if (reading.open.length > 0) reading.readAgain();
  }
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
      summaries: own,
    });
  }
}

/** Returns the searches that are read otherwise now. */
function* correctKnown(
  searches: readonly (readonly IndexReading[])[],
  found: ReadonlyMap<readonly IndexReading[], Totals>,
): Settling<readonly (readonly IndexReading[])[]> {
  const questions = searches.flatMap((all) => {
    const completeCount = found.get(all)?.completeCount ?? 0;
    return all.flatMap((reading) =>
      completeCount >= reading.input.settings.enough
        ? []
        : reading.candidates().map((candidate) => ({ all, reading, ...candidate, completeCount })),
    );
  });
  if (questions.length === 0) return [];
  const counts = yield* count(
    questions.map(({ reading, word, one }) => ({
      reading,
      groups: reading.withCandidate(word, one.term),
    })),
  );
  const changed = new Set<readonly IndexReading[]>();
  for (const { all, word, one, completeCount } of questions) {
    const together = questions.reduce(
      (sum, other, j) =>
        other.all === all && other.word === word && other.one.term === one.term
          ? sum + counts[j]
          : sum,
      0,
    );
    if (together < EVIDENCE.products * Math.max(1, completeCount)) continue;
    changed.add(all);
    for (const reading of all) {
      const known = reading.corrections.get(word) ?? [];
      if (known.every(({ term }) => term !== one.term)) reading.corrections.set(word, [...known, one]);
    }
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

function settlementOf(reading: IndexReading, totals: Totals): Settlement {
  const { settings } = reading.input;
  const { completeCount, bestValue, summaries } = totals;
  const isFilled =
    reading.asked.requirement === "fill" &&
    reading.asked.groups.length > 1 &&
    completeCount < settings.enough;
  const voters = summaries
    .flatMap((one) => one.voters)
    .filter(
      ({ isComplete, value }) =>
        isComplete || (isFilled && reaches(value, bestValue, settings.cutThousandths)),
    )
    .sort(compareVoters);
  return {
    completeCount,
    isFilled,
    bestValue,
    votes: settings.categoryFeedback ? votesOf(voters) : NO_VOTES,
  };
}
