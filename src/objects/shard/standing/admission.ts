/**
 * Admits calls whose epoch and configuration version (or its view of the tenant) equal the shard's (I6). An older call
 * is STALE. A newer one makes the shard ask the index for its standing, or the catalog for the configuration.
 *
 * The result of `admit` is valid in the current turn. After another await, check again (`admits`, `memory.current`).
 */
import { ServiceError } from "../../../interface/index.ts";
import type { LoadedShard } from "../loaded/index.ts";
import type { ShardStore } from "../store/index.ts";
import { isStale, STALE, type ShardCall, type Stale } from "../../protocol/index.ts";
import type { ObjectsEnv } from "../../stubs.ts";
import { ShardConfiguration, type JudgedCall } from "./configuration.ts";
import type { ShardMemory } from "./memory.ts";
import { admits, type ShardStanding } from "./standing.ts";

/** How often a call waits for a change from outside and checks again before it gives up. */
export const MOST_ROUNDS = 20;

export interface Admitted {
  readonly shard: LoadedShard;
  readonly configuration: ShardConfiguration;
}

export class Admission {
  readonly #env: ObjectsEnv;
  readonly #store: ShardStore;
  readonly #memory: ShardMemory;
  readonly #standing: ShardStanding;
  #configuration: ShardConfiguration | null = null;

  constructor(env: ObjectsEnv, store: ShardStore, memory: ShardMemory, standing: ShardStanding) {
    this.#env = env;
    this.#store = store;
    this.#memory = memory;
    this.#standing = standing;
  }

  /** The loaded shard, if the epochs are equal. Throws index_unavailable. */
  async admit(call: ShardCall): Promise<LoadedShard | Stale> {
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const state = this.#store.serving();
      if (state === null) return STALE;
      if (call.epoch > state.epoch) {
        if (!(await this.#standing.ask(state, null, call.epoch))) return STALE;
        continue;
      }
      if (!admits(state, call)) return STALE;
      const { current } = this.#memory;
      if (current !== null) return current;
      await this.#memory.load();
    }
    throw new ServiceError("index_unavailable", "The index is changing; try again.");
  }

  /** The same, if the configuration versions are equal, too, or their difference does not concern the call's tenant. */
  async admitConfigured(call: JudgedCall): Promise<Admitted | Stale> {
    let needed: number | null = null;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const shard = await this.admit(call);
      if (isStale(shard)) return shard;
      const configuration = this.#configurationNow();
      if (configuration === null) return STALE;
      needed ??= configuration.heardOf(call.configurationVersion);
      const verdict = configuration.judge(call, needed);
      if (verdict === "stale") return STALE;
      if (verdict === "current") return { shard, configuration };
      await configuration.read();
    }
    throw new ServiceError("index_unavailable", "The configuration is changing; try again.");
  }

  /** Notes that this version of the configuration exists. */
  heardOf(configurationVersion: number): void {
    this.#configurationNow()?.heardOf(configurationVersion);
  }

  /** Call when the standing has changed; the configuration is read again. */
  moved(): void {
    this.#configuration?.forget();
  }

  /** The shard begins a new life. */
  forget(): void {
    this.#configuration = null;
  }

  /** Memory of compiled rules. */
  get rulesBytes(): number {
    return this.#configuration?.rulesBytes ?? 0;
  }

  #configurationNow(): ShardConfiguration | null {
    const state = this.#store.serving();
    if (state === null) return null;
    this.#configuration ??= new ShardConfiguration(this.#env, state.indexName);
    return this.#configuration;
  }
}
