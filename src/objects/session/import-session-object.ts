/**
 * ImportSessionObject: one import session; its name is the session's temporaryIndexName.
 *
 * Stored: what was fixed at start (names, locale, resolved index configuration, so that a configuration change in the middle of an
 * import cannot mix two field plans in one generation); the list of segments in rank order; stored blocks; the publishing step.
 *
 * ## Ranks
 *
 * `add` writes its segments to R2 first and registers them then. The registration gives the bulk the next sequence number; its
 * segments have rank (sequence, part). An `add` answered before another was sent has the lower number. Of several versions of an
 * id the one with the highest rank wins; within a segment the builder has settled it already. Merges take contiguous runs only,
 * so a merged segment has the ranks of its run and the order of the list never changes meaning.
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
 * A crash between IndexObject's transition and ours: beginPublishing is repeated by the next `done` and by the alarm, cancel by the next
 * cancel, and IndexObject's alarm settles us. So no session is left that the index thinks is being published and nobody publishes: it could
 * not even be cancelled. The dangerous direction (we say completed, the index says no) cannot happen.
 *
 * ## done: persisted steps
 *
 *   merge      the index is asked; background merging stops; how many shards there will be is decided by size and stored, the index told
 *              of them (more than 64 shards hold: index_too_large); segments are cut and merged (merge-policy.ts) until each shard has few of its own, each merge stored when its
 *              objects are in R2.
 *   manifest   stored blocks are looked for in R2; the manifest of each shard is put to R2 last, after everything it names; read back and compared.
 *   open       each shard object of the new generation loads and verifies, builds its reader. Old generation untouched.
 *   flip       freeze the live shards under a lease, IndexObject.commit, fence (see there). freeze_lost: again.
 *
 * Each step is stored when it begins and may be repeated from its beginning. The steps run in the `done` call and, after a crash, in the alarm
 * that was set together with `publishing`; one run at a time per incarnation, others join its promise. A retried `done` joins.
 * A failure inside a step goes back to open (publishingFailed) and is the answer of every `done` that waits.
 *
 * ## A reindex (reindex.ts)
 *
 * A session begun with `reindex` fills itself from the live shards and publishes itself; to everybody else it is busy. When it fails, it
 * ends: cancelled, or completed when the commit had been made. When the alarm meets it without its run (a crash), it goes on: with the blocks
 * that are not copied yet, or with the stored step; with "open" instead of "flip", because what it has caught up with is in memory only. After
 * a few crashes it ends, too: it may be what makes the object die.
 */
import { DurableObject } from "cloudflare:workers";
import {
  LIMITS,
  ServiceError,
  unwrap,
  type ImportSession,
  type Result,
} from "../../interface/index.ts";
import { putObject, readManifest } from "../bucket.ts";
import { forAll, repeated } from "../calls.ts";
import { encodeManifest, MANIFEST_VERSION, type ShardManifest } from "../manifest.ts";
import { GROWTH, nextMerge, type Merge } from "../merge-policy.ts";
import { importPrefix, manifestKey, shardName } from "../names.ts";
import {
  covers,
  MOST_SHARDS,
  PARTITION_VERSION,
  shardCountFor,
  shardRanges,
  type PartitionRange,
} from "../partition.ts";
import type {
  BlockEntry,
  FreezeToken,
  PublishingStep,
  Registration,
  ReindexAnswer,
  Route,
  SessionApi,
  SessionInfo,
  SessionOptions,
  SessionProgress,
  SessionState,
  StoredObject,
} from "../protocol/index.ts";
import { answering, fail, ok } from "../results.ts";
import { MergeAbandoned, mergeStoredSegments } from "../segment-storage.ts";
import { blocksFor, checkBlocks } from "../stored-blocks.ts";
import { SessionStore, type RankedSegment, type SessionData } from "./store.ts";
import { shardIndexBytes } from "../settings.ts";
import { Reindex, replaced } from "./reindex.ts";
import { indexStub, shardStub } from "../stubs.ts";

