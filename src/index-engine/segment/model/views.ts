/** The parts of an opened segment: views over its bytes, by ordinal and by row. */
import type { GrowableBytes, Offsets } from "../../base/index.ts";
import type { FacetKind } from "./documents.ts";

/** Immutable sorted strings, distinct, in code point order (= order of their UTF-8 bytes, not of UTF-16 units). */
export interface StringTable {
  readonly size: number;
  get(ordinal: number): string;
  /** Ordinal of `text`, or -1. */
  find(text: string): number;
  /** First ordinal whose string is >= `text`; `size` when there is none. */
  lowerBound(text: string): number;
  /** First ordinal after all strings that start with `prefix`; the first of them is `lowerBound(prefix)`. */
  prefixEnd(prefix: string): number;
}

/** Product p owns the variant rows [first(p), first(p + 1)). */
export interface VariantRows {
  /** Bits of the products whose one variant row stands for the product itself, without values; empty: all of them. */
  readonly without: Uint32Array;
  first(row: number): number;
  productOf(variantRow: number): number;
  /** The products of a set of variant rows, both as bits. */
  productsOf(variantRows: Uint32Array): Uint32Array<ArrayBuffer>;
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
  /** Current row; NO_MORE_ROWS before `open` and after the end. `open` moves to the first row. */
  readonly row: number;
  readonly code: number;
  next(): number;
  /** Moves to the first row >= target, skipping whole blocks; never moves back. */
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
   * Sets codes[i] to the code of rows[i] in the list, or to -1 if the list does not have the row. Reads only blocks
   * that may hold one of the rows.
   * @param rows ascending; only the first `count` are used
   */
  codesOf(list: number, rows: Uint32Array, count: number, codes: Int32Array): void;
  /** False only if no posting of the list has a code that passes the test. Reads the list's alphabet, no blocks. */
  mayHaveCode(list: number, test: (code: number) => boolean): boolean;
}

/**
 * A *signature* is the set of (search field, term frequency) of one posting; postings store its ordinal. A tenant's
 * field weights therefore become one number per signature and query, and the bytes do not depend on them (invariant
 * I2).
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
  /** Whether every product, with its variants, has at most one of the field's values; null: unknown. */
  readonly single: boolean | null;
}

/** Meaning of a distance of 0 in FacetData. */
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
   * Bit per value ordinal with the same key as the ordinal before: all of a group except the first. Null: all keys
   * differ.
   */
  readonly sameKey: Uint32Array | null;
  /** First ordinal of the group that `ordinal` belongs to. */
  firstOfGroup(ordinal: number): number;
  /**
   * Bit per value ordinal: values with `facet: false` (they filter but are never listed); null when
   * there are none. A field's `facet` is false if all its values are unlisted.
   */
  readonly unlisted: Uint32Array | null;
  /** Display value: a string for term and path. Fails loudly for numbers. */
  text(ordinal: number): string;
  /** Appends the UTF-8 of `text`. */
  pushText(ordinal: number, to: GrowableBytes): void;
  /** The last `mostBytes` of it in UTF-8, which may begin within a character; a shorter one whole. */
  textEnd(ordinal: number, mostBytes: number): string;
  /** The number of a number ordinal; NaN for others. */
  number(ordinal: number): number;
  /** All values of a number field; ordinal o is at o - start. */
  numbersOf(field: FacetField): Float64Array;
  id(ordinal: number): string | null;
  /** Term and path fields: the texts of their values in ordinal order. Positioned before the first. */
  textScan(field: FacetField): TextScan;
  /** Ordinals [start, end) of the group with this key (lower-cased by the caller for terms); null when absent. */
  group(field: FacetField, key: string | number): readonly [number, number] | null;
  /** Number fields: ordinals [start, end) with lower <= value <= upper. */
  numberRange(field: FacetField, lower: number, upper: number): readonly [number, number];
  /** All ordinals of the field with exactly this id. */
  withId(field: FacetField, id: string): readonly number[];

  /**
   * The distinct ascending values of product row p, as distances at [productDistanceStarts.at(p),
   * productDistanceStarts.at(p + 1)): each from the previous value, the first from `beforeProducts`; a distance of 0 adds
   * LONGEST_DISTANCE without giving a value:
   *
   *   value = beforeProducts; for each d: value += d || LONGEST_DISTANCE; if (d !== 0) it is a value
   */
  /** The last value before those of the first field that is on products; -1: there are none. */
  readonly beforeProducts: number;
  readonly productDistanceStarts: Offsets;
  readonly productDistances: Uint16Array;
  /** Own values of variant rows, the first from -1; null when no variant of the segment has any. */
  readonly variantDistanceStarts: Offsets | null;
  readonly variantDistances: Uint16Array | null;

  /** value ordinal -> product rows with the value itself, not through a variant. */
  readonly productPostings: Postings;
  /** value ordinal -> variant rows with the value itself; null if no variant has any. */
  readonly variantPostings: Postings | null;
}

/** Iterates over texts as UTF-8 bytes[0, length), which are valid until `next`. */
export interface TextScan {
  readonly bytes: Uint8Array;
  readonly length: number;
  /** How many of them the text before it begins with, too. */
  readonly shared: number;
  next(): boolean;
}

/**
 * Numbers of a Sort or Score field. NaN = missing. Minimum and maximum cover the product's and its variants'
 * values.
 */
export interface NumberColumn {
  readonly field: string;
  min(row: number): number;
  max(row: number): number;
  /** `min` of many rows, ascending, which is several times faster: values[i] = min(rows[i]). */
  readMin(rows: Uint32Array, values: Float64Array): void;
  readMax(rows: Uint32Array, values: Float64Array): void;
  /** The variant's own value, else the master's own value, else NaN. */
  ofVariant(variantRow: number): number;
  /** The variant row's smallest own value, else NaN. */
  ownOfVariant(variantRow: number): number;
}

/** Sort keys, computed from their texts on demand. */
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

/** Iterates over the titles of a row. Reusable: `open` moves to another row. */
export interface TitleCursor {
  /** Moves before the first text of the row. */
  open(row: number): void;
  /** Moves to the next text; false after the last one. */
  next(): boolean;
  /** False: the postings may have more terms of this product's titles (see segment/positions/writer.ts). */
  readonly isWhole: boolean;
  /** Ordinal into Titles.fields. */
  readonly field: number;
  /** The terms of the text in order, as codes[0..length); valid until the next text is read by any cursor. */
  readonly codes: Uint32Array;
  readonly length: number;
  /** Has the same terms as the previous text, in another field. */
  readonly isRepeated: boolean;
}

/**
 * The titles of products themselves (norm group `title`; not of their variants) as sequences of exact terms, in the
 * order of the document. Terms are identified by *codes*, which correspond to ordinals.
 */
export interface Titles {
  /** Names of the fields with titles. */
  readonly fields: readonly string[];
  /**
   * Per row: where the head of its head text ends (segment/positions/writer.ts); null in segments of an older
   * writer.
   */
  readonly heads: Uint8Array | null;
  cursor(): TitleCursor;
  /**
   * Codes of the exact terms of a term ordinal: the term itself, or for a stem all terms in titles with that stem.
   */
  codesOf(list: number): number[];
  /** Code ranges of the terms with ordinals [start, end): first and end of each range. */
  rangesOf(start: number, end: number): number[];
  /** Term ordinal of a code. */
  term(code: number): number;
}
