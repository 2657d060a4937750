/**
 * ImportSessionObject: one import session, named by its temporaryIndexName.
 *
 * Stored: the settings at the start (names, locale, resolved index configuration, so that a configuration change during
 * an import cannot mix two field plans in one generation); the segments in rank order; the stored blocks; the
 * publishing step.
 *
 * ## Ranks
 *
 * `add` writes its segments to R2 and then registers them. The registration assigns the bulk the next sequence number;
 * its segments have rank (sequence, part). An `add` that was answered before another was sent has the lower number. Of
 * several versions of an id, the one with the highest rank wins; within a segment the builder has already chosen. Only
 * contiguous runs are merged, so a merged segment has the ranks of its run.
 *
 * ## States (IndexObject decides; this object follows)
 *
 *   open         register, info. Small segments are merged in the background, started by a register that leaves many.
 *   publishing   `done` stored the state, the first step and an alarm. That step calls IndexObject.beginPublishing. register and cancel:
 *                session_busy.
 *   completed    after the commit. Everything except names and state is deleted; info, register, done, cancel: session_completed.
 *   cancelled    cancel called IndexObject.cancelSession. The list is deleted; IndexObject collects R2.
 *   removed      decided by IndexObject. Answers session_unknown, as if it had never existed.
 *   publishing -> open   too few documents, too many bytes for 64 shards, or a step failed (R2 down, wrong bytes). Nothing is lost; `done` may be repeated.
 *
 * After a crash between IndexObject's transition and this object's, the next `done` and the alarm repeat
 * beginPublishing, the next cancel repeats cancel, and IndexObject's alarm notifies this object. So no session stays
 * in `publishing` that nobody publishes; it could not even be cancelled. This object is never completed before the
 * index is.
 *
 * `done` and its steps: publishing.ts. Merging: merging.ts. Reindex sessions: reindex-run.ts. This class has the public
 * methods and connects the parts.
 */
import { DurableObject } from "cloudflare:workers";
import { LIMITS, type ImportSession, type Result } from "../../interface/index.ts";
import { repeated } from "../calls.ts";
import type {
  CopyBulkCall,
  KnownSessionInfo,
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
import { busy, over, unknown } from "./answers.ts";
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
    // Read when needed, because tests change variables while the object runs.
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
    this.#reindex = new ReindexRun(env, storage, store, publishing, () => reindexBulkBytes(this.env));
  }

  // ---- from the Worker

  async info(session: ImportSession, isKnown?: false): Promise<Result<SessionInfo>>;
  async info(session: ImportSession, isKnown: boolean): Promise<Result<SessionInfo | KnownSessionInfo>>;
  async info(session: ImportSession, isKnown = false): Promise<Result<SessionInfo | KnownSessionInfo>> {
    const checked = this.#open(session);
    if (!checked.ok) return checked;
    const { info, options } = checked.value;
    if (options.reindex === true) return busy();
    return ok(isKnown ? { ...info, configuration: null } : info);
  }

  async register(session: ImportSession, registration: Registration): Promise<Result<{ readonly sequence: number }>> {
    const checked = this.#open(session);
    if (!checked.ok) return checked;
    const most = LIMITS.importBlocks.value;
    if (this.#store.blockCount + registration.blocks.length > most) {
      return fail("index_too_large", `The session already has ${most} bulks; send larger ones.`, {
        limit: "importBlocks",
        most,
      });
    }
    const sequence = this.#store.register(registration);
    // Not awaited, because the answer does not depend on merging.
    this.ctx.waitUntil(this.#merging.inBackground());
    return ok({ sequence });
  }

  async done(session: ImportSession): Promise<Published> {
    const known = this.#known(session);
    if (!known.ok) return known;
    // An interrupted one cannot be continued either, because its pending writes are not stored.
    if (known.value.options.reindex === true && isAlive(known.value)) return busy();
    // Completed, but not answered yet: callers join until then, later ones get `completed`.
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
    const state = await repeated(() => indexStub(this.env, info.finalIndexName).cancelSession(info.temporaryIndexName));
    if (state === null || state === "open") return unknown(session);
    if (state !== "cancelled") return over({ state, info });
    this.#store.settle(state);
    return ok(null);
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
    // If the index dies before it calls `reindex`, the alarm ends this session. Set in the same commit.
    if (options.reindex === true) await this.ctx.storage.setAlarm(Date.now() + RESUME_AFTER_MS);
  }

  async settle(state: "cancelled" | "removed"): Promise<void> {
    this.#store.settle(state);
  }

  // ---- the alarm: continues interrupted work, merges in the background

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

  /** The session of this handle in any state except removed. */
  #known(session: ImportSession): Result<SessionData> {
    const data = this.#store.data();
    if (data === null || data.state === "removed") return unknown(session);
    const { info } = data;
    if (info.finalIndexName !== session.finalIndexName || info.temporaryIndexName !== session.temporaryIndexName) {
      return fail("session_mismatch", `${session.temporaryIndexName} is not a session of ${session.finalIndexName}.`);
    }
    return ok(data);
  }

  /** The same, if it accepts documents. */
  #open(session: ImportSession): Result<SessionData> {
    const known = this.#known(session);
    if (!known.ok || known.value.state === "open") return known;
    return over(known.value);
  }
}
