/** ShardObject: searches, updates, and calls of other objects. */
import type { Result, SearchRequest, SuggestRequest, Suggestion, TenantConfig } from "../../interface/index.ts";
import type {
  CatchUpAnswer,
  CopyCall,
  FollowAnswer,
  FollowCursor,
  FollowedDocument,
  FollowedPage,
  ReindexCall,
} from "./following.ts";
import type { Standing } from "./index-object.ts";
import type { SearchRoundsApi } from "./search-rounds.ts";
import type { ConfiguredCall, ShardCall, ShardResult, TenantCall } from "./shard-call.ts";
import type { StoredObject } from "./stored-objects.ts";
import type { JointOutcome, JointUpdateCall, PrepareCall, ShardUpdateAnswer, UpdateCall } from "./updates.ts";

export interface SearchCall extends TenantCall {
  readonly request: SearchRequest;
}

export interface SearchAnswer {
  /**
   * The body of the answer: a SearchResult as JSON in UTF-8, starting with `{"tookInMillis":`. Bytes are copied between
   * objects outside V8's heap. Strings of tens of kilobytes would survive minor collections and make up 40 % of the
   * work of major ones.
   */
  readonly json: Uint8Array;
  /** `answerChecksum` of it, if it is known. */
  readonly checksum?: number;
  /** Log position of the last visible write; with epoch and configuration version it identifies the state (ETag). */
  readonly logPosition: number;
  /** Whether the answer may change without a write: scoring functions of time or chance. */
  readonly isVolatile: boolean;
  readonly engineMs: number;
}

export interface SuggestCall extends ConfiguredCall {
  /** The tenant whose visible products are used; null or absent: all. */
  readonly tenant?: string | null;
  readonly request: SuggestRequest;
}

export interface SuggestAnswer {
  readonly suggestions: readonly Suggestion[];
  readonly logPosition: number;
}

/** The tenant must see it; absent: anyone. */
export interface DocumentCall extends ConfiguredCall, Partial<Omit<TenantCall, keyof ConfiguredCall>> {
  readonly id: string;
}

/** Needs no configuration: an export ends as it began, on every shard. */
export interface ExportCall extends ShardCall {
  /** Those of the tenant; none: all documents. */
  readonly filters: TenantConfig["filters"];
  readonly withPrivate: boolean;
}

export interface ShardStats {
  readonly shard: string;
  readonly documents: number;
  readonly variants: number;
  readonly segments: number;
  /**
   * Bytes in memory, by component: sections of segments; `deletions`, `filterCache`, `lookups`, `typos`, `facetCounts`,
   * `keyHashes`, `fieldWeights`, `randomScores`, `liveCounts`, `rules`, `suggest`.
   */
  readonly memoryBytes: Readonly<Record<string, number>>;
  /** Durable, by component: `segments`, `stored` (in R2), `log` and `cache` (in SQLite). */
  readonly storedBytes: Readonly<Record<string, number>>;
  /** Operations in the log that are not in a verified manifest yet. */
  readonly pendingWrites: number;
  /** Background work that was given up (attempts.ts). */
  readonly givenUp: readonly string[];
  readonly logPosition: number;
  /** Documents written by updates since the generation went live, by publication or rollback. */
  readonly updates: number;
}

export interface ShardApi extends SearchRoundsApi {
  search(call: SearchCall): Promise<ShardResult<SearchAnswer>>;
  suggest(call: SuggestCall): Promise<ShardResult<SuggestAnswer>>;
  /**
   * The body of the answer: the Document as sent, in JSON with unchanged numbers. 404 document_not_found.
   */
  document(call: DocumentCall): Promise<ShardResult<string>>;
  /** Durable and searchable when it answers. 503 index_full_resharding if a full shard would grow. */
  update(call: UpdateCall): Promise<ShardResult<ShardUpdateAnswer>>;
  stats(call: ShardCall): Promise<ShardResult<ShardStats>>;

  // ---- updates of several shards (shard/joint/joint-update.ts)
  /**
   * Called on the first shard of the generation: applies all parts or none. Answers in part order; errors as `update`.
   */
  updateJointly(call: JointUpdateCall): Promise<ShardResult<readonly ShardUpdateAnswer[]>>;
  /** Stores a part, durable but invisible, and returns the results of its documents. Errors as `update`. */
  prepareUpdate(call: PrepareCall): Promise<ShardResult<ShardUpdateAnswer>>;
  /** Applies or drops a prepared part. Repeatable. */
  finishUpdate(name: string, outcome: JointOutcome): Promise<void>;
  /**
   * The outcome of an update that this shard coordinates. An undecided update is aborted by this call, unless the
   * caller `canWait`: then an update that is in progress, for a bounded time, is undecided.
   */
  jointOutcome(name: string, canWait?: boolean): Promise<JointOutcome | "undecided">;

  // ---- from the other objects
  /**
   * Step 1 of publishing: loads, verifies, builds the reader. Repeatable. 503 storage_unavailable if R2 fails or bytes
   * are wrong.
   */
  open(call: OpenCall): Promise<Result<OpenAnswer>>;
  /** Step 2: refuses writes until released, retired, or after `leaseMs`. Returns the number of updates so far. */
  freeze(token: number, leaseMs: number): Promise<{ readonly updates: number }>;
  release(token: number): Promise<void>;
  /** After the commit: live or retired at this epoch. Older epochs are ignored. */
  setStanding(standing: Standing): Promise<void>;
  setConfigurationVersion(version: number): Promise<void>;
  /**
   * Keys of the R2 objects in the shard's current manifest; none: never opened. The manifest in R2 may be newer, from a
   * checkpoint that crashed before the shard adopted it.
   */
  namedKeys(): Promise<readonly string[]>;
  /** The generation was dropped: deletes all stored data. */
  destroy(): Promise<void>;

  // ---- reindex (session/reindex.ts); also STALE if another session follows
  /** Starts recording writes; `resume`: continues, or STALE if nothing was recorded for this session. */
  follow(call: ReindexCall & { readonly resume: boolean }): Promise<ShardResult<FollowAnswer>>;
  /** Sources of live documents in some chunks of a stored block. */
  copyRuns(call: CopyCall): Promise<ShardResult<readonly Uint8Array[]>>;
  /** The current state of documents written after `after`. */
  followed(call: ReindexCall & { readonly after: FollowCursor }): Promise<ShardResult<FollowedPage>>;
  /** Applies documents of the live generation to a building shard. Repeatable. */
  catchUp(documents: readonly FollowedDocument[]): Promise<Result<CatchUpAnswer>>;
}

export interface OpenCall {
  readonly indexName: string;
  /** Name of this object. */
  readonly shard: string;
  readonly manifest: StoredObject;
}

export interface OpenAnswer {
  readonly documents: number;
  readonly memoryBytes: number;
}
