/**
 * ShardObject: the data plane of one shard of one generation. Its name is `<index>/<n>/<shard>` and `n` is never
 * reused, so two generations never share an object's memory.
 *
 * ## In memory
 *
 * One Reader (segments + deletions, immutable; a write makes a new one), the field plan of the generation, and the
 * configuration with the tenants in use. Loading (standing/memory.ts) rebuilds all of it; the platform drops memory
 * after ten idle seconds.
 *
 * ## In SQLite
 *
 *   state    manifest, status, epoch, configuration version, counters
 *   part     copies of published segments, a cache of R2 (store/segment-cache.ts)
 *   chunk    copies of stored sources, a cache of R2
 *   piece    values larger than a row: the manifest, segments of the log
 *   log      write-ahead log, one row per batch of updates: changed ids, a tiny segment, sources
 *   freeze   token, until when
 *
 * ## Status
 *
 *   (none)     unknown object: every data call is STALE.
 *   building   `open` stored the manifest; not live yet. A data call with a higher epoch makes it ask IndexObject.standing.
 *   live       at epoch e: serves calls with e. Lower: STALE. Higher: asks for the standing, then decides.
 *   retired    at epoch e: replaced. STALE for calls with epoch <= e. A higher one makes it ask, because a rollback may have revived it.
 *   destroyed = (none).
 *
 * ## Parts
 *
 * Each part has its state and documents its rules. This class has the public methods and connects the parts. A folder
 * uses those above it:
 *
 *   store/         SQLite: state, log, caches
 *   loaded/        the shard in memory; sources of documents
 *   log/           merging the log
 *   standing/      loading, status and epoch, freezes, admission of calls (admission.ts)
 *   maintenance/   the alarm: checkpoints, compaction, growth
 *   writing/       updates: queue -> plan -> apply, in one synchronous turn (write-path.ts)
 *   joint/         updates of several shards (protocol: joint-update.ts)
 *   reading/       searches, suggestions, documents, statistics, export
 *   reindex.ts     the source and the target of a reindex
 */
import { Router, type IRequest } from "itty-router";
import { DurableObject } from "cloudflare:workers";
import type { Result } from "../../interface/index.ts";
import { getObject } from "../bucket.ts";
import { DamagedCopyError, ShardStore } from "./store/index.ts";
import { noteDuplicates, Checkpoints, Compaction, Growth, Maintenance } from "./maintenance/index.ts";
import { decodeManifest, namedKeys } from "../manifest.ts";
import {
  isStale,
  type BeginSearchCall,
  type BegunSearch,
  type CatchUpAnswer,
  type ContinueSearchCall,
  type CopyCall,
  type FannedOut,
  type FollowAnswer,
  type FollowCursor,
  type FollowedDocument,
  type FollowedPage,
  type JointOutcome,
  type JointUpdateCall,
  type OpenAnswer,
  type DocumentCall,
  type ExportCall,
  type OpenCall,
  type PrepareCall,
  type ReindexCall,
  type RelayedCall,
  type SearchAnswer,
  type SearchCall,
  type SearchRoundAnswer,
  type ShardApi,
  type ShardCall,
  type ShardResult,
  type ShardStats,
  type Standing,
  type SuggestAnswer,
  type SuggestCall,
  type SuggestPart,
  type SuggestPartCall,
  type UpdateCall,
  type Unchanged,
  type ShardUpdateAnswer,
} from "../protocol/index.ts";
import { inTurn } from "../large-pages.ts";
import { hurried, urgent } from "../pause.ts";
import { answering, fail, ok, type Failure } from "../results.ts";
import {
  checkpointAfterMs,
  compactAfterMs,
  garbageGraceMs,
  pendingUpdateBytes,
  shardedSearchMs,
  shardIndexBytes,
  smallSectionBytes,
} from "../settings.ts";
import { callShard, callShards } from "../sharded/index.ts";
import { Admission, Freeze, ShardMemory, ShardStanding } from "./standing/index.ts";
import { JointWrites } from "./joint/index.ts";
import { Reading } from "./reading/index.ts";
import { ReindexSource, ReindexTarget } from "./reindex.ts";
import { Lock } from "./locks.ts";
import { WritePath } from "./writing/index.ts";

export class ShardObject extends DurableObject<Env> implements ShardApi {
  readonly #store: ShardStore;
  readonly #memory: ShardMemory;
  readonly #standing: ShardStanding;
  readonly #freeze: Freeze;
  readonly #admission: Admission;
  readonly #reading: Reading;
  readonly #maintenance: Maintenance;
  readonly #compaction: Compaction;
  readonly #writes: WritePath;
  readonly #joint: JointWrites;
  readonly #source: ReindexSource;
  readonly #target: ReindexTarget;
  /** Calls of `open` and `destroy`: the latest one decides. */
  #lives = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const { storage } = ctx;
    const bucket = env.SNAPSHOTS;
    const keep = (work: Promise<void>): void => ctx.waitUntil(work);
    const turns = new Lock();
    // Settings are read when needed, because tests change them while the object runs.
    const afterMs = (): number => checkpointAfterMs(this.env);
    const shardBytes = (): number => shardIndexBytes(this.env);

