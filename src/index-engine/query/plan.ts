/**
 * What a search is, step by step. Everything here is plain data (structured clone), unless it says otherwise.
 *
 *   prepare   request + tenant + field plan -> QueryPlan      nothing of the index is known yet
 *   survey    reader + plan -> Survey                         what only the data knows, summed over shards by mergeSurveys
 *   decide    plans + surveys -> decisions                    statistics, filters, sorting, words: the same for every shard.
 *                                                             Asks the readers for counts and matches on its way (decide.ts)
 *   sets      reader + decision -> SetsPartial                arranged searches only; mergeSets -> the products of each set
 *   execute   reader + decision + sets -> Executed            match, count, rank; mergePartials -> Execution
 *   finish    reader + execution -> hits of this reader with their variants
 *
 * One plan holds several searches: the request's own, and one for each product set that is found by searching.
 */
import type {
  FilterParameter,
  RelevanceConfig,
  TraceFlag,
  VariantPickingStrategy,
} from "../../interface/index.ts";
import type { PlannedFilter } from "./filter/index.ts";
import type { CountInput, EngineHit } from "./execution.ts";
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
import type { Exploration } from "./stages/explore.ts";
import type { Requirement, StagePlan } from "./stages/stage.ts";

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
  /** Asked, but nothing is left of it, or no stage takes it. */
  | { readonly kind: "none" }
  /** A tenant's own stages. */
  | {
      readonly kind: "stages";
      readonly words: WordQuery;
      /** At least one. */
      readonly stages: readonly StagePlan[];
      /** Those before it are not tried. */
      readonly firstStage: number;
    }
  /** Without configured stages: our own way (docs/query-core.md). */
  | {
      readonly kind: "relevance";
      readonly words: WordQuery;
      readonly settings: RelevanceConfig;
      /** The last word is still being typed. */
      readonly isTyping: boolean;
    }
  | { readonly kind: "expression"; readonly expression: Expression };

/** Something that stands for neighbouring words of the query, because a rule says so. */
export interface Synonym {
  /** Numbers of the terms it stands for. */
  readonly terms: readonly number[];
  /** Its own words, as analysed; all of them are asked. */
  readonly words: readonly string[];
  readonly factor: number;
  readonly isPhrase: boolean;
  /** Of the rule's instruction in the rules text. */
  readonly line: number;
}

/** What a rule adds to or takes from scores; it never decides what matches. */
export interface ScoreBoost {
  /** Above 1: adds so many times its own score. Below: what matches keeps this share of its score. */
  readonly factor: number;
  readonly groups: readonly TermGroup[];
  /** Products that have it by name, whatever their words; `groups` is empty then (pins.ts). */
  readonly ids: readonly string[];
  /** Null: the fields of the stage. */
  readonly weights: FieldWeights | null;
  /** Of the rule's instruction in the rules text; null: a word in the brand (brand-boosts.ts). */
  readonly line: number | null;
}

/** The words of a query after rules, as every stage takes them. */
export interface WordQuery {
  /** Distinct terms, in the order typed. */
  readonly terms: readonly string[];
  /** Per term: the share it counts, 1 unless a rule put it there. */
  readonly factors: readonly number[];
  /** Per term. */
  readonly stopWords: readonly boolean[];
  /** What was typed, as numbers of terms: words that are there twice are there twice. */
  readonly sequence: readonly number[];
  /** Parts of the sequence that were typed as one word: `t-shirt`, `100359698_003`. */
  readonly compounds: readonly {
    readonly first: number;
    readonly count: number;
    /** Written with `_`, which separates nowhere in the reference. */
    readonly isCode: boolean;
  }[];
  /** Quoted parts of the sequence. */
  readonly phrases: readonly { readonly first: number; readonly count: number }[];
  /** Neighbours written together by the user query analyzer. */
  readonly glued: readonly {
    readonly first: number;
    readonly count: number;
    readonly term: string;
  }[];
  readonly synonyms: readonly Synonym[];
  readonly boosts: readonly ScoreBoost[];
  /** Rules that say what products must have, or must not. */
  readonly restrictions: readonly Restriction[];
}

export interface Restriction {
  readonly expression: Expression;
  readonly negated: boolean;
  /** It names a private field: no answer tells of it. */
  readonly isPrivate: boolean;
}

/**
 * The words of a query as the index is asked for them: bound to the statistics of the whole index once it is decided
 * (weigh.ts).
 */
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
  /** Quoted phrases: all of them must match. */
  readonly phrases: readonly TermGroup[];
  /** Only add to the score. */
  readonly optional: readonly TermGroup[];
  /** The words in the order typed, without those that are unwanted: what titles are asked for. */
  readonly typed: readonly TermGroup[];
  /** Words that a product should lack ("phone without camera"). */
  readonly unwanted: readonly TermGroup[];
  readonly boosts: readonly ScoreBoost[];
  readonly restrictions: readonly Restriction[];
  /** All groups in one and the same field. */
  readonly isSameField: boolean;
  readonly requirement: Requirement["kind"] | "fill";
  /** Match weight that a product must have, where the requirement is not "most". */
  readonly required: number;
  /** Words that were read as others, with these, best first. */
  readonly corrected: readonly (readonly [string, readonly string[]])[];
  /** Words that no product has in any reading; they are left out. */
  readonly unread: readonly string[];
}

