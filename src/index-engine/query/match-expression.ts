/**
 * Boolean queries -> matching rows of one segment with their scores. Only product sets and what rules restrict come here, so it is
 * plain: every node becomes a bitset and, where something was scored, an array of scores by row.
 */
import { andInto, andNotInto, emptyBits, fullBits, hasBit, orInto, rowsOf } from "../bits.ts";
import { MAX_SCORE, type FieldWeights } from "../rank/index.ts";
import type { Statistics } from "../rank/index.ts";
import type { ScaleOfGroup, SearchContext } from "./context.ts";
import { matchAll, type Matches } from "./match-words.ts";
import type { Expression } from "./plan.ts";

interface Found {
  readonly bits: Uint32Array;
  /** Null: all 0. */
  readonly scores: Float64Array | null;
}

interface ExpressionScope {
  readonly context: SearchContext;
  readonly segment: number;
  /** Of searches whose words name no field. */
  readonly weights: FieldWeights;
  readonly statistics: Statistics;
  readonly scale: ScaleOfGroup;
}

export function matchExpression(
  expression: Expression,
  scope: ExpressionScope,
  accept: Uint32Array | null,
): Matches {
  const { bits, scores } = find(expression, scope);
  if (accept !== null) andInto(bits, accept);
  const rows = rowsOf(bits);
  const rounded = new Int32Array(rows.length);
  if (scores !== null) {
    for (let i = 0; i < rows.length; i++) {
      rounded[i] = Math.min(MAX_SCORE, Math.round(scores[rows[i]]));
    }
  }
  return { rows, scores: rounded, borrowed: false };
}

/** Bits and scores belong to the caller. */
function find(expression: Expression, scope: ExpressionScope): Found {
  const { context, segment: s } = scope;
  const { segment } = context.live(s);
  const rowCount = segment.productCount;
  switch (expression.kind) {
    case "everything":
      return { bits: fullBits(rowCount), scores: null };
    case "words": {
      const bits = emptyBits(rowCount);
      if (expression.groups.length === 0) return { bits, scores: null };
      const weights = expression.weights ?? scope.weights;
      const scorer = context.scorer(s, weights, scope.statistics);
      const binding = { scale: scope.scale, accept: null, scorer, weights };
      const groups = context.bind(s, expression.groups, binding);
      const matches = matchAll(segment, groups, null, scorer);
      const scores = new Float64Array(rowCount);
      for (let i = 0; i < matches.rows.length; i++) {
        const row = matches.rows[i];
        bits[row >>> 5] |= 1 << row;
        scores[row] = matches.scores[i] * expression.boost;
      }
      return { bits, scores };
    }
    case "clauses": {
      let must: Uint32Array | null = null;
      let should: Uint32Array | null = null;
      const not = emptyBits(rowCount);
      const scores = new Float64Array(rowCount);
      for (const clause of expression.clauses) {
        const found = find(clause.expression, scope);
        if (clause.occur === "not") {
          orInto(not, found.bits);
          continue;
        }
        if (found.scores !== null) {
          for (let row = 0; row < rowCount; row++) scores[row] += found.scores[row];
        }
        if (clause.occur === "must") {
          if (must === null) must = found.bits;
          else andInto(must, found.bits);
        } else if (should === null) should = found.bits;
        else orInto(should, found.bits);
      }
      const bits = must ?? should ?? fullBits(rowCount);
      andNotInto(bits, not);
      // What a clause scored counts only where the whole matches: not `shoe` of `(run AND shoe)` without `run`.
      for (let row = 0; row < rowCount; row++) {
        scores[row] = hasBit(bits, row) ? scores[row] * expression.boost : 0;
      }
      return { bits, scores };
    }
  }
}
