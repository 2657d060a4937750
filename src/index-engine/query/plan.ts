/**
 * The steps of a search and the data that they exchange. Everything here is plain data (structured clone) unless a
 * comment says otherwise.
 *
 *   prepare  request + tenant + field plan -> QueryPlan    independent of the index
 *   gather   reader + plan -> GlobalStatistics             mergeStatistics adds up
 *                                                          those of all shards
 *   decide   plans + global statistics -> decisions          statistics, filters, sorting, words: the
 *                                                          same for every shard. May request counts
 *                                                          and matches from the readers (decide.ts)
 *   sets     reader + decision -> SetsPartial              arranged searches only;
 *                                                          mergeSets -> the products of each set
 *   execute  reader + decision + sets -> Executed          match, count, rank;
 *                                                          mergePartials -> Execution
 *   fetch    reader + execution -> hits of this reader with their variants
 *
 * A plan has several searches: the request's own search, and one for each product set that is defined by a query.
 */
import type { FilterParameter, RelevanceConfig, TraceFlag, VariantPickingStrategy } from "../../interface/index.ts";
import type { PlannedFilter } from "./filter/index.ts";
import type { CountInput } from "./execution.ts";
import type { FacetKind } from "../segment/model/index.ts";
import type { AppliedRule } from "./rules/index.ts";
import type { VariantBoost } from "./variants/index.ts";
import type {
  ColumnKind,
  FieldWeights,
  ScoringPlan,
  SortCriterion,
  SortKeyValue,
  SortToken,
  Statistics,
  TermGroup,
} from "./rank/index.ts";
import type { TermExpansions } from "./stages/term-expansion.ts";
import type { Requirement, StagePlan } from "./stages/stage.ts";

// ---- Plan

/** A boolean query of the query-string grammar. Its score is the sum over the matching parts, times the boosts. */
export type Expression =
  | { readonly kind: "everything"; readonly boost: number }
  /** All words, each in any field of `weights` (null: those of the search). Without words it matches nothing. */
  | {
      readonly kind: "words";
      readonly groups: readonly TermGroup[];
      readonly weights: FieldWeights | null;
      readonly boost: number;
    }
  /**
   * Matches rows with all `must` and no `not`, and without any `must`, at least one `should`. With
   * only `not`, matches everything else.
   */
  | {
      readonly kind: "clauses";
      readonly clauses: readonly {
        readonly occur: "must" | "should" | "not";
        readonly expression: Expression;
      }[];
      readonly boost: number;
    };

export type TextQuery =
  /** No words: every product matches. */
  | { readonly kind: "all" }
  /** Nothing matches: no searchable words remain, or no stage accepts them. */
  | { readonly kind: "none" }
  /** A tenant's own stages. */
  | {
      readonly kind: "stages";
      /** Of the text (read-text.ts); null: asked for the first time. */
      readonly key: string | null;
      readonly words: WordQuery;
      /** At least one. */
      readonly stages: readonly StagePlan[];
      /** Earlier stages are skipped. */
      readonly firstStage: number;
    }
  /** Without configured stages (docs/query-core.md). */
  | {
      readonly kind: "relevance";
      /** Of the text (read-text.ts); null: asked for the first time. */
      readonly key: string | null;
      readonly words: WordQuery;
      readonly settings: RelevanceConfig;
      /** The last word is still being typed. */
      readonly isTyping: boolean;
    }
  | { readonly kind: "expression"; readonly expression: Expression };

/** A synonym of adjacent query words, from a rule. */
export interface Synonym {
  /** Numbers of the terms that it replaces. */
  readonly terms: readonly number[];
  /** Its words after analysis; all of them must match. */
  readonly words: readonly string[];
  readonly factor: number;
  readonly isPhrase: boolean;
  /** Line of the instruction in the rules text. */
  readonly line: number;
}

