/**
 * The matches of a search with their scores.
 *
 *   stages      text + title bonus
 *   no stages   text, lifted (relevance/lift.ts)
 *   functions   of the tenant's scoring configuration change either score. They may lift any match,
 *               so all matches are scored
 *
 * Titles are only read for rows that may be among the best.
 */
import { finalScores, maxTextScore, MAX_SCORE, type ProximityBonus, type TermGroup } from "./rank/index.ts";
import type { FilterBitset } from "./filter/index.ts";
import type { FinalScores, KeptMatches, SearchContext } from "./context.ts";
import { everyRow, NO_MATCHES, type Matches } from "./core/match.ts";
import { AtLeast, Cut, reaches } from "./core/requirements.ts";
import type { Bounded } from "./core/scorer.ts";
import { scratch } from "./core/scratch.ts";
import { work } from "../base/index.ts";
import { adjusted, matchExpression, matchWords, subset } from "./matching.ts";
import type { Decision, Expression, QueryPlan, Settlement, WordsAsked } from "./plan.ts";
import { basisFiltersOf } from "./known-fields.ts";
import { Lift } from "./relevance/lift.ts";
import { ALL_WORDS } from "./relevance/policy.ts";
import { proximityIn } from "./title-words.ts";

/** Matches with their scores, by position. */
export interface RankedMatches {
  readonly rows: Uint32Array;
  /** False if there is no query and all scores are 0. */
  readonly isScored: boolean;
  /** Tie-breaker of a sort: text score x share of the words. */
  readonly sortScores: Int32Array;
  /** Positions that may reach the final score `least`, in scratch memory. */
  reaching(least: number): Bounded;
  final(i: number): number;
  /** Whether the product does not have all words. */
  isPartial(i: number): boolean;
}

/** Positions whose score plus `bonus` reaches `least`. */
function bounded(scores: Int32Array, bonus: number, least: number): Bounded {
  const positions = scratch.rows(scores.length);
  const bounds = scratch.scores(scores.length);
  let count = 0;
  for (let i = 0; i < scores.length; i++) {
    const bound = scores[i] + bonus;
    if (bound < least) continue;
    positions[count] = i;
    bounds[count++] = bound;
  }
  return { positions, bounds, count };
}

/**
 * The search's matches in segment `s`, within the rows `within` or within the returned, larger set.
 */
export function matchesOf(
  context: SearchContext,
  plan: QueryPlan,
  decision: Decision,
  search: number,
  s: number,
  within: FilterBitset,
): KeptMatches {
  const { query, weights } = plan.searches[search];
  const { statistics } = decision;
  const { query: asked, expression, relevance } = decision.searches[search];
  switch (query.kind) {
    case "none":
      break;
    case "all": {
      const { productCount } = context.live(s).segment;
      return { matches: everyRow(productCount, within.products), within, finals: null };
    }
    case "expression": {
      if (expression === null) break;
      const matches = matchExpression(context, s, expression, weights, statistics, within);
      return { matches, within, finals: null };
    }
    case "stages": {
      if (asked === null) break;
      const kept = context.kept(search, s);
      if (kept?.within === within) return kept;
      const requirement = new AtLeast(asked.required);
      const matches = matchWords(context, s, asked, statistics, within, requirement);
      return { matches, within, finals: null };
    }
    case "relevance": {
      if (asked === null || relevance === null) break;
      let kept = context.kept(search, s);
      if (kept === null) {
        const basis = context.filterBitset(s, basisFiltersOf(plan, decision, search));
        const requirement = relevance.isFilled
          ? new Cut(ALL_WORDS, relevance.cutThousandths, relevance.bestValue)
          : new AtLeast(ALL_WORDS);
        const matches = matchWords(context, s, asked, statistics, basis, requirement);
        kept = { matches, within: basis, finals: null };
      }
      if (kept.finals !== null) return kept;
      return { ...kept, matches: belonging(kept.matches, relevance) };
    }
  }
  return { matches: NO_MATCHES, within, finals: null };
}

/** Matches in the result: with all words, or, in a filled result, with a sufficient cut value. */
export function belonging(matches: Matches, settlement: Settlement): Matches {
  const { rows, scores, weights } = matches;
  if (weights === null) return matches;
  const { isFilled, bestValue, cutThousandths } = settlement;
  const kept: number[] = [];
  for (let i = 0; i < rows.length; i++) {
    const isIn = weights[i] === ALL_WORDS || (isFilled && reaches(scores[i] * weights[i], bestValue, cutThousandths));
    if (isIn) kept.push(i);
  }
  return subset(matches, kept);
}

/**
 * @param matches the matches of the search in segment `s`
 * @param finals see KeptMatches
 */
