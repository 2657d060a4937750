/** Descriptions of R2 objects in messages: segments and stored blocks. */

/** An immutable R2 object. `checksum`: SHA-256, lower-case hex. */
export interface StoredObject {
  readonly key: string;
  readonly sizeBytes: number;
  readonly checksum: string;
}

/** A segment of a bulk or of a session's merge. */
export interface SegmentEntry extends StoredObject {
  readonly id: string;
  readonly productCount: number;
  readonly variantCount: number;
}

/** Additional data for sessions. */
export interface RegisteredSegment extends SegmentEntry {
  /** Version of the code that wrote it, because code may be upgraded during an import. */
  readonly analysisVersion: number;
}

/**
 * A stored block or, in a manifest, the part that its shard needs. `id`: its name in segments. `bounds`: offsets in the
 * object: the start of chunk number `firstChunk`, the start of each further chunk, and the end of the last one.
 */
export interface BlockEntry extends StoredObject {
  readonly id: string;
  readonly firstChunk: number;
  readonly bounds: readonly number[];
}

/** A whole block; `partitions`: first and last partition of each chunk, flat. */
export interface RegisteredBlock extends BlockEntry {
  readonly partitions: readonly number[];
}
