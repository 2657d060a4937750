/**
 * The text score on the scale that a scoring configuration was written for.
 *
 * In the reference a matching word scores its field's weight, so text scores are small numbers, and shops have chosen
 * the weights of their functions to fit. Ours are BM25 times SCORE_SCALE. So they are put between 0 and 10: 10 is what
 * a product would get that has every word more often than any product can. That bound follows from the decision's
 * statistics alone, the same on all shards. What rules (UP) or searches without stages lift may stand above it: cut
 * off there, UP(2) and UP(10) would be the same.
 */
import { scaleOf } from "../similarity.ts";

const MAX_TEXT = 10;
/** Where nothing was asked every product matches as well: as in the reference, 1. */
export const NO_QUERY_TEXT = 1;

/**
 * The most that a product can score: of each word group its largest idf (times factor and boost, where alternatives
 * have them).
 * @param idfs one per word group
 */
export function maxTextScore(idfs: readonly number[]): number {
  return idfs.reduce((sum, idf) => sum + scaleOf(1, idf), 0);
}

/** @param maxScore of `maxTextScore`; 0 or less: nothing was asked */
export function textScore(score: number, maxScore: number): number {
  if (!(maxScore > 0)) return NO_QUERY_TEXT;
  return (MAX_TEXT * score) / maxScore;
}
