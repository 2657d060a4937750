/**
 * The entries that `trace` adds to the meta of an answer:
 *
 *   Explain  trace.stages: every stage of the query, whether it was tried, and what it found;
 *            trace.rules. Each hit has its own explanation (explanation.ts)
 *   Request  trace.request: the request as it was understood
 *   EsQuery  elasticsearch_query, the key that clients of the reference read: the executed plan, in
 *            this engine's terms
 *
 * Times are included if the clock advances during computation. In workerd it does not, so they are omitted.
 */
import type { SearchRequest } from "../../../interface/index.ts";
import type { OwnMeta } from "../rules/index.ts";
import { STEM_PREFIX } from "../../segment/model/index.ts";
import type { PlannedFilter, ResolvedFilter } from "../filter/index.ts";
import type { FieldWeights, TermGroup } from "../rank/index.ts";
import { MATCH_ALL_NAME } from "../decide.ts";
import { ALL_WORDS } from "../relevance/policy.ts";
import { MAIN_SEARCH, type Decision, type Expression, type QueryPlan, type WordQuery } from "../plan.ts";

interface TracedSearch {
  readonly plan: QueryPlan;
  readonly decision: Decision;
  readonly request: SearchRequest;
  /** Number of products that match the request's own query and all filters. */
  readonly naturalCount: number;
  /** By position of the stage; empty without a clock. */
  readonly stageMs?: readonly number[];
  /** Searches over several shards: duration of each round. */
  readonly rounds?: readonly { readonly round: string; readonly tookMs: number }[];
}

interface TracedStage {
  readonly number: number;
  readonly name: string;
  readonly strategy: string;
  readonly tried: boolean;
  /** Number of products; 0 if not tried. */
  readonly found: number;
  readonly tookMs?: number;
}

/** Empty without trace. */
export function traceMeta(traced: TracedSearch): OwnMeta {
  const { trace, rules } = traced.plan;
  const meta: OwnMeta = {};
  const shown: Record<string, unknown> = {};
  if (trace.includes("Explain")) {
    shown["stages"] = stagesOf(traced);
    shown["rules"] = rules;
    if (traced.rounds?.some(({ tookMs }) => tookMs > 0) === true) shown["rounds"] = traced.rounds;
  }
  if (trace.includes("Request")) shown["request"] = requestOf(traced);
  if (Object.keys(shown).length > 0) meta.trace = shown;
  if (trace.includes("EsQuery")) meta.elasticsearch_query = executedOf(traced);
  return meta;
}

function stagesOf({ plan, decision, naturalCount, stageMs = [] }: TracedSearch): TracedStage[] {
  const { query } = plan.searches[MAIN_SEARCH];
  const { query: stage } = decision.searches[MAIN_SEARCH];
  const only = (name: string): TracedStage[] => [{ number: 0, name, strategy: name, tried: true, found: naturalCount }];
  switch (query.kind) {
    case "none":
    case "expression":
      return [];
    case "all":
      return plan.includeMainResult ? only(MATCH_ALL_NAME) : [];
    case "relevance":
      return only("relevance");
    case "stages":
      return query.stages.map(({ number, name, strategy }, at): TracedStage => {
        const end = stage?.stage ?? -1;
        const tookMs = stageMs[at] ?? 0;
        return {
          number,
          name,
          strategy,
          tried: at >= query.firstStage && at <= end,
          found: at === end ? naturalCount : 0,
          ...(tookMs > 0 && { tookMs: Math.round(tookMs * 1_000) / 1_000 }),
        };
      });
  }
}

// ---- Request

function requestOf({ plan, decision, request }: TracedSearch): Record<string, unknown> {
  const { query } = plan.searches[MAIN_SEARCH];
  const { filters, ofRules, criteria } = decision.searches[MAIN_SEARCH];
  const own = filters.slice(0, filters.length - ofRules);
  return {
    q: request.q,
    ...((query.kind === "stages" || query.kind === "relevance") && wordsOf(query.words)),
    filters: publicFilters(plan, own),
    filtersOfRules: publicFilters(plan, filters.slice(own.length)),
    sort: criteria.map(({ field, kind, descending }) => ({
      field,
      kind,
      sortOrder: descending ? "DESC" : "ASC",
    })),
    offset: plan.offset,
    limit: plan.limit,
    withFacets: plan.withFacets,
    ...(plan.sets !== null && { productSets: plan.sets.map(({ kind }) => kind) }),
  };
}

