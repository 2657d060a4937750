/**
 * The shard's standing among the generations of its index: status and epoch (shard-object.ts, "Status"). The index
 * sends it after a commit. The shard asks for it when a call has a higher epoch, or when the lease of a freeze has
 * expired.
 */
import { repeated } from "../../calls.ts";
import type { ShardCall, Standing } from "../../protocol/index.ts";
import type { ShardState, ShardStore } from "../store/index.ts";
import { indexStub, type ObjectsEnv } from "../../stubs.ts";

export class ShardStanding {
  readonly #env: ObjectsEnv;
  readonly #store: ShardStore;
  readonly #moved: (isLive: boolean) => void;

  /** @param moved called after status or epoch changed, in the same turn */
  constructor(env: ObjectsEnv, store: ShardStore, moved: (isLive: boolean) => void) {
    this.#env = env;
    this.#store = store;
    this.#moved = moved;
  }

  /** Asks the index. False: the standing is still older than the caller's epoch. */
  async ask(state: ShardState, voidToken: number | null, epoch: number): Promise<boolean> {
    const standing = await repeated(() => indexStub(this.#env, state.indexName).standing(state.shard, voidToken));
    this.hear(standing);
    return standing.epoch >= epoch;
  }

  /** One turn. An older standing is ignored. */
  hear(standing: Standing): void {
    const state = this.#store.state();
    if (state === null || standing.epoch < state.epoch) return;
    const status = standing.live ? "live" : state.status === "building" ? "building" : "retired";
    if (status === state.status && standing.epoch === state.epoch) return;
    this.#store.transaction(() => {
      // Live again after a rollback: earlier updates do not count.
      const updates = standing.live && standing.epoch > state.epoch ? 0 : state.updates;
      this.#store.put({ ...state, status, epoch: standing.epoch, updates });
      // The index voided every token when the pointer moved.
      if (standing.epoch > state.epoch) this.#store.dropAllFreezes();
      if (status !== "live") {
        this.#store.unfollow();
        // Only a deleted index has any, because every other flip follows a freeze.
        this.#store.dropJoint();
      }
    });
    this.#moved(status === "live");
  }
}

/** Whether the call has the epoch of the live shard. */
export function admits(state: ShardState, call: ShardCall): boolean {
  return state.status === "live" && state.epoch === call.epoch;
}
