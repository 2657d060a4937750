/**
 * The order without a sort, as one number per product: larger is better, equal only for equal ids.
 *
 *   bucket = floor(score / SCORE_BUCKET)                  near-equal scores
 *   rank   = (bucket * 2 + inStock) * SCORE_BUCKET + score % SCORE_BUCKET
 *                                                         bucket, then in stock, then exact score
 *   key    = rank * 2^24 + (2^24 - 1 - row)               then the id: rows are in id order
 *
 * Exact in a double: scores are limited to MAX_SCORE, so rank < 2^28 and key < 2^52. Ranks compare
 * across segments, keys within one. Without a query all scores are 0, so stock and id decide.
 */
import type { Segment } from "../../segment/model/index.ts";

/**
 * Scores in the same bucket of this size (a quarter point of BM25, see SCORE_SCALE) are near-equal:
 * products in stock come first.
 */
export const SCORE_BUCKET = 2_500;
/** Far above ordinary scores; boosts of a query string may exceed it. */
export const MAX_SCORE = 100_000_000;
const ROWS = 2 ** 24;
/** Above all ranks: added to those of products that come first whatever their score (brand-and-kind.ts). */
export const FIRST_RANK = 2 ** 29;

export const STOCK_FIELD = "stock";

/** In stock unless the stock is 0 or less; a product with variants is in stock if one of them is. */
export function inStockOf(segment: Segment): (row: number) => boolean {
  const column = segment.numberColumns.get(STOCK_FIELD);
  if (column === undefined) return () => true;
  return (row) => !(column.max(row) <= 0);
}

/** The same for a variant, with its own or its product's stock. */
export function inStockOfVariant(segment: Segment): (variantRow: number) => boolean {
  const column = segment.numberColumns.get(STOCK_FIELD);
  if (column === undefined) return () => true;
  return (variantRow) => !(column.ofVariant(variantRow) <= 0);
}

/** @param score an integer */
export function rankOf(score: number, inStock: boolean): number {
  const capped = (score < MAX_SCORE ? score : MAX_SCORE) | 0;
  const bucket = (capped / SCORE_BUCKET) | 0;
  return capped + (bucket + (inStock ? 1 : 0)) * SCORE_BUCKET;
}

/** The smallest score that reaches the rank for a product in stock. */
export function leastScoreOf(rank: number): number {
  const bucketAndStock = (rank / SCORE_BUCKET) | 0;
  const start = (bucketAndStock >>> 1) * SCORE_BUCKET;
  return (bucketAndStock & 1) === 1 ? start + rank - bucketAndStock * SCORE_BUCKET : start;
}

export function keyOf(rank: number, row: number): number {
  return rank * ROWS + (ROWS - 1 - row);
}

export function rowOfKey(key: number): number {
  return ROWS - 1 - (key - rankOfKey(key) * ROWS);
}

export function rankOfKey(key: number): number {
  return Math.floor(key / ROWS);
}
