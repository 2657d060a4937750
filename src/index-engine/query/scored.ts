/**
 * The matches of a search, and what orders them.
 *
 *   stages      text + title bonus
 *   no stages   text, lifted (relevance/lift.ts)
 *   functions   of the tenant's scoring configuration make another score of either. Any match may be lifted by them, so all are scored
 *
 * Titles are read row by row, for those that may be among the best.
 */
import {
  finalScores,
  maxTextScore,
  MAX_SCORE,
  type ProximityBonus,
  type TermGroup,
} from "../rank/index.ts";
import type { PassingRows } from "../filter/index.ts";
import type { KeptMatches, SearchContext } from "./context.ts";
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
  /** What decides among products that a sort leaves equal: text score x share of the words. */
  sortScore(i: number): number;
  /** Upper bounds of `final`: one that costs nothing, and a closer one. */
  most(i: number): number;
  closer(i: number): number;
  final(i: number): number;
  /** Whether the product lacks words. */
  isPartial(i: number): boolean;
}

/** What the search finds in segment `s`, of the rows `within` or of more: then of those that are said. */
export function matchesOf(
  context: SearchContext,
  plan: QueryPlan,
  decision: Decision,
  search: number,
  s: number,
  within: PassingRows,
): KeptMatches {
  const { query, weights } = plan.searches[search];
  const { statistics } = decision;
  const { query: asked, expression, relevance } = decision.searches[search];
  switch (query.kind) {
    case "none":
      break;
    case "all": {
      const { productCount } = context.live(s).segment;
      return { matches: everyRow(productCount, within.products), within };
    }
    case "expression": {
      if (expression === null) break;
      const matches = matchExpression(context, s, expression, weights, statistics, within);
      return { matches, within };
    }
    case "stages": {
      if (asked === null) break;
      const kept = context.kept(search, s);
      if (kept?.within === within) return kept;
      const requirement = new AtLeast(asked.required);
      return { matches: matchWords(context, s, asked, statistics, within, requirement), within };
    }
    case "relevance": {
      if (asked === null || relevance === null) break;
      let kept = context.kept(search, s);
      if (kept === null) {
        const basis = context.passing(s, basisFiltersOf(plan, decision, search));
        const requirement = relevance.isFilled
          ? new Cut(ALL_WORDS, relevance.cutThousandths, relevance.bestValue)
          : new AtLeast(ALL_WORDS);
        const matches = matchWords(context, s, asked, statistics, basis, requirement);
        kept = { matches, within: basis };
      }
      return { ...kept, matches: belonging(kept.matches, relevance) };
    }
  }
  return { matches: NO_MATCHES, within };
}

/** Matches that belong to the result: all words, or where the page is filled a cut value that reaches the best. */
function belonging(matches: Matches, settlement: Settlement): Matches {
  const { rows, scores, weights } = matches;
  if (weights === null) return matches;
  const { isFilled, bestValue, cutThousandths } = settlement;
  const keep: number[] = [];
  for (let i = 0; i < rows.length; i++) {
    const isIn =
      weights[i] === ALL_WORDS ||
      (isFilled && reaches(scores[i] * weights[i], bestValue, cutThousandths));
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
  const { query: asked, relevance } = decision.searches[search];
  const isScored = plan.searches[search].query.kind !== "all";
  const { statistics } = decision;
  const text = asked === null ? matches : adjusted(context, s, asked, statistics, matches);
  const own =
    asked === null
      ? new PlainScores(text.rows, text.scores, isScored)
      : relevance === null
        ? new TitledScores(context, s, asked, text)
        : new LiftedScores(context, s, asked, text, relevance, decision.hasHeads);
  if (plan.scoring === null) return own;
  const { segment } = context.live(s);
  const texts = isScored
    ? Int32Array.from(text.rows, (_, i) => Math.min(MAX_SCORE, own.final(i)))
    : null;
  const atMost = maxScoreOf(decision, search);
  const finals = finalScores(segment, text.rows, texts, plan.scoring, atMost);
  return new PlainScores(text.rows, finals, true, (i) => own.isPartial(i));
}

/** Nothing is added to the scores. */
class PlainScores implements RankedMatches {
  readonly rows: Uint32Array;
  readonly isScored: boolean;
  readonly isPartial: (i: number) => boolean;
  readonly #scores: Int32Array;

  constructor(
    rows: Uint32Array,
    scores: Int32Array,
    isScored: boolean,
    isPartial: (i: number) => boolean = () => false,
  ) {
    this.rows = rows;
    this.isScored = isScored;
    this.isPartial = isPartial;
    this.#scores = scores;
  }

  sortScore(i: number): number {
    return this.#scores[i];
  }

  most(i: number): number {
    return this.#scores[i];
  }

  closer(i: number): number {
    return this.#scores[i];
  }

  final(i: number): number {
    return this.#scores[i];
  }
}

/** Titles add to the scores. They are read where something asks for their worth: a sort does not. */
class TitledScores implements RankedMatches {
  readonly rows: Uint32Array;
  readonly isScored = true;
  readonly #scores: Int32Array;
  readonly #make: () => ProximityBonus | null;
  #bonus: ProximityBonus | null | undefined;
  #max = 0;

  constructor(context: SearchContext, s: number, asked: WordsAsked, { rows, scores }: Matches) {
    this.rows = rows;
    this.#scores = scores;
    this.#make = () => {
      const { segment } = context.live(s);
      return proximityIn(segment, asked.typed, asked.weights, (term) => context.lists(term)[s]);
    };
  }

  #titles(): ProximityBonus | null {
    if (this.#bonus === undefined) {
      this.#bonus = this.#make();
      this.#max = this.#bonus?.max ?? 0;
    }
    return this.#bonus;
  }

  sortScore(i: number): number {
    return this.#scores[i];
  }

  most(i: number): number {
    return this.#scores[i] + this.#max;
  }

  closer(i: number): number {
    return this.#scores[i] + this.#max;
  }

  final(i: number): number {
    return this.#scores[i] + (this.#titles()?.of(this.rows[i]) ?? 0);
  }

  isPartial(): boolean {
    return false;
  }
}

/** Without stages: what lift.ts says. */
class LiftedScores implements RankedMatches {
  readonly rows: Uint32Array;
  readonly isScored = true;
  readonly #scores: Int32Array;
  readonly #weights: Int32Array | null;
  readonly #make: () => Lift;
  #lift: Lift | null = null;

  constructor(
    context: SearchContext,
    s: number,
    asked: WordsAsked,
    { rows, scores, weights }: Matches,
    { votes }: Settlement,
    hasHeads: boolean,
  ) {
    this.rows = rows;
    this.#scores = scores;
    this.#weights = weights;
    this.#make = () => new Lift(context, s, asked, votes, hasHeads);
  }

  #weight(i: number): number {
    return this.#weights === null ? ALL_WORDS : this.#weights[i];
  }

  sortScore(i: number): number {
    return this.#weights === null
      ? this.#scores[i]
      : Math.floor((this.#scores[i] * this.#weights[i]) / ALL_WORDS);
  }

  most(i: number): number {
    return (this.#lift ??= this.#make()).most(this.#scores[i], this.#weight(i));
  }

  closer(i: number): number {
    const lift = (this.#lift ??= this.#make());
    return lift.closer(this.#scores[i], this.#weight(i), this.rows[i]);
  }

  final(i: number): number {
    const lift = (this.#lift ??= this.#make());
    return lift.of(this.#scores[i], this.#weight(i), this.rows[i]);
  }

  isPartial(i: number): boolean {
    return this.#weight(i) < ALL_WORDS;
  }
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
