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
import { maxTextScore } from "./rank/index.ts";
import type { FinalScores, SearchContext } from "./context.ts";
import type { Matches } from "./core/match.ts";
import { reaches } from "./core/requirements.ts";
import type { Bounded } from "./core/scorer.ts";
import { scratch } from "./core/scratch.ts";
import { subset } from "./matching.ts";
import type { Expression, SearchDecision, Settlement, WordsAsked } from "./plan.ts";
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

/** Maximum number of final scores kept per search and segment. */
const MOST_FINALS = 128;

/** What titles and categories do to text scores. */
interface Lifting {
  /** See RankedMatches. */
  reaching(matches: Matches, least: number): Bounded;
  /** @param text score of the words; `weight`: their match weight */
  of(text: number, weight: number, row: number): number;
}

/** With stages: text + title bonus. */
export function titleBonus(context: SearchContext, s: number, { typed, weights }: WordsAsked): Lifting {
  const { segment } = context.live(s);
  const bonus = proximityIn(segment, typed, weights, (term) => context.lists(term)[s]);
  return {
    reaching: ({ scores }, least) => bounded(scores, bonus?.max ?? 0, least),
    of: (text, _weight, row) => text + (bonus?.of(row) ?? 0),
  };
}

/** Scores of words. Titles and categories are only read on demand, not for a sort. */
export class LiftedScores implements RankedMatches {
  readonly rows: Uint32Array;
  readonly isScored = true;
  readonly #matches: Matches;
  readonly #make: () => Lifting;
  readonly #finals: FinalScores | null;
  #lift: Lifting | null = null;
  #sortScores: Int32Array | null = null;

  /**
   * @param matches without weights if they do not count
   * @param finals see FoundMatches
   */
  constructor(matches: Matches, finals: FinalScores | null, make: () => Lifting) {
    this.rows = matches.rows;
    this.#matches = matches;
    this.#finals = finals;
    this.#make = make;
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
    if (this.#finals !== null && this.#finals.size < MOST_FINALS) this.#finals.set(row, lifted);
    return lifted;
  }

  isPartial(i: number): boolean {
    const { weights } = this.#matches;
    return weights !== null && weights[i] < ALL_WORDS;
  }
}

/** Upper bound of the text score of a search; 0 without words. Equal on all shards. */
export function maxScoreOf({ query: asked, expression }: SearchDecision): number {
  if (expression !== null) return maxOfExpression(expression);
  if (asked === null) return 0;
  return maxTextScore([...asked.groups, ...asked.optional]);
}

function maxOfExpression(expression: Expression): number {
  switch (expression.kind) {
    case "everything":
      return 0;
    case "words":
      return maxTextScore(expression.groups) * expression.boost;
    case "clauses": {
      const clauses = expression.clauses.filter(({ occur }) => occur !== "not");
      const most = clauses.map(({ expression: inner }) => maxOfExpression(inner));
      return most.reduce((sum, one) => sum + one, 0) * expression.boost;
    }
  }
}
