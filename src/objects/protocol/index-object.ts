/** IndexObject: the route to an index, its generations and sessions. */
import type { ImportSession, Result } from "../../interface/index.ts";
import type { PartitionRange } from "../partition.ts";

/** The shards of an index. Valid until a shard answers STALE. */
export interface Route {
  readonly indexName: string;
  /** Increases by one whenever the pointer moves (done, rollback, creation, deletion). */
  readonly epoch: number;
  /** The running number n of the generation. */
  readonly generation: number;
  /** `ocs-<n>-<name>-<language>`: `index` of a hit. */
  readonly physicalName: string;
  /** As sent at start, e.g. `en_US`. */
  readonly locale: string;
  readonly language: string;
  /** Names of the shard objects, in the order of their partitions. */
  readonly shards: readonly string[];
  /** The partitions of each shard, in the order of `shards` (partition.ts). */
  readonly partitions?: readonly PartitionRange[];
}

export type SessionState = "open" | "publishing" | "completed" | "cancelled" | "removed";

export interface SessionStatus {
  readonly indexName: string;
  readonly temporaryIndexName: string;
  readonly generation: number;
  readonly locale: string;
  readonly state: SessionState;
  readonly startedAtMs: number;
}

/** `GET /admin-api/v1/indexes/{name}` without the statistics of the shards. */
export interface IndexStatus {
  readonly route: Route;
  readonly publishedAtMs: number;
  /** The generation that a rollback would restore. */
  readonly kept: { readonly generation: number; readonly physicalName: string } | null;
  /** Abandoned work of its alarm, which killed the object every time: `delivery`, `collection of 3`. */
  readonly givenUp: readonly string[];
}

export interface RollbackAnswer {
  readonly generation: number;
  readonly physicalName: string;
  /**
   * Documents that updates wrote to the replaced generation since it last went live. Another rollback restores them.
   */
  readonly updatesLeftBehind: number;
}

/** The result of a reindex. */
export interface ReindexAnswer {
  readonly generation: number;
  readonly physicalName: string;
  readonly shards: number;
  readonly documents: number;
  /** Documents that the current configuration rejects. */
  readonly rejected: number;
}

/** Answer to a shard: whether it is live, and at which epoch. */
export interface Standing {
  readonly live: boolean;
  readonly epoch: number;
}

/** Permission to freeze. A commit with it is valid while `generation` is live and the token is not void. */
export interface FreezeToken {
  readonly token: number;
  /** The live shards to freeze; empty: none are live. */
  readonly shards: readonly string[];
}

/** The data of a generation that goes live. */
export interface CommitCall {
  readonly temporaryIndexName: string;
  readonly token: number;
  readonly shards: readonly string[];
  readonly partitions?: readonly PartitionRange[];
}
export type CommitAnswer =
  | { readonly outcome: "committed"; readonly epoch: number }
  /** The freeze expired or another generation went live: freeze and commit again. */
  | { readonly outcome: "freeze_lost" }
  /** The session is no longer `publishing` (index deleted, or it already existed for `onlyIfMissing`). */
  | { readonly outcome: "refused"; readonly state: SessionState };

export interface IndexApi {
  /** 404 index_not_found if nothing is live. */
  route(): Promise<Result<Route>>;
  /** The caller has checked the name. 400 invalid_locale. Removes abandoned sessions of every index. */
  startSession(call: { readonly indexName: string; readonly locale: string }): Promise<Result<ImportSession>>;
  /**
   * PUT on a missing index: publishes an empty generation unless one is live, then returns the route. Concurrent calls
   * create one generation. The caller has checked name and language; a live index ignores `langCode`.
   */
  ensureIndex(call: { readonly indexName: string; readonly langCode: string }): Promise<Result<Route>>;
  /** 404 index_not_found. Removes live and kept generations and open sessions, but not the running number. */
  deleteIndex(): Promise<Result<null>>;
  /** Switches to the kept generation, or forward again. 404 index_not_found, generation_not_found. */
  rollback(): Promise<Result<RollbackAnswer>>;
  /**
   * Builds a new generation from the stored sources of the live one (session/reindex.ts). Answers when it is live;
   * joins a running reindex. `atLeast`: minimum number of shards. 404 index_not_found; 503 index_unavailable if the
   * index was replaced meanwhile.
   */
  reindex(call: { readonly atLeast: number }): Promise<Result<ReindexAnswer>>;
  /** Newest first, including finished ones. */
  sessions(): Promise<readonly SessionStatus[]>;
  status(): Promise<Result<IndexStatus>>;

  // ---- from the other objects
  /** open -> publishing; no-op if publishing. Configuration is pushed to the new shards from now on. */
  beginPublishing(temporaryIndexName: string, shards: readonly string[]): Promise<SessionState>;
  /** publishing -> open after a failed step. */
  publishingFailed(temporaryIndexName: string): Promise<SessionState>;
  /** Waits for earlier callers; null: too many are waiting. */
  beginFreeze(temporaryIndexName: string): Promise<FreezeToken | null>;
  commit(call: CommitCall): Promise<CommitAnswer>;
  /** open -> cancelled. Returns the resulting state. */
  cancelSession(temporaryIndexName: string): Promise<SessionState | null>;
  /** open -> removed, if started before `olderThanMs`. */
  removeAbandoned(temporaryIndexName: string, olderThanMs: number): Promise<SessionState | null>;
  /** `voidToken`: the shard's lease expired, so commits with this token are refused. */
  standing(shard: string, voidToken: number | null): Promise<Standing>;
  /**
   * The catalog's push: forwards the version to live and publishing shards, and to replaced shards that were not
   * notified yet.
   */
  pushConfiguration(version: number): Promise<void>;
}
