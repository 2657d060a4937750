/**
 * A joint update changes several shards atomically, whichever of them crash: two-phase commit with presumed abort. The
 * first shard of the generation coordinates all joint updates, so its memory knows everything under way. Updates of one
 * shard do not come here.
 *
 *   Worker          coordinator (shard 0)                          each other shard concerned
 *     updateJointly -> waits for updates under way with the same ids
 *                      prepareUpdate ------------------------------> plans; stores its part in SQLite, durable but not
 *                      visible; <------------------------------ answers ----- locks its ids (prepared-updates.ts)
 *                      decide: in one turn and commit, writes the own part to the log, and the row "decided"
 *                      finishUpdate(committed) --------------------> in one turn, moves the part to the log
 *     <- answers ----- then deletes the row "decided"
 *
 * ## States of one update, by its name
 *
 *   (none) -> preparing      in the coordinator's memory only
 *   preparing -> decided     the turn that writes the row "decided". Refused if the epoch changed (STALE), during a freeze, and after an
 *                            abort
 *   preparing -> aborted     a part failed or was refused, the coordinator crashed, or a caller that cannot wait asked for the outcome.
 *                            Callers that can wait get "undecided", for at most UNDECIDED_MS
 *   decided -> (none)        every shard has applied its part
 * No row "decided" means aborted. So an abort stores nothing, and a crash of the coordinator aborts what it had under
 * way. A name is used once; a repeated update gets a new one.
 *
 * ## Resolving prepared parts
 *
 * A shard with a prepared part asks the coordinator for the outcome (jointOutcome, which loads nothing):
 *   while it is loaded, before it answers any call    so a decided update is visible after a crash, and others are not
 *   before it grants a freeze                         so the old generation, or a reindex of it, has all or nothing
 *   when a write has waited a second for its ids      may wait while the coordinator works
 *   by its alarm, after two seconds                   the same
 * The first two cannot wait, because loading and freezes block all calls. Shards plan and build large parts in steps,
 * so searches can run in between, except while loading.
 * The coordinator sends the outcome of its rows "decided" when it is loaded and by its alarm.
 *
 * ## Crashes
 *
 *   coordinator before the decision      aborted when a holder asks
 *   coordinator after the decision       sends the outcome before it answers any call; holders that ask get "committed"
 *   shard before its part is stored      the call fails: aborted, and repeated under another name
 *   shard with a stored part             asks when it is loaded
 *   shard after applying its part        when called again, it finds nothing prepared and is done
 *   late or repeated message             a part prepared after the abort is resolved and dropped; a second "committed" finds nothing
 *   Worker                               the coordinator continues
 *
 * For some milliseconds, between the first and the last shard that applies its part, a search may see one part but not
 * another. Afterwards, and after every restart, it sees all or nothing. Writes are serial: the ids of all parts are
 * locked before the decision and unlocked when the part is in the log.
 *
 * A joint update blocks writes to its ids, but never reads.
 */
import { forAll, repeated } from "../../calls.ts";
import { IdLocks } from "../locks.ts";
import {
  isStale,
  STALE,
  type JointOutcome,
  type JointUpdateCall,
  type ShardResult,
  type Stale,
  type UpdateCall,
  type UpdatePart,
  type ShardUpdateAnswer,
} from "../../protocol/index.ts";
import { detached, fail, ok, type Failure } from "../../results.ts";
import type { ShardStore } from "../store/index.ts";
import { shardStub, type ObjectsEnv } from "../../stubs.ts";

/** After this time the alarm resolves a prepared part or a decision. */
export const RESOLVE_AFTER_MS = 2_000;

/**
 * After this time an update is aborted for a write that waits for its ids, because the coordinator's calls may hang. An
 * update of 16 MB takes ten seconds beside searches; a write waits for ids for at most twenty.
 */
const UNDECIDED_MS = 15_000;

/** Attempts of an update that is interrupted by freezes and aborts. */
const ATTEMPTS = 20;

/** The coordinating shard. */
export interface Coordinator {
  /** Waits until a write may begin. */
  ready(epoch: number): Promise<Stale | null>;
  /**
   * Applies the own part and `record` in one commit. Null: neither, because of a freeze or because `isWanted` is false.
   */
  decide(call: UpdateCall, isWanted: () => boolean, record: () => void): Promise<ShardResult<ShardUpdateAnswer> | null>;
  /** Runs `body` after the answer. */
  later(body: () => void): void;
}

interface Running {
  readonly sinceMs: number;
  isAborted: boolean;
}

/** "again": nothing was changed. */
type Attempted = ShardResult<readonly ShardUpdateAnswer[]> | "again";

