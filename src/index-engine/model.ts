/**
 * The vocabulary of the engine: what flows between its rooms.
 *
 *   JSON document --fields/--> IndexableProduct --segment/builder--> bytes --segment/reader--> Segment
 *   Segments + deletions = Reader;  request --query/--> plan --survey, decide, execute--> Execution --render--> answer
 *
 * Words. A *product* is a document with its variants; it is one hit. A *row* is a product's number inside one segment; a
 * *variant row* is a variant's number inside one segment. Variant rows are contiguous per product, in the order of the
 * document; a product without variants owns exactly one variant row, so that "some variant passes" needs no special case.
 * **Product rows are numbered in the order of their ids** (code point order): a row is its own id rank, the id dictionary is
 * the id column, ties end in the row number, and merges of segments are merges of sorted lists.
 *
 * The *effective values* of a variant row are the product's own values plus the variant's. Every filter and every facet is
 * defined on effective values of variant rows (invariant I1), every count is of distinct products.
 */

import type { HitExplanation } from "./query/explain/index.ts";
import type { SegmentNumbers } from "./overlay/numbers.ts";
import type { TermGroup } from "./rank/term-group.ts";

// ---- documents on their way in -------------------------------------------------------------------------------------------

/** Text of one field with usage Search. Several entries of a field are concatenated. */
export interface FieldText {
  readonly field: string;
  readonly text: string;
}

/** The kind is part of a field's identity: `size` may have a number part and a term part. */
export const FACET_KINDS = ["term", "number", "path"] as const;
export type FacetKind = (typeof FACET_KINDS)[number];

/**
 * One value of a field with usage Facet or Filter.
 * `path`: every level is an entry of its own (`A`, `A/B`, `A/B/C`; a `/` inside a name is `%2F`), id = the level's category id.
 * `facet: false`: filterable but never listed (usage Filter only, or an unconfigured long string).
 */
export type FieldValue =
  | {
      readonly kind: "term" | "path";
      readonly field: string;
      readonly value: string;
      readonly id: string | null;
      readonly facet: boolean;
    }
  | {
      readonly kind: "number";
      readonly field: string;
      readonly value: number;
      readonly id: string | null;
      readonly facet: boolean;
    };

/** One value of a field with usage Sort or Score. Numbers and strings of one name are two columns. */
export interface ColumnValue {
  readonly field: string;
  readonly value: number | string;
}

export interface IndexableRow {
  readonly texts: readonly FieldText[];
  readonly values: readonly FieldValue[];
  readonly columns: readonly ColumnValue[];
}

/** A document ready to be indexed. The master's lists hold master values only; variant values stay with the variants. */
export interface IndexableProduct extends IndexableRow {
  readonly id: string;
  /** The document exactly as received, UTF-8 JSON. */
  readonly source: Uint8Array;
  readonly variants: readonly IndexableRow[];
}

/**
 * Length normalisation is per field group, one norm byte per product and group (architecture.md "Postings").
 * title: names of things; short: brand, categories, colours, codes, attributes; text: descriptions and other prose.
 */
export const NORM_GROUPS = ["title", "short", "text"] as const;
export type NormGroup = (typeof NORM_GROUPS)[number];

// ---- strings -------------------------------------------------------------------------------------------------------------

/** Immutable sorted strings, distinct, in code point order (= order of their UTF-8 bytes, not of UTF-16 units). */
export interface StringTable {
  readonly size: number;
  get(ordinal: number): string;
  /** Ordinal of `text`, or -1. */
  find(text: string): number;
  /** First ordinal whose string is >= `text`; `size` when there is none. */
  lowerBound(text: string): number;
  /** First ordinal after all strings that start with `prefix` (whose first is `lowerBound(prefix)`). */
  prefixEnd(prefix: string): number;
}

// ---- postings --------------------------------------------------------------------------------------------------------------

/** Row number after the last posting of a list. */
export const NO_MORE_ROWS = 0xffffffff;

/**
 * Walks one posting list in ascending row order. Reusable: `open` starts another list.
 * `code` is the signature ordinal of the current posting (0 in lists without codes).
 */
export interface PostingCursor {
  open(list: number): void;
  /** Rows in the open list. */
  readonly count: number;
  /** Current row; NO_MORE_ROWS before `open` and after the end. `open` stands on the first row. */
  readonly row: number;
  readonly code: number;
  next(): number;
  /** First row >= target, by skipping whole blocks; never moves back. */
  advance(target: number): number;
}

