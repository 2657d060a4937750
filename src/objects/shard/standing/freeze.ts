/**
 * Freezes a shard's writes while another generation replaces it: tokens with leases in SQLite, and waiting writes.
 *
 *   (none) -> frozen           `begin`; granted when no part of a joint update is left (ShardObject.freeze)
 *   frozen -> (none)           `release`, or the pointer moved and the standing dropped all tokens
 *   frozen -> lease expired    the next write has the index void the token before it proceeds. Commits with this token fail from then on,
 *                              so the write is applied once, to the live generation
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

  /** True: it waited, so the caller must check everything again. */
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
    // The lease has expired. Writes may proceed only after the index has voided the token.
    await this.#standing.ask(state, first.token, state.epoch);
    if (this.#store.state() !== null) this.#store.dropFreeze(first.token);
    return true;
  }

  /** Makes waiting writes check again. */
  wake(): void {
    this.#thaw.resolve();
    this.#thaw = Promise.withResolvers<void>();
  }
}
