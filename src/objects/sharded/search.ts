/**
 * Runs a search or suggestion over the shards of one or several indexes, in the Worker. This file makes the calls; the
 * engine defines questions and merges answers (index-engine/shards, answer/suggest/merged-labels.ts).
 *
 * There are no partial answers. After any STALE the caller starts over (I6); any failure is the answer; after the
 * deadline the answer is 503 with Retry-After. Running calls cannot be cancelled; their late answers are ignored.
 */
import { searchSharded, type ShardTransport } from "../../index-engine/shards/index.ts";
import { suggestSharded, type OwnQueries } from "../../index-engine/answer/suggest/index.ts";
import {
  ServiceError,
  type SearchRequest,
  type SuggestConfig,
  type SuggestRequest,
  type Suggestion,
  type TenantConfig,
} from "../../interface/index.ts";
import { answerKey, cacheAnswer, cachedAnswer } from "../cached-answers.ts";
import { inTurn } from "../large-pages.ts";
import { ok, type Failure } from "../results.ts";
import {
  isStale,
  ROUNDS_VERSION,
  STALE,
  type BegunSearch,
  type FannedOut,
  type RelayedCall,
  type RoundAnswers,
  type Route,
  type SearchedState,
  type SearchRound,
  type SearchRoundAnswer,
  type ShardResult,
  type Stale,
  type Unchanged,
} from "../protocol/index.ts";
import { shardedSearchMs } from "../settings.ts";
import { fanOut } from "./calls.ts";
import { knownState, noteState, type KnownState } from "./known-state.ts";
import type { ObjectsEnv } from "../stubs.ts";

interface ShardedSearchCall {
  /** Routes of the tenant's indexes, in configured order. */
  readonly routes: readonly Route[];
  readonly configurationVersion: number;
  /** Resolved from that version of the configuration. */
  readonly tenant: TenantConfig;
  readonly tenantTag: string;
  readonly request: SearchRequest;
}

interface ShardedSearchAnswer {
  /** The body of the answer in UTF-8, starting with `{"tookInMillis":`. */
  readonly json: Uint8Array;
  /** `answerChecksum` of it, if it is known. */
  readonly checksum?: number;
  /** By shard, in the order of the routes. */
  readonly logPositions: readonly number[];
  /** Whether the answer may change without a write. */
  readonly isVolatile: boolean;
}

interface ShardedSuggestCall {
  readonly route: Route;
  readonly configurationVersion: number;
  readonly tenant: string | null;
  readonly config: SuggestConfig;
  readonly own: OwnQueries | null;
  readonly request: SuggestRequest;
}

/** Ends the rounds after an answer of another kind. */
class Interrupted extends Error {
  readonly answer: Stale | Failure;

  constructor(answer: Stale | Failure) {
    super("the rounds have ended");
    this.answer = answer;
  }
}

/** Ends the rounds of a search whose answer is cached. */
class NothingChanged extends Error {}

type BeginSteps = Parameters<ShardTransport["statistics"]>[0];

export async function searchShards(
  env: ObjectsEnv,
  call: ShardedSearchCall,
): Promise<ShardResult<ShardedSearchAnswer>> {
  const { request, tenant, routes } = call;
  const key = answerKey(request, tenant);
  const known = knownState(tenant, routes);
  const cached = known === null || key === null ? null : cachedAnswer(known, key);
  const search = async (): Promise<ShardedSearchAnswer> => {
    const rounds = new Rounds(env, call, cached === null ? null : known);
    const traced = isTraced(request) ? clock : null;
    try {
      const { json, isVolatile } = await searchSharded(rounds, rounds.indexOf, request, tenant, traced);
      const state = noteState(tenant, routes, rounds.states);
      if (key !== null && !isVolatile) cacheAnswer(state, key, json);
      return { json, isVolatile, logPositions: logPositionsOf(state) };
    } catch (error) {
      if (!(error instanceof NothingChanged) || cached === null || known === null) throw error;
      return { ...cached, isVolatile: false, logPositions: logPositionsOf(known) };
    }
  };
  return inTurn(request.limit, () => beforeDeadline(env, search));
}

function logPositionsOf({ shards }: KnownState): number[] {
  return shards.map(({ logPosition }) => logPosition);
}

