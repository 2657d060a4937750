/**
 * What crosses RPC: between the Worker and the objects, and between the objects.
 *
 * Rules. Everything is plain data (structured clone). Expected failures are answers (`Result`), never exceptions, because an
 * exception keeps only its message on the way; what is thrown is a defect or the platform (broken stub, overload). Worker and
 * objects may run different versions of this code for minutes after a deploy: members are only added, never renamed, and a
 * new member is optional for the reader. What is *stored* has its own versions (manifest.ts).
 *
 * Each object implements its `...Api` interface; callers get typed stubs from stubs.ts.
 *
 * How the Worker answers a request (I6):
 *
 *   snapshot = catalog.snapshot()      cached in the isolate     tenant -> index names, configuration version
 *   route    = index.route()           cached in the isolate     index name -> epoch, shards
 *   answer   = shard.search({epoch, configurationVersion, ...})
 *   {stale: true} -> drop both caches and everything partial, again; after 3 rounds 503 index_unavailable
 *
 * A 404 may be decided from a cache only after refreshing it once. Update calls take the same loop; a STALE update was not
 * applied. An update that died by an exception may have been applied: PUT and DELETE can be sent again, PATCH too (same values).
 */
import type {
  ImportSession,
  IndexConfig,
  Result,
  SearchRequest,
  SuggestRequest,
  Suggestion,
  UpdateAnswer,
} from "../../interface/index.ts";
import type { PartitionRange } from "../partition.ts";
import type { SearchRoundsApi } from "./search-rounds.ts";

/** The shard has another epoch, a newer configuration, or is no shard (any more). Refresh and try again. */
export interface Stale {
  readonly stale: true;
}
export type ShardResult<T> = Result<T> | Stale;

export const STALE: Stale = { stale: true };

export function isStale(answer: object): answer is Stale {
  return "stale" in answer;
}

// ---- routes --------------------------------------------------------------------------------------------------------------

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

// ---- the catalog -----------------------------------------------------------------------------------------------------------

/** Everything configurable at one version. */
export interface CatalogSnapshot {
  /** Grows by one with every change of document or rules. 0: nothing was ever configured. */
  readonly version: number;
  /** The configuration document as JSON, as sent (decisions.md "Configuration"); null when none was sent. */
  readonly document: unknown;
  /** Name -> rules text. */
  readonly rules: Readonly<Record<string, string>>;
  /** Live indexes, sorted. */
  readonly indexNames: readonly string[];
}

/** A change the caller has validated. `document: null` removes the whole document. */
export type CatalogChange =
  | { readonly kind: "document"; readonly document: unknown }
  | { readonly kind: "rules"; readonly name: string; readonly text: string | null };

/** A past version: what it was and when it came. */
export interface CatalogHistoryEntry {
  readonly version: number;
  readonly atMs: number;
  readonly change: string;
}

export interface CatalogApi {
  snapshot(): Promise<CatalogSnapshot>;
  /**
   * Persists the change as version + 1, pushes it to every live and publishing shard, answers then.
   * `expectedVersion`: the version the caller read and edited (entries are edited inside the whole document); another one in
   * between answers `{ok: true, value: {conflict: true}}` and changes nothing: read again, edit again.
   * 503 index_unavailable: stored, but not every shard has it yet (the catalog's alarm goes on pushing).
   */
  change(
    change: CatalogChange,
    expectedVersion: number,
  ): Promise<
    Result<{ readonly conflict: true } | { readonly conflict: false; readonly version: number }>
  >;
  history(): Promise<readonly CatalogHistoryEntry[]>;

  // ---- from IndexObject
  /** Notes an index name and a session about to open; answers the hints of all sessions started before `olderThanMs`. */
  noteSession(hint: SessionHint, olderThanMs: number): Promise<readonly SessionHint[]>;
  /** The session is completed, cancelled or removed: its hint goes. */
  forgetSession(temporaryIndexName: string): Promise<void>;
  /** Whether the index is live. */
  setLive(indexName: string, live: boolean): Promise<void>;
  /** Every open session of the deployment, by hint. */
  sessions(): Promise<readonly SessionHint[]>;
}

export interface SessionHint {
  readonly indexName: string;
  readonly temporaryIndexName: string;
  readonly startedAtMs: number;
}

// ---- the index -------------------------------------------------------------------------------------------------------------