/** A set of posting lists: blocks of 128, skippable; `list` is a term or value ordinal. */
export interface Postings {
  /** Rows in the list; 0 when empty. Costs no decoding. */
  count(list: number): number;
  cursor(): PostingCursor;
  /** Decodes the whole list; returns its length. `codes` null: rows only. Both must hold `count(list)` entries. */
  decode(list: number, rows: Uint32Array, codes: Uint32Array | null): number;
}

/**
 * A *signature* is the set of (search field, term frequency) of one posting; postings store its ordinal. So a tenant's field
 * weights become one number per signature and query, and nothing of them is baked into bytes (invariant I2).
 * Signature s owns entries [starts[s], starts[s+1]).
 */
export interface Signatures {
  readonly count: number;
  readonly starts: Uint32Array;
  /** Ordinal into Segment.searchFields. */
  readonly fields: Uint16Array;
  /** Term frequency in that field, capped at 255. */
  readonly frequencies: Uint8Array;
}

// ---- facet data --------------------------------------------------------------------------------------------------------------

/**
 * A field's values are contiguous ordinals [start, end), sorted by key, then value, then id. A *group* is the ordinals that
 * count as one facet entry: equal key. Key: term = the value in lower case; path = the value; number = the number.
 */
export interface FacetField {
  readonly name: string;
  readonly kind: FacetKind;
  readonly start: number;
  readonly end: number;
  /** False: filter only. */
  readonly facet: boolean;
  readonly onProducts: boolean;
  readonly onVariants: boolean;
}

/** What a distance of 0 stands for in FacetData. */
export const LONGEST_DISTANCE = 0xffff;

export interface FacetData {
  /** Sorted by name (code points), then kind in the order of FACET_KINDS. Opens all of them: thousands in some catalogues. */
  readonly fields: readonly FacetField[];
  field(name: string, kind: FacetKind): FacetField | null;
  /** The field that a value ordinal belongs to. */
  fieldOf(ordinal: number): FacetField;
  readonly valueCount: number;
  /** Bit per value ordinal whose key is that of the ordinal before: all of a group but its first. Null: all keys differ. */
  readonly sameKey: Uint32Array | null;
  /** First ordinal of the group that `ordinal` belongs to. */
  firstOfGroup(ordinal: number): number;
  /**
   * Bit per value ordinal: values that were given with `facet: false` (they filter, they are never listed); null when there are
   * none. A field's `facet` is false when all of its values are such.
   */
  readonly unlisted: Uint32Array | null;
  /** Display value: a string for term and path. Fails loudly for numbers. */
  text(ordinal: number): string;
  /** The number of a number ordinal; NaN for others. */
  number(ordinal: number): number;
  id(ordinal: number): string | null;
  /** Term and path fields: the texts of their values in the order of their ordinals; stands before the first. */
  textScan(field: FacetField): TextScan;
  /** Ordinals [start, end) of the group with this key (lower-cased by the caller for terms); null when absent. */
  group(field: FacetField, key: string | number): readonly [number, number] | null;
  /** Number fields: ordinals [start, end) with lower <= value <= upper. */
  numberRange(field: FacetField, lower: number, upper: number): readonly [number, number];
  /** Every ordinal of the field with this id, compared exactly. */
  withId(field: FacetField, id: string): readonly number[];

  /**
   * The values of product row p, ascending, distinct, as distances at [productDistanceStarts[p], productDistanceStarts[p+1]): each
   * from the value before it, the first from -1; a distance of 0 is LONGEST_DISTANCE and no value yet:
   *
   *   value = -1; for each d: value += d || LONGEST_DISTANCE; if (d !== 0) it is a value
   */
  readonly productDistanceStarts: Uint32Array;
  readonly productDistances: Uint16Array;
  /** Own values of variant rows; null when no variant of the segment has any. */
  readonly variantDistanceStarts: Uint32Array | null;
  readonly variantDistances: Uint16Array | null;

  /** value ordinal -> product rows that carry it themselves. */
  readonly productPostings: Postings;
  /** value ordinal -> variant rows that carry it themselves; null when no variant has any. */
  readonly variantPostings: Postings | null;
}

/** Texts one after the other, as UTF-8 bytes[0, length), which are good until `next`. */
export interface TextScan {
  readonly bytes: Uint8Array;
  readonly length: number;
  next(): boolean;
}

