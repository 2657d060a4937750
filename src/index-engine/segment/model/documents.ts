/** A document as produced by the field plan and indexed by the segment builder. */

/** Text of one field with usage Search. Several entries of one field are concatenated. */
export interface FieldText {
  readonly field: string;
  readonly text: string;
}

/** The kind is part of a field's identity: `size` may have both number values and term values. */
export const FACET_KINDS = ["term", "number", "path"] as const;
export type FacetKind = (typeof FACET_KINDS)[number];

/**
 * One value of a field with usage Facet or Filter. Each level of a path is a value (`A`, `A/B`, `A/B/C`; a `/` inside a
 * name is `%2F`), and its id is the category id. Values with `facet: false` are filter-only (usage
 * Filter only, or an unconfigured long string).
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

/** One value of a field with usage Sort or Score. Numbers and strings under one name are two columns. */
export interface ColumnValue {
  readonly field: string;
  readonly value: number | string;
}

export interface IndexableRow {
  readonly texts: readonly FieldText[];
  readonly values: readonly FieldValue[];
  readonly columns: readonly ColumnValue[];
}

/** A document ready to be indexed. Its own lists do not include the values of its variants. */
export interface IndexableProduct extends IndexableRow {
  readonly id: string;
  /** The document exactly as received, UTF-8 JSON. */
  readonly source: Uint8Array;
  readonly variants: readonly IndexableRow[];
}

/**
 * Lengths are normalised per group of fields, with one norm byte per product and group. `title`: names of products;
 * `short`: brand, categories, colours, codes, attributes; `text`: descriptions and other prose.
 */
export const NORM_GROUPS = ["title", "short", "text"] as const;
export type NormGroup = (typeof NORM_GROUPS)[number];

/** Result of reading one JSON document. */
export type ReadOutcome =
  | {
      readonly status: "indexable";
      readonly product: IndexableProduct;
      /** Ignored values, for `add?report=true`: path inside the document, e.g. `data.specs`. */
      readonly ignored: readonly { readonly path: string; readonly message: string }[];
    }
  /** A bad document (docs/indexing.md 6.8): dropped by add, DISMISSED by PUT. */
  | { readonly status: "rejected"; readonly id: string | null; readonly reason: string }
  /** A data processor made it invisible: dropped by add, NOOP by PUT. */
  | { readonly status: "skipped"; readonly id: string };
