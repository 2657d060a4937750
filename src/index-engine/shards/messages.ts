/**
 * One search over several shards, of one index or of several: who asks what, and what goes over the wire. All of it is
 * plain data.
 *
 *   coordinator (coordinate.ts)                                     each shard (shard-search.ts)
 *
 *   survey     what does only the data know?            ->          document frequencies, live sums, kinds of fields, words
 *     again    where shards know different kinds, or     ->          the same, knowing all of them
 *              no plain stage of a tenant holds
 *   decide     searches without stages: counts, matches  ->         those (query/relevance/questions.ts)
 *   sets       arranged searches with searching sets    ->          candidates of each set
 *   execute    this stage, these statistics             ->          counts, facet counts, the best `offset + limit` hits with keys
 *   more       documents of hits not sent yet; facet    ->          those, as many as fit (page-hits.ts)
 *              values that turned out to matter
 *
 * Searches with stages take two rounds, three where words have to be expanded. Searches without take three; one more
 * where parts of unknown words are asked for, two where known words may be misspelt. Small windows bring their
 * rendered hits along, and facets the values they will show. A shard keeps its reader from the first to the last
 * round, so all rounds are about the same documents.
 *
 * Everything is summed or sorted by what search.ts sums and sorts by, so the answer is the same for any number of
 * shards (I4).
 */
import type { FacetAnswer, FacetNeed, FacetPartial } from "../answer/facets/index.ts";
import type {
  Answers,
  ArrangedSets,
  Ask,
  Decision,
  Exploration,
  KnownFields,
  Partial,
  QueryPlan,
  SetsPartial,
  Survey,
} from "../query/index.ts";

/** Windows (`offset + limit`) up to this bring their rendered hits with `execute`, ... */
export const EAGER_WINDOW = 100;
/** ... unless their documents are larger than this altogether: most of them will not be on the page. */
export const EAGER_BYTES = 131_072;

export interface SurveyStep {
  /** Null: this shard's own. */
  readonly known: KnownFields | null;
  /** One shard of each index is asked for the plan. */
  readonly withPlan: boolean;
  /** What all shards of the index know of the words; null: nothing yet. */
  readonly explored: Exploration | null;
}

export interface ShardSurvey {
  readonly plan: QueryPlan | null;
  readonly survey: Survey;
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
  /** JSON of every hit of the partial; null where they are to be asked for. */
  readonly hits: readonly string[] | null;
}

export interface MoreStep {
  /** Positions in the hits of the shard's partial, in the order of the page. */
  readonly positions: readonly number[];
  /** Those that are asked for afterwards. Documents that may be gone by then are kept. */
  readonly later: readonly number[];
  /**
   * The hits end before the one that would make their JSON longer, or their sources SOURCE_SHARE times as large ...
   */
  readonly mostCharacters: number;
  /** ... but the first is there in any case. */
  readonly withFirst: boolean;
  readonly needs: readonly FacetNeed[];
}

export interface MoreAnswer {
  /** JSON of the hits, in the order of the positions: of all, or of the first of them. */
  readonly hits: readonly string[];
  /** Of each of these hits. */
  readonly sourceBytes: readonly number[];
  readonly facets: readonly FacetAnswer[];
}

/** Asks all shards the same kind of question; answers come in the order of the shards. Fails as a whole. */
export interface ShardTransport {
  survey(steps: readonly SurveyStep[]): Promise<readonly ShardSurvey[]>;
  decide(steps: readonly DecideStep[]): Promise<readonly Answers[]>;
  sets(steps: readonly SetsStep[]): Promise<readonly SetsPartial[]>;
  execute(steps: readonly ExecuteStep[]): Promise<readonly ExecuteAnswer[]>;
  /** Null: nothing is asked of this shard. */
  more(steps: readonly (MoreStep | null)[]): Promise<readonly (MoreAnswer | null)[]>;
}