// ---- columns -------------------------------------------------------------------------------------------------------------------

/** Numbers of a Sort or Score field. NaN = missing. Minimum and maximum run over the product's and its variants' values. */
export interface NumberColumn {
  readonly field: string;
  min(row: number): number;
  max(row: number): number;
  /** `min` of many rows, ascending, which is several times faster: values[i] = min(rows[i]). */
  readMin(rows: Uint32Array, values: Float64Array): void;
  readMax(rows: Uint32Array, values: Float64Array): void;
  /** Own or inherited: the variant's own value, else the master's own value, else NaN. */
  ofVariant(variantRow: number): number;
  /** Smallest own value of the variant row, else NaN. */
  ownOfVariant(variantRow: number): number;
}

/** Sort keys; each is made from a text when it is asked for. */
export interface SortKeyTable extends StringTable {
  /** `textOfSortKey(get(ordinal))`, cheaper. */
  text(ordinal: number): string;
}

/**
 * Strings of a Sort field as ordinals into `keys` (order = sort order of the language, see analysis/sort-key.ts). -1 = missing.
 * Keys are comparable between segments as strings by code points.
 */
export interface StringColumn {
  readonly field: string;
  readonly keys: SortKeyTable;
  min(row: number): number;
  max(row: number): number;
  /** `min` of many rows, ascending, which is several times faster: values[i] = min(rows[i]). */
  readMin(rows: Uint32Array, values: Float64Array): void;
  readMax(rows: Uint32Array, values: Float64Array): void;
  ofVariant(variantRow: number): number;
}

// ---- titles ----------------------------------------------------------------------------------------------------------------------

/** The titles of a row, text by text. Reusable: `open` goes to another row. */
export interface TitleCursor {
  /** Stands before the first text of the row. */
  open(row: number): void;
  /** Goes to the next text; false behind the last one. */
  next(): boolean;
  /** False: the postings may know more of this product's titles than is here (forward/writer.ts says when). */
  readonly isWhole: boolean;
  /** Ordinal into Titles.fields. */
  readonly field: number;
  /** The terms of the text in order as codes[0..length), until the next call. */
  readonly codes: Uint32Array;
  readonly length: number;
  /** The same terms as the text before, in another field. */
  readonly isRepeated: boolean;
}

/**
 * The titles of products themselves (norm group `title`; not of their variants) as sequences of exact terms, in the order of the
 * document. A term has a *code* here, which says the same as its ordinal.
 */
export interface Titles {
  /** Names of the fields that have texts here. */
  readonly fields: readonly string[];
  cursor(): TitleCursor;
  /** Codes of the exact terms that a term ordinal stands for: itself, or for a stem all terms in titles with that stem. */
  codesOf(list: number): number[];
  /** Codes of the terms with ordinals [start, end): first and end of a range, as often as needed. */
  rangesOf(start: number, end: number): number[];
  /** Term ordinal of a code. */
  term(code: number): number;
}

// ---- segment ---------------------------------------------------------------------------------------------------------------------

/** Where a product's source lies: chunk `chunk` of stored block `block`, at byte `offset` of that chunk. */
export interface StoredRef {
  readonly block: string;
  readonly chunk: number;
  readonly offset: number;
  /** Numbers that are to be put into the source once it is read (overlay/segment.ts): field of its data -> number. */
  readonly numbers?: ReadonlyMap<string, number>;
}

/**
 * An opened segment: typed-array views over immutable bytes. Take arrays from it at the start of a loop and do not keep them
 * over an await: the bytes may move (WebAssembly memory grows), the segment object stays valid.
 */
export interface Segment {
  /**
   * The segment of bytes: this one, or the one under changed numbers (overlay/segment.ts). What is kept by segment and does not depend on
   * numbers is kept by this one, which stays when numbers change.
   */
  readonly base: Segment;
  readonly sizeBytes: number;
  /** Bytes by section, for accounting and benches. */
  readonly bytesBySection: Readonly<Record<string, number>>;
  readonly productCount: number;
  readonly variantRowCount: number;
  /** Variants that documents really have (without the one row of products that have none). */
  readonly variantCount: number;
  /** False: product row p is variant row p and `variantRowStarts` is empty. */
  readonly hasVariants: boolean;
  /** Product p owns variant rows [variantRowStarts[p], variantRowStarts[p+1]). */
  readonly variantRowStarts: Uint32Array;
  /** Variant row -> product row; empty without variants. */
  readonly productOfVariantRow: Uint32Array;
  /** Variants the document of this row really has: 0 for a product that owns its one variant row only as a product. */
  variantsOf(row: number): number;

