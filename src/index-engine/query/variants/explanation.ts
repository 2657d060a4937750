/** Explains which variant a hit shows. Plain data, with wire names. */
import type { VariantPickingStrategy } from "../../../interface/index.ts";

export interface VariantExplanation {
  /** The applied strategy; `prefer-variant-on-filter` changes it to pickAlways. */
  readonly strategy: VariantPickingStrategy;
  /** Position in the document; null: the master is shown. */
  readonly picked: number | null;
  /** Number of candidates. */
  readonly matching: number;
  /** Whether the first candidate is strictly better than the second; null: fewer than two. */
  readonly isBest: boolean | null;
  /** All variants in document order. */
  readonly variants: readonly VariantCandidate[];
}

export interface VariantCandidate {
  readonly variant: number;
  readonly passesFilters: boolean;
  /** Score of query words in its own content: share * field weights. */
  readonly words: Readonly<Record<string, number>>;
  /** Number of its variantBoostTerms. */
  readonly boostTerms: number;
  /** Rank among the candidates, from 1; null: not a candidate. */
  readonly place: number | null;
  /**
   * Score of words, functions and boost terms; null if it has no rank or depends on private fields.
   */
  readonly score: number | null;
}
