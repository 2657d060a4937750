/**
 * The RPC messages of a search over several shards: the rounds of index-engine/shards/messages.ts.
 *
 *   Worker (sharded/search.ts)                       each shard
 *     beginSearch {tenant, request, statistics}    ->      keeps its reader under a token      {token, statistics, logPosition}
 *                 unlessIn {state}                 ->      if it is in this state              {unchanged}
 *     continueSearch {token, decide | sets | execute | more | statistics} ->                       the answer of that round
 *
 * Every call carries epoch and configuration version (I6). After any STALE the search starts over. Changes of the
 * configuration between the rounds have no effect.
 *
 * Suggestions have rounds of one kind, `suggestPart`: the first returns a token, the next ones ask for what is missing.
 *
 * The token makes all rounds of a search use one state of the shard, despite writes in between. It lives in memory for
 * a few seconds. If it is lost (the object moved, or very many searches came in between), the answer is STALE as well.
 * With log positions instead of tokens, every write would restart the search, and a busy shard has more writes than a
 * search has rounds.
 *
 * **Two levels.** An invocation calls at most six objects at once. For more shards, the Worker calls six of them with
 * `relay`, and each calls itself and its share of the others, six at once: 64 shards are 6 relays of up to 11.
 */
import type { SearchRequest, SuggestRequest } from "../../interface/index.ts";
import type {
  DecideStep,
  ExecuteAnswer,
  ExecuteStep,
  MoreAnswer,
  MoreStep,
  SetsStep,
  ShardStatistics,
  StatisticsStep,
} from "../../index-engine/shards/index.ts";
import type { Answers, SetsPartial } from "../../index-engine/query/index.ts";
import type { SuggestFollowUp, SuggestPartial } from "../../index-engine/answer/suggest/index.ts";
import type { ConfiguredCall, ShardResult, TenantCall } from "./shard-call.ts";

/**
 * Version of the messages between the shards of a search. Raised when a member changes its type. Different versions,
 * during a deploy, are STALE.
 */
export const ROUNDS_VERSION = 7;

export interface BeginSearchCall extends TenantCall {
  /** Absent: version 1. */
  readonly roundsVersion?: number;
  readonly request: SearchRequest;
  readonly step: StatisticsStep;
  /** The caller has an answer that was made from this state. If nothing has changed since, the shard only says so. */
  readonly unlessIn?: SearchedState;
}

/** What an answer depends on besides the request and the generation. */
export interface SearchedState {
  /** Log position of the last visible write. */
  readonly logPosition: number;
  readonly configurationVersion: number;
}

export interface Unchanged {
  readonly unchanged: true;
}

export interface BegunSearch {
  /** Absent: version 1. */
  readonly roundsVersion?: number;
  readonly token: string;
  readonly statistics: ShardStatistics;
  /** Log position of the last visible write. */
  readonly logPosition: number;
  /** Of the configuration that the search uses, the same on all shards; absent: the call's. */
  readonly configurationVersion?: number;
}

export type SearchRound =
  | { readonly kind: "statistics"; readonly step: StatisticsStep }
  | { readonly kind: "decide"; readonly step: DecideStep }
  | { readonly kind: "sets"; readonly step: SetsStep }
  | { readonly kind: "execute"; readonly step: ExecuteStep }
  | { readonly kind: "more"; readonly step: MoreStep };

export interface ContinueSearchCall extends ConfiguredCall {
  readonly token: string;
  readonly round: SearchRound;
}

export interface RoundAnswers {
  readonly statistics: ShardStatistics;
  readonly decide: Answers;
  readonly sets: SetsPartial;
  readonly execute: ExecuteAnswer;
  readonly more: MoreAnswer;
}

/** Of the requested kind. */
export type SearchRoundAnswer = {
  [Kind in keyof RoundAnswers]: { readonly kind: Kind; readonly answer: RoundAnswers[Kind] };
}[keyof RoundAnswers];

export interface SuggestPartCall extends ConfiguredCall {
  /** See SuggestCall. */
  readonly tenant?: string | null;
  readonly request: SuggestRequest;
  /** Null: the first round. */
  readonly followUps: readonly SuggestFollowUp[] | null;
  /** Of the first round. */
  readonly token?: string | undefined;
}

export interface SuggestPart {
  readonly partial: SuggestPartial;
  readonly logPosition: number;
  /** For the next rounds. */
  readonly token?: string;
}

/** The fanned-out methods with their arguments and answers. */
export interface FannedOut {
  beginSearch: { readonly call: BeginSearchCall; readonly answer: BegunSearch | Unchanged };
  continueSearch: { readonly call: ContinueSearchCall; readonly answer: SearchRoundAnswer };
  suggestPart: { readonly call: SuggestPartCall; readonly answer: SuggestPart };
}

/** A call to `shard` through another shard. */
export interface RelayedCall<Method extends keyof FannedOut = keyof FannedOut> {
  readonly shard: string;
  readonly call: FannedOut[Method]["call"];
}

export interface SearchRoundsApi {
  beginSearch(call: BeginSearchCall): Promise<ShardResult<BegunSearch | Unchanged>>;
  continueSearch(call: ContinueSearchCall): Promise<ShardResult<SearchRoundAnswer>>;
  suggestPart(call: SuggestPartCall): Promise<ShardResult<SuggestPart>>;
  /** The first call is for this shard itself. Returns answers in the order of the calls. */
  relay<Method extends keyof FannedOut>(
    method: Method,
    calls: readonly RelayedCall<Method>[],
  ): Promise<readonly ShardResult<FannedOut[Method]["answer"]>[]>;
}
