/** Interval and range facets of number fields (reference-behaviour.md 4.6 "Interval", "Range"). */
import type { IntervalFacetEntry } from "../../interface/index.ts";
import { plainNumber, rangeValues } from "../render/links.ts";
import { isRestricted, type FacetBody, type FacetInput } from "./facet-input.ts";
import { intervalLabels } from "./interval-labels.ts";
import { cutIntervals } from "./intervals.ts";

type Range = { readonly lower: number | null; readonly upper: number | null };

/** A filter that is open on both sides (`10,` or `,20`) selects nothing. */
function selectedRanges({ filters }: FacetInput): readonly Range[] {
  return filters.flatMap(({ negated, range }) =>
    negated || range === null || (range.lower === null && range.upper === null) ? [] : [range],
  );
}

/**
 * An interval's count is the number of products that a filter with its two bounds finds: the distinct products with a value in it.
 * While a filter is in force and nothing else is to be shown, the one entry is the filter itself.
 */
export function buildIntervalFacet(input: FacetInput, width: number | null): FacetBody {
  const { name, counts, config, links, locale } = input;
  const label = intervalLabels(config.metaData, locale);
  const selected = selectedRanges(input);
  if (isRestricted(input) && selected.length > 0) {
    const { lower, upper } = narrowest(selected);
    const [docCount] = counts.countRanges(name, [
      { lower: lower ?? -Infinity, upper: upper ?? Infinity },
    ]);
    const entry: IntervalFacetEntry = {
      type: "interval",
      key: label(lower, upper),
      id: null,
      docCount,
      link: links.withField(name, [], false),
      selected: true,
      lowerBound: lower,
      upperBound: upper,
    };
    return { type: "interval", coverage: docCount, entries: docCount === 0 ? [] : [entry] };
  }

  const numbers = counts.numbers(name);
  const intervals = cutIntervals(numbers.values, numbers.counts, {
    width,
    wanted: config.optimalValueCount,
    // These options turn 19.99 into 20; 19 they would make 19.01, or leave.
    whole:
      config.metaData["upperBoundAdjustValue"] === undefined &&
      config.metaData["round"] === undefined,
  });
  const docCounts = counts.countRanges(name, intervals);
  const entries = intervals.map(({ lower, upper, isIncomplete }, index): IntervalFacetEntry => {
    const isFirst = index === 0 && intervals.length > 1;
    const isOpenEnd = isIncomplete && intervals.length > 1;
    const isSelected = selected.some(
      (range) => isSameNumber(range.lower, lower) && isSameNumber(range.upper, upper),
    );
    return {
      type: "interval",
      key: label(isFirst ? null : lower, isOpenEnd ? null : upper),
      id: null,
      docCount: docCounts[index],
      link: links.withField(name, isSelected ? [] : rangeValues(lower, upper), false),
      selected: isSelected,
      lowerBound: lower,
      upperBound: upper,
    };
  });
  const coverage = docCounts.reduce((sum, count) => sum + count, 0);
  return { type: "interval", coverage, entries };
}

/** Several filters on one field all hold. */
function narrowest(ranges: readonly Range[]): Range {
  return ranges.reduce((one, other) => ({
    lower: one.lower === null ? other.lower : Math.max(one.lower, other.lower ?? -Infinity),
    upper: one.upper === null ? other.upper : Math.min(one.upper, other.upper ?? Infinity),
  }));
}

/** Clients may send what they computed in single precision. */
function isSameNumber(one: number | null, other: number): boolean {
  return one !== null && (one === other || Math.fround(one) === Math.fround(other));
}

/** One entry from the smallest to the largest value, to two decimals outwards; none where there is only one value. */
export function buildRangeFacet(input: FacetInput): FacetBody {
  const { name, counts, links } = input;
  const finite = counts.numbers(name).values.filter(Number.isFinite);
  const min = outwards(finite[0] ?? 0, Math.floor);
  const max = outwards(finite[finite.length - 1] ?? 0, Math.ceil);
  if (finite.length < 2 || min === max) return { type: "range", coverage: 0, entries: [] };
  const [docCount] = counts.countRanges(name, [{ lower: min, upper: max }]);
  const selected = selectedRanges(input);
  const range = selected.length === 0 ? null : narrowest(selected);
  return {
    type: "range",
    coverage: docCount,
    entries: [
      {
        type: "range",
        key: `${plainNumber(min)}-${plainNumber(max)}`,
        id: null,
        docCount,
        link: links.current(),
        selected: range !== null,
        lowerBound: min,
        upperBound: max,
        selectedMin: range?.lower ?? null,
        selectedMax: range?.upper ?? null,
      },
    ],
  };
}

/** 12.345 -> 12.34 or 12.35; a number with two decimals stays what it is (12.35 * 100 is 1235.0000000000002 or so). */
function outwards(value: number, round: (value: number) => number): number {
  if (Number(value.toFixed(2)) === value || Math.abs(value) >= 1e13) return value;
  return round(value * 100) / 100;
}
