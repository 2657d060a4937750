/** Why a hit shows the variant it shows. Plain data, with wire names. */
import type { VariantPickingStrategy } from "../../../interface/index.ts";

export interface VariantExplanation {
  /** In force: `prefer-variant-on-filter` makes it pickAlways. */
  readonly strategy: VariantPickingStrategy;
  /** Position in the document; null: the master is shown. */
  readonly picked: number | null;
  /** How many come into question. */
  readonly matching: number;
  /** Whether the first of them is strictly better than the second; null with fewer than two. */
  readonly isBest: boolean | null;
  /** All of the product, in the order of the document. */
  readonly variants: readonly VariantCandidate[];
}

export interface VariantCandidate {
  readonly variant: number;
  readonly passesFilters: boolean;
  /** Words of the query in its own content: share * field weights. */
  readonly words: Readonly<Record<string, number>>;
  /** How many variantBoostTerms it has. */
  readonly boostTerms: number;
  /** Among those that come into question, from 1; null: it does not. */
  readonly place: number | null;
  /** By words, functions and boost terms; null where it has no place, or private fields decide. */
  readonly score: number | null;
}