/** How long old shards wait with writes for a commit. A flip takes some ten milliseconds; longer means that something died. */
const FREEZE_LEASE_MS = 10_000;

/** Freezes lost in a row (another session went live in between, or leases ran out) before `done` gives up. */
const FLIP_ATTEMPTS = 10;

/** The alarm that takes up an interrupted `done`; while a run is alive it only joins it. */
const RESUME_AFTER_MS = 5_000;

/** When the alarm looks for a background merge that was interrupted or has failed. */
const MERGE_RETRY_MS = 10_000;

/** Crashes of one reindex after which it is taken up again. */
const MOST_RESUMES = 5;

type Published = Result<{ readonly generation: number }>;

export class ImportSessionObject extends DurableObject<Env> implements SessionApi {
  readonly #store: SessionStore;
  /** The publishing run of this incarnation; every `done` and the alarm share it. */
  #publishing: Promise<Published> | null = null;
  /** The merge under way; at most one, in the background or in the step "merge". */
  #merging: Promise<void> | null = null;
  /** Of a reindex: the run of this incarnation and what it works with. */
  #reindexing: Promise<Result<ReindexAnswer>> | null = null;
  #reindex: Reindex | null = null;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#store = new SessionStore(ctx.storage);
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
    this.ctx.waitUntil(this.#mergeInBackground());
    return ok({ sequence });
  }

