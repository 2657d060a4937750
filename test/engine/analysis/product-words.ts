// Lists of product words per language (words/<language>.txt): the forms of one word as shops and shoppers write
// them stand between commas. Those in words/fresh/ were written when the stemmers were done, and nothing was tuned to
// them: they tell how other words fare. A word that is fixed moves to the list above.
import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { analyzerFor } from "../../../src/index-engine/analysis/index.ts";
import { LANGUAGES } from "../../../src/index-engine/analysis/languages/index.ts";

/** Every language with data, by its key in the table. */
export const LANGUAGE_KEYS: readonly string[] = [...LANGUAGES.keys()];

export function productWords(language: string, folder: "words" | "words/fresh" = "words"): string[][] {
  const file = new URL(`${folder}/${language}.txt`, import.meta.url);
  return wordsIn(readFileSync(file, "utf8").trim());
}

/** `a b, c d`: what belongs together stands between commas. */
export function wordsIn(text: string): string[][] {
  return text.split(/,\s/).map((words) => words.split(" "));
}

/** `en with, de mit`: a text for every language. */
export function byLanguage(text: string): ReadonlyMap<string, string> {
  const texts = new Map(wordsIn(text).map(([language, ...words]) => [language, words.join(" ")]));
  expect([...texts.keys()].toSorted()).toEqual(LANGUAGE_KEYS.toSorted());
  return texts;
}

export function stemIn(language: string): (text: string) => string {
  const analyzer = analyzerFor(language);
  return (text) =>
    analyzer
      .terms(text)
      .map((term) => analyzer.stem(term))
      .join(" ");
}

/** Unordered pairs. */
export function pairsOf<T>(items: readonly T[]): [T, T][] {
  return items.flatMap((left, i) => items.slice(i + 1).map((right): [T, T] => [left, right]));
}

export interface Agreement {
  /** Pairs of words that the other joins. */
  readonly pairs: number;
  /** Share of them that we join. */
  readonly joined: number;
  /** Share of the pairs we join that the other joins. */
  readonly shared: number;
}

/**
 * How far two ways of stemming agree on which of `words` are one. Linear in the words: pairs are counted, not listed.
 */
export function agreement(
  words: readonly string[],
  ours: (word: string) => string,
  other: (word: string) => string,
): Agreement {
  const ourPairs = pairCount(words.map(ours));
  const otherPairs = pairCount(words.map(other));
  const bothPairs = pairCount(words.map((word) => `${ours(word)} ${other(word)}`));
  return { pairs: otherPairs, joined: bothPairs / otherPairs, shared: bothPairs / ourPairs };
}

function pairCount(keys: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum + (count * (count - 1)) / 2, 0);
}
