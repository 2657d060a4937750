/** Common arguments and answers of shard calls (I6). */
import type { Result } from "../../interface/index.ts";

/** The shard has another epoch or a newer configuration, or no longer exists. Refresh and try again. */
export interface Stale {
  readonly stale: true;
}
export type ShardResult<T> = Result<T> | Stale;

export const STALE: Stale = { stale: true };

export function isStale(answer: object): answer is Stale {
  return "stale" in answer;
}

/** In every request to a shard. */
export interface ShardCall {
  readonly epoch: number;
}

/** In every request whose answer depends on configuration. */
export interface ConfiguredCall extends ShardCall {
  readonly configurationVersion: number;
}

/** A call on behalf of a tenant. It is answered by a newer configuration as well, if this tenant is the same in it. */
export interface TenantCall extends ConfiguredCall {
  readonly tenant: string;
  /** tenant-tag.ts; absent: only the exact version will do. */
  readonly tenantTag?: string;
}
