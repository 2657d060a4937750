/**
 * The writes of a shard, from the call to the reader: queue -> plan -> build -> apply.
 *
 *   update         waits in the queue for its batch (writing/update-queue.ts); refused where too much waits already
 *   batch          several updates in one turn. One whose ids are taken, or whose sources are in R2, goes on alone; nobody waits for it.
 *                  Where a freeze begins, or the shard is loaded anew, all that are left try again together afterwards
 *   write          one alone: tries its turn, waits for what is in the way (a freeze, ids that a joint update has taken, sources that are
 *                  read from R2), tries again
 *   plan, build    in steps that give way, as an update may bring 16 MB: no other update comes in between, searches do. What they
 *                  make is forgotten where a freeze begins, the epoch moves or the shard is loaded anew meanwhile
 *   apply          one synchronous turn: epoch, freeze, taken ids and size are checked, then row of the log, counters and alarm in one commit,
 *                  and the new reader. So what was checked is true when the row is written, and an update is seen whole or not at all
 *
 * SQLite's commit and the new reader are one turn, so a crash keeps both or neither; the output gate holds the answer
 * until the commit is durable. Patches of numbers nobody searches make no segment: the row of the log has the numbers,
 * the reader lays them over (writing/updates.ts, index-engine/index/doc-values); manifests keep them beside the deletions. After
 * a restart loading replays the log: it opens its segments in order and applies their ids as deletions to everything
 * before: the same bytes, the same answers. Merging keeps it short (log/log-merging.ts): at most 8 segments in
 * memory, for a moment more, because writes go on while a merge is under way.
 *
 * Updates hold `turns` one after the other, also joint ones (joint-writes.ts), those of a reindex (reindex-target.ts)
 * and both ends of a checkpoint (checkpoints.ts). What is waited for is waited for outside: it may need a turn itself.
 */
import type { UpdateAnswer } from "../../../interface/index.ts";
import {
  type BuiltChange,
  buildSteps,
  type Change,
  changedIds,
  missingSources,
  planSteps,
  type PlannedWrites,
  prepare,
  sizeOfChange,
  writeChange,
  Writes,
} from "./updates.ts";
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
} from "../../protocol/index.ts";
import { fail, ok, type Failure } from "../../results.ts";
import {
  MOST_ROUNDS,
  type Admission,
  type Freeze,
  type ShardMemory,
  admits,
} from "../standing/index.ts";
import type { Growth, Maintenance } from "../maintenance/index.ts";
import type { Lock } from "../locks.ts";

/** What becomes of a planned change, in the turn in which it was found to be right; `built` where it was asked for. */
export type WriteTurn<T> = (
  shard: LoadedShard,
  state: ShardState,
  change: Change,
  built: BuiltChange | null,
) => ShardResult<T>;

interface Parts {
  readonly store: ShardStore;
  readonly memory: ShardMemory;
  readonly admission: Admission;
  readonly freeze: Freeze;
  readonly growth: Growth;
  readonly maintenance: Maintenance;
  readonly turns: Lock;
  /** Ids that are taken for a while. */
  readonly taken: {
    takes(change: UpdateChange): boolean;
    waitFor(change: UpdateChange): Promise<void>;
  };
  /** As they are set now. */
  readonly mostPendingBytes: () => number;
  readonly checkpointAfterMs: () => number;
  /** Gets work that goes on after an answer. */
  readonly keep: (work: Promise<void>) => void;
}

