/**
 * The five orders of facet entries (docs/behaviour.md 4.1).
 *
 * ALPHANUM is the order of sort keys: first without case and accents, then exact. HUMAN_NUMERIC compares runs of
 * digits as numbers ("9 cm" < "10 cm", "1,5 l" < "1.75 l") and the text between them like ALPHANUM. COUNT: largest
 * first. Ties are broken by key, so an order never depends on where entries came from.
 */
import type { ValueOrder } from "../../../interface/index.ts";
import { compareCodePoints } from "../../base/index.ts";
import type { WrittenForms } from "../../query/index.ts";
import { compareKeys } from "./keys.ts";
import { SegmentValue } from "./written-value.ts";

interface Orderable {
  /** Number of products. */
  readonly count: number;
  readonly written: Orders;
}
type Orders = Pick<WrittenForms, "key" | "sortKey">;

/** By key. Within their field, the values of a segment are numbered in key order, so most keys need not be read. */
function compareInField(a: Orders, b: Orders): number {
  return a instanceof SegmentValue && b instanceof SegmentValue && a.segment === b.segment
    ? a.ordinal - b.ordinal
    : compareKeys(a.key, b.key);
}

/** Returns a sorted copy. `language` is the index's, for folding. */
export function orderEntries<T extends Orderable>(
  entries: readonly T[],
  order: ValueOrder,
  language: string,
): readonly T[] {
  if (entries.length < 2) return entries;
  switch (order) {
    case "COUNT":
      return largestFirst(entries);
    case "ALPHANUM_ASC":
      return byKey(entries, (value) => value.sortKey(language), compareCodePoints, 1);
    case "ALPHANUM_DESC":
      return byKey(entries, (value) => value.sortKey(language), compareCodePoints, -1);
    case "HUMAN_NUMERIC_ASC":
      return byKey(entries, (value) => humanKey(value.sortKey(language)), compareHuman, 1);
    case "HUMAN_NUMERIC_DESC":
      return byKey(entries, (value) => humanKey(value.sortKey(language)), compareHuman, -1);
  }
}

/** Sorting numbers takes half the time of sorting entries, but needs entries that ascend by key, as they usually do. */
function largestFirst<T extends Orderable>(entries: readonly T[]): T[] {
  const size = entries.length;
  for (let i = 1; i < size; i++) {
    if (compareInField(entries[i - 1].written, entries[i].written) < 0) continue;
    return entries.toSorted((a, b) => b.count - a.count || compareInField(a.written, b.written));
  }
  const order = new Float64Array(size);
  for (let i = 0; i < size; i++) order[i] = i - entries[i].count * size;
  order.sort();
  const sorted: T[] = [];
  for (const place of order) sorted.push(entries[place - Math.floor(place / size) * size]);
  return sorted;
}

function byKey<T extends Orderable, K>(
  entries: readonly T[],
  keyOf: (value: Orders) => K,
  compare: (a: K, b: K) => number,
  sign: 1 | -1,
): T[] {
  return entries
    .map((entry) => ({ entry, key: keyOf(entry.written) }))
    .sort((a, b) => sign * compare(a.key, b.key))
    .map(({ entry }) => entry);
}

/** Texts and numbers alternate, texts first. The whole sort key breaks ties. */
interface HumanKey {
  readonly pieces: readonly (string | number)[];
  readonly whole: string;
}

/** A number: digits with at most one fraction. A minus only counts at the very beginning. */
const NUMBER = /(?:(?<=^\s*)-)?\d+(?:[.,]\d+)?/gu;

function humanKey(whole: string): HumanKey {
  const folded = whole.slice(0, whole.indexOf("\u0000"));
  const pieces: (string | number)[] = [];
  let end = 0;
  for (const match of folded.matchAll(NUMBER)) {
    pieces.push(folded.slice(end, match.index), Number(match[0].replace(",", ".")));
    end = match.index + match[0].length;
  }
  pieces.push(folded.slice(end));
  return { pieces, whole };
}

function compareHuman(a: HumanKey, b: HumanKey): number {
  const length = Math.min(a.pieces.length, b.pieces.length);
  for (let i = 0; i < length; i++) {
    const one = a.pieces[i];
    const other = b.pieces[i];
    const order =
      typeof one === "number" && typeof other === "number"
        ? one - other
        : compareCodePoints(String(one), String(other));
    if (order !== 0) return order;
  }
  return a.pieces.length - b.pieces.length || compareCodePoints(a.whole, b.whole);
}

/** Counts below this are sorted with a histogram. */
const SMALL_COUNTS = 256;

/** The smallest of the `limit` largest counts, and how many of these have it. There are more counts than that. */
export function leastOfLargest(
  counts: Uint32Array,
  limit: number,
): { readonly least: number; readonly missing: number } {
  // Large counts are few.
  const small = new Uint32Array(SMALL_COUNTS);
  const large: number[] = [];
  for (const count of counts) {
    if (count < SMALL_COUNTS) small[count]++;
    else large.push(count);
  }
  if (large.length >= limit) {
    const least = large.sort((a, b) => b - a)[limit - 1];
    return { least, missing: limit - large.indexOf(least) };
  }
  let missing = limit - large.length;
  let least = SMALL_COUNTS - 1;
  while (missing > small[least]) missing -= small[least--];
  return { least, missing };
}
