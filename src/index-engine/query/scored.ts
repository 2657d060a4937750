/**
 * The matches of a search, and what orders them.
 *
 *   stages      text + title bonus
 *   no stages   text, lifted (relevance/lift.ts)
 *   functions   of the tenant's scoring configuration make another score of either. Any match may be lifted by them, so all are scored
 *
 * Titles are read row by row, for those that may be among the best.
 */
import { finalScores, maxTextScore, MAX_SCORE, type TermGroup } from "../rank/index.ts";
import type { SearchContext } from "./context.ts";
import { everyRow, NO_MATCHES, type Matches } from "./core/match.ts";
import { AtLeast, Cut, reaches } from "./core/requirements.ts";
import { adjusted, matchExpression, matchWords } from "./matching.ts";
import type { Decision, Expression, QueryPlan, Settlement, WordsAsked } from "./plan.ts";
import { basisFiltersOf } from "./known-fields.ts";
import { Lift } from "./relevance/lift.ts";
import { ALL_WORDS } from "./relevance/policy.ts";
import { proximityIn } from "./title-words.ts";

/** Matches with what orders them, by position. */
export interface RankedMatches {
  readonly rows: Uint32Array;
  /** False: nothing was asked, all scores are 0. */
  readonly isScored: boolean;
  /** An upper bound of `final`, which costs nothing. */
  most(i: number): number;
  final(i: number): number;
  /** What decides among products that a sort leaves equal. */
  sortScore(i: number): number;
  /** Whether the product lacks words. */
  isPartial(i: number): boolean;
}

/** What the search finds in segment `s`, and the bits of rows that were accepted: `accept` itself, or more rows than those. */
export function matchesOf(
  context: SearchContext,
  plan: QueryPlan,
  decision: Decision,
  search: number,
  s: number,
  accept: Uint32Array | null,
): { readonly matches: Matches; readonly accept: Uint32Array | null } {
  const { query, weights } = plan.searches[search];
  const { statistics } = decision;
  const { query: asked, expression, relevance } = decision.searches[search];
  switch (query.kind) {
    case "none":
      return { matches: NO_MATCHES, accept };
    case "all": {
      const { productCount } = context.live(s).segment;
      return { matches: everyRow(productCount, accept), accept };
    }
    case "expression":
      return {
        matches:
          expression === null
            ? NO_MATCHES
            : matchExpression(context, s, expression, weights, statistics, accept),
        accept,
      };
    case "stages": {
      if (asked === null) return { matches: NO_MATCHES, accept };
      const kept = context.kept(search, s);
      if (kept !== null && kept.accept === accept) return kept;
      const requirement = new AtLeast(asked.required);
      return { matches: matchWords(context, s, asked, statistics, accept, requirement), accept };
    }
    case "relevance": {
      if (asked === null || relevance === null) return { matches: NO_MATCHES, accept };
      const { settings } = query;
      let kept = context.kept(search, s);
      if (kept === null) {
        const basis = context.passing(s, basisFiltersOf(plan, decision, search)).products;
        const requirement = relevance.isFilled
          ? new Cut(settings.cutThousandths, relevance.bestValue)
          : new AtLeast(ALL_WORDS);
        const matches = matchWords(context, s, asked, statistics, basis, requirement);
        kept = { matches, accept: basis };
      }
      const { matches } = kept;
      return {
        matches: belonging(matches, relevance, settings.cutThousandths),
        accept: kept.accept,
      };
    }
  }
}

