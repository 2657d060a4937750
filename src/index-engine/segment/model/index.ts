/**
 * The data types shared by the folders of the engine.
 *
 *   JSON document --documents/--> IndexableProduct --segment/builder--> bytes --segment/open--> Segment
 *   Segments + deletions = Reader;  request --query/--> plan --gather, decide, execute--> Execution --render--> answer
 *
 * Words. A *product* is a document with its variants; it is one hit. A *row* is a product's number inside one segment,
 * and a *variant row* is a variant's number. The variant rows of a product are contiguous, in the order of the
 * document. A product without variants owns exactly one variant row, so "some variant passes" needs no special case.
 * **Product rows are numbered in the order of their ids** (code point order). So a row is its own rank by id, the id
 * dictionary is the id column, ties are broken by row number, and merging segments merges sorted lists.
 *
 * The *effective values* of a variant row are the product's own values plus the variant's. Every filter and every facet
 * is defined on the effective values of variant rows (invariant I1). Every count is of distinct products.
 */
export {
  FACET_KINDS,
  NORM_GROUPS,
  type ColumnValue,
  type FacetKind,
  type FieldText,
  type FieldValue,
  type IndexableProduct,
  type IndexableRow,
  type NormGroup,
  type ReadOutcome,
} from "./documents.ts";
export {
  LARGEST_DELTA,
  NO_MORE_ROWS,
  NO_ROW,
  type FacetData,
  type FacetField,
  type NumberColumn,
  type PostingCursor,
  type Postings,
  type Signatures,
  type SortKeyTable,
  type StringColumn,
  type StringTable,
  type TermPostings,
  type TextScan,
  type TitleCursor,
  type Titles,
  type VariantRows,
} from "./views.ts";
export { keptBytes, KeptWithSegments, keptWithBase } from "./kept.ts";
export { STEM_PREFIX, type LiveSegment, type Segment, type StoredRef } from "./segment.ts";
export {
  packNumbers,
  SegmentNumbers,
  unpackNumbers,
  type NumberChanges,
  type PackedNumbers,
  type FieldNumbers,
  placeOf,
} from "./numbers.ts";
