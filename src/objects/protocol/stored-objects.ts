/** What lies in R2, as objects tell each other of it: segments and stored blocks. */

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

/** What a session is told besides. */
export interface RegisteredSegment extends SegmentEntry {
  /**
   * Of the code that wrote it: an upgrade may come in the middle of an import. Absent from Workers whose code is older
   * than this.
   */
  readonly analysisVersion?: number;
}

/**
 * One stored block, or, in a manifest, what its shard needs of it: `id` is the name segments refer to it by; `bounds`
 * are places within the object: where chunk number `firstChunk` begins, where it ends and the next begins, ..., where
 * the last one ends.
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