  async done(session: ImportSession): Promise<Published> {
    const known = this.#known(session);
    if (!known.ok) return known;
    // Not even to go on with one that was interrupted: what it has to catch up is not stored.
    if (known.value.options.reindex === true && isAlive(known.value)) return busy();
    // Settled, but not answered yet: whoever comes now joins, whoever comes after the answer is told that it is completed.
    if (known.value.state === "completed" && this.#publishing !== null) return this.#publishing;
    if (known.value.state === "open") {
      await this.#beginPublishing();
    } else if (known.value.state !== "publishing") {
      return over(known.value);
    }
    return this.#publish();
  }

  async reindex(route: Route): Promise<Result<ReindexAnswer>> {
    this.#reindexing ??= this.#reindexOnce(route).finally(() => {
      this.#reindexing = null;
      this.#reindex = null;
    });
    return this.#reindexing;
  }

  async #reindexOnce(route: Route): Promise<Result<ReindexAnswer>> {
    const data = this.#store.data();
    if (data?.options.reindex !== true || !isAlive(data)) {
      throw new Error("a session that is no reindex, or one that is over");
    }
    // Written down by a run that has crashed.
    const resume = (data.route ?? null) !== null;
    this.#store.update({ route });
    await this.ctx.storage.setAlarm(Date.now() + RESUME_AFTER_MS);
    const reindex = new Reindex(this.env, data.info, route, (bulk) =>
      this.#store.isRegistered(bulk),
    );
    this.#reindex = reindex;
    const answer = await answering<Published>(async () => {
      await reindex.follow(resume);
      if (data.state === "open") {
        await reindex.copy();
        await this.#beginPublishing();
      } else if (data.step === "flip") {
        this.#store.update({ step: "open" });
      }
      return this.#publish();
    }).catch((error: unknown): Published => {
      console.error(
        JSON.stringify({
          event: "reindex_failed",
          session: data.info.temporaryIndexName,
          reason: String(error),
        }),
      );
      return fail("index_unavailable", "The index could not be reindexed now; nothing changed.");
    });
    if (!answer.ok) {
      // Should this fail, the alarm does it, and goes on with nothing.
      this.#store.update({ route: null });
      const state = await this.#endReindex(data.info);
      const isOver = answer.error.type.startsWith("session_");
      if (state !== "completed") return isOver ? { ok: false, error: replaced().toWire() } : answer;
    }
    return ok({
      generation: data.info.generation,
      physicalName: data.info.temporaryIndexName,
      shards: reindex.shardCount,
      documents: reindex.documents,
      rejected: reindex.rejected.size,
    });
  }

  /** The alarm has met a reindex without its run. */
  async #resumeReindex({ info, route, resumes = 0 }: SessionData): Promise<void> {
    if (route === undefined || route === null || resumes >= MOST_RESUMES) {
      await this.#endReindex(info);
      return;
    }
    this.#store.update({ resumes: resumes + 1 });
    console.log(
      JSON.stringify({ event: "reindex_resumed", session: info.temporaryIndexName, resumes }),
    );
    await this.reindex(route);
  }

  /** A reindex that does not go on: over, unless the commit was made. Answers the state that holds. */
  async #endReindex({ finalIndexName, temporaryIndexName }: SessionInfo): Promise<SessionState> {
    const index = () => indexStub(this.env, finalIndexName);
    let state: SessionState | null = await repeated(() =>
      index().publishingFailed(temporaryIndexName),
    );
    if (state === "open") state = await repeated(() => index().cancelSession(temporaryIndexName));
    const end = state ?? "removed";
    if (end === "completed" || end === "cancelled" || end === "removed") this.#settle(end);
    return end;
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
        this.#settle("cancelled");
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
      sizeBytes: sumBytes(segments),
      documents: data.documents,
      step: data.step,
    };
  }

  // ---- from IndexObject

  async begin(info: SessionInfo, options: SessionOptions): Promise<void> {
    if (this.#store.data() !== null) return;
    this.#store.begin(info, options);
    // Should the index die before it calls `reindex`, the alarm ends this session. In the commit of the beginning.
    if (options.reindex === true) await this.ctx.storage.setAlarm(Date.now() + RESUME_AFTER_MS);
  }

  async settle(state: "cancelled" | "removed"): Promise<void> {
    this.#settle(state);
  }

  // ---- the alarm: takes up what was interrupted, merges in the background

  override async alarm(): Promise<void> {
    const data = this.#store.data();
    if (data?.options.reindex === true && isAlive(data)) {
      await this.ctx.storage.setAlarm(Date.now() + RESUME_AFTER_MS);
      // A run that is alive goes on by itself.
      if (this.#reindexing === null) await this.#resumeReindex(data);
    } else if (data?.state === "publishing") {
      // Stored first: should this incarnation die, too, the next one is called again.
      await this.ctx.storage.setAlarm(Date.now() + RESUME_AFTER_MS);
      await this.#publish();
    } else if (data?.state === "open") {
      await this.#mergeInBackground();
    }
  }

  /**
   * Merges while there is something to merge. Begun by `register` and not by an alarm, which a busy thread lets wait for long; the alarm is
   * the net below: it goes on where this incarnation or its merge ended.
   */
  async #mergeInBackground(): Promise<void> {
    const due = (): boolean =>
      this.#store.data()?.state === "open" && this.#nextMerge(false) !== null;
    if (this.#merging !== null || !due()) return;
    try {
      await this.ctx.storage.setAlarm(Date.now() + MERGE_RETRY_MS);
      while (due()) await this.#mergeNext(false);
    } catch (error) {
      if (error instanceof MergeAbandoned) return;
      // Inputs are untouched; `done` merges what is left in any case.
      console.error(JSON.stringify({ event: "background_merge_failed", reason: String(error) }));
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

  #settle(state: "completed" | "cancelled" | "removed"): void {
    const now = this.#store.data()?.state;
    // The index is asked before we settle, so the first word is right and later ones are echoes of it.
    if (now === "open" || now === "publishing") this.#store.settle(state);
  }

  // ---- publishing

  /** Stored before the index is asked (step "merge"): whatever dies from here on, our alarm goes on with it. */
  async #beginPublishing(): Promise<void> {
    this.#store.update({ state: "publishing", step: "merge", shardCount: null });
    await this.ctx.storage.setAlarm(Date.now() + RESUME_AFTER_MS);
  }

  /** Has the index count these shards among its publishing ones. */
  #announce(info: SessionInfo, shardCount: number): Promise<SessionState> {
    const { finalIndexName, temporaryIndexName, generation } = info;
    const shards = shardRanges(shardCount).map((_, i) => shardName(finalIndexName, generation, i));
    return repeated(() =>
      indexStub(this.env, finalIndexName).beginPublishing(temporaryIndexName, shards),
    );
  }

  /** The index says that this session is over: so it is. */
  #follow(state: SessionState, info: SessionInfo): Result<never> {
    switch (state) {
      case "completed":
        this.#settle("completed");
        return completed(info);
      case "cancelled":
        this.#settle("cancelled");
        return cancelled();
      case "removed":
        this.#settle("removed");
        return unknown(info);
      case "open":
      case "publishing":
        throw new Error(`session ${info.temporaryIndexName} cannot follow its index to ${state}`);
    }
  }

  #publish(): Promise<Published> {
    this.#publishing ??= answering(() => this.#run()).finally(() => {
      this.#publishing = null;
    });
    return this.#publishing;
  }

  /** From the stored step to the end, or back to open. */
  async #run(): Promise<Published> {
    /** How long each step took; one line in the log when all is done. */
    const tookMs: Record<string, number> = {};
    try {
      for (;;) {
        const data = this.#store.data();
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
    switch (step) {
      case "merge": {
        let state = await this.#announce(data.info, data.shardCount ?? 1);
        if (state === "completed") {
          // Committed before a crash that took our note of it: nobody who asked before the answer is told that it comes too late.
          this.#settle("completed");
          return null;
        }
        const shardCount =
          state === "publishing" ? (data.shardCount ?? this.#shardCount(data, 1)) : 1;
        this.#checkSize(shardCount);
        // Before any of them is opened: configuration is pushed to them from then on, and garbage collection knows their names.
        if (shardCount > 1) state = await this.#announce(data.info, shardCount);
        if (state !== "publishing") return this.#follow(state, data.info);
        this.#store.update({ shardCount });
        // One that is under way may be just what is needed, or is given up.
        await this.#merging?.catch(() => undefined);
        while (this.#nextMerge(true) !== null) await this.#mergeNext(true);
        this.#store.update({ step: "manifest" });
        return null;
      }
      case "manifest":
        this.#store.update({ step: "open", manifests: await this.#writeManifests(data) });
        return null;
      case "open":
        await this.#openShards(data);
        this.#store.update({ step: "flip" });
        return null;
      case "flip":
        return this.#flip(data);
    }
  }

  /** Throws index_too_large: even so many shards would hold more than they should. */
  #checkSize(shardCount: number): void {
    const indexBytes = sumBytes(this.#store.segments());
    const most = shardCount * shardIndexBytes(this.env);
    if (shardCount < MOST_SHARDS || indexBytes <= most) return;
    throw new ServiceError(
      "index_too_large",
      `The session holds ${indexBytes} bytes of index; ${shardCount} shards take ${most}.`,
      { details: { limit: "indexBytes", indexBytes, most } },
    );
  }

  /** By the bytes there are, times `growth`. */
  #shardCount({ options }: SessionData, growth: number): number {
    const sizeBytes = sumBytes(this.#store.segments());
    return shardCountFor(sizeBytes * growth, options.leastShards, shardIndexBytes(this.env));
  }

  async #writeManifests(data: SessionData): Promise<SessionData["manifests"]> {
    const manifests: { shard: string; manifest: StoredObject }[] = [];
    const shards = shardRanges(data.shardCount ?? 1).map((partitions, i) => ({ partitions, i }));
    const segments = this.#store.segments();
    const blocks = this.#store.blocks();
    const prefix = importPrefix(data.info.temporaryIndexName);
    await checkBlocks(this.env.SNAPSHOTS, prefix, blocks);
    await forAll(shards, async ({ partitions, i }) => {
      const own = segments.filter((segment) => covers(partitions, segment.partitions));
      manifests[i] = await this.#writeManifest(
        data.info,
        i,
        partitions,
        own,
        blocksFor(blocks, partitions),
      );
    });
    return manifests;
  }

  async #writeManifest(
    info: SessionInfo,
    i: number,
    partitions: PartitionRange,
    segments: readonly RankedSegment[],
    blocks: readonly BlockEntry[],
  ): Promise<{ readonly shard: string; readonly manifest: StoredObject }> {
    const shard = shardName(info.finalIndexName, info.generation, i);
    const manifest: ShardManifest = {
      version: MANIFEST_VERSION,
      indexName: info.finalIndexName,
      generation: info.generation,
      shard,
      physicalName: info.temporaryIndexName,
      locale: info.locale,
      language: info.language,
      configuration: info.configuration,
      partitions: { version: PARTITION_VERSION, ...partitions },
      disjoint: segments.length < 2,
      logPosition: 0,
      segments: segments.map(({ id, key, sizeBytes, checksum, productCount, variantCount }) => ({
        id,
        key,
        sizeBytes,
        checksum,
        productCount,
        variantCount,
        deleted: null,
      })),
      blocks,
      writtenAtMs: Date.now(),
    };
    const bytes = encodeManifest(manifest);
    const stored: StoredObject = await putObject(this.env.SNAPSHOTS, manifestKey(shard), bytes);
    const read = await readManifest(this.env.SNAPSHOTS, shard);
    if (
      read.writtenAtMs !== manifest.writtenAtMs ||
      read.segments.length !== manifest.segments.length
    ) {
      throw new ServiceError(
        "storage_unavailable",
        "The manifest did not come back as it was written; retry.",
      );
    }
    return { shard, manifest: stored };
  }

  async #openShards({ info, options, manifests }: SessionData): Promise<void> {
    let documents = 0;
    await forAll(manifests, async ({ shard, manifest }) => {
      const opened = unwrap(
        await repeated(() =>
          shardStub(this.env, shard).open({ indexName: info.finalIndexName, shard, manifest }),
        ),
      );
      documents += opened.documents;
      this.#reindex?.opened(shard, opened.documents);
    });
    await this.#reindex?.catchUp(manifests.map(({ shard }) => shard));
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
    const temporaryIndexName = info.temporaryIndexName;
    const shards = manifests.map(({ shard }) => shard);
    const partitions = shardRanges(shards.length);
    const index = () => indexStub(this.env, info.finalIndexName);
    for (let attempt = 1; attempt <= FLIP_ATTEMPTS; attempt++) {
      const freeze = await repeated(() => index().beginFreeze(temporaryIndexName));
      // No token: committed already, and only the answer was lost.
      const isDecided = freeze.token === 0;
      if (!isDecided && this.#reindex?.isOf(freeze.shards) === false) throw replaced();
      try {
        await forAll(freeze.shards, async (shard) => {
          await repeated(() => shardStub(this.env, shard).freeze(freeze.token, FREEZE_LEASE_MS));
        });
        if (!isDecided) await this.#reindex?.drain();
        const answer = await repeated(() =>
          index().commit({ temporaryIndexName, token: freeze.token, shards, partitions }),
        );
        if (answer.outcome === "committed") {
          this.#settle("completed");
          await this.ctx.storage.deleteAlarm();
          return ok({ generation: info.generation });
        }
        await this.#release(freeze);
        if (answer.outcome === "refused") return this.#follow(answer.state, info);
      } catch (error) {
        // Should the commit have happened all the same: a retired shard takes no writes, frozen or not.
        await this.#release(freeze);
        throw error;
      }
    }
    throw new ServiceError(
      "index_unavailable",
      "Other imports of this index kept going live; retry.",
    );
  }

  /** Best effort: a lease ends by itself. */
  async #release({ token, shards }: FreezeToken): Promise<void> {
    await forAll(shards, (shard) => shardStub(this.env, shard).release(token)).catch(
      () => undefined,
    );
  }

  /** A step failed: back to open, unless the commit has happened and only its answer was lost. */
  async #reopen(error: unknown): Promise<Published> {
    const data = this.#store.data();
    if (data === null) throw error;
    const { info } = data;
    // Too few documents is an answer, no incident.
    if (!(error instanceof ServiceError) || error.status >= 500) {
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
      indexStub(this.env, info.finalIndexName).publishingFailed(info.temporaryIndexName),
    );
    switch (state) {
      case "open":
        this.#store.update({ state: "open", step: null, manifests: [], shardCount: null });
        await this.ctx.storage.deleteAlarm();
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

  // ---- merging

  #nextMerge(final: boolean): Merge | null {
    const data = this.#store.data();
    if (data === null || !isAlive(data)) return null;
    const count = final ? (data.shardCount ?? 1) : this.#shardCount(data, GROWTH);
    return nextMerge(this.#store.segments(), shardRanges(count), final);
  }

  /** Once the number of shards is decided, cutting for more of them is lost time. */
  #isWanted(inputs: readonly RankedSegment[], outputs: readonly PartitionRange[]): boolean {
    const shardCount = this.#store.data()?.shardCount ?? null;
    if (shardCount === null || outputs.length === 1) return true;
    const shards = shardRanges(shardCount);
    return inputs.some(({ partitions }) => !shards.some((shard) => covers(shard, partitions)));
  }

  /** Merges one run, or waits for the merge that is under way. */
  #mergeNext(final: boolean): Promise<void> {
    this.#merging ??= this.#mergeOne(final).finally(() => {
      this.#merging = null;
    });
    return this.#merging;
  }

  async #mergeOne(final: boolean): Promise<void> {
    const merge = this.#nextMerge(final);
    const info = this.#store.data()?.info;
    if (merge === null || info === undefined) return;
    const segments = this.#store.segments();
    const inputs = merge.inputs.map((position) => segments[position]);
    const prefix = importPrefix(info.temporaryIndexName);
    const { outputs } = merge;
    const startMs = performance.now();
    const { pieces: merged, memoryBytes } = await mergeStoredSegments(
      this.env.SNAPSHOTS,
      prefix,
      inputs,
      outputs,
      () => this.#isWanted(inputs, outputs),
    );
    console.log(
      JSON.stringify({
        event: "merged",
        session: info.temporaryIndexName,
        final,
        inputs: inputs.map(({ sizeBytes }) => sizeBytes),
        outputs: merged.map(({ sizeBytes }) => sizeBytes),
        memoryBytes,
        tookMs: Math.round(performance.now() - startMs),
      }),
    );
    // Cancelled meanwhile: the result is garbage like its inputs.
    const state = this.#store.data()?.state;
    if (state === "open" || state === "publishing") this.#store.replaceRun(inputs, merged);
  }
}

function isAlive({ state }: SessionData): boolean {
  return state === "open" || state === "publishing";
}

function sumBytes(segments: readonly { readonly sizeBytes: number }[]): number {
  return segments.reduce((sum, segment) => sum + segment.sizeBytes, 0);
}

// ---- answers

function over(data: SessionData): Result<never> {
  switch (data.state) {
    case "completed":
      return completed(data.info);
    case "cancelled":
      return cancelled();
    case "publishing":
      return busy();
    case "removed":
      return unknown(data.info);
    case "open":
      throw new Error("an open session is not over");
  }
}

function unknown(session: { readonly temporaryIndexName: string }): Result<never> {
  return fail("session_unknown", `There is no import session ${session.temporaryIndexName}.`);
}

function completed(info: SessionInfo): Result<never> {
  return fail("session_completed", "The import session is completed.", {
    generation: info.generation,
    physicalName: info.temporaryIndexName,
  });
}

function cancelled(): Result<never> {
  return fail("session_cancelled", "The import session was cancelled.");
}

function busy(): Result<never> {
  return fail("session_busy", "The session is being published; it takes no more documents.");
}
