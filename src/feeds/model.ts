/**
 * The words of a feed. A feed is a file of a shop: rows of CSV, elements of XML, objects of JSON. Each is a *record*,
 * a set of named *columns*. A *mapping* says which field of a document each column becomes. Types and tables only:
 * the playground's page imports this file and loads the readers when somebody imports.
 *
 *   bytes -> text -> records -> families (a product and its variants) -> documents as JSON
 */

/** What is wrong with a feed, in words for the person who has it. `line` counts from 1; null where none is to blame. */
export class FeedError extends Error {
  override readonly name = "FeedError";
  readonly line: number | null;

  constructor(message: string, line: number | null = null) {
    super(line === null ? message : `line ${line}: ${message}`);
    this.line = line;
  }
}

/** Texts of CSV and XML, anything but objects of JSON. A list where an element repeats or JSON has one. */
export type FeedValue = string | number | boolean | readonly FeedValue[];
export type FeedValues = ReadonlyMap<string, FeedValue>;

export interface FeedRecord {
  /** The line it begins on. */
  readonly line: number;
  readonly values: FeedValues;
  /** JSON objects that hold their variants themselves (`variants: [...]`). Columns are called `variants[].price`. */
  readonly children: readonly FeedValues[];
  /** Why it cannot be trusted: it is rejected. */
  readonly problem?: string;
}

export const FEED_FORMATS = ["csv", "xml", "json"] as const;
export type FeedFormat = (typeof FEED_FORMATS)[number];

/** How a column is read. The keys are what a mapping file may say; the texts explain them. */
export const COLUMN_KINDS = {
  text: "text as it is",
  html: "markup, becomes text",
  number: "number",
  price: "number with or without currency",
  list: "several texts",
  images: "addresses of pictures, the first is shown",
  categories: "category paths",
  availability: "in stock or not, or how many",
  attribute: "one attribute",
  attributes: "pairs of name and value",
  only: "products with other values are left out",
  skip: "not imported",
} as const;
export type ColumnKind = keyof typeof COLUMN_KINDS;

export interface ColumnRule {
  readonly kind: ColumnKind;
  /** Field of the document's data; of an attribute its name. */
  readonly field?: string;
  /**
   * Another field that takes the value where no other column gives it one: the regular price where no sale is. Of an
   * availability it takes the number: `out of stock` is a stock of 0.
   */
  readonly else?: string;
  /**
   * Rows that share a product: what their texts have in common is the product's, the rest this field of the variant.
   */
  readonly difference?: string;
  /** Whose value it is where products have variants. Without it: the product's. */
  readonly level?: "product" | "variant";
  /** Numbers and prices: the decimal separator. Without it every value is judged by itself. */
  readonly decimal?: "." | ",";
  /** Prices: the field for the currency written with the number, as an ISO code. */
  readonly currency?: string;
  /** Between elements of a list, between several category paths, between pairs. */
  readonly list?: string;
  /** Between the levels of a category path. */
  readonly path?: string;
  /** Columns that hold the levels above, where each level of a category path has a column of its own. */
  readonly under?: readonly string[];
  /** Levels that are left out at the beginning of a category path. */
  readonly skipLevels?: number;
  /** Between name and value of a pair. */
  readonly pair?: string;
  /** An attribute whose name is the value of another column, and which of that column's values, from 0. */
  readonly nameColumn?: string;
  readonly nameIndex?: number;
  /** The beginning of incomplete addresses: `https://shop.example/media/catalog/product`. */
  readonly prefix?: string;
  /** `only`: what the column may say, in any case. Blank is always allowed. */
  readonly values?: readonly string[];
}

/**
 * How variants find their product:
 *   rows      rows with one value in `column` are one product, each row a variant (Handle, item_group_id)
 *   parent    `column` of a variant names the id of its product (Parent)
 *   children  `column` of a product lists the ids of its variants (configurable_variations)
 *   nested    the product holds its variants in the member `column`
 */
export const VARIANT_FORMS = ["rows", "parent", "children", "nested"] as const;
export interface VariantRule {
  readonly by: (typeof VARIANT_FORMS)[number];
  readonly column: string;
}

/** What is known of the file; all of it is found out where it is not said. */
export interface FeedSource {
  readonly format?: FeedFormat;
  /** Label of the Encoding standard: `utf-8`, `windows-1252`. */
  readonly encoding?: string;
  /** CSV: one character between columns. */
  readonly delimiter?: string;
  /** XML: the element that is one product. */
  readonly element?: string;
}

/** docs/feeds.md "The mapping file" describes the format. */
export interface Mapping {
  readonly version: 1;
  readonly source: FeedSource;
  /** Columns whose first value that is not blank is the id of a record. */
  readonly id: readonly string[];
  /** The same for nested variants. */
  readonly variantId?: readonly string[];
  readonly variants?: VariantRule;
  readonly columns: Readonly<Record<string, ColumnRule>>;
}

/** How one column is understood, shown before anything is sent. */
export interface PreviewRow {
  readonly column: string;
  /** What it becomes, in words: `title`, `id`, `price of the variant`. Empty for `skip`. */
  readonly becomes: string;
  readonly kind: ColumnKind;
  /** A few values as written in the feed, and as read. */
  readonly examples: readonly { readonly raw: string; readonly read: string }[];
}

export interface FeedDocument {
  /** UTF-8. */
  readonly json: Uint8Array;
  readonly line: number;
  /** As text; null where the document has none that could be read. The service judges that. */
  readonly id: string | null;
}

/** Hears what could not be taken. */
export interface FeedEvents {
  /** A whole document. */
  readonly onRejected: (line: number, reason: string) => void;
  /** One value of a document that is taken. */
  readonly onIgnored: (line: number, reason: string) => void;
  /** A product that the mapping leaves out (`only`). */
  readonly onLeftOut: () => void;
  /**
   * A document that is no JSON. Null: it stops the reading, because most often the file is cut off or of another kind,
   * and what follows cannot be trusted.
   */
  readonly onUnreadable: ((error: FeedError) => void) | null;
}

/** `changes`: of products that exist already. Then a variant needs no record of its product. */
export type FeedContent = "products" | "changes";

/** An opened feed: its first records have been looked at, nothing is lost. */
export interface Feed {
  /** `CSV, ";" between columns, windows-1252`. */
  readonly description: string;
  /** The language of its texts: `de`. Null where they do not tell. */
  readonly language: string | null;
  /** Null: documents as the service takes them, which are passed on as they are. */
  readonly mapping: Mapping | null;
  preview(mapping: Mapping): readonly PreviewRow[];
  /** What somebody should know before they import, of the columns and of the first records. */
  remarks(mapping: Mapping): Promise<readonly string[]>;
  /** The same of all records. Reads the feed to its end, instead of `documents`. */
  remarksOfAll(mapping: Mapping): Promise<readonly string[]>;
  /** Once. `mapping` is not looked at where `this.mapping` is null. @param content default: `products` */
  documents(mapping: Mapping | null, events: FeedEvents, content?: FeedContent): AsyncGenerator<FeedDocument>;
  /** Lets go of the source. */
  close(): Promise<void>;
}

/** What the playground loads when somebody imports. */
export interface FeedModule {
  openFeed(bytes: AsyncIterable<Uint8Array>, given: Mapping | null): Promise<Feed>;
}
