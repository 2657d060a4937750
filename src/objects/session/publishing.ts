/**
 * Publishing a session: what `done` does, in steps that are persisted.
 *
 *   merge      the index is asked; background merging stops; how many shards there will be is decided by size and stored, the index told
 *              of them (more than 64 shards hold: index_too_large); segments are cut and merged (merging.ts) until each shard has few of its
 *              own, each merge stored when its objects are in R2.
 *   manifest   what the shards need is looked for in R2, and a manifest put there for each (manifests.ts).
 *   open       each shard object of the new generation loads and verifies, builds its reader. Old generation untouched.
 *   flip       the live shards are frozen under a lease, the index commits (flip.ts).
 *
 * Each step is stored when it begins and may be repeated from its beginning. The steps run in the `done` call and,
 * after a crash, in the alarm that was set together with `publishing`; one run at a time per incarnation, others join
 * its promise. A retried `done` joins. A failure inside a step goes back to open (publishingFailed) and is the answer
 * of every `done` that waits.
 */
import { ServiceError, unwrap, type Result } from "../../interface/index.ts";
import { forAll, repeated } from "../calls.ts";
import { shardName } from "../names.ts";
import { MOST_SHARDS, shardRanges } from "../partition.ts";
import { hurried } from "../pause.ts";
import type { PublishingStep, SessionInfo, SessionState } from "../protocol/index.ts";
import { answering, fail, ok } from "../results.ts";
import { indexStub, shardStub, type ObjectsEnv } from "../stubs.ts";
import { cancelled, completed, over, unknown } from "./answers.ts";
import { flip } from "./flip.ts";
import { writeManifests } from "./manifests.ts";
import type { Merging } from "./merging.ts";
import { ReindexReplaced, type Reindex } from "./reindex.ts";
import { isAlive, type SessionData, type SessionStore } from "./store.ts";

export type Published = Result<{ readonly generation: number }>;

/** The alarm that takes up what was interrupted; while a run is alive it only joins it. */
export const RESUME_AFTER_MS = 5_000;
/** Deaths of an object in one `done` after which it is taken up again. */
const MOST_RESUMES = 5;

interface Parts {
  readonly env: ObjectsEnv;
  readonly storage: DurableObjectStorage;
  readonly store: SessionStore;
  readonly merging: Merging;
  /** What fills this session, when it is one that reindexes. */
  readonly reindex: () => Reindex | null;
  /** What a shard should hold at most, as it is set now. */
  readonly shardBytes: () => number;
}

export class Publishing {
  readonly #parts: Parts;
  /** The run of this incarnation; every `done` and the alarm share it. */
  #running: Promise<Published> | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Null: no run is under way here. */
  get running(): Promise<Published> | null {
    return this.#running;
  }

  /**
   * open -> publishing. Stored before the index is asked (step "merge"): whatever dies from here on, our alarm goes on
   * with it.
   */
  async begin(): Promise<void> {
    const { storage, store } = this.#parts;
    store.update({ state: "publishing", step: "merge", shardCount: null, resumes: 0 });
    await storage.setAlarm(Date.now() + RESUME_AFTER_MS);
  }

