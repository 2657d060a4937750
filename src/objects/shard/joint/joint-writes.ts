/**
 * This shard's side of updates that concern several shards (joint-update.ts has the protocol, with every crash): the
 * parts it holds for another shard that decides, and, as the first shard of its generation, the decisions.
 *
 *   hold      a part is planned like a write, in a turn, but instead of applying it the turn stores it (prepared-updates.ts)
 *   finish    another turn applies it, or it is dropped
 *   decide    a turn that applies the own part and writes the row "decided", in one commit
 */
import type { UpdateAnswer } from "../../../interface/index.ts";
import { type Change, sizeOfChange, counted, type WritePath } from "../writing/index.ts";
import type { LoadedShard } from "../loaded/index.ts";
import type { ShardStore } from "../store/index.ts";
import {
  isStale,
  STALE,
  type JointOutcome,
  type JointUpdateCall,
  type PrepareCall,
  type ShardResult,
  type Stale,
  type UpdateCall,
  type UpdateChange,
} from "../../protocol/index.ts";
import { Pause } from "../../pause.ts";
import { ok } from "../../results.ts";
import type { ObjectsEnv } from "../../stubs.ts";
import { MOST_ROUNDS, type Admission, type Freeze, type ShardMemory } from "../standing/index.ts";
import { JointUpdates, RESOLVE_AFTER_MS } from "./joint-update.ts";
import type { Maintenance } from "../maintenance/index.ts";
import { PreparedUpdates } from "./prepared-updates.ts";
import type { Lock } from "../locks.ts";

interface Parts {
  readonly store: ShardStore;
  readonly memory: ShardMemory;
  readonly admission: Admission;
  readonly freeze: Freeze;
  readonly writes: WritePath;
  readonly maintenance: Maintenance;
  readonly turns: Lock;
  /** Gets work that goes on after an answer. */
  readonly keep: (work: Promise<void>) => void;
}

export class JointWrites {
  readonly #parts: Parts;
  /** Parts that wait here. */
  readonly #prepared: PreparedUpdates;
  /** What this shard decides. */
  readonly #decisions: JointUpdates;