  /** Ordinal = product row. */
  readonly ids: StringTable;
  /** Exact terms, and stems under the prefix STEM_PREFIX; ordinal = list of `postings` and `variantPostings`. */
  readonly terms: StringTable;
  readonly postings: Postings;
  /** Terms of variant content by variant row (they are in `postings` under the product too); null without variants. */
  readonly variantPostings: Postings | null;
  readonly searchFields: readonly string[];
  readonly signatures: Signatures;
  /** Norm byte per product row, by index of NORM_GROUPS; decode with NORM_LENGTHS. */
  readonly norms: readonly Uint8Array[];
  /** Sum of decoded lengths over all product rows, by index of NORM_GROUPS. */
  readonly lengthSums: readonly number[];
  /** Null in segments that were written before there were any. */
  readonly titles: Titles | null;

  readonly facets: FacetData;
  readonly numberColumns: ReadonlyMap<string, NumberColumn>;
  readonly stringColumns: ReadonlyMap<string, StringColumn>;
  storedRef(row: number): StoredRef;
  readonly storedBlocks: readonly string[];
}

/**
 * Stems live in the term dictionary beside exact terms, under this prefix (no token starts with it). A stem is stored only
 * where it differs from the exact term, so the products of stem s are: list(s) and list(STEM_PREFIX + s).
 */
export const STEM_PREFIX = "\u0001";

/** One segment with the products that are gone from it. */
export interface LiveSegment {
  readonly segment: Segment;
  /** Bit per product row; null when nothing is deleted. */
  readonly deleted: Uint32Array | null;
  readonly deletedCount: number;
  /** Changed numbers that are still to be laid over `segment`, which is one of bytes then; readers have done so with theirs. */
  readonly numbers?: SegmentNumbers | null;
}

// ---- searching -------------------------------------------------------------------------------------------------------------------

/** A product in one reader. `variant` is the picked variant's position in its document, or null for the master. */
export interface HitRow {
  readonly segment: number;
  readonly row: number;
  readonly variant: number | null;
}

/** One hit of the current page, ready to be rendered once its source is read. */
export interface EngineHit extends HitRow {
  readonly id: string;
  /** Integer relevance; null when a sort suppressed scores. */
  readonly score: number | null;
  /** Values the order was decided by; empty when sorted by relevance. */
  readonly sortValues: readonly (number | string | null)[];
  /** Fields whose shown value is replaced by the sorted min or max: `<field>_prefix` (reference-behaviour.md 3.9). */
  readonly sortedFields: readonly {
    readonly field: string;
    readonly value: number;
    readonly prefix: string;
  }[];
  readonly variantScore: number | null;
  readonly matchedQueries: readonly string[];
  /** Index of the product set that brought it, or -1. */
  readonly set: number;
  /** Only where it was asked for. */
  readonly explanation?: HitExplanation;
}

/** One value of one facet field, summed over all segments. */
export interface CountedValue {
  /** Group key (see FacetField). */
  readonly key: string | number;
  /** The spelling on most matching products; ties: the smallest. For numbers the number as text. */
  readonly value: string;
  /** The id on most matching products, ties the smallest; null when none. */
  readonly id: string | null;
  /** Every id that a counted value of this entry has, most products first. */
  readonly ids: readonly string[];
  /** Distinct products. */
  readonly count: number;
}

/**
 * Facet counts of one execution, exact. Fields are cheap to list, values are summed over segments when asked for, so that the
 * decision which facets are shown comes after counting everything (invariant I3) without naming 5,000 fields' values.
 * A field that carries a multi-select filter is counted without that filter, every other one with all filters.
 */
