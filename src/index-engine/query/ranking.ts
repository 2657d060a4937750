/** Matches of one segment -> the best k of them, with what orders them across segments. */
import { hasBit } from "../bits.ts";
import type { Segment } from "../model.ts";
import {
  bindSort,
  compareSortKeys,
  inStockOf,
  keyOf,
  rankOf,
  rankOfKey,
  rowOfKey,
  TopKeys,
  topOf,
  type RowBonus,
  type SortCriterion,
} from "../rank/index.ts";
import { compareCodePoints } from "../strings.ts";
import type { Matches } from "./match-words.ts";
import type { RankedKeys } from "./plan.ts";

export interface RankedRow extends RankedKeys {
  readonly row: number;
  readonly id: string;
}

/**
 * @param except bit per row that does not take part; null: all do
 * @param bonus added to the scores of the rows it is asked for: of those that may be among the best k. Not where criteria sort,
 * and not without scores
 * @param isStockFirst whether of near-equal scores those in stock come first
 */
export function bestRows(
  segment: Segment,
  matches: Matches,
  criteria: readonly SortCriterion[],
  k: number,
  except: Uint32Array | null,
  bonus: RowBonus | null = null,
  isStockFirst = true,
): RankedRow[] {
  if (k === 0 || matches.rows.length === 0) return [];
  return criteria.length === 0
    ? byRelevance(segment, matches, k, except, bonus, isStockFirst)
    : byCriteria(segment, matches, criteria, k, except);
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
      : compareSortKeys(criteria, a.keys, b.keys) || b.score - a.score;
  return order !== 0 ? order : compareCodePoints(a.id, b.id);
}

function byRelevance(
  segment: Segment,
  matches: Matches,
  k: number,
  except: Uint32Array | null,
  bonus: RowBonus | null,
  isStockFirst: boolean,
): RankedRow[] {
  const { rows, scores } = matches;
  const inStock = isStockFirst ? inStockOf(segment) : () => true;
  if (scores === null) return inStockFirst(segment, rows, inStock, k, except);
  if (bonus !== null) return byScoreAndBonus(segment, matches, k, except, bonus, inStock);
  const top = new TopKeys(Math.min(k, rows.length));
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    // Without the stock, which costs a column read: the best this score can become.
    if (keyOf(rankOf(scores[i], true), row) <= top.threshold) continue;
    if (except !== null && hasBit(except, row)) continue;
    top.offer(keyOf(rankOf(scores[i], inStock(row)), row));
  }
  const best: RankedRow[] = [];
  for (const key of top.sorted()) {
    const row = rowOfKey(key);
    const score = scoreOfRow(matches, row);
    best.push({ row, id: segment.ids.get(row), keys: [], score, rank: rankOfKey(key) });
  }
  return best;
}

/**
 * The best k by score and bonus. The k best by score alone are given their bonus first: their worst rank then turns away nearly every
 * other row that could not reach it with the largest bonus, without a look at its titles.
 */
function byScoreAndBonus(
  segment: Segment,
  { rows, scores }: Matches,
  k: number,
  except: Uint32Array | null,
  bonus: RowBonus,
  inStock: (row: number) => boolean,
): RankedRow[] {
  if (scores === null) return [];
  const capacity = Math.min(k, rows.length);
  const first = new TopKeys(capacity);
  for (let i = 0; i < rows.length; i++) {
    const key = keyOf(rankOf(scores[i], true), rows[i]);
    if (key <= first.threshold) continue;
    if (except === null || !hasBit(except, rows[i])) first.offer(key);
  }
  const top = new TopKeys(capacity);
  /** Row -> score with bonus, of the rows that were offered. */
  const totals = new Map<number, number>();
  const offer = (row: number, score: number): void => {
    const total = score + bonus.of(row);
    const key = keyOf(rankOf(total, inStock(row)), row);
    if (key <= top.threshold) return;
    totals.set(row, total);
    top.offer(key);
  };
  const seeds = first.sorted().map(rowOfKey).sort();
  for (const row of seeds) offer(row, scores[positionOf(rows, row)]);
  let seed = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    if (row === seeds[seed]) {
      seed++;
      continue;
    }
    if (keyOf(rankOf(scores[i] + bonus.max, true), row) <= top.threshold) continue;
    if (except !== null && hasBit(except, row)) continue;
    offer(row, scores[i]);
  }
  return Array.from(top.sorted(), (key) => {
    const row = rowOfKey(key);
    return {
      row,
      id: segment.ids.get(row),
      keys: [],
      score: totals.get(row) ?? 0,
      rank: rankOfKey(key),
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
  });
  return [
    ...first.map((row) => ranked(row, true)),
    ...rest.slice(0, k - first.length).map((row) => ranked(row, false)),
  ];
}

function byCriteria(
  segment: Segment,
  matches: Matches,
  criteria: readonly SortCriterion[],
  k: number,
  except: Uint32Array | null,
): RankedRow[] {
  const kept = except === null ? matches : without(matches, except);
  const { rows, scores } = kept;
  const bound = bindSort(segment, criteria);
  const orders = bound.map((criterion) => criterion.orders(rows));
  const compare = (a: number, b: number): number => {
    for (const values of orders) {
      if (values[a] !== values[b]) return values[a] < values[b] ? -1 : 1;
    }
    return (scores === null ? 0 : scores[b] - scores[a]) || a - b;
  };
  const best = topOf(rows.length, k, compare, orders[0]);
  return best.map((i) => ({
    row: rows[i],
    id: segment.ids.get(rows[i]),
    keys: bound.map((criterion) => criterion.key(rows[i])),
    score: scores === null ? 0 : scores[i],
    rank: 0,
  }));
}

function without({ rows, scores }: Matches, except: Uint32Array): Matches {
  const kept = rows.filter((row) => !hasBit(except, row));
  if (scores === null) return { rows: kept, scores, borrowed: false };
  const keptScores = scores.filter((_, i) => !hasBit(except, rows[i]));
  return { rows: kept, scores: keptScores, borrowed: false };
}

/** The score of a row; 0 when it is not among the matches. */
export function scoreOfRow(matches: Matches, row: number): number {
  if (matches.scores === null) return 0;
  const at = positionOf(matches.rows, row);
  return at < 0 ? 0 : matches.scores[at];
}

/** Position of `row` in ascending `rows`, or -1. */
export function positionOf(rows: Uint32Array, row: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rows[middle] < row) low = middle + 1;
    else high = middle;
  }
  return low < rows.length && rows[low] === row ? low : -1;
}
