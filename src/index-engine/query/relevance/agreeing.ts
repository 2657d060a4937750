/**
 * Which correction of a word do the other words of the query mean? Of all words that "when" may be in a shop, "then" is
 * more frequent than "women", but products with "sandals" have "women". All corrections are searched for; the answer
 * names the best one (`query_corrected`).
 */
import type { WordsAsked } from "../plan.ts";
import { COMPARED } from "./policy.ts";

interface ComparedCorrection {
  readonly word: string;
  readonly term: string;
  readonly key: string;
}

/** The corrections to compare: of words with several ones, beside other words. */
export function comparedCorrections({ groups, corrected }: WordsAsked): ComparedCorrection[] {
  if (groups.length === 1) return [];
  const doubtful = corrected.filter(([word, terms]) => terms.length > 1 && groups.some((group) => group.word === word));
  return doubtful
    .slice(0, COMPARED.words)
    .flatMap(([word, terms]) =>
      terms.slice(0, COMPARED.corrections).map((term) => ({ word, term, key: keyOf(word, term) })),
    );
}

/** The corrections in the order of the products that they agree with; equal ones stay in their order. */
export function agreeing(asked: WordsAsked, agreements: ReadonlyMap<string, number>): WordsAsked {
  if (agreements.size === 0) return asked;
  const of = (word: string, term: string): number => agreements.get(keyOf(word, term)) ?? 0;
  const corrected = asked.corrected.map(
    ([word, terms]) => [word, terms.toSorted((a, b) => of(word, b) - of(word, a))] as const,
  );
  return { ...asked, corrected };
}

function keyOf(word: string, term: string): string {
  return `${word} ${term}`;
}