export const SESSION_STATES = ["open", "publishing", "completed", "cancelled", "removed"] as const;
export type SessionState = (typeof SESSION_STATES)[number];

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
}

export interface RollbackAnswer {
  readonly generation: number;
  readonly physicalName: string;
  /** Documents written by updates to the generation that was left, since it went live last. Another rollback brings them back. */
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
   * PUT on a missing index: publishes an empty generation unless one is live, answers the route. Concurrent calls create one.
   * The caller has checked name and language; a live index ignores `langCode`.
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
   * A new generation out of the stored sources of the live one (session/reindex.ts); answers when it is live, joins one that is under way.
   * `atLeast`: so many shards. 404 index_not_found; 503 index_unavailable when the index was replaced meanwhile.
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
  beginFreeze(temporaryIndexName: string): Promise<FreezeToken>;
  commit(call: CommitCall): Promise<CommitAnswer>;
  /** open -> cancelled. Answers the state that holds afterwards. */
  cancelSession(temporaryIndexName: string): Promise<SessionState | null>;
  /** open -> removed, when started before `olderThanMs`. */
  removeAbandoned(temporaryIndexName: string, olderThanMs: number): Promise<SessionState | null>;
  /** `voidToken`: the shard's lease ran out; a commit with it is refused from now on. */
  standing(shard: string, voidToken: number | null): Promise<Standing>;
  /** The catalog's push: hands the version to live and publishing shards, and to replaced ones that have not heard of it yet. */
  pushConfiguration(version: number): Promise<void>;
}

// ---- the import session ------------------------------------------------------------------------------------------------------

/** What `add` needs to know; the same for the whole life of a session. */
export interface SessionInfo {
  readonly finalIndexName: string;
  readonly temporaryIndexName: string;
  readonly generation: number;
  readonly locale: string;
  readonly language: string;
  readonly configuration: IndexConfig;
}

/** A byte range in R2, immutable. `checksum`: SHA-256, lower case hex. */
export interface StoredObject {
  readonly key: string;
  readonly sizeBytes: number;
  readonly checksum: string;
}

/** One segment of a bulk, or one that the session merged. */
export interface SegmentEntry extends StoredObject {
  readonly id: string;
  readonly productCount: number;
  readonly variantCount: number;
}

/**
 * One stored block, or, in a manifest, what its shard needs of it: `id` is the name segments refer to it by; `bounds` are places within the
 * object: where chunk number `firstChunk` begins, where it ends and the next begins, ..., where the last one ends.
 */
export interface BlockEntry extends StoredObject {
  readonly id: string;
  readonly firstChunk: number;
  readonly bounds: readonly number[];
}

/** A block as it was put, whole; `partitions`: first and last partition in each chunk, flat; null: any. */
export interface RegisteredBlock extends BlockEntry {
  readonly partitions: readonly number[] | null;
}

/** What one `add` wrote. Segments in the order of the documents; registering gives the whole call one sequence number. */
export interface Registration {
  /** Made by the writer: the same registration sent twice counts once. */
  readonly id: string;
  readonly segments: readonly SegmentEntry[];
  readonly blocks: readonly RegisteredBlock[];
  /** Documents accepted; more than the segments hold when an id was sent twice. */
  readonly documents: number;
}

export interface SessionProgress extends SessionStatus {
  readonly segments: number;
  readonly sizeBytes: number;
  /** Documents accepted so far; an id sent twice counts twice. */
  readonly documents: number;
  /** The step `done` is at; null unless publishing. */
  readonly step: PublishingStep | null;
}

/** In this order; see import-session-object.ts. */
export const PUBLISHING_STEPS = ["merge", "manifest", "open", "flip"] as const;
export type PublishingStep = (typeof PUBLISHING_STEPS)[number];

export interface SessionApi {
  /** session_unknown, session_mismatch, session_completed, session_cancelled, session_busy (publishing). */
  info(session: ImportSession): Promise<Result<SessionInfo>>;
  /** Gives the bulk its rank. Only after this is the bulk acknowledged. Errors as `info`. */
  register(
    session: ImportSession,
    registration: Registration,
  ): Promise<Result<{ readonly sequence: number }>>;
  /** Publishes; a call while publishing joins. too_few_documents, 503 storage_unavailable; otherwise errors as `info`. */
  done(session: ImportSession): Promise<Result<{ readonly generation: number }>>;
  /** Errors as `info`; session_busy while publishing. */
  cancel(session: ImportSession): Promise<Result<null>>;
  progress(): Promise<SessionProgress | null>;