/** The clock advances while waiting, though not during computation (docs/behaviour.md 2.5). */
const clock = (): number => performance.now();

function isTraced({ trace = [] }: SearchRequest): boolean {
  return trace.length > 0;
}

export async function suggestFromShards(
  env: ObjectsEnv,
  { route, configurationVersion, tenant, config, own, request }: ShardedSuggestCall,
): Promise<
  ShardResult<{
    readonly suggestions: readonly Suggestion[];
    readonly logPositions: readonly number[];
  }>
> {
  return beforeDeadline(env, async () => {
    let logPositions: readonly number[] = [];
    let tokens: readonly (string | undefined)[] = [];
    const suggestions = await suggestSharded(
      async (followUps) => {
        const parts = await callAll(
          env,
          "suggestPart",
          route.shards.map((shard, i) => ({
            shard,
            call: { epoch: route.epoch, configurationVersion, tenant, request, followUps, token: tokens[i] },
          })),
        );
        const positions = parts.map(({ logPosition }) => logPosition);
        // For minutes after a deploy, a shard may not know tokens yet: then suggestions start over after a write.
        if (followUps !== null && positions.some((position, i) => position !== logPositions[i])) {
          throw new Interrupted(STALE);
        }
        logPositions = positions;
        tokens = parts.map(({ token }) => token);
        return parts.map(({ partial }) => partial);
      },
      route.language,
      config,
      request,
      own,
    );
    return { suggestions, logPositions };
  });
}

/** The values of all answers; other answers interrupt. */
async function callAll<Method extends keyof FannedOut>(
  env: ObjectsEnv,
  method: Method,
  calls: readonly RelayedCall<Method>[],
): Promise<FannedOut[Method]["answer"][]> {
  const answers = await fanOut(env, method, calls);
  // A failure would recur, but STALE is resolved by repeating.
  if (answers.some((answer) => isStale(answer))) throw new Interrupted(STALE);
  return answers.map((answer) => {
    if (isStale(answer)) throw new Interrupted(answer);
    if (!answer.ok) throw new Interrupted(answer);
    return answer.value;
  });
}

async function beforeDeadline<T>(env: ObjectsEnv, work: () => Promise<T>): Promise<ShardResult<T>> {
  const deadlineMs = shardedSearchMs(env);
  const timer = new AbortController();
  const late = scheduler.wait(deadlineMs, { signal: timer.signal }).then(
    (): never => {
      throw new ServiceError("index_unavailable", `Not all shards answered within ${deadlineMs} ms; try again.`);
    },
    // Aborted, because the work ended first.
    (): Promise<never> => new Promise(() => {}),
  );
  try {
    return ok(await Promise.race([work(), late]));
  } catch (error) {
    if (error instanceof Interrupted) return error.answer;
    throw error;
  } finally {
    timer.abort();
  }
}

/** The rounds of one search, with tokens and states of the last `beginSearch`. */
class Rounds implements ShardTransport {
  readonly #env: ObjectsEnv;
  readonly #call: ShardedSearchCall;
  readonly #shards: readonly { readonly shard: string; readonly epoch: number }[];
  /** The index of each shard. */
  readonly indexOf: readonly number[];
  readonly #unlessIn: KnownState | null;
  #tokens: readonly string[] = [];
  states: readonly SearchedState[] = [];

  /** @param unlessIn if all shards are in this state, the first round throws NothingChanged */
  constructor(env: ObjectsEnv, call: ShardedSearchCall, unlessIn: KnownState | null) {
    this.#env = env;
    this.#call = call;
    this.#unlessIn = unlessIn;
    this.#shards = call.routes.flatMap(({ shards, epoch }) => shards.map((shard) => ({ shard, epoch })));
    this.indexOf = call.routes.flatMap(({ shards }, index) => shards.map(() => index));
  }

