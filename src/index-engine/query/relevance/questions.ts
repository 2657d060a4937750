/** The questions that a search without stages asks every reader while it is decided, and their answers. Plain data. */
import type { FilterBitset, PlannedFilter } from "../filter/index.ts";
import type { RelevanceConfig } from "../../../interface/index.ts";
import { TopKeys, type Statistics, type TermGroup } from "../rank/index.ts";
import type { Parts } from "../../base/index.ts";
import type { SearchContext } from "../context.ts";
import { brandsAndKinds, mayBeByBrandAndKind } from "../brand-and-kind.ts";
import { fillWords, matchWords } from "../matching.ts";
import type { WordsAsked } from "../plan.ts";
import { AtLeast, Cut } from "../core/requirements.ts";
import type { Matches } from "../core/match.ts";
import { ALL_WORDS, FULL_PAGE } from "./policy.ts";
import { VoterList } from "./voter-list.ts";
import type { Voter } from "./votes.ts";

export interface Ask {
  readonly counts: readonly CountQuestion[];
  readonly matches: readonly MatchQuestion[];
}

/** How many products of the basis have all of these words? */
export interface CountQuestion {
  readonly groups: readonly TermGroup[];
  /** Its phrases and restrictions apply too; its words do not. */
  readonly asked: WordsAsked;
  /** Filters of the basis. */
  readonly filters: readonly PlannedFilter[];
}

/** What does the search find in the basis? The matches are retained for `execute`. */
export interface MatchQuestion {
  readonly search: number;
  readonly asked: WordsAsked;
  readonly filters: readonly PlannedFilter[];
  readonly settings: RelevanceConfig;
  /** Share of the best cut value needed by a product without all words. */
  readonly cutThousandths: number;
  readonly statistics: Statistics;
  /** Whether the heads of all titles of the index are known; otherwise no heads count. */
  readonly hasHeads: boolean;
}

export interface MatchSummary {
  readonly search: number;
  /** Products with all words. */
  readonly completeCount: number;
  readonly bestValue: number;
  /** The largest cut values of products without all words, at most FULL_PAGE. */
  readonly partialValues: readonly number[];
  /** They include the voters for any cut (voter-list.ts). */
  readonly voters: readonly Voter[];
  /** The largest cut value of a product without all words but of the query's brand and kind; 0: there is none. */
  readonly bestBrandAndKind: number;
}

/** Answers of one reader, in the order of the questions. */
export interface Answers {
  readonly counts: readonly number[];
  readonly matches: readonly MatchSummary[];
}

export interface IndexAnswers extends Answers {
  readonly index: number;
}

export const NOTHING_ASKED: Ask = { counts: [], matches: [] };

export function* answer(context: SearchContext, { counts, matches }: Ask): Parts<Answers> {
  const answers = { counts: [] as number[], matches: [] as MatchSummary[] };
  for (const question of counts) {
    answers.counts.push(countOf(context, question));
    yield;
  }
  for (const question of matches) {
    answers.matches.push(matchAndKeep(context, question));
    yield;
  }
  return answers;
}

function countOf(context: SearchContext, { groups, asked, filters }: CountQuestion): number {
  const all = { ...asked, groups, matchWeights: groups.map(() => 1) };
  const requirement = new AtLeast(groups.length);
  let count = 0;
  for (let s = 0; s < context.reader.segments.length; s++) {
    const within = context.filterBitset(s, filters);
    count += matchWords(context, s, all, context.statistics, within, requirement).rows.length;
  }
  return count;
}

/** Matches products with all words or, if they are not enough and the tenant fills pages, with any of them. */
function matchAndKeep(context: SearchContext, question: MatchQuestion): MatchSummary {
  const { search, asked, filters, settings, cutThousandths, statistics, hasHeads } = question;
  const basis = context.reader.segments.map((_, s) => context.filterBitset(s, filters));
  const mayFill = isFilledWith(asked, settings, 0);
  const cut = new Cut(ALL_WORDS, cutThousandths);
  const { found, completeCount } = mayFill
    ? fillWords(context, asked, statistics, basis, cut, settings.enough)
    : matchComplete(context, asked, statistics, basis);
  found.forEach((matches, s) => context.keep(search, s, { matches, within: basis[s], finals: null }));
  const voters = new VoterList(context, settings.categoryFeedback, hasHeads ? asked.groups : null);
  // Without votes, only a fill needs the best value.
  if (voters.isAsked || completeCount < settings.enough) {
    found.forEach((matches, s) => voters.add(s, matches));
  }
  const { bestValue } = voters;
  const partialValues = largestPartialValues(found);
  const isFilled = isFilledWith(asked, settings, completeCount);
  const bestBrandAndKind = isFilled ? bestOfBrandAndKind(context, asked, statistics, found) : 0;
  return { search, completeCount, bestValue, partialValues, voters: voters.elect(), bestBrandAndKind };
}

function bestOfBrandAndKind(
  context: SearchContext,
  asked: WordsAsked,
  statistics: Statistics,
  found: readonly Matches[],
): number {
  if (!mayBeByBrandAndKind(asked)) return 0;
  let best = 0;
  found.forEach(({ rows, scores, weights }, s) => {
    if (weights === null) return;
    const hasBoth = brandsAndKinds(context, s, asked, statistics, rows);
    if (hasBoth === null) return;
    for (let i = 0; i < rows.length; i++) {
      if (hasBoth[i] === 1 && weights[i] < ALL_WORDS) best = Math.max(best, scores[i] * weights[i]);
    }
  });
  return best;
}

function matchComplete(
  context: SearchContext,
  asked: WordsAsked,
  statistics: Statistics,
  basis: readonly FilterBitset[],
): { readonly found: readonly Matches[]; readonly completeCount: number } {
  const all = new AtLeast(ALL_WORDS);
  const found = basis.map((within, s) => matchWords(context, s, asked, statistics, within, all));
  return { found, completeCount: found.reduce((sum, { rows }) => sum + rows.length, 0) };
}

/** Whether the result is filled, because too few products have all words. */
export function isFilledWith(
  { requirement, groups }: WordsAsked,
  { enough }: RelevanceConfig,
  completeCount: number,
): boolean {
  return requirement === "fill" && groups.length > 1 && completeCount < enough;
}

function largestPartialValues(found: readonly Matches[]): readonly number[] {
  if (found.every(({ weights }) => weights === null)) return [];
  const top = new TopKeys(FULL_PAGE);
  for (const { scores, weights } of found) {
    if (weights === null) continue;
    for (let i = 0; i < weights.length; i++) {
      if (weights[i] < ALL_WORDS) top.offer(scores[i] * weights[i]);
    }
  }
  return [...top.sorted()];
}
