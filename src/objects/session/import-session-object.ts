/**
 * ImportSessionObject: one import session; its name is the session's temporaryIndexName.
 *
 * Stored: what was fixed at start (names, locale, resolved index configuration, so that a configuration change in the
 * middle of an import cannot mix two field plans in one generation); the list of segments in rank order; stored
 * blocks; the publishing step.
 *
 * ## Ranks
 *
 * `add` writes its segments to R2 first and registers them then. The registration gives the bulk the next sequence
 * number; its segments have rank (sequence, part). An `add` answered before another was sent has the lower number. Of
 * several versions of an id the one with the highest rank wins; within a segment the builder has settled it already.
 * Merges take contiguous runs only, so a merged segment has the ranks of its run and the order of the list never
 * changes meaning.
 *
 * ## States (IndexObject has the truth; this object follows)
 *
 *   open         register, info. Small segments are merged in the background: a register that leaves many begins it.
 *   publishing   `done` stored the state, the first step and an alarm; that step asks IndexObject.beginPublishing. register and cancel:
 *                session_busy.
 *   completed    after the commit. Everything but names and state is forgotten; info, register, done, cancel: session_completed.
 *   cancelled    cancel asked IndexObject.cancelSession. Forgets its list; R2 is collected by IndexObject.
 *   removed      settled by IndexObject. Answers session_unknown from now on, as a session that never was.
 *   publishing -> open   too few documents, too many bytes for 64 shards, or a step failed for good (R2 down, bytes wrong): nothing is lost, `done` may be repeated.
 *
 * A crash between IndexObject's transition and ours: beginPublishing is repeated by the next `done` and by the alarm,
 * cancel by the next cancel, and IndexObject's alarm settles us. So no session is left that the index thinks is being
 * published and nobody publishes: it could not even be cancelled. The dangerous direction (we say completed, the index
 * says no) cannot happen.
 *
 * `done` and its steps: publishing.ts. Merging: merging.ts. A session that fills itself: reindex-run.ts. This class
 * has the methods others call, and wires the parts together.
 */
import { DurableObject } from "cloudflare:workers";
import { LIMITS, type ImportSession, type Result } from "../../interface/index.ts";
import { repeated } from "../calls.ts";
import type {
  CopyBulkCall,
  Registration,
  ReindexAnswer,
  Route,
  SessionApi,
  SessionInfo,
  SessionOptions,
  SessionProgress,
} from "../protocol/index.ts";
import { answering, fail, ok } from "../results.ts";
import { reindexBulkBytes, shardIndexBytes } from "../settings.ts";
import { indexStub } from "../stubs.ts";
import { busy, completed, over, unknown } from "./answers.ts";
import { Merging } from "./merging.ts";
import { Publishing, RESUME_AFTER_MS, type Published } from "./publishing.ts";
import { copyBulk } from "./reindex.ts";
import { ReindexRun } from "./reindex-run.ts";
import { isAlive, SessionStore, type SessionData } from "./store.ts";