/** A boost from a rule. It changes scores, never which products match. */
export interface ScoreBoost {
  /** Above 1: adds factor - 1 times the score of these words. Below 1: matching products keep this share of theirs. */
  readonly factor: number;
  readonly groups: readonly TermGroup[];
  /** Products boosted by id (pins.ts); `groups` is empty then. */
  readonly ids: readonly string[];
  /** Null: the fields of the stage. */
  readonly weights: FieldWeights | null;
  /** Line of the instruction in the rules text; null: a boost of a brand or kind (role-boosts.ts). */
  readonly line: number | null;
}

/** The words of a query after rules; the input of every stage. */
export interface WordQuery {
  /** Distinct terms, in the order typed. */
  readonly terms: readonly string[];
  /** Per term: its weight; 1 unless a rule added the term. */
  readonly factors: readonly number[];
  /** Per term. */
  readonly stopWords: readonly boolean[];
  /** The typed words as term numbers, including repetitions. */
  readonly sequence: readonly number[];
  /** Ranges of the sequence that were typed as one word: `t-shirt`, `100359698_003`. */
  readonly compounds: readonly {
    readonly first: number;
    readonly count: number;
    /** Contains `_`, which is not a separator in the reference. */
    readonly isCode: boolean;
  }[];
  /** Quoted ranges of the sequence. */
  readonly phrases: readonly { readonly first: number; readonly count: number }[];
  /** Adjacent words that the user query analyzer also joins. */
  readonly glued: readonly {
    readonly first: number;
    readonly count: number;
    readonly term: string;
  }[];
  readonly synonyms: readonly Synonym[];
  readonly boosts: readonly ScoreBoost[];
  /** Required and excluded expressions, from rules. */
  readonly restrictions: readonly Restriction[];
}

export interface Restriction {
  readonly expression: Expression;
  readonly negated: boolean;
  /** Names a private field, so answers do not mention it. */
  readonly isPrivate: boolean;
}

/** The words that are searched for. `decide` binds them to the statistics of the whole index (weigh.ts). */
export interface WordsAsked {
  /** Position among the stages of the query; 0 without stages. */
  readonly stage: number;
  /** `query_stage` (StagePlan.number). */
  readonly number: number;
  readonly name: string;
  readonly strategy: string;
  readonly weights: FieldWeights;
  readonly groups: readonly TermGroup[];
  /** Match weight of each group (core/match.ts). */
  readonly matchWeights: readonly number[];
  /** Quoted phrases, all of which must match. */
  readonly phrases: readonly TermGroup[];
  /** Words that add to the score but need not match. */
  readonly optional: readonly TermGroup[];
  /** The words in typed order, without unwanted ones; used for the title bonus. */
  readonly typed: readonly TermGroup[];
  /** Words that a product should not have ("phone without camera"). */
  readonly unwanted: readonly TermGroup[];
  readonly boosts: readonly ScoreBoost[];
  readonly restrictions: readonly Restriction[];
  /**
   * Whether the fields of a word's alternatives add up (rank/similarity.ts): of the only word of a search without
   * stages, which names a kind. "laptop" finds "Acme Laptop 14" in Laptops before "Laptop Stand" in "Laptop
   * Accessories". Of several words, one that the category repeats in another form would outweigh the others.
   */
  readonly fieldsAddUp: boolean;
  /** Whether all groups must match in the same field. */
  readonly isSameField: boolean;
  readonly requirement: Requirement["kind"] | "fill";
  /** Required match weight, unless the requirement is "most". */
  readonly required: number;
  /** Corrected words with their corrections, best first. */
  readonly corrected: readonly (readonly [string, readonly string[]])[];
  /** Words without any reading in the index; they are ignored. */
  readonly unread: readonly string[];
}

