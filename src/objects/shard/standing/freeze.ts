/**
 * The freeze of a shard while another generation takes its place: tokens with leases in SQLite, and the writes that
 * wait for their end.
 *
 *   (none) -> frozen         `begin`; granted when no part of a joint update is left (ShardObject.freeze)
 *   frozen -> (none)         `release`; or the pointer has moved: the standing drops all tokens
 *   frozen -> lease over     nothing happens until a write comes. That one has the index void the token first and only then goes on: a commit
 *                            with this token is refused from then on, so the write is applied once, to the generation that is live
 */
import type { ShardStore } from "../store/index.ts";
import type { ShardStanding } from "./standing.ts";

export class Freeze {
  readonly #store: ShardStore;
  readonly #standing: ShardStanding;
  /** Resolved when a freeze may have ended. */
  #thaw = Promise.withResolvers<void>();

  constructor(store: ShardStore, standing: ShardStanding) {
    this.#store = store;
    this.#standing = standing;
  }

  get isOn(): boolean {
    return this.#store.isFrozen;
  }

  begin(token: number, leaseMs: number): void {
    this.#store.putFreeze(token, Date.now() + leaseMs);
  }

  release(token: number): void {
    this.#store.dropFreeze(token);
    this.wake();
  }

  /** True: waited, so everything has to be looked at again. */
  async wait(): Promise<boolean> {
    const state = this.#store.state();
    if (state === null) return true;
    const [first] = this.#store.freezes();
    if (first === undefined) return false;
    const leftMs = first.untilMs - Date.now();
    if (leftMs > 0) {
      await Promise.race([this.#thaw.promise, scheduler.wait(leftMs)]);
      return true;
    }
    // The lease is over. Only when the index has voided the token may a write come in.
    await this.#standing.ask(state, first.token, state.epoch);
    if (this.#store.state() !== null) this.#store.dropFreeze(first.token);
    return true;
  }

  /** Whoever waits looks again. */
  wake(): void {
    this.#thaw.resolve();
    this.#thaw = Promise.withResolvers<void>();
  }
}
