/** What an opened segment gives access to, part by part: views over its bytes, by ordinal and by row. */
import type { FacetKind } from "./documents.ts";

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

/** Posting lists of terms. */
export interface TermPostings extends Postings {
  /**
   * codes[i] becomes the code of rows[i] in the list, -1 where the list does not have the row. Reads only blocks that
   * may hold one.
   * @param rows ascending; the first `count` of them are asked for
   */
  codesOf(list: number, rows: Uint32Array, count: number, codes: Int32Array): void;
}

/**
 * A *signature* is the set of (search field, term frequency) of one posting; postings store its ordinal. So a tenant's
 * field weights become one number per signature and query, and nothing of them is baked into bytes (invariant I2).
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

/**
 * A field's values are contiguous ordinals [start, end), sorted by key, then value, then id. A *group* is the ordinals
 * that count as one facet entry: equal key. Key: term = the value in lower case; path = the value; number = the
 * number.
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
  /** Whether no product has two of its values, its variants' included; null: not known. */
  readonly single: boolean | null;
}

/** What a distance of 0 stands for in FacetData. */
export const LONGEST_DISTANCE = 0xffff;

export interface FacetData {
  /**
   * Sorted by name (code points), then kind in the order of FACET_KINDS. Opens all of them: thousands in some
   * catalogues.
   */
  readonly fields: readonly FacetField[];
  field(name: string, kind: FacetKind): FacetField | null;
  /** The field that a value ordinal belongs to. */
  fieldOf(ordinal: number): FacetField;
  readonly valueCount: number;
  /**
   * Bit per value ordinal whose key is that of the ordinal before: all of a group but its first. Null: all keys
   * differ.
   */
  readonly sameKey: Uint32Array | null;
  /** First ordinal of the group that `ordinal` belongs to. */
  firstOfGroup(ordinal: number): number;
  /**
   * Bit per value ordinal: values that were given with `facet: false` (they filter, they are never listed); null when
   * there are none. A field's `facet` is false when all of its values are such.
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
   * The values of product row p, ascending, distinct, as distances at [productDistanceStarts[p],
   * productDistanceStarts[p+1]): each from the value before it, the first from -1; a distance of 0 is LONGEST_DISTANCE
   * and no value yet:
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

/**
 * Numbers of a Sort or Score field. NaN = missing. Minimum and maximum run over the product's and its variants'
 * values.
 */
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
 * Strings of a Sort field as ordinals into `keys` (order = sort order of the language, see analysis/sort-key.ts). -1 =
 * missing. Keys are comparable between segments as strings by code points.
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

/** The titles of a row, text by text. Reusable: `open` goes to another row. */
export interface TitleCursor {
  /** Stands before the first text of the row. */
  open(row: number): void;
  /** Goes to the next text; false behind the last one. */
  next(): boolean;
  /** False: the postings may know more of this product's titles than is here (segment/positions/writer.ts says when). */
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
 * The titles of products themselves (norm group `title`; not of their variants) as sequences of exact terms, in the
 * order of the document. A term has a *code* here, which says the same as its ordinal.
 */
export interface Titles {
  /** Names of the fields that have texts here. */
  readonly fields: readonly string[];
  /**
   * Per row: where the head of its head text ends (segment/positions/writer.ts); null in segments that were written before there
   * were any.
   */
  readonly heads: Uint8Array | null;
  cursor(): TitleCursor;
  /**
   * Codes of the exact terms that a term ordinal stands for: itself, or for a stem all terms in titles with that stem.
   */
  codesOf(list: number): number[];
  /** Codes of the terms with ordinals [start, end): first and end of a range, as often as needed. */
  rangesOf(start: number, end: number): number[];
  /** Term ordinal of a code. */
  term(code: number): number;
}
