/**
 * Where a shard stands among the generations of its index: status and epoch (shard-object.ts, "Status"), as the index
 * has told it last. The index tells it after a commit; a shard that is asked for a higher epoch, or that a freeze has
 * left alone, asks.
 */
import { repeated } from "../../calls.ts";
import type { ShardCall, Standing } from "../../protocol/index.ts";
import type { Serving, ShardStore } from "../store/index.ts";
import { indexStub, type ObjectsEnv } from "../../stubs.ts";

export class ShardStanding {
  readonly #env: ObjectsEnv;
  readonly #store: ShardStore;
  readonly #moved: (isLive: boolean) => void;

  /** `moved` is called in the turn in which status or epoch have changed, after the change. */
  constructor(env: ObjectsEnv, store: ShardStore, moved: (isLive: boolean) => void) {
    this.#env = env;
    this.#store = store;
    this.#moved = moved;
  }

  /** Asks the index where we stand. False: that brought no news for a caller with this epoch. */
  async ask(state: Serving, voidToken: number | null, epoch: number): Promise<boolean> {
    const standing = await repeated(() =>
      indexStub(this.#env, state.indexName).standing(state.shard, voidToken),
    );
    this.hear(standing);
    return standing.epoch >= epoch;
  }

  /** One turn. Older news than it has are ignored. */
  hear(standing: Standing): void {
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
    this.#moved(status === "live");
  }
}

/** Whether a call is one of the present. */
export function admits(state: Serving, call: ShardCall): boolean {
  return state.status === "live" && state.epoch === call.epoch;
}
