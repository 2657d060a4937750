/**
 * A shard's side of joint updates (protocol: joint-update.ts): the parts it holds for the coordinator, and, on the
 * first shard of the generation, the decisions.
 *
 *   hold      plans a part like a write, in a turn, and stores it instead of applying it (prepared-updates.ts)
 *   finish    applies it in another turn, or drops it
 *   decide    applies the own part and writes the row "decided", in one turn and commit
 */
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
  type ShardUpdateAnswer,
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
  /** Takes work that continues after the answer. */
  readonly keep: (work: Promise<void>) => void;
}

export class JointWrites {
  readonly #parts: Parts;
  /** Parts held for the coordinator. */
  readonly #prepared: PreparedUpdates;
  /** Updates that this shard coordinates. */
  readonly #decisions: JointUpdates;

  constructor(env: ObjectsEnv, parts: Parts) {
    this.#parts = parts;
    this.#prepared = new PreparedUpdates(env, parts.store, {
      sources: (shard) => parts.memory.sources(shard),
      apply: (shard, change, pause, isHeld, also) => this.#applyPart(shard, change, pause, isHeld, also),
      finish: (name, outcome) => this.finishPart(name, outcome),
    });
    this.#decisions = new JointUpdates(env, parts.store, {
      ready: (epoch) => this.#readyToWrite(epoch),
      decide: (call, isWanted, record) => this.#decide(call, isWanted, record),
      later: (body) => parts.keep(scheduler.wait(0).then(body)),
    });
  }

  // ---- ShardApi

  async run(call: JointUpdateCall): Promise<ShardResult<readonly ShardUpdateAnswer[]>> {
    const { store, writes } = this.#parts;
    const own = store.state()?.shard;
    if (own === undefined) return STALE;
    const changes = call.parts.map(({ change }) => change);
    return writes.waiting(changes, () => this.#decisions.run(call, own));
  }

  hold(call: PrepareCall): Promise<ShardResult<ShardUpdateAnswer>> {
    const { writes } = this.#parts;
    const update = { ...call.change, epoch: call.epoch };
    return writes.waiting([update], () =>
      writes.write(update, false, new Pause("update"), (_, __, change) => {
        this.#prepared.hold(call, change);
        this.#setAlarm();
        return ok(change.answer);
      }),
    );
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
          (await this.#prepared.carryOut(name, shard, new Pause("update"), () => memory.current === shard));
      }
    });
  }

  /** Loads nothing, because shards ask while they are loading. */
  outcome(name: string, canWait: boolean): JointOutcome | "undecided" {
    return this.#decisions.outcome(name, canWait);
  }

  // ---- locked ids

  /** Whether a held part locks some of the ids. */
  takes(change: UpdateChange, pause: Pause): Promise<boolean> {
    return this.#prepared.takes(change, pause);
  }

  /** Waits for a limited time until these ids are unlocked. */
  waitFor(change: UpdateChange, pause: Pause): Promise<void> {
    return this.#prepared.waitFor(change, pause);
  }

  // ---- resolving

  /** Part of loading, so every later answer sees all of a joint update or nothing of it. */
  async settleLoading(shard: LoadedShard, isWanted: () => boolean): Promise<void> {
    await this.#prepared.resolveLoading(shard, isWanted);
    await this.#decisions.tellDecided();
  }

  /** Resolves all held parts. A frozen shard prepares no new ones. */
  settleFrozen(): Promise<void> {
    return this.#prepared.resolveAll(0, false);
  }

  /** Called by the alarm: resolves what is older than RESOLVE_AFTER_MS. */
  async settleOld(): Promise<void> {
    await this.#prepared.resolveAll(RESOLVE_AFTER_MS, true);
    await this.#decisions.tellDecided();
  }

  /** Time of the next `settleOld`; Infinity: not needed. */
  dueMs(): number {
    const isOver = this.#prepared.isEmpty && !this.#parts.store.hasDecided();
    return isOver ? Infinity : Date.now() + RESOLVE_AFTER_MS;
  }

  /** Call when SQLite has no prepared parts any more. */
  clear(): void {
    this.#prepared.clear();
  }

  // ---- turns

  /** False: no longer held, or the shard was replaced. */
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
    // A generation that is not live has no prepared parts.
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
  ): Promise<ShardResult<ShardUpdateAnswer> | null> {
    const { store, freeze, writes } = this.#parts;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const answer = await writes.tryToWrite<ShardUpdateAnswer | null>(
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
      // Do not wait, because other shards hold their parts.
      if (freeze.isOn) return null;
    }
    return null;
  }

  #setAlarm(): void {
    const { maintenance, keep } = this.#parts;
    if (maintenance.alarmInCommit(RESOLVE_AFTER_MS)) keep(maintenance.schedule());
  }
}