export interface SearchPlan {
  readonly query: TextQuery;
  /** It finds the products of a set: its filters choose what it is about. */
  readonly isSet: boolean;
  readonly filters: readonly FilterParameter[];
  readonly sort: readonly SortToken[];
  /** Of queries without words; a stage brings its own. */
  readonly weights: FieldWeights;
  /** Filters that rules bring: they count like the others and are named nowhere (docs/rules.md "FILTER"). */
  readonly inducedFilters: readonly FilterParameter[];
  /** Fields whose filters are multi-select ones. */
  readonly postFields: readonly string[];
  /** Trees of categories are counted without their own filter, but for these; null without facets. */
  readonly sensitiveTrees: readonly string[] | null;
  /**
   * Where numbers are ranges by default, so are those of all fields but these: counted without their own filter, too.
   */
  readonly rangesBut?: readonly string[];
  /** Filtered fields whose facet of numbers is filter-sensitive: only the values that pass are counted. */
  readonly sensitiveNumbers: readonly string[];
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

interface VariantPlan {
  readonly strategy: VariantPickingStrategy;
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
  /** A function reads a private field: no answer has a score, because it would be told from it. */
  readonly isScorePrivate: boolean;
  /** Null: the text score is the score. */
  readonly scoring: ScoringPlan | null;
  /** Of near-equal scores what is in stock comes first. A tenant's own stages say themselves what counts. */
  readonly isStockFirst: boolean;
  /** Language of sort keys. */
  readonly language: string;
  /** Names that filters and sorts ask for, with what the configuration says of them. */
  readonly filterFields: ReadonlyMap<string, readonly FacetKind[]>;
  /** Names that sorts ask for: those that may be columns, and those that may be facets (query/rank/facet-sort.ts). */
  readonly sortFields: readonly string[];
  readonly sortFacets: readonly string[];
  /** The rules that acted on the request's own query. */
  readonly rules: readonly AppliedRule[];
  /** Fields that rules filter by and no answer tells of: they are private. */
  readonly privateFilters: readonly string[];
  /** What the answer is to say about itself; empty nearly always, and then nothing of it costs anything. */
  readonly trace: readonly TraceFlag[];
  /** Meta entries known already. */
  readonly meta: Readonly<Record<string, unknown>>;
}

// ---- survey ----------------------------------------------------------------------------------------------------------------

/** Which kinds the asked names have in the data. */
export interface KnownFields {
  readonly filters: ReadonlyMap<string, readonly FacetKind[]>;
  readonly columns: ReadonlyMap<string, readonly ColumnKind[]>;
  /** Kinds of listed facet values of names to sort by. */
  readonly sortFacets: ReadonlyMap<string, readonly FacetKind[]>;
}

/** What decides the stage of a search for words. */
export interface StageSurvey {
  /** The first of the tried stages that some live product under the search's filters matches; -1: none of them. */
  readonly stage: number;
  /** Most groups of that stage that one of them matches. */
  readonly mostGroups: number;
  /** What the stage asks, where a reader that searches alone has worked it out. */
  readonly asked?: WordsAsked;
}

export interface Survey {
  readonly known: KnownFields;
  /** False after merging surveys that were made without knowing each other's fields: survey again, with `known`. */
  readonly consistent: boolean;
  readonly statistics: Statistics;
  /** Whether the heads of all titles are known. */
  readonly hasHeads: boolean;
  /** In the order of QueryPlan.searches. */
  readonly stages: readonly StageSurvey[];
  /** What this reader's dictionary says of the words; nothing where it searches alone. */
  readonly exploration: Exploration;
}

// ---- decision --------------------------------------------------------------------------------------------------------------

export interface SearchDecision {
  readonly filters: readonly PlannedFilter[];
  /** So many of them, the last ones, come from rules: nobody is told of them. */
  readonly ofRules: number;
  readonly criteria: readonly SortCriterion[];
  /** Null where the query is no words. */
  readonly query: WordsAsked | null;
  /** The expression that is asked, bound to the statistics; null where the query is none. */
  readonly expression: Expression | null;
  /** What belongs to the result of a search without stages; null where stages decide. */
  readonly relevance: Settlement | null;
  /** Name under which matching products list it in `matchedQueries`. */
  readonly executed: string;
}

/** What all readers together found of a search without stages (relevance/settle.ts). */
export interface Settlement {
  /** Products of the basis with all words. */
  readonly completeCount: number;
  /** Products that lack words belong, too, when they reach the cut. */
  readonly isFilled: boolean;
  /** The best cut value of the basis, and the share of it that products without all words must reach. */
  readonly bestValue: number;
  readonly cutThousandths: number;
  /** What the best products say of categories. */
  readonly votes: CategoryVotes;
}

export interface CategoryVotes {
  /** Field and path -> votes. */
  readonly votes: ReadonlyMap<string, number>;
  /** The largest sum that a voter has; 0: nothing was voted for. */
  readonly most: number;
}

export interface Decision {
  readonly statistics: Statistics;
  readonly hasHeads: boolean;
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
  /** query/rank/relevance.ts; decides without a sort. */
  readonly rank: number;
  /** It lacks words: with a sort it comes behind all that have them. */
  readonly isPartial: boolean;
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
  /** Of these, what the request's own query matches. */
  readonly naturalCount: number;
  /** Of these, products that lack words. */
  readonly partialCount: number;
  readonly setCounts: readonly number[];
  /** The best of this reader, as many as the window is deep, in order. */
  readonly hits: readonly PartialHit[];
}

export interface Executed extends Partial {
  /** For answer/facets/count.ts; null without facets. Not plain: facets are counted where the segments are. */
  readonly countInputs: readonly CountInput[] | null;
}

/** A hit and the partial (reader) it came from. */
export interface PlacedHit extends EngineHit {
  readonly partial: number;
}
