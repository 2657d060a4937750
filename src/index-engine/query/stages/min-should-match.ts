/**
 * How many of n words a product must have: the reference's `minShouldMatch` (Elasticsearch's grammar).
 *
 *   spec      = rule *( " " rule )
 *   rule      = [ count "<" ] amount         count "<" amount: only when there are more words than `count`; the last that fits holds
 *   amount    = integer | integer "%"        negative: so many may be missing; percentages are rounded down
 *
 *   "75%"  of 5 words: 3       "-25%"  of 5: 5 - 1 = 4       "2<80%"  of 2: both, of 5: 4       "2<-25% 9<-3"
 *
 * The result is cut to 1..n: a product without any of the words is no match.
 */
export interface MinShouldMatchRule {
  /** Holds for queries of more words than this. */
  readonly above: number;
  readonly amount: number;
  readonly isPercentage: boolean;
}

const RULE = /^(?:(\d+)<)?(-?\d+)(%?)$/;

/** Null for a text that does not fit the grammar. */
export function parseMinShouldMatch(text: string): readonly MinShouldMatchRule[] | null {
  const rules: MinShouldMatchRule[] = [];
  for (const part of text
    .trim()
    .replaceAll(/\s*<\s*/g, "<")
    .split(/\s+/)) {
    const match = RULE.exec(part);
    if (match === null) return null;
    rules.push({
      above: match[1] === undefined ? 0 : Number(match[1]),
      amount: Number(match[2]),
      isPercentage: match[3] === "%",
    });
  }
  return rules;
}

export function requiredWords(rules: readonly MinShouldMatchRule[], wordCount: number): number {
  // A rule with a condition that does not hold leaves all words required, as there.
  let required = wordCount;
  let above = -1;
  for (const rule of rules) {
    if (wordCount <= rule.above || rule.above < above) continue;
    above = rule.above;
    const size = rule.isPercentage
      ? Math.floor((wordCount * Math.abs(rule.amount)) / 100)
      : Math.abs(rule.amount);
    required = rule.amount < 0 ? wordCount - size : size;
  }
  return Math.min(wordCount, Math.max(1, required));
}
