/**
 * Word groups of a query -> what the title forward index (forward/) is asked: phrases, and the bonus for words that
 * stand together.
 */
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
  type WholeAlternative,
} from "./rank/index.ts";

/** Ordinal of a term in the segment asked, -1 for none. */
type ListOf = (term: string) => number;

type Several = Extract<WholeAlternative, { kind: "all" }>;

/** Every one of them is looked for; what stands for a word in more ways than this is read in the first ones only. */
const MOST_READINGS = 16;

/**
 * The ways to read words that stand in a row: first as they are; then with one of them (or several, that something
 * stands for together) said in other words:
 *
 *   head phones  ->  [head] [phones];  [headphones]          headphones case  ->  [headphones] [case];  [head] [phones] [case]
 *
 * One at a time, for each thing that stands for something else.
 */
export function readingsOf(groups: readonly TermGroup[]): readonly (readonly TermGroup[])[] {
  const readings: (readonly TermGroup[])[] = [groups];
  const replace = (start: number, end: number, by: readonly TermGroup[]): void => {
    if (readings.length === MOST_READINGS) return;
    readings.push([...groups.slice(0, start), ...by, ...groups.slice(end)]);
  };
  groups.forEach((group, start) => {
    for (const whole of severalOf(group)) {
      const isSame = (other: TermGroup): boolean =>
        severalOf(other).some((one) => one.origin === whole.origin && areSame(one, whole));
      if (start > 0 && isSame(groups[start - 1])) continue;
      replace(start, endOfRun(groups, start, isSame), whole.groups);
    }
    for (const { term, origin } of group.alternatives) {
      if (origin !== "joined" && origin !== "synonym" && origin !== "form") continue;
      const has = ({ alternatives }: TermGroup): boolean =>
        alternatives.some((one) => one.term === term && one.origin === origin);
      if (start > 0 && has(groups[start - 1])) continue;
      const end = endOfRun(groups, start, has);
      if (end === start + 1) continue;
      // With its other forms, which stand for the same words.
      const run = groups.slice(start, end);
      const alternatives = group.alternatives.filter((one) =>
        run.every((each) => each.alternatives.some((other) => other.term === one.term)),
      );
      replace(start, end, [{ word: term, alternatives }]);
    }
  });
  return readings;
}

function endOfRun(
  groups: readonly TermGroup[],
  start: number,
  has: (group: TermGroup) => boolean,
): number {
  let end = start + 1;
  while (end < groups.length && has(groups[end])) end++;
  return end;
}

function severalOf({ wholes }: TermGroup): readonly Several[] {
  return (wholes ?? []).filter((whole) => whole.kind === "all");
}

function areSame(a: Several, b: Several): boolean {
  return (
    a.groups.length === b.groups.length &&
    a.groups.every(({ word }, i) => word === b.groups[i].word)
  );
}

function wordIn(segment: Segment, group: TermGroup, listOf: ListOf): QueryWord {
  const lists: number[] = [];
  for (const { term } of group.alternatives) {
    const list = listOf(term);
    if (list >= 0) lists.push(list);
  }
  const ranges: (readonly [number, number])[] = [];
  for (const whole of group.wholes ?? []) {
    if (whole.kind !== "prefix") continue;
    const range = prefixRange(segment.terms, whole.prefix);
    if (range[0] < range[1]) ranges.push(range);
  }
  return { lists, ranges };
}

/**
 * Whether the words stand together in a row, in their order, at most `slop` places moved (segment/positions/phrase.ts). Rows
 * must ascend.
 */
export function phraseIn(
  segment: Segment,
  groups: readonly TermGroup[],
  slop: number,
  isSearched: (field: string) => boolean,
  listOf: ListOf,
): (row: number) => boolean {
  const readings = readingsOf(groups).map((reading) =>
    reading.map((group) => wordIn(segment, group, listOf)),
  );
  const test = new PhraseTest(segment, { readings, slop }, isSearched);
  return (row) => test.matches(row);
}

/** The groups of `words`, the words of a stage in the order typed, stop words and quoted ones among them. */
export function typedGroups(
  words: readonly string[],
  asked: readonly TermGroup[],
): readonly TermGroup[] {
  const byWord = new Map<string, TermGroup>();
  const collect = (group: TermGroup): void => {
    if (group.alternatives.length === 0)
      for (const whole of severalOf(group)) whole.groups.forEach(collect);
    else byWord.set(group.word, group);
  };
  asked.forEach(collect);
  return words.flatMap((term) => byWord.get(term) ?? []);
}

/**
 * What the titles of a segment add to scores; null: nothing to any row.
 * @param groups as typed
 * @param betweenParts those of them that are in no head
 */
export function proximityIn(
  segment: Segment,
  groups: readonly TermGroup[],
  weights: FieldWeights,
  listOf: ListOf,
  betweenParts: readonly TermGroup[] = [],
  isHeadFirst = false,
): ProximityBonus | null {
  return proximityBonus(
    segment,
    proximityWeights(groups.map(({ idf = 0 }) => idf)),
    groups.map((group) => ({
      ...wordIn(segment, group, listOf),
      isInNoHead: betweenParts.some(({ word }) => word === group.word),
      sequences: severalOf(group).map((whole) =>
        whole.groups.map((part) => wordIn(segment, part, listOf)),
      ),
    })),
    (field) => weightOf(weights, field) > 0,
    isHeadFirst,
  );
}
