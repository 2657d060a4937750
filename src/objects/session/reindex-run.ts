/**
 * Runs a reindex session, which copies the live shards and publishes itself (reindex.ts). Other callers get
 * session_busy.
 *
 *   run      follow, copy, publish. One run per incarnation; others join
 *   resume   called by the alarm after a crash: continues with the uncopied blocks or with the stored step, with "open" instead of
 *            "flip", because the progress of catching up is only in memory. After a few crashes it ends, because it
 *            may be what kills the object
 *   end      after a failure: cancelled, or completed if the commit was made
 *
 * If the index was deleted or another generation went live, the reindex is abandoned, which is not an incident. The log
 * says `reindex_given_up` then and `reindex_failed` after failures.
 */
import type { Result } from "../../interface/index.ts";
import { repeated } from "../calls.ts";
import type { ReindexAnswer, Route, SessionInfo, SessionState } from "../protocol/index.ts";
import { answering, fail, ok, type Failure } from "../results.ts";
import { indexStub, type ObjectsEnv } from "../stubs.ts";
import { RESUME_AFTER_MS, type Published, type Publishing } from "./publishing.ts";
import { Reindex, replaced } from "./reindex.ts";
import { isAlive, type SessionData, type SessionStore } from "./store.ts";

/** Number of crashes of one reindex after which it is still continued. */
const MOST_RESUMES = 5;

export class ReindexRun {
  readonly #env: ObjectsEnv;
  readonly #storage: DurableObjectStorage;
  readonly #store: SessionStore;
  readonly #publishing: Publishing;
  readonly #bulkBytes: () => number;
  #running: Promise<Result<ReindexAnswer>> | null = null;
  #reindex: Reindex | null = null;

  /** `bulkBytes`: see Reindex.copy; the current setting. */
  constructor(
    env: ObjectsEnv,
    storage: DurableObjectStorage,
    store: SessionStore,
    publishing: Publishing,
    bulkBytes: () => number,
  ) {
    this.#env = env;
    this.#storage = storage;
    this.#store = store;
    this.#publishing = publishing;
    this.#bulkBytes = bulkBytes;
  }

  /** The reindex of this incarnation; null: none. */
  get current(): Reindex | null {
    return this.#reindex;
  }

  async run(route: Route): Promise<Result<ReindexAnswer>> {
    this.#running ??= this.#runOnce(route).finally(() => {
      this.#running = null;
      this.#reindex = null;
    });
    return this.#running;
  }

  /** Called by the alarm. A run in this incarnation needs no help. */
  async resume({ info, route, resumes = 0 }: SessionData): Promise<void> {
    if (this.#running !== null) return;
    const now = this.#store.data();
    // It ended before the alarm got here.
    if (now === null || !isAlive(now)) return;
    if (route === undefined || route === null || resumes >= MOST_RESUMES) {
      await this.#end(info);
      return;
    }
    this.#store.update({ resumes: resumes + 1 });
    console.log(JSON.stringify({ event: "reindex_resumed", session: info.temporaryIndexName, resumes }));
    await this.run(route);
  }

  async #runOnce(route: Route): Promise<Result<ReindexAnswer>> {
    const data = this.#store.data();
    if (data?.options.reindex !== true) throw new Error("a session that is no reindex");
    // Ended between its start and this call.
    if (!isAlive(data)) return this.#giveUp(data.info, data.state);
    // Stored by a run that crashed.
    const resume = (data.route ?? null) !== null;
    this.#store.update({ route });
    await this.#storage.setAlarm(Date.now() + RESUME_AFTER_MS);
    const reindex = new Reindex(this.#env, data.info, route, (bulk) => this.#store.isRegistered(bulk));
    this.#reindex = reindex;
    const answer = await answering<Published>(async () => {
      await reindex.follow(resume);
      if (data.state === "open") {
        await reindex.copy(this.#bulkBytes());
        await this.#publishing.begin();
      } else if (data.step === "flip") {
        this.#store.update({ step: "open" });
      }
      return this.#publishing.run();
    }).catch((error: unknown) => this.#failed(data.info, error));
    if (!answer.ok) {
      // If this fails, the alarm repeats it and does not continue the reindex.
      this.#store.update({ route: null });
      const state = await this.#end(data.info);
      if (state !== "completed") {
        const { type, message } = answer.error;
        const isUnwanted = type.startsWith("session_") || message === replaced().message;
        return isUnwanted ? this.#giveUp(data.info, state) : answer;
      }
    }
    return ok({
      generation: data.info.generation,
      physicalName: data.info.temporaryIndexName,
      shards: reindex.shardCount,
      documents: reindex.documents,
      rejected: reindex.rejected.size,
    });
  }

  /** The answer after an exception. Sessions that are already over have no tables; their state is the outcome. */
  #failed({ temporaryIndexName: session }: SessionInfo, error: unknown): Failure {
    const state = this.#store.data()?.state;
    if (state === "cancelled" || state === "removed") return givenUp();
    console.error(JSON.stringify({ event: "reindex_failed", session, reason: String(error) }));
    return fail("index_unavailable", "The index could not be reindexed now; nothing changed.");
  }

  /** `state`: the session's state in the index. */
  #giveUp({ temporaryIndexName: session }: SessionInfo, state: SessionState): Failure {
    console.log(JSON.stringify({ event: "reindex_given_up", session, state }));
    return givenUp();
  }

  /** Ends the session unless the commit was made. Returns the resulting state. */
  async #end({ finalIndexName, temporaryIndexName }: SessionInfo): Promise<SessionState> {
    const index = () => indexStub(this.#env, finalIndexName);
    let state: SessionState | null = await repeated(() => index().publishingFailed(temporaryIndexName));
    if (state === "open") state = await repeated(() => index().cancelSession(temporaryIndexName));
    const end = state ?? "removed";
    if (end === "completed" || end === "cancelled" || end === "removed") this.#store.settle(end);
    return end;
  }
}

function givenUp(): Failure {
  return { ok: false, error: replaced().toWire() };
}