  /**
   * By the alarm: joins a run that is alive, or takes up one that has died with its object, each time later. After a few
   * deaths the session is open again: publishing it may be what makes the object die, and `done` may be repeated.
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
    // Stored first: should this incarnation die, too, the next one is called again, and counts one more.
    store.update({ resumes: resumes + 1 });
    const waitMs = RESUME_AFTER_MS * 2 ** resumes * (0.75 + Math.random() / 2);
    await storage.setAlarm(Date.now() + waitMs);
    await storage.sync();
    await this.run();
    // It has come to an end, whichever: the object lives.
    const now = store.data();
    if (now !== null && isAlive(now)) store.update({ resumes: 0 });
  }

  /** From the stored step to the end, or back to open. Joins a run that is under way. */
  run(): Promise<Published> {
    this.#running ??= answering(() => hurried(() => this.#run())).finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #run(): Promise<Published> {
    const { store } = this.#parts;
    /** How long each step took; one line in the log when all is done. */
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

  /** One step; null: go on with the step that is stored now. */
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
      // Committed before a crash that took our note of it: nobody who asked before the answer is told that it comes
      // too late.
      store.settle("completed");
      return null;
    }
    const shardCount = state === "publishing" ? (data.shardCount ?? merging.shardCount(data)) : 1;
    this.#checkSize(shardCount);
    // Before any of them is opened: configuration is pushed to them from then on, and garbage collection knows their
    // names.
    if (shardCount > 1) state = await this.#announce(data.info, shardCount);
    if (state !== "publishing") return this.#follow(state, data.info);
    store.update({ shardCount });
    await merging.toTheEnd();
    store.update({ step: "manifest" });
    return null;
  }

  /** Has the index count these shards among its publishing ones. */
  #announce(info: SessionInfo, shardCount: number): Promise<SessionState> {
    const { finalIndexName, temporaryIndexName, generation } = info;
    const shards = shardRanges(shardCount).map((_, i) => shardName(finalIndexName, generation, i));
    return repeated(() =>
      indexStub(this.#parts.env, finalIndexName).beginPublishing(temporaryIndexName, shards),
    );
  }

  /** Throws index_too_large: even so many shards would hold more than they should. */
  #checkSize(shardCount: number): void {
    const indexBytes = this.#parts.store.sizeBytes;
    const most = shardCount * this.#parts.shardBytes();
    if (shardCount < MOST_SHARDS || indexBytes <= most) return;
    throw new ServiceError(
      "index_too_large",
      `The session holds ${indexBytes} bytes of index; ${shardCount} shards take ${most}.`,
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
    // What is live already may be reindexed, however little it is.
    const isAnyNumber = options.onlyIfMissing || options.reindex === true;
    if (!isAnyNumber && documents < minimum) {
      throw new ServiceError(
        "too_few_documents",
        `The session holds ${documents} documents; minimum-document-count is ${minimum}.`,
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

  /** The index says that this session is over: so it is. */
  #follow(state: SessionState, info: SessionInfo): Result<never> {
    const { store } = this.#parts;
    switch (state) {
      case "completed":
        store.settle("completed");
        return completed(info);
      case "cancelled":
        store.settle("cancelled");
        return cancelled();
      case "removed":
        store.settle("removed");
        return unknown(info);
      case "open":
      case "publishing":
        throw new Error(`session ${info.temporaryIndexName} cannot follow its index to ${state}`);
    }
  }

  /** A step failed: back to open, unless the commit has happened and only its answer was lost. */
  async #reopen(error: unknown): Promise<Published> {
    const { env, storage, store } = this.#parts;
    const data = store.data();
    if (data === null) throw error;
    const { info } = data;
    // Somebody else's word has settled it meanwhile (its index was deleted, say), and its tables are gone: nothing is
    // left to fail.
    if (!isAlive(data))
      return data.state === "completed" ? ok({ generation: info.generation }) : over(data);
    // Too few documents is an answer, no incident; so is a reindex that nobody wants any more.
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
    const state = await repeated(() =>
      indexStub(env, info.finalIndexName).publishingFailed(info.temporaryIndexName),
    );
    switch (state) {
      case "open":
        store.update({ state: "open", step: null, manifests: [], shardCount: null });
        await storage.deleteAlarm();
        break;
      case "completed":
        // The flip is decided, but not everyone has been told: the alarm repeats the commit until that is so.
        break;
      default:
        return this.#follow(state, info);
    }
    if (error instanceof ServiceError) return { ok: false, error: error.toWire() };
    return fail(
      "index_unavailable",
      "The import could not be published now; nothing is lost, send done again.",
    );
  }
}
