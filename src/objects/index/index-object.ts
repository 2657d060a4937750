/**
 * IndexObject: the control plane of one index name. Tiny: it holds no documents and computes nothing.
 *
 * Stored: the running number n (never reused, survives deletion of the index); the epoch; the pointer to the live
 * generation and to the kept one; a row per session with its state; a row per generation that must still be fenced or
 * collected.
 *
 * ## Standing of a shard
 *
 * Shards learn epochs by push (fence) and by asking: one that meets a request with a higher epoch than its own asks
 * `standing`. So a route is usable from the commit on, whether or not the push got through, and an old generation
 * wakes up in a rollback.
 *
 * ## Reindex
 *
 * A session like every other one, whose documents the session object takes from the live shards (session/reindex.ts).
 * One at a time per incarnation; one that is left over from another is ended by the next, as shards are followed by
 * the last that asked.
 *
 * ## The rest
 *
 * Sessions and their states: sessions.ts. Publishing, rollback, what is dropped: decisions.ts. Telling the others:
 * delivery.ts. Garbage collection: collection.ts.
 */
import { DurableObject } from "cloudflare:workers";
import { unwrap, type ImportSession, type Result } from "../../interface/index.ts";
import { forAll, repeated } from "../calls.ts";
import { Attempts } from "../attempts.ts";
import { Collection } from "./collection.ts";
import { Delivery } from "./delivery.ts";
import { Decisions, ROLLBACK } from "./decisions.ts";
import { FlipTurns } from "./flip-turns.ts";
import { Sessions } from "./sessions.ts";
import { type GarbageRow, IndexStore, statusOf } from "./store.ts";
import { shardRanges } from "../partition.ts";
import type {
  CommitAnswer,
  CommitCall,
  FreezeToken,
  IndexApi,
  IndexStatus,
  ReindexAnswer,
  RollbackAnswer,
  Route,
  SessionState,
  SessionStatus,
  Standing,
} from "../protocol/index.ts";
import { answering, detached, fail, ok } from "../results.ts";
import { abandonedAfterMs, leastShards } from "../settings.ts";
import { sessionStub, shardStub } from "../stubs.ts";

const ROLLBACK_LEASE_MS = 10_000;
const ROLLBACK_ATTEMPTS = 5;

/** Pause before the alarm tries undelivered notices or a failed collection again: doubled each time. */
const RETRY_MS = 500;
const LONGEST_RETRY_MS = 60_000;

/** Works of the alarm that may end the object (attempts.ts). */
const DELIVERY = "delivery";

function collectionOf({ generation }: GarbageRow): string {
  return `collection of ${generation}`;
}

