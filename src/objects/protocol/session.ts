/** ImportSessionObject: an import from its first bulk to its publication. */
import type { ImportSession, IndexConfig, Result } from "../../interface/index.ts";
import type { CopyBulkCall } from "./following.ts";
import type { ReindexAnswer, Route, SessionStatus } from "./index-object.ts";
import type { RegisteredBlock, RegisteredSegment } from "./stored-objects.ts";

/** What a session answers to who knows its configuration already. */
export type KnownSessionInfo = Omit<SessionInfo, "configuration"> & { readonly configuration: null };

/** Input of `add`; constant for a session. */
export interface SessionInfo {
  readonly finalIndexName: string;
  readonly temporaryIndexName: string;
  readonly generation: number;
  readonly locale: string;
  readonly language: string;
  readonly configuration: IndexConfig;
}

/**
 * The output of one `add`, with segments in document order. Registering assigns one sequence number to the whole call.
 */
export interface Registration {
  /** Created by the writer, so that a repeated registration counts once. */
  readonly id: string;
  readonly segments: readonly RegisteredSegment[];
  readonly blocks: readonly RegisteredBlock[];
  /** Accepted documents, including repeated ids. */
  readonly documents: number;
}

export interface SessionProgress extends SessionStatus {
  readonly segments: number;
  readonly sizeBytes: number;
  /** Documents accepted so far, including repeated ids. */
  readonly documents: number;
  /** The current step of `done`; null unless publishing. */
  readonly step: PublishingStep | null;
}

/** In this order (session/publishing.ts). */
export type PublishingStep = "merge" | "manifest" | "open" | "flip";

export interface SessionApi {
  /** session_unknown, session_mismatch, session_completed, session_cancelled, session_busy (publishing). */
  info(session: ImportSession, isKnown?: false): Promise<Result<SessionInfo>>;
  /** `isKnown`: the configuration, which may have thousands of fields, need not be sent. */
  info(session: ImportSession, isKnown: boolean): Promise<Result<SessionInfo | KnownSessionInfo>>;
  /** Assigns the bulk its rank, which acknowledges it. Errors as `info`. */
  register(session: ImportSession, registration: Registration): Promise<Result<{ readonly sequence: number }>>;
  /**
   * Publishes, or joins a running publication. too_few_documents, 503 storage_unavailable; otherwise errors as `info`.
   */
  done(session: ImportSession): Promise<Result<{ readonly generation: number }>>;
  /** Errors as `info`; session_busy while publishing. */
  cancel(session: ImportSession): Promise<Result<null>>;
  progress(): Promise<SessionProgress | null>;

  // ---- from IndexObject
  begin(info: SessionInfo, options: SessionOptions): Promise<void>;
  /** Copies the live generation and publishes, then answers. Only for sessions started with `reindex`. */
  reindex(route: Route): Promise<Result<ReindexAnswer>>;
  /** Called by the session itself: copies one bulk of a reindex and returns the ids of rejected documents. */
  copyBulk(call: CopyBulkCall): Promise<Result<readonly string[]>>;
  /** The index has ended the session, which drops its data. Repeatable. */
  settle(state: "cancelled" | "removed"): Promise<void>;
}

export interface SessionOptions {
  readonly startedAtMs: number;
  /** Created by PUT: not subject to minimum-document-count, and abandoned if an index is already live. */
  readonly onlyIfMissing: boolean;
  /** SHARDS_MIN at the start of the session. */
  readonly leastShards?: number;
  /** An internal session: documents come from the live generation; others cannot add or publish. */
  readonly reindex?: boolean;
}
