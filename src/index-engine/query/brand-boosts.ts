/**
 * What a query of several words says of a brand: a word that stands in the brand of a product counts there once more.
 *
 *   makita saw blade      makita saws and makita blades (of the brand makita) before saw blades of others
 *
 * Where no product has all words, some have the brand and the kind, others only words about them. Which of the words is
 * a brand is said by the products: by those that have it in this field.
 */
import { fieldWeights, weightOf, type FieldWeights, type TermGroup } from "./rank/index.ts";
import type { ScoreBoost } from "./plan.ts";

const BRAND_FIELD = "brand";
/** A brand, a kind and one word more. */
const FEWEST_WORDS = 3;

/** Of the fields that are searched, the brand alone. */
const brandWeights = new WeakMap<FieldWeights, FieldWeights>();

/** @param share of its score in the brand that a word gets in addition */
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
