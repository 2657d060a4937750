/**
 * The writes of a shard, from the call to the reader: queue -> plan -> build -> apply.
 *
 *   update         waits in the queue for its batch (update-queue.ts); refused if too much is waiting
 *   batch          several updates in one turn. An update whose ids are locked, whose sources are in R2, or that comes after patches of
 *                  large documents, continues alone. If a freeze begins or the shard is loaded again, the remaining updates try again together afterwards
 *   write          a single update: tries its turn, waits for what blocks it (a freeze, ids locked by a joint update, sources in R2), and
 *                  tries again
 *   plan, build    in steps with pauses for searches, because an update may have 16 MB; other updates wait. The result is discarded if a
 *                  freeze begins, the epoch changes or the shard is loaded again
 *   apply          one synchronous turn: checks epoch, freeze, locked ids and size, writes log row, counters and alarm in one commit, and
 *                  installs the new reader
 *
 * The commit and the new reader are one turn, so a crash keeps both or neither. The output gate holds the answer until
 * the commit is durable. Patches of unsearched numbers make no segment: the log row has the numbers and the reader
 * overlays them (updates.ts, index-engine/index/doc-values); manifests store them beside the deletions. After a
 * restart, loading replays the log: it opens the segments in order and applies their ids as deletions to everything
 * before them. Merging keeps the log short (log/log-merging.ts): 8 segments in memory, briefly more while a merge is
 * under way.
 *
 * The lock `turns` serialises updates, joint updates (joint-writes.ts), updates of a reindex (reindex.ts), and both
 * ends of a checkpoint (checkpoints.ts). Waiting happens outside the lock, because what blocks an update may need it.
 */
import { ServiceError } from "../../../interface/index.ts";
import { type Change, changedIds, type PlannedWrites, sizeOfChange, Writes } from "./planned-writes.ts";
import { type BuiltChange, buildSteps, missingSources, planSteps, prepare, writeChange } from "./updates.ts";
import { bytesOf, UpdateQueue, type WaitingUpdate } from "./update-queue.ts";
import type { LoadedShard, SourceReader } from "../loaded/index.ts";
import type { ShardState, ShardStore } from "../store/index.ts";
import { isSearched, Pause, paused, stepped } from "../../pause.ts";
import {
  isStale,
  STALE,
  type ShardResult,
  type UpdateCall,
  type UpdateChange,
  type ShardUpdateAnswer,
} from "../../protocol/index.ts";
import { fail, ok, type Failure } from "../../results.ts";
import { MOST_ROUNDS, type Admission, type Freeze, type ShardMemory, admits } from "../standing/index.ts";
import type { Growth, Maintenance } from "../maintenance/index.ts";
import type { Lock } from "../locks.ts";

/** Uses a planned change in the turn in which it is valid; `built` is null unless requested. */
export type WriteTurn<T> = (
  shard: LoadedShard,
  state: ShardState,
  change: Change,
  built: BuiltChange | null,
) => ShardResult<T>;

/** A batch that patches documents of this size together takes no further updates, for the memory that they need. */
const PATCHED_TOGETHER_BYTES = 4_000_000;

interface Parts {
  readonly store: ShardStore;
  readonly memory: ShardMemory;
  readonly admission: Admission;
  readonly freeze: Freeze;
  readonly growth: Growth;
  readonly maintenance: Maintenance;
  readonly turns: Lock;
  /** Ids locked by joint updates. */
  readonly taken: {
    takes(change: UpdateChange, pause: Pause): Promise<boolean>;
    waitFor(change: UpdateChange, pause: Pause): Promise<void>;
  };
  /** Settings, which may change. */
  readonly mostPendingBytes: () => number;
  readonly checkpointAfterMs: () => number;
  /** Takes work that continues after the answer. */
  readonly keep: (work: Promise<void>) => void;
}

