/**
 * IndexObject: the control plane of one index name. Tiny: it holds no documents and computes nothing.
 *
 * Stored: the running number n (never reused, survives deletion of the index); the epoch; the pointer to the live generation
 * and to the kept one; a row per session with its state; a row per generation that must still be fenced or collected.
 *
 * ## Sessions: the truth about their states
 *
 *   (none) -> open            startSession. n = n + 1 is stored first, then the catalog's hint, then the row: a crash in between
 *                             costs a number or a hint, never a session nobody knows of. `start` is a GET and may be replayed:
 *                             each replay is one more open session that costs nothing.
 *   open -> publishing        beginPublishing, from the session's `done`. From now on `add` and `cancel` are refused.
 *   publishing -> completed   commit, in one transaction with the pointer.
 *   publishing -> open        publishingFailed: a step failed for good; the session takes documents again and `done` may be repeated.
 *   open -> cancelled         cancelSession. Not from publishing: the commit may be on its way.
 *   open -> removed           removeAbandoned: a `start` of any index found it older than IMPORT_ABANDONED_AFTER_S since its start;
 *                             or the index was deleted.
 *   publishing -> removed     the index was deleted meanwhile; its commit is refused.
 *   publishing -> cancelled   the session was created by a PUT (`onlyIfMissing`) and another generation went live first.
 *   completed, cancelled, removed: final.
 *
 * ## Publishing: steps 2 to 4 (1 is in import-session-object.ts)
 *
 *   beginFreeze   stores a token for the session, bound to the generation that is live now. The session freezes its shards with
 *                 the token under a lease.
 *   commit        one transaction: session still publishing? token still valid, and the generation it froze still the live one?
 *                 Then pointer = new generation, kept = old one, epoch + 1, session completed, fence pending. Repeating a commit of
 *                 a completed session answers the same and changes nothing.
 *   fence         every old shard is told "retired at epoch e", every new one "live at e", the catalog "this index is live".
 *                 `done` answers after it. A crash in between: `fence pending` is stored; the alarm and the next call of any
 *                 kind finish it.
 *
 * Why a token: a shard whose lease ran out takes writes again, and a commit after that would lose them. So before it does, the
 * shard voids the token here (standing). Both are turns of one object, so either the commit was first (the shard learns that it is
 * retired, the write goes to the new generation) or the void was (the commit answers freeze_lost and the session freezes again). No clock decides.
 * Why bound to the generation: two sessions may publish at once; the second must freeze what the first made live.
 *
 * ## Standing of a shard
 *
 * Shards learn epochs by push (fence) and by asking: one that meets a request with a higher epoch than its own asks `standing`.
 * So a route is usable from the commit on, whether or not the push got through, and an old generation wakes up in a rollback.
 *
 * ## Rollback
 *
 * Freeze the live shards, one transaction (pointer <-> kept, epoch + 1, fence pending), fence. The generation left becomes the
 * kept one with its updates in its log, so a second rollback rolls forward. A crash before the transaction: the lease ends, nothing happened.
 *
 * ## Reindex
 *
 * A session like every other one, whose documents the session object takes from the live shards (reindex.ts). One at a time per
 * incarnation; one that is left over from another is ended by the next, as shards are followed by the last that asked.
 *
 * ## Garbage collection
 *
 * Generations: `live`, `kept` (exactly one at most), `dropped` (replaced kept ones, cancelled and removed sessions, deleted index).
 * The alarm takes dropped ones a grace period after they were dropped: shard objects forget everything, then R2 keys under the prefixes of
 * that generation that no manifest of a live or kept generation names, then the row. Live ones are swept once after publishing, for the import segments
 * that were merged away; there, too, only keys that no manifest names and that are older than the grace period. Every step may be repeated.
 */
