/**
 * Publishing a session: the stored steps of `done`.
 *
 *   merge      the index is asked; background merging stops; the number of shards is decided by size, stored, and sent to the index
 *              (too large for 64 shards: index_too_large); segments are cut and merged (merging.ts) until each shard
 *              has few of its own. Each merge is stored when its objects are in R2.
 *   manifest   the objects that the shards need are checked in R2, and each shard's manifest is put there (manifests.ts).
 *   open       each new shard loads, verifies and builds its reader. The old generation is unchanged.
 *   flip       the live shards are frozen under a lease and the index commits (flip.ts).
 *
 * Each step is stored when it begins and can be repeated. Steps run in the `done` call and, after a crash, in the alarm
 * that was set together with `publishing`. There is one run per incarnation; repeated calls of `done` join it. If a
 * step fails, the session is open again (publishingFailed) and all waiting calls get the error.
 */
import { ServiceError, unwrap, type Result } from "../../interface/index.ts";
import { forAll, repeated } from "../calls.ts";
import { shardName } from "../names.ts";
import { MOST_SHARDS, shardRanges } from "../partition.ts";
import { hurried } from "../pause.ts";
import type { PublishingStep, SessionInfo, SessionState } from "../protocol/index.ts";
import { answering, fail, ok } from "../results.ts";
import { indexStub, shardStub, type ObjectsEnv } from "../stubs.ts";
import { over } from "./answers.ts";
import { flip } from "./flip.ts";
import { writeManifests } from "./manifests.ts";
import type { Merging } from "./merging.ts";
import { ReindexReplaced, type Reindex } from "./reindex.ts";
import { isAlive, type SessionData, type SessionStore } from "./store.ts";

export type Published = Result<{ readonly generation: number }>;

/** Delay of the alarm that continues an interrupted run or joins a running one. */
export const RESUME_AFTER_MS = 5_000;
/** Number of crashes in one `done` after which it is still continued. */
const MOST_RESUMES = 5;

interface Parts {
  readonly env: ObjectsEnv;
  readonly storage: DurableObjectStorage;
  readonly store: SessionStore;
  readonly merging: Merging;
  /** The source of the session's documents if it is a reindex. */
  readonly reindex: () => Reindex | null;
  /** The current maximum size of a shard. */
  readonly shardBytes: () => number;
}

export class Publishing {
  readonly #parts: Parts;
  /** The run of this incarnation, shared by all calls of `done` and the alarm. */
  #running: Promise<Published> | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Null: no run in this incarnation. */
  get running(): Promise<Published> | null {
    return this.#running;
  }

  /**
   * open -> publishing. Stored before the index is asked (step "merge"), so that the alarm continues after any crash.
   */
  async begin(): Promise<void> {
    const { storage, store } = this.#parts;
    store.update({ state: "publishing", step: "merge", shardCount: null, resumes: 0 });
    await storage.setAlarm(Date.now() + RESUME_AFTER_MS);
  }

  /**
   * Called by the alarm: joins a running one, or continues after a crash, each time later. After a few crashes the
   * session is open again, because publishing may be what kills the object; `done` may be repeated.
   */
  async resume({ resumes = 0 }: SessionData): Promise<void> {
    const { storage, store } = this.#parts;
    if (this.#running !== null) {
      await storage.setAlarm(Date.now() + RESUME_AFTER_MS);
      await this.#running;
      return;
    }
    if (resumes >= MOST_RESUMES) {
      await storage.setAlarm(Date.now() + RESUME_AFTER_MS);
      const message = `Publishing was interrupted ${resumes} times; nothing is lost, send done again.`;
      await this.#reopen(new ServiceError("index_unavailable", message));
      return;
    }
    // Stored first, so that the next incarnation is called if this one dies too.
    store.update({ resumes: resumes + 1 });
    const waitMs = RESUME_AFTER_MS * 2 ** resumes * (0.75 + Math.random() / 2);
    await storage.setAlarm(Date.now() + waitMs);
    await storage.sync();
    await this.run();
    // The run has ended in some way, so it did not kill the object.
    const now = store.data();
    if (now !== null && isAlive(now)) store.update({ resumes: 0 });
  }

  /** Runs from the stored step to the end, or back to open. Joins a running one. */
  run(): Promise<Published> {
    this.#running ??= answering(() => hurried(() => this.#run())).finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #run(): Promise<Published> {
    const { store } = this.#parts;
    /** Durations of the steps, for one line in the log at the end. */
    const tookMs: Record<string, number> = {};
    try {
      for (;;) {
        const data = store.data();
        if (data === null) throw new Error("publishing a session that was never begun");
        if (data.state !== "publishing" || data.step === null) {
          return data.state === "completed" ? ok({ generation: data.info.generation }) : over(data);
        }
        const startMs = performance.now();
        const ended = await this.#step(data, data.step);
        tookMs[data.step] = Math.round(performance.now() - startMs);
        if (ended === null) continue;
        const { temporaryIndexName: session } = data.info;
        if (ended.ok) console.log(JSON.stringify({ event: "published", session, tookMs }));
        return ended;
      }
    } catch (error) {
      return await this.#reopen(error);
    }
  }