export class ImportSessionObject extends DurableObject<Env> implements SessionApi {
  readonly #store: SessionStore;
  readonly #merging: Merging;
  readonly #publishing: Publishing;
  readonly #reindex: ReindexRun;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const { storage } = ctx;
    const store = new SessionStore(storage);
    // Asked for when it is needed: tests change variables while the object runs.
    const shardBytes = (): number => shardIndexBytes(this.env);
    const merging = new Merging(storage, env.SNAPSHOTS, store, shardBytes);
    const publishing = new Publishing({
      env,
      storage,
      store,
      merging,
      reindex: () => this.#reindex.current,
      shardBytes,
    });
    this.#store = store;
    this.#merging = merging;
    this.#publishing = publishing;
    this.#reindex = new ReindexRun(env, storage, store, publishing, () =>
      reindexBulkBytes(this.env),
    );
  }

  // ---- from the Worker

  async info(session: ImportSession): Promise<Result<SessionInfo>> {
    const checked = this.#open(session);
    if (checked.ok && checked.value.options.reindex === true) return busy();
    return checked.ok ? ok(checked.value.info) : checked;
  }

  async register(
    session: ImportSession,
    registration: Registration,
  ): Promise<Result<{ readonly sequence: number }>> {
    const checked = this.#open(session);
    if (!checked.ok) return checked;
    const most = LIMITS.importBlocks.value;
    if (this.#store.blockCount + registration.blocks.length > most) {
      return fail("index_too_large", `The session holds ${most} bulks; send larger ones.`, {
        limit: "importBlocks",
        most,
      });
    }
    const sequence = this.#store.register(registration);
    // Not awaited: merging is no part of the answer.
    this.ctx.waitUntil(this.#merging.inBackground());
    return ok({ sequence });
  }

  async done(session: ImportSession): Promise<Published> {
    const known = this.#known(session);
    if (!known.ok) return known;
    // Not even to go on with one that was interrupted: what it has to catch up is not stored.
    if (known.value.options.reindex === true && isAlive(known.value)) return busy();
    // Settled, but not answered yet: whoever comes now joins, whoever comes after the answer is told that it is
    // completed.
    const { running } = this.#publishing;
    if (known.value.state === "completed" && running !== null) return running;
    if (known.value.state === "open") {
      await this.#publishing.begin();
    } else if (known.value.state !== "publishing") {
      return over(known.value);
    }
    return this.#publishing.run();
  }

  async cancel(session: ImportSession): Promise<Result<null>> {
    const checked = this.#open(session);
    if (!checked.ok) return checked;
    const { info, options } = checked.value;
    if (options.reindex === true) return busy();
    const state = await repeated(() =>
      indexStub(this.env, info.finalIndexName).cancelSession(info.temporaryIndexName),
    );
    switch (state) {
      case "cancelled":
        this.#store.settle("cancelled");
        return ok(null);
      case "publishing":
        return busy();
      case "completed":
        return completed(info);
      case "open":
      case "removed":
      case null:
        return unknown(session);
    }
  }

  async progress(): Promise<SessionProgress | null> {
    const data = this.#store.data();
    if (data === null) return null;
    const segments = isAlive(data) ? this.#store.segments() : [];
    return {
      indexName: data.info.finalIndexName,
      temporaryIndexName: data.info.temporaryIndexName,
      generation: data.info.generation,
      locale: data.info.locale,
      state: data.state,
      startedAtMs: data.options.startedAtMs,
      segments: segments.length,
      sizeBytes: segments.reduce((sum, segment) => sum + segment.sizeBytes, 0),
      documents: data.documents,
      step: data.step,
    };
  }

  // ---- from IndexObject

  async reindex(route: Route): Promise<Result<ReindexAnswer>> {
    return this.#reindex.run(route);
  }

  async copyBulk(call: CopyBulkCall): Promise<Result<readonly string[]>> {
    const data = this.#store.data();
    if (data === null || !isAlive(data)) throw new Error("a session that is over copies nothing");
    return answering(async () => ok(await copyBulk(this.env, data.info, call)));
  }

  async begin(info: SessionInfo, options: SessionOptions): Promise<void> {
    if (this.#store.data() !== null) return;
    this.#store.begin(info, options);
    // Should the index die before it calls `reindex`, the alarm ends this session. In the commit of the beginning.
    if (options.reindex === true) await this.ctx.storage.setAlarm(Date.now() + RESUME_AFTER_MS);
  }

  async settle(state: "cancelled" | "removed"): Promise<void> {
    this.#store.settle(state);
  }

  // ---- the alarm: takes up what was interrupted, merges in the background

  override async alarm(): Promise<void> {
    const data = this.#store.data();
    if (data?.options.reindex === true && isAlive(data)) {
      await this.ctx.storage.setAlarm(Date.now() + RESUME_AFTER_MS);
      await this.#reindex.resume(data);
    } else if (data?.state === "publishing") {
      await this.#publishing.resume(data);
    } else if (data?.state === "open") {
      await this.#merging.inBackground();
    }
  }

  // ---- handles

  /** The session this handle names, in any state but removed. */
  #known(session: ImportSession): Result<SessionData> {
    const data = this.#store.data();
    if (data === null || data.state === "removed") return unknown(session);
    const { info } = data;
    if (
      info.finalIndexName !== session.finalIndexName ||
      info.temporaryIndexName !== session.temporaryIndexName
    ) {
      return fail(
        "session_mismatch",
        `${session.temporaryIndexName} is not a session of ${session.finalIndexName}.`,
      );
    }
    return ok(data);
  }

  /** The same, if it takes documents. */
  #open(session: ImportSession): Result<SessionData> {
    const known = this.#known(session);
    if (!known.ok || known.value.state === "open") return known;
    return over(known.value);
  }
}
