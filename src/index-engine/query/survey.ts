/**
 * What only the data knows about a plan, per reader; and the sum over readers.
 *
 * A survey is made with the kinds of fields that are known: this reader's own, or (second try, when surveys turned out
 * to differ) those of all. Stages are tried here: which is the first that finds something? A search without stages
 * needs to know its words.
 */
import type { Analyzer } from "../analysis/index.ts";
import type { KeptMatches, SearchContext } from "./context.ts";
import { NO_MATCHES, type Matches } from "./core/match.ts";
import { AtLeast, Most } from "./core/requirements.ts";
import { filtersOfSearch, knownFields, uniteKnown } from "./known-fields.ts";
import { matchWords } from "./matching.ts";
import {
  MAIN_SEARCH,
  type KnownFields,
  type QueryPlan,
  type SearchPlan,
  type StageSurvey,
  type Survey,
  type WordsAsked,
} from "./plan.ts";
import { hasTitleHeads } from "../index/index.ts";
import { candidatesOf } from "./relevance/corrections.ts";
import { NO_EVIDENCE, readWords } from "./relevance/readings.ts";
import { expandStage } from "./stages/expand.ts";
import {
  explore,
  ExploredSource,
  mergeExplorations,
  NOTHING_EXPLORED,
  type Exploration,
} from "./stages/explore.ts";
import type { ExpansionSource } from "./stages/source.ts";
import { isPlain } from "./stages/stage.ts";
import { Weigher } from "./weigh.ts";

/** One index, as its readers together know it. */
export interface SurveyedIndex {
  readonly plan: QueryPlan;
  readonly survey: Survey;
  /** What the dictionaries of all indexes say of the words. */
  readonly source: ExpansionSource;
  readonly analyzer: Analyzer;
}

/**
 * Of a reader that searches alone: its own dictionary is all there is, and is asked where it is needed. What the stage
 * that holds has matched is kept for the answer.
 */
export function surveyAlone(context: SearchContext, plan: QueryPlan): Survey {
  const weigher = new Weigher(context.dictionary, context.reader.productCount);
  const known = knownFields(context, plan);
  return surveyed({ context, plan, known, source: context.dictionary, weigher }, () => Infinity);
}

/**
 * Of one of several shards.
 * @param known the kinds on all shards, when an earlier round found them
 * @param source what all shards know of the words; null: nothing is known yet, so only the leading plain stages are
 *   tried, and where
 * they find nothing what else this shard knows is sent along
 */
export function survey(
  context: SearchContext,
  plan: QueryPlan,
  known: KnownFields = knownFields(context, plan),
  source: ExpansionSource | null = null,
): Survey {
  if (source !== null) {
    return surveyed({ context, plan, known, source, weigher: null }, () => Infinity);
  }
  const nothing = new ExploredSource(NOTHING_EXPLORED, context.fields.analyzer);
  const own = surveyed({ context, plan, known, source: nothing, weigher: null }, leadingPlain);
  return { ...own, exploration: explored(context, plan, own.stages) };
}

/** @param end of a search the first stage that is not tried */
function surveyed(trial: Trial, end: (search: SearchPlan) => number): Survey {
  const { context, plan, known } = trial;
  return {
    known,
    consistent: true,
    statistics: context.statistics,
    hasHeads: hasTitleHeads(context.reader),
    stages: plan.searches.map((search, i) => firstStage(trial, i, end(search))),
    exploration: NOTHING_EXPLORED,
  };
}

/**
 * All that may be asked of this shard's dictionary: for the words as they are, and, where they have to be known, for
 * every reading of them.
 */
function explored(
  context: SearchContext,
  plan: QueryPlan,
  stages: readonly StageSurvey[],
): Exploration {
  const { analyzer } = context.fields;
  return explore(context, (source) => {
    const weigher = new Weigher(source, 1);
    plan.searches.forEach((search, i) => {
      const { query, weights } = search;
      switch (query.kind) {
        case "all":
        case "none":
          return;
        case "expression":
          weigher.expression(query.expression);
          return;
        case "stages": {
          const end = isOpen(plan, stages, i) ? query.stages.length : leadingPlain(search);
          for (const stage of query.stages.slice(0, end)) {
            weigher.words(expandStage(query.words, stage, 0, source, analyzer));
          }
          return;
        }
        case "relevance": {
          weigher.words(readWords({ ...query, weights }, source, analyzer, NO_EVIDENCE).asked);
          for (const term of query.words.terms) candidatesOf(term, false, 1, source, analyzer);
        }
      }
    });
  });
}

/** How many stages at the front need no dictionary. */
function leadingPlain({ query }: SearchPlan): number {
  if (query.kind !== "stages") return 0;
  const first = query.stages.findIndex((stage) => !isPlain(stage));
  return first < 0 ? query.stages.length : first;
}

/** Whether the words of a search have to be known: it has no stages, or none of its plain stages holds. */
function isOpen(plan: QueryPlan, stages: readonly StageSurvey[], search: number): boolean {
  const { query } = plan.searches[search];
  if (query.kind === "relevance") return true;
  return (
    query.kind === "stages" &&
    stages[search].stage < 0 &&
    leadingPlain(plan.searches[search]) < query.stages.length
  );
}