export class WritePath {
  readonly #parts: Parts;
  readonly #queue: UpdateQueue;
  /** Bodies of updates that are not answered yet, also of parts of joint ones. */
  #waitingBytes = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#queue = new UpdateQueue((batch) => this.#batch(batch), parts.keep, isSearched);
  }

  /** See ShardApi.update. */
  async update(call: UpdateCall): Promise<ShardResult<ShardUpdateAnswer>> {
    return this.waiting([call], () => this.#queue.add(call));
  }

  /** Counts the bodies of changes until they are answered. Fails with too_many_requests if too much is waiting. */
  async waiting<T>(changes: readonly UpdateChange[], answer: () => Promise<ShardResult<T>>): Promise<ShardResult<T>> {
    const sizeBytes = changes.reduce((sum, change) => sum + bytesOf(change), 0);
    const waitingBytes = this.#waitingBytes;
    if (waitingBytes > 0 && waitingBytes + sizeBytes > this.#parts.mostPendingBytes()) {
      return fail("too_many_requests", "Too many updates are waiting; send it again.");
    }
    this.#waitingBytes += sizeBytes;
    try {
      return await answer();
    } finally {
      this.#waitingBytes -= sizeBytes;
    }
  }

  async #batch(batch: readonly WaitingUpdate[]): Promise<void> {
    const { turns, freeze } = this.#parts;
    let left = batch;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      left = await turns.run(() => this.#batchTurn(left));
      if (left.length === 0) return;
      // Outside the lock, because the end of the freeze may need it.
      await freeze.wait();
    }
    for (const one of left) one.settle(changing());
  }

  /** Returns the updates to try again. */
  async #batchTurn(batch: readonly WaitingUpdate[]): Promise<readonly WaitingUpdate[]> {
    const { memory, admission } = this.#parts;
    const admitted: { readonly one: WaitingUpdate; readonly shard: LoadedShard }[] = [];
    for (const one of batch) {
      try {
        const shard = await admission.admit(one.call);
        if (isStale(shard)) one.settle(STALE);
        else admitted.push({ one, shard });
      } catch (error) {
        one.fail(error);
      }
    }
    const shard = admitted.at(-1)?.shard;
    if (shard === undefined) return [];
    const sources = memory.sources(shard);
    const pause = new Pause("update");
    const ready: WaitingUpdate[] = [];
    for (const { one } of admitted) {
      // First, because it reads some of the sources.
      await prepare(shard, sources, one.call, pause);
      const missing = await paused(missingSources(shard, sources, one.call), pause);
      if (missing.length > 0) this.#alone(one);
      else ready.push(one);
    }
    return this.#together(shard, sources, ready, pause);
  }

  /** Carries the updates out in one turn. Returns those to try again. */
  async #together(
    shard: LoadedShard,
    sources: SourceReader,
    updates: readonly WaitingUpdate[],
    pause: Pause,
  ): Promise<readonly WaitingUpdate[]> {
    const { store, growth, taken } = this.#parts;
    const isOpen = (): boolean => this.#isOpen(shard);
    if (!isOpen()) return updates;
    let planned = new Writes();
    let patchedBytes = 0;
    const answers = new Map<WaitingUpdate, ShardUpdateAnswer>();
    const left = new Set(updates);
    const refusal = growth.refuses(shard);
    for (const one of updates) {
      const { call } = one;
      if (call.kind !== "delete" && refusal !== null) one.settle(refusal);
      else if (patchedBytes > PATCHED_TOGETHER_BYTES || (await taken.takes(call, pause))) this.#alone(one);
      else {
        const own = new Writes(planned);
        try {
          const change = isOpen() ? await stepped(planSteps(shard, sources, call, own), pause, isOpen) : null;
          if (change === null) return [...left];
          patchedBytes += change.patchedBytes;
          planned = planned.with(own);
          answers.set(one, change.answer);
          continue;
        } catch (error) {
          if (!(error instanceof ServiceError)) throw error;
          one.fail(error);
        }
      }
      left.delete(one);
    }
    if (answers.size === 0) return [];
    const built = await this.built(shard, planned, pause, isOpen);
    // ---- one turn from here, no await
    const state = store.serving();
    if (built === null || state === null || !isOpen()) return [...left];
    for (const { call } of left) if (!admits(state, call)) return [...left];
    if (sizeOfChange(planned) > 0) this.apply(shard, counted(state, planned), built);
    for (const [one, answer] of answers) one.settle(ok(answer));
    return [];
  }

  /** Whether updates of this shard may be carried out. */
  #isOpen(shard: LoadedShard): boolean {
    const { store, memory, freeze } = this.#parts;
    return memory.current === shard && store.serving() !== null && !freeze.isOn;
  }

  #alone(one: WaitingUpdate): void {
    const pause = new Pause("update");
    const written = this.write(one.call, true, pause, (shard, state, change, built) => {
      if (built !== null) this.apply(shard, counted(state, change), built);
      return ok(change.answer);
    });
    one.settle(written);
  }

  /**
   * Waits for what blocks the update; fails with index_unavailable.
   *
   * @param isBuilt whether `then` needs the built segment of a change
   * @param then uses the change, in the turn in which it is valid
   */
  async write<T>(call: UpdateCall, isBuilt: boolean, pause: Pause, then: WriteTurn<T>): Promise<ShardResult<T>> {
    const { freeze, taken } = this.#parts;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const answer = await this.tryToWrite(call, isBuilt, pause, then);
      if (answer !== null) return answer;
      // Outside the lock, because what blocks the update may need it.
      if (!(await freeze.wait())) await taken.waitFor(call, pause);
    }
    return changing();
  }

  /** The same without waiting. Null: try again. */
  tryToWrite<T>(call: UpdateCall, isBuilt: boolean, pause: Pause, then: WriteTurn<T>): Promise<ShardResult<T> | null> {
    return this.#parts.turns.run(() => this.#turn(call, isBuilt, pause, then));
  }

  async #turn<T>(call: UpdateCall, isBuilt: boolean, pause: Pause, then: WriteTurn<T>): Promise<ShardResult<T> | null> {
    const { store, memory, admission, growth, taken } = this.#parts;
    const shard = await admission.admit(call);
    if (isStale(shard)) return shard;
    const sources = memory.sources(shard);
    pause.skip();
    await prepare(shard, sources, call, pause);
    const missing = await paused(missingSources(shard, sources, call), pause);
    if (missing.length > 0) {
      await sources.fetch(missing);
      return null;
    }
    const isOpen = (): boolean => this.#isOpen(shard);
    if (!isOpen() || (await taken.takes(call, pause)) || !isOpen()) return null;
    const refusal = growth.refuses(shard);
    if (call.kind !== "delete" && refusal !== null) return refusal;
    const change = await stepped(planSteps(shard, sources, call), pause, isOpen);
    if (change === null) return null;
    const needsSegment = isBuilt && sizeOfChange(change) > 0;
    const built = needsSegment ? await this.built(shard, change, pause, isOpen) : null;
    // ---- one turn from here, no await
    const state = store.serving();
    if (state === null || !admits(state, call)) return STALE;
    if (!isOpen() || (needsSegment && built === null)) return null;
    return then(shard, state, change, built);
  }

  /**
   * Builds the change as the next update; the caller holds `turns` until it is applied. Null: `isWanted` became false.
   */
  async built(
    shard: LoadedShard,
    change: PlannedWrites,
    pause: Pause | null,
    isWanted: () => boolean,
  ): Promise<BuiltChange | null> {
    const serving = this.#parts.store.serving();
    if (serving === null) return null;
    return stepped(buildSteps(shard, change, serving.logPosition + 1), pause, isWanted);
  }

  /** In the caller's turn: commits log row, counters (`state`), alarm and `also`, then installs the reader. */
  apply(shard: LoadedShard, state: ShardState, change: BuiltChange, also?: () => void): void {
    const { store, maintenance } = this.#parts;
    const { position } = change;
    if (position !== state.logPosition + 1) throw new Error(`update ${position} was overtaken`);
    const applied = store.transaction(() => {
      also?.();
      if (store.following() !== null) store.note(changedIds(change), position);
      return writeChange(store, shard, change, state);
    });
    shard.reader = applied.reader;
    shard.log = [...shard.log, applied.entry];
    // The first entry sets the alarm in the same commit, because this incarnation may never reach afterWrite.
    if (state.dirtySinceMs === null) maintenance.alarmInCommit(this.#parts.checkpointAfterMs());
    this.#parts.keep(maintenance.afterWrite(shard));
  }
}

function changing(): Failure {
  return fail("index_unavailable", "The index is changing; try again.");
}

/** The state that counts these documents. */
export function counted(state: ShardState, change: PlannedWrites): ShardState {
  return { ...state, updates: state.updates + sizeOfChange(change) };
}