export class WritePath {
  readonly #parts: Parts;
  readonly #queue: UpdateQueue;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#queue = new UpdateQueue((batch) => this.#batch(batch), parts.keep, isSearched);
  }

  /** As ShardApi.update; too_many_requests. */
  async update(call: UpdateCall): Promise<ShardResult<UpdateAnswer>> {
    const waitingBytes = this.#queue.sizeBytes;
    if (waitingBytes > 0 && waitingBytes + bytesOf(call) > this.#parts.mostPendingBytes()) {
      return fail("too_many_requests", "Too many updates wait for their turn; send it again.");
    }
    return this.#queue.add(call);
  }

  async #batch(batch: readonly WaitingUpdate[]): Promise<void> {
    const { turns, freeze } = this.#parts;
    let left = batch;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      left = await turns.run(() => this.#batchTurn(left));
      if (left.length === 0) return;
      // Not within the lock: what is waited for may need it.
      await freeze.wait();
    }
    for (const one of left) one.settle(changing());
  }

  /** Those that are to be tried again. */
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
      // What it reads for this is not looked for again.
      await prepare(shard, sources, one.call, pause);
      const missing = await paused(missingSources(shard, sources, one.call), pause);
      if (missing.length > 0) this.#alone(one);
      else ready.push(one);
    }
    return this.#together(shard, sources, ready, pause);
  }

  /** Carries the updates out in one turn. Answers those that are to be tried again. */
  async #together(
    shard: LoadedShard,
    sources: SourceReader,
    updates: readonly WaitingUpdate[],
    pause: Pause,
  ): Promise<readonly WaitingUpdate[]> {
    const { store, growth, taken } = this.#parts;
    const isOpen = (): boolean => this.#isOpen(shard);
    if (!isOpen()) return updates;
    const planned = new Writes();
    const answers = new Map<WaitingUpdate, UpdateAnswer>();
    const left = new Set(updates);
    const refusal = growth.refuses(shard);
    for (const one of updates) {
      const { call } = one;
      const serving = store.serving();
      if (serving === null) return [...left];
      if (!admits(serving, call)) one.settle(STALE);
      else if (call.kind !== "delete" && refusal !== null) one.settle(refusal);
      else if (taken.takes(call)) this.#alone(one);
      else {
        const change = await stepped(planSteps(shard, sources, call, planned), pause, isOpen);
        if (change === null) return [...left];
        answers.set(one, change.answer);
        continue;
      }
      left.delete(one);
    }
    if (answers.size === 0) return [];
    const built = await this.built(shard, planned, pause, isOpen);
    // ---- from here on one turn, no await
    const state = store.state();
    if (built === null || state === null || !isOpen()) return [...left];
    for (const { call } of left) if (!admits(state, call)) return [...left];
    if (sizeOfChange(planned) > 0) this.apply(shard, counted(state, planned), built);
    for (const [one, answer] of answers) one.settle(ok(answer));
    return [];
  }

  /** Whether an update of this shard may be carried out now. */
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
   * `then` carries the change out, in the turn in which it was found to be right; `isBuilt`: with its segment, where it
   * changes something. Waits for what is in the way; index_unavailable.
   */
  async write<T>(
    call: UpdateCall,
    isBuilt: boolean,
    pause: Pause,
    then: WriteTurn<T>,
  ): Promise<ShardResult<T>> {
    const { freeze, taken } = this.#parts;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const answer = await this.tryToWrite(call, isBuilt, pause, then);
      if (answer !== null) return answer;
      // Not within the lock: what is waited for may need it.
      if (!(await freeze.wait())) await taken.waitFor(call);
    }
    return changing();
  }

  /** The same without waiting. Null: not now, or everything has to be looked at again. */
  tryToWrite<T>(
    call: UpdateCall,
    isBuilt: boolean,
    pause: Pause,
    then: WriteTurn<T>,
  ): Promise<ShardResult<T> | null> {
    return this.#parts.turns.run(() => this.#turn(call, isBuilt, pause, then));
  }

  async #turn<T>(
    call: UpdateCall,
    isBuilt: boolean,
    pause: Pause,
    then: WriteTurn<T>,
  ): Promise<ShardResult<T> | null> {
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
    if (!isOpen() || taken.takes(call)) return null;
    const refusal = growth.refuses(shard);
    if (call.kind !== "delete" && refusal !== null) return refusal;
    const change = await stepped(planSteps(shard, sources, call), pause, isOpen);
    if (change === null) return null;
    const needsSegment = isBuilt && sizeOfChange(change) > 0;
    const built = needsSegment ? await this.built(shard, change, pause, isOpen) : null;
    // ---- from here to the return: one turn, no await
    const state = store.state();
    if (state === null || !admits(state, call)) return STALE;
    if (!isOpen() || (needsSegment && built === null)) return null;
    return then(shard, state, change, built);
  }

  /** The change as the next update; the caller holds `turns` until it is applied. Null: not any more. */
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

  /** Log, sources, counters (`state`), alarm and `also` in one commit, then the reader, all in the caller's turn. */
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
    // A log that begins must have its alarm in the same commit: this incarnation may never come to afterWrite.
    if (state.dirtySinceMs === null) maintenance.alarmInCommit(this.#parts.checkpointAfterMs());
    this.#parts.keep(maintenance.afterWrite(shard));
  }
}

function changing(): Failure {
  return fail("index_unavailable", "The index is changing; try again.");
}

/** The state with these documents counted. */
export function counted(state: ShardState, change: PlannedWrites): ShardState {
  return { ...state, updates: state.updates + sizeOfChange(change) };
}
