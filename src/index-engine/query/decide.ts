/**
 * Decides everything that must be the same on all shards: statistics, filters, sorting, and the query of each search.
 *
 * A search with stages runs the first one that matches a product under all filters. If none does, the last one gives
 * the empty answer. A search without stages needs answers from the readers (relevance/settle.ts): so deciding is a
 * generator, which yields questions and receives the answers of all readers. Its caller may be synchronous or
 * asynchronous.
 */
import type { Analyzer } from "../analysis/index.ts";
import type { OwnMeta } from "./rules/index.ts";
import { resolveSort, type TermGroup } from "./rank/index.ts";
import {
  MAIN_SEARCH,
  type Decision,
  type Expression,
  type SearchDecision,
  type SearchPlan,
  type Settled,
  type ChosenStage,
  type TextQuery,
  type WordsAsked,
} from "./plan.ts";
import { filtersOfSearch } from "./known-fields.ts";
import { settleAll } from "./relevance/settle.ts";
import type { Ask, IndexAnswers } from "./relevance/questions.ts";
import { expandStage } from "./stages/expand.ts";
import type { PreparedIndex } from "./global-statistics.ts";
import type { ExpansionSource } from "./stages/dictionary.ts";
import { Weigher } from "./weigh.ts";

/** Name of the query that every product matches. */
export const MATCH_ALL_NAME = "_match_all";

/** Questions and decisions are by index. No questions: between parts of the work. */
export type Deciding = Generator<readonly Ask[], readonly Decision[], readonly IndexAnswers[]>;

/** @param known searches of the only index that are settled already; null: not yet */
export function* decide(indexes: readonly PreparedIndex[], known: readonly (Settled | null)[] = []): Deciding {
  const settled = yield* settleAll(indexes, known);
  return indexes.map((index, i) => decisionOf(index, settled[i]));
}

/** @param settled per search of the plan; null with stages or without words */
function decisionOf(
  { plan, globals, source, analyzer }: PreparedIndex,
  settled: readonly (Settled | null)[],
): Decision {
  const weigher = new Weigher(source, globals.statistics.productCount);
  const searches = plan.searches.map((search, i): SearchDecision => {
    const { query } = search;
    const found = settled[i] ?? null;
    const asked =
      query.kind === "stages"
        ? askedOfStage(query, globals.stages[i], source, analyzer, weigher)
        : (found?.asked ?? null);
    const expression: Expression | null = query.kind === "expression" ? weigher.expression(query.expression) : null;
    return {
      ...filtersOfSearch(search, globals.known),
      criteria: resolveSort(search.sort, globals.known, plan.language),
      query: asked,
      expression,
      relevance: found?.settlement ?? null,
      executed: executedOf(search, asked, found),
    };
  });
  const meta = { ...plan.meta, ...metaOf(plan.searches[MAIN_SEARCH], searches[MAIN_SEARCH]) };
  return { statistics: globals.statistics, hasHeads: globals.hasHeads, searches, meta };
}

function askedOfStage(
  { words, stages }: Extract<TextQuery, { kind: "stages" }>,
  { stage, mostGroups, asked: known }: ChosenStage,
  source: ExpansionSource,
  analyzer: Analyzer,
  weigher: Weigher,
): WordsAsked {
  const number = stage >= 0 ? stage : stages.length - 1;
  const asked = known ?? weigher.words(expandStage(words, stages[number], number, source, analyzer));
  return asked.requirement === "most" && stage >= 0
    ? { ...asked, required: Math.min(asked.groups.length, mostGroups) }
    : asked;
}

function executedOf({ query }: SearchPlan, asked: WordsAsked | null, settled: Settled | null): string {
  switch (query.kind) {
    case "all":
      return MATCH_ALL_NAME;
    case "none":
      return "";
    case "expression":
      return "querystring";
    case "stages":
    case "relevance":
      return asked === null ? "" : textOf(asked, settled?.settlement.isFilled === true);
  }
}

/** The executed query in readable form: `nkie~ AND sho*`, `2 of (red, running, shoe)`. */
function textOf({ groups, corrected, matchWeights, required }: WordsAsked, isFilled: boolean): string {
  const misspelt = new Set(corrected.map(([word]) => word));
  const words = groups.map((group) =>
    misspelt.has(group.word) ? `${group.word}~` : isPrefix(group) ? `${group.word}*` : group.word,
  );
  const all = matchWeights.reduce((sum, weight) => sum + weight, 0);
  if (isFilled) return words.join(" OR ");
  // No words are left if every word is ignored.
  if (required >= all) return words.join(" AND ");
  return required === 1 ? words.join(" OR ") : `${required} of (${words.join(", ")})`;
}

function isPrefix({ subQueries }: TermGroup): boolean {
  return (subQueries ?? []).some(({ kind }) => kind === "prefix");
}

function metaOf({ query }: SearchPlan, decision: SearchDecision): OwnMeta {
  switch (query.kind) {
    case "none":
      return {};
    case "all":
    case "expression": {
      const { executed } = decision;
      return { query_executed: executed, query_strategy: executed, query_stage: 0 };
    }
    case "stages":
    case "relevance": {
      const { query: asked } = decision;
      if (asked === null) return {};
      const ignored = [...asked.unread, ...asked.optional.map(({ word }) => word)];
      return {
        query_executed: decision.executed,
        query_strategy: asked.strategy,
        query_stage: asked.number,
        ...(asked.corrected.length > 0 && {
          query_corrected: correctedText(query.words, asked),
          query_correction: Object.fromEntries(asked.corrected),
        }),
        ...(query.kind === "relevance" && {
          ...(ignored.length > 0 && { query_ignored: ignored }),
          ...(asked.unwanted.length > 0 && {
            query_unwanted: asked.unwanted.map(({ word }) => word),
          }),
          ...(decision.relevance?.isFilled === true && { query_filled: true }),
        }),
      };
    }
  }
}

/** The typed query with the best correction of each misspelt word. */
function correctedText(
  words: { readonly terms: readonly string[]; readonly sequence: readonly number[] },
  { corrected }: WordsAsked,
): string {
  const best = new Map(corrected.map(([word, [first]]) => [word, first ?? word]));
  return words.sequence
    .map((at) => words.terms[at])
    .map((word) => best.get(word) ?? word)
    .join(" ");
}