  async statistics(steps: BeginSteps): ReturnType<ShardTransport["statistics"]> {
    if (this.#tokens.length > 0) {
      return this.#continue(
        "statistics",
        steps.map((step) => ({ kind: "statistics", step })),
      );
    }
    const begun = await this.#begin(steps);
    const { configurationVersion } = this.#call;
    this.states = begun.map((answer) => ({
      logPosition: answer.logPosition,
      configurationVersion: answer.configurationVersion ?? configurationVersion,
    }));
    const versions = new Set(this.states.map((state) => state.configurationVersion));
    if (versions.size > 1 || begun.some(({ roundsVersion }) => roundsVersion !== ROUNDS_VERSION)) {
      throw new Interrupted(STALE);
    }
    this.#tokens = begun.map(({ token }) => token);
    return begun.map(({ statistics }) => statistics);
  }

  async #begin(steps: BeginSteps): Promise<BegunSearch[]> {
    const all = steps.map((_, i) => i);
    const answers = await this.#beginOn(all, steps, this.#unlessIn?.shards);
    const unchanged = all.filter((i) => !isBegun(answers[i]));
    if (unchanged.length === all.length) throw new NothingChanged();
    const others = await this.#beginOn(unchanged, steps);
    unchanged.forEach((i, at) => (answers[i] = others[at]));
    return answers.filter(isBegun);
  }

  #beginOn(
    shards: readonly number[],
    steps: BeginSteps,
    unlessIn: readonly SearchedState[] = [],
  ): Promise<(BegunSearch | Unchanged)[]> {
    const { configurationVersion, tenant, tenantTag, request } = this.#call;
    return callAll(
      this.#env,
      "beginSearch",
      shards.map((i) => {
        const { shard, epoch } = this.#shards[i];
        const search = { tenant: tenant.name, tenantTag, request, step: steps[i], unlessIn: unlessIn[i] };
        return { shard, call: { roundsVersion: ROUNDS_VERSION, epoch, configurationVersion, ...search } };
      }),
    );
  }

  decide(steps: Parameters<ShardTransport["decide"]>[0]): ReturnType<ShardTransport["decide"]> {
    return this.#continue(
      "decide",
      steps.map((step) => ({ kind: "decide", step })),
    );
  }

  sets(steps: Parameters<ShardTransport["sets"]>[0]): ReturnType<ShardTransport["sets"]> {
    return this.#continue(
      "sets",
      steps.map((step) => ({ kind: "sets", step })),
    );
  }

  execute(steps: Parameters<ShardTransport["execute"]>[0]): ReturnType<ShardTransport["execute"]> {
    return this.#continue(
      "execute",
      steps.map((step) => ({ kind: "execute", step })),
    );
  }

  async more(steps: Parameters<ShardTransport["more"]>[0]): ReturnType<ShardTransport["more"]> {
    const asked = steps.flatMap((step, i) => (step === null ? [] : [{ step, i }]));
    const answers = await this.#continue(
      "more",
      asked.map(({ step }) => ({ kind: "more", step })),
      asked.map(({ i }) => i),
    );
    const all: Awaited<ReturnType<ShardTransport["more"]>>[number][] = steps.map(() => null);
    asked.forEach(({ i }, at) => (all[i] = answers[at]));
    return all;
  }

  pause(): Promise<void> {
    return scheduler.wait(0);
  }

  /** `of`: the shards of these rounds; by default all. */
  async #continue<Kind extends keyof RoundAnswers>(
    kind: Kind,
    rounds: readonly SearchRound[],
    of: readonly number[] = rounds.map((_, i) => i),
  ): Promise<RoundAnswers[Kind][]> {
    const { configurationVersion } = this.#call;
    const answers = await callAll(
      this.#env,
      "continueSearch",
      of.map((i, at) => {
        const { shard, epoch } = this.#shards[i];
        const token = this.#tokens[i];
        return { shard, call: { epoch, configurationVersion, token, round: rounds[at] } };
      }),
    );
    return answers.map((given) => {
      if (!isOfKind(given, kind)) throw new Error(`asked for ${kind}, answered ${given.kind}`);
      return given.answer;
    });
  }
}

function isBegun(answer: BegunSearch | Unchanged): answer is BegunSearch {
  return !("unchanged" in answer);
}

function isOfKind<Kind extends keyof RoundAnswers>(
  given: SearchRoundAnswer,
  kind: Kind,
): given is SearchRoundAnswer & { readonly answer: RoundAnswers[Kind] } {
  return given.kind === kind;
}
