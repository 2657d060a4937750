/**
 * The state in which the shards of a tenant were last seen by this isolate. Answers that were made from it are cached
 * (cached-answers.ts) and sent again if all shards say that they are still in this state:
 *
 *   Worker: beginSearch {unlessIn: state} -> all shards: unchanged     the cached answer
 *                                         -> some have changed         the others are asked again, without `unlessIn`
 *
 * So a cached answer is never older than the call, and costs one round instead of three or four.
 */
import type { TenantConfig } from "../../interface/index.ts";
import type { Route, SearchedState } from "../protocol/index.ts";

/** Immutable; identifies what was seen. */
export interface KnownState {
  readonly epochs: string;
  /** By shard, in the order of the routes. */
  readonly shards: readonly SearchedState[];
}

/** By the tenant's configuration, which a new version of it replaces. */
const lastSeen = new WeakMap<TenantConfig, KnownState>();

/** Null: not seen since a generation went live. */
export function knownState(tenant: TenantConfig, routes: readonly Route[]): KnownState | null {
  const known = lastSeen.get(tenant) ?? null;
  return known?.epochs === epochsOf(routes) ? known : null;
}

/** The known state, or a new one if it has changed. */
export function noteState(
  tenant: TenantConfig,
  routes: readonly Route[],
  shards: readonly SearchedState[],
): KnownState {
  const known = knownState(tenant, routes);
  if (known !== null && known.shards.every((one, i) => isSameState(one, shards[i]))) return known;
  const seen = { epochs: epochsOf(routes), shards };
  lastSeen.set(tenant, seen);
  return seen;
}

/** A generation has its own shards, so their names identify it. */
function epochsOf(routes: readonly Route[]): string {
  return routes.map(({ epoch, shards }) => `${epoch} ${shards.join(" ")}`).join(", ");
}

export function isSameState(one: SearchedState, other: SearchedState | undefined): boolean {
  return one.logPosition === other?.logPosition && one.configurationVersion === other.configurationVersion;
}
