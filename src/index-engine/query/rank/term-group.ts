/**
 * A word of a query with its alternatives.
 *
 *   "shoes"       ->  shoes (1), shoe (0.95), STEM_PREFIX + shoe (0.95)
 *   "headphones"  ->  headphones (1), STEM_PREFIX + headphon (0.95), all of [head] [phones] (0.9)
 *
 * Stems live in the dictionary under a prefix only where they differ from the exact term, so the
 * products of a stem are those of both spellings. A product counts with its best alternative, or for the only word of
 * a query with the best one in each norm group (similarity.ts), because several lists contain the same occurrence.
 *
 * There are two kinds of alternatives: single dictionary terms (posting lists), and *sub-queries*, which
 * are evaluated per segment (query/segment-scorers.ts): all terms with a prefix, or several words
 * together. An alternative of several adjacent words of the query (a joined word, a synonym of a
 * group) belongs to each of them, so that "as many words as possible" counts correctly.
 */
import type { Analyzer } from "../../analysis/index.ts";
import { STEM_PREFIX } from "../../segment/model/index.ts";

/** Origin of an alternative, for explanations. */
export type AlternativeOrigin = "word" | "stem" | "prefix" | "synonym" | "joined" | "split" | "form" | "typo" | "ngram";

export interface TermAlternative {
  /** A string of the term dictionary. */
  readonly term: string;
  /** Share of a full match, 0..1; above 1 only for preferred synonyms of rules. */
  readonly factor: number;
  /** Absent: the word itself. */
  readonly origin?: AlternativeOrigin;
  /** Whether it is ignored in the word's idf. */
  readonly isUncounted?: true;
}

export type SubQuery =
  /** All exact terms that start with `prefix`. */
  | {
      readonly kind: "prefix";
      readonly prefix: string;
      readonly factor: number;
      readonly isUncounted?: true;
    }
  /**
   * Matches a product with all groups; scores the mean of their scores. `slop` null: anywhere, otherwise as a phrase.
   * The parts of a split word (origin "split") only form a phrase where their order is known: in titles.
   */
  | {
      readonly kind: "all";
      readonly groups: readonly TermGroup[];
      readonly factor: number;
      readonly slop: number | null;
      readonly origin: AlternativeOrigin;
      readonly isUncounted?: true;
    };

export type WordsTogether = Extract<SubQuery, { kind: "all" }>;

/** Plain data. */
export interface TermGroup {
  /** The analysed word. */
  readonly word: string;
  readonly alternatives: readonly TermAlternative[];
  readonly subQueries?: readonly SubQuery[];
  /** Inverse document frequency in the whole index; absent before the query is weighed (query/weigh.ts). */
  readonly idf?: number;
}

/** Factor of other forms of a word. Plateau .8 to 1 (bench/relevance/plateau.ts). */
export const STEM_FACTOR = 0.95;

export function termGroup(analyzer: Analyzer, word: string): TermGroup {
  const stem = analyzer.stem(word);
  const alternatives: TermAlternative[] = [{ term: word, factor: 1 }];
  if (stem !== word) alternatives.push({ term: stem, factor: STEM_FACTOR, origin: "stem" });
  alternatives.push({ term: STEM_PREFIX + stem, factor: STEM_FACTOR, origin: "stem" });
  return { word, alternatives };
}

/** Only the word itself, for codes and ids. */
export function exactTerm(word: string): TermGroup {
  return { word, alternatives: [{ term: word, factor: 1 }] };
}
