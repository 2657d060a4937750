/** Documents -> bytes (builder), bytes -> views (open), segments -> one segment (merge). */
import type { Analyzer } from "../analysis/index.ts";
import type { IndexableProduct, LiveSegment, NormGroup, Segment } from "../model.ts";

export interface SegmentBuilderOptions {
  readonly analyzer: Analyzer;
  /** Length-normalisation group of a search field. */
  normGroup(field: string): NormGroup;
  /** Language of sort keys; stored in the header. Segments of different languages do not merge. */
  readonly language: string;
  /** Name of the stored block that `finish().stored` will be kept under. */
  readonly storedBlock: string;
}

export interface BuiltSegment {
  readonly index: Uint8Array<ArrayBuffer>;
  readonly stored: Uint8Array<ArrayBuffer>;
  readonly productCount: number;
  readonly variantCount: number;
}

export declare class SegmentBuilder {
  constructor(options: SegmentBuilderOptions);
  /** The same id again replaces the earlier product. */
  add(product: IndexableProduct): void;
  readonly documentCount: number;
  /** Running estimate of index and stored bytes. */
  readonly sizeBytes: number;
  /** Once; the builder is used up afterwards. */
  finish(): BuiltSegment;
}

/** Opening verifies magic, version and section table; not the checksums. Throws SegmentCorruptError. */
export declare function openSegment(bytes: Uint8Array): Segment;
/** Checks every section's checksum. Throws SegmentCorruptError naming the section. */
export declare function verifySegment(bytes: Uint8Array): void;

export declare class SegmentCorruptError extends Error {
  readonly section: string;
}

/** Oldest first. A later segment wins an id (whether its row is live or deleted), deleted rows vanish. */
export declare function mergeSegments(inputs: readonly LiveSegment[]): Uint8Array<ArrayBuffer>;

/**
 * The same in steps: `for (const _ of steps) await scheduler.wait(0)`; the generator's return value is the bytes. Steps are
 * measured in work, not time (clocks stand still inside a Workers request): each is a few milliseconds.
 */
export declare function mergeSteps(
  inputs: readonly LiveSegment[],
): Generator<void, Uint8Array<ArrayBuffer>, void>;

/** Norm byte -> length in terms; exact to 40, geometric above. */
export declare const NORM_LENGTHS: Float64Array;
/** Largest code whose length is <= `length`. Monotone. */
export declare function encodeNorm(length: number): number;