export class JointUpdates {
  readonly #env: ObjectsEnv;
  readonly #store: ShardStore;
  readonly #coordinator: Coordinator;
  /** Serialises updates with common ids, which would otherwise abort each other at the shards. */
  readonly #ids = new IdLocks();
  /** Not yet decided. */
  readonly #running = new Map<string, Running>();
  /** Decided, and being sent to the shards. */
  readonly #telling = new Set<string>();

  constructor(env: ObjectsEnv, store: ShardStore, coordinator: Coordinator) {
    this.#env = env;
    this.#store = store;
    this.#coordinator = coordinator;
  }

  async run(call: JointUpdateCall, own: string): Promise<ShardResult<readonly ShardUpdateAnswer[]>> {
    const ids = new Set(call.parts.flatMap((part) => part.ids));
    return this.#ids.run(ids, async () => {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const stale = await this.#coordinator.ready(call.epoch);
        if (stale !== null) return stale;
        // After a reset of a shard nothing has changed, and the next attempt has another name.
        const attempted = await repeated(() => this.#attempt(call, own));
        if (attempted !== "again") return attempted;
      }
      return fail("index_unavailable", "The index is changing; try again.");
    });
  }

  outcome(name: string, canWait: boolean): JointOutcome | "undecided" {
    if (this.#store.isDecided(name)) return "committed";
    const running = this.#running.get(name);
    if (running === undefined) return "aborted";
    const isYoung = Date.now() - running.sinceMs < UNDECIDED_MS;
    if (canWait && isYoung && !running.isAborted) return "undecided";
    running.isAborted = true;
    return "aborted";
  }

  /** Sends the outcome of all decided updates that are not being sent. Throws if a shard cannot be reached. */
  async tellDecided(): Promise<void> {
    for (const [name, shards] of this.#store.decided()) {
      if (this.#telling.has(name)) continue;
      await this.#tell(name, shards);
      this.#store.dropDecided(name);
    }
  }

  async #attempt(call: JointUpdateCall, own: string): Promise<Attempted> {
    const name = crypto.randomUUID();
    const running: Running = { sinceMs: Date.now(), isAborted: false };
    this.#running.set(name, running);
    const others = call.parts.filter((part) => part.shard !== own);
    const shards = others.map(({ shard }) => shard);
    const answers = new Map<UpdatePart, ShardUpdateAnswer>();
    const asked: string[] = [];
    let isDecided = false;
    try {
      const refused = await this.#prepare(call, own, name, others, answers, asked);
      if (refused !== null) return refused;
      const ownPart = call.parts.find((part) => part.shard === own);
      const decided = await this.#coordinator.decide(
        { ...(ownPart?.change ?? NOTHING), epoch: call.epoch },
        () => !running.isAborted,
        () => this.#store.putDecided(name, shards),
      );
      if (decided === null) return "again";
      if (isStale(decided) || !decided.ok) return decided;
      isDecided = true;
      this.#telling.add(name);
      if (ownPart !== undefined) answers.set(ownPart, decided.value);
    } finally {
      this.#running.delete(name);
      if (!isDecided) await this.#abort(name, asked);
    }
    try {
      await this.#tell(name, shards);
      this.#coordinator.later(() => this.#store.dropDecided(name));
    } catch (error) {
      // The alarm continues; a success would promise that the update is visible.
      console.error(JSON.stringify({ event: "joint_update_unfinished", reason: String(error) }));
      return fail("index_unavailable", "The update is in progress; send it again to be sure.");
    } finally {
      this.#telling.delete(name);
    }
    return ok(call.parts.map((part) => answers.get(part) ?? {}));
  }

  /** Null: every part is prepared. Throws the error of the first failed call. */
  async #prepare(
    { epoch }: JointUpdateCall,
    coordinator: string,
    name: string,
    parts: readonly UpdatePart[],
    answers: Map<UpdatePart, ShardUpdateAnswer>,
    asked: string[],
  ): Promise<Stale | Failure | null> {
    let refused: Stale | Failure | null = null;
    await forAll(parts, async (part) => {
      if (refused !== null) return;
      asked.push(part.shard);
      const { change, ids } = part;
      const call = { epoch, name, coordinator, change, ids };
      const answer = detached(await shardStub(this.#env, part.shard).prepareUpdate(call));
      if (isStale(answer)) refused = STALE;
      else if (answer.ok) answers.set(part, answer.value);
      else refused ??= answer;
    });
    return refused;
  }

  async #tell(name: string, shards: readonly string[]): Promise<void> {
    await forAll(shards, (shard) => repeated(() => shardStub(this.#env, shard).finishUpdate(name, "committed")));
  }

  /** Best effort: shards that miss it will ask. */
  async #abort(name: string, shards: readonly string[]): Promise<void> {
    await forAll(shards, (shard) => shardStub(this.#env, shard).finishUpdate(name, "aborted")).catch(() => undefined);
  }
}

/** The own part, if no document is on the coordinator. */
const NOTHING = { kind: "delete", ids: [] } as const;
