/**
 * ShardObject: the data plane of one shard of one generation. Its name is `<index>/<n>/<shard>`, so old and new generation
 * never share one object's memory, and a number is never used twice.
 *
 * ## In memory
 *
 * One Reader (segments + deletions, immutable; a write makes a new one), the field plan of the generation, the configuration with the tenants that
 * were asked for. All of it is rebuilt by `ready()`, memoised: the platform drops memory after ten idle seconds.
 *
 * ## In SQLite
 *
 *   state    manifest, status, epoch, configuration version, counters
 *   piece    cached bytes of segments and stored chunks, rows below the 2 MB limit; R2 is behind it for published ones
 *   log      write-ahead log: one row per run of updates: ids touched, tiny segment. Its stored chunks are pieces.
 *   freeze   token, until when
 *
 * ## Status
 *
 *   (none)     unknown object: every data call is STALE.
 *   building   `open` stored the manifest; not yet live. Data calls with a higher epoch make it ask IndexObject.standing.
 *   live       at epoch e: serves calls with exactly e. Lower: STALE. Higher: asks standing, then decides.
 *   retired    at epoch e: replaced. STALE for every call with epoch <= e; a higher one makes it ask (a rollback wakes it up).
 *   destroyed = (none).
 *
 * ## Writes: in one synchronous turn
 *
 *   wait for ready, for earlier writes, for the end of a freeze; read sources PATCH needs into SQLite; then without any await:
 *   epoch and freeze check -> pipeline -> log row and chunks in SQLite -> new tiny segment, new Reader -> return.
 * Updates that come close together share the turn (update-queue.ts). Patches of numbers nobody searches make no segment: the row of the log
 * has the numbers, the Reader lays them over (shard-updates.ts, index-engine/overlay); manifests keep them beside the deletions.
 * SQLite's commit and the new Reader are one turn, so a crash keeps both or neither; the output gate holds the answer until the commit is durable.
 * At most 8 in-memory segments: runs of similar size are merged, the log rows of a run become one row in the same turn. Writes go on while
 * a merge is under way, so there may be more for a moment.
 * Replay opens the log's segments in order and applies their ids as deletions to everything before: the same bytes, the same answers.
 *
 * An update of several shards is all of it or nothing: joint-update.ts. The shard keeps its part, durable and not to be seen, until the
 * first shard of the generation has decided; the ids of the part wait for it, reads do not.
 *
 * ## Freeze
 *
 * Stored with token and lease. A write that meets it waits for release, retirement or the lease's end. At the lease's end the shard
 * first voids the token at the IndexObject (see there) and only then takes the write: applied once, to the generation that is live.
 * It is granted when no part of a joint update is left.
 *
 * ## Checkpoint (alarm: log over 4 MB, 5,000 operations, or 60 s after a write)
 *
 *   seal      the log's rows up to s become one segment (one row). New writes go to rows after s.
 *   put       segment and stored chunks to R2 under new names, then the manifest that names them and all deletions; size and checksum verified.
 *   trim      one turn: manifest stored, the sealed segment joins the published ones, log rows <= s go.
 * A crash or R2 failure anywhere: the log is still there, the alarm comes back; objects already put are orphans for garbage collection.
 *
 * ## Growth
 *
 *   beyond what a shard should hold (40 MB), by updates: the alarm asks the index for a reindex over twice as many shards and waits for it;
 *                                                        a failed one is asked for again
 *   half as much again (60 MB):                          growing writes get 503 index_full_resharding until the flip
 *
 * ## Reindex (session/reindex.ts)
 *
 *   followed by a session: each update notes its ids, in its own transaction. Ends when another session follows, and when retired.
 *   building:              takes what is caught up into its log, like an update, but nobody's update is counted.
 */
