/** ImportSessionObject: an import from its first bulk to its publication. */
import type { ImportSession, IndexConfig, Result } from "../../interface/index.ts";
import type { CopyBulkCall } from "./following.ts";
import type { ReindexAnswer, Route, SessionStatus } from "./index-object.ts";
import type { RegisteredBlock, RegisteredSegment } from "./stored-objects.ts";

/** What `add` needs to know; the same for the whole life of a session. */
export interface SessionInfo {
  readonly finalIndexName: string;
  readonly temporaryIndexName: string;
  readonly generation: number;
  readonly locale: string;
  readonly language: string;
  readonly configuration: IndexConfig;
}

/**
 * What one `add` wrote. Segments in the order of the documents; registering gives the whole call one sequence number.
 */
export interface Registration {
  /** Made by the writer: the same registration sent twice counts once. */
  readonly id: string;
  readonly segments: readonly RegisteredSegment[];
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

/** In this order; see session/publishing.ts. */
export type PublishingStep = "merge" | "manifest" | "open" | "flip";

export interface SessionApi {
  /** session_unknown, session_mismatch, session_completed, session_cancelled, session_busy (publishing). */
  info(session: ImportSession): Promise<Result<SessionInfo>>;
  /** Gives the bulk its rank. Only after this is the bulk acknowledged. Errors as `info`. */
  register(
    session: ImportSession,
    registration: Registration,
  ): Promise<Result<{ readonly sequence: number }>>;
  /**
   * Publishes; a call while publishing joins. too_few_documents, 503 storage_unavailable; otherwise errors as `info`.
   */
  done(session: ImportSession): Promise<Result<{ readonly generation: number }>>;
  /** Errors as `info`; session_busy while publishing. */
  cancel(session: ImportSession): Promise<Result<null>>;
  progress(): Promise<SessionProgress | null>;

  // ---- from IndexObject
  begin(info: SessionInfo, options: SessionOptions): Promise<void>;
  /** Copies the live generation, publishes, answers then. Only for a session that was begun with `reindex`. */
  reindex(route: Route): Promise<Result<ReindexAnswer>>;
  /** From the session itself: copies one bulk of a reindex, and answers the ids of documents it refuses. */
  copyBulk(call: CopyBulkCall): Promise<Result<readonly string[]>>;
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
