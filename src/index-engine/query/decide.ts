/**
 * The stage of each search, and everything else that must be the same on all shards.
 *
 * Our ladder, without configured stages (decisions.md "Built-in preset"):
 *   0 AllTerms   products that match every word; holds when there is one, under all filters
 *   1 MostTerms  else: products that match as many words as any product does; fewer words than that are noise
 * A query string has no ladder, and no words at all match everything (`_match_all`).
 */
import { resolveSort } from "../rank/index.ts";
import {
  MAIN_SEARCH,
  type Decision,
  type QueryPlan,
  type SearchDecision,
  type SearchPlan,
  type StageSurvey,
  type Survey,
} from "./plan.ts";
import { filtersOfSearch } from "./survey.ts";

/** Name of the query that every product matches (reference-behaviour.md 5.11). */
export const MATCH_ALL_NAME = "_match_all";
export const STAGE_NAMES = ["AllTerms", "MostTerms"] as const;

export function decide(plan: QueryPlan, survey: Survey): Decision {
  const searches = plan.searches.map((search, i) =>
    decideSearch(plan, search, survey.stages[i], survey),
  );
  return {
    statistics: survey.statistics,
    documentFrequencies: survey.documentFrequencies,
    searches,
    meta: { ...plan.meta, ...stageMeta(plan.searches[MAIN_SEARCH], searches[MAIN_SEARCH]) },
  };
}

function decideSearch(
  plan: QueryPlan,
  search: SearchPlan,
  stage: StageSurvey,
  survey: Survey,
): SearchDecision {
  const shared = {
    filters: filtersOfSearch(search, survey.known),
    criteria: resolveSort(
      search.sort,
      (field) => survey.known.columns.get(field) ?? [],
      plan.language,
    ),
  };
  const { query } = search;
  switch (query.kind) {
    case "all":
      return { ...shared, required: 0, executed: MATCH_ALL_NAME };
    case "none":
      return { ...shared, required: 0, executed: "" };
    case "expression":
      return { ...shared, required: 0, executed: "querystring" };
    case "groups": {
      const words = query.groups.map(({ word }) => word);
      // Nothing matches any word: the first stage, which then finds nothing.
      const required = stage.mostGroups === 0 ? words.length : stage.mostGroups;
      const executed =
        required === words.length ? words.join(" AND ") : `${required} of (${words.join(", ")})`;
      return { ...shared, required, executed };
    }
  }
}

function stageMeta(search: SearchPlan, decision: SearchDecision): Record<string, unknown> {
  const { query } = search;
  switch (query.kind) {
    case "none":
      return {};
    case "all":
      return { query_executed: MATCH_ALL_NAME, query_strategy: MATCH_ALL_NAME, query_stage: 0 };
    case "expression":
      return { query_executed: decision.executed, query_strategy: "querystring", query_stage: 0 };
    case "groups": {
      const stage = decision.required === query.groups.length ? 0 : 1;
      return {
        query_executed: decision.executed,
        query_strategy: STAGE_NAMES[stage],
        query_stage: stage,
      };
    }
  }
}
