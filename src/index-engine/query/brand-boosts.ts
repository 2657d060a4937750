/**
 * Boosts brands in queries of several words: a word in the brand of a product counts again.
 *
 *   makita saw blade   ->   saws and blades of the brand makita before saw blades of others
 *
 * If no product has all words, some have the brand and the product type, others only other words.
 * Products with a word in the brand field show that it is a brand.
 */
import { fieldWeights, weightOf, type FieldWeights, type TermGroup } from "./rank/index.ts";
import type { ScoreBoost } from "./plan.ts";

const BRAND_FIELD = "brand";
/** A brand, a product type and one more word. */
const FEWEST_WORDS = 3;

/** Weights with only the brand field. */
const brandWeights = new WeakMap<FieldWeights, FieldWeights>();

/**
 * @param share additional share of a word's score in the brand
 */
export function brandBoosts(
  groups: readonly TermGroup[],
  weights: FieldWeights,
  share: number,
): ScoreBoost[] {
  const weight = weightOf(weights, BRAND_FIELD);
  if (groups.length < FEWEST_WORDS || weight <= 0) return [];
  let ofBrand = brandWeights.get(weights);
  if (ofBrand === undefined) {
    ofBrand = fieldWeights([{ field: BRAND_FIELD, weight }], new Map(), weights.tie);
    brandWeights.set(weights, ofBrand);
  }
  return groups.map((group) => ({
    factor: 1 + share,
    groups: [group],
    ids: [],
    weights: ofBrand,
    line: null,
  }));
}
