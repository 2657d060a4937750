/** ShardObject: searches, updates, and what the other objects ask of a shard. */
import type {
  Result,
  SearchRequest,
  SuggestRequest,
  Suggestion,
  UpdateAnswer,
} from "../../interface/index.ts";
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
import type { ConfiguredCall, ShardCall, ShardResult } from "./shard-call.ts";
import type { StoredObject } from "./stored-objects.ts";
import type { JointOutcome, JointUpdateCall, PrepareCall, UpdateCall } from "./updates.ts";

export interface SearchCall extends ConfiguredCall {
  readonly tenant: string;
  readonly request: SearchRequest;
}

export interface SearchAnswer {
  /**
   * The body of the answer: a SearchResult as JSON in UTF-8, beginning with `{"tookInMillis":`. Bytes, because they
   * are copied from object to object outside V8's heap; strings of tens of kilobytes that the runtime makes outlive
   * minor collections, and were 40 % of what major ones had to take away (docs/performance.md).
   */
  readonly json: Uint8Array;
  /** Of the last write this answer has seen; with epoch and configuration version it identifies the state (ETag). */
  readonly logPosition: number;
  /** Another moment would bring another answer: functions of the time or of chance. */
  readonly isVolatile: boolean;
  readonly engineMs: number;
}

export interface SuggestCall extends ConfiguredCall {
  /** Whose products they are made of; null or not there: of all. */
  readonly tenant?: string | null;
  readonly request: SuggestRequest;
}

export interface SuggestAnswer {
  readonly suggestions: readonly Suggestion[];
  readonly logPosition: number;
}

export interface DocumentCall extends ConfiguredCall {
  /** Who must see it; not there: nobody in particular. */
  readonly tenant?: string;
  readonly id: string;
}

export interface ExportCall extends ConfiguredCall {
  /** Null: all documents, else those that the tenant sees. */
  readonly tenant: string | null;
  readonly withPrivate: boolean;
}

export interface ShardStats {
  readonly shard: string;
  readonly documents: number;
  readonly variants: number;
  readonly segments: number;
  /**
   * Held in memory, by component: sections of segments; `deletions`, `filterCache`, `lookups`, `typos`, `facetCounts`,
   * `keyHashes`, `fieldWeights`, `randomScores`, `liveCounts`, `rules`, `suggest`.
   */
  readonly memoryBytes: Readonly<Record<string, number>>;
  /** Durable, by component: `segments`, `stored` (in R2), `log` and `cache` (in SQLite). */
  readonly storedBytes: Readonly<Record<string, number>>;
  /** Operations in the log that no verified manifest contains yet. */
  readonly pendingWrites: number;
  /** Background work that ended the object too often and is not tried any more (attempts.ts). */
  readonly givenUp: readonly string[];
  readonly logPosition: number;
  /** Documents written by updates since the generation went live: published, or come back to by a rollback. */
  readonly updates: number;
}

export interface ShardApi extends SearchRoundsApi {
  search(call: SearchCall): Promise<ShardResult<SearchAnswer>>;
  suggest(call: SuggestCall): Promise<ShardResult<SuggestAnswer>>;
  /**
   * The body of the answer: everything that was sent, as a Document in JSON, numbers digit by digit. 404
   * document_not_found.
   */
  document(call: DocumentCall): Promise<ShardResult<string>>;
  /** Durable and searchable when it answers. 503 index_full_resharding for growing writes of a full shard. */
  update(call: UpdateCall): Promise<ShardResult<UpdateAnswer>>;
  stats(call: ShardCall): Promise<ShardResult<ShardStats>>;

  // ---- updates of several shards (shard/joint/joint-update.ts)
  /**
   * At the first shard of the generation: all parts or none. Answers in the order of the parts; errors as `update`.
   */
  updateJointly(call: JointUpdateCall): Promise<ShardResult<readonly UpdateAnswer[]>>;
  /** Keeps a part, durable and not to be seen, and says what will become of its documents. Errors as `update`. */
  prepareUpdate(call: PrepareCall): Promise<ShardResult<UpdateAnswer>>;
  /** Carries a prepared part out, or forgets it. Repeatable. */
  finishUpdate(name: string, outcome: JointOutcome): Promise<void>;
  /**
   * What has become of an update that this shard decides. One that is not decided yet never will be: it is aborted.
   * Unless whoever asks `canWait`: then one that somebody is at, not for too long, is undecided.
   */
  jointOutcome(name: string, canWait?: boolean): Promise<JointOutcome | "undecided">;

  // ---- from the other objects
  /**
   * Step 1 of publishing: load, verify, build the reader. Repeatable. 503 storage_unavailable when R2 fails or bytes
   * are wrong.
   */
  open(call: OpenCall): Promise<Result<OpenAnswer>>;
  /** Step 2: no writes until released, retired or `leaseMs` is over. Answers the updates taken so far. */
  freeze(token: number, leaseMs: number): Promise<{ readonly updates: number }>;
  release(token: number): Promise<void>;
  /** After the commit: live at this epoch, or retired at it. Older news than it has are ignored. */
  setStanding(standing: Standing): Promise<void>;
  setConfigurationVersion(version: number): Promise<void>;
  /**
   * Keys of the objects in R2 that the manifest it works with names; none: it was never opened. The manifest in R2 may
   * be a newer one, of a checkpoint that died before the shard took it over.
   */
  namedKeys(): Promise<readonly string[]>;
  /** The generation is dropped: forgets everything it stored. */
  destroy(): Promise<void>;

  // ---- reindex (session/reindex.ts); STALE also when another session follows by now
  /** Begins to note what is written; `resume`: goes on with it, STALE when nothing was noted for this session. */
  follow(call: ReindexCall & { readonly resume: boolean }): Promise<ShardResult<FollowAnswer>>;
  /** Sources of live documents that lie in some chunks of a stored block. */
  copyRuns(call: CopyCall): Promise<ShardResult<readonly Uint8Array[]>>;
  /** What was written after `after`, as it is now. */
  followed(
    call: ReindexCall & { readonly after: FollowCursor },
  ): Promise<ShardResult<FollowedPage>>;
  /** A building shard takes documents as they are in the live generation. Repeatable. */
  catchUp(documents: readonly FollowedDocument[]): Promise<Result<CatchUpAnswer>>;
}

export interface OpenCall {
  readonly indexName: string;
  /** This object's own name. */
  readonly shard: string;
  readonly manifest: StoredObject;
}

export interface OpenAnswer {
  readonly documents: number;
  readonly memoryBytes: number;
}