  // ---- from IndexObject
  begin(info: SessionInfo, options: SessionOptions): Promise<void>;
  /** Copies the live generation, publishes, answers then. Only for a session that was begun with `reindex`. */
  reindex(route: Route): Promise<Result<ReindexAnswer>>;
  /** The index has decided; the session drops what it holds. Repeatable. */
  settle(state: "cancelled" | "removed"): Promise<void>;
}

export interface SessionOptions {
  readonly startedAtMs: number;
  /** Created by PUT: not subject to minimum-document-count, and gives way when an index is already live. */
  readonly onlyIfMissing: boolean;
  /** SHARDS_MIN when the session began. */
  readonly leastShards?: number;
  /** An internal session: documents come from the live generation, nobody else may add or publish. */
  readonly reindex?: boolean;
}

// ---- the shard ---------------------------------------------------------------------------------------------------------------

/** In every request to a shard. */
export interface ShardCall {
  readonly epoch: number;
}

/** In every request whose answer depends on configuration. */
export interface ConfiguredCall extends ShardCall {
  readonly configurationVersion: number;
}

export interface SearchCall extends ConfiguredCall {
  readonly tenant: string;
  readonly request: SearchRequest;
}

export interface SearchAnswer {
  /** The body of the answer: a SearchResult as JSON. */
  readonly json: string;
  /** Of the last write this answer has seen; with epoch and configuration version it identifies the state (ETag). */
  readonly logPosition: number;
  /** Another moment would bring another answer: functions of the time or of chance. */
  readonly isVolatile: boolean;
  readonly engineMs: number;
}

export interface SuggestCall extends ConfiguredCall {
  readonly request: SuggestRequest;
}

export interface SuggestAnswer {
  readonly suggestions: readonly Suggestion[];
  readonly logPosition: number;
}

/** An update: all documents of one request, in the order sent. `document` texts are the UTF-8 JSON of one document each. */
export type UpdateCall = ShardCall & UpdateChange;

/** An update without the epoch, which is known only per attempt. */
export type UpdateChange =
  | {
      readonly kind: "put";
      readonly documents: readonly Uint8Array[];
      readonly replaceExisting: boolean;
    }
  | { readonly kind: "patch"; readonly documents: readonly Uint8Array[] }
  | { readonly kind: "delete"; readonly ids: readonly string[] };

/** An update of several shards, as their first one carries it out (shard/joint-update.ts). */
export interface JointUpdateCall extends ShardCall {
  readonly parts: readonly UpdatePart[];
}

export interface UpdatePart {
  readonly shard: string;
  readonly change: UpdateChange;
  /** That it names, as far as they can be read. */
  readonly ids: readonly string[];
}

/** One part, to be kept until the coordinator has decided. */
export interface PrepareCall extends ShardCall {
  /** Of the update; used once. */
  readonly name: string;
  /** The shard that decides. */
  readonly coordinator: string;
  readonly change: UpdateChange;
  readonly ids: readonly string[];
}

export type JointOutcome = "committed" | "aborted";

export interface ShardStats {
  readonly shard: string;
  readonly documents: number;
  readonly variants: number;
  readonly segments: number;
  /**
   * Held in memory, by component: sections of segments; `deletions`, `filterCache`, `suggest`, `keyHashes`, `fieldWeights`, `randomScores`,
   * `rules`.
   */
  readonly memoryBytes: Readonly<Record<string, number>>;
  /** Durable, by component: `segments`, `stored` (in R2), `log` and `cache` (in SQLite). */
  readonly storedBytes: Readonly<Record<string, number>>;
  /** Operations in the log that no verified manifest contains yet. */
  readonly pendingWrites: number;
  readonly logPosition: number;
  /** Documents written by updates since the generation went live: published, or come back to by a rollback. */
  readonly updates: number;
}

