/** Computes the final scores of matching rows, and of the variants of a product, from their text scores. */
import { getOrInsert, work } from "../../../base/index.ts";
import type { Segment } from "../../../segment/model/index.ts";
import { addFeatures, combine } from "./combine.ts";
import type { ScoringPlan } from "./plan.ts";
import { idHash, variantHash } from "./random.ts";
import { NO_QUERY_TEXT, textScore } from "./text.ts";
import { unitsOf } from "./units.ts";
import { loopsOf, type Subjects } from "./values.ts";

/** For work.ts: the cost per row of functions, up to as many loops, and of titles. */
const STEPS_OF_ROW = 50;
/** The cost of a loop over few subjects. */
const STEPS_OF_LOOP = 20;

/**
 * @param rows ascending
 * @param scores text scores of the rows; null: no query
 * @param maxScore upper bound for the query, see `maxTextScore`
 * @returns a new array of units (units.ts) in the order of `rows`
 */
export function finalScores(
  segment: Segment,
  rows: Uint32Array,
  scores: Int32Array | null,
  plan: ScoringPlan,
  maxScore: number,
): Int32Array {
  work.spend(rows.length * Math.max(STEPS_OF_ROW, loopsIn(plan.functions) + plan.features.length));
  const base = new Float64Array(rows.length);
  for (let i = 0; i < base.length; i++) {
    base[i] = scores === null ? textScore(0, 0) : textScore(scores[i], maxScore);
  }
  const subjects = productSubjects(segment, rows, base);
  addFeatures(plan, base, subjects);
  const final = combine(plan, subjects, false);
  const units = new Int32Array(rows.length);
  for (let i = 0; i < units.length; i++) units[i] = unitsOf(final[i]);
  return units;
}

/** @param base is read when functions run, so it may still change */
export function productSubjects(segment: Segment, rows: Uint32Array, base: Float64Array): Subjects {
  const columns = new Map<string, Float64Array | null>();
  return {
    count: rows.length,
    base,
    column: (name) =>
      getOrInsert(columns, name, () => {
        const column = segment.numberColumns.get(name);
        if (column === undefined) return null;
        const values = new Float64Array(rows.length);
        column.readMax(rows, values);
        return values;
      }),
    hash: (i) => idHash(segment, rows[i]),
  };
}

/**
 * Ranks the variants of one product by functions for variants (`use-for-variants`; docs/search.md
 * "Variants"): combines their score from the words of the query and the functions' values for the
 * variant (own or inherited) like a product's. Rank features only apply to products. Boosts that
 * must outweigh functions (variantBoostTerms) must be added afterwards.
 * @param row the product
 * @param scores the variants' scores from the words
 * @returns `scores` itself if no function ranks variants
 */
export function variantScores(segment: Segment, row: number, scores: Float64Array, plan: ScoringPlan): Float64Array {
  const functions = plan.functions.filter(({ variants }) => variants);
  if (functions.length === 0) return scores;
  work.spend(loopsIn(functions) * (STEPS_OF_LOOP + scores.length));
  // If no variant matches a word, use a neutral score: 0 times a function would hide the function.
  const base = scores.some((score) => score > 0) ? scores : scores.map(() => NO_QUERY_TEXT);
  return combine(plan, variantSubjects(segment, row, base), true);
}

function loopsIn(functions: ScoringPlan["functions"]): number {
  return functions.reduce((sum, { body }) => sum + loopsOf(body), 0);
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
