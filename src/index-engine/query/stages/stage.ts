/**
 * A stage of a tenant's `query-configuration`: one way to search for the words of a query. Stages
 * are tried in order; the first one that finds something is the answer.
 *
 * A StagePlan is independent of the index. expand.ts expands the words with the dictionary.
 */
import type { FieldWeights } from "../rank/index.ts";
import type { MinShouldMatchRule } from "../../../interface/configuration-query.ts";
import type { Likeness } from "../expansion/index.ts";

/** Alternatives of a word besides its stem and synonyms of rules. */
export interface Expansions {
  /** The last word also matches as a prefix. */
  readonly prefix: boolean;
  /** Adjacent words joined. */
  readonly joins: boolean;
  /** A word split into words of the shop, anywhere in a product; other forms of numbers, units and codes. */
  readonly splits: boolean;
  /** Null if typos do not match. */
  readonly typos: Likeness | null;
  /** Typos only for unknown words. */
  readonly typosForUnknownOnly: boolean;
  /** Null if n-grams do not match. */
  readonly ngrams: Likeness | null;
}

/** Number of words that a product must have. */
export type Requirement =
  | { readonly kind: "all" }
  | { readonly kind: "some"; readonly rules: readonly MinShouldMatchRule[] }
  /** The largest number that any product has. */
  | { readonly kind: "most" };

/** Plain data. */
export interface StagePlan {
  /** Number among the stages that fit the query, as in `query_stage`; the same in a second try with corrections. */
  readonly number: number;
  readonly name: string;
  /** The reference's name of the strategy, as in `query_strategy`. */
  readonly strategy: string;
  readonly weights: FieldWeights;
  /** Other forms of the words count too. */
  readonly stems: boolean;
  /** If not all words must match, the parts of a typed word match together or not at all. */
  readonly keepsCompounds: boolean;
  readonly requirement: Requirement;
  /** Stop words are optional (unless there are no other words). */
  readonly stopWordsOptional: boolean;
  readonly isSameField: boolean;
  /** All words in their order, as a phrase. */
  readonly isPhrase: boolean;
  /** Slop of phrases (quoted ones, and all words if `isPhrase`). */
  readonly phraseSlop: number;
  readonly expansions: Expansions;
  /** An empty result ends the chain. */
  readonly acceptNoResult: boolean;
}

/** Whether the stage can be searched without the dictionary. */
export function isPlain({ expansions }: StagePlan): boolean {
  const { prefix, splits, joins, typos, ngrams } = expansions;
  return !prefix && !splits && !joins && typos === null && ngrams === null;
}

/**
 * The required number of n words: the reference's `minShouldMatch` (from Elasticsearch; grammar in
 * interface/configuration-query.ts).
 *
 *   "75%"  of 5 words: 3       "-25%"  of 5: 5 - 1 = 4
 *   "2<80%"  of 2: both, of 5: 4       "2<-25% 9<-3"
 *
 * The result is limited to 1..n: a product without any of the words never matches.
 */
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
