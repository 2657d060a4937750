/**
 * Products that a rule names by their id: `UP: * id:100331685`.
 *
 * Such a product has, in addition, as much as the words of the query can score at most, three times for a weight of 1.
 * With it, it stands before every product that only has words: what titles and categories multiply a score by
 * (relevance/lift.ts) comes to less. It is the same on all shards, since the rarity of words is.
 */
import { maxTextScore } from "./rank/index.ts";
import type { WordsAsked } from "./plan.ts";

const TIMES_THE_MOST = 3;

/** What the rule's factor multiplies for a product that it names. */
export function scoreOfPin({ groups, optional }: WordsAsked): number {
  const idfs = [...groups, ...optional].map(({ idf = 0 }) => idf);
  return TIMES_THE_MOST * maxTextScore(idfs);
}
