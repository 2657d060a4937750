/**
 * Matches -> what orders them. Without a scoring configuration the text score does, and titles add their bonus where it can matter
 * (ranking.ts). With one, every match gets its final score here, because any of them may be lifted by a function: text score with the
 * bonus of its title, then functions (rank/scoring/).
 */
import {
  finalScores,
  maxTextScore,
  MAX_SCORE,
  type RowBonus,
  type TermGroup,
} from "../rank/index.ts";
import { idfsOf, type SearchContext } from "./context.ts";
import type { Matches } from "./match-words.ts";
import type { Decision, Expression, QueryPlan } from "./plan.ts";

interface Scored {
  readonly matches: Matches;
  /** Still to be added to the scores of what is ranked; null: nothing. */
  readonly bonus: RowBonus | null;
}

/** @param matches of the search in segment `s` */
export function scored(
  context: SearchContext,
  plan: QueryPlan,
  decision: Decision,
  search: number,
  s: number,
  matches: Matches,
): Scored {
  const hasBonus = matches.scores !== null && matches.rows.length > 0;
  const bonus = hasBonus ? context.proximity(plan, decision, search, s) : null;
  if (plan.scoring === null) return { matches, bonus };
  const { rows, scores } = matches;
  let texts = scores;
  if (scores !== null && bonus !== null) {
    texts = new Int32Array(rows.length);
    for (let i = 0; i < rows.length; i++) {
      texts[i] = Math.min(MAX_SCORE, scores[i] + bonus.of(rows[i]));
    }
  }
  const { segment } = context.live(s);
  const most = maxScoreOf(plan, decision, search);
  return {
    matches: {
      rows,
      scores: finalScores(segment, rows, texts, plan.scoring, most),
      borrowed: matches.borrowed,
    },
    bonus: null,
  };
}

/** The most that a product can score by the words of a search; 0 where none were asked. The same on all shards. */
export function maxScoreOf(plan: QueryPlan, decision: Decision, search: number): number {
  const idfOf = idfsOf(plan, decision);
  const { query: asked } = plan.searches[search];
  if (asked.kind === "expression") return maxOfExpression(asked.expression, idfOf);
  const { query } = decision.searches[search];
  if (query === null) return 0;
  return maxTextScore([...query.groups, ...query.optional].map(idfOf));
}

function maxOfExpression(expression: Expression, idfOf: (group: TermGroup) => number): number {
  switch (expression.kind) {
    case "everything":
      return 0;
    case "words":
      return maxTextScore(expression.groups.map(idfOf)) * expression.boost;
    case "clauses": {
      const clauses = expression.clauses.filter(({ occur }) => occur !== "not");
      const most = clauses.map(({ expression: inner }) => maxOfExpression(inner, idfOf));
      return most.reduce((sum, one) => sum + one, 0) * expression.boost;
    }
  }
}
