/**
 * Which generations of an index are collected, and when; what of each is garbage is decided by garbage.ts.
 *
 * ## Garbage collection
 *
 * Generations: `live`, `kept` (exactly one at most), `dropped` (replaced kept ones, cancelled and removed sessions,
 * deleted index). The alarm takes dropped ones a grace period after they were dropped: shard objects forget
 * everything, then R2 keys under the prefixes of that generation that no manifest of a live or kept generation names,
 * then the row. Live ones are swept once after publishing, for the import segments that were merged away; there, too,
 * only keys that no manifest names and that are older than the grace period. Every step may be repeated.
 */
import { sweepGeneration } from "./garbage.ts";
import type { GarbageRow, IndexStore } from "./store.ts";
import { garbageGraceMs } from "../settings.ts";
import type { ObjectsEnv } from "../stubs.ts";

/** A live generation is swept again this long after the last sweep, for what checkpoints have replaced. */
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
    // A generation that came back by a rollback is no garbage, whatever its row says.
    const kind = alive.some((generation) => generation.generation === row.generation)
      ? "live"
      : row.kind;
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
    // Decided meanwhile: a row that was replaced by "dropped" during a sweep as "live" stays for its own time.
    const now = this.#store.garbage().find((other) => other.generation === row.generation);
    if (now === undefined || now.kind !== row.kind) return;
    if (row.kind === "live")
      this.#store.addGarbage({ ...row, dueMs: Date.now() + SWEEP_INTERVAL_MS });
    else this.#store.removeGarbage(row.generation);
  }
}
