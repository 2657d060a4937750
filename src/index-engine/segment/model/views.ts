/** The parts of an opened segment: views over its bytes, by ordinal or by row. */
import type { Offsets } from "../../base/index.ts";
import type { FacetKind } from "./documents.ts";

/** Distinct strings, sorted by code points (like their UTF-8 bytes, unlike UTF-16 units). Immutable. */
export interface StringTable {
  readonly size: number;
  get(ordinal: number): string;
  /** Ordinal of `text`, or -1. */
  find(text: string): number;
  /** First ordinal whose string is >= `text`; `size` if there is none. */
  lowerBound(text: string): number;
  /** First ordinal after all strings that start with `prefix`; the first of them is `lowerBound(prefix)`. */
  prefixEnd(prefix: string): number;
}

/** Product p owns the variant rows [first(p), first(p + 1)). */
export interface VariantRows {
  /** Bits of the products without variants. Empty if no product has variants. */
  readonly without: Uint32Array;
  first(row: number): number;
  productOf(variantRow: number): number;
  /** The products of a set of variant rows, both as bits. */
  productsOf(variantRows: Uint32Array): Uint32Array<ArrayBuffer>;
}

/** Row number after the last posting of a list. */
export const NO_MORE_ROWS = 0xffffffff;

/** In maps from rows to rows: the row is left out. */
export const NO_ROW = 0xffffffff;

/** Walks one posting list in ascending row order. Reusable: `open` starts another list. */
export interface PostingCursor {
  open(list: number): void;
  /** Rows in the open list. */
  readonly count: number;
  /** Current row; NO_MORE_ROWS before `open` and after the end. `open` moves to the first row. */
  readonly row: number;
  /** Signature ordinal of the current posting; 0 in lists without codes. */
  readonly code: number;
  next(): number;
  /** Moves to the first row >= target, skipping whole blocks; never moves back. */
  advance(target: number): number;
}

/** Posting lists by ordinal of a term or value. */
export interface Postings {
  /** Rows in the list; 0 when empty. Costs no decoding. */
  count(list: number): number;
  cursor(): PostingCursor;
  /** Decodes a whole list and returns its length. `rows`, and `codes` if wanted, need room for `count(list)`. */
  decode(list: number, rows: Uint32Array, codes: Uint32Array | null): number;
}

/** Posting lists of terms. */
export interface TermPostings extends Postings {
  /**
   * Sets codes[i] to the code of rows[i] in the list, or to -1 if the list does not have the row. Reads only blocks
   * that may have one of the rows.
   * @param rows ascending; only the first `count` are used
   */
  codesOf(list: number, rows: Uint32Array, count: number, codes: Int32Array): void;
  /** False only if no posting of the list has a code that passes the test. Reads the list's alphabet, no blocks. */
  mayHaveCode(list: number, test: (code: number) => boolean): boolean;
}

/**
 * A *signature* is the set of (search field, term frequency) of one posting. Postings store its ordinal. So a tenant's
 * field weights become one number per signature and query, and the bytes do not depend on them (invariant I2).
 * Signature s has the entries [starts[s], starts[s + 1]).
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
 * A field's values have contiguous ordinals [start, end), sorted by key, then value, then id. The ordinals with one key
 * form a *group* and count as one facet entry. The key of a term is its lower case; a path or a number is its own key.
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

/** Meaning of a delta of 0 in FacetData. */
export const LARGEST_DELTA = 0xffff;

export interface FacetData {
  /** Sorted by name (code points), then kind (FACET_KINDS). Opens all fields: some catalogues have thousands. */
  readonly fields: readonly FacetField[];
  field(name: string, kind: FacetKind): FacetField | null;
  fieldOf(ordinal: number): FacetField;
  readonly valueCount: number;
  /** Bits of the values that have the same key as the previous value: all of a group but the first. Null: none. */
  readonly sameKey: Uint32Array | null;
  /** Bits of the filter-only values (`facet: false`); null if there are none. */
  readonly filterOnly: Uint32Array | null;
  /** The text of a term or path. Throws TypeError for numbers. */
  text(ordinal: number): string;
  /** At most the last `mostBytes` of its UTF-8, which may begin within a character. */
  textEnd(ordinal: number, mostBytes: number): string;
  /** The number of a number ordinal; NaN for others. */
  number(ordinal: number): number;
  /** All values of a number field; ordinal o is at o - start. */
  numbersOf(field: FacetField): Float64Array;
  id(ordinal: number): string | null;
  /** The texts of a term or path field in ordinal order, positioned before the first. */
  textScan(field: FacetField): TextScan;
  /** Ordinals [start, end) of the group with this key; null if there is none. Keys of terms are in lower case. */
  group(field: FacetField, key: string | number): readonly [number, number] | null;
  /** Number fields: ordinals [start, end) with lower <= value <= upper. */
  numberRange(field: FacetField, lower: number, upper: number): readonly [number, number];
  /** All ordinals of the field with exactly this id. */
  withId(field: FacetField, id: string): readonly number[];

