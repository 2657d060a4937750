/**
 * One word of a query with everything that stands for it.
 *
 *   "shoes"  ->  shoes (1), shoe (0.8), STEM_PREFIX + shoe (0.8)          "red"  ->  red (1), STEM_PREFIX + red (0.8)
 *
 * Stems live in the dictionary under a prefix only where they differ from the exact term, so the products of a stem are those of
 * both spellings. A product counts with its best alternative only: the same occurrence of a word is in several of these lists.
 */
import type { Analyzer } from "../analysis/index.ts";
import { STEM_PREFIX } from "../model.ts";

export interface TermAlternative {
  /** A string of the term dictionary. */
  readonly term: string;
  /** Share of a full match, 0..1. */
  readonly factor: number;
}

/** Plain data. */
export interface TermGroup {
  /** The word as analysed. */
  readonly word: string;
  readonly alternatives: readonly TermAlternative[];
}

/** Another form of the same word is almost as good as the word. */
export const STEM_FACTOR = 0.8;

export function termGroup(analyzer: Analyzer, word: string): TermGroup {
  const stem = analyzer.stem(word);
  const alternatives: TermAlternative[] = [{ term: word, factor: 1 }];
  if (stem !== word) alternatives.push({ term: stem, factor: STEM_FACTOR });
  alternatives.push({ term: STEM_PREFIX + stem, factor: STEM_FACTOR });
  return { word, alternatives };
}

/** Only the word itself: for codes and ids, which have no other forms. */
export function exactTerm(word: string): TermGroup {
  return { word, alternatives: [{ term: word, factor: 1 }] };
}
