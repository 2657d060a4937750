/**
 * 1. Intervals do not overlap, ascend, hold every value, and begin at multiples of the width; each but the last counts
 *    at least the target. For any finite numbers, also where doubles have no such multiple.
 * 2. Worked examples: the reference's form of bounds, widths that follow the values, one outlier, values between
 *    bounds.
 * 3. Labels: every option of the meta-data.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { intervalLabels } from "../../../src/index-engine/answer/facets/interval-labels.ts";
import { cutIntervals } from "../../../src/index-engine/answer/facets/intervals.ts";
import { forAll, runs } from "../../support/property.ts";

const value = fc.oneof(
  fc.integer({ min: -50, max: 2000 }),
  fc.integer({ min: 0, max: 200_000 }).map((cents) => cents / 100),
  fc.double({ noNaN: true }),
  fc.constantFrom(0.1, 0.3, 0.7, 19.995, 1e300, -1e300, 5e-324, Infinity),
);

test("1: disjoint, complete, on the grid", () => {
  forAll(
    runs(100),
    fc.uniqueArray(
      value.map((each) => each + 0),
      { maxLength: 40 },
    ),
    fc.constantFrom(null, 5, 0.1, 100, 3),
    fc.integer({ min: 1, max: 8 }),
    fc.boolean(),
    (given, width, wanted, whole) => {
      const values = given.toSorted((a, b) => a - b);
      const counts = values.map((_, i) => 1 + (i % 3));
      const intervals = cutIntervals(values, counts, { width, wanted, whole });
      const finite = values.filter(Number.isFinite);
      for (const each of finite) {
        expect(intervals.filter(({ lower, upper }) => lower <= each && each <= upper)).toHaveLength(1);
      }
      const total = finite.reduce((sum, each) => sum + counts[values.indexOf(each)], 0);
      const target = Math.max(1, Math.floor(total / wanted));
      intervals.forEach(({ lower, upper, isIncomplete }, i) => {
        expect(lower).toBeLessThanOrEqual(upper);
        const next = intervals[i + 1];
        if (next !== undefined) expect(upper).toBeLessThan(next.lower);
        const inside = finite.filter((each) => lower <= each && each <= upper);
        const count = inside.reduce((sum, each) => sum + counts[values.indexOf(each)], 0);
        expect(count).toBeGreaterThan(0);
        if (i + 1 < intervals.length) expect(count).toBeGreaterThanOrEqual(target);
        expect(isIncomplete).toBe(i + 1 === intervals.length && count < target);
        if (whole && width === null && finite.every(Number.isInteger)) {
          expect([lower, upper].every(Number.isInteger)).toBe(true);
        }
        if (width !== null && Math.abs(lower) < 1e9) {
          expect(lower / width).toBeCloseTo(Math.round(lower / width), 6);
        }
      });
    },
  );
});

function bounds(values: readonly number[], width: number | null, wanted: number, whole = false): string[] {
  const counts = values.map(() => 1);
  return cutIntervals(values, counts, { width, wanted, whole }).map(
    ({ lower, upper, isIncomplete }) => `${lower}..${upper}${isIncomplete ? " rest" : ""}`,
  );
}

describe("2: examples", () => {
  test("the one of the format note", () => {
    expect(bounds([3, 4, 12, 14, 31, 96, 97], 5, 2)).toEqual(["0..14.99", "30..99.99"]);
    expect(bounds([3, 4, 12, 14, 31, 96, 97], 5, 3)).toEqual(["0..4.99", "10..14.99", "30..99.99"]);
    expect(bounds([3, 4, 12, 14, 31, 96], 5, 2)).toEqual(["0..14.99", "30..99.99 rest"]);
  });

  test("decimal widths are decimal", () => {
    expect(bounds([0.1, 0.2, 0.3, 0.7], 0.1, 4)).toEqual(["0.1..0.19", "0.2..0.29", "0.3..0.39", "0.7..0.79"]);
  });

  test("a value between two bounds makes the bound finer", () => {
    expect(bounds([19.991, 20], 5, 2)).toEqual(["15..19.999", "20..24.99"]);
    expect(bounds([19.9999999, 20], 5, 2)).toEqual(["15..19.9999999", "20..24.99"]);
  });

  test("prices in buckets of a cent", () => {
    expect(bounds([12.9], null, 5)).toEqual(["12.9..12.9"]);
    expect(bounds([12.89, 12.9, 12.91], null, 3)).toEqual(["12.89..12.89", "12.9..12.9", "12.91..12.91"]);
    expect(bounds([12.9, 12.905, 12.91], null, 2)).toEqual(["12.9..12.909", "12.91..12.91"]);
  });

  test("a width of its own follows the values, not the outlier", () => {
    const prices = Array.from({ length: 100 }, (_, i) => 10 + i);
    expect(bounds([...prices, 1_000_000], null, 5)).toEqual([
      "10..29.99",
      "30..49.99",
      "50..69.99",
      "70..89.99",
      "90..109.99",
      "1000000..1000001.99 rest",
    ]);
  });

  test("of integers by integers, where no width is given", () => {
    expect(bounds([1, 2, 3, 4, 5], null, 5, true)).toEqual(["1..1", "2..2", "3..3", "4..4", "5..5"]);
    expect(bounds([2, 3, 4, 9, 30], null, 2, true)).toEqual(["2..3", "4..9", "30..31 rest"]);
    expect(bounds([1, 2, 3.5], null, 3, true)).toEqual(["1..1.19", "2..2.19", "3.4..3.59"]);
    expect(bounds([3, 4, 12], 5, 2, true)).toEqual(["0..4.99", "10..14.99"]);
    expect(bounds([1, 2, 3], null, 3)).toEqual(["1..1.09", "2..2.09", "3..3.09"]);
  });
});

describe("3: labels", () => {
  const cases: readonly [Record<string, unknown>, string, readonly string[]][] = [
    [{}, "", ["10 - 19.99", "< 19.99", "> 10"]],
    [{ unit: " €" }, "", ["10 € - 19.99 €", "< 19.99 €", "> 10 €"]],
    [{ unit: "$" }, "", ["10$ - 19.99$", "< 19.99$", "> 10$"]],
    [{ unit: "£", unitAsPrefix: true }, "", ["£10 - £19.99", "< £19.99", "> £10"]],
    [{ unit: "$ ", unitAsPrefix: "true", round: "up" }, "", ["$ 10 - $ 20", "< $ 20", "> $ 10"]],
    [{ round: true }, "", ["10 - 20", "< 20", "> 10"]],
    [{ round: "down" }, "", ["10 - 19", "< 19", "> 10"]],
    [{ decimals: 1 }, "", ["10 - 20", "< 20", "> 10"]],
    [{ upperBoundAdjustValue: 0.01, lowerBoundAdjustValue: "0.5" }, "", ["10.50 - 20", "< 20", "> 10.50"]],
    [{}, "de_DE", ["10 - 19,99", "< 19,99", "> 10"]],
    [{ locale: "en" }, "de", ["10 - 19.99", "< 19.99", "> 10"]],
    [{ locale: "no locale" }, "", ["10 - 19.99", "< 19.99", "> 10"]],
    [
      {
        intervalSeparator: " bis ",
        noLowerBoundPrefix: "unter ",
        noLowerBoundSuffix: "!",
        noUpperBoundPrefix: "ab ",
        noUpperBoundSuffix: "?",
      },
      "",
      ["10 bis 19.99", "unter 19.99!", "ab 10?"],
    ],
  ];
  test.each(cases)("%j %s", (metaData, locale, expected) => {
    const label = intervalLabels(metaData, locale);
    expect([label(10, 19.99), label(null, 19.99), label(10, null)]).toEqual(expected);
  });

  test("halves go to the even digit, as Java writes numbers", () => {
    expect(intervalLabels({ decimals: 1 }, "en")(5.25, 12.75)).toBe("5.2 - 12.8");
    expect(intervalLabels({ decimals: 1, upperBoundAdjustValue: -0.01 }, "")(5.35, 12.75)).toBe("5.4 - 12.7");
    expect(intervalLabels({}, "de")(5.125, 12.755)).toBe("5,12 - 12,76");
  });

  test("grouping of a locale, plain digits without one", () => {
    expect(intervalLabels({}, "de")(1000, 1_234_567.5)).toBe("1.000 - 1.234.567,50");
    expect(intervalLabels({}, "")(1000, 1e21)).toBe("1000 - 1000000000000000000000");
  });

  test("one value", () => {
    expect(intervalLabels({ unit: " €" }, "de")(12, 12)).toBe("12 €");
    expect(intervalLabels({ upperBoundAdjustValue: 1 }, "")(12, 12)).toBe("12 - 13");
  });

  test("no bounds, no label", () => {
    expect(() => intervalLabels({}, "")(null, null)).toThrow(TypeError);
  });
});