export interface FacetCounts {
  /** Fields with entries, ordered by name (code points), then kind in the order of FACET_KINDS. */
  fields(): readonly {
    readonly name: string;
    readonly kind: FacetKind;
    /** Sum of the entry counts. */
    readonly coverage: number;
  }[];
  /** The kinds that `fields` has the name with. */
  kinds(name: string): readonly FacetKind[];
  /** How many entries there are, and the count of the largest; builds no strings. */
  summary(
    name: string,
    kind: FacetKind,
  ): { readonly entries: number; readonly largestCount: number };
  /** Entries with count > 0, ascending by key. */
  values(name: string, kind: FacetKind): readonly CountedValue[];
  /** The `limit` entries with the largest counts (ties: smallest key), largest first. Names no others. */
  top(name: string, kind: FacetKind, limit: number): readonly CountedValue[];
  /** The entry with this key, of `values`; null when there is none. Names no others. */
  entry(name: string, kind: FacetKind, key: string): CountedValue | null;
  /** The entries of `values` that have the id. Names no others. */
  entriesWithId(name: string, kind: FacetKind, id: string): readonly CountedValue[];
  /** The entries of a number field as columns, ascending. */
  numbers(name: string): { readonly values: Float64Array; readonly counts: Uint32Array };
  /** Distinct products with a value in each range (both ends inclusive, no range overlaps another, ascending). */
  countRanges(
    name: string,
    ranges: readonly { readonly lower: number; readonly upper: number }[],
  ): readonly number[];
  /**
   * Whether id and entry stand for each other in the live index, matching or not: all values of the entry have its id, and no value
   * of another entry has. Only then a link may name the entry by id.
   */
  ownsId(name: string, kind: FacetKind, entry: CountedValue): boolean;
  /** Distinct values of the field in the live index, matching or not; counting stops at `atMost`. */
  distinctValues(name: string, kind: FacetKind, atMost?: number): number;
}

/** What the engine found for one request. */
export interface Execution {
  /** Exact number of products that match, product sets included. */
  readonly matchCount: number;
  /** The page: hits offset .. offset+limit of the combined list. */
  readonly hits: readonly EngineHit[];
  /** Null without facets. */
  readonly facets: FacetCounts | null;
  /** The filters that took part, in the order sent. */
  readonly filters: readonly ResolvedFilter[];
  /** Products per arranged set that passed (after filters and de-duplication), by set index. */
  readonly setCounts: readonly number[];
  /** Searches over several indexes: matching products per physical index, in the order searched. */
  readonly indexCounts?: readonly { readonly name: string; readonly matchCount: number }[];
  /** The same question gets another answer at another moment, though no document has changed. */
  readonly isVolatile?: boolean;
  /** The words that were looked for, for who marks them in hits. */
  readonly asked?: readonly TermGroup[];
  readonly meta: Readonly<Record<string, unknown>>;
}

// ---- filters and facets between query and rendering ------------------------------------------------------------------------

/**
 * A filter parameter after its field is known. Unknown fields and unreadable numbers never get here (they are ignored).
 * `values`: as sent, in order (terms not yet lower-cased). `texts`: the same as each time the parameter was sent; an open range with its
 * empty end. One text, but where a field has numbers. `ranges`: of number filters without `byId`, ORed; null = open end.
 * `post`: a filter of a multi-select facet or a tree: its own facet is counted without it (reference-behaviour.md 3.6).
 */
export interface ResolvedFilter {
  readonly field: string;
  readonly kind: FacetKind;
  readonly byId: boolean;
  readonly negated: boolean;
  readonly values: readonly string[];
  readonly texts: readonly (readonly string[])[];
  readonly ranges: readonly { readonly lower: number | null; readonly upper: number | null }[];
  readonly post: boolean;
}

/** What matched in one segment, for counting. */
export interface SegmentMatches {
  /** Matching live product rows, ascending. */
  readonly rows: Uint32Array;
  /** Bit per variant row that passes the filters; null: every variant row of the matching products passes. */
  readonly variantRows: Uint32Array | null;
}

/** Input of facets/count.ts, one per segment of the reader. `without` is keyed by the field of a post filter. */
export interface CountInput {
  readonly live: LiveSegment;
  readonly all: SegmentMatches;
  readonly without: ReadonlyMap<string, SegmentMatches>;
}

// ---- configuration, compiled -----------------------------------------------------------------------------------------------

/** What a field plan says of one JSON document. */
export type ReadOutcome =
  | {
      readonly status: "indexable";
      readonly product: IndexableProduct;
      /** Values that were ignored, for `add?report=true`: path inside the document, e.g. `data.specs`. */
      readonly ignored: readonly { readonly path: string; readonly message: string }[];
    }
  /** A bad document (decisions.md "Bad documents"): dropped by add, DISMISSED by PUT. */
  | { readonly status: "rejected"; readonly id: string | null; readonly reason: string }
  /** A data processor declared it not visible: dropped by add, NOOP by PUT. */
  | { readonly status: "skipped"; readonly id: string };