  constructor(env: ObjectsEnv, parts: Parts) {
    this.#parts = parts;
    this.#prepared = new PreparedUpdates(env, parts.store, {
      sources: (shard) => parts.memory.sources(shard),
      apply: (shard, change, pause, isHeld, also) =>
        this.#applyPart(shard, change, pause, isHeld, also),
      finish: (name, outcome) => this.finishPart(name, outcome),
    });
    this.#decisions = new JointUpdates(env, parts.store, {
      ready: (epoch) => this.#readyToWrite(epoch),
      decide: (call, isWanted, record) => this.#decide(call, isWanted, record),
      later: (body) => parts.keep(scheduler.wait(0).then(body)),
    });
  }

  // ---- as ShardApi has them

  async run(call: JointUpdateCall): Promise<ShardResult<readonly UpdateAnswer[]>> {
    const own = this.#parts.store.state()?.shard;
    return own === undefined ? STALE : this.#decisions.run(call, own);
  }

  hold(call: PrepareCall): Promise<ShardResult<UpdateAnswer>> {
    const update = { ...call.change, epoch: call.epoch };
    return this.#parts.writes.write(update, false, new Pause("update"), (_, __, change) => {
      this.#prepared.hold(call, change);
      this.#setAlarm();
      return ok(change.answer);
    });
  }

  async finishPart(name: string, outcome: JointOutcome): Promise<void> {
    const { store, memory, turns } = this.#parts;
    if (!store.isPrepared(name)) return;
    if (outcome === "aborted") {
      this.#prepared.drop(name);
      return;
    }
    await turns.run(async () => {
      for (let isOver = false; !isOver;) {
        const shard = await memory.load();
        isOver =
          shard === null ||
          (await this.#prepared.carryOut(
            name,
            shard,
            new Pause("update"),
            () => memory.current === shard,
          ));
      }
    });
  }

  /** Needs nothing loaded: shards ask while they are loaded themselves. */
  outcome(name: string, canWait: boolean): JointOutcome | "undecided" {
    return this.#decisions.outcome(name, canWait);
  }

  // ---- what other writes have to know

  /** Whether some of the ids are taken by a part that waits here. */
  takes(change: UpdateChange): boolean {
    return this.#prepared.takes(change);
  }

  /** Waits for whoever has taken some of the ids, not for long. */
  waitFor(change: UpdateChange): Promise<void> {
    return this.#prepared.waitFor(change);
  }

  // ---- what has to be over, and when

  /**
   * While the shard is loaded: whoever is answered from then on sees all of an update of several shards, or nothing of
   * it.
   */
  async settleLoading(shard: LoadedShard, isWanted: () => boolean): Promise<void> {
    await this.#prepared.resolveLoading(shard, isWanted);
    await this.#decisions.tellDecided();
  }

  /** Nothing is prepared any more, since the shard is frozen; afterwards nothing that was prepared is left. */
  settleFrozen(): Promise<void> {
    return this.#prepared.resolveAll(0, false);
  }

  /** By the alarm: what has been left for a while. */
  async settleOld(): Promise<void> {
    await this.#prepared.resolveAll(RESOLVE_AFTER_MS, true);
    await this.#decisions.tellDecided();
  }

  /** When to ask, or tell; Infinity: nothing is left. */
  dueMs(): number {
    const isOver = this.#prepared.isEmpty && this.#parts.store.decided().size === 0;
    return isOver ? Infinity : Date.now() + RESOLVE_AFTER_MS;
  }

  /** Nothing is prepared in SQLite any more: nobody waits for it. */
  clear(): void {
    this.#prepared.clear();
  }

  // ---- turns

  /** False: not held any more, or the shard is another one now. */
  async #applyPart(
    shard: LoadedShard,
    change: Change,
    pause: Pause | null,
    isHeld: () => boolean,
    also: () => void,
  ): Promise<boolean> {
    const { store, writes } = this.#parts;
    if (sizeOfChange(change) === 0) {
      if (!isHeld()) return false;
      store.transaction(also);
      return true;
    }
    const built = await writes.built(shard, change, pause, isHeld);
    const state = store.state();
    // A generation that is not live has nothing prepared; what is destroyed has nothing at all.
    if (built === null || state === null || !isHeld()) return false;
    writes.apply(shard, counted(state, change), built, also);
    return true;
  }

  async #readyToWrite(epoch: number): Promise<Stale | null> {
    const { admission, freeze } = this.#parts;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const shard = await admission.admit({ epoch });
      if (isStale(shard)) return shard;
      if (!(await freeze.wait())) return null;
    }
    return null;
  }

  async #decide(
    call: UpdateCall,
    isWanted: () => boolean,
    record: () => void,
  ): Promise<ShardResult<UpdateAnswer> | null> {
    const { store, freeze, writes } = this.#parts;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const answer = await writes.tryToWrite<UpdateAnswer | null>(
        call,
        true,
        new Pause("update"),
        (shard, state, change, built) => {
          if (!isWanted()) return ok(null);
          if (built !== null) writes.apply(shard, counted(state, change), built, record);
          else store.transaction(record);
          this.#setAlarm();
          return ok(change.answer);
        },
      );
      if (answer !== null) {
        if (isStale(answer) || !answer.ok) return answer;
        return answer.value === null ? null : ok(answer.value);
      }
      // Others hold their parts meanwhile, so nothing is waited for here.
      if (freeze.isOn) return null;
    }
    return null;
  }

  #setAlarm(): void {
    const { maintenance, keep } = this.#parts;
    if (maintenance.alarmInCommit(RESOLVE_AFTER_MS)) keep(maintenance.schedule());
  }
}