    const store = new ShardStore(storage, smallSectionBytes(env));
    const memory = new ShardMemory(store, bucket, {
      settle: (shard, isWanted) => this.#joint.settleLoading(shard, isWanted),
      // The platform drops an alarm after six failures, so loading sets it again.
      loaded: () => keep(this.#maintenance.schedule()),
    });
    const standing = new ShardStanding(env, store, (isLive) => this.#moved(isLive));
    const freeze = new Freeze(store, standing);
    const admission = new Admission(env, store, memory, standing);
    const growth = new Growth(env, store, memory, shardBytes);
    const checkpoints = new Checkpoints(store, bucket, memory, turns, afterMs);
    const compaction = new Compaction(store, memory, checkpoints, () => compactAfterMs(this.env));
    const maintenance = new Maintenance({
      storage,
      bucket,
      graceMs: () => garbageGraceMs(this.env),
      store,
      memory,
      checkpoints,
      compaction,
      growth,
      joint: {
        dueMs: () => this.#joint.dueMs(),
        settleOld: () => this.#joint.settleOld(),
      },
    });
    const writes = new WritePath({
      store,
      memory,
      admission,
      freeze,
      growth,
      maintenance,
      turns,
      taken: {
        takes: (change, pause) => this.#joint.takes(change, pause),
        waitFor: (change, pause) => this.#joint.waitFor(change, pause),
      },
      mostPendingBytes: () => pendingUpdateBytes(this.env),
      checkpointAfterMs: afterMs,
      keep,
    });
    store.segments.onDamage = () => {
      memory.forget();
      this.#reading.forget();
    };
    this.#store = store;
    this.#memory = memory;
    this.#standing = standing;
    this.#freeze = freeze;
    this.#admission = admission;
    this.#reading = new Reading(store, memory, admission, shardedSearchMs(env));
    this.#maintenance = maintenance;
    this.#compaction = compaction;
    this.#writes = writes;
    this.#joint = new JointWrites(env, {
      store,
      memory,
      admission,
      freeze,
      writes,
      maintenance,
      turns,
      keep,
    });
    this.#source = new ReindexSource(store, memory, admission);
    this.#target = new ReindexTarget(store, memory, turns, writes);
  }

  // ---- reading

  async search(call: SearchCall): Promise<ShardResult<SearchAnswer>> {
    return this.#answering(() => inTurn(call.request.limit, () => urgent(() => this.#reading.search(call))));
  }

  async suggest(call: SuggestCall): Promise<ShardResult<SuggestAnswer>> {
    return this.#answering(() => urgent(() => this.#reading.suggest(call)));
  }

  async document(call: DocumentCall): Promise<ShardResult<string>> {
    return this.#answering(() => this.#reading.document(call));
  }

  async stats(call: ShardCall): Promise<ShardResult<ShardStats>> {
    return this.#answering(() => this.#reading.stats(call));
  }

  /** The export, which streams. `POST /documents`, an ExportCall as JSON: 200 NDJSON (export.ts), or 409 if stale. */
  override fetch(request: Request): Promise<Response> {
    return this.#routes.fetch(request);
  }

  readonly #routes = Router<IRequest, []>()
    .post("/documents", async (request) => {
      const documents = await this.#reading.documents(await request.json<ExportCall>());
      if (isStale(documents)) return new Response(null, { status: 409 });
      return new Response(documents, { headers: { "content-type": "application/x-ndjson" } });
    })
    // Sent by a Worker of another release.
    .all("*", () => new Response(null, { status: 409 }));

  // ---- reading: rounds of searches over several shards (protocol/search-rounds.ts)

  async beginSearch(call: BeginSearchCall): Promise<ShardResult<BegunSearch | Unchanged>> {
    return this.#answering(() => urgent(() => this.#reading.beginSearch(call)));
  }

  async continueSearch(call: ContinueSearchCall): Promise<ShardResult<SearchRoundAnswer>> {
    return this.#answering(() => urgent(() => this.#reading.continueSearch(call)));
  }

  async suggestPart(call: SuggestPartCall): Promise<ShardResult<SuggestPart>> {
    return this.#answering(() => urgent(() => this.#reading.suggestPart(call)));
  }

  async relay<Method extends keyof FannedOut>(
    method: Method,
    calls: readonly RelayedCall<Method>[],
  ): Promise<readonly ShardResult<FannedOut[Method]["answer"]>[]> {
    const [own, ...others] = calls;
    if (own === undefined) return [];
    const [answer, rest] = await Promise.all([callShard(this, method, own.call), callShards(this.env, method, others)]);
    return [answer, ...rest];
  }

  // ---- writing

  async update(call: UpdateCall): Promise<ShardResult<ShardUpdateAnswer>> {
    return this.#answering(() => this.#writes.update(call));
  }

  async updateJointly(call: JointUpdateCall): Promise<ShardResult<readonly ShardUpdateAnswer[]>> {
    return this.#answering(() => this.#joint.run(call));
  }

  async prepareUpdate(call: PrepareCall): Promise<ShardResult<ShardUpdateAnswer>> {
    return this.#answering(() => this.#joint.hold(call));
  }

  async finishUpdate(name: string, outcome: JointOutcome): Promise<void> {
    return this.#joint.finishPart(name, outcome);
  }

  async jointOutcome(name: string, canWait = false): Promise<JointOutcome | "undecided"> {
    return this.#joint.outcome(name, canWait);
  }

  // ---- publishing

  async open(call: OpenCall): Promise<Result<OpenAnswer>> {
    const life = ++this.#lives;
    return answering(async () => {
      const { checksum } = call.manifest;
      if (this.#store.state()?.openedManifest !== checksum) {
        const bytes = await getObject(this.env.SNAPSHOTS, call.manifest);
        const manifest = decodeManifest(bytes);
        if (manifest.shard !== call.shard || manifest.indexName !== call.indexName) {
          throw new Error(`the manifest of ${manifest.shard} was handed to ${call.shard}`);
        }
        // A call whose answer was lost may still wait for R2. Since then the shard may have caught up with writes.
        if (life !== this.#lives) return fail("index_unavailable", `Another call has opened or removed ${call.shard}.`);
        if (this.#store.state()?.status === "live") throw new Error(`${call.shard} is live already`);
        this.#forget();
        this.#store.begin(call.indexName, call.shard, checksum, bytes);
      }
      const shard = await hurried(() => this.#memory.load());
      if (shard === null || this.#store.state()?.openedManifest !== checksum) {
        throw new Error(`${call.shard} was destroyed while it was opened`);
      }
      noteDuplicates(this.#store, shard);
      await this.#maintenance.schedule();
      return ok({ documents: shard.reader.productCount, memoryBytes: shard.reader.sizeBytes });
    });
  }

  async freeze(token: number, leaseMs: number): Promise<{ readonly updates: number }> {
    if (this.#store.state() === null) return { updates: 0 };
    this.#freeze.begin(token, leaseMs);
    // From now on nothing is prepared. Resolve what is, because a reindex may have read everything before the freeze.
    await this.#joint.settleFrozen();
    return { updates: this.#store.state()?.updates ?? 0 };
  }

  async release(token: number): Promise<void> {
    if (this.#store.state() !== null) this.#freeze.release(token);
  }

  async setStanding(standing: Standing): Promise<void> {
    this.#standing.hear(standing);
  }

  /** Called when status or epoch have changed, in the same turn. */
  #moved(isLive: boolean): void {
    if (!isLive) this.#joint.clear();
    this.#admission.moved();
    this.#freeze.wake();
    if (!isLive) return;
    this.#compaction.wentLive();
    this.ctx.waitUntil(this.#maintenance.schedule());
  }

  async setConfigurationVersion(version: number): Promise<void> {
    this.#admission.heardOf(version);
  }

  async namedKeys(): Promise<readonly string[]> {
    return this.#store.state() === null ? [] : namedKeys(this.#store.manifest());
  }

  async destroy(): Promise<void> {
    this.#lives++;
    this.#forget();
    await this.#store.destroy();
    this.#freeze.wake();
  }

  /** Repeats a call that found a damaged copy of a segment. The copy is then dropped, so the segment comes from R2. */
  async #answering<T extends object>(body: () => Promise<T>): Promise<T | Failure> {
    return answering(async () => {
      try {
        return await body();
      } catch (error) {
        if (!(error instanceof DamagedCopyError)) throw error;
        return await body();
      }
    });
  }

  /** The end of one life. */
  #forget(): void {
    this.#joint.clear();
    this.#memory.forget();
    this.#admission.forget();
    this.#reading.forget();
  }

  // ---- reindex

  async follow(call: ReindexCall & { readonly resume: boolean }): Promise<ShardResult<FollowAnswer>> {
    return this.#answering(() => this.#source.follow(call));
  }

  async copyRuns(call: CopyCall): Promise<ShardResult<readonly Uint8Array[]>> {
    return this.#answering(() => this.#source.copyRuns(call));
  }

  async followed(call: ReindexCall & { readonly after: FollowCursor }): Promise<ShardResult<FollowedPage>> {
    return this.#answering(() => this.#source.followed(call));
  }

  async catchUp(documents: readonly FollowedDocument[]): Promise<Result<CatchUpAnswer>> {
    return this.#answering(() => this.#target.catchUp(documents));
  }

  // ---- the alarm

  override async alarm(): Promise<void> {
    await this.#maintenance.alarm();
  }
}
