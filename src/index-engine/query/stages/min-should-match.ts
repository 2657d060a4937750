/**
 * The required number of n words: the reference's `minShouldMatch` (from Elasticsearch; grammar in
 * interface/configuration-query.ts).
 *
 *   "75%"  of 5 words: 3       "-25%"  of 5: 5 - 1 = 4
 *   "2<80%"  of 2: both, of 5: 4       "2<-25% 9<-3"
 *
 * The result is limited to 1..n: a product without any of the words never matches.
 */
import type { MinShouldMatchRule } from "../../../interface/configuration-query.ts";

export function requiredWords(rules: readonly MinShouldMatchRule[], wordCount: number): number {
  // As in Elasticsearch, all words are required if no condition holds.
  let required = wordCount;
  let above = -1;
  for (const rule of rules) {
    if (wordCount <= rule.above || rule.above < above) continue;
    above = rule.above;
    const size = rule.isPercentage ? Math.floor((wordCount * Math.abs(rule.amount)) / 100) : Math.abs(rule.amount);
    required = rule.amount < 0 ? wordCount - size : size;
  }
  return Math.min(wordCount, Math.max(1, required));
}
