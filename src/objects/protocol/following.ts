/** Messages between a reindex session (session/reindex.ts) and the live and new shards. */
import type { ShardCall } from "./shard-call.ts";

export interface ReindexCall extends ShardCall {
  readonly session: string;
}

/** A position in the order of followed documents; everything up to it, inclusive, has been read. */
export interface FollowCursor {
  readonly position: number;
  readonly id: string;
}

export interface FollowAnswer {
  readonly cursor: FollowCursor;
  /**
   * Stored blocks of the published segments, each with the chunks [firstChunk, endChunk) that have
   * documents of the shard. Sources do not move while the session follows.
   */
  readonly blocks: readonly FollowedBlock[];
}

export interface FollowedBlock {
  readonly id: string;
  readonly firstChunk: number;
  readonly endChunk: number;
  /** Total of its chunks. */
  readonly sizeBytes: number;
}

/** Chunks [firstChunk, endChunk) of a block. */
export type ChunkRun = Pick<FollowedBlock, "id" | "firstChunk" | "endChunk">;

export interface CopyCall extends ReindexCall {
  readonly runs: readonly ChunkRun[];
}

/**
 * Input of a call of the session to itself, which is a separate invocation with its own limits
 * (session/reindex.ts).
 */
export interface CopyBulkCall {
  readonly shard: string;
  readonly epoch: number;
  /** Name under which the bulk is registered. */
  readonly bulk: string;
  readonly pages: readonly (readonly ChunkRun[])[];
}

/** `source` null: the document does not exist. */
export interface FollowedDocument {
  readonly id: string;
  readonly source: Uint8Array | null;
}

export interface CatchUpAnswer {
  /** Current number in the shard. */
  readonly documents: number;
  /** Ids of documents that the configuration rejects. */
  readonly rejected: readonly string[];
}

export interface FollowedPage {
  readonly documents: readonly FollowedDocument[];
  readonly cursor: FollowCursor;
  readonly more: boolean;
}
