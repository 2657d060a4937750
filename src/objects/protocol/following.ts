/** What a reindex (session/reindex.ts) takes out of the live shards and brings into the new ones. */
import type { ShardCall } from "./shard-call.ts";

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
  /**
   * Stored blocks of the published segments, each with the chunks [firstChunk, endChunk) in which the shard's
   * documents lie. None of them moves while the session follows.
   */
  readonly blocks: readonly FollowedBlock[];
}

export interface FollowedBlock {
  readonly id: string;
  readonly firstChunk: number;
  readonly endChunk: number;
  /** Of its chunks, together. */
  readonly sizeBytes: number;
}

/** Chunks [firstChunk, endChunk) of a block. */
export type ChunkRun = Pick<FollowedBlock, "id" | "firstChunk" | "endChunk">;

export interface CopyCall extends ReindexCall {
  readonly runs: readonly ChunkRun[];
}

/** What a session asks itself for: a call of its own may read and write as much again (session/reindex.ts). */
export interface CopyBulkCall {
  readonly shard: string;
  readonly epoch: number;
  /** The name it is registered by. */
  readonly bulk: string;
  readonly pages: readonly (readonly ChunkRun[])[];
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
