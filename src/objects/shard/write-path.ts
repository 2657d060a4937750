/**
 * The writes of a shard, from the call to the reader: queue -> plan -> apply.
 *
 *   update         waits in the queue for its batch (state/update-queue.ts); refused where too much waits already
 *   batch          several updates in one turn. One that cannot be carried out now, or has to be looked at more closely, goes on alone;
 *                  nobody waits for it
 *   write          one alone: tries its turn, waits for what is in the way (a freeze, ids that a joint update has taken, sources that are
 *                  read from R2), tries again
 *   a turn         epoch, freeze, taken ids and size are checked, the change is planned and applied: one synchronous turn from check to
 *                  apply, no await between. So what was checked is still true when the row of the log is written
 *   apply          documents -> tiny segment; row of the log, sources, counters and alarm in one commit; then the new reader, in the same turn
 *
 * SQLite's commit and the new reader are one turn, so a crash keeps both or neither; the output gate holds the answer
 * until the commit is durable. Patches of numbers nobody searches make no segment: the row of the log has the numbers,
 * the reader lays them over (state/updates.ts, index-engine/index/doc-values); manifests keep them beside the deletions. After
 * a restart loading replays the log: it opens its segments in order and applies their ids as deletions to everything
 * before: the same bytes, the same answers. Merging keeps it short (state/log-merging.ts): at most 8 segments in
 * memory, for a moment more, because writes go on while a merge is under way.
 *
 * Turns come one after the other (`turns`), also those of joint updates (joint-writes.ts), of a reindex
 * (reindex-target.ts) and both ends of a checkpoint (checkpoints.ts). What is waited for is waited for outside: it may
 * need a turn itself.
 */
import type { UpdateAnswer } from "../../interface/index.ts";
import {
  bytesOf,
  type Change,
  changedIds,
  type LoadedShard,
  missingSources,
  planChange,
  type PlannedWrites,
  prepare,
  type ShardState,
  type ShardStore,
  sizeOfChange,
  UpdateQueue,
  type WaitingUpdate,
  writeChange,
  Writes,
} from "./state/index.ts";
import { isSearched, Pause } from "../pause.ts";
import {
  isStale,
  STALE,
  type ShardResult,
  type UpdateCall,
  type UpdateChange,
} from "../protocol/index.ts";
import { fail, ok } from "../results.ts";
import { MOST_ROUNDS, type Admission } from "./admission.ts";
import type { Freeze } from "./freeze.ts";
import type { Growth } from "./growth.ts";
import type { Maintenance } from "./maintenance.ts";
import type { ShardMemory } from "./memory.ts";
import { admits } from "./standing.ts";
import type { Lock } from "./write-lock.ts";

/** What becomes of a planned change, in the same turn. */
export type WriteTurn<T> = (
  shard: LoadedShard,
  state: ShardState,
  change: Change,
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
    const { store, memory, admission, freeze, growth, taken, turns } = this.#parts;
    await turns.run(async () => {
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
      if (shard === undefined) return;
      const alone = (one: WaitingUpdate): void => one.settle(this.#alone(one.call));
      const sources = memory.sources(shard);
      const pause = new Pause("update");
      const ready: WaitingUpdate[] = [];
      for (const { one } of admitted) {
        // What it reads for this is not looked for again.
        await prepare(shard, sources, one.call, pause);
        if (missingSources(shard, sources, one.call).length > 0) alone(one);
        else ready.push(one);
      }
      // ---- from here on one turn, no await
      const state = store.state();
      if (state === null || memory.current !== shard || freeze.isOn) {
        for (const one of ready) alone(one);
        return;
      }
      const planned = new Writes();
      const answers: (readonly [WaitingUpdate, UpdateAnswer])[] = [];
      const refusal = growth.refuses(shard);
      for (const one of ready) {
        const { call } = one;
        if (!admits(state, call)) one.settle(STALE);
        else if (taken.takes(call)) alone(one);
        else if (call.kind !== "delete" && refusal !== null) one.settle(refusal);
        else answers.push([one, planChange(shard, sources, call, planned).answer]);
      }
      if (sizeOfChange(planned) > 0) this.apply(shard, counted(state, planned), planned);
      for (const [one, answer] of answers) one.settle(ok(answer));
    });
  }

  #alone(call: UpdateCall): Promise<ShardResult<UpdateAnswer>> {
    return this.write(call, (shard, state, change) => {
      if (sizeOfChange(change) > 0) this.apply(shard, counted(state, change), change);
      return ok(change.answer);
    });
  }

  /** `then` carries the change out, in the turn it was planned in. Waits for what is in the way; index_unavailable. */
  async write<T>(call: UpdateCall, then: WriteTurn<T>): Promise<ShardResult<T>> {
    const { freeze, taken } = this.#parts;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const answer = await this.tryToWrite(call, then);
      if (answer !== null) return answer;
      // Not within the lock: what is waited for may need it.
      if (!(await freeze.wait())) await taken.waitFor(call);
    }
    return fail("index_unavailable", "The index is changing; try again.");
  }

  /** The same without waiting. Null: not now, or everything has to be looked at again. */
  tryToWrite<T>(call: UpdateCall, then: WriteTurn<T>): Promise<ShardResult<T> | null> {
    return this.#parts.turns.run(() => this.#turn(call, then));
  }

  async #turn<T>(call: UpdateCall, then: WriteTurn<T>): Promise<ShardResult<T> | null> {
    const { store, memory, admission, freeze, growth, taken } = this.#parts;
    const shard = await admission.admit(call);
    if (isStale(shard)) return shard;
    const sources = memory.sources(shard);
    const missing = missingSources(shard, sources, call);
    if (missing.length > 0) {
      await sources.fetch(missing);
      return null;
    }
    // ---- from here to the return: one turn, no await
    const state = store.state();
    if (state === null || !admits(state, call)) return STALE;
    if (memory.current !== shard || freeze.isOn) return null;
    if (taken.takes(call)) return null;
    const refusal = growth.refuses(shard);
    if (call.kind !== "delete" && refusal !== null) return refusal;
    return then(shard, state, planChange(shard, sources, call));
  }

  /** Log, sources, counters (`state`), alarm and `also` in one commit, then the reader, all in the caller's turn. */
  apply(shard: LoadedShard, state: ShardState, change: PlannedWrites, also?: () => void): void {
    const { store, maintenance } = this.#parts;
    const position = state.logPosition + 1;
    const applied = store.transaction(() => {
      also?.();
      store.put({
        ...state,
        logPosition: position,
        dirtySinceMs: state.dirtySinceMs ?? Date.now(),
      });
      if (store.following() !== null) store.note(changedIds(change), position);
      return writeChange(store, shard, change, position);
    });
    shard.reader = applied.reader;
    shard.log = [...shard.log, applied.entry];
    // A log that begins must have its alarm in the same commit: this incarnation may never come to afterWrite.
    if (state.dirtySinceMs === null) maintenance.alarmInCommit(this.#parts.checkpointAfterMs());
    this.#parts.keep(maintenance.afterWrite(shard));
  }
}

/** The state with these documents counted. */
export function counted(state: ShardState, change: PlannedWrites): ShardState {
  return { ...state, updates: state.updates + sizeOfChange(change) };
}
