/**
 * An update of several shards: all of it or nothing, whoever dies when. Two-phase commit with presumed abort. The
 * first shard of the generation coordinates all of them, so its memory knows everything that is under way; an update
 * of one shard never comes here.
 *
 *   Worker          coordinator (shard 0)                          each other shard concerned
 *     updateJointly -> waits for updates under way with the same ids
 *                      prepareUpdate ------------------------------> plans; keeps its part in SQLite: durable, not to be seen;
 *                      <------------------------------ answers ----- its ids wait (prepared-updates.ts)
 *                      decide: one turn, one commit: own part into the log, and the row "decided"
 *                      finishUpdate(committed) --------------------> one turn: into the log, the prepared row goes
 *     <- answers ----- afterwards the row "decided" goes
 *
 * ## States of one update, by its name
 *
 *   (none) -> preparing      in the coordinator's memory only
 *   preparing -> decided     the turn that writes the row "decided". Refused when the epoch has changed (STALE), amid a freeze, and when
 *                            it was aborted before
 *   preparing -> aborted     a part failed or was refused, the coordinator died, or somebody who cannot wait has asked what has become
 *                            of it: gets "aborted", and so it will be. Who can wait gets "undecided", for UNDECIDED_MS at most
 *   decided -> (none)        every shard has carried it out
 * No row "decided" means aborted: so an abort stores nothing, and what a dead coordinator had under way is aborted by
 * its death. A name is used once; an update that is tried again gets another.
 *
 * ## Who asks
 *
 * A shard that holds a part asks the coordinator (jointOutcome, which needs nothing loaded) and does what it is told:
 *   when it is loaded, before it answers anybody       what was decided before a crash is seen after it, or what was not is not
 *   before a freeze is granted                         so a generation that is left, or followed by a reindex, has all or nothing
 *   for a write that has waited a second for its ids   which can wait, as long as the coordinator is at it
 *   by its alarm, after two seconds                    the same
 * The first two cannot wait: loading and freezes hold everybody up. So shards take their time to plan and build large
 * parts, in steps between which searches go on, except while they are loaded.
 * The coordinator, when loaded and by its alarm, goes through its rows "decided" and tells the shards.
 *
 * ## What each crash does
 *
 *   coordinator before the decision      aborted, as soon as a holder asks
 *   coordinator after it                 it tells everyone before it answers anybody again; whoever asks hears "committed"
 *   shard before its part is stored      the call fails: aborted, and tried again under another name
 *   shard with a stored part             it asks when it is loaded
 *   shard after it carried the part out  told again, it finds nothing prepared: done
 *   a message late or twice              a part that is prepared after the decision to abort is asked for and dropped; a second "committed"
 *                                        finds nothing
 *   Worker                               the coordinator goes on
 *
 * What is not promised: between the first and the last shard that carries a part out, some milliseconds, a search may
 * see one part and not yet another. Afterwards, and after every restart, it sees all or nothing. Writes are as if one
 * after the other: the ids of all parts are taken before the decision and given back after the part is in the log.
 *
 * Blocked: writes to the same ids, while an update is under way. Never: reads.
 */
import type { UpdateAnswer } from "../../../interface/index.ts";
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
} from "../../protocol/index.ts";
import { detached, fail, ok, type Failure } from "../../results.ts";
import type { ShardStore } from "../store/index.ts";
import { shardStub, type ObjectsEnv } from "../../stubs.ts";

/** How long a prepared part, or a decision, is left to those who are at it before the alarm looks. */
export const RESOLVE_AFTER_MS = 2_000;

/**
 * Beyond this an update is given up for a write that waits for its ids: the calls of the coordinator may hang. Ten seconds
 * is what 16 MB take while searches come; a write that waits for ids gives up after twenty.
 */
const UNDECIDED_MS = 15_000;

/** Freezes and aborts from outside that one update goes through before it gives up. */
const ATTEMPTS = 20;

/** What the coordinating shard does itself. */
export interface Coordinator {
  /** Waits until a write could begin. */
  ready(epoch: number): Promise<Stale | null>;
  /**
   * The own part and `record`, in one commit. Null: amid a freeze, or `isWanted` has become false; then neither
   * happened.
   */
  decide(
    call: UpdateCall,
    isWanted: () => boolean,
    record: () => void,
  ): Promise<ShardResult<UpdateAnswer> | null>;
  /** After the answer. */
  later(body: () => void): void;
}

interface Running {
  readonly sinceMs: number;
  isAborted: boolean;
}

/** What an attempt came to; "again": nothing happened. */
type Attempted = ShardResult<readonly UpdateAnswer[]> | "again";

export class JointUpdates {
  readonly #env: ObjectsEnv;
  readonly #store: ShardStore;
  readonly #coordinator: Coordinator;
  /**
   * Those with ids in common come one after the other; without it they would wait, and abort each other, at the
   * shards.
   */
  readonly #ids = new IdLocks();
  /** Not yet decided. */
  readonly #running = new Map<string, Running>();
  /** Decided, and somebody is telling the shards. */
  readonly #telling = new Set<string>();

  constructor(env: ObjectsEnv, store: ShardStore, coordinator: Coordinator) {
    this.#env = env;
    this.#store = store;
    this.#coordinator = coordinator;
  }

  async run(call: JointUpdateCall, own: string): Promise<ShardResult<readonly UpdateAnswer[]>> {
    const ids = new Set(call.parts.flatMap((part) => part.ids));
    return this.#ids.run(ids, async () => {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const stale = await this.#coordinator.ready(call.epoch);
        if (stale !== null) return stale;
        // A shard that was reset under its call: nothing has happened, and the next attempt has another name.
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

  /** Tells of everything that is decided and that nobody is telling of. Throws when a shard cannot be reached. */
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
    const answers = new Map<UpdatePart, UpdateAnswer>();
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
      // The alarm goes on; the answer would have promised that it can be seen.
      console.error(JSON.stringify({ event: "joint_update_unfinished", reason: String(error) }));
      return fail(
        "index_unavailable",
        "The update is being carried out; send it again to be sure.",
      );
    } finally {
      this.#telling.delete(name);
    }
    return ok(call.parts.map((part) => answers.get(part) ?? {}));
  }

  /** Null: every part is prepared. Fails with the first call that threw. */
  async #prepare(
    { epoch }: JointUpdateCall,
    coordinator: string,
    name: string,
    parts: readonly UpdatePart[],
    answers: Map<UpdatePart, UpdateAnswer>,
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
    await forAll(shards, (shard) =>
      repeated(() => shardStub(this.#env, shard).finishUpdate(name, "committed")),
    );
  }

  /** Best effort: who does not hear of it asks. */
  async #abort(name: string, shards: readonly string[]): Promise<void> {
    await forAll(shards, (shard) =>
      shardStub(this.#env, shard).finishUpdate(name, "aborted"),
    ).catch(() => undefined);
  }
}

/** The part of a coordinator that has none of the documents. */
const NOTHING = { kind: "delete", ids: [] } as const;
