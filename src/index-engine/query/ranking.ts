/** Selects the best k matches of one segment, with the keys that order them across segments. */
import { hasBit, compareCodePoints, work } from "../base/index.ts";
import type { Segment } from "../segment/model/index.ts";
import {
  bindSort,
  compareSortKeys,
  inStockOf,
  keyOf,
  leastScoreOf,
  rankOf,
  rankOfKey,
  rowOfKey,
  TopKeys,
  topOf,
  type SortCriterion,
} from "./rank/index.ts";
import type { RankedKeys } from "./plan.ts";
import { scratch } from "./core/scratch.ts";
import type { RankedMatches } from "./scored.ts";

export interface RankedRow extends RankedKeys {
  readonly row: number;
  readonly id: string;
}

/**
 * @param except bit per row to leave out; null: none
 * @param isStockFirst whether products in stock come first among near-equal scores
 */
export function bestRows(
  segment: Segment,
  matches: RankedMatches,
  criteria: readonly SortCriterion[],
  k: number,
  except: Uint32Array | null,
  isStockFirst: boolean,
): RankedRow[] {
  if (k === 0 || matches.rows.length === 0) return [];
  if (criteria.length > 0) return byCriteria(segment, matches, criteria, k, except);
  const inStock = isStockFirst ? inStockOf(segment) : () => true;
  return matches.isScored
    ? byRelevance(segment, matches, k, except, inStock)
    : inStockFirst(segment, matches.rows, inStock, k, except);
}

/** The order of two products of any segments; 0 only for the same id. */
export function compareRanked(
  criteria: readonly SortCriterion[],
  a: RankedKeys & { readonly id: string },
  b: RankedKeys & { readonly id: string },
): number {
  const order =
    criteria.length === 0
      ? b.rank - a.rank
      : Number(a.isPartial) - Number(b.isPartial) || compareSortKeys(criteria, a.keys, b.keys) || b.score - a.score;
  return order !== 0 ? order : compareCodePoints(a.id, b.id);
}

/** Cost of creating a hit, with its id and keys. */
const STEPS_OF_HIT = 100;
/** Cost of reading a row's title for its final score. */
const STEPS_OF_FINAL = 50;

/**
 * Selects the best k by final score. Computing a final score reads the title. The k best rows by text score come
 * first: their worst rank excludes most other rows, because the bounds of those do not reach it.
 */
function byRelevance(
  segment: Segment,
  matches: RankedMatches,
  k: number,
  except: Uint32Array | null,
  inStock: (row: number) => boolean,
): RankedRow[] {
  const { rows } = matches;
  const capacity = Math.min(k, rows.length);
  work.spend(rows.length + capacity * STEPS_OF_HIT);
  const mark = scratch.mark();
  try {
    /** Final scores by position, of the offered rows. */
    const finals = scratch.codes(rows.length);
    const keyAt: KeyAt = (i, least) => {
      work.spend(STEPS_OF_FINAL);
      const final = matches.final(i);
      if (final < least) return -1;
      finals[i] = final;
      return keyOf(rankOf(final, inStock(rows[i])), i);
    };
    const keys = capacity < rows.length ? bestKeys(matches, capacity, except, keyAt) : everyKey(rows, except, keyAt);
    return Array.from(keys, (key): RankedRow => {
      const i = rowOfKey(key);
      return {
        row: rows[i],
        id: segment.ids.get(rows[i]),
        keys: [],
        score: finals[i],
        rank: rankOfKey(key),
        isPartial: matches.isPartial(i),
      };
    });
  } finally {
    scratch.release(mark);
  }
}

/** The key of a position, or -1 if its final score is below `least`. */
type KeyAt = (i: number, least: number) => number;

function everyKey(rows: Uint32Array, except: Uint32Array | null, keyAt: KeyAt): number[] {
  const keys: number[] = [];
  for (let i = 0; i < rows.length; i++) {
    if (except === null || !hasBit(except, rows[i])) keys.push(keyAt(i, -1));
  }
  return keys.sort((a, b) => b - a);
}

