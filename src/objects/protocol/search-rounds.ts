/**
 * One search over several shards, as it crosses RPC: the rounds of index-engine/shards/messages.ts.
 *
 *   Worker (sharded/search.ts)                       each shard
 *     beginSearch {tenant, request, survey}    ->      keeps its reader under a token      {token, survey, logPosition}
 *     continueSearch {token, decide | sets | execute | more | survey} ->                       the answer of that round
 *
 * Every call carries epoch and configuration version (I6): a STALE anywhere throws away everything and starts over.
 *
 * The token makes the rounds of one search see one state of the shard, whatever is written in between. It lives for a
 * few seconds and in memory only; where it is gone (the object was moved, or very many searches came in between) the
 * answer is STALE, too. Pinning by log position instead would start over with every write, and a busy shard is written
 * to more often than a search has rounds.
 *
 * **Two levels.** An invocation calls at most six objects at once. Over more shards than that, the Worker calls six of them with `relay`,
 * and each asks itself and its share of the others, six at once: 64 shards are 6 relays of up to 11.
 */
import type { SearchRequest, SuggestRequest } from "../../interface/index.ts";
import type {
  DecideStep,
  ExecuteAnswer,
  ExecuteStep,
  MoreAnswer,
  MoreStep,
  SetsStep,
  ShardSurvey,
  SurveyStep,
} from "../../index-engine/shards/index.ts";
import type { Answers, SetsPartial } from "../../index-engine/query/index.ts";
import type { SuggestNeed, SuggestPartial } from "../../index-engine/answer/suggest/index.ts";
import type { ConfiguredCall, ShardResult } from "./shard-call.ts";

export interface BeginSearchCall extends ConfiguredCall {
  readonly tenant: string;
  readonly request: SearchRequest;
  readonly step: SurveyStep;
}

export interface BegunSearch {
  readonly token: string;
  readonly survey: ShardSurvey;
  /** Of the last write the search sees. */
  readonly logPosition: number;
}

export type SearchRound =
  | { readonly kind: "survey"; readonly step: SurveyStep }
  | { readonly kind: "decide"; readonly step: DecideStep }
  | { readonly kind: "sets"; readonly step: SetsStep }
  | { readonly kind: "execute"; readonly step: ExecuteStep }
  | { readonly kind: "more"; readonly step: MoreStep };

export interface ContinueSearchCall extends ConfiguredCall {
  readonly token: string;
  readonly round: SearchRound;
}

export interface RoundAnswers {
  readonly survey: ShardSurvey;
  readonly decide: Answers;
  readonly sets: SetsPartial;
  readonly execute: ExecuteAnswer;
  readonly more: MoreAnswer;
}

/** Of the kind that was asked for. */
export type SearchRoundAnswer = {
  [Kind in keyof RoundAnswers]: { readonly kind: Kind; readonly answer: RoundAnswers[Kind] };
}[keyof RoundAnswers];

export interface SuggestPartCall extends ConfiguredCall {
  /** As of SuggestCall. */
  readonly tenant?: string | null;
  readonly request: SuggestRequest;
  /** Null: what is needed to begin with. */
  readonly needs: readonly SuggestNeed[] | null;
}

export interface SuggestPart {
  readonly partial: SuggestPartial;
  readonly logPosition: number;
}

/** The methods that are fanned out, by what they take and answer. */
export interface FannedOut {
  beginSearch: { readonly call: BeginSearchCall; readonly answer: BegunSearch };
  continueSearch: { readonly call: ContinueSearchCall; readonly answer: SearchRoundAnswer };
  suggestPart: { readonly call: SuggestPartCall; readonly answer: SuggestPart };
}

/** A call on its way to `shard` through another one. */
export interface RelayedCall<Method extends keyof FannedOut = keyof FannedOut> {
  readonly shard: string;
  readonly call: FannedOut[Method]["call"];
}

export interface SearchRoundsApi {
  beginSearch(call: BeginSearchCall): Promise<ShardResult<BegunSearch>>;
  continueSearch(call: ContinueSearchCall): Promise<ShardResult<SearchRoundAnswer>>;
  suggestPart(call: SuggestPartCall): Promise<ShardResult<SuggestPart>>;
  /** The first call is this shard's own. Answers in the order of the calls. */
  relay<Method extends keyof FannedOut>(
    method: Method,
    calls: readonly RelayedCall<Method>[],
  ): Promise<readonly ShardResult<FannedOut[Method]["answer"]>[]>;
}
