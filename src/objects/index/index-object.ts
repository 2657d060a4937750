/**
 * IndexObject: the control plane of one index name. It is small: no documents, no computation.
 *
 * Stored: the running number n (never reused, even after deletion of the index); the epoch; pointers to the live and
 * the kept generation; a row per session with its state; a row per generation that must still be fenced or collected.
 *
 * ## Standing of a shard
 *
 * Shards learn epochs by push (fence) and on demand: a shard that receives a request with a higher epoch calls
 * `standing`. So a route is usable from the commit on, even before the push arrives, and a rollback reactivates an old
 * generation.
 *
 * ## Reindex
 *
 * A session whose documents come from the live shards (session/reindex.ts). One at a time per incarnation. The next one
 * ends a leftover from an earlier incarnation, because shards follow only the latest.
 *
 * ## The rest
 *
 * Session states: sessions.ts. Publishing, rollback, dropped generations: decisions.ts. Notices: delivery.ts. Garbage
 * collection: collection.ts.
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

/** Delay before the alarm repeats undelivered notices or a failed collection; doubled each time. */
const RETRY_MS = 500;
const LONGEST_RETRY_MS = 60_000;

/** Work of the alarm that may kill the object (attempts.ts). */
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
  /** Consecutive failures of the alarm; in memory, so a restart tries again at once. */
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
      // Read when needed, because tests change variables while the object runs.
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

  async startSession(call: { readonly indexName: string; readonly locale: string }): Promise<Result<ImportSession>> {
    return answering(() => this.#sessions.start(call.indexName, call.locale, { onlyIfMissing: false }));
  }

  async beginPublishing(temporaryIndexName: string, shards: readonly string[]): Promise<SessionState> {
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

  async removeAbandoned(temporaryIndexName: string, olderThanMs: number): Promise<SessionState | null> {
    return this.#sessions.removeAbandoned(temporaryIndexName, olderThanMs);
  }

  // ---- going live

  async beginFreeze(temporaryIndexName: string): Promise<FreezeToken | null> {
    if (!(await this.#turns.begin(temporaryIndexName))) return null;
    // Already committed, only the answer was lost: nothing to freeze; `commit` will say so.
    const publishing = this.#store.session(temporaryIndexName)?.state === "publishing";
    if (publishing) return this.#store.transaction(() => this.#decisions.newFreeze(temporaryIndexName));
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

  async ensureIndex(call: { readonly indexName: string; readonly langCode: string }): Promise<Result<Route>> {
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
      return fail("too_many_requests", "Too many imports of this index are waiting to go live.");
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
    // The route before the start. If the pointer has moved since, the shards answer STALE.
    return detached(await sessionStub(this.env, session.temporaryIndexName).reindex(route.value));
  }

  // ---- configuration

  async pushConfiguration(version: number): Promise<void> {
    const shards = new Set(this.#store.state()?.live?.shards ?? []);
    for (const row of this.#store.sessions("publishing")) {
      for (const shard of row.shards) shards.add(shard);
    }
    // Replaced shards that were not notified yet still answer callers with an old route.
    for (const { notice } of this.#store.outbox()) {
      if (notice.kind === "standing") shards.add(notice.shard);
    }
    await forAll([...shards], (shard) => repeated(() => shardStub(this.env, shard).setConfigurationVersion(version)));
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

  /** Publishes an empty generation by an ordinary session without documents. */
  async #create(indexName: string, langCode: string): Promise<Result<Route>> {
    const session = unwrap(await this.#sessions.start(indexName, langCode, { onlyIfMissing: true }));
    const done = detached(await sessionStub(this.env, session.temporaryIndexName).done(session));
    const route = this.#route();
    // Not published, because an import was faster: its index is live.
    return route.ok || done.ok ? route : done;
  }

  async #rollBack(): Promise<Result<RollbackAnswer>> {
    for (let attempt = 1; attempt <= ROLLBACK_ATTEMPTS; attempt++) {
      const state = this.#store.state();
      if (state === null || state.live === null) return notLive();
      if (state.kept === null) {
        return fail("generation_not_found", "There is no earlier generation to roll back to.");
      }
      const freeze = this.#store.transaction(() => this.#decisions.newFreeze(ROLLBACK));
      let updatesLeftBehind = 0;
      await forAll(freeze.shards, async (shard) => {
        const frozen = await repeated(() => shardStub(this.env, shard).freeze(freeze.token, ROLLBACK_LEASE_MS));
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
    return fail("index_unavailable", "Imports kept replacing the index during the rollback; try again.");
  }

  // ---- notifying other objects

  /**
   * Delivers the notices of a decision before it is answered. Throws if one could not be delivered; the alarm
   * continues.
   */
  async #fence(): Promise<void> {
    // After a new decision, abandoned work may be tried again.
    this.#attempts.forget();
    // Set first, in the commit of the decision, so that it continues after a crash.
    await this.#schedule();
    await this.#delivery.run();
    await this.#schedule();
  }

  /** Any call finishes an interrupted fence, but does not fail with it. */
  async #finishInterrupted(): Promise<void> {
    if (this.#store.outbox().length === 0) return;
    await this.#delivery.run().catch((error: unknown) => log("delivery_failed", error));
  }

  /** Sets the alarm to the next task, or removes it. */
  async #schedule(): Promise<void> {
    const backoffMs = Math.min(RETRY_MS * 2 ** this.#failures, LONGEST_RETRY_MS);
    const retryMs = Date.now() + backoffMs * (0.75 + Math.random() / 2);
    const due: number[] = [];
    if (this.#store.outbox().length > 0) due.push(Math.max(retryMs, this.#attempts.notBeforeMs(DELIVERY)));
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
