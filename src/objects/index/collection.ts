/**
 * Decides which generations of an index are collected and when; garbage.ts decides what of each is garbage.
 *
 * ## Garbage collection
 *
 * Generations are `live`, `kept` (at most one) or `dropped` (replaced kept ones, cancelled and removed sessions,
 * deleted index). The alarm collects dropped generations after a grace period: shard objects delete everything, then
 * R2 keys under the generation's prefixes that no manifest of a live or kept generation names, then the row. Live
 * generations are swept once after publishing, for merged import segments; again only keys without a manifest that are
 * older than the grace period. Every step can be repeated.
 */
import { sweepGeneration } from "./garbage.ts";
import type { GarbageRow, IndexStore } from "./store.ts";
import { garbageGraceMs } from "../settings.ts";
import type { ObjectsEnv } from "../stubs.ts";

/** Interval of sweeps of a live generation, for objects that checkpoints have replaced. */
const SWEEP_INTERVAL_MS = 24 * 3_600_000;

export class Collection {
  readonly #env: ObjectsEnv;
  readonly #store: IndexStore;

  constructor(env: ObjectsEnv, store: IndexStore) {
    this.#env = env;
    this.#store = store;
  }

  async collect(row: GarbageRow): Promise<void> {
    const state = this.#store.state();
    if (state === null) return;
    const alive = [state.live, state.kept].filter((generation) => generation !== null);
    // A generation restored by a rollback is not garbage, even if its row says so.
    const kind = alive.some((generation) => generation.generation === row.generation) ? "live" : row.kind;
    if (kind === "live" && row.kind === "dropped") {
      this.#store.addGarbage({ ...row, kind, dueMs: Date.now() + SWEEP_INTERVAL_MS });
      return;
    }
    await sweepGeneration(this.#env, {
      indexName: state.indexName,
      row,
      alive,
      youngerThanMs: Date.now() - garbageGraceMs(this.#env),
    });
    // If the row became "dropped" during a sweep as "live", it stays until its own time.
    const now = this.#store.garbage().find((other) => other.generation === row.generation);
    if (now === undefined || now.kind !== row.kind) return;
    if (row.kind === "live") this.#store.addGarbage({ ...row, dueMs: Date.now() + SWEEP_INTERVAL_MS });
    else this.#store.removeGarbage(row.generation);
  }
}