export interface SearchPlan {
  readonly query: TextQuery;
  /** Finds the products of a set, which its filters define. */
  readonly isSet: boolean;
  readonly filters: readonly FilterParameter[];
  readonly sort: readonly SortToken[];
  /** For queries without words; stages have their own weights. */
  readonly weights: FieldWeights;
  /** Filters from rules. They apply like the others but are not shown (docs/rules.md "FILTER"). */
  readonly inducedFilters: readonly FilterParameter[];
  /** Fields with multi-select filters. */
  readonly postFields: readonly string[];
  /** Category trees are counted without their own filter, except these; null without facets. */
  readonly sensitiveTrees: readonly string[] | null;
  /** If number facets are ranges by default, the fields that are not; others are counted without their own filter. */
  readonly rangesBut?: readonly string[];
  /** Filtered fields with a filter-sensitive number facet: only passing values are counted. */
  readonly sensitiveNumbers: readonly string[];
}

export type SetPlan =
  /** Distinct ids in their order. */
  | { readonly kind: "ids"; readonly ids: readonly string[] }
  /** Ids to look up as terms of one searchable field, each as its words. */
  | {
      readonly kind: "lookup";
      readonly words: readonly (readonly string[])[];
      readonly weights: FieldWeights;
    }
  /** `search`: index into QueryPlan.searches. */
  | { readonly kind: "search"; readonly search: number; readonly limit: number }
  | { readonly kind: "nothing" };

interface VariantPlan {
  readonly strategy: VariantPickingStrategy;
  /** variantBoostTerms of all sets. */
  readonly boosts: readonly VariantBoost[];
  /** Fields with prefer-variant-on-filter: filtering by one of them changes the strategy to pickAlways. */
  readonly preferringFields: readonly string[];
  /** The code that the query is (variants/named.ts); null: it is none. */
  readonly code: string | null;
}

/** Index of the request's own search in `searches`. */
export const MAIN_SEARCH = 0;

export interface QueryPlan {
  readonly searches: readonly SearchPlan[];
  /** Null for a plain search. */
  readonly sets: readonly SetPlan[] | null;
  readonly includeMainResult: boolean;
  /** The page; both are 0 if it extends beyond `LIMITS.resultWindow`. */
  readonly offset: number;
  readonly limit: number;
  readonly withFacets: boolean;
  readonly variants: VariantPlan;
  /** A scoring function reads a private field, so answers have no scores. */
  readonly isScorePrivate: boolean;
  /** Null: the text score is the score. */
  readonly scoring: ScoringPlan | null;
  /** Of products with nearly equal scores, those in stock come first. Off for tenants with their own stages. */
  readonly isStockFirst: boolean;
  /** Language of sort keys. */
  readonly language: string;
  /** Names of filtered and sorted fields, with their configured kinds. */
  readonly filterFields: ReadonlyMap<string, readonly FacetKind[]>;
  /** Sort names that may be columns, and those that may be facets (query/rank/facet-sort.ts). */
  readonly sortFields: readonly string[];
  readonly sortFacets: readonly string[];
  /** The rules that were applied to the request's own query. */
  readonly rules: readonly AppliedRule[];
  /** Private fields that rules filter by; answers do not mention them. */
  readonly privateFilters: readonly string[];
  /** Requested trace output; usually empty. */
  readonly trace: readonly TraceFlag[];
  /** Meta entries that do not depend on the index. */
  readonly meta: Readonly<Record<string, unknown>>;
}

// ---- GlobalStatistics

/** The kinds of the named fields in the data. */
export interface KnownFields {
  readonly filters: ReadonlyMap<string, readonly FacetKind[]>;
  readonly columns: ReadonlyMap<string, readonly ColumnKind[]>;
  /** Kinds of facetable values, by sort name. */
  readonly sortFacets: ReadonlyMap<string, readonly FacetKind[]>;
}

/** Decides the stage of a search with words. */
export interface ChosenStage {
  /** The first tried stage that matches a live product under the search's filters, or -1. */
  readonly stage: number;
  /** The largest number of its groups that one product matches. */
  readonly mostGroups: number;
  /** The query of that stage, if a single reader has already built it. */
  readonly asked?: WordsAsked;
}

