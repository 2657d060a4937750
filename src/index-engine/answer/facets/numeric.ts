/** Interval and range facets of number fields (docs/behaviour.md 4.6). */
import type { IntervalFacetEntry, RangeFacetEntry } from "../../../interface/index.ts";
import { readRangeOf } from "../../query/filter/index.ts";
import { encodeValue, plainNumber, rangeValues } from "../links/index.ts";
import { accumulates, isRestricted, type FacetBody, type FacetInput } from "./facet-input.ts";
import { intervalLabels } from "./interval-labels.ts";
import { cutIntervals } from "./intervals.ts";

type Range = { readonly lower: number | null; readonly upper: number | null };

/** One text of the field's filter, with its range; null if it is not a range. Excluding filters are left out. */
interface Selected {
  readonly text: readonly string[];
  readonly range: Range | null;
}

function selectedTexts({ filters }: FacetInput): readonly Selected[] {
  return filters.flatMap(({ negated, byId, texts }) =>
    negated || byId ? [] : texts.map((text) => ({ text, range: readRangeOf(text) })),
  );
}

function rangesOf(selected: readonly Selected[]): Range[] {
  return selected.map(({ range }) => range).filter((range) => range !== null);
}

/**
 * The count of an interval is the number of distinct products with a value in it, which is what a filter with its two
 * bounds finds. If a filter is active and nothing else may be shown, the entries are the filter's ranges. In a
 * multi-select facet, the link of an interval adds its range to the selected ones, or removes it.
 */
export function buildIntervalFacet(input: FacetInput, width: number | null): FacetBody {
  const { field, config, links, locale } = input;
  const label = intervalLabels(config.metaData, locale);
  const selected = selectedTexts(input);
  const ranges = rangesOf(selected);
  const without = (range: Range): string | null =>
    links.withTexts(
      field.name,
      selected.filter((one) => !isSameRange(one.range, range)).map(({ text }) => text),
      false,
    );
  if (isRestricted(input) && ranges.length > 0) {
    const entries = distinct(ranges).map((range) => {
      const { lower, upper } = range;
      const [docCount] = field.countRanges([{ lower: lower ?? -Infinity, upper: upper ?? Infinity }]);
      return intervalEntry(range, label(lower, upper), docCount, true, without(range));
    });
    return bodyOf(
      "interval",
      entries.filter(({ docCount }) => docCount > 0),
    );
  }

  const { values, counts } = field.numbers();
  const cut = cutIntervals(values, counts, {
    width,
    wanted: config.optimalValueCount,
    // Not with these options: they turn an upper bound of 19.99 into 20, but would turn 19 into 19.01 or leave it.
    whole: config.metaData["upperBoundAdjustValue"] === undefined && config.metaData["round"] === undefined,
  });
  const docCounts = field.countRanges(cut);
  const others = accumulates(input) ? selected.map(({ text }) => text) : [];
  const frame = links.adding(field.name, others, true);
  const entries = cut.map((range, index) => {
    const { lower, upper, isIncomplete } = range;
    // Nothing is below or above a single value: `< 0` would say so.
    const isOpen = cut.length > 1 && lower !== upper;
    const isOpenStart = isOpen && index === 0;
    const isOpenEnd = isOpen && isIncomplete;
    const isSelected = ranges.some((one) => isSameRange(one, range));
    const own = rangeValues(lower, upper);
    const link = frame === null ? null : frame.before + own.map(encodeValue).join("%2C") + frame.after;
    const key = label(isOpenStart ? null : lower, isOpenEnd ? null : upper);
    return intervalEntry(range, key, docCounts[index], isSelected, isSelected ? without(range) : link);
  });
  return bodyOf("interval", entries);
}

function intervalEntry(
  { lower, upper }: Range,
  key: string,
  docCount: number,
  selected: boolean,
  link: string | null,
): IntervalFacetEntry {
  return { type: "interval", key, id: null, docCount, link, selected, lowerBound: lower, upperBound: upper };
}

function bodyOf(type: FacetBody["type"], entries: readonly (IntervalFacetEntry | RangeFacetEntry)[]): FacetBody {
  const size = entries.length;
  const coverage = entries.reduce((sum, { docCount }) => sum + docCount, 0);
  const products = size === 1 ? coverage : 0;
  const write: FacetBody["write"] = (to) => to.pushText(JSON.stringify(entries));
  return { type, coverage, size, leaves: size, products, write };
}

/** The smallest range that contains all ranges. */
function widest(ranges: readonly Range[]): Range {
  return ranges.reduce((one, other) => ({
    lower: one.lower === null || other.lower === null ? null : Math.min(one.lower, other.lower),
    upper: one.upper === null || other.upper === null ? null : Math.max(one.upper, other.upper),
  }));
}

/** Distinct ranges, ascending. */
function distinct(ranges: readonly Range[]): Range[] {
  return ranges
    .filter((range, i) => ranges.findIndex((other) => isSameRange(range, other)) === i)
    .sort(
      (a, b) =>
        compareNumbers(a.lower ?? -Infinity, b.lower ?? -Infinity) ||
        compareNumbers(a.upper ?? Infinity, b.upper ?? Infinity),
    );
}

function compareNumbers(a: number, b: number): number {
  return a === b ? 0 : a - b;
}

function isSameRange(one: Range | null, other: Range): boolean {
  return one !== null && isSameNumber(one.lower, other.lower) && isSameNumber(one.upper, other.upper);
}

/** Clients may send bounds that they computed in single precision. */
function isSameNumber(one: number | null, other: number | null): boolean {
  if (one === null || other === null) return one === other;
  return one === other || Math.fround(one) === Math.fround(other);
}

/** One entry from the smallest to the largest value, rounded outwards to two decimals; none for a single value. */
export function buildRangeFacet(input: FacetInput): FacetBody {
  const { field, links } = input;
  const finite = field.numbers().values.filter(Number.isFinite);
  const min = outwards(finite[0] ?? 0, Math.floor);
  const max = outwards(finite[finite.length - 1] ?? 0, Math.ceil);
  if (finite.length < 2 || min === max) return bodyOf("range", []);
  const [docCount] = field.countRanges([{ lower: min, upper: max }]);
  const selected = rangesOf(selectedTexts(input));
  const range = selected.length === 0 ? null : widest(selected);
  return bodyOf("range", [
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
  ]);
}

/** 12.345 -> 12.34 or 12.35. A number with two decimals stays the same: 12.35 * 100 is not exactly 1235. */
function outwards(value: number, round: (value: number) => number): number {
  if (Number(value.toFixed(2)) === value || Math.abs(value) >= 1e13) return value;
  return round(value * 100) / 100;
}
