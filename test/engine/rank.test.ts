// 1. The best k by heap are the first k of a full sort, for relevance keys and for comparisons.
// 2. A relevance key orders by bucket, stock, score and row, and gives rank and row back.
// (What they make of titles, stock and inflections: core.property.test.ts, relevance/.)
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  keyOf,
  MAX_SCORE,
  rankOf,
  rankOfKey,
  rowOfKey,
  SCORE_BUCKET,
  TopKeys,
  topOf,
} from "../../src/index-engine/query/rank/index.ts";
import { forAll, runs } from "../support/property.ts";

test("1: heaps and sorting agree", () => {
  forAll(runs(100), fc.uniqueArray(fc.nat(1_000)), fc.nat(40), (keys, k) => {
    const top = new TopKeys(k);
    for (const key of keys) top.offer(key);
    const expected = keys.toSorted((a, b) => b - a).slice(0, k);
    expect([...top.sorted()]).toEqual(expected);
    const compare = (a: number, b: number): number => keys[b] - keys[a];
    // Exactly the order, or one that leaves most to `compare`.
    for (const width of [1, 100]) {
      const first = Float64Array.from(keys, (key) => -Math.floor(key / width));
      const positions = topOf(keys.length, k, compare, first);
      expect(positions.map((position) => keys[position])).toEqual(expected);
    }
  });
});

test("2: relevance keys", () => {
  const entry = fc.record({
    score: fc.oneof(fc.nat(10_000), fc.nat(MAX_SCORE)),
    inStock: fc.boolean(),
    row: fc.nat(2 ** 24 - 1),
  });
  forAll(runs(100), entry, entry, (a, b) => {
    const key = (one: typeof a): number => keyOf(rankOf(one.score, one.inStock), one.row);
    const parts = (one: typeof a): number[] => [
      Math.floor(one.score / SCORE_BUCKET),
      Number(one.inStock),
      one.score,
      -one.row,
    ];
    const [x, y] = [parts(a), parts(b)];
    const at = x.findIndex((part, i) => part !== y[i]);
    expect(Math.sign(key(a) - key(b))).toBe(at < 0 ? 0 : Math.sign(x[at] - y[at]));
    expect(rowOfKey(key(a))).toBe(a.row);
    expect(rankOfKey(key(a))).toBe(rankOf(a.score, a.inStock));
    expect(Number.isSafeInteger(key(a))).toBe(true);
  });
  expect(rankOf(MAX_SCORE * 10, true)).toBe(rankOf(MAX_SCORE, true));
});
