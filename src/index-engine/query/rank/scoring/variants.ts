/**
 * Ranks the variants of one product by functions for variants (`use-for-variants`; docs/search.md
 * "Variants"): combines their score from the words of the query and the functions' values for the
 * variant (own or inherited) like a product's. Rank features only apply to products. Boosts that
 * must outweigh functions (variantBoostTerms) must be added afterwards.
 */
import type { Segment } from "../../../segment/model/index.ts";
import { combine } from "./combine.ts";
import type { ScoringPlan } from "./plan.ts";
import { idHash, variantHash } from "./random.ts";
import { NO_QUERY_TEXT } from "./text.ts";
import type { Subjects } from "./values.ts";

/**
 * @param row the product
 * @param scores the variants' scores from the words
 * @returns `scores` itself if no function ranks variants
 */
export function variantScores(segment: Segment, row: number, scores: Float64Array, plan: ScoringPlan): Float64Array {
  if (!plan.functions.some(({ variants }) => variants)) return scores;
  // If no variant matches a word, use a neutral score: 0 times a function would hide the function.
  const base = scores.some((score) => score > 0) ? scores : scores.map(() => NO_QUERY_TEXT);
  return combine(plan, variantSubjects(segment, row, base), true);
}

function variantSubjects(segment: Segment, row: number, base: Float64Array): Subjects {
  const firstRow = segment.variantRows.first(row);
  return {
    count: base.length,
    base,
    column: (name) => {
      const column = segment.numberColumns.get(name);
      if (column === undefined) return null;
      return Float64Array.from(base, (_, variant) => column.ofVariant(firstRow + variant));
    },
    hash: (variant) => variantHash(idHash(segment, row), variant),
  };
}
