/**
 * What a search is, step by step. Plans, surveys, decisions and sets are plain data (structured clone).
 *
 *   prepare   request + tenant + field plan -> QueryPlan      nothing of the index is known yet
 *   survey    reader + plan -> Survey                         what only the data knows, summed over shards by mergeSurveys
 *   decide    plan + survey -> Decision                       statistics, filters, sorting and stage: the same for every shard
 *   sets      reader + decision -> SetsPartial                arranged searches only; mergeSets -> the products of each set
 *   execute   reader + decision + sets -> Executed            match, count, rank; mergePartials -> Execution
 *   finish    reader + execution -> hits of this reader with their variants
 *
 * One plan holds several searches: the request's own, and one for each product set that is found by searching.
 */
import type { FilterParameter, VariantPickingStrategy } from "../../interface/index.ts";
import type { PlannedFilter } from "../filter/index.ts";
import type { CountInput, EngineHit, FacetKind } from "../model.ts";
import type { VariantBoost } from "../variants/index.ts";
import type {
  ColumnKind,
  FieldWeights,
  SortCriterion,
  SortKeyValue,
  SortToken,
  Statistics,
  TermGroup,
} from "../rank/index.ts";

// ---- plan ------------------------------------------------------------------------------------------------------------------

/** A boolean query, from the query-string grammar. Scores are sums over what matches, times the boosts. */
export type Expression =
  | { readonly kind: "everything"; readonly boost: number }
  /** All words, each in some field of `weights` (null: of the search's own). No words: matches nothing. */
  | {
      readonly kind: "words";
      readonly groups: readonly TermGroup[];
      readonly weights: FieldWeights | null;
      readonly boost: number;
    }
  /** All `must`, no `not`, and without any `must` at least one `should`; only `not`s: everything else. */
  | {
      readonly kind: "clauses";
      readonly clauses: readonly {
        readonly occur: "must" | "should" | "not";
        readonly expression: Expression;
      }[];
      readonly boost: number;
    };

export type TextQuery =
  /** No words asked: every product. */
  | { readonly kind: "all" }
  /** Asked, but nothing is left of it. */
  | { readonly kind: "none" }
  /** Distinct words in the order typed; the stages of decide.ts apply. */
  | { readonly kind: "groups"; readonly groups: readonly TermGroup[] }
  | { readonly kind: "expression"; readonly expression: Expression };

export interface SearchPlan {
  readonly query: TextQuery;
  readonly filters: readonly FilterParameter[];
  readonly sort: readonly SortToken[];
  readonly weights: FieldWeights;
  /** Fields whose filters are multi-select ones. */
  readonly postFields: readonly string[];
}

export type SetPlan =
  /** Distinct ids in their order. */
  | { readonly kind: "ids"; readonly ids: readonly string[] }
  /** Ids to look up as terms of one searchable field; each as the words it consists of. */
  | {
      readonly kind: "lookup";
      readonly words: readonly (readonly string[])[];
      readonly weights: FieldWeights;
    }
  /** `search`: index into QueryPlan.searches. */
  | { readonly kind: "search"; readonly search: number; readonly limit: number }
  | { readonly kind: "nothing" };

export interface VariantPlan {
  readonly strategy: VariantPickingStrategy;
  /** What ranks variants: the query's words, weighted like the query. */
  readonly groups: readonly TermGroup[];
  /** variantBoostTerms of all sets. */
  readonly boosts: readonly VariantBoost[];
  /** Fields with prefer-variant-on-filter: a filter on one makes the strategy pickAlways. */
  readonly preferringFields: readonly string[];
}

/** Where the request's own search stands in `searches`. */
export const MAIN_SEARCH = 0;

