/** One search of a plan on one segment, by whatever its query is. */
import { rowsOf } from "../bits.ts";
import type { TermGroup } from "../rank/index.ts";
import type { SearchContext } from "./context.ts";
import { matchExpression } from "./match-expression.ts";
import { matchAll, matchSome, type Matches } from "./match-words.ts";
import type { Decision, QueryPlan } from "./plan.ts";

const NOTHING: Matches = { rows: new Uint32Array(0), scores: new Int32Array(0) };

/** Rows and scores are valid until the next call. */
export function matchSearch(
  context: SearchContext,
  plan: QueryPlan,
  decision: Decision,
  search: number,
  s: number,
  accept: Uint32Array | null,
  scale: (group: TermGroup, alternative: number) => number,
): Matches {
  const { query, weights } = plan.searches[search];
  const { required } = decision.searches[search];
  const { segment } = context.live(s);
  switch (query.kind) {
    case "none":
      return NOTHING;
    case "all": {
      const rows = accept === null ? allRows(segment.productCount) : rowsOf(accept);
      return { rows, scores: zeros(rows.length) };
    }
    case "groups": {
      const groups = context.bind(s, query.groups, scale);
      const scorer = context.scorer(s, weights, decision.statistics);
      return required === groups.length
        ? matchAll(segment, groups, accept, scorer)
        : matchSome(segment, groups, required, accept, scorer);
    }
    case "expression":
      return matchExpression(
        query.expression,
        { context, segment: s, weights, statistics: decision.statistics, scale },
        accept,
      );
  }
}

function allRows(count: number): Uint32Array {
  const rows = new Uint32Array(count);
  for (let row = 0; row < count; row++) rows[row] = row;
  return rows;
}

/** Scores of a query without words; never written to. */
let noScores = new Int32Array(0);

function zeros(count: number): Int32Array {
  if (noScores.length < count) noScores = new Int32Array(count * 2);
  return noScores.subarray(0, count);
}
