/**
 * A stage of a tenant's `query-configuration`: one way to ask the index for the words of a query. Stages are tried in
 * order; the first that finds something is the answer.
 *
 * A StagePlan knows nothing of the index. expand.ts makes the words asked of it with what the dictionary says.
 */
import type { FieldWeights } from "../rank/index.ts";
import type { MinShouldMatchRule } from "../../../interface/configuration-query.ts";
import type { Likeness } from "../expansion/index.ts";

/** What else a word may stand for, besides itself, its stem and what rules say. */
export interface Expansions {
  /** The last word also as the beginning of a word. */
  readonly prefix: boolean;
  /** Neighbouring words written together. */
  readonly joins: boolean;
  /**
   * A word written apart, in the shop's own words, anywhere in a product; other writings of numbers, units and codes.
   */
  readonly splits: boolean;
  /** Null: none. */
  readonly typos: Likeness | null;
  /** Typos only for words that no product has. */
  readonly typosForUnknownOnly: boolean;
  /** Null: none. */
  readonly ngrams: Likeness | null;
}

/** How many words a product must have. */
export type Requirement =
  | { readonly kind: "all" }
  | { readonly kind: "some"; readonly rules: readonly MinShouldMatchRule[] }
  /** As many as any product has. */
  | { readonly kind: "most" };

/** Plain data. */
export interface StagePlan {
  /**
   * Among the stages that fit the query, from 0; that of a second try with corrections is the stage's. `query_stage`.
   */
  readonly number: number;
  readonly name: string;
  /** The reference's name of the strategy: `query_strategy`. */
  readonly strategy: string;
  readonly weights: FieldWeights;
  /** Other forms of the words count as well. */
  readonly stems: boolean;
  /** Where not all words must match, those that were typed as one word match together or not at all. */
  readonly keepsCompounds: boolean;
  readonly requirement: Requirement;
  /** Stop words may be missing (unless there is nothing else). */
  readonly stopWordsOptional: boolean;
  /** All words in one and the same field. */
  readonly isSameField: boolean;
  /** All words in their order, as a phrase. */
  readonly isPhrase: boolean;
  /** How many places the words of a phrase may be moved (quoted ones, and all when `isPhrase`). */
  readonly phraseSlop: number;
  readonly expansions: Expansions;
  /** Finding nothing ends the chain. */
  readonly acceptNoResult: boolean;
}

/** Whether the stage can be asked without knowing the dictionary. */
export function isPlain({ expansions }: StagePlan): boolean {
  const { prefix, splits, joins, typos, ngrams } = expansions;
  return !prefix && !splits && !joins && typos === null && ngrams === null;
}