export interface ShardApi extends SearchRoundsApi {
  search(call: SearchCall): Promise<ShardResult<SearchAnswer>>;
  suggest(call: SuggestCall): Promise<ShardResult<SuggestAnswer>>;
  /** The body of the answer: everything that was sent, as a Document in JSON, numbers digit by digit. 404 document_not_found. */
  document(call: ConfiguredCall & { readonly id: string }): Promise<ShardResult<string>>;
  /** Durable and searchable when it answers. 503 index_full_resharding for growing writes of a full shard. */
  update(call: UpdateCall): Promise<ShardResult<UpdateAnswer>>;
  stats(call: ShardCall): Promise<ShardResult<ShardStats>>;

  // ---- updates of several shards (shard/joint-update.ts)
  /** At the first shard of the generation: all parts or none. Answers in the order of the parts; errors as `update`. */
  updateJointly(call: JointUpdateCall): Promise<ShardResult<readonly UpdateAnswer[]>>;
  /** Keeps a part, durable and not to be seen, and says what will become of its documents. Errors as `update`. */
  prepareUpdate(call: PrepareCall): Promise<ShardResult<UpdateAnswer>>;
  /** Carries a prepared part out, or forgets it. Repeatable. */
  finishUpdate(name: string, outcome: JointOutcome): Promise<void>;
  /** What has become of an update that this shard decides. One that is not decided yet never will be: it is aborted. */
  jointOutcome(name: string): Promise<JointOutcome>;

  // ---- from the other objects
  /** Step 1 of publishing: load, verify, build the reader. Repeatable. 503 storage_unavailable when R2 fails or bytes are wrong. */
  open(call: OpenCall): Promise<Result<OpenAnswer>>;
  /** Step 2: no writes until released, retired or `leaseMs` is over. Answers the updates taken so far. */
  freeze(token: number, leaseMs: number): Promise<{ readonly updates: number }>;
  release(token: number): Promise<void>;
  /** After the commit: live at this epoch, or retired at it. Older news than it has are ignored. */
  setStanding(standing: Standing): Promise<void>;
  setConfigurationVersion(version: number): Promise<void>;
  /**
   * Keys of the objects in R2 that the manifest it works with names; none: it was never opened. The manifest in R2 may be a newer one,
   * of a checkpoint that died before the shard took it over.
   */
  namedKeys(): Promise<readonly string[]>;
  /** The generation is dropped: forgets everything it stored. */
  destroy(): Promise<void>;

  // ---- reindex (session/reindex.ts); STALE also when another session follows by now
  /** Begins to note what is written; `resume`: goes on with it, STALE when nothing was noted for this session. */
  follow(call: ReindexCall & { readonly resume: boolean }): Promise<ShardResult<FollowAnswer>>;
  /** Sources of live documents that lie in some chunks of a stored block. */
  copyPage(call: ReindexCall & CopyCursor): Promise<ShardResult<CopyPage>>;
  /** What was written after `after`, as it is now. */
  followed(
    call: ReindexCall & { readonly after: FollowCursor },
  ): Promise<ShardResult<FollowedPage>>;
  /** A building shard takes documents as they are in the live generation. Repeatable. */
  catchUp(documents: readonly FollowedDocument[]): Promise<Result<CatchUpAnswer>>;
}

export interface ReindexCall extends ShardCall {
  readonly session: string;
}

/** A place in the order of followed documents: everything up to and with it has been seen. */
export interface FollowCursor {
  readonly position: number;
  readonly id: string;
}

export interface FollowAnswer {
  readonly cursor: FollowCursor;
  /** Stored blocks of the published segments, each with the chunks [firstChunk, endChunk) in which the shard's documents lie. */
  readonly blocks: readonly FollowedBlock[];
}

export interface FollowedBlock {
  readonly id: string;
  readonly firstChunk: number;
  readonly endChunk: number;
}

export interface CopyCursor {
  readonly block: string;
  readonly chunk: number;
}

export interface CopyPage {
  readonly documents: readonly Uint8Array[];
  readonly next: CopyCursor | null;
}

/** `source` null: there is no such document (any more). */
export interface FollowedDocument {
  readonly id: string;
  readonly source: Uint8Array | null;
}

export interface CatchUpAnswer {
  /** In the shard now. */
  readonly documents: number;
  /** Ids of those that its configuration refuses. */
  readonly rejected: readonly string[];
}

export interface FollowedPage {
  readonly documents: readonly FollowedDocument[];
  readonly cursor: FollowCursor;
  readonly more: boolean;
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
