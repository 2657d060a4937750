/**
 * The protocol of a search over several shards of one or more indexes. All messages are plain data.
 *
 *   coordinator (coordinate.ts)                           each shard (shard-search.ts)
 *
 *   statistics requests what only the data knows      ->  document frequencies, live sums, kinds of
 *                                                         fields, words
 *     again    if shards know different kinds, or no  ->  the same, given the kinds of all shards
 *              plain stage of a tenant matches
 *   decide     searches without stages: counts and    ->  the counts and matches
 *              matches                                    (query/relevance/questions.ts)
 *   sets       arranged searches with sets defined    ->  candidates of each set
 *              by queries
 *   execute    the stage and the statistics           ->  counts, facet counts, the best
 *                                                         `offset + limit` hits with keys
 *   more       documents of hits not sent yet; facet  ->  as many as fit (page-hits.ts)
 *              values that turned out to matter
 *
 * Searches with stages take two rounds, three if words must be expanded. Searches without take three; one more if parts
 * of unknown words are needed, two more if known words may be misspelt. Small windows include their rendered hits, and
 * facets include the shown values. A shard keeps its reader from the first to the last round, so all rounds see the
 * same documents.
 *
 * Sums and sort orders are those of search.ts, so the answer is the same for any number of shards (I4).
 */
import type { FacetAnswer, FacetFollowUp, FacetPartial } from "../answer/facets/index.ts";
import type {
  Answers,
  ArrangedSets,
  Ask,
  Decision,
  TermExpansions,
  KnownFields,
  Partial,
  QueryPlan,
  SetsPartial,
  GlobalStatistics,
} from "../query/index.ts";

/** Windows (`offset + limit`) up to this size get their rendered hits with `execute`, ... */
export const EAGER_WINDOW = 100;
/** ... unless their documents are larger than this in total, because most of them will not be on the page. */
export const EAGER_BYTES = 131_072;

export interface StatisticsStep {
  /** Null: use this shard's own kinds. */
  readonly known: KnownFields | null;
  /** Only one shard of each index returns the plan. */
  readonly withPlan: boolean;
  /** TermExpansions of the words in all shards of the index; null if there is none yet. */
  readonly expansions: TermExpansions | null;
}

export interface ShardStatistics {
  readonly plan: QueryPlan | null;
  readonly globals: GlobalStatistics;
  /** `ocs-<n>-<name>-<language>`. */
  readonly physicalName: string;
  readonly language: string;
  readonly sortable: readonly string[];
}

export interface DecideStep {
  readonly ask: Ask;
}

export interface SetsStep {
  readonly decision: Decision;
}

export interface ExecuteStep {
  readonly decision: Decision;
  /** Of the shard's index; null without sets. */
  readonly arranged: ArrangedSets | null;
}

export interface ExecuteAnswer {
  readonly partial: Partial;
  /** Null without facets. */
  readonly facets: FacetPartial | null;
  /** JSON of every hit of the partial. Null if hits must be requested. */
  readonly hits: readonly Uint8Array[] | null;
}

export interface MoreStep {
  /** Indexes in the hits of the shard's partial, in page order. */
  readonly positions: readonly number[];
  /** Hits requested later. Their documents are retained until then. */
  readonly later: readonly number[];
  /** Limit of the hits' JSON; their sources may be SOURCE_SHARE times as large ... */
  readonly mostBytes: number;
  /** ... but the first hit is always included. */
  readonly withFirst: boolean;
  readonly followUps: readonly FacetFollowUp[];
}

export interface MoreAnswer {
  /** JSON of all or the first hits, in the order of the positions. */
  readonly hits: readonly Uint8Array[];
  /** Source size of each of these hits. */
  readonly sourceBytes: readonly number[];
  readonly facets: readonly FacetAnswer[];
}

/** Sends the same kind of request to all shards; answers are in shard order. Fails as a whole. */
export interface ShardTransport {
  statistics(steps: readonly StatisticsStep[]): Promise<readonly ShardStatistics[]>;
  decide(steps: readonly DecideStep[]): Promise<readonly Answers[]>;
  sets(steps: readonly SetsStep[]): Promise<readonly SetsPartial[]>;
  execute(steps: readonly ExecuteStep[]): Promise<readonly ExecuteAnswer[]>;
  /** Null: no request to that shard. */
  more(steps: readonly (MoreStep | null)[]): Promise<readonly (MoreAnswer | null)[]>;
  /** Lets others run between two parts of a long decision. */
  pause(): Promise<void>;
}
