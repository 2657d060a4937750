/** Selects the best k matches of a search in one segment, those of the query's brand and kind first. */
import { isByBrandAndKind, splitByBrandAndKind } from "./brand-and-kind.ts";
import type { FinalScores, SearchContext } from "./context.ts";
import type { Matches } from "./core/match.ts";
import type { Decision, QueryPlan } from "./plan.ts";
import { FIRST_RANK } from "./rank/index.ts";
import { bestRows, type RankedRow } from "./ranking.ts";
import { ranked, type RankedMatches } from "./scored.ts";

/** The matches of a search of the plan in segment `s`, as from `matchesOf`, with their scores. */
export interface SearchMatches {
  readonly search: number;
  readonly s: number;
  readonly matches: Matches;
  readonly finals: FinalScores | null;
  readonly ranked: RankedMatches;
}

/**
 * Without a sort.
 * @param except bit per row to leave out; null: none
 */
export function bestMatches(
  context: SearchContext,
  plan: QueryPlan,
  decision: Decision,
  found: SearchMatches,
  k: number,
  except: Uint32Array | null,
): RankedRow[] {
  const { search, s, matches, finals } = found;
  const { query: asked, relevance } = decision.searches[search];
  const { segment } = context.live(s);
  const best = (all: RankedMatches, most: number): RankedRow[] =>
    bestRows(segment, all, [], most, except, plan.isStockFirst);
  if (asked === null || !isByBrandAndKind(plan, asked, relevance)) return best(found.ranked, k);
  const [first, others] = splitByBrandAndKind(context, s, asked, relevance, decision.statistics, matches);
  const scored = (some: Matches): RankedMatches => ranked(context, plan, decision, search, s, some, finals);
  const rows = best(scored(first), k).map((one) => ({ ...one, rank: one.rank + FIRST_RANK }));
  return rows.length === k ? rows : [...rows, ...best(scored(others), k - rows.length)];
}