export class IndexObject extends DurableObject<Env> implements IndexApi {
  readonly #store: IndexStore;
  readonly #decisions: Decisions;
  readonly #delivery: Delivery;
  readonly #collection: Collection;
  readonly #sessions: Sessions;
  readonly #attempts: Attempts;
  readonly #turns = new FlipTurns();
  #creating: Promise<Result<Route>> | null = null;
  #rollingBack: Promise<Result<RollbackAnswer>> | null = null;
  #reindexing: Promise<Result<ReindexAnswer>> | null = null;
  /** Failures in a row of the alarm; in memory only, a restart may start again at once. */
  #failures = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const store = new IndexStore(ctx.storage);
    const decisions = new Decisions(env, store);
    this.#attempts = new Attempts(ctx.storage);
    this.#store = store;
    this.#decisions = decisions;
    this.#delivery = new Delivery(env, store);
    this.#collection = new Collection(env, store);
    this.#sessions = new Sessions({
      env,
      store,
      decisions,
      fence: () => this.#fence(),
      over: (name) => this.#turns.end(name),
      // Asked for when they are needed: tests change variables while the object runs.
      leastShards: () => leastShards(this.env),
      abandonedAfterMs: () => abandonedAfterMs(this.env),
    });
  }

  // ---- reading

  async route(): Promise<Result<Route>> {
    await this.#finishInterrupted();
    return this.#route();
  }

  async status(): Promise<Result<IndexStatus>> {
    await this.#finishInterrupted();
    const state = this.#store.state();
    const route = this.#route();
    if (!route.ok || state === null || state.live === null) return route.ok ? notLive() : route;
    const { kept } = state;
    return ok({
      route: route.value,
      publishedAtMs: state.live.publishedAtMs,
      kept: kept === null ? null : { generation: kept.generation, physicalName: kept.physicalName },
      givenUp: this.#attempts.givenUp(),
    });
  }

  async sessions(): Promise<readonly SessionStatus[]> {
    const indexName = this.#store.state()?.indexName;
    if (indexName === undefined) return [];
    return this.#store.sessions().map((row) => statusOf(indexName, row));
  }

  async standing(shard: string, voidToken: number | null): Promise<Standing> {
    if (voidToken !== null) this.#store.voidFreeze(voidToken);
    const state = this.#store.state();
    return {
      live: state?.live?.shards.includes(shard) === true,
      epoch: state?.epoch ?? 0,
    };
  }

  // ---- sessions

  async startSession(call: {
    readonly indexName: string;
    readonly locale: string;
  }): Promise<Result<ImportSession>> {
    return answering(() =>
      this.#sessions.start(call.indexName, call.locale, { onlyIfMissing: false }),
    );
  }

  async beginPublishing(
    temporaryIndexName: string,
    shards: readonly string[],
  ): Promise<SessionState> {
    return this.#sessions.beginPublishing(temporaryIndexName, shards);
  }

  async publishingFailed(temporaryIndexName: string): Promise<SessionState> {
    const state = this.#sessions.publishingFailed(temporaryIndexName);
    this.#turns.end(temporaryIndexName);
    return state;
  }

  async cancelSession(temporaryIndexName: string): Promise<SessionState | null> {
    return this.#sessions.end(temporaryIndexName, "cancelled");
  }

  async removeAbandoned(
    temporaryIndexName: string,
    olderThanMs: number,
  ): Promise<SessionState | null> {
    return this.#sessions.removeAbandoned(temporaryIndexName, olderThanMs);
  }

  // ---- going live

  async beginFreeze(temporaryIndexName: string): Promise<FreezeToken | null> {
    if (!(await this.#turns.begin(temporaryIndexName))) return null;
    // Committed already, and only the answer was lost: there is nothing to freeze, `commit` will say so.
    const publishing = this.#store.session(temporaryIndexName)?.state === "publishing";
    if (publishing)
      return this.#store.transaction(() => this.#decisions.newFreeze(temporaryIndexName));
    this.#turns.end(temporaryIndexName);
    return { token: 0, shards: [] };
  }

  async commit(call: CommitCall): Promise<CommitAnswer> {
    try {
      const answer = this.#store.transaction(() => this.#decisions.decide(call));
      if (answer.outcome === "committed") await this.#fence();
      else await this.#schedule();
      return answer;
    } finally {
      this.#turns.end(call.temporaryIndexName);
    }
  }

  async ensureIndex(call: {
    readonly indexName: string;
    readonly langCode: string;
  }): Promise<Result<Route>> {
    await this.#finishInterrupted();
    const route = this.#route();
    if (route.ok) return route;
    this.#creating ??= answering(() => this.#create(call.indexName, call.langCode)).finally(() => {
      this.#creating = null;
    });
    return this.#creating;
  }

  async deleteIndex(): Promise<Result<null>> {
    const state = this.#store.state();
    if (state === null || state.live === null) return notLive();
    this.#store.transaction(() => this.#decisions.remove(state));
    this.#turns.endAll();
    await this.#fence();
    return ok(null);
  }

  async rollback(): Promise<Result<RollbackAnswer>> {
    await this.#finishInterrupted();
    this.#rollingBack ??= answering(async () => {
      if (await this.#turns.begin(ROLLBACK)) return this.#rollBack();
      return fail("too_many_requests", "Too many imports of this index wait to go live.");
    }).finally(() => {
      this.#turns.end(ROLLBACK);
      this.#rollingBack = null;
    });
    return this.#rollingBack;
  }

  async reindex(call: { readonly atLeast: number }): Promise<Result<ReindexAnswer>> {
    await this.#finishInterrupted();
    this.#reindexing ??= answering(() => this.#reindex(call.atLeast)).finally(() => {
      this.#reindexing = null;
    });
    return this.#reindexing;
  }

  async #reindex(atLeast: number): Promise<Result<ReindexAnswer>> {
    const route = this.#route();
    if (!route.ok) return route;
    const session = unwrap(
      await this.#sessions.start(route.value.indexName, route.value.locale, {
        onlyIfMissing: false,
        leastShards: atLeast,
        reindex: true,
      }),
    );
    // The route of before the start: should the pointer have moved since, the shards say so.
    return detached(await sessionStub(this.env, session.temporaryIndexName).reindex(route.value));
  }

  // ---- configuration

  async pushConfiguration(version: number): Promise<void> {
    const shards = new Set(this.#store.state()?.live?.shards ?? []);
    for (const row of this.#store.sessions("publishing")) {
      for (const shard of row.shards) shards.add(shard);
    }
    // Who was replaced and has not heard of it answers those who have not heard of it either.
    for (const { notice } of this.#store.outbox()) {
      if (notice.kind === "standing") shards.add(notice.shard);
    }
    await forAll([...shards], (shard) =>
      repeated(() => shardStub(this.env, shard).setConfigurationVersion(version)),
    );
  }

  // ---- the alarm

  override async alarm(): Promise<void> {
    let failed = false;
    const attempt = async (work: string, body: () => Promise<void>): Promise<void> => {
      try {
        await this.#attempts.run(work, body);
      } catch (error) {
        failed = true;
        log(`${work.split(" ")[0]}_failed`, error);
      }
    };
    if (this.#store.outbox().length > 0) await attempt(DELIVERY, () => this.#delivery.run());
    for (const row of this.#store.garbage()) {
      if (row.dueMs > Date.now()) break;
      await attempt(collectionOf(row), () => this.#collection.collect(row));
    }
    this.#failures = failed ? this.#failures + 1 : 0;
    await this.#schedule();
  }

  // ---- creating, rolling back

  /** An empty generation by the same path as every other one: a session that nobody adds to. */
  async #create(indexName: string, langCode: string): Promise<Result<Route>> {
    const session = unwrap(
      await this.#sessions.start(indexName, langCode, { onlyIfMissing: true }),
    );
    const done = detached(await sessionStub(this.env, session.temporaryIndexName).done(session));
    const route = this.#route();
    // Not published but live: an import was faster, its index is the one to write to.
    return route.ok || done.ok ? route : done;
  }

  async #rollBack(): Promise<Result<RollbackAnswer>> {
    for (let attempt = 1; attempt <= ROLLBACK_ATTEMPTS; attempt++) {
      const state = this.#store.state();
      if (state === null || state.live === null) return notLive();
      if (state.kept === null) {
        return fail("generation_not_found", "There is no kept generation to go back to.");
      }
      const freeze = this.#store.transaction(() => this.#decisions.newFreeze(ROLLBACK));
      let updatesLeftBehind = 0;
      await forAll(freeze.shards, async (shard) => {
        const frozen = await repeated(() =>
          shardStub(this.env, shard).freeze(freeze.token, ROLLBACK_LEASE_MS),
        );
        updatesLeftBehind += frozen.updates;
      });
      const back = this.#store.transaction(() => this.#decisions.goBack(freeze.token));
      if (back !== null) {
        await this.#fence();
        return ok({
          generation: back.generation,
          physicalName: back.physicalName,
          updatesLeftBehind,
        });
      }
    }
    return fail(
      "index_unavailable",
      "Imports kept replacing the index during the rollback; try again.",
    );
  }

  // ---- telling the others

  /**
   * What a decision needs before it may be answered. Throws when a notice could not be delivered; the alarm goes on.
   */
  async #fence(): Promise<void> {
    // Something else is so now: what was given up may be tried again.
    this.#attempts.forget();
    // Set first, in the commit of the decision: a crash from here on is finished by it.
    await this.#schedule();
    await this.#delivery.run();
    await this.#schedule();
  }

  /** The next call of any kind finishes an interrupted fence, but does not fail with it. */
  async #finishInterrupted(): Promise<void> {
    if (this.#store.outbox().length === 0) return;
    await this.#delivery.run().catch((error: unknown) => log("delivery_failed", error));
  }

  /** The alarm at the next thing to do, or none. */
  async #schedule(): Promise<void> {
    const backoffMs = Math.min(RETRY_MS * 2 ** this.#failures, LONGEST_RETRY_MS);
    const retryMs = Date.now() + backoffMs * (0.75 + Math.random() / 2);
    const due: number[] = [];
    if (this.#store.outbox().length > 0)
      due.push(Math.max(retryMs, this.#attempts.notBeforeMs(DELIVERY)));
    for (const row of this.#store.garbage()) {
      const againMs = this.#failures > 0 ? retryMs : Date.now();
      due.push(Math.max(row.dueMs, againMs, this.#attempts.notBeforeMs(collectionOf(row))));
    }
    const firstMs = Math.min(...due);
    if (firstMs < Infinity) await this.ctx.storage.setAlarm(firstMs);
  }

  #route(): Result<Route> {
    const state = this.#store.state();
    if (state === null || state.live === null) return notLive();
    const { live } = state;
    return ok({
      indexName: state.indexName,
      epoch: state.epoch,
      generation: live.generation,
      physicalName: live.physicalName,
      locale: live.locale,
      language: live.language,
      shards: live.shards,
      partitions: live.partitions ?? shardRanges(live.shards.length),
    });
  }
}

function notLive(): ReturnType<typeof fail> {
  return fail("index_not_found", "No live index of this name.");
}

function log(event: string, error: unknown): void {
  console.error(JSON.stringify({ event, reason: String(error) }));
}
