/** One search of a plan on one segment, by whatever its query is. */
import { rowsOf } from "../bits.ts";
import type { Segment } from "../model.ts";
import type { TermGroup } from "../rank/index.ts";
import type { SearchContext } from "./context.ts";
import { matchExpression } from "./match-expression.ts";
import { matchAll, matchSome, type Matches } from "./match-words.ts";
import type { Decision, QueryPlan } from "./plan.ts";

const NOTHING: Matches = { rows: new Uint32Array(0), scores: null, borrowed: false };

/** @param accept bit per row that may match; null: all */
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
    case "all":
      return everyRow(segment, accept);
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

/** 0, 1, 2 ...: the rows of every segment of which all rows match. Never written to. */
let firstRows = new Uint32Array(0);

/** What matches without a query. */
export function everyRow(segment: Segment, accept: Uint32Array | null): Matches {
  if (accept !== null) return { rows: rowsOf(accept), scores: null, borrowed: false };
  if (firstRows.length < segment.productCount) {
    firstRows = new Uint32Array(segment.productCount);
    for (let row = 0; row < firstRows.length; row++) firstRows[row] = row;
  }
  return { rows: firstRows.subarray(0, segment.productCount), scores: null, borrowed: false };
}
