/**
 * 1. (The bonus of a row is that of its plain titles: search.property.test.ts.)
 * 2. A phrase beats a window, a window beats pairs, a pair beats a reversed pair, and that beats far apart; short
 *    titles beat long ones; the beginning beats the rest.
 * 3. Looking only at rows that may be among the best k changes nothing: rows, order, scores and ranks are those of
 *    adding the bonus to every row and sorting.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { bitsOf } from "../../../src/index-engine/base/bits.ts";
import type { QueryWord } from "../../../src/index-engine/segment/positions/index.ts";
import { STEM_PREFIX, type Segment } from "../../../src/index-engine/segment/model/index.ts";
import { bestRows } from "../../../src/index-engine/query/ranking.ts";
import { inStockOf, rankOf } from "../../../src/index-engine/query/rank/index.ts";
import {
  proximityBonus,
  proximityWeights,
  type ProximityBonus,
  type ProximityFactors,
  type ProximityWord,
} from "../../../src/index-engine/query/rank/proximity.ts";
import type { Bounded } from "../../../src/index-engine/query/core/scorer.ts";
import type { RankedMatches } from "../../../src/index-engine/query/scored.ts";
import { runs } from "../../support/property.ts";
import { plainAnalyzer, product } from "../support/products.ts";
import { build } from "./titles.ts";

interface Word {
  readonly word: string;
  readonly idf: number;
}

/** None of them 0, whatever the engine's are. */
const FACTORS: ProximityFactors = {
  pair: 0.2,
  window: 0.25,
  phrase: 0.25,
  coverage: 0.3,
  start: 0.05,
};

const everything = (): boolean => true;

function bonusOf(segment: Segment, words: readonly Word[]): ProximityBonus | null {
  const lists = words.map(({ word }) => {
    const stem = plainAnalyzer.stem(word);
    const lists = [...new Set([word, stem, STEM_PREFIX + stem])]
      .map((term) => segment.terms.find(term))
      .filter((list) => list >= 0);
    return { lists, ranges: [], sequences: [] };
  });
  const weights = proximityWeights(
    words.map(({ idf }) => idf),
    FACTORS,
  );
  return proximityBonus(segment, weights, lists, everything);
}

test.each([
  ["running shoes", "acme running shoes red", "acme shoes running red"],
  ["running shoes", "acme shoes running red", "acme shoes for running"],
  ["running shoes", "acme shoes for running", "shoes acme red for women and for running"],
  ["running shoes", "red running shoes", "red running shoes with a box"],
  ["running shoes", "running shoes red", "red running shoes"],
  ["trail running shoes", "x trail running shoes y z", "x trail shoes running y z"],
  ["trail running shoes", "x trail for running shoes", "trail running x running y shoes z a"],
  ["shoes", "shoes", "shoes and socks"],
])("2: for %s, %s is better than %s", (text, better, worse) => {
  const words = text.split(" ").map((word) => ({ word, idf: 4 }));
  const { segment } = build(
    [better, worse].map((title, i) => product(`p${i}`, { texts: [{ field: "title", text: title }] })),
  );
  const bonus = bonusOf(segment, words);
  expect(bonus?.of(0)).toBeGreaterThan(bonus?.of(1) ?? Infinity);
});

test("2: a word in two terms, two words in one", () => {
  const titles = [
    "case for headphones x",
    "case for head phones x",
    "case for phones head x",
    "x headphones case y",
    "x head phones case y",
    "x phones head case y",
  ];
  const { segment } = build(titles.map((text, i) => product(`p${i}`, { texts: [{ field: "title", text }] })));
  const word = (text: string): QueryWord => ({ lists: [segment.terms.find(text)], ranges: [] });
  const apart = [word("head"), word("phones")];
  const of = (words: readonly ProximityWord[]): number[] => {
    const weights = proximityWeights(
      words.map(() => 3),
      FACTORS,
    );
    const bonus = proximityBonus(segment, weights, words, everything);
    return titles.map((_, row) => bonus?.of(row) ?? -1);
  };
  // "headphones case": headphones may also be written apart.
  const split = of([
    { ...word("headphones"), sequences: [apart] },
    { ...word("case"), sequences: [] },
  ]);
  const phrase = Math.round(10_000 * 3 * (FACTORS.pair + FACTORS.window + FACTORS.phrase));
  expect(split[3]).toBe(phrase + Math.floor((2 * 10_000 * 3 * FACTORS.coverage * 2) / 4));
  // One term more in the title: less coverage and nothing else.
  expect(split[4]).toBe(phrase + Math.floor((2 * 10_000 * 3 * FACTORS.coverage * 2) / 5));
  expect(split[5]).toBeLessThan(split[4] - phrase / 2);
  expect(split[1]).toBeGreaterThan(split[2]);
  expect(split[1]).toBeLessThan(split[4]);
  // "head phones case": both may be written together.
  const together = { lists: [segment.terms.find("headphones")], ranges: [] };
  const joined = of([
    { lists: [...word("head").lists, ...together.lists], ranges: [], sequences: [] },
    { lists: [...word("phones").lists, ...together.lists], ranges: [], sequences: [] },
    { ...word("case"), sequences: [] },
  ]);
  expect(joined[3]).toBeGreaterThan(joined[5]);
  expect(joined[3]).toBeGreaterThan(joined[0]);
  expect(joined[4]).toBeGreaterThan(joined[5]);
});