/** Matches that belong to the result: all words, or where the page is filled a cut value that reaches the best. */
function belonging(matches: Matches, settlement: Settlement, thousandths: number): Matches {
  const { rows, scores, weights } = matches;
  if (weights === null) return matches;
  const { isFilled, bestValue } = settlement;
  const keep: number[] = [];
  for (let i = 0; i < rows.length; i++) {
    const isIn =
      weights[i] === ALL_WORDS ||
      (isFilled && reaches(scores[i] * weights[i], bestValue, thousandths));
    if (isIn) keep.push(i);
  }
  if (keep.length === rows.length) return matches;
  return {
    rows: Uint32Array.from(keep, (i) => rows[i]),
    scores: Int32Array.from(keep, (i) => scores[i]),
    weights: Int32Array.from(keep, (i) => weights[i]),
  };
}

/** @param matches of the search in segment `s` */
export function ranked(
  context: SearchContext,
  plan: QueryPlan,
  decision: Decision,
  search: number,
  s: number,
  matches: Matches,
): RankedMatches {
  const { query: asked } = decision.searches[search];
  const { rows } = matches;
  const isScored = plan.searches[search].query.kind !== "all";
  const text =
    asked === null ? matches : adjusted(context, s, asked, decision.statistics, matches);
  const own = asked === null ? plainScores(text) : scoresOfWords(context, decision, search, s, asked, text);
  if (plan.scoring === null) return { ...own, rows, isScored };
  const { segment } = context.live(s);
  const texts = isScored ? Int32Array.from(rows, (_, i) => Math.min(MAX_SCORE, own.final(i))) : null;
  const atMost = maxScoreOf(decision, search);
  const finals = finalScores(segment, rows, texts, plan.scoring, atMost);
  const final = (i: number): number => finals[i];
  return { rows, isScored: true, most: final, final, sortScore: final, isPartial: own.isPartial };
}

type Scores = Omit<RankedMatches, "rows" | "isScored">;

const NOT_PARTIAL = (): boolean => false;

function plainScores({ scores }: Matches): Scores {
  const score = (i: number): number => scores[i];
  return { most: score, final: score, sortScore: score, isPartial: NOT_PARTIAL };
}

function scoresOfWords(
  context: SearchContext,
  decision: Decision,
  search: number,
  s: number,
  asked: WordsAsked,
  { rows, scores, weights }: Matches,
): Scores {
  const { relevance } = decision.searches[search];
  if (relevance === null) {
    const { segment } = context.live(s);
    const bonus = proximityIn(segment, asked.typed, asked.weights, (term) => context.lists(term)[s]);
    const max = bonus?.max ?? 0;
    return {
      most: (i) => scores[i] + max,
      final: (i) => scores[i] + (bonus?.of(rows[i]) ?? 0),
      sortScore: (i) => scores[i],
      isPartial: NOT_PARTIAL,
    };
  }
  const lift = new Lift(context, s, asked, relevance.votes, decision.hasHeads);
  const weight = (i: number): number => (weights === null ? ALL_WORDS : weights[i]);
  return {
    most: (i) => lift.most(scores[i], weight(i)),
    final: (i) => lift.of(scores[i], weight(i), rows[i]),
    sortScore: (i) => Math.floor((scores[i] * weight(i)) / ALL_WORDS),
    isPartial: (i) => weight(i) < ALL_WORDS,
  };
}

/** The most that a product can score by the words of a search; 0 where none were asked. The same on all shards. */
export function maxScoreOf(decision: Decision, search: number): number {
  const { query: asked, expression } = decision.searches[search];
  if (expression !== null) return maxOfExpression(expression);
  if (asked === null) return 0;
  return maxTextScore([...asked.groups, ...asked.optional].map(({ idf = 0 }: TermGroup) => idf));
}

function maxOfExpression(expression: Expression): number {
  switch (expression.kind) {
    case "everything":
      return 0;
    case "words":
      return maxTextScore(expression.groups.map(({ idf = 0 }) => idf)) * expression.boost;
    case "clauses": {
      const clauses = expression.clauses.filter(({ occur }) => occur !== "not");
      const most = clauses.map(({ expression: inner }) => maxOfExpression(inner));
      return most.reduce((sum, one) => sum + one, 0) * expression.boost;
    }
  }
}
