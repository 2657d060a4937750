/** One search of a plan in one segment: its matches, their scores, and the best of them. */
import { isByBrandAndKind, splitByBrandAndKind } from "./brand-and-kind.ts";
import type { FinalScores, FoundMatches, KeptMatches, SearchContext } from "./context.ts";
import { everyRow, NO_MATCHES, type Matches } from "./core/match.ts";
import { AtLeast, Cut } from "./core/requirements.ts";
import type { FilterBitset } from "./filter/index.ts";
import { basisFilters } from "./known-fields.ts";
import { adjusted, matchExpression, matchWords } from "./matching.ts";
import type { Decision, QueryPlan, SearchDecision, SearchPlan } from "./plan.ts";
import { finalScores, FIRST_RANK, MAX_SCORE } from "./rank/index.ts";
import { bestRows, type RankedRow } from "./ranking.ts";
import { Lift } from "./relevance/lift.ts";
import { ALL_WORDS } from "./relevance/policy.ts";
import { belonging, LiftedScores, maxScoreOf, PlainScores, titleBonus, type RankedMatches } from "./scored.ts";

export class SegmentSearch {
  readonly #context: SearchContext;
  readonly #plan: QueryPlan;
  readonly #decision: Decision;
  /** Number of the search in the plan. */
  readonly #number: number;
  readonly #s: number;
  readonly #search: SearchPlan;
  readonly #decided: SearchDecision;

  constructor(context: SearchContext, plan: QueryPlan, decision: Decision, search: number, s: number) {
    this.#context = context;
    this.#plan = plan;
    this.#decision = decision;
    this.#number = search;
    this.#s = s;
    this.#search = plan.searches[search];
    this.#decided = decision.searches[search];
  }

  /** The matches within the rows `within`, or within the returned, larger set. */
  matches(within: FilterBitset): KeptMatches {
    const context = this.#context;
    const s = this.#s;
    const { query, weights } = this.#search;
    const { query: asked, expression, relevance } = this.#decided;
    const { statistics } = this.#decision;
    const found = (matches: Matches): KeptMatches => ({ matches, within, finals: null });
    const kept = context.kept(this.#number, s);
    switch (query.kind) {
      case "none":
        break;
      case "all":
        return found(everyRow(context.live(s).segment.productCount, within.products));
      case "expression":
        if (expression === null) break;
        return found(matchExpression(context, s, expression, weights, statistics, within));
      case "stages":
        if (asked === null) break;
        if (kept?.within === within) return kept;
        return found(matchWords(context, s, asked, statistics, within, new AtLeast(asked.required)));
      case "relevance": {
        if (asked === null || relevance === null) break;
        if (kept !== null && kept.finals !== null) return kept;
        if (kept !== null) return { ...kept, matches: belonging(kept.matches, relevance) };
        const basis = context.filterBitset(s, basisFilters(this.#search, this.#decided));
        const requirement = relevance.isFilled
          ? new Cut(ALL_WORDS, relevance.cutThousandths, relevance.bestValue)
          : new AtLeast(ALL_WORDS);
        const matches = matchWords(context, s, asked, statistics, basis, requirement);
        return { matches: belonging(matches, relevance), within: basis, finals: null };
      }
    }
    return found(NO_MATCHES);
  }

  ranked({ matches, finals }: FoundMatches): RankedMatches {
    const { scoring } = this.#plan;
    const isScored = this.#search.query.kind !== "all";
    const own = this.#unchanged(matches, finals, isScored);
    if (scoring === null) return own;
    const { rows } = own;
    const { segment } = this.#context.live(this.#s);
    const texts = isScored ? Int32Array.from(rows, (_, i) => Math.min(MAX_SCORE, own.final(i))) : null;
    const changed = finalScores(segment, rows, texts, scoring, maxScoreOf(this.#decided));
    return new PlainScores(rows, changed, true, (i) => own.isPartial(i));
  }

  /** Without scoring functions. */
  #unchanged(matches: Matches, finals: FinalScores | null, isScored: boolean): RankedMatches {
    const { query: asked, relevance } = this.#decided;
    if (asked === null) return new PlainScores(matches.rows, matches.scores, isScored);
    const context = this.#context;
    const s = this.#s;
    const { statistics, hasHeads } = this.#decision;
    const text = finals === null ? adjusted(context, s, asked, statistics, matches) : matches;
    return relevance === null
      ? new LiftedScores({ ...text, weights: null }, finals, () => titleBonus(context, s, asked))
      : new LiftedScores(text, finals, () => new Lift(context, s, asked, relevance.votes, hasHeads));
  }

  /**
   * The best k of the ranked rows. Without a sort, products of the query's brand and kind come first.
   * @param except bit per row to leave out; null: none
   */
  best(ranked: RankedMatches, { matches, finals }: FoundMatches, k: number, except: Uint32Array | null): RankedRow[] {
    const { query: asked, relevance, criteria } = this.#decided;
    const plan = this.#plan;
    const { segment } = this.#context.live(this.#s);
    const best = (all: RankedMatches, most: number): RankedRow[] =>
      bestRows(segment, all, criteria, most, except, plan.isStockFirst);
    if (criteria.length > 0 || asked === null || !isByBrandAndKind(plan, asked, relevance)) return best(ranked, k);
    const { statistics } = this.#decision;
    const [first, others] = splitByBrandAndKind(this.#context, this.#s, asked, relevance, statistics, matches);
    const scored = (some: Matches): RankedMatches => this.ranked({ matches: some, finals });
    const rows = best(scored(first), k).map((one) => ({ ...one, rank: one.rank + FIRST_RANK }));
    return rows.length === k ? rows : [...rows, ...best(scored(others), k - rows.length)];
  }
}