function wordsOf(words: WordQuery): Record<string, unknown> {
  const { terms, factors, stopWords, sequence, phrases, synonyms, restrictions, boosts } = words;
  const named = (numbers: readonly number[]): string[] => numbers.map((at) => terms[at]);
  return {
    words: terms.map((word, i) => ({ word, factor: factors[i], stopWord: stopWords[i] })),
    typed: named(sequence),
    phrases: phrases.map(({ first, count }) => named(sequence.slice(first, first + count))),
    synonyms: synonyms.map(({ terms: of, words: others, factor, line }) => ({
      of: named(of),
      words: others,
      factor,
      line,
    })),
    restrictions: restrictions
      .filter(({ isPrivate }) => !isPrivate)
      .map(({ expression, negated }) => ({ negated, query: expressionOf(expression) })),
    boosts: boosts.map(({ groups, factor, line }) => ({
      words: groups.map(({ word }) => word),
      factor,
      line,
    })),
  };
}

function publicFilters({ privateFilters }: QueryPlan, filters: readonly PlannedFilter[]): object[] {
  return filters.filter(({ shown }) => !privateFilters.includes(shown.field)).map(({ shown }) => filterOf(shown));
}

function filterOf({ field, kind, byId, negated, values, ranges, post }: ResolvedFilter): object {
  return { field, kind, byId, negated, values, ranges, multiSelect: post };
}

// ---- EsQuery

function executedOf({ plan, decision }: TracedSearch): Record<string, unknown> {
  const { weights } = plan.searches[MAIN_SEARCH];
  const { query: asked, filters, executed, relevance } = decision.searches[MAIN_SEARCH];
  const groups = (of: readonly TermGroup[]): object[] => of.map(groupOf);
  return {
    query: executed,
    ...(asked !== null && {
      stage: { number: asked.number, name: asked.name, strategy: asked.strategy },
      required: asked.required,
      sameField: asked.isSameField,
      groups: groups(asked.groups),
      optional: groups(asked.optional),
      phrases: groups(asked.phrases),
      boosts: asked.boosts.map((boost) => ({
        line: boost.line,
        factor: boost.factor,
        groups: groups(boost.groups),
        ...(boost.weights !== null && { weightedFields: weightsOf(boost.weights) }),
      })),
    }),
    ...(relevance !== null && {
      relevance: {
        withAllWords: relevance.completeCount,
        filled: relevance.isFilled,
        shares: asked?.matchWeights.map((weight) => Math.round((weight * 1_000) / ALL_WORDS) / 1_000),
        unwanted: groups(asked?.unwanted ?? []),
      },
    }),
    weightedFields: weightsOf(asked?.weights ?? weights),
    tieBreaker: (asked?.weights ?? weights).tie,
    filters: publicFilters(plan, filters),
    scoring: plan.scoring,
    statistics: decision.statistics,
  };
}

function groupOf(group: TermGroup): object {
  return {
    word: group.word,
    idf: Math.round((group.idf ?? 0) * 10_000) / 10_000,
    alternatives: [
      ...group.alternatives.map(({ term, factor, origin }) => ({
        ...termOf(term),
        factor,
        because: origin ?? "word",
      })),
      ...(group.subQueries ?? []).map((sub) =>
        sub.kind === "prefix"
          ? { prefix: sub.prefix, factor: sub.factor, because: "prefix" }
          : {
              all: sub.groups.map(groupOf),
              slop: sub.slop,
              factor: sub.factor,
              because: sub.origin,
            },
      ),
    ],
  };
}

/** The list of a stem is shown as its forms, because it contains all words with that stem. */
function termOf(term: string): object {
  return term.startsWith(STEM_PREFIX) ? { formsOf: term.slice(STEM_PREFIX.length) } : { term };
}

/** The same result as in query/rank/weights.ts: of several entries for a name, the largest. */
function weightsOf({ entries }: FieldWeights): Record<string, number> {
  const weights: Record<string, number> = {};
  for (const { field, weight } of entries) weights[field] = Math.max(weights[field] ?? 0, weight);
  return weights;
}

function expressionOf(expression: Expression): unknown {
  switch (expression.kind) {
    case "everything":
      return "*:*";
    case "words":
      return {
        words: expression.groups.map(({ word }) => word),
        ...(expression.weights !== null && { weightedFields: weightsOf(expression.weights) }),
      };
    case "clauses":
      return expression.clauses.map(({ occur, expression: inner }) => ({
        [occur]: expressionOf(inner),
      }));
  }
}
