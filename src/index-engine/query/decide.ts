/**
 * The stage of each search, and everything else that must be the same on all shards.
 *
 * A search for words runs the first of its stages that some product matches, under all filters (stages/). Where none does, the last
 * one is the answer, which then is empty (reference-behaviour.md 5.4). A query string has no stages, and no words at all match
 * everything (`_match_all`).
 */
import type { Analyzer } from "../analysis/index.ts";
import type { OwnMeta } from "../meta.ts";
import { resolveSort, type TermGroup } from "../rank/index.ts";
import { prefixKey } from "./context.ts";
import {
  MAIN_SEARCH,
  type Decision,
  type QueryPlan,
  type SearchDecision,
  type SearchPlan,
  type StageQuery,
  type StageSurvey,
  type Survey,
} from "./plan.ts";
import { expandStage } from "./stages/expand.ts";
import type { ExpansionSource } from "./stages/source.ts";
import { filtersOfSearch } from "./survey.ts";

/** Name of the query that every product matches (reference-behaviour.md 5.11). */
export const MATCH_ALL_NAME = "_match_all";

/** @param source what the dictionary of the whole index says of the words */
export function decide(
  plan: QueryPlan,
  survey: Survey,
  source: ExpansionSource,
  analyzer: Analyzer,
): Decision {
  const searches = plan.searches.map((search, i) =>
    decideSearch(plan, search, survey.stages[i], survey, source, analyzer),
  );
  const main = searches[MAIN_SEARCH];
  return {
    statistics: survey.statistics,
    documentFrequencies: survey.documentFrequencies,
    expanded: expandedFrequencies(plan, searches, source),
    searches,
    meta: { ...plan.meta, ...stageMeta(plan.searches[MAIN_SEARCH], main) },
  };
}

function decideSearch(
  plan: QueryPlan,
  search: SearchPlan,
  stage: StageSurvey,
  survey: Survey,
  source: ExpansionSource,
  analyzer: Analyzer,
): SearchDecision {
  const shared = {
    ...filtersOfSearch(search, survey.known),
    criteria: resolveSort(
      search.sort,
      {
        columns: (field) => survey.known.columns.get(field) ?? [],
        facets: (field) => survey.known.sortFacets.get(field) ?? [],
      },
      plan.language,
    ),
    query: null,
    required: 0,
  };
  const { query } = search;
  switch (query.kind) {
    case "all":
      return { ...shared, executed: MATCH_ALL_NAME };
    case "none":
      return { ...shared, executed: "" };
    case "expression":
      return { ...shared, executed: "querystring" };
    case "words": {
      const number = stage.stage >= 0 ? stage.stage : query.stages.length - 1;
      const asked = expandStage(query.words, query.stages[number], number, source, analyzer);
      const required =
        asked.requirement === "most" && stage.stage >= 0
          ? Math.min(asked.groups.length, stage.mostGroups)
          : asked.required;
      return { ...shared, query: asked, required, executed: textOf(asked, required) };
    }
  }
}

/** What was asked, as people write queries: `nkie~ AND sho*`, `2 of (red, running, shoe)`. */
function textOf({ groups, corrected }: StageQuery, required: number): string {
  const misspelt = new Set(corrected.map(([word]) => word));
  const words = groups.map((group) =>
    misspelt.has(group.word) ? `${group.word}~` : isPrefix(group) ? `${group.word}*` : group.word,
  );
  if (required === words.length) return words.join(" AND ");
  return required === 1 ? words.join(" OR ") : `${required} of (${words.join(", ")})`;
}

function isPrefix({ wholes }: TermGroup): boolean {
  return (wholes ?? []).some(({ kind }) => kind === "prefix");
}

/**
 * Frequencies of what a stage asks for besides the terms of the plan. Stems of what only the dictionary brought are left out: with
 * several shards nobody was asked for them.
 */
function expandedFrequencies(
  plan: QueryPlan,
  searches: readonly SearchDecision[],
  source: ExpansionSource,
): Decision["expanded"] {
  const known = new Set(plan.terms);
  const expanded = new Map<string, number>();
  const note = (key: string, frequency: () => number): void => {
    if (known.has(key)) return;
    known.add(key);
    const found = frequency();
    if (found > 0) expanded.set(key, found);
  };
  const noteGroups = (groups: readonly TermGroup[]): void => {
    for (const { alternatives, wholes } of groups) {
      for (const { term, isUncounted } of alternatives) {
        if (isUncounted === undefined) note(term, () => source.frequencyOf(term));
      }
      for (const whole of wholes ?? []) {
        if (whole.kind === "all") noteGroups(whole.groups);
        else note(prefixKey(whole.prefix), () => source.prefixFrequency(whole.prefix));
      }
    }
  };
  for (const { query } of searches) {
    if (query === null) continue;
    for (const groups of [query.groups, query.optional, query.phrases]) noteGroups(groups);
  }
  return [...expanded];
}

function stageMeta(search: SearchPlan, decision: SearchDecision): OwnMeta {
  const { query } = search;
  switch (query.kind) {
    case "none":
      return {};
    case "all":
      return { query_executed: MATCH_ALL_NAME, query_strategy: MATCH_ALL_NAME, query_stage: 0 };
    case "expression":
      return { query_executed: decision.executed, query_strategy: "querystring", query_stage: 0 };
    case "words": {
      const stage = decision.query;
      if (stage === null) return {};
      return {
        query_executed: decision.executed,
        query_strategy: stage.strategy,
        query_stage: stage.number,
        ...(stage.corrected.length > 0 && {
          query_corrected: correctedText(query.words, stage),
          query_correction: Object.fromEntries(stage.corrected),
        }),
      };
    }
  }
}

/** What was typed, with the best reading of each misspelt word. */
function correctedText(
  words: { readonly terms: readonly string[]; readonly sequence: readonly number[] },
  { corrected }: StageQuery,
): string {
  const best = new Map(corrected.map(([word, [first]]) => [word, first ?? word]));
  return words.sequence
    .map((at) => words.terms[at])
    .map((word) => best.get(word) ?? word)
    .join(" ");
}