function rankedBy(
  rows: Uint32Array,
  scores: readonly number[],
  bonus: Pick<ProximityBonus, "max" | "of">,
): RankedMatches {
  const reaching = (least: number): Bounded => {
    const positions = rows.map((_, i) => i).filter((i) => scores[i] + bonus.max >= least);
    const bounds = Float64Array.from(positions, (i) => scores[i] + bonus.max);
    return { positions, bounds, count: positions.length };
  };
  return {
    rows,
    isScored: true,
    sortScores: Int32Array.from(scores),
    reaching,
    final: (i) => scores[i] + bonus.of(rows[i]),
    isPartial: () => false,
  };
}

test("3: skipping rows changes nothing", () => {
  const rowsWith = fc.record({
    scores: fc.array(fc.nat({ max: 60_000 }), { minLength: 1, maxLength: 200 }),
    stocks: fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 7, maxLength: 7 }),
    bonuses: fc.array(fc.nat({ max: 20_000 }), { minLength: 1, maxLength: 40 }),
    k: fc.integer({ min: 1, max: 60 }),
    excepted: fc.array(fc.nat({ max: 199 }), { maxLength: 20 }),
    step: fc.integer({ min: 1, max: 3 }),
  });
  fc.assert(
    fc.property(rowsWith, ({ scores, stocks, bonuses, k, excepted, step }) => {
      const count = scores.length * step;
      const { segment } = build(
        Array.from({ length: count }, (_, i) =>
          product(`p${String(i).padStart(4, "0")}`, {
            columns: [{ field: "stock", value: stocks[i % stocks.length] }],
          }),
        ),
      );
      const rows = Uint32Array.from(scores, (_, i) => i * step);
      const bonus: Pick<ProximityBonus, "max" | "of"> = {
        max: Math.max(...bonuses),
        of: (row) => bonuses[(row * 7) % bonuses.length],
      };
      const except = excepted.length === 0 ? null : bitsOf(excepted, Math.max(200, count));
      const best = bestRows(segment, rankedBy(rows, scores, bonus), [], k, except, true);
      const inStock = inStockOf(segment);
      const expected = scores
        .map((score, i) => ({ row: rows[i], score: score + bonus.of(rows[i]) }))
        .filter(({ row }) => !excepted.includes(row))
        .map(({ row, score }) => ({ row, score, rank: rankOf(score, inStock(row)) }))
        .sort((a, b) => b.rank - a.rank || a.row - b.row)
        .slice(0, k);
      expect(best.map(({ row, score, rank }) => ({ row, score, rank }))).toEqual(expected);
    }),
    { numRuns: runs(100) },
  );
});

test("3: rows that cannot make it are not looked at", () => {
  const count = 500;
  const { segment } = build(Array.from({ length: count }, (_, i) => product(`p${String(i).padStart(4, "0")}`)));
  // Worst first, so that every row would look promising on its own.
  const rows = Uint32Array.from({ length: count }, (_, i) => i);
  const scores = Array.from(rows, (row) => 100 * row);
  const asked: number[] = [];
  const bonus: Pick<ProximityBonus, "max" | "of"> = { max: 1_000, of: (row) => (asked.push(row), 500) };
  const matches = rankedBy(rows, scores, bonus);
  expect(bestRows(segment, matches, [], 10, null, true).map(({ row }) => row)).toEqual(
    Array.from({ length: 10 }, (_, i) => count - 1 - i),
  );
  expect(new Set(asked).size).toBe(asked.length);
  expect(asked.length).toBeLessThan(45);
});
