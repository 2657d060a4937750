/**
 * The decisions of an index. Each method is the body of one transaction of its object, which changes pointer, session
 * states and notices together.
 *
 * ## Publishing: steps 2 to 4 (1 is in session/publishing.ts)
 *
 *   beginFreeze   stores a token for the session, bound to the live generation. The session freezes its shards with the token
 *                 under a lease.
 *   commit        one transaction. If the session is still publishing, the token is valid, and the frozen generation is still live:
 *                 pointer = new generation, kept = old one, epoch + 1, session completed, fence pending. Repeating the
 *                 commit of a completed session returns the same and changes nothing.
 *   fence         notifies old shards ("retired at epoch e"), new shards ("live at e") and the catalog ("this index is live"). `done`
 *                 answers afterwards. After a crash the alarm or the next call finishes the stored `fence pending`.
 *
 * Why a token: a shard whose lease expired accepts writes again, and a later commit would lose them. So the shard first
 * voids the token here (standing). Both happen in turns of one object. Either the commit was first: the shard learns
 * that it is retired, and the write goes to the new generation. Or the void was first: the commit answers freeze_lost
 * and the session freezes again. No clock decides. Why bound to the generation: two sessions may publish at the same
 * time, and the second must freeze what the first made live.
 *
 * ## Rollback
 *
 * Freezes the live shards, swaps pointer and kept generation in one transaction (epoch + 1, fence pending), and
 * fences. The replaced generation keeps the updates in its log, so a second rollback rolls forward. After a crash
 * before the transaction the lease expires and nothing has happened.
 */
import { garbageGraceMs } from "../settings.ts";
import type { GarbageRow, Generation, IndexState, IndexStore, SessionRow } from "./store.ts";
import { shardName } from "../names.ts";
import { shardRanges } from "../partition.ts";
import type { CommitAnswer, CommitCall, FreezeToken } from "../protocol/index.ts";

/** Owner of the freeze of a rollback; not a session name. */
export const ROLLBACK = "rollback";

export class Decisions {
  readonly #env: object;
  readonly #store: IndexStore;

  constructor(env: object, store: IndexStore) {
    this.#env = env;
    this.#store = store;
  }

  newFreeze(owner: string): FreezeToken {
    const state = this.#store.state();
    if (state === null) throw new Error(`freeze for ${owner} of an index that does not exist`);
    const token = state.lastToken + 1;
    this.#store.put({ ...state, lastToken: token });
    this.#store.addFreeze(token, owner, state.live?.generation ?? 0);
    return { token, shards: state.live?.shards ?? [] };
  }

  /** The commit, within one transaction. */
  decide(call: CommitCall): CommitAnswer {
    const name = call.temporaryIndexName;
    const state = this.#store.state();
    const row = this.#store.session(name);
    if (state === null || row === null) return { outcome: "refused", state: "removed" };
    if (row.state === "completed") return { outcome: "committed", epoch: row.epoch };
    if (row.state !== "publishing") return { outcome: "refused", state: row.state };
    if (row.onlyIfMissing && state.live !== null) {
      this.end(row, "cancelled");
      return { outcome: "refused", state: "cancelled" };
    }
    if (!this.#store.holdsFreeze(call.token, name, state.live?.generation ?? 0)) {
      return { outcome: "freeze_lost" };
    }
    const generation: Generation = {
      generation: row.generation,
      physicalName: name,
      locale: row.locale,
      language: row.language,
      shards: call.shards,
      partitions: call.partitions ?? shardRanges(call.shards.length),
      publishedAtMs: Date.now(),
    };
    const epoch = this.flip(state, generation);
    if (state.kept !== null) this.#addGarbage("dropped", state.kept);
    this.#store.setSession(name, { state: "completed", epoch });
    this.#store.send({ kind: "live", live: true });
    this.#store.send({ kind: "forget", session: name });
    for (const shard of row.shards) {
      if (!call.shards.includes(shard)) this.#store.send({ kind: "destroy", shard });
    }
    this.#addGarbage("live", generation);
    return { outcome: "committed", epoch };
  }

  /** Within a transaction: `next` becomes live, the live one becomes kept, all shards of both are notified. */
  flip(state: IndexState, next: Generation): number {
    const epoch = state.epoch + 1;
    this.#store.put({ ...state, epoch, live: next, kept: state.live });
    this.#store.voidAllFreezes();
    for (const shard of state.live?.shards ?? []) {
      this.#store.send({ kind: "standing", shard, standing: { live: false, epoch } });
    }
    for (const shard of next.shards) {
      this.#store.send({ kind: "standing", shard, standing: { live: true, epoch } });
    }
    return epoch;
  }

  #addGarbage(kind: GarbageRow["kind"], of: Pick<GarbageRow, "generation" | "physicalName" | "shards">): void {
    const { generation, physicalName, shards } = of;
    this.#store.addGarbage({ generation, kind, physicalName, shards, dueMs: Date.now() + garbageGraceMs(this.#env) });
  }

  /** Within one transaction. Null: the freeze was lost or another generation went live; freeze again. */
  goBack(token: number): Generation | null {
    const now = this.#store.state();
    if (now === null || now.live === null || now.kept === null) return null;
    if (!this.#store.holdsFreeze(token, ROLLBACK, now.live.generation)) return null;
    this.flip(now, now.kept);
    this.#store.send({ kind: "live", live: true });
    return now.kept;
  }

  /** Drops the live and kept generations and removes unfinished sessions. */
  remove(state: IndexState): void {
    const epoch = state.epoch + 1;
    this.#store.put({ ...state, epoch, live: null, kept: null });
    this.#store.voidAllFreezes();
    for (const generation of [state.live, state.kept]) {
      if (generation === null) continue;
      this.#addGarbage("dropped", generation);
      for (const shard of generation.shards) {
        this.#store.send({ kind: "standing", shard, standing: { live: false, epoch } });
      }
    }
    for (const row of this.#store.sessions()) {
      if (row.state === "open" || row.state === "publishing") this.end(row, "removed");
    }
    this.#store.send({ kind: "live", live: false });
  }

  /** Within a transaction: ends the session without going live. */
  end(row: SessionRow, end: "cancelled" | "removed"): void {
    this.#store.setSession(row.temporaryIndexName, { state: end });
    this.#store.send({ kind: "settle", session: row.temporaryIndexName, state: end });
    this.#store.send({ kind: "forget", session: row.temporaryIndexName });
    // `shards` may contain shards opened by a failed publication.
    const shards = row.shards.length > 0 ? row.shards : [this.#shardOf(row)];
    this.#addGarbage("dropped", { generation: row.generation, physicalName: row.temporaryIndexName, shards });
  }

  #shardOf(row: SessionRow): string {
    return shardName(this.#store.state()?.indexName ?? "", row.generation, 0);
  }
}