import { DurableObject } from "cloudflare:workers";
import { readConfiguration, resolveIndexConfig } from "../interface/configuration-resolve.ts";
import { languageOfLocale, unwrap, type ImportSession, type Result } from "../interface/index.ts";
import { forAll, repeated } from "./calls.ts";
import { Delivery } from "./delivery.ts";
import { sweepGeneration } from "./garbage.ts";
import {
  IndexStore,
  statusOf,
  type GarbageRow,
  type Generation,
  type IndexState,
  type SessionRow,
} from "./index-store.ts";
import { shardName, temporaryName } from "./names.ts";
import { shardRanges } from "./partition.ts";
import type {
  CommitAnswer,
  CommitCall,
  FreezeToken,
  IndexApi,
  IndexStatus,
  ReindexAnswer,
  RollbackAnswer,
  Route,
  SessionOptions,
  SessionState,
  SessionStatus,
  Standing,
} from "./protocol.ts";
import { answering, fail, ok } from "./results.ts";
import { abandonedAfterMs, garbageGraceMs, leastShards } from "./settings.ts";
import { catalogStub, indexStub, sessionStub, shardStub } from "./stubs.ts";

/** Owner of the freeze of a rollback; no session has this name. */
const ROLLBACK = "rollback";
const ROLLBACK_LEASE_MS = 10_000;
const ROLLBACK_ATTEMPTS = 5;

/** Pause before the alarm tries undelivered notices or a failed collection again: doubled each time. */
const RETRY_MS = 500;
const LONGEST_RETRY_MS = 60_000;

/** A live generation is swept again this long after the last sweep, for what checkpoints have replaced. */
const SWEEP_INTERVAL_MS = 24 * 3_600_000;

export class IndexObject extends DurableObject<Env> implements IndexApi {
  readonly #store: IndexStore;
  readonly #delivery: Delivery;
  #creating: Promise<Result<Route>> | null = null;
  #rollingBack: Promise<Result<RollbackAnswer>> | null = null;
  #reindexing: Promise<Result<ReindexAnswer>> | null = null;
  /** Failures in a row of the alarm; in memory only, a restart may start again at once. */
  #failures = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#store = new IndexStore(ctx.storage);
    this.#delivery = new Delivery(env, this.#store);
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
    return answering(() => this.#start(call.indexName, call.locale, { onlyIfMissing: false }));
  }