  /** Runs one step; null: continue with the now stored step. */
  async #step(data: SessionData, step: PublishingStep): Promise<Published | null> {
    const { env, store } = this.#parts;
    switch (step) {
      case "merge":
        return this.#merge(data);
      case "manifest":
        store.update({ step: "open", manifests: await writeManifests(env.SNAPSHOTS, store, data) });
        return null;
      case "open":
        await this.#open(data);
        store.update({ step: "flip" });
        return null;
      case "flip":
        return this.#flip(data);
    }
  }

  async #merge(data: SessionData): Promise<Published | null> {
    const { store, merging } = this.#parts;
    let state = await this.#announce(data.info, data.shardCount ?? 1);
    if (state === "completed") {
      // Committed before a crash that lost this object's record of it. Waiting calls of `done` still succeed.
      store.settle("completed");
      return null;
    }
    const shardCount = state === "publishing" ? (data.shardCount ?? merging.shardCount(data)) : 1;
    this.#checkSize(shardCount);
    // Before opening them, because the index then pushes configuration to them and includes them in garbage collection.
    if (shardCount > 1) state = await this.#announce(data.info, shardCount);
    if (state !== "publishing") return this.#follow(state, data.info);
    store.update({ shardCount });
    await merging.toTheEnd();
    store.update({ step: "manifest" });
    return null;
  }

  /** Adds these shards to the publishing ones of the index. */
  #announce(info: SessionInfo, shardCount: number): Promise<SessionState> {
    const { finalIndexName, temporaryIndexName, generation } = info;
    const shards = shardRanges(shardCount).map((_, i) => shardName(finalIndexName, generation, i));
    return repeated(() => indexStub(this.#parts.env, finalIndexName).beginPublishing(temporaryIndexName, shards));
  }

  /** Throws index_too_large if even this many shards would be too large. */
  #checkSize(shardCount: number): void {
    const indexBytes = this.#parts.store.sizeBytes;
    const most = shardCount * this.#parts.shardBytes();
    if (shardCount < MOST_SHARDS || indexBytes <= most) return;
    throw new ServiceError(
      "index_too_large",
      `The session has ${indexBytes} bytes of index, more than the ${most} that ${shardCount} shards can hold.`,
      { details: { limit: "indexBytes", indexBytes, most } },
    );
  }

  async #open({ info, options, manifests }: SessionData): Promise<void> {
    const reindex = this.#parts.reindex();
    let documents = 0;
    await forAll(manifests, async ({ shard, manifest }) => {
      const opened = unwrap(
        await repeated(() =>
          shardStub(this.#parts.env, shard).open({
            indexName: info.finalIndexName,
            shard,
            manifest,
          }),
        ),
      );
      documents += opened.documents;
      reindex?.opened(shard, opened.documents);
    });
    await reindex?.catchUp(manifests.map(({ shard }) => shard));
    const minimum = info.configuration.minimumDocumentCount;
    // A live index may be reindexed however small it is.
    const isAnyNumber = options.onlyIfMissing || options.reindex === true;
    if (!isAnyNumber && documents < minimum) {
      throw new ServiceError(
        "too_few_documents",
        `The session has ${documents} documents, fewer than minimum-document-count (${minimum}).`,
        { details: { documents, minimum } },
      );
    }
  }

  async #flip({ info, manifests }: SessionData): Promise<Published> {
    const { env, storage, store } = this.#parts;
    const shards = manifests.map(({ shard }) => shard);
    const end = await flip(env, info, shards, this.#parts.reindex());
    if (end !== "committed") return this.#follow(end, info);
    store.settle("completed");
    await storage.deleteAlarm();
    return ok({ generation: info.generation });
  }

  /** Ends the session because the index says so. */
  #follow(state: SessionState, info: SessionInfo): Result<never> {
    if (state === "open" || state === "publishing") {
      throw new Error(`session ${info.temporaryIndexName} cannot follow its index to ${state}`);
    }
    this.#parts.store.settle(state);
    return over({ state, info });
  }

  /** After a failed step: back to open, unless the commit has happened and only its answer was lost. */
  async #reopen(error: unknown): Promise<Published> {
    const { env, storage, store } = this.#parts;
    const data = store.data();
    if (data === null) throw error;
    const { info } = data;
    // The session was ended meanwhile (for example its index was deleted), so there is nothing to change.
    if (!isAlive(data)) return data.state === "completed" ? ok({ generation: info.generation }) : over(data);
    // Too few documents and an abandoned reindex are answers, not incidents.
    const isAnswer = error instanceof ServiceError && error.status < 500;
    if (!isAnswer && !(error instanceof ReindexReplaced)) {
      console.error(
        JSON.stringify({
          event: "publishing_failed",
          session: info.temporaryIndexName,
          step: data.step,
          reason: String(error),
        }),
      );
    }
    const state = await repeated(() => indexStub(env, info.finalIndexName).publishingFailed(info.temporaryIndexName));
    switch (state) {
      case "open":
        store.update({ state: "open", step: null, manifests: [], shardCount: null });
        await storage.deleteAlarm();
        break;
      case "completed":
        // Committed, but not every object was notified: the alarm repeats the commit until all are.
        break;
      default:
        return this.#follow(state, info);
    }
    if (error instanceof ServiceError) return { ok: false, error: error.toWire() };
    return fail("index_unavailable", "The import could not be published now; nothing is lost, send done again.");
  }
}
