/**
 * Scales text scores to the range for which scoring configurations were written.
 *
 * In the reference a matching word scores its field's weight, so text scores are small, and shops
 * have chosen the weights of their functions accordingly. Our scores are BM25 times SCORE_SCALE.
 * They are scaled to 0..10, where 10 is the limit for infinitely frequent words. This bound only
 * depends on the decision's statistics, so it is the same on all shards. Boosts of rules (UP) and
 * of searches without stages may exceed it: capped scores would make UP(2) and UP(10) equal.
 */
import { scaleOf } from "../similarity.ts";
import type { TermGroup } from "../term-group.ts";

const MAX_TEXT = 10;
/** The text score without a query, as in the reference. */
export const NO_QUERY_TEXT = 1;

/** Upper bound of the score of a product with these words (times factor and boost, if alternatives have them). */
export function maxTextScore(words: readonly Pick<TermGroup, "idf">[]): number {
  return words.reduce((sum, { idf = 0 }) => sum + scaleOf(1, idf), 0);
}

/** @param maxScore of `maxTextScore`; 0 or less: no query */
export function textScore(score: number, maxScore: number): number {
  if (!(maxScore > 0)) return NO_QUERY_TEXT;
  return (MAX_TEXT * score) / maxScore;
}
