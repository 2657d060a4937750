/**
 * A stage: one way to ask the index for the words of a query. Stages are tried in order until one finds something
 * (reference-behaviour.md 5.4); the first that does is the answer, all of it.
 *
 * Two sources: a tenant's `query-configuration` (configured.ts), or our own ladder (ladder.ts). Both become StagePlans here, so
 * that everything behind knows one form only. A StagePlan knows nothing of the index; expand.ts makes a StageQuery of it with what
 * the index says of the words.
 */
import type { FieldWeights } from "../../rank/index.ts";
import type { MinShouldMatchRule } from "../../../interface/configuration-query.ts";

/** What else a word may stand for, besides itself, its stem and what rules say. */
export interface Expansions {
  /** The last word also as the beginning of a word. */
  readonly prefix: boolean;
  /** Neighbouring words written together. */
  readonly joins: boolean;
  /**
   * A word written apart, in the shop's own words, which stand together or anywhere in a product; other writings of numbers,
   * units and codes. Where words of the language grow together their parts are words by themselves: anywhere.
   */
  readonly splits: null | "together" | "anywhere";
  /** Null: none. "own": by length, at most `edits` (expansion/typos.ts); "fuzziness": as the reference's setting has it. */
  readonly typos:
    | null
    | { readonly kind: "own"; readonly edits: 1 | 2 }
    | { readonly kind: "fuzziness"; readonly value: string };
  /** Typos only for words that no product has. */
  readonly typosForUnknownOnly: boolean;
  /** For a word without any such typo: one edit anywhere, its first letter too. */
  readonly anyFirstLetter: boolean;
  /** Share of a word's trigrams that a dictionary word must have, 0..1. Null: no n-grams. */
  readonly ngrams: number | null;
}

/** How many words a product must have. */
export type Requirement =
  | { readonly kind: "all" }
  | { readonly kind: "some"; readonly rules: readonly MinShouldMatchRule[] }
  /** As many as any product has. */
  | { readonly kind: "most" };

/** Plain data. */
export interface StagePlan {
  /** Among the stages that fit the query, from 0; that of a second try with corrections is the stage's. `query_stage`. */
  readonly number: number;
  readonly name: string;
  /** The reference's strategy name, or that of our ladder's step: `query_strategy`. */
  readonly strategy: string;
  readonly weights: FieldWeights;
  /** Other forms of the words count as well. */
  readonly stems: boolean;
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

export const NO_EXPANSIONS: Expansions = {
  prefix: false,
  joins: false,
  splits: null,
  typos: null,
  typosForUnknownOnly: false,
  anyFirstLetter: false,
  ngrams: null,
};

/** Whether the stage can be asked without knowing the dictionary. */
export function isPlain({ expansions }: StagePlan): boolean {
  return (
    !expansions.prefix &&
    expansions.splits === null &&
    !expansions.joins &&
    expansions.typos === null &&
    expansions.ngrams === null
  );
}
