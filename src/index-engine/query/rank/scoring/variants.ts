/**
 * The variants of one product, ranked by functions that know them (`use-for-variants`; docs/search.md "Variants"):
 * their own score from the words of the query and the functions' values for the variant (its own or inherited), put
 * together like a product's. Rank features belong to products. Boosts that must win whatever functions say
 * (variantBoostTerms) are to be added afterwards.
 */
import type { Segment } from "../../../segment/model/index.ts";
import { combine } from "./combine.ts";
import type { ScoringPlan } from "./plan.ts";
import { idHash, variantHash } from "./random.ts";
import { NO_QUERY_TEXT } from "./text.ts";
import type { Subjects } from "./values.ts";

/**
 * @param row the product
 * @param scores of its variants, from the words; as many as it has variants
 * @returns `scores` themselves where no function ranks variants
 */
export function variantScores(
  segment: Segment,
  row: number,
  scores: Float64Array,
  plan: ScoringPlan,
): Float64Array {
  if (!plan.functions.some(({ variants }) => variants)) return scores;
  // Words that say nothing of any variant leave them equal, not worthless: 0 times a function would say nothing
  // either.
  const base = scores.some((score) => score > 0) ? scores : scores.map(() => NO_QUERY_TEXT);
  return combine(plan, variantSubjects(segment, row, base), true);
}

function variantSubjects(segment: Segment, row: number, base: Float64Array): Subjects {
  const firstRow = segment.hasVariants ? segment.variantRowStarts[row] : row;
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