function bestKeys(matches: RankedMatches, k: number, except: Uint32Array | null, keyAt: KeyAt): Float64Array {
  const { rows } = matches;
  const top = new TopKeys(k);
  /** Rows with a lower score cannot be among the best, in stock or not. */
  let least = -1;
  const offer = (i: number): void => {
    const key = keyAt(i, least);
    if (key <= top.threshold) return;
    top.offer(key);
    if (top.threshold >= 0) least = leastScoreOf(rankOfKey(top.threshold));
  };
  const seeds = bestTexts(matches, k, except);
  for (const i of seeds) offer(i);
  if (seeds.length === k) {
    const { positions, bounds, count } = matches.reaching(least);
    let seed = 0;
    for (let at = 0; at < count; at++) {
      const i = positions[at];
      while (seeds[seed] < i) seed++;
      if (bounds[at] < least || i === seeds[seed]) continue;
      if (except === null || !hasBit(except, rows[i])) offer(i);
    }
  }
  return top.sorted();
}

/** The positions of the k best by text score, ascending. */
function bestTexts({ rows, sortScores }: RankedMatches, k: number, except: Uint32Array | null): Float64Array {
  const top = new TopKeys(k);
  /** Lower scores cannot be among the best. Neither can equal ones, because earlier rows win ties. */
  let least = -1;
  for (let i = 0; i < rows.length; i++) {
    if (sortScores[i] <= least || (except !== null && hasBit(except, rows[i]))) continue;
    top.offer(keyOf(sortScores[i], i));
    if (top.threshold >= 0) least = rankOfKey(top.threshold);
  }
  return top.sorted().map(rowOfKey).sort();
}

/** Without scores, rows are ordered by stock, then row. The walk ends at the k-th row in stock. */
function inStockFirst(
  segment: Segment,
  rows: Uint32Array,
  inStock: (row: number) => boolean,
  k: number,
  except: Uint32Array | null,
): RankedRow[] {
  work.spend(Math.min(k, rows.length) * STEPS_OF_HIT);
  const first: number[] = [];
  const rest: number[] = [];
  for (let i = 0; i < rows.length && first.length < k; i++) {
    const row = rows[i];
    if (except !== null && hasBit(except, row)) continue;
    if (inStock(row)) first.push(row);
    else if (rest.length < k) rest.push(row);
  }
  const ranked = (row: number, isInStock: boolean): RankedRow => ({
    row,
    id: segment.ids.get(row),
    keys: [],
    score: 0,
    rank: rankOf(0, isInStock),
    isPartial: false,
  });
  return [
    ...first.map((row) => ranked(row, true)),
    ...rest.slice(0, k - first.length).map((row) => ranked(row, false)),
  ];
}

/** Products with all words come first, then the others. Both groups are ordered by the criteria, then by score. */
function byCriteria(
  segment: Segment,
  matches: RankedMatches,
  criteria: readonly SortCriterion[],
  k: number,
  except: Uint32Array | null,
): RankedRow[] {
  const { sortScores } = matches;
  const { length } = matches.rows;
  work.spend(length * 4 * (1 + criteria.length) + Math.min(k, length) * STEPS_OF_HIT);
  const kept = except === null ? null : positionsWithout(matches.rows, except);
  const placeOf = (at: number): number => (kept === null ? at : kept[at]);
  const rows = kept === null ? matches.rows : kept.map((place) => matches.rows[place]);
  const bound = bindSort(segment, criteria);
  const orders = bound.map((criterion) => criterion.orders(rows));
  const partial = new Float64Array(rows.length);
  let isMixed = false;
  for (let at = 0; at < rows.length; at++) {
    if (!matches.isPartial(placeOf(at))) continue;
    partial[at] = 1;
    isMixed = true;
  }
  if (isMixed) orders.unshift(partial);
  const compare = (a: number, b: number): number => {
    for (const values of orders) {
      if (values[a] !== values[b]) return values[a] < values[b] ? -1 : 1;
    }
    return sortScores[placeOf(b)] - sortScores[placeOf(a)] || a - b;
  };
  return topOf(rows.length, k, compare, orders[0]).map((at) => ({
    row: rows[at],
    id: segment.ids.get(rows[at]),
    keys: bound.map((criterion) => criterion.key(rows[at])),
    score: sortScores[placeOf(at)],
    rank: 0,
    isPartial: partial[at] === 1,
  }));
}

function positionsWithout(rows: Uint32Array, except: Uint32Array): Uint32Array {
  const kept = new Uint32Array(rows.length);
  let count = 0;
  for (let i = 0; i < rows.length; i++) if (!hasBit(except, rows[i])) kept[count++] = i;
  return kept.subarray(0, count);
}
