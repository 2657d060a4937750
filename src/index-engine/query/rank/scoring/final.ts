/** Computes final scores from matching rows of one segment and their text scores. */
import { getOrInsert } from "../../../base/index.ts";
import type { Segment } from "../../../segment/model/index.ts";
import { addFeatures, combine } from "./combine.ts";
import type { ScoringPlan } from "./plan.ts";
import { idHash } from "./random.ts";
import { textScore } from "./text.ts";
import { unitsOf } from "./units.ts";
import type { Subjects } from "./values.ts";

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

/**
 * @param base is read when functions run, so it may still change
 */
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
