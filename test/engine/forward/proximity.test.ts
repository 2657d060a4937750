/**
 * 1. (The bonus of a row is that of its plain titles: search.property.test.ts.)
 * 2. So is that of the beginning, which the engine's own factors leave out.
 * 3. A word whose parts stand side by side counts as if it stood there.
 * 4. Looking only at rows that may be among the best k changes nothing: rows, order, scores and ranks are those of
 *    adding the bonus to every row and sorting.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { bitsOf } from "../../../src/index-engine/base/bits.ts";
import { bestRows } from "../../../src/index-engine/query/ranking.ts";
import { inStockOf, rankOf } from "../../../src/index-engine/query/rank/index.ts";
import {
  PROXIMITY,
  proximityBonus,
  proximityWeights,
  type ProximityBonus,
  type ProximityWord,
} from "../../../src/index-engine/query/rank/proximity.ts";
import type { Bounded } from "../../../src/index-engine/query/core/scorer.ts";
import type { RankedMatches } from "../../../src/index-engine/query/scored.ts";
import { forAll, runs } from "../../support/property.ts";
import { product } from "../support/products.ts";
import { build } from "./titles.ts";

test("2: the beginning", () => {
  const titles = ["red running shoes", "running shoes red"];
  const { segment } = build(titles.map((text, i) => product(`p${i}`, { texts: [{ field: "title", text }] })));
  const word = (text: string): ProximityWord => ({ lists: [segment.terms.find(text)], ranges: [], sequences: [] });
  const weights = proximityWeights([4, 3], { ...PROXIMITY, start: 0.05 });
  const bonus = proximityBonus(segment, weights, [word("running"), word("shoes")], () => true);
  expect((bonus?.of(1) ?? 0) - (bonus?.of(0) ?? 0)).toBe(10_000 * 4 * 0.05);
});

test("3: a word in two terms", () => {
  const titles = ["red headphones case y", "red head phones case y"];
  const { segment } = build(titles.map((text, i) => product(`p${i}`, { texts: [{ field: "title", text }] })));
  const word = (text: string): ProximityWord => ({ lists: [segment.terms.find(text)], ranges: [], sequences: [] });
  const headphones = { ...word("headphones"), sequences: [[word("head"), word("phones")]] };
  const words = [word("red"), headphones, word("case")];
  const bonus = proximityBonus(segment, proximityWeights([3, 3, 3]), words, () => true);
  const { pair, window, phrase, coverage } = PROXIMITY;
  const ofOrder = 10_000 * 6 * (pair + window + phrase);
  // One term more in the title: less coverage and nothing else.
  const expected = [4, 5].map((terms) => Math.floor(ofOrder + (10_000 * 9 * coverage * 3) / terms));
  expect(titles.map((_, row) => bonus?.of(row))).toEqual(expected);
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

test("4: skipping rows changes nothing", () => {
  const rowsWith = fc.record({
    scores: fc.array(fc.nat({ max: 60_000 }), { minLength: 1, maxLength: 200 }),
    stocks: fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 7, maxLength: 7 }),
    bonuses: fc.array(fc.nat({ max: 20_000 }), { minLength: 1, maxLength: 40 }),
    k: fc.integer({ min: 1, max: 60 }),
    excepted: fc.array(fc.nat({ max: 199 }), { maxLength: 20 }),
    step: fc.integer({ min: 1, max: 3 }),
  });
  forAll(runs(100), rowsWith, ({ scores, stocks, bonuses, k, excepted, step }) => {
    const count = scores.length * step;
    const { segment } = build(
      Array.from({ length: count }, (_, i) =>
        product(`p${String(i).padStart(4, "0")}`, { columns: [{ field: "stock", value: stocks[i % stocks.length] }] }),
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
  });
});

test("4: rows that cannot make it are not looked at", () => {
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
