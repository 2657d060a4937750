/**
 * The global statistics of a search: what each reader contributes, and the sum over readers.
 *
 * They depend on the kinds of fields. A reader starts with its own; if those of shards
 * differ, they are repeated with the kinds of all. Configured stages are tried here, to find the
 * first one that matches a product. Searches without stages look up their words.
 */
import type { Analyzer } from "../analysis/index.ts";
import type { KeptMatches, SearchContext } from "./context.ts";
import { NO_MATCHES, type Matches } from "./core/match.ts";
import { AtLeast, Most } from "./core/requirements.ts";
import { filtersOfSearch, knownFields, uniteKnown } from "./known-fields.ts";
import type { CachedSearch } from "./cached-searches.ts";
import { matchWords } from "./matching.ts";
import {
  MAIN_SEARCH,
  type KnownFields,
  type QueryPlan,
  type SearchPlan,
  type ChosenStage,
  type GlobalStatistics,
  type WordsAsked,
} from "./plan.ts";
import { fullBits, hasBit, type Parts } from "../base/index.ts";
import { hasTitleHeads } from "../index/index.ts";
import { candidatesOf } from "./relevance/corrections.ts";
import { NO_EVIDENCE, readWords } from "./relevance/readings.ts";
import { expandStage } from "./stages/expand.ts";
import {
  expandTerms,
  ExpandedTerms,
  mergeExpansions,
  NO_EXPANSIONS,
  type TermExpansions,
} from "./stages/term-expansion.ts";
import type { ExpansionSource } from "./stages/dictionary.ts";
import { isPlain } from "./stages/stage.ts";
import { Weigher } from "./weigh.ts";

/** One index, with the merged statistics of its readers. */
export interface PreparedIndex {
  readonly plan: QueryPlan;
  readonly globals: GlobalStatistics;
  /** Lookups in the dictionaries of all indexes. */
  readonly source: ExpansionSource;
  readonly analyzer: Analyzer;
}

/**
 * The statistics of a single reader, which looks words up in its own dictionary on demand. The matches
 * of the chosen stage are kept for `execute`.
 * @param searches cached searches; null: none
 */
export function* gatherAlone(
  context: SearchContext,
  plan: QueryPlan,
  known: KnownFields,
  searches: readonly (CachedSearch | null)[],
): Parts<GlobalStatistics> {
  const weigher = new Weigher(context.dictionary, context.reader.productCount);
  const trial = { context, plan, known, source: context.dictionary, weigher };
  return yield* gathered(trial, () => Infinity, searches);
}

/**
 * The statistics of one of several shards.
 * @param known kinds of fields on all shards, if an earlier round determined them
 * @param source word lookups of all shards. Null in the first round: then only the leading plain
 *   stages are tried, and the result includes this shard's lookups for the others
 */
export function* gatherStatistics(
  context: SearchContext,
  plan: QueryPlan,
  known: KnownFields = knownFields(context, plan),
  source: ExpansionSource | null = null,
): Parts<GlobalStatistics> {
  if (source !== null) {
    return yield* gathered({ context, plan, known, source, weigher: null }, () => Infinity);
  }
  const nothing = new ExpandedTerms(NO_EXPANSIONS, context.fields.analyzer);
  const own = yield* gathered({ context, plan, known, source: nothing, weigher: null }, leadingPlain);
  return { ...own, expansions: yield* expansionsOf(context, plan, own.stages) };
}

/**
 * @param end the first stage of a search that is not tried
 * @param searches cached searches; null: none
 */
function* gathered(
  trial: Trial,
  end: (search: SearchPlan) => number,
  searches: readonly (CachedSearch | null)[] = [],
): Parts<GlobalStatistics> {
  const { context, plan, known } = trial;
  const stages: ChosenStage[] = [];
  for (const [i, search] of plan.searches.entries()) {
    stages.push(searches[i]?.stage ?? (yield* firstStage(trial, i, end(search))));
    yield;
  }
  return {
    known,
    consistent: true,
    statistics: context.statistics,
    hasHeads: hasTitleHeads(context.reader),
    stages,
    expansions: NO_EXPANSIONS,
  };
}

