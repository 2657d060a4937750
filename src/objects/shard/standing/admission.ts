/**
 * Who may be answered: a call whose epoch and configuration version are the shard's own (I6). What is older than the
 * shard is STALE; what is newer makes the shard ask, the index for its standing, the catalog for its configuration.
 *
 * The answer of `admit` holds in the turn in which it comes. After another await it has to be looked at again
 * (`admits`, `memory.current`).
 */
import { ServiceError } from "../../../interface/index.ts";
import type { LoadedShard } from "../loaded/index.ts";
import type { ShardStore } from "../store/index.ts";
import {
  isStale,
  STALE,
  type ConfiguredCall,
  type ShardCall,
  type Stale,
} from "../../protocol/index.ts";
import type { ObjectsEnv } from "../../stubs.ts";
import { ShardConfiguration } from "./configuration.ts";
import type { ShardMemory } from "./memory.ts";
import { admits, type ShardStanding } from "./standing.ts";

/** Rounds of "wait, look again" before a call gives up: each follows a change from outside. */
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

  /** Ready, and the epochs are equal. Throws index_unavailable. */
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

  /** The same, and the configuration is at least the caller's, the caller's not older. */
  async admitConfigured(call: ConfiguredCall): Promise<Admitted | Stale> {
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const shard = await this.admit(call);
      if (isStale(shard)) return shard;
      const configuration = this.#configurationNow();
      if (configuration === null) return STALE;
      const verdict = configuration.judge(call.configurationVersion);
      if (verdict === "stale") return STALE;
      if (verdict === "current") return { shard, configuration };
      await configuration.read();
    }
    throw new ServiceError("index_unavailable", "The configuration is changing; try again.");
  }

  /** There is this version of the configuration by now. */
  heardOf(configurationVersion: number): void {
    this.#configurationNow()?.heardOf(configurationVersion);
  }

  /** The shard stands elsewhere: its configuration is read again. */
  moved(): void {
    this.#configuration?.forget();
  }

  /** The shard begins a new life. */
  forget(): void {
    this.#configuration = null;
  }

  /** Of compiled rules, in memory. */
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
