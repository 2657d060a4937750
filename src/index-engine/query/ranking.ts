/** Matches of one segment -> the best k of them, with what orders them across segments. */
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
 * @param except bit per row that does not take part; null: all do
 * @param isStockFirst whether of near-equal scores those in stock come first
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

/** Order of two products of any segments; 0 only for the same id. */
export function compareRanked(
  criteria: readonly SortCriterion[],
  a: RankedKeys & { readonly id: string },
  b: RankedKeys & { readonly id: string },
): number {
  const order =
    criteria.length === 0
      ? b.rank - a.rank
      : Number(a.isPartial) - Number(b.isPartial) ||
        compareSortKeys(criteria, a.keys, b.keys) ||
        b.score - a.score;
  return order !== 0 ? order : compareCodePoints(a.id, b.id);
}

/** Making a hit, with its id and keys. */
const STEPS_OF_HIT = 50;
/** Reading the title of a row for its final score. */
const STEPS_OF_FINAL = 50;

/**
 * The best k by their final scores, which cost a look at titles. The k best by text score get theirs first: their
 * worst rank then turns away most other rows, whose bounds do not reach it.
 */
function byRelevance(
  segment: Segment,
  matches: RankedMatches,
  k: number,
  except: Uint32Array | null,
  inStock: (row: number) => boolean,
): RankedRow[] {
  const { rows, sortScores } = matches;
  const capacity = Math.min(k, rows.length);
  work.spend(rows.length + capacity * STEPS_OF_HIT);
  const first = new TopKeys(capacity);
  for (let i = 0; i < rows.length; i++) {
    const key = keyOf(sortScores[i], i);
    if (key <= first.threshold) continue;
    if (except === null || !hasBit(except, rows[i])) first.offer(key);
  }
  const top = new TopKeys(capacity);
  /** Position -> final score, of those that were offered. */
  const finals = new Map<number, number>();
  /** Scores below it are of no use. */
  let least = -1;
  const offer = (i: number): void => {
    work.spend(STEPS_OF_FINAL);
    const final = matches.final(i);
    const key = keyOf(rankOf(final, inStock(rows[i])), i);
    if (key <= top.threshold) return;
    finals.set(i, final);
    top.offer(key);
    least = top.threshold < 0 ? -1 : leastScoreOf(rankOfKey(top.threshold));
  };
  const seeds = first.sorted().map(rowOfKey).sort();
  for (const i of seeds) offer(i);
  if (seeds.length === capacity && capacity < rows.length) {
    const mark = scratch.mark();
    try {
      const { positions, bounds, count } = matches.reaching(least);
      let seed = 0;
      for (let at = 0; at < count; at++) {
        const i = positions[at];
        while (seeds[seed] < i) seed++;
        if (bounds[at] < least || i === seeds[seed]) continue;
        if (except === null || !hasBit(except, rows[i])) offer(i);
      }
    } finally {
      scratch.release(mark);
    }
  }
  return Array.from(top.sorted(), (key) => {
    const i = rowOfKey(key);
    return {
      row: rows[i],
      id: segment.ids.get(rows[i]),
      keys: [],
      score: finals.get(i) ?? 0,
      rank: rankOfKey(key),
      isPartial: matches.isPartial(i),
    };
  });
}

/** Without scores the order is stock, then row: the walk ends with the k-th row in stock. */
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

/** Products with all words first, then those that lack some; each run by the criteria, then by score. */
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
  const kept: number[] = [];
  for (let i = 0; i < matches.rows.length; i++) {
    if (except === null || !hasBit(except, matches.rows[i])) kept.push(i);
  }
  const rows = Uint32Array.from(kept, (i) => matches.rows[i]);
  const bound = bindSort(segment, criteria);
  const partial = Float64Array.from(kept, (i) => (matches.isPartial(i) ? 1 : 0));
  const isMixed = partial.includes(1);
  const orders = [
    ...(isMixed ? [partial] : []),
    ...bound.map((criterion) => criterion.orders(rows)),
  ];
  const compare = (a: number, b: number): number => {
    for (const values of orders) {
      if (values[a] !== values[b]) return values[a] < values[b] ? -1 : 1;
    }
    return sortScores[kept[b]] - sortScores[kept[a]] || a - b;
  };
  return topOf(rows.length, k, compare, orders[0]).map((at) => ({
    row: rows[at],
    id: segment.ids.get(rows[at]),
    keys: bound.map((criterion) => criterion.key(rows[at])),
    score: sortScores[kept[at]],
    rank: 0,
    isPartial: matches.isPartial(kept[at]),
  }));
}