  async beginPublishing(
    temporaryIndexName: string,
    shards: readonly string[],
  ): Promise<SessionState> {
    const row = this.#store.session(temporaryIndexName);
    if (row === null) return "removed";
    if (row.state !== "open" && row.state !== "publishing") return row.state;
    this.#store.transaction(() => {
      const all = new Set([...row.shards, ...shards]);
      this.#store.setSession(temporaryIndexName, { state: "publishing", shards: [...all] });
    });
    return "publishing";
  }

  async publishingFailed(temporaryIndexName: string): Promise<SessionState> {
    const row = this.#store.session(temporaryIndexName);
    if (row === null) return "removed";
    if (row.state !== "publishing") return row.state;
    this.#store.setSession(temporaryIndexName, { state: "open" });
    return "open";
  }

  async cancelSession(temporaryIndexName: string): Promise<SessionState | null> {
    return this.#endOpenSession(temporaryIndexName, "cancelled");
  }

  async removeAbandoned(
    temporaryIndexName: string,
    olderThanMs: number,
  ): Promise<SessionState | null> {
    const row = this.#store.session(temporaryIndexName);
    if (row === null) return null;
    if (row.state === "open" && row.startedAtMs < olderThanMs) {
      return this.#endOpenSession(temporaryIndexName, "removed");
    }
    return row.state;
  }

  // ---- going live

  async beginFreeze(temporaryIndexName: string): Promise<FreezeToken> {
    // Committed already, and only the answer was lost: there is nothing to freeze, `commit` will say so.
    const publishing = this.#store.session(temporaryIndexName)?.state === "publishing";
    if (!publishing) return { token: 0, shards: [] };
    return this.#store.transaction(() => this.#newFreeze(temporaryIndexName));
  }

  async commit(call: CommitCall): Promise<CommitAnswer> {
    const answer = this.#store.transaction(() => this.#decide(call));
    if (answer.outcome === "committed") await this.#fence();
    else await this.#schedule();
    return answer;
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
    const { live, kept } = state;
    const epoch = state.epoch + 1;
    this.#store.transaction(() => {
      this.#store.put({ ...state, epoch, live: null, kept: null });
      this.#store.voidAllFreezes();
      for (const generation of kept === null ? [live] : [live, kept]) {
        this.#drop(generation);
        for (const shard of generation.shards) {
          this.#store.send({ kind: "standing", shard, standing: { live: false, epoch } });
        }
      }
      for (const row of this.#store.sessions()) {
        if (row.state === "open" || row.state === "publishing") this.#end(row, "removed");
      }
      this.#store.send({ kind: "live", live: false });
    });
    await this.#fence();
    return ok(null);
  }

  async rollback(): Promise<Result<RollbackAnswer>> {
    await this.#finishInterrupted();
    this.#rollingBack ??= answering(() => this.#rollBack()).finally(() => {
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
      await this.#start(route.value.indexName, route.value.locale, {
        onlyIfMissing: false,
        leastShards: atLeast,
        reindex: true,
      }),
    );
    // The route of before the start: should the pointer have moved since, the shards say so.
    return sessionStub(this.env, session.temporaryIndexName).reindex(route.value);
  }

  // ---- configuration

  async pushConfiguration(version: number): Promise<void> {
    const shards = new Set(this.#store.state()?.live?.shards ?? []);
    for (const row of this.#store.sessions("publishing")) {
      for (const shard of row.shards) shards.add(shard);
    }
    await forAll([...shards], (shard) =>
      repeated(() => shardStub(this.env, shard).setConfigurationVersion(version)),
    );
  }

  // ---- the alarm

  override async alarm(): Promise<void> {
    let failed = false;
    try {
      await this.#delivery.run();
    } catch (error) {
      failed = true;
      log("delivery_failed", error);
    }
    for (const row of this.#store.garbage()) {
      if (row.dueMs > Date.now()) break;
      try {
        await this.#collect(row);
      } catch (error) {
        failed = true;
        log("collection_failed", error);
      }
    }
    this.#failures = failed ? this.#failures + 1 : 0;
    await this.#schedule();
  }

  // ---- starting

  async #start(
    indexName: string,
    locale: string,
    options: Pick<SessionOptions, "onlyIfMissing" | "leastShards" | "reindex">,
  ): Promise<Result<ImportSession>> {
    const { onlyIfMissing } = options;
    const language = languageOfLocale(locale);
    if (language === null) {
      return fail(
        "invalid_locale",
        `The locale ${JSON.stringify(locale)} cannot be read; use e.g. en or en_US.`,
      );
    }
    const catalog = catalogStub(this.env);
    const snapshot = await catalog.snapshot();
    const read = readConfiguration(snapshot.document);
    if (!read.ok)
      throw new Error(`the stored configuration is unreadable: ${JSON.stringify(read.problems)}`);
    const configuration = resolveIndexConfig(read.value, indexName);

    // The number first, then the hint, then the row: see "(none) -> open" above.
    const generation = this.#store.transaction(() => {
      const state = this.#store.begin(indexName);
      const next = state.lastGeneration + 1;
      this.#store.put({ ...state, lastGeneration: next });
      return next;
    });
    const temporaryIndexName = temporaryName(generation, indexName, language);
    const startedAtMs = Date.now();
    const olderThanMs = startedAtMs - abandonedAfterMs(this.env);
    const hints = await catalog.noteSession(
      { indexName, temporaryIndexName, startedAtMs },
      olderThanMs,
    );

    this.#store.insertSession({
      temporaryIndexName,
      generation,
      locale,
      language,
      state: "open",
      startedAtMs,
      onlyIfMissing,
      shards: [],
      epoch: 0,
    });
    await sessionStub(this.env, temporaryIndexName).begin(
      {
        finalIndexName: indexName,
        temporaryIndexName,
        generation,
        locale,
        language,
        configuration,
      },
      {
        ...options,
        startedAtMs,
        leastShards: Math.max(leastShards(this.env), options.leastShards ?? 1),
      },
    );
    await this.#removeAbandonedOf(indexName, hints, olderThanMs);
    return ok({ finalIndexName: indexName, temporaryIndexName });
  }

  /** Ours by our own rows (hints may be missing), others' by asking their IndexObject. A failure there must not fail a start. */
  async #removeAbandonedOf(
    indexName: string,
    hints: readonly { readonly indexName: string; readonly temporaryIndexName: string }[],
    olderThanMs: number,
  ): Promise<void> {
    for (const row of this.#store.sessions("open")) {
      if (row.startedAtMs < olderThanMs)
        await this.#endOpenSession(row.temporaryIndexName, "removed");
    }
    const others = hints.filter((hint) => hint.indexName !== indexName);
    await forAll(others, async (hint) => {
      const name = hint.temporaryIndexName;
      const state = await repeated(() =>
        indexStub(this.env, hint.indexName).removeAbandoned(name, olderThanMs),
      );
      // A session that never came to be: only its hint exists.
      if (state === null) await catalogStub(this.env).forgetSession(name);
    }).catch((error: unknown) => log("removing_abandoned_failed", error));
  }

  async #endOpenSession(name: string, end: "cancelled" | "removed"): Promise<SessionState | null> {
    const row = this.#store.session(name);
    if (row === null) return null;
    if (row.state === "open") {
      this.#store.transaction(() => this.#end(row, end));
      await this.#fence();
      return end;
    }
    return row.state;
  }

  /** Within a transaction: the session is over without going live. */
  #end(row: SessionRow, end: "cancelled" | "removed"): void {
    this.#store.setSession(row.temporaryIndexName, { state: end });
    this.#store.send({ kind: "settle", session: row.temporaryIndexName, state: end });
    this.#store.send({ kind: "forget", session: row.temporaryIndexName });
    // `shards` holds what a publishing that failed may have opened.
    const shards = row.shards.length > 0 ? row.shards : [this.#shardOf(row)];
    this.#store.addGarbage({
      generation: row.generation,
      kind: "dropped",
      physicalName: row.temporaryIndexName,
      shards,
      dueMs: Date.now() + garbageGraceMs(this.env),
    });
  }

  #shardOf(row: SessionRow): string {
    return shardName(this.#store.state()?.indexName ?? "", row.generation, 0);
  }

  // ---- deciding

  #newFreeze(owner: string): FreezeToken {
    const state = this.#store.state();
    if (state === null) throw new Error(`freeze for ${owner} of an index that does not exist`);
    const token = state.lastToken + 1;
    this.#store.put({ ...state, lastToken: token });
    this.#store.addFreeze(token, owner, state.live?.generation ?? 0);
    return { token, shards: state.live?.shards ?? [] };
  }

  /** The commit, within one transaction. */
  #decide(call: CommitCall): CommitAnswer {
    const name = call.temporaryIndexName;
    const state = this.#store.state();
    const row = this.#store.session(name);
    if (state === null || row === null) return { outcome: "refused", state: "removed" };
    if (row.state === "completed") return { outcome: "committed", epoch: row.epoch };
    if (row.state !== "publishing") return { outcome: "refused", state: row.state };
    if (row.onlyIfMissing && state.live !== null) {
      this.#end(row, "cancelled");
      return { outcome: "refused", state: "cancelled" };
    }
    if (!this.#store.holdsFreeze(call.token, name, state.live?.generation ?? 0)) {
      return { outcome: "freeze_lost" };
    }
    const generation: Generation = {
      generation: row.generation,
      physicalName: name,
      locale: row.locale,
      language: row.language,
      shards: call.shards,
      partitions: call.partitions ?? shardRanges(call.shards.length),
      publishedAtMs: Date.now(),
    };
    const epoch = this.#flip(state, generation);
    if (state.kept !== null) this.#drop(state.kept);
    this.#store.setSession(name, { state: "completed", epoch });
    this.#store.send({ kind: "live", live: true });
    this.#store.send({ kind: "forget", session: name });
    for (const shard of row.shards) {
      if (!call.shards.includes(shard)) this.#store.send({ kind: "destroy", shard });
    }
    this.#store.addGarbage({
      generation: generation.generation,
      kind: "live",
      physicalName: name,
      shards: generation.shards,
      dueMs: Date.now() + garbageGraceMs(this.env),
    });
    return { outcome: "committed", epoch };
  }

  /** Within a transaction: `next` becomes live, what was live becomes kept, every shard of both will be told. */
  #flip(state: IndexState, next: Generation): number {
    const epoch = state.epoch + 1;
    this.#store.put({ ...state, epoch, live: next, kept: state.live });
    this.#store.voidAllFreezes();
    for (const shard of state.live?.shards ?? []) {
      this.#store.send({ kind: "standing", shard, standing: { live: false, epoch } });
    }
    for (const shard of next.shards) {
      this.#store.send({ kind: "standing", shard, standing: { live: true, epoch } });
    }
    return epoch;
  }

  #drop(generation: Generation): void {
    this.#store.addGarbage({
      generation: generation.generation,
      kind: "dropped",
      physicalName: generation.physicalName,
      shards: generation.shards,
      dueMs: Date.now() + garbageGraceMs(this.env),
    });
  }

  /** An empty generation by the same path as every other one: a session that nobody adds to. */
  async #create(indexName: string, langCode: string): Promise<Result<Route>> {
    const session = unwrap(await this.#start(indexName, langCode, { onlyIfMissing: true }));
    const done = await sessionStub(this.env, session.temporaryIndexName).done(session);
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
      const freeze = this.#store.transaction(() => this.#newFreeze(ROLLBACK));
      let updatesLeftBehind = 0;
      await forAll(freeze.shards, async (shard) => {
        const frozen = await repeated(() =>
          shardStub(this.env, shard).freeze(freeze.token, ROLLBACK_LEASE_MS),
        );
        updatesLeftBehind += frozen.updates;
      });
      const back = this.#store.transaction(() => {
        const now = this.#store.state();
        if (now === null || now.live === null || now.kept === null) return null;
        if (!this.#store.holdsFreeze(freeze.token, ROLLBACK, now.live.generation)) return null;
        this.#flip(now, now.kept);
        this.#store.send({ kind: "live", live: true });
        return now.kept;
      });
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

  /** What a decision needs before it may be answered. Throws when a notice could not be delivered; the alarm goes on. */
  async #fence(): Promise<void> {
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

  async #collect(row: GarbageRow): Promise<void> {
    const state = this.#store.state();
    if (state === null) return;
    const alive = [state.live, state.kept].filter((generation) => generation !== null);
    // A generation that came back by a rollback is no garbage, whatever its row says.
    const kind = alive.some((generation) => generation.generation === row.generation)
      ? "live"
      : row.kind;
    if (kind === "live" && row.kind === "dropped") {
      this.#store.addGarbage({ ...row, kind, dueMs: Date.now() + SWEEP_INTERVAL_MS });
      return;
    }
    await sweepGeneration(this.env, {
      indexName: state.indexName,
      row,
      alive,
      youngerThanMs: Date.now() - garbageGraceMs(this.env),
    });
    // Decided meanwhile: a row that was replaced by "dropped" during a sweep as "live" stays for its own time.
    const now = this.#store.garbage().find((other) => other.generation === row.generation);
    if (now === undefined || now.kind !== row.kind) return;
    if (row.kind === "live")
      this.#store.addGarbage({ ...row, dueMs: Date.now() + SWEEP_INTERVAL_MS });
    else this.#store.removeGarbage(row.generation);
  }

  /** The alarm at the next thing to do, or none. */
  async #schedule(): Promise<void> {
    const retryMs = Math.min(RETRY_MS * 2 ** this.#failures, LONGEST_RETRY_MS);
    const due: number[] = [];
    if (this.#store.outbox().length > 0) due.push(Date.now() + retryMs);
    const garbage = this.#store.garbage()[0];
    if (garbage !== undefined)
      due.push(Math.max(garbage.dueMs, Date.now() + (this.#failures > 0 ? retryMs : 0)));
    if (due.length > 0) await this.ctx.storage.setAlarm(Math.min(...due));
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
