/** IndexObject: where an index lives, what goes live and what is given up. */
import type { ImportSession, Result } from "../../interface/index.ts";
import type { PartitionRange } from "../partition.ts";

/** Where an index lives now. Valid until a shard says STALE. */
export interface Route {
  readonly indexName: string;
  /** Grows by one whenever the pointer moves (done, rollback, creation, deletion). */
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
  /** Which documents each shard has, as `shards`; partition.ts tells the shard of an id. */
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

/** `GET /admin-api/v1/indexes/{name}` without the figures of the shards. */
export interface IndexStatus {
  readonly route: Route;
  readonly publishedAtMs: number;
  /** The generation a rollback would go to. */
  readonly kept: { readonly generation: number; readonly physicalName: string } | null;
  /** Work of its alarm that has ended the object each time, and is not tried any more: `delivery`, `collection of 3`. */
  readonly givenUp: readonly string[];
}

export interface RollbackAnswer {
  readonly generation: number;
  readonly physicalName: string;
  /**
   * Documents written by updates to the generation that was left, since it went live last. Another rollback brings
   * them back.
   */
  readonly updatesLeftBehind: number;
}

/** What has become of a reindex. */
export interface ReindexAnswer {
  readonly generation: number;
  readonly physicalName: string;
  readonly shards: number;
  readonly documents: number;
  /** Documents left out because the configuration of now refuses them. */
  readonly rejected: number;
}

/** What a shard asks its index: am I live, at which epoch? */
export interface Standing {
  readonly live: boolean;
  readonly epoch: number;
}

/** Permission to freeze: commits made with it count only while `generation` is live and nobody voided it. */
export interface FreezeToken {
  readonly token: number;
  /** The live shards to freeze; empty when nothing is live. */
  readonly shards: readonly string[];
}

/** What of a generation goes live. */
export interface CommitCall {
  readonly temporaryIndexName: string;
  readonly token: number;
  readonly shards: readonly string[];
  readonly partitions?: readonly PartitionRange[];
}
export type CommitAnswer =
  | { readonly outcome: "committed"; readonly epoch: number }
  /** The freeze ran out or another generation went live in between: freeze again, commit again. */
  | { readonly outcome: "freeze_lost" }
  /** The session is no longer `publishing` (index deleted, or an index was already there for `onlyIfMissing`). */
  | { readonly outcome: "refused"; readonly state: SessionState };

export interface IndexApi {
  /** 404 index_not_found when nothing is live. */
  route(): Promise<Result<Route>>;
  /** The caller has checked the name. 400 invalid_locale. Removes abandoned sessions of every index. */
  startSession(call: {
    readonly indexName: string;
    readonly locale: string;
  }): Promise<Result<ImportSession>>;
  /**
   * PUT on a missing index: publishes an empty generation unless one is live, answers the route. Concurrent calls
   * create one. The caller has checked name and language; a live index ignores `langCode`.
   */
  ensureIndex(call: {
    readonly indexName: string;
    readonly langCode: string;
  }): Promise<Result<Route>>;
  /** 404 index_not_found. Live and kept generations go, open sessions are removed; the running number stays. */
  deleteIndex(): Promise<Result<null>>;
  /** Back to the kept generation, or forward again. 404 index_not_found, generation_not_found. */
  rollback(): Promise<Result<RollbackAnswer>>;
  /**
   * A new generation out of the stored sources of the live one (session/reindex.ts); answers when it is live, joins
   * one that is under way. `atLeast`: so many shards. 404 index_not_found; 503 index_unavailable when the index was
   * replaced meanwhile.
   */
  reindex(call: { readonly atLeast: number }): Promise<Result<ReindexAnswer>>;
  /** Newest first; finished ones too. */
  sessions(): Promise<readonly SessionStatus[]>;
  status(): Promise<Result<IndexStatus>>;

  // ---- from the other objects
  /** open -> publishing; publishing stays. The shards that will be opened get pushed configuration from now on. */
  beginPublishing(temporaryIndexName: string, shards: readonly string[]): Promise<SessionState>;
  /** publishing -> open: a step failed for good. */
  publishingFailed(temporaryIndexName: string): Promise<SessionState>;
  /** Waits for those that came before; null: too many wait already. */
  beginFreeze(temporaryIndexName: string): Promise<FreezeToken | null>;
  commit(call: CommitCall): Promise<CommitAnswer>;
  /** open -> cancelled. Answers the state that holds afterwards. */
  cancelSession(temporaryIndexName: string): Promise<SessionState | null>;
  /** open -> removed, when started before `olderThanMs`. */
  removeAbandoned(temporaryIndexName: string, olderThanMs: number): Promise<SessionState | null>;
  /** `voidToken`: the shard's lease ran out; a commit with it is refused from now on. */
  standing(shard: string, voidToken: number | null): Promise<Standing>;
  /**
   * The catalog's push: hands the version to live and publishing shards, and to replaced ones that have not heard of
   * it yet.
   */
  pushConfiguration(version: number): Promise<void>;
}
