/**
 * Distinct sorted numbers with their counts -> intervals (docs/behaviour.md 4.6).
 *
 *   7 prices, wanted 2, width 5:   3 4 | 12 14 | 31 | 96 97  ->  0..14.99 (4 values), 30..99.99 (3)
 *
 *   width     N of `interval_N`. Without N, a round number (1, 2, 5, 10, ...) chosen by the values: about four buckets
 *             make an interval. It is measured between the 10th and the 90th percentile, so one outlier has no effect
 *   buckets   [k * width, (k + 1) * width), only those with values (never a dense array: values may
 *             reach from 0.01 to 10^9)
 *   merging   from the left, until an interval counts floor(all / wanted) values; the rest at the
 *             end is one more interval
 *   bounds    lower = start of the first bucket, upper = end of the last - 0.01; a smaller gap if a
 *             value lies in between. Prices one cent apart are intervals of one value
 *   integers  if all values are integers, so is a computed width, and upper = end of the last - 1:
 *             a number of pages is never "2 - 3.19". With a given N, bounds are those of the
 *             reference, because shops adjust their labels to them
 *
 * Both bounds belong to the interval, as in a filter `lower,upper`. Intervals do not overlap, and every value lies in
 * one. The result only depends on the counted values, not on their distribution over segments (invariant I4).
 */

interface Interval {
  readonly lower: number;
  readonly upper: number;
  /** Whether this is the last interval and has fewer values than the target. */
  readonly isIncomplete: boolean;
}

/** The gap between the end of a bucket and the upper bound: the first one that excludes no value. */
const GAPS = [0.01, 0.001, 0.0001, 0.00001, 0.000001];

/**
 * `values` are ascending and distinct, `counts` above 0. `wanted` is the target number of
 * intervals. `whole` requests integer bounds for integer values.
 */
export function cutIntervals(
  values: ArrayLike<number>,
  counts: ArrayLike<number>,
  options: { readonly width: number | null; readonly wanted: number; readonly whole: boolean },
): Interval[] {
  const finite = finiteRange(values);
  if (finite.start === finite.end) return [];
  let total = 0;
  for (let i = finite.start; i < finite.end; i++) total += counts[i];
  const wanted = Math.max(1, Math.floor(options.wanted));
  const target = Math.max(1, Math.floor(total / wanted));
  const given = options.width !== null && options.width > 0 ? options.width : null;
  const whole = given === null && options.whole && areIntegers(values, finite);
  const following = (): number => followingWidth(values, counts, finite, total, wanted);
  const width = given ?? (whole ? Math.max(1, following()) : following());
  const gaps = whole ? [1] : GAPS;

  const intervals: Interval[] = [];
  let lower = 0;
  let count = 0;
  for (let i = finite.start; i < finite.end;) {
    const start = bucketStart(values[i], width);
    const next = bucketEnd(start, width);
    if (count === 0) lower = start;
    let last = i;
    do {
      last = i;
      count += counts[i++];
    } while (i < finite.end && values[i] < next);
    const isLast = i === finite.end;
    if (count < target && !isLast) continue;
    const upper = upperBound(values[last], start, width, isLast ? Infinity : values[i], gaps);
    intervals.push({ lower, upper, isIncomplete: count < target });
    count = 0;
  }
  return intervals;
}

/** Documents may have infinite values, but intervals have no infinite bounds. */
function finiteRange(values: ArrayLike<number>): { start: number; end: number } {
  let start = 0;
  let end = values.length;
  while (start < end && !Number.isFinite(values[start])) start++;
  while (end > start && !Number.isFinite(values[end - 1])) end--;
  return { start, end };
}

function areIntegers(values: ArrayLike<number>, { start, end }: { start: number; end: number }): boolean {
  for (let i = start; i < end; i++) if (!Number.isInteger(values[i])) return false;
  return true;
}

/** Approximate number of buckets per interval. */
const BUCKETS_PER_INTERVAL = 4;

function followingWidth(
  values: ArrayLike<number>,
  counts: ArrayLike<number>,
  { start, end }: { start: number; end: number },
  total: number,
  wanted: number,
): number {
  let low = values[start];
  let high = values[end - 1];
  let sum = 0;
  for (let i = start; i < end; i++) {
    if (sum <= total * 0.1) low = values[i];
    if (sum < total * 0.9) high = values[i];
    sum += counts[i];
  }
  const spread = high > low ? high - low : values[end - 1] - values[start];
  return roundDown(spread / (wanted * BUCKETS_PER_INTERVAL));
}

/** The largest number <= `width` that is 1, 2 or 5 times a power of ten; at least 0.01. */
function roundDown(width: number): number {
  if (!(width > 0.01)) return 0.01;
  const power = Math.floor(Math.log10(width));
  for (const exponent of [power + 1, power, power - 1]) {
    for (const digit of [5, 2, 1]) {
      // Parsed from text, because 5 * 10 ** -2 is not exactly 0.05.
      const candidate = Number(`${digit}e${exponent}`);
      if (candidate <= width) return candidate;
    }
  }
  return 0.01;
}

/** Start of the bucket of `value`: the largest multiple of `width` up to it; the value itself if no double is that. */
function bucketStart(value: number, width: number): number {
  let index = Math.floor(value / width);
  if (!Number.isSafeInteger(index)) return value;
  // The quotient is rounded: 0.3 / 0.1 is just below 3.
  while (multiple(index + 1, width) <= value) index++;
  while (multiple(index, width) > value) index--;
  return multiple(index, width);
}

/** Start of the next bucket. A value that is its own bucket is also its end, so no other value joins it. */
function bucketEnd(start: number, width: number): number {
  const index = Math.round(start / width);
  return Number.isSafeInteger(index) ? multiple(index + 1, width) : start;
}

/** The exact decimal product: 3 * 0.1 = 0.3. */
function multiple(index: number, width: number): number {
  const exact = index * width;
  if (Number.isInteger(width)) return exact;
  const product = Number(exact.toPrecision(12));
  return Math.abs(product - exact) <= Math.abs(exact) * 1e-14 + width * 1e-9 ? product : exact;
}

/**
 * Upper bound of an interval that ends with the bucket at `start`. It is below the end of the bucket, at least `last`
 * (the interval's largest value) and below `next` (the smallest value after it).
 */
function upperBound(last: number, start: number, width: number, next: number, gaps: readonly number[]): number {
  const end = start + width;
  for (const gap of gaps) {
    if (gap > width && gap !== gaps[gaps.length - 1]) continue;
    const upper = Number((end - gap).toFixed(6));
    if (upper >= last && upper < next && upper < end) return upper;
  }
  return last;
}
