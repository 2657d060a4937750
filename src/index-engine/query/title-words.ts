/** Word groups as lookups in the positional index of titles (segment/positions): phrases and adjacent words. */
import { PhraseTest, type QueryWord } from "../segment/positions/index.ts";
import type { Segment } from "../segment/model/index.ts";
import { prefixRange } from "./expansion/index.ts";
import {
  proximityBonus,
  proximityWeights,
  weightOf,
  type FieldWeights,
  type ProximityBonus,
  type TermGroup,
  type WordsTogether,
} from "./rank/index.ts";

/** Ordinal of a term in the segment, or -1. */
type ListOf = (term: string) => number;

/** Maximum number of readings of a phrase; further ones are ignored. */
const MOST_READINGS = 16;

/**
 * The readings of a phrase: first the words themselves, then, for each alternative of one or
 * several words, the phrase with that alternative:
 *
 *   head phones      ->  [head] [phones];  [headphones]
 *   headphones case  ->  [headphones] [case];  [head] [phones] [case]
 */
export function readingsOf(groups: readonly TermGroup[]): readonly (readonly TermGroup[])[] {
  const readings: (readonly TermGroup[])[] = [groups];
  const replace = (start: number, end: number, by: readonly TermGroup[]): void => {
    if (readings.length === MOST_READINGS) return;
    readings.push([...groups.slice(0, start), ...by, ...groups.slice(end)]);
  };
  groups.forEach((group, start) => {
    for (const sub of severalOf(group)) {
      const isSame = (other: TermGroup): boolean =>
        severalOf(other).some((one) => one.origin === sub.origin && areSame(one, sub));
      if (start > 0 && isSame(groups[start - 1])) continue;
      replace(start, endOfRun(groups, start, isSame), sub.groups);
    }
    for (const { term, origin } of group.alternatives) {
      if (origin !== "joined" && origin !== "synonym" && origin !== "form") continue;
      const has = ({ alternatives }: TermGroup): boolean =>
        alternatives.some((one) => one.term === term && one.origin === origin);
      if (start > 0 && has(groups[start - 1])) continue;
      const end = endOfRun(groups, start, has);
      if (end === start + 1) continue;
      // Includes its other forms, which replace the same words.
      const run = groups.slice(start, end);
      const alternatives = group.alternatives.filter((one) =>
        run.every((each) => each.alternatives.some((other) => other.term === one.term)),
      );
      replace(start, end, [{ word: term, alternatives }]);
    }
  });
  return readings;
}

function endOfRun(groups: readonly TermGroup[], start: number, has: (group: TermGroup) => boolean): number {
  let end = start + 1;
  while (end < groups.length && has(groups[end])) end++;
  return end;
}

function severalOf({ subQueries }: TermGroup): readonly WordsTogether[] {
  return (subQueries ?? []).filter((sub) => sub.kind === "all");
}

function areSame(a: WordsTogether, b: WordsTogether): boolean {
  return a.groups.length === b.groups.length && a.groups.every(({ word }, i) => word === b.groups[i].word);
}

function wordIn(segment: Segment, group: TermGroup, listOf: ListOf): QueryWord {
  const lists: number[] = [];
  for (const { term } of group.alternatives) {
    const list = listOf(term);
    if (list >= 0) lists.push(list);
  }
  const ranges: (readonly [number, number])[] = [];
  for (const sub of group.subQueries ?? []) {
    if (sub.kind !== "prefix") continue;
    const range = prefixRange(segment.terms, sub.prefix);
    if (range[0] < range[1]) ranges.push(range);
  }
  return { lists, ranges };
}

/**
 * Tests whether a row has the words as a phrase with at most `slop` moves
 * (segment/positions/phrase.ts). Rows must be tested in ascending order.
 */
export function phraseIn(
  segment: Segment,
  groups: readonly TermGroup[],
  slop: number,
  isSearched: (field: string) => boolean,
  listOf: ListOf,
): (row: number) => boolean {
  const readings = readingsOf(groups).map((reading) => reading.map((group) => wordIn(segment, group, listOf)));
  const test = new PhraseTest(segment, { readings, slop }, isSearched);
  return (row) => test.matches(row);
}

/** The groups of a stage in typed order, including stop words and quoted words. */
export function typedGroups(words: readonly string[], asked: readonly TermGroup[]): readonly TermGroup[] {
  const byWord = new Map<string, TermGroup>();
  const collect = (group: TermGroup): void => {
    if (group.alternatives.length === 0) for (const sub of severalOf(group)) sub.groups.forEach(collect);
    else byWord.set(group.word, group);
  };
  asked.forEach(collect);
  return words.flatMap((term) => byWord.get(term) ?? []);
}

/**
 * The title bonus of a segment; null if no row has any.
 * @param groups in typed order
 * @param betweenParts groups that are not part of heads
 * @param purpose see `proximityBonus`
 */
export function proximityIn(
  segment: Segment,
  groups: readonly TermGroup[],
  weights: FieldWeights,
  listOf: ListOf,
  betweenParts: readonly TermGroup[] = [],
  isHeadFirst = false,
  purpose: readonly string[] = [],
): ProximityBonus | null {
  return proximityBonus(
    segment,
    proximityWeights(groups.map(({ idf = 0 }) => idf)),
    groups.map((group) => ({
      ...wordIn(segment, group, listOf),
      isInNoHead: betweenParts.some(({ word }) => word === group.word),
      sequences: severalOf(group).map((sub) => sub.groups.map((part) => wordIn(segment, part, listOf))),
    })),
    (field) => weightOf(weights, field) > 0,
    isHeadFirst,
    { lists: purpose.map(listOf).filter((list) => list >= 0), ranges: [] },
  );
}
