/** One immutable snapshot of an index: segments and what is deleted from them. */
import type { LiveSegment, Segment } from "./model.ts";

export declare class Reader {
  private constructor();
  /** Oldest first. Rows whose id a later segment has (live or deleted) become deleted. */
  static of(segments: readonly (Segment | LiveSegment)[]): Reader;
  static readonly empty: Reader;

  readonly segments: readonly LiveSegment[];
  /** Live products, variants that documents really have, and decoded lengths by index of NORM_GROUPS. */
  readonly productCount: number;
  readonly variantCount: number;
  readonly lengthSums: readonly number[];
  /** Bytes of the segments and deletion bits. */
  readonly sizeBytes: number;

  /** The live product with this id. */
  find(id: string): { readonly segment: number; readonly row: number } | null;
  /** Live products with this dictionary term (exact term, or STEM_PREFIX + stem). */
  documentFrequency(term: string): number;
  /** Adds `segment` as the newest; its ids and `deletedIds` are deleted from all older ones (deletedIds not from it). */
  withUpdate(segment: Segment | null, deletedIds: readonly string[]): Reader;
  /**
   * After a merge: `inputs` (as they were given to it, a contiguous run of this reader's segments, by identity) are replaced
   * by the result; products deleted since then are deleted from the result too. `merged` null: nothing was left.
   */
  replaceRun(inputs: readonly LiveSegment[], merged: Segment | null): Reader;
}

/** A segment without deletions. */
export declare function live(segment: Segment): LiveSegment;
/** Live rows of one posting list of products. */
export declare function liveFrequency(segment: LiveSegment, term: number): number;