export interface QueryPlan {
  readonly searches: readonly SearchPlan[];
  /** Null for a plain search. */
  readonly sets: readonly SetPlan[] | null;
  readonly includeMainResult: boolean;
  /** The page; 0 and 0 where it reaches beyond `LIMITS.resultWindow`. */
  readonly offset: number;
  readonly limit: number;
  readonly withFacets: boolean;
  readonly variants: VariantPlan;
  /** Language of sort keys. */
  readonly language: string;
  /** Distinct dictionary terms of all searches; statistics come in this order. */
  readonly terms: readonly string[];
  /** Names that filters and sorts ask for, with what the configuration says of them. */
  readonly filterFields: ReadonlyMap<string, readonly FacetKind[]>;
  readonly sortFields: readonly string[];
  /** Meta entries known already (reference-behaviour.md 5.11). */
  readonly meta: Readonly<Record<string, unknown>>;
}

// ---- survey ----------------------------------------------------------------------------------------------------------------

/** Which kinds the asked names have in the data. */
export interface KnownFields {
  readonly filters: ReadonlyMap<string, readonly FacetKind[]>;
  readonly columns: ReadonlyMap<string, readonly ColumnKind[]>;
}

/** What decides the stage of a search whose query is word groups. */
export interface StageSurvey {
  /** Most groups that one live product under the search's filters matches. All of them: the first stage holds. */
  readonly mostGroups: number;
}

export interface Survey {
  readonly known: KnownFields;
  /** False after merging surveys that were made without knowing each other's fields: survey again, with `known`. */
  readonly consistent: boolean;
  readonly statistics: Statistics;
  /** Live products per term, in the order of QueryPlan.terms. */
  readonly documentFrequencies: readonly number[];
  /** In the order of QueryPlan.searches. */
  readonly stages: readonly StageSurvey[];
}

// ---- decision --------------------------------------------------------------------------------------------------------------

export interface SearchDecision {
  readonly filters: readonly PlannedFilter[];
  readonly criteria: readonly SortCriterion[];
  /** Word groups a product must match. */
  readonly required: number;
  /** Name under which matching products list it in `matchedQueries`. */
  readonly executed: string;
}

export interface Decision {
  readonly statistics: Statistics;
  readonly documentFrequencies: readonly number[];
  readonly searches: readonly SearchDecision[];
  readonly meta: Readonly<Record<string, unknown>>;
}

// ---- sets ------------------------------------------------------------------------------------------------------------------

/** Found products of one set: by position (ids, lookups) or ranked (searches). */
export interface SetCandidate extends RankedKeys {
  readonly id: string;
  /** Position in the set's own list; 0 for searches. */
  readonly position: number;
}

/** Per set of the plan, best first. */
export interface SetsPartial {
  readonly candidates: readonly (readonly SetCandidate[])[];
}

/** Ids per set, in order; an id is in one set only. Those of one index. */
export interface ArrangedSets {
  readonly ids: readonly (readonly string[])[];
  /** Where each of them stands in its set; the sets of several indexes are numbered through. */
  readonly positions: readonly (readonly number[])[];
}

// ---- execution -------------------------------------------------------------------------------------------------------------

/** What orders products across segments and shards. */
export interface RankedKeys {
  /** By the criteria of the decision; empty without a sort. */
  readonly keys: readonly SortKeyValue[];
  readonly score: number;
  /** rank/relevance.ts; decides without a sort. */
  readonly rank: number;
}

export interface PartialHit extends RankedKeys {
  readonly id: string;
  readonly segment: number;
  readonly row: number;
  /** The set and the position in it where sets decide the order; -1 otherwise. */
  readonly set: number;
  readonly position: number;
  /** Whether the request's own query matches it. */
  readonly natural: boolean;
  /** The set that named it, whether or not sets decide the order; -1 for none. */
  readonly namedBy: number;
}

export interface Partial {
  readonly matchCount: number;
  readonly setCounts: readonly number[];
  /** The best of this reader, as many as the window is deep, in order. */
  readonly hits: readonly PartialHit[];
}

export interface Executed extends Partial {
  /** For facets/count.ts; null without facets. Not plain: facets are counted where the segments are. */
  readonly countInputs: readonly CountInput[] | null;
}

/** A hit and the partial (reader) it came from. */
export interface PlacedHit extends EngineHit {
  readonly partial: number;
}