export function ranked(
  context: SearchContext,
  plan: QueryPlan,
  decision: Decision,
  search: number,
  s: number,
  matches: Matches,
  finals: FinalScores | null,
): RankedMatches {
  const { query: asked, relevance } = decision.searches[search];
  const isScored = plan.searches[search].query.kind !== "all";
  const { statistics } = decision;
  const text = asked === null || finals !== null ? matches : adjusted(context, s, asked, statistics, matches);
  const own =
    asked === null
      ? new PlainScores(text.rows, text.scores, isScored)
      : relevance === null
        ? new TitledScores(context, s, asked, text, finals)
        : new LiftedScores(context, s, asked, text, relevance, decision.hasHeads, finals);
  if (plan.scoring === null) return own;
  work.spend(text.rows.length * STEPS_OF_FUNCTIONS);
  const { segment } = context.live(s);
  const texts = isScored ? Int32Array.from(text.rows, (_, i) => Math.min(MAX_SCORE, own.final(i))) : null;
  const atMost = maxScoreOf(decision, search);
  const changed = finalScores(segment, text.rows, texts, plan.scoring, atMost);
  return new PlainScores(text.rows, changed, true, (i) => own.isPartial(i));
}

/** Cost of scoring functions and titles per row. */
const STEPS_OF_FUNCTIONS = 50;

/** Scores without additions. */
export class PlainScores implements RankedMatches {
  readonly rows: Uint32Array;
  readonly sortScores: Int32Array;
  readonly isScored: boolean;
  readonly isPartial: (i: number) => boolean;

  constructor(
    rows: Uint32Array,
    scores: Int32Array,
    isScored: boolean,
    isPartial: (i: number) => boolean = () => false,
  ) {
    this.rows = rows;
    this.sortScores = scores;
    this.isScored = isScored;
    this.isPartial = isPartial;
  }

  reaching(least: number): Bounded {
    return bounded(this.sortScores, 0, least);
  }

  final(i: number): number {
    return this.sortScores[i];
  }
}

/** Scores with title bonus. Titles are only read on demand, not for a sort. */
class TitledScores implements RankedMatches {
  readonly rows: Uint32Array;
  readonly sortScores: Int32Array;
  readonly isScored = true;
  readonly #make: () => ProximityBonus | null;
  readonly #finals: FinalScores | null;
  #bonus: ProximityBonus | null | undefined;

  constructor(
    context: SearchContext,
    s: number,
    asked: WordsAsked,
    { rows, scores }: Matches,
    finals: FinalScores | null,
  ) {
    this.#finals = finals;
    this.rows = rows;
    this.sortScores = scores;
    this.#make = () => {
      const { segment } = context.live(s);
      return proximityIn(segment, asked.typed, asked.weights, (term) => context.lists(term)[s]);
    };
  }

  #titles(): ProximityBonus | null {
    return this.#bonus === undefined ? (this.#bonus = this.#make()) : this.#bonus;
  }

  reaching(least: number): Bounded {
    return bounded(this.sortScores, this.#titles()?.max ?? 0, least);
  }

  final(i: number): number {
    const { rows, sortScores } = this;
    const row = rows[i];
    return this.#finals?.get(row) ?? note(this.#finals, row, sortScores[i] + (this.#titles()?.of(row) ?? 0));
  }

  isPartial(): boolean {
    return false;
  }
}

/** Maximum number of final scores kept per search and segment. */
const MOST_FINALS = 128;

function note(finals: FinalScores | null, row: number, final: number): number {
  if (finals !== null && finals.size < MOST_FINALS) finals.set(row, final);
  return final;
}

/** Scores of searches without stages (lift.ts). */
class LiftedScores implements RankedMatches {
  readonly rows: Uint32Array;
  readonly isScored = true;
  readonly #matches: Matches;
  readonly #make: () => Lift;
  readonly #finals: FinalScores | null;
  #lift: Lift | null = null;
  #sortScores: Int32Array | null = null;

  constructor(
    context: SearchContext,
    s: number,
    asked: WordsAsked,
    matches: Matches,
    { votes }: Settlement,
    hasHeads: boolean,
    finals: FinalScores | null,
  ) {
    this.rows = matches.rows;
    this.#finals = finals;
    this.#matches = matches;
    this.#make = () => new Lift(context, s, asked, votes, hasHeads);
  }

  get sortScores(): Int32Array {
    const { scores, weights } = this.#matches;
    if (weights === null) return scores;
    if (this.#sortScores === null) {
      this.#sortScores = new Int32Array(scores.length);
      for (let i = 0; i < scores.length; i++) {
        this.#sortScores[i] = Math.floor((scores[i] * weights[i]) / ALL_WORDS);
      }
    }
    return this.#sortScores;
  }

  reaching(least: number): Bounded {
    return (this.#lift ??= this.#make()).reaching(this.#matches, least);
  }

  final(i: number): number {
    const { rows, scores, weights } = this.#matches;
    const row = rows[i];
    const known = this.#finals?.get(row);
    if (known !== undefined) return known;
    const weight = weights === null ? ALL_WORDS : weights[i];
    const lifted = (this.#lift ??= this.#make()).of(scores[i], weight, row);
    return note(this.#finals, row, lifted);
  }

  isPartial(i: number): boolean {
    const { weights } = this.#matches;
    return weights !== null && weights[i] < ALL_WORDS;
  }
}

/** Upper bound of the text score of a search; 0 without words. Equal on all shards. */
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