/** Whether a search has stages left that need to know the words of all shards. */
export function needsExploration(plan: QueryPlan, merged: Survey): boolean {
  return plan.searches.some(
    ({ query }, i) => query.kind === "stages" && isOpen(plan, merged.stages, i),
  );
}

/** Of the shards of one index. */
export function mergeSurveys(surveys: readonly Survey[]): Survey {
  const [first] = surveys;
  if (first === undefined) throw new Error("no survey to merge");
  if (surveys.length === 1) return first;
  const sum = (values: (one: Survey) => readonly number[]): number[] =>
    values(first).map((_, i) => surveys.reduce((total, one) => total + values(one)[i], 0));
  return {
    ...uniteKnown(surveys),
    statistics: {
      productCount: surveys.reduce((total, one) => total + one.statistics.productCount, 0),
      lengthSums: sum((one) => one.statistics.lengthSums),
    },
    hasHeads: surveys.every(({ hasHeads }) => hasHeads),
    stages: first.stages.map((_, i) => mergeStages(surveys.map((one) => one.stages[i]))),
    exploration: mergeExplorations(surveys.map((one) => one.exploration)),
  };
}

/** The first stage that holds anywhere, with the most groups that it matches anywhere. */
function mergeStages(stages: readonly StageSurvey[]): StageSurvey {
  const held = stages.filter(({ stage }) => stage >= 0).map(({ stage }) => stage);
  if (held.length === 0) return NO_STAGE;
  const stage = Math.min(...held);
  const most = stages.filter((one) => one.stage === stage).map(({ mostGroups }) => mostGroups);
  return { stage, mostGroups: Math.max(...most) };
}

/** What the stages of a plan are tried with. */
interface Trial {
  readonly context: SearchContext;
  readonly plan: QueryPlan;
  readonly known: KnownFields;
  readonly source: ExpansionSource;
  /** Where the matches are kept for the answer: they are scored then. */
  readonly weigher: Weigher | null;
}

/** The first stage of a search that some product of this reader matches. @param end the first that is not tried */
function firstStage(trial: Trial, search: number, end: number): StageSurvey {
  const { context, plan, source, weigher } = trial;
  const { query } = plan.searches[search];
  // Without stages one is enough; where nothing is left of what was asked, none holds.
  if (query.kind === "none") return NO_STAGE;
  if (query.kind !== "stages") return { stage: 0, mostGroups: 1 };
  for (let stage = query.firstStage; stage < Math.min(end, query.stages.length); stage++) {
    const startMs = context.nowMs();
    const { analyzer } = context.fields;
    const plain = expandStage(query.words, query.stages[stage], stage, source, analyzer);
    const asked = weigher?.words(plain) ?? plain;
    const mostGroups = mostGroupsOf(trial, search, asked);
    if (search === MAIN_SEARCH) context.noteStage(stage, startMs);
    if (mostGroups === 0) continue;
    const kept = weigher === null ? {} : { asked: { ...asked, required: mostGroups } };
    return { stage, mostGroups, ...kept };
  }
  return NO_STAGE;
}

const NO_STAGE: StageSurvey = { stage: -1, mostGroups: 0 };

/** Groups that a product must match, where one does that passes all filters; 0: none does. */
function mostGroupsOf(
  { context, plan, known, weigher }: Trial,
  search: number,
  asked: WordsAsked,
): number {
  const { filters } = filtersOfSearch(plan.searches[search], known);
  const basic = filters.filter(({ shown }) => !shown.post);
  const isMost = asked.requirement === "most";
  const most = new Most();
  const requirement = isMost ? most : new AtLeast(asked.required);
  let isFound = false;
  const found: KeptMatches[] = [];
  for (let s = 0; s < context.reader.segments.length; s++) {
    const passing = context.passing(s, filters);
    const within = weigher === null ? passing : context.passing(s, basic);
    if (isMost) most.passing = passing.products;
    const matches = matchWords(context, s, asked, context.statistics, within, requirement);
    found.push({ matches, within });
    isFound ||=
      within === passing ? matches.rows.length > 0 : matches.rows.some((row) => passing.has(row));
    if (isFound && weigher === null && !isMost) return asked.required;
  }
  if (!isFound) return 0;
  // Field by field, rows may have the score of one with fewer words than must match: they are matched again.
  if (weigher !== null && !(isMost && asked.isSameField)) {
    found.forEach(({ matches, within }, s) => {
      const own = isMost ? atLeast(matches, most.least) : matches;
      context.keep(search, s, { matches: own, within });
    });
  }
  return isMost ? most.least : asked.required;
}

/** Rows of this match weight or more. */
function atLeast(matches: Matches, least: number): Matches {
  const { rows, scores, weights } = matches;
  if (weights === null) return matches;
  if (rows.length === 0) return NO_MATCHES;
  const isKept = (_: number, i: number): boolean => weights[i] >= least;
  return { rows: rows.filter(isKept), scores: scores.filter(isKept), weights: null };
}