export interface GlobalStatistics {
  readonly known: KnownFields;
  /** False if parts with different kinds of fields were merged: gather again with `known`. */
  readonly consistent: boolean;
  readonly statistics: Statistics;
  /** Whether the heads of all titles are stored. */
  readonly hasHeads: boolean;
  /** In the order of QueryPlan.searches. */
  readonly stages: readonly ChosenStage[];
  /** Dictionary lookups of this reader; empty if it searches alone. */
  readonly expansions: TermExpansions;
}

// ---- Decision

export interface SearchDecision {
  readonly filters: readonly PlannedFilter[];
  /** The last `ofRules` filters come from rules and are not shown. */
  readonly ofRules: number;
  readonly criteria: readonly SortCriterion[];
  /** Null for queries without words. */
  readonly query: WordsAsked | null;
  /** The expression, bound to the statistics; null for other queries. */
  readonly expression: Expression | null;
  /** Defines the result of a search without stages; null with stages. */
  readonly relevance: Settlement | null;
  /** Its name in `matchedQueries` of matching products. */
  readonly executed: string;
}

/** A search without stages, decided (relevance/settle.ts). */
export interface Settled {
  readonly asked: WordsAsked;
  readonly settlement: Settlement;
}

/** What all readers together found for a search without stages. */
export interface Settlement {
  /** Products of the basis with all words. */
  readonly completeCount: number;
  /** Products without all words also belong if they reach the cut. */
  readonly isFilled: boolean;
  /** The best cut value of the basis, and the share of it that products without all words must reach. */
  readonly bestValue: number;
  readonly cutThousandths: number;
  /** Category votes of the best products. */
  readonly votes: CategoryVotes;
  /** Products with all words, and those of the query's brand and kind, come first (brand-and-kind.ts). */
  readonly isBrandAndKindFirst: boolean;
}

export interface CategoryVotes {
  /** Field and path -> votes. */
  readonly votes: ReadonlyMap<string, number>;
  /** The largest sum of any voter; 0 if there are no votes. */
  readonly most: number;
}

export interface Decision {
  readonly statistics: Statistics;
  readonly hasHeads: boolean;
  readonly searches: readonly SearchDecision[];
  readonly meta: Readonly<Record<string, unknown>>;
}

// ---- Sets

/** Products found for one set: by position (ids, lookups) or ranked (searches). */
export interface SetCandidate extends RankedKeys {
  readonly id: string;
  /** Position in the set's own list; 0 for searches. */
  readonly position: number;
}

/** Per set of the plan, best first. */
export interface SetsPartial {
  readonly candidates: readonly (readonly SetCandidate[])[];
}

/** Ids per set of one index, in order; an id is in one set only. */
export interface ArrangedSets {
  readonly ids: readonly (readonly string[])[];
  /** Their positions in the set, counted over all indexes. */
  readonly positions: readonly (readonly number[])[];
}

// ---- Execution

/** Orders products across segments and shards. */
export interface RankedKeys {
  /** The values of the decision's criteria; empty without a sort. */
  readonly keys: readonly SortKeyValue[];
  readonly score: number;
  /** Order without a sort (query/rank/relevance.ts). */
  readonly rank: number;
  /** Whether it does not have all words: then a sort places it after those that do. */
  readonly isPartial: boolean;
}

export interface PartialHit extends RankedKeys {
  readonly id: string;
  readonly segment: number;
  readonly row: number;
  /** Its set and position, if sets determine the order; otherwise -1. */
  readonly set: number;
  readonly position: number;
  /** Whether it matches the request's own query. */
  readonly natural: boolean;
  /** The set that contains it, even if sets do not determine the order, or -1. */
  readonly namedBy: number;
}

export interface Partial {
  readonly matchCount: number;
  /** Products that match the request's own query. */
  readonly naturalCount: number;
  /** Products without all words. */
  readonly partialCount: number;
  readonly setCounts: readonly number[];
  /** The best `offset + limit` hits of this reader, in order. */
  readonly hits: readonly PartialHit[];
}

export interface Executed extends Partial {
  /** For answer/facets/count.ts; null without facets. Not plain data: facets are counted next to the segments. */
  readonly countInputs: readonly CountInput[] | null;
}
