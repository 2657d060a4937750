/**
 * Boosts brands and kinds in queries of several words: a word in a product's brand scores again, and so does a word in
 * the name of its leaf category.
 *
 *   makita saw blade      saws and blades of the brand makita before saw blades of others
 *   puma waterproof shoe  puma shoes (category Shoes) before waterproof jackets of puma
 *
 * If no product has all words, some have the brand and the kind, others only other words. Products with a word in
 * these fields show that it is a brand or a kind. Those that have both come first (brand-and-kind.ts).
 */
import { getOrInsert } from "../base/index.ts";
import { weightsIn, type FieldWeights, type TermGroup } from "./rank/index.ts";
import type { ScoreBoost } from "./plan.ts";

export const BRAND_FIELD = "brand";
export const KIND_FIELD = "category_leaf";
const ROLE_FIELDS = [BRAND_FIELD, KIND_FIELD];
/** A brand, a kind and one more word. */
const FEWEST_WORDS = 3;

/** For each field that has a weight, weights with only this field. */
const narrowWeights = new WeakMap<FieldWeights, readonly FieldWeights[]>();

/** @param share additional share of a word's score in the brand, and in the leaf category */
export function roleBoosts(groups: readonly TermGroup[], weights: FieldWeights, share: number): ScoreBoost[] {
  if (groups.length < FEWEST_WORDS) return [];
  return getOrInsert(narrowWeights, weights, narrowed).flatMap((ofRole) =>
    groups.map((group) => ({
      factor: 1 + share,
      groups: [group],
      ids: [],
      weights: ofRole,
      line: null,
    })),
  );
}

function narrowed(weights: FieldWeights): readonly FieldWeights[] {
  return ROLE_FIELDS.flatMap((field) => weightsIn(weights, field));
}