/** All lookups in this shard's dictionary that later steps may need: the words and, to expand them, all readings. */
function expansionsOf(context: SearchContext, plan: QueryPlan, stages: readonly ChosenStage[]): Parts<TermExpansions> {
  const { analyzer } = context.fields;
  // Stages may correct frequent words, too.
  const isStaged = plan.searches.some(({ query }) => query.kind === "stages");
  const corrected = plan.searches.flatMap(({ query }) => (query.kind === "relevance" ? query.words.terms : []));
  const lookups = function* (source: ExpansionSource): Parts<void> {
    const weigher = new Weigher(source, 1);
    for (const [i, search] of plan.searches.entries()) {
      const { query, weights } = search;
      switch (query.kind) {
        case "all":
        case "none":
          break;
        case "expression":
          weigher.expression(query.expression);
          break;
        case "stages": {
          const end = isOpen(plan, stages, i) ? query.stages.length : leadingPlain(search);
          for (const stage of query.stages.slice(0, end)) {
            weigher.words(expandStage(query.words, stage, 0, source, analyzer));
            yield;
          }
          break;
        }
        case "relevance": {
          weigher.words((yield* readWords({ ...query, weights }, source, analyzer, NO_EVIDENCE)).asked);
          for (const term of query.words.terms) candidatesOf(term, false, 1, source, analyzer);
        }
      }
      yield;
    }
  };
  return expandTerms(context, lookups, new Set(isStaged ? [] : corrected));
}

/** Number of leading stages that need no dictionary. */
function leadingPlain({ query }: SearchPlan): number {
  if (query.kind !== "stages") return 0;
  const first = query.stages.findIndex((stage) => !isPlain(stage));
  return first < 0 ? query.stages.length : first;
}

/** Whether the words of a search must be expanded: it has no stages, or none of its plain stages matches. */
function isOpen(plan: QueryPlan, stages: readonly ChosenStage[], search: number): boolean {
  const { query } = plan.searches[search];
  if (query.kind === "relevance") return true;
  return (
    query.kind === "stages" && stages[search].stage < 0 && leadingPlain(plan.searches[search]) < query.stages.length
  );
}

/** Whether a search has untried stages that depend on the words of all shards. */
export function needsExpansion(plan: QueryPlan, merged: GlobalStatistics): boolean {
  return plan.searches.some(({ query }, i) => query.kind === "stages" && isOpen(plan, merged.stages, i));
}

export function mergeStatistics(parts: readonly GlobalStatistics[]): GlobalStatistics {
  const [first] = parts;
  if (first === undefined) throw new Error("no statistics to merge");
  if (parts.length === 1) return first;
  const sum = (values: (one: GlobalStatistics) => readonly number[]): number[] =>
    values(first).map((_, i) => parts.reduce((total, one) => total + values(one)[i], 0));
  return {
    ...uniteKnown(parts),
    statistics: {
      productCount: parts.reduce((total, one) => total + one.statistics.productCount, 0),
      lengthSums: sum((one) => one.statistics.lengthSums),
    },
    hasHeads: parts.every(({ hasHeads }) => hasHeads),
    stages: first.stages.map((_, i) => mergeStages(parts.map((one) => one.stages[i]))),
    expansions: mergeExpansions(parts.map((one) => one.expansions)),
  };
}

/** The first stage that matches on any shard, with the largest number of groups that it matches on any shard. */
function mergeStages(stages: readonly ChosenStage[]): ChosenStage {
  const held = stages.filter(({ stage }) => stage >= 0).map(({ stage }) => stage);
  if (held.length === 0) return NO_STAGE;
  const stage = Math.min(...held);
  const most = stages.filter((one) => one.stage === stage).map(({ mostGroups }) => mostGroups);
  return { stage, mostGroups: Math.max(...most) };
}

/** Inputs for trying the stages of a plan. */
interface Trial {
  readonly context: SearchContext;
  readonly plan: QueryPlan;
  readonly known: KnownFields;
  readonly source: ExpansionSource;
  /** Set if matches are kept for the answer, because these must be scored. */
  readonly weigher: Weigher | null;
}

/**
 * The first stage of a search that matches a product of this reader.
 * @param end the first stage that is not tried
 */
