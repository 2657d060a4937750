/** One search of a plan on one segment, by whatever its query is. */
import { rowsOf } from "../bits.ts";
import type { Segment } from "../model.ts";
import type { Statistics } from "../rank/index.ts";
import type { ScaleOfGroup, SearchContext } from "./context.ts";
import { matchExpression } from "./match-expression.ts";
import { matchStage } from "./match-stage.ts";
import { NO_MATCHES, type Matches } from "./match-words.ts";
import type { Decision, QueryPlan } from "./plan.ts";

/** @param accept bit per row that may match; null: all */
export function matchSearch(
  context: SearchContext,
  plan: QueryPlan,
  decision: Decision,
  search: number,
  s: number,
  accept: Uint32Array | null,
  scale: ScaleOfGroup,
): Matches {
  const { query, weights } = plan.searches[search];
  const { statistics } = decision;
  const { segment } = context.live(s);
  switch (query.kind) {
    case "none":
      return NO_MATCHES;
    case "all":
      return everyRow(segment, accept);
    case "words": {
      const { query: stage, required } = decision.searches[search];
      if (stage === null) return NO_MATCHES;
      return matchStage(context, s, query.words, stage, required, { accept, statistics, scale });
    }
    case "expression":
      return matchExpression(
        query.expression,
        { context, segment: s, weights, statistics, scale },
        accept,
      );
  }
}

/** What a match is asked for with. */
export interface MatchScope {
  /** Bit per row that may match; null: all. */
  readonly accept: Uint32Array | null;
  readonly statistics: Statistics;
  readonly scale: ScaleOfGroup;
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