import { Router, type IRequest } from "itty-router";
import { DurableObject } from "cloudflare:workers";
import { parseVerbatim } from "../../index-engine/fields/index.ts";
import { ServiceError, unwrap, type Result, type UpdateAnswer } from "../../interface/index.ts";
import { getObject } from "../bucket.ts";
import { repeated } from "../calls.ts";
import { JointUpdates, RESOLVE_AFTER_MS } from "./joint-update.ts";
import { LoadedShard, SourceReader } from "../loaded-shard.ts";
import { decodeManifest, namedKeys, type ShardManifest } from "../manifest.ts";
import type { StoredRef } from "../../index-engine/model.ts";
import { ShardSearch } from "../../index-engine/sharded/index.ts";
import {
  isStale,
  STALE,
  type CatchUpAnswer,
  type ConfiguredCall,
  type CopyCursor,
  type CopyPage,
  type FollowAnswer,
  type FollowCursor,
  type FollowedDocument,
  type FollowedPage,
  type JointOutcome,
  type JointUpdateCall,
  type OpenAnswer,
  type OpenCall,
  type PrepareCall,
  type ReindexCall,
  type SearchAnswer,
  type SearchCall,
  type ShardApi,
  type ShardCall,
  type ShardResult,
  type ShardStats,
  type Stale,
  type Standing,
  type SuggestAnswer,
  type SuggestCall,
  type UpdateCall,
} from "../protocol/index.ts";
import { MOST_SHARDS, PARTITION_COUNT } from "../partition.ts";
import { Pause } from "../pause.ts";
import { PinnedSearches } from "./pinned-searches.ts";
import { PreparedUpdates } from "./prepared-updates.ts";
import { answering, fail, ok, type Failure } from "../results.ts";
import type {
  BeginSearchCall,
  BegunSearch,
  ContinueSearchCall,
  FannedOut,
  RelayedCall,
  SearchRoundAnswer,
  SuggestPart,
  SuggestPartCall,
} from "../protocol/search-rounds.ts";
import {
  checkpointAfterMs,
  pendingUpdateBytes,
  shardedSearchMs,
  shardIndexBytes,
} from "../settings.ts";
import { ShardConfiguration } from "./configuration.ts";
import { liveIds, ndjsonOf } from "./export.ts";
import { copyPage, follow, followedPage, planCatchUp } from "./following.ts";
import { mergeLog, noteDuplicates, seal, trim, unseal, writeCheckpoint } from "../shard-log.ts";
import { answerSearch, answerSuggest } from "./search.ts";
import { answerRound, answerSuggestPart } from "./rounds.ts";
import { shardStats } from "./stats.ts";
import { callShard, callShards } from "../sharded/index.ts";
import { ShardStore, type ShardState } from "../shard-store.ts";
import {
  changedIds,
  missingSources,
  planChange,
  prepare,
  sizeOfChange,
  writeChange,
  Writes,
  type Change,
  type PlannedWrites,
} from "../shard-updates.ts";
import { chunkCount, readChunks } from "../stored-blocks.ts";
import { indexStub } from "../stubs.ts";
import { bytesOf, UpdateQueue, type WaitingUpdate } from "../update-queue.ts";
import { Lock } from "./write-lock.ts";

/** A log beyond one of these is written to R2 soon, a younger one after CHECKPOINT_AFTER_S (architecture.md, "Where the truth is"). */
const LOG_BYTES = 4_194_304;
const LOG_OPERATIONS = 5_000;
/** Checkpoints follow each other at this distance at least: R2 takes one write a second to the manifest's key. */
const CHECKPOINT_INTERVAL_MS = 2_000;
const RETRY_MS = 5_000;

/** Stored chunks that are cached between two pauses: about 1 MB. */
const CHUNKS_PER_STEP = 32;

/** A shard this much larger than it should be takes no growing writes: 60 MB (architecture.md, "Shards"). */
const HARD_STOP = 1.5;

/** Rounds of "wait, look again" before a call gives up: each follows a change from outside. */
const ROUNDS = 20;

/** Between two requests for a reindex. */
const GROWTH_RETRY_MS = 60_000;