function* firstStage(trial: Trial, search: number, end: number): Parts<ChosenStage> {
  const { context, plan, source, weigher } = trial;
  const { query } = plan.searches[search];
  // A search without stages has one; a query without words matches none.
  if (query.kind === "none") return NO_STAGE;
  if (query.kind !== "stages") return { stage: 0, mostGroups: 1 };
  for (let stage = query.firstStage; stage < Math.min(end, query.stages.length); stage++) {
    const startMs = context.nowMs();
    const { analyzer } = context.fields;
    const plain = expandStage(query.words, query.stages[stage], stage, source, analyzer);
    const asked = weigher?.words(plain) ?? plain;
    const mostGroups = mostGroupsOf(trial, search, asked);
    if (search === MAIN_SEARCH) context.noteStage(stage, startMs);
    if (mostGroups === 0) {
      yield;
      continue;
    }
    const kept = weigher === null ? {} : { asked: { ...asked, required: mostGroups } };
    return { stage, mostGroups, ...kept };
  }
  return NO_STAGE;
}

const NO_STAGE: ChosenStage = { stage: -1, mostGroups: 0 };

/**
 * Number of groups that a product must match; 0 if no product that passes all filters matches the
 * stage. Products that a set names by their ids do not count, because they are shown in any case.
 */
function mostGroupsOf({ context, plan, known, weigher }: Trial, search: number, asked: WordsAsked): number {
  const { filters } = filtersOfSearch(plan.searches[search], known);
  const basic = filters.filter(({ shown }) => !shown.post);
  const isMost = asked.requirement === "most";
  const most = new Most();
  const requirement = isMost ? most : new AtLeast(asked.required);
  let isFound = false;
  const found: KeptMatches[] = [];
  for (let s = 0; s < context.reader.segments.length; s++) {
    const filtered = context.filterBitset(s, filters);
    const within = weigher === null ? filtered : context.filterBitset(s, basic);
    const named = search === MAIN_SEARCH ? namedRows(context, plan, s) : NO_ROWS;
    const others = named.length === 0 ? null : without(context, s, filtered.products, named);
    if (isMost) most.filtered = others ?? filtered.products;
    const matches = matchWords(context, s, asked, context.statistics, within, requirement);
    found.push({ matches, within, finals: null });
    isFound ||=
      within === filtered && others === null
        ? matches.rows.length > 0
        : matches.rows.some((row) => (others === null ? filtered.has(row) : hasBit(others, row)));
    if (isFound && weigher === null && !isMost) return asked.required;
  }
  if (!isFound) return 0;
  // If fields are matched separately, a row may have the score of a field with too few words. Its
  // matches are not kept then, so `execute` matches again.
  if (weigher !== null && !(isMost && asked.isSameField)) {
    found.forEach(({ matches, within }, s) => {
      const own = isMost ? atLeast(matches, most.least) : matches;
      context.keep(search, s, { matches: own, within, finals: null });
    });
  }
  return isMost ? most.least : asked.required;
}

const NO_ROWS: readonly number[] = [];

/** Rows of segment `s` that product sets name by their ids. */
function namedRows(context: SearchContext, { sets }: QueryPlan, s: number): readonly number[] {
  return (sets ?? []).flatMap((set) =>
    set.kind !== "ids"
      ? NO_ROWS
      : set.ids.flatMap((id) => {
          const found = context.reader.find(id);
          return found?.segment === s ? [found.row] : [];
        }),
  );
}

/** The rows in `bits` (null: all rows of segment `s`) without `rows`. */
function without(context: SearchContext, s: number, bits: Uint32Array | null, rows: readonly number[]): Uint32Array {
  const { productCount } = context.live(s).segment;
  const kept = bits?.slice() ?? fullBits(productCount);
  for (const row of rows) kept[row >>> 5] &= ~(1 << row);
  return kept;
}

/** Rows with at least this match weight. */
function atLeast(matches: Matches, least: number): Matches {
  const { rows, scores, weights } = matches;
  if (weights === null) return matches;
  if (rows.length === 0) return NO_MATCHES;
  const isKept = (_: number, i: number): boolean => weights[i] >= least;
  return { rows: rows.filter(isKept), scores: scores.filter(isKept), weights: null };
}
