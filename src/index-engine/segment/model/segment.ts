/** An opened segment, and a segment with its later changes. */
import type { SegmentNumbers } from "./numbers.ts";
import type {
  FacetData,
  NumberColumn,
  Postings,
  Signatures,
  StringColumn,
  StringTable,
  TermPostings,
  Titles,
  VariantRows,
} from "./views.ts";

/** Position of a product's source: chunk `chunk` of stored block `block`, at byte `offset` of that chunk. */
export interface StoredRef {
  readonly block: string;
  readonly chunk: number;
  readonly offset: number;
  /** Numbers that replace those in the source (index/doc-values/segment.ts): field of its data -> number. */
  readonly numbers?: ReadonlyMap<string, number>;
}

/**
 * An opened segment: typed-array views over immutable bytes.
 */
export interface Segment {
  /**
   * The segment of bytes: this one, or the one under changed numbers (index/doc-values/segment.ts). What is kept by
   * segment and does not depend on numbers is kept by this one, which stays when numbers change.
   */
  readonly base: Segment;
  readonly sizeBytes: number;
  /** Bytes by section, for accounting and benches. */
  readonly bytesBySection: Readonly<Record<string, number>>;
  readonly productCount: number;
  readonly variantRowCount: number;
  /** Variants in the documents themselves (without the variant row of products that have none). */
  readonly variantCount: number;
  /** False: product row p is variant row p. */
  readonly hasVariants: boolean;
  readonly variantRows: VariantRows;
  /** Variants in the document of this row: 0 for a product without variants, although it has one variant row. */
  variantsOf(row: number): number;

  /** Ordinal = product row. */
  readonly ids: StringTable;
  /** Exact terms, and stems under the prefix STEM_PREFIX; ordinal = list of `postings` and `variantPostings`. */
  readonly terms: StringTable;
  readonly postings: TermPostings;
  /** Terms of variants by variant row (`postings` has them under the product too); null without variants. */
  readonly variantPostings: Postings | null;
  readonly searchFields: readonly string[];
  readonly signatures: Signatures;
  /** Norm byte per product row, by index of NORM_GROUPS; decode with NORM_LENGTHS. */
  readonly norms: readonly Uint8Array[];
  /** Sum of decoded lengths over all product rows, by index of NORM_GROUPS. */
  readonly lengthSums: readonly number[];
  /** Null in segments of an older writer. */
  readonly titles: Titles | null;

  readonly facets: FacetData;
  readonly numberColumns: ReadonlyMap<string, NumberColumn>;
  readonly stringColumns: ReadonlyMap<string, StringColumn>;
  storedRef(row: number): StoredRef;
  readonly storedBlocks: readonly string[];
}

/**
 * Stems live in the term dictionary beside exact terms, under this prefix (no token starts with it). A stem is stored
 * only where it differs from the exact term, so the products of stem s are: list(s) and list(STEM_PREFIX + s).
 */
export const STEM_PREFIX = "\u0001";

/** One segment and its deleted products. */
export interface LiveSegment {
  readonly segment: Segment;
  /** Bit per product row; null when nothing is deleted. */
  readonly deleted: Uint32Array | null;
  readonly deletedCount: number;
  /**
   * Changed numbers that are not yet overlaid on `segment`, which then reads plain bytes. In readers they
   * already are.
   */
  readonly numbers?: SegmentNumbers | null;
}