export class ShardObject extends DurableObject<Env> implements ShardApi {
  readonly #store: ShardStore;
  readonly #writes = new Lock();
  readonly #updates = new UpdateQueue(
    (batch) => this.#updateTogether(batch),
    (work) => this.ctx.waitUntil(work),
  );
  #mergingLog: Promise<void> | null = null;
  /** Memoised; null: not loaded, or to be loaded again. */
  #ready: Promise<LoadedShard> | null = null;
  /** Set when #ready is fulfilled: what synchronous code works with. */
  #loaded: LoadedShard | null = null;
  #configuration: ShardConfiguration | null = null;
  readonly #searches: PinnedSearches;
  /** Resolved when a freeze may have ended. */
  #thaw = Promise.withResolvers<void>();
  #lastCheckpointMs = 0;
  #maintaining: Promise<void> | null = null;
  /** When the index was last asked for more shards. */
  #askedToGrowMs = 0;
  /** Of updates of several shards: the parts that wait here, and what this shard decides. */
  readonly #prepared: PreparedUpdates;
  readonly #joint: JointUpdates;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#store = new ShardStore(ctx.storage);
    this.#searches = new PinnedSearches(shardedSearchMs(env));
    this.#prepared = new PreparedUpdates(env, this.#store, {
      sources: (shard) => this.#sources(shard),
      apply: (shard, change, also) => this.#applyPrepared(shard, change, also),
      finish: (name, outcome) => this.finishUpdate(name, outcome),
    });
    this.#joint = new JointUpdates(env, this.#store, {
      ready: (epoch) => this.#readyToWrite(epoch),
      decide: (call, isWanted, record) => this.#decide(call, isWanted, record),
      later: (body) => ctx.waitUntil(scheduler.wait(0).then(body)),
    });
  }

  // ---- reading: rounds of searches over several shards (protocol/search-rounds.ts)

  async beginSearch(call: BeginSearchCall): Promise<ShardResult<BegunSearch>> {
    return answering(async () => {
      const admitted = await this.#admitConfigured(call);
      if (isStale(admitted)) return admitted;
      const { shard, configuration } = admitted;
      const tenant = configuration.tenant(call.tenant);
      if (tenant === null) return noTenant(call.tenant);
      const { physicalName } = shard.manifest;
      const { request, step } = call;
      const rules = configuration.rules(call.tenant, shard.plan.analyzer);
      const search = new ShardSearch(shard.reader, shard.plan, {
        request,
        tenant,
        rules,
        physicalName,
      });
      const survey = search.survey(step);
      const token = this.#searches.add(search, call);
      return ok({ token, survey, logPosition: this.#logPosition() });
    });
  }

  async continueSearch(call: ContinueSearchCall): Promise<ShardResult<SearchRoundAnswer>> {
    return answering(async () => {
      const admitted = await this.#admitConfigured(call);
      if (isStale(admitted)) return admitted;
      const search = this.#searches.find(call.token, call);
      if (search === null) return STALE;
      const answer = await answerRound(search, this.#sources(admitted.shard), call.round);
      return answer === null ? STALE : ok(answer);
    });
  }

  async suggestPart(call: SuggestPartCall): Promise<ShardResult<SuggestPart>> {
    return answering(async () => {
      const admitted = await this.#admitConfigured(call);
      if (isStale(admitted)) return admitted;
      const { shard, configuration } = admitted;
      const partial = answerSuggestPart(shard, configuration.suggest(), call);
      return ok({ partial, logPosition: this.#logPosition() });
    });
  }

  async relay<Method extends keyof FannedOut>(
    method: Method,
    calls: readonly RelayedCall<Method>[],
  ): Promise<readonly ShardResult<FannedOut[Method]["answer"]>[]> {
    const [own, ...others] = calls;
    if (own === undefined) return [];
    const [answer, rest] = await Promise.all([
      callShard(this, method, own.call),
      callShards(this.env, method, others),
    ]);
    return [answer, ...rest];
  }

  // ---- reading

  async search(call: SearchCall): Promise<ShardResult<SearchAnswer>> {
    return answering(async () => {
      const admitted = await this.#admitConfigured(call);
      if (isStale(admitted)) return admitted;
      const { shard, configuration } = admitted;
      const tenant = configuration.tenant(call.tenant);
      if (tenant === null) return noTenant(call.tenant);
      const logPosition = this.#logPosition();
      const sources = this.#sources(shard);
      const rules = configuration.rules(call.tenant, shard.plan.analyzer);
      return ok({ ...(await answerSearch(shard, sources, tenant, rules, call)), logPosition });
    });
  }

  async suggest(call: SuggestCall): Promise<ShardResult<SuggestAnswer>> {
    return answering(async () => {
      const admitted = await this.#admitConfigured(call);
      if (isStale(admitted)) return admitted;
      const { shard, configuration } = admitted;
      const suggestions = answerSuggest(shard, configuration.suggest(), call.request);
      return ok({ suggestions, logPosition: this.#logPosition() });
    });
  }

  async document(call: ConfiguredCall & { readonly id: string }): Promise<ShardResult<string>> {
    return answering(async () => {
      const admitted = await this.#admitConfigured(call);
      if (isStale(admitted)) return admitted;
      const { shard } = admitted;
      const ref = shard.place(call.id);
      if (ref === null) {
        return fail("document_not_found", `There is no document ${JSON.stringify(call.id)}.`);
      }
      const sources = this.#sources(shard);
      if (sources.get(ref) === null) await sources.fetch([ref]);
      return ok(JSON.stringify(shard.plan.whole(verbatim(sources, ref))));
    });
  }

  async stats(call: ShardCall): Promise<ShardResult<ShardStats>> {
    return answering(async () => {
      const shard = await this.#admit(call);
      if (isStale(shard)) return shard;
      const state = this.#store.state();
      return state === null
        ? STALE
        : ok(shardStats(this.#store, state, shard, this.#configuration?.rulesBytes ?? 0));
    });
  }

  // ---- writing

  async update(call: UpdateCall): Promise<ShardResult<UpdateAnswer>> {
    return answering(async () => {
      const waitingBytes = this.#updates.sizeBytes;
      if (waitingBytes > 0 && waitingBytes + bytesOf(call) > pendingUpdateBytes(this.env)) {
        return fail("too_many_requests", "Too many updates wait for their turn; send it again.");
      }
      return this.#updates.add(call);
    });
  }

  #updateAlone(call: UpdateCall): Promise<ShardResult<UpdateAnswer>> {
    return this.#write(call, (shard, state, change) => {
      if (sizeOfChange(change) > 0) this.#apply(shard, written(state, change), change);
      return ok(change.answer);
    });
  }

  /** What cannot be carried out now, or has to be looked at more closely, goes on alone; nobody waits for it. */
  async #updateTogether(batch: readonly WaitingUpdate[]): Promise<void> {
    await this.#writes.run(async () => {
      const admitted: { readonly one: WaitingUpdate; readonly shard: LoadedShard }[] = [];
      for (const one of batch) {
        try {
          const shard = await this.#admit(one.call);
          if (isStale(shard)) one.settle(STALE);
          else admitted.push({ one, shard });
        } catch (error) {
          one.fail(error);
        }
      }
      const shard = admitted.at(-1)?.shard;
      if (shard === undefined) return;
      const alone = (one: WaitingUpdate): void => one.settle(this.#updateAlone(one.call));
      const sources = this.#sources(shard);
      const pause = new Pause("update");
      const ready: WaitingUpdate[] = [];
      for (const { one } of admitted) {
        if (missingSources(shard, sources, one.call).length > 0) {
          alone(one);
          continue;
        }
        await prepare(shard, sources, one.call, pause);
        ready.push(one);
      }
      // ---- from here on one turn, no await
      const state = this.#store.state();
      if (state === null || this.#loaded !== shard || this.#store.freezes().length > 0) {
        for (const one of ready) alone(one);
        return;
      }
      const planned = new Writes();
      const answers: (readonly [WaitingUpdate, UpdateAnswer])[] = [];
      const isOutgrown = this.#isOutgrown(shard);
      for (const one of ready) {
        const { call } = one;
        if (!admits(state, call)) one.settle(STALE);
        else if (this.#prepared.takes(call)) alone(one);
        else if (call.kind !== "delete" && isOutgrown) one.settle(outgrown(shard));
        else answers.push([one, planChange(shard, sources, call, planned).answer]);
      }
      if (sizeOfChange(planned) > 0) this.#apply(shard, written(state, planned), planned);
      for (const [one, answer] of answers) one.settle(ok(answer));
    });
  }

  #isOutgrown(shard: LoadedShard): boolean {
    return shard.reader.sizeBytes > HARD_STOP * shardIndexBytes(this.env);
  }

  /** `then` carries the change out, in the turn it was planned in. */
  async #write<T>(call: UpdateCall, then: WriteTurn<T>): Promise<ShardResult<T>> {
    for (let round = 0; round < ROUNDS; round++) {
      const answer = await this.#writes.run(() => this.#tryToWrite(call, then));
      if (answer !== null) return answer;
      // Not within the lock: what is waited for may need it.
      if (!(await this.#waitForThaw())) await this.#prepared.waitFor(call);
    }
    return fail("index_unavailable", "The index is changing; try again.");
  }

  /** Null: not now, or everything has to be looked at again. */
  async #tryToWrite<T>(call: UpdateCall, then: WriteTurn<T>): Promise<ShardResult<T> | null> {
    const shard = await this.#admit(call);
    if (isStale(shard)) return shard;
    const sources = this.#sources(shard);
    const missing = missingSources(shard, sources, call);
    if (missing.length > 0) {
      await sources.fetch(missing);
      return null;
    }
    // ---- from here to the return: one turn, no await
    const state = this.#store.state();
    if (state === null || !admits(state, call)) return STALE;
    if (this.#loaded !== shard || this.#store.freezes().length > 0) return null;
    if (this.#prepared.takes(call)) return null;
    if (call.kind !== "delete" && this.#isOutgrown(shard)) return outgrown(shard);
    return then(shard, state, planChange(shard, sources, call));
  }

  /** Log, sources, counters (`state`), alarm and `also` in one commit, then the reader, all in one turn. */
  #apply(shard: LoadedShard, state: ShardState, change: PlannedWrites, also?: () => void): void {
    const position = state.logPosition + 1;
    const applied = this.#store.transaction(() => {
      also?.();
      this.#store.put({
        ...state,
        logPosition: position,
        dirtySinceMs: state.dirtySinceMs ?? Date.now(),
      });
      if (this.#store.following() !== null) this.#store.note(changedIds(change), position);
      return writeChange(this.#store, shard, change, position);
    });
    shard.reader = applied.reader;
    shard.log = [...shard.log, applied.entry];
    // A log that begins must have its alarm in the same commit: this incarnation may never come to #afterWrite.
    if (state.dirtySinceMs === null && !this.#hasUncachedBlocks()) {
      void this.ctx.storage.setAlarm(Date.now() + checkpointAfterMs(this.env));
    }
    this.ctx.waitUntil(this.#afterWrite(shard));
  }

  async #afterWrite(shard: LoadedShard): Promise<void> {
    try {
      await this.#schedule();
      // Not under the lock: a merge takes its time, and writes go on meanwhile.
      this.#mergingLog ??= mergeLog(this.#store, shard, () => this.#loaded === shard).finally(
        () => {
          this.#mergingLog = null;
        },
      );
      await this.#mergingLog;
      if (this.#checkpointDueMs() <= Date.now()) await this.#maintain();
    } catch (error) {
      // Nothing is lost by it: the log stays longer than it should be.
      console.error(JSON.stringify({ event: "log_merge_failed", reason: String(error) }));
    }
  }

  // ---- updates of several shards

  async updateJointly(call: JointUpdateCall): Promise<ShardResult<readonly UpdateAnswer[]>> {
    return answering(async () => {
      const own = this.#store.state()?.shard;
      return own === undefined ? STALE : this.#joint.run(call, own);
    });
  }

  async prepareUpdate(call: PrepareCall): Promise<ShardResult<UpdateAnswer>> {
    return answering(() =>
      this.#write({ ...call.change, epoch: call.epoch }, (_, __, change) => {
        this.#prepared.hold(call, change);
        this.#alarmForJoint();
        return ok(change.answer);
      }),
    );
  }

  async finishUpdate(name: string, outcome: JointOutcome): Promise<void> {
    if (!this.#store.isPrepared(name)) return;
    if (outcome === "aborted") {
      this.#prepared.drop(name);
      return;
    }
    await this.#writes.run(async () => {
      const shard = await this.#load();
      if (shard !== null) await this.#prepared.carryOut(name, shard);
    });
  }

  /** Needs nothing loaded: shards ask while they are loaded themselves. */
  async jointOutcome(name: string): Promise<JointOutcome> {
    return this.#joint.outcome(name);
  }

  #applyPrepared(shard: LoadedShard, change: Change, also: () => void): void {
    const state = this.#store.state();
    // A generation that is not live has nothing prepared; what is destroyed has nothing at all.
    if (state === null) return;
    if (sizeOfChange(change) > 0) this.#apply(shard, written(state, change), change, also);
    else this.#store.transaction(also);
  }

  async #readyToWrite(epoch: number): Promise<Stale | null> {
    for (let round = 0; round < ROUNDS; round++) {
      const shard = await this.#admit({ epoch });
      if (isStale(shard)) return shard;
      if (!(await this.#waitForThaw())) return null;
    }
    return null;
  }

  async #decide(
    call: UpdateCall,
    isWanted: () => boolean,
    record: () => void,
  ): Promise<ShardResult<UpdateAnswer> | null> {
    for (let round = 0; round < ROUNDS; round++) {
      const answer = await this.#writes.run(() =>
        this.#tryToWrite<UpdateAnswer | null>(call, (shard, state, change) => {
          if (!isWanted()) return ok(null);
          if (sizeOfChange(change) > 0) this.#apply(shard, written(state, change), change, record);
          else this.#store.transaction(record);
          this.#alarmForJoint();
          return ok(change.answer);
        }),
      );
      if (answer !== null) {
        if (isStale(answer) || !answer.ok) return answer;
        return answer.value === null ? null : ok(answer.value);
      }
      // Others hold their parts meanwhile, so nothing is waited for here.
      if (this.#store.freezes().length > 0) return null;
    }
    return null;
  }

  /** In the commit of what it is for: this incarnation may never come to #schedule. Cached blocks have an alarm, an earlier one. */
  #alarmForJoint(): void {
    if (this.#hasUncachedBlocks()) return;
    void this.ctx.storage.setAlarm(Date.now() + RESOLVE_AFTER_MS);
    this.ctx.waitUntil(this.#schedule());
  }

  // ---- publishing

  async open(call: OpenCall): Promise<Result<OpenAnswer>> {
    return answering(async () => {
      const { checksum } = call.manifest;
      if (this.#store.state()?.openedManifest !== checksum) {
        const bytes = await getObject(this.env.SNAPSHOTS, call.manifest);
        const manifest = decodeManifest(bytes);
        if (manifest.shard !== call.shard || manifest.indexName !== call.indexName) {
          throw new Error(`the manifest of ${manifest.shard} was handed to ${call.shard}`);
        }
        if (this.#store.state()?.status === "live")
          throw new Error(`${call.shard} is live already`);
        this.#forget();
        this.#store.begin(call.indexName, call.shard, checksum, bytes);
      }
      const shard = await this.#load();
      if (shard === null) throw new Error(`${call.shard} was destroyed while it was opened`);
      noteDuplicates(this.#store, shard);
      await this.#schedule();
      return ok({ documents: shard.reader.productCount, memoryBytes: shard.reader.sizeBytes });
    });
  }

  async freeze(token: number, leaseMs: number): Promise<{ readonly updates: number }> {
    const state = this.#store.state();
    if (state === null) return { updates: 0 };
    this.#store.putFreeze(token, Date.now() + leaseMs);
    // From now on nothing is prepared any more; what is has to be over, as what comes after the freeze may have read everything.
    await this.#prepared.resolveAll(0);
    return { updates: this.#store.state()?.updates ?? 0 };
  }

  async release(token: number): Promise<void> {
    if (this.#store.state() === null) return;
    this.#store.dropFreeze(token);
    this.#wakeWrites();
  }

  async setStanding(standing: Standing): Promise<void> {
    this.#setStanding(standing);
  }

  async setConfigurationVersion(version: number): Promise<void> {
    this.#configurationOf(this.#store.state())?.heardOf(version);
  }

  async namedKeys(): Promise<readonly string[]> {
    return this.#store.state() === null ? [] : namedKeys(this.#store.manifest());
  }

  async destroy(): Promise<void> {
    this.#forget();
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
    this.#wakeWrites();
  }

  // ---- reindex

  async follow(
    call: ReindexCall & { readonly resume: boolean },
  ): Promise<ShardResult<FollowAnswer>> {
    return answering(async () => {
      const shard = await this.#admit(call);
      // One turn from here, and no await since #admit has answered.
      if (isStale(shard)) return shard;
      // Others have followed since: what was written meanwhile is noted for them only.
      if (call.resume && this.#store.following() !== call.session) return STALE;
      return ok(follow(this.#store, shard, call));
    });
  }

  async copyPage(call: ReindexCall & CopyCursor): Promise<ShardResult<CopyPage>> {
    return answering(async () => {
      const shard = await this.#admit(call);
      if (isStale(shard) || this.#store.following() !== call.session) return STALE;
      return ok(await copyPage(shard, this.#sources(shard), call));
    });
  }

  async followed(
    call: ReindexCall & { readonly after: FollowCursor },
  ): Promise<ShardResult<FollowedPage>> {
    return answering(async () => {
      const shard = await this.#admit(call);
      if (isStale(shard) || this.#store.following() !== call.session) return STALE;
      return ok(await followedPage(this.#store, shard, this.#sources(shard), call.after));
    });
  }

  async catchUp(documents: readonly FollowedDocument[]): Promise<Result<CatchUpAnswer>> {
    return answering(() =>
      this.#writes.run(async () => {
        const shard = await this.#load();
        const state = this.#store.state();
        if (shard === null || state?.status !== "building" || this.#loaded !== shard) {
          return fail("index_unavailable", "The shard takes nothing from a reindex (any more).");
        }
        const { change, rejected } = planCatchUp(shard, documents);
        if (sizeOfChange(change) > 0) this.#apply(shard, state, change);
        return ok({ documents: shard.reader.productCount, rejected });
      }),
    );
  }

  // ---- what streams, and so is no RPC

  /** `GET /documents?epoch=n`: 200 NDJSON (export.ts), or 409 when stale. */
  override fetch(request: Request): Promise<Response> {
    return this.#routes.fetch(request);
  }

  readonly #routes = Router<IRequest, []>().get("/documents", async ({ query }) => {
    const call = { epoch: Number(query["epoch"]) };
    const shard = await this.#admit(call);
    if (isStale(shard)) return new Response(null, { status: 409 });
    const documents = ndjsonOf(liveIds(shard.reader), async (ids) => {
      const now = await this.#admit(call);
      // Another generation is live: what was sent so far is no whole, and breaking off says so.
      if (isStale(now)) throw new ServiceError("index_unavailable", "The index was replaced.");
      const refs = ids.map((id) => now.place(id)).filter((ref) => ref !== null);
      const sources = this.#sources(now);
      await sources.fetch(refs);
      return refs.map((ref) => sources.get(ref)).filter((source) => source !== null);
    });
    return new Response(documents, { headers: { "content-type": "application/x-ndjson" } });
  });

  // ---- who may be answered

  /** Ready, and the epochs are equal. */
  async #admit(call: ShardCall): Promise<LoadedShard | Stale> {
    for (let round = 0; round < ROUNDS; round++) {
      const state = this.#store.state();
      if (state === null) return STALE;
      if (call.epoch > state.epoch) {
        if (!(await this.#askStanding(state, null, call.epoch))) return STALE;
        continue;
      }
      if (!admits(state, call)) return STALE;
      if (this.#loaded !== null) return this.#loaded;
      await this.#load();
    }
    throw new ServiceError("index_unavailable", "The index is changing; try again.");
  }

  /** The same, and the configuration is at least the caller's, the caller's not older. */
  async #admitConfigured(
    call: ConfiguredCall,
  ): Promise<{ readonly shard: LoadedShard; readonly configuration: ShardConfiguration } | Stale> {
    for (let round = 0; round < ROUNDS; round++) {
      const shard = await this.#admit(call);
      if (isStale(shard)) return shard;
      const configuration = this.#configurationOf(this.#store.state());
      if (configuration === null) return STALE;
      const verdict = configuration.judge(call.configurationVersion);
      if (verdict === "stale") return STALE;
      if (verdict === "current") return { shard, configuration };
      await configuration.read();
    }
    throw new ServiceError("index_unavailable", "The configuration is changing; try again.");
  }

  /** Asks the index where we stand. False: that brought no news for a caller with this epoch. */
  async #askStanding(state: ShardState, voidToken: number | null, epoch: number): Promise<boolean> {
    const standing = await repeated(() =>
      indexStub(this.env, state.indexName).standing(state.shard, voidToken),
    );
    this.#setStanding(standing);
    return standing.epoch >= epoch;
  }

  #setStanding(standing: Standing): void {
    const state = this.#store.state();
    if (state === null || standing.epoch < state.epoch) return;
    const status = standing.live ? "live" : state.status === "building" ? "building" : "retired";
    if (status === state.status && standing.epoch === state.epoch) return;
    this.#store.transaction(() => {
      // It was left and is live again: what was written before is no news of this life.
      const updates = standing.live && standing.epoch > state.epoch ? 0 : state.updates;
      this.#store.put({ ...state, status, epoch: standing.epoch, updates });
      // The index voided every token when the pointer moved.
      if (standing.epoch > state.epoch) this.#store.dropAllFreezes();
      if (status !== "live") {
        this.#store.unfollow();
        // Only of a deleted index: every other flip comes after a freeze.
        this.#store.dropJoint();
      }
    });
    if (status !== "live") this.#prepared.clear();
    this.#configuration?.forget();
    this.#wakeWrites();
  }

  /** True: waited, so everything has to be looked at again. */
  async #waitForThaw(): Promise<boolean> {
    const state = this.#store.state();
    if (state === null) return true;
    const [first] = this.#store.freezes();
    if (first === undefined) return false;
    const leftMs = first.untilMs - Date.now();
    if (leftMs > 0) {
      await Promise.race([this.#thaw.promise, scheduler.wait(leftMs)]);
      return true;
    }
    // The lease is over. Only when the index has voided the token may a write come in.
    await this.#askStanding(state, first.token, state.epoch);
    if (this.#store.state() !== null) this.#store.dropFreeze(first.token);
    return true;
  }

  #wakeWrites(): void {
    this.#thaw.resolve();
    this.#thaw = Promise.withResolvers<void>();
  }

  // ---- memory

  /** Null: nothing to load. Queries that come meanwhile wait; a failure is forgotten, so that the next one tries again. */
  async #load(): Promise<LoadedShard | null> {
    if (this.#store.state() === null) return null;
    if (this.#ready === null) {
      const ready = this.#loadOnce();
      this.#ready = ready;
      ready.then(
        (shard) => {
          if (this.#ready !== ready) return;
          this.#loaded = shard;
          // The platform gives up on an alarm whose object dies six times in it; whoever wakes us next sets it again.
          this.ctx.waitUntil(this.#schedule());
        },
        () => {
          if (this.#ready === ready) this.#ready = null;
        },
      );
    }
    return this.#ready;
  }

  async #loadOnce(): Promise<LoadedShard> {
    const shard = await LoadedShard.load(this.#store, this.env.SNAPSHOTS);
    // Whoever is answered from now on sees all of an update of several shards, or nothing of it.
    await this.#prepared.resolveLoading(shard);
    await this.#joint.tellDecided();
    return shard;
  }

  #forget(): void {
    this.#prepared.clear();
    this.#ready = null;
    this.#loaded = null;
    this.#configuration = null;
    this.#searches.clear();
  }

  #configurationOf(state: ShardState | null): ShardConfiguration | null {
    if (state === null) return null;
    this.#configuration ??= new ShardConfiguration(this.env, state.indexName);
    return this.#configuration;
  }

  #sources(shard: LoadedShard): SourceReader {
    return new SourceReader(this.#store, this.env.SNAPSHOTS, shard);
  }

  #logPosition(): number {
    return this.#store.state()?.logPosition ?? 0;
  }

  // ---- the alarm: caching stored blocks, checkpoints

  override async alarm(): Promise<void> {
    await this.#maintain();
    await this.#grow();
  }

  /** Has the index cut into more shards when this one has outgrown its size by updates. Waits for it: so the index stays awake. */
  async #grow(): Promise<void> {
    const state = this.#store.state();
    const width = this.#growthWidth();
    if (state === null || width === null || this.#growthDueMs() > Date.now()) return;
    this.#askedToGrowMs = Date.now();
    try {
      const atLeast = Math.min((PARTITION_COUNT / width) * 2, MOST_SHARDS);
      unwrap(await indexStub(this.env, state.indexName).reindex({ atLeast }));
    } catch (error) {
      console.error(JSON.stringify({ event: "growth_failed", reason: String(error) }));
    }
    await this.#schedule();
  }

  /** Partitions of this shard; null: it has not outgrown its size, or cannot be cut. */
  #growthWidth(): number | null {
    const state = this.#store.state();
    const shard = this.#loaded;
    if (state?.status !== "live" || state.updates === 0 || shard === null) return null;
    const { first, end } = shard.manifest.partitions;
    const isLarge = shard.reader.sizeBytes > shardIndexBytes(this.env);
    return isLarge && end - first > 1 ? end - first : null;
  }

  #growthDueMs(): number {
    return this.#growthWidth() === null ? Infinity : this.#askedToGrowMs + GROWTH_RETRY_MS;
  }

  /**
   * Checkpoint where one is due, stored blocks into SQLite; then the alarm for what is due later. One at a time. Begun by the alarm and,
   * because a busy thread lets alarms wait, by the write that made a checkpoint due. Never fails: what went wrong is tried again.
   */
  async #maintain(): Promise<void> {
    this.#maintaining ??= this.#maintainOnce()
      .catch(async (error: unknown) => {
        console.error(JSON.stringify({ event: "shard_maintenance_failed", reason: String(error) }));
        // The platform gives up on an alarm after six failures, so it is set anew.
        if (this.#store.state() !== null) await this.ctx.storage.setAlarm(Date.now() + RETRY_MS);
      })
      .finally(() => {
        this.#maintaining = null;
      });
    await this.#maintaining;
  }

  async #maintainOnce(): Promise<void> {
    const shard = await this.#load();
    if (shard === null) return;
    if (this.#checkpointDueMs() <= Date.now()) await this.#checkpoint(shard);
    await this.#cacheBlocks(shard.manifest);
    await this.#prepared.resolveAll(RESOLVE_AFTER_MS);
    await this.#joint.tellDecided();
    await this.#schedule();
  }

  async #checkpoint(shard: LoadedShard): Promise<void> {
    const sealed = await this.#writes.run(async () =>
      this.#loaded === shard ? seal(shard) : null,
    );
    if (sealed === null) return;
    this.#lastCheckpointMs = Date.now();
    try {
      const sources = this.#sources(shard);
      const checkpoint = await writeCheckpoint(this.env.SNAPSHOTS, sealed, shard, sources);
      await this.#writes.run(async () => {
        if (this.#loaded === shard && this.#store.state() !== null)
          trim(this.#store, shard, checkpoint);
      });
    } catch (error) {
      unseal(shard);
      throw error;
    }
  }

  /** Copies what it needs of stored blocks from R2, so that hits are read from here; until then single chunks are fetched. */
  async #cacheBlocks(manifest: ShardManifest): Promise<void> {
    const cached = this.#store.cachedBlocks();
    for (const block of manifest.blocks) {
      if (cached.has(block.id)) continue;
      const { firstChunk } = block;
      const end = firstChunk + chunkCount(block);
      const chunks = await readChunks(this.env.SNAPSHOTS, block, firstChunk, end);
      for (const [i, bytes] of chunks.entries()) {
        if (this.#store.state() === null) return;
        this.#store.putChunk(block.id, firstChunk + i, bytes);
        if (i % CHUNKS_PER_STEP === CHUNKS_PER_STEP - 1) await scheduler.wait(0);
      }
      if (this.#store.state() === null) return;
      this.#store.markCached(block.id);
    }
  }

  /** Infinity: nothing to write. */
  #checkpointDueMs(): number {
    const dirtySinceMs = this.#store.state()?.dirtySinceMs ?? null;
    if (dirtySinceMs === null) return Infinity;
    const { sizeBytes, documents } = this.#logSize();
    const large = sizeBytes > LOG_BYTES || documents >= LOG_OPERATIONS;
    return large
      ? this.#lastCheckpointMs + CHECKPOINT_INTERVAL_MS
      : dirtySinceMs + checkpointAfterMs(this.env);
  }

  /** Changed numbers are no documents: a checkpoint has nothing to index for them. */
  #logSize(): { readonly sizeBytes: number; readonly documents: number } {
    let sizeBytes = 0;
    let documents = 0;
    if (this.#loaded === null) {
      for (const entry of this.#store.log()) {
        sizeBytes += entry.sizeBytes;
        documents += entry.operations;
      }
      return { sizeBytes, documents };
    }
    for (const entry of this.#loaded.log) {
      sizeBytes += entry.sizeBytes;
      documents += entry.operations - entry.numbers.size;
    }
    return { sizeBytes, documents };
  }

  /** When to ask, or tell, of updates of several shards. */
  #jointDueMs(): number {
    const isOver = this.#prepared.isEmpty && this.#store.decided().size === 0;
    return isOver ? Infinity : Date.now() + RESOLVE_AFTER_MS;
  }

  #hasUncachedBlocks(): boolean {
    const cached = this.#store.cachedBlocks();
    return (this.#loaded?.manifest.blocks ?? []).some((block) => !cached.has(block.id));
  }

  /** The alarm at the next thing to do; an earlier one stays. */
  async #schedule(): Promise<void> {
    if (this.#store.state() === null) return;
    const dueMs = this.#hasUncachedBlocks()
      ? Date.now()
      : Math.max(
          Math.min(this.#checkpointDueMs(), this.#growthDueMs(), this.#jointDueMs()),
          Date.now(),
        );
    if (dueMs === Infinity) return;
    const set = await this.ctx.storage.getAlarm();
    if (set === null || set > dueMs) await this.ctx.storage.setAlarm(dueMs);
  }
}

/** A shard of one partition cannot be cut any more. */
function outgrown({ manifest: { partitions } }: LoadedShard): Failure {
  return partitions.end - partitions.first > 1
    ? fail("index_full_resharding", "The index has outgrown its shard; retry growing writes later.")
    : fail("index_too_large", `The index has outgrown its ${MOST_SHARDS} shards.`);
}

function noTenant(name: string): Failure {
  return fail("index_not_found", `There is no tenant ${JSON.stringify(name)} of this index.`);
}

/** What becomes of a planned change, in the same turn. */
type WriteTurn<T> = (shard: LoadedShard, state: ShardState, change: Change) => ShardResult<T>;

/** The state with these documents counted. */
function written(state: ShardState, change: PlannedWrites): ShardState {
  return { ...state, updates: state.updates + sizeOfChange(change) };
}

function admits(state: ShardState, call: ShardCall): boolean {
  return state.status === "live" && state.epoch === call.epoch;
}

const decoder = new TextDecoder();

function verbatim(sources: SourceReader, ref: StoredRef): unknown {
  const bytes = sources.get(ref);
  if (bytes === null) throw new Error("a source that was just fetched is gone");
  return parseVerbatim(decoder.decode(bytes));
}
