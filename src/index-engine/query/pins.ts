/**
 * Pins: products that a rule boosts by id: `UP: * id:100331685`.
 *
 * Such a product additionally gets the upper bound of the query's score, three times for a weight
 * of 1. This ranks it above every product that only has words, because the factors of titles and
 * categories (relevance/lift.ts) are smaller. It is the same on all shards, like the idf of words.
 */
import { maxTextScore } from "./rank/index.ts";
import type { WordsAsked } from "./plan.ts";

const TIMES_THE_MOST = 3;

/** The score that the rule's factor multiplies. */
export function scoreOfPin({ groups, optional }: WordsAsked): number {
  return TIMES_THE_MOST * maxTextScore([...groups, ...optional]);
}