  /**
   * The distinct ascending values of product row p are deltas at [productDeltaStarts.at(p),
   * productDeltaStarts.at(p + 1)). Each is from the previous value, the first from `beforeProducts`. A delta of 0
   * adds LARGEST_DELTA without giving a value:
   *
   *   value = beforeProducts; for each d: value += d || LARGEST_DELTA; if (d !== 0) it is a value
   */
  /** The last value before the first field that products have; -1 if there is none. */
  readonly beforeProducts: number;
  readonly productDeltaStarts: Offsets;
  readonly productDeltas: Uint16Array;
  /** The same for variant rows, from -1; null if no variant of the segment has own values. */
  readonly variantDeltaStarts: Offsets | null;
  readonly variantDeltas: Uint16Array | null;

  /** Value ordinal -> products that have the value themselves, not only in a variant. */
  readonly productPostings: Postings;
  /** Value ordinal -> variant rows that have the value themselves; null if no variant has any. */
  readonly variantPostings: Postings | null;
}

/** Iterates over texts as UTF-8 bytes[0, length), which are valid until `next`. */
export interface TextScan {
  readonly bytes: Uint8Array;
  readonly length: number;
  /** Number of bytes that the previous text begins with too. */
  readonly shared: number;
  next(): boolean;
}

/** Values of a field by product row. Minimum and maximum include the variants' values. */
interface Column {
  readonly field: string;
  min(row: number): number;
  max(row: number): number;
  /** `min` of many rows, ascending, which is several times faster: values[i] = min(rows[i]). */
  readMin(rows: Uint32Array, values: Float64Array): void;
  readMax(rows: Uint32Array, values: Float64Array): void;
  /** The variant's own value, otherwise its product's own value. */
  ofVariant(variantRow: number): number;
}

/** Numbers of a field with usage Sort or Score; NaN = missing. */
export interface NumberColumn extends Column {
  /** The variant row's smallest own value. */
  ownOfVariant(variantRow: number): number;
}

/** Sort keys, which are computed from their texts on demand. */
export interface SortKeyTable extends StringTable {
  /** Same as `textOfSortKey(get(ordinal))`, but cheaper. */
  text(ordinal: number): string;
}

/**
 * Strings of a field with usage Sort, as ordinals into `keys`; -1 = missing. Ordinals have the sort order of the
 * language (analysis/sort-key.ts). Keys of different segments compare by code points.
 */
export interface StringColumn extends Column {
  readonly keys: SortKeyTable;
}

/** Iterates over the titles of a row. Reusable: `open` moves to another row. */
export interface TitleCursor {
  /** Moves before the first text of the row. */
  open(row: number): void;
  /** Moves to the next text; false after the last one. */
  next(): boolean;
  /** False if the postings may have more terms of this product's titles (segment/positions/writer.ts). */
  readonly isWhole: boolean;
  /** Ordinal into Titles.fields. */
  readonly field: number;
  /** The terms of the text in order, as codes[0..length); valid until the next text is read by any cursor. */
  readonly codes: Uint32Array;
  readonly length: number;
  /** Whether the text has the same terms as the previous one, in another field. */
  readonly isRepeated: boolean;
}

/**
 * The titles of products (norm group `title`; not of their variants) as sequences of exact terms, in the order of the
 * document. Terms are given as *codes*, which correspond to ordinals.
 */
export interface Titles {
  /** Names of the fields with titles. */
  readonly fields: readonly string[];
  /** By row: where the head of the title ends (segment/positions/writer.ts); null in segments of older writers. */
  readonly heads: Uint8Array | null;
  cursor(): TitleCursor;
  /** Codes of a term; for a stem, of all terms in titles that have it. */
  codesOf(list: number): number[];
  /** The codes of the terms with ordinals [start, end), as ranges: first and end of each. */
  rangesOf(start: number, end: number): number[];
  /** Term ordinal of a code. */
  term(code: number): number;
}
