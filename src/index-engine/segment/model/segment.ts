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

/** An opened segment: typed-array views over immutable bytes. */
export interface Segment {
  /**
   * This segment, or without its changed numbers if it has any (index/doc-values/segment.ts). Caches of data that does
   * not depend on numbers use the base as key, because it stays the same when numbers change.
   */
  readonly base: Segment;
  readonly sizeBytes: number;
  /** Bytes by section, for accounting and benches. */
  readonly bytesBySection: Readonly<Record<string, number>>;
  readonly productCount: number;
  readonly variantRowCount: number;
  /** Variants in documents. Does not count the variant rows of products without variants. */
  readonly variantCount: number;
  /** False: product row p is variant row p. */
  readonly hasVariants: boolean;
  readonly variantRows: VariantRows;
  /** Variants in the document. 0 for a product without variants, although it has one variant row. */
  variantsOf(row: number): number;

  /** Ordinal = product row. */
  readonly ids: StringTable;
  /** Exact terms, and stems under the prefix STEM_PREFIX; ordinal = list of `postings` and `variantPostings`. */
  readonly terms: StringTable;
  readonly postings: TermPostings;
  /** Terms of variants by variant row; null without variants. `postings` also has them, under the product. */
  readonly variantPostings: Postings | null;
  readonly searchFields: readonly string[];
  readonly signatures: Signatures;
  /** By index of NORM_GROUPS: a norm byte per product row. NORM_LENGTHS decodes it. */
  readonly norms: readonly Uint8Array[];
  /** By index of NORM_GROUPS: sum of decoded lengths of all product rows. */
  readonly lengthSums: readonly number[];
  readonly titles: Titles;

  readonly facets: FacetData;
  readonly numberColumns: ReadonlyMap<string, NumberColumn>;
  readonly stringColumns: ReadonlyMap<string, StringColumn>;
  storedRef(row: number): StoredRef;
  readonly storedBlocks: readonly string[];
}

/**
 * Stems are in the term dictionary with this prefix, which no token has. A stem is only stored if it differs from the
 * exact term, so the products of stem s are those of list(s) and list(STEM_PREFIX + s).
 */
export const STEM_PREFIX = "\u0001";

/** One segment and its deleted products. */
export interface LiveSegment {
  readonly segment: Segment;
  /** Bit per product row; null when nothing is deleted. */
  readonly deleted: Uint32Array | null;
  readonly deletedCount: number;
  /** Changed numbers that `segment` does not have yet. The segments of readers already have them. */
  readonly numbers?: SegmentNumbers | null;
}
