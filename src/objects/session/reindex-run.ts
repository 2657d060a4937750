/**
 * A session that fills itself from the live shards and publishes itself (reindex.ts); to everybody else it is busy.
 *
 *   run      follow, copy, publish. One at a time per incarnation, others join
 *   resume   by the alarm that meets such a session without its run (a crash): it goes on with the blocks that are not copied yet, or with
 *            the stored step; with "open" instead of "flip", because what it has caught up with is in memory only. After a few crashes it
 *            ends instead: it may be what makes the object die
 *   end      when it fails: cancelled, or completed when the commit had been made
 *
 * Nobody wants a reindex any more when its index was deleted or another generation went live: it is given up, which is
 * no incident. `reindex_given_up` in the log says so; `reindex_failed` is a failure.
 */
import type { Result } from "../../interface/index.ts";
import { repeated } from "../calls.ts";
import type { ReindexAnswer, Route, SessionInfo, SessionState } from "../protocol/index.ts";
import { answering, fail, ok, type Failure } from "../results.ts";
import { indexStub, type ObjectsEnv } from "../stubs.ts";
import { RESUME_AFTER_MS, type Published, type Publishing } from "./publishing.ts";
import { Reindex, replaced } from "./reindex.ts";
import { isAlive, type SessionData, type SessionStore } from "./store.ts";

/** Crashes of one reindex after which it is taken up again. */
const MOST_RESUMES = 5;

export class ReindexRun {
  readonly #env: ObjectsEnv;
  readonly #storage: DurableObjectStorage;
  readonly #store: SessionStore;
  readonly #publishing: Publishing;
  readonly #bulkBytes: () => number;
  #running: Promise<Result<ReindexAnswer>> | null = null;
  #reindex: Reindex | null = null;

  /** `bulkBytes`: see Reindex.copy, as it is set now. */
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

  /** What the run of this incarnation works with; null: there is none. */
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

  /** The alarm has met a reindex. A run that is alive goes on by itself. */
  async resume({ info, route, resumes = 0 }: SessionData): Promise<void> {
    if (this.#running !== null) return;
    const now = this.#store.data();
    // It ended while the alarm was on its way here.
    if (now === null || !isAlive(now)) return;
    if (route === undefined || route === null || resumes >= MOST_RESUMES) {
      await this.#end(info);
      return;
    }
    this.#store.update({ resumes: resumes + 1 });
    console.log(
      JSON.stringify({ event: "reindex_resumed", session: info.temporaryIndexName, resumes }),
    );
    await this.run(route);
  }

  async #runOnce(route: Route): Promise<Result<ReindexAnswer>> {
    const data = this.#store.data();
    if (data?.options.reindex !== true) throw new Error("a session that is no reindex");
    // Over between its beginning and this call.
    if (!isAlive(data)) return this.#giveUp(data.info, data.state);
    // Written down by a run that has crashed.
    const resume = (data.route ?? null) !== null;
    this.#store.update({ route });
    await this.#storage.setAlarm(Date.now() + RESUME_AFTER_MS);
    const reindex = new Reindex(this.#env, data.info, route, (bulk) =>
      this.#store.isRegistered(bulk),
    );
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
      // Should this fail, the alarm does it, and goes on with nothing.
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

  /**
   * By no error that a session answers with. One that is over has no tables any more: there, that is what came of it.
   */
  #failed({ temporaryIndexName: session }: SessionInfo, error: unknown): Failure {
    const state = this.#store.data()?.state;
    if (state === "cancelled" || state === "removed") return givenUp();
    console.error(JSON.stringify({ event: "reindex_failed", session, reason: String(error) }));
    return fail("index_unavailable", "The index could not be reindexed now; nothing changed.");
  }

  /** `state`: what the index says of the session. */
  #giveUp({ temporaryIndexName: session }: SessionInfo, state: SessionState): Failure {
    console.log(JSON.stringify({ event: "reindex_given_up", session, state }));
    return givenUp();
  }

  /** It does not go on: over, unless the commit was made. Answers the state that holds. */
  async #end({ finalIndexName, temporaryIndexName }: SessionInfo): Promise<SessionState> {
    const index = () => indexStub(this.#env, finalIndexName);
    let state: SessionState | null = await repeated(() =>
      index().publishingFailed(temporaryIndexName),
    );
    if (state === "open") state = await repeated(() => index().cancelSession(temporaryIndexName));
    const end = state ?? "removed";
    if (end === "completed" || end === "cancelled" || end === "removed") this.#store.settle(end);
    return end;
  }
}

function givenUp(): Failure {
  return { ok: false, error: replaced().toWire() };
}
