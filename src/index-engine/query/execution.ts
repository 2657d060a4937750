/** The results of a search before rendering: filters, matches, hits, facet counts. */
import type { HitExplanation } from "./explain/explanation.ts";
import type { NamedVariants } from "./variants/index.ts";
import type { TermGroup } from "./rank/index.ts";
import type { ResolvedFilter } from "./filter/index.ts";
import type { GrowableBytes } from "../base/index.ts";
import type { FacetKind, LiveSegment } from "../segment/model/index.ts";

/** Matches of one segment, for counting. */
export interface SegmentMatches {
  /** Matching live product rows, ascending. */
  readonly rows: Uint32Array;
  /** Bit per variant row that passes the filters; null: every variant row of the matching products passes. */
  readonly variantRows: Uint32Array | null;
}

/**
 * Input of answer/facets/count.ts, one per segment of the reader. `without` is keyed by the field of a post filter.
 */
export interface CountInput {
  readonly live: LiveSegment;
  readonly all: SegmentMatches;
  readonly without: ReadonlyMap<string, SegmentMatches>;
  /** For number fields of which only some values count: 1 for each counted ordinal, from the field's first one. */
  readonly within: ReadonlyMap<string, Uint8Array>;
}

/** One hit of the page, a product of one reader. Rendering it only requires its source as well. */
export interface EngineHit {
  readonly segment: number;
  readonly row: number;
  readonly id: string;
  /** Position of the picked variant in its document; null: the master. */
  readonly variant: number | null;
  /** Integer; null under a sort. */
  readonly score: number | null;
  /** The values by which it is sorted; empty if sorted by relevance. */
  readonly sortValues: readonly (number | string | null)[];
  /** Fields that show the minimum or maximum used for sorting: `<field>_prefix` (docs/behaviour.md 3.9). */
  readonly sortedFields: readonly {
    readonly field: string;
    readonly value: number;
    readonly prefix: string;
  }[];
  readonly variantScore: number | null;
  /** No variant is picked, and none of them is in stock: the document of the hit says no stock by itself. */
  readonly isSoldOut: boolean;
  readonly matchedQueries: readonly string[];
  /** Index of its product set, or -1. */
  readonly set: number;
  readonly explanation?: HitExplanation;
  /** The query is a code, and these variants may have it. */
  readonly named?: NamedVariants;
}

/** The part of an entry between its count and its tail. The value is missing in its link. */
export interface LinkFrame {
  /** The frame begins at `start` and is followed by those of other facets. */
  readonly bytes: GrowableBytes;
  readonly start: number;
  readonly beforeBytes: number;
  readonly afterBytes: number;
}

/** The forms of a facet value in answers (answer/facets/written-value.ts). */
export interface WrittenForms {
  /** Group key (see FacetField). */
  readonly key: string | number;
  /** Shown text; for a path, the whole path. */
  readonly text: string;
  /** For a path, the parent path. */
  readonly parent: string | null;
  /** Appends the JSON of an entry up to its count. */
  writeHead(to: GrowableBytes): void;
  /** Appends the rest of an entry after `selected`; for a path, up to its children. */
  writeTail(to: GrowableBytes): void;
  /**
   * Appends an entry, from head to tail, with the frame around the value in its link. Returns the length of the value
   * in bytes. Appends nothing and returns -1 if no link can contain the value.
   */
  writeLinked(to: GrowableBytes, count: number, frame: LinkFrame): number;
  /** Of the shown text; for a path, of its last step. */
  sortKey(language: string): string;
}

/** One value of one facet field, summed over all segments. */
export interface CountedValue {
  /** Group key (see FacetField). */
  readonly key: string | number;
  /** The spelling that most matching products have; ties: the smallest. For numbers, the number as text. */
  readonly value: string;
  /** The id that most matching products have; ties: the smallest. Null if there is none. */
  readonly id: string | null;
  /** All ids of counted values of this entry, sorted by number of products, descending. */
  readonly ids: readonly string[];
  /** Distinct products. */
  readonly count: number;
  /** The value in its forms in answers. */
  readonly written: WrittenForms;
}

export interface FieldCoverage {
  readonly name: string;
  readonly kind: FacetKind;
  /** Sum of the entry counts. */
  readonly coverage: number;
}

/** The entries of a field by number, in no particular order. Values are made when they are asked for. */
export interface NumberedEntries {
  readonly size: number;
  keyOf(entry: number): string | number;
  countOf(entry: number): number;
  valueOf(entry: number): CountedValue;
}

/** Whether the entry with this key is wanted. */
export type KeyTest = (key: string | number) => boolean;

/**
 * The entries of one field. They are summed over segments on demand, and strings are built only for returned values.
 */
export interface FieldCounts extends FieldCoverage {
  /** Whether some entry has more than one product. */
  readonly hasRepeats: boolean;
  /** All entries, ascending by key. */
  values(): readonly CountedValue[];
  /** The `limit` entries with the largest counts (ties: smallest key), unordered; of those whose keys pass the test. */
  top(limit: number, isWithin?: KeyTest): readonly CountedValue[];
  numbered(): NumberedEntries;
  /** The entry with this key, or null. */
  entry(key: string | number): CountedValue | null;
  entriesWithId(id: string): readonly CountedValue[];
  /** The entries of a number field as columns, ascending. */
  numbers(): { readonly values: Float64Array; readonly counts: Uint32Array };
  /** Number of distinct products with a value in each range. Ranges include both ends, ascend and do not overlap. */
  countRanges(ranges: readonly { readonly lower: number; readonly upper: number }[]): readonly number[];
  /** Whether id and entry correspond one to one in the whole live index. Only then can a link use the id. */
  ownsId(entry: Pick<CountedValue, "key" | "id">): boolean;
  /** Distinct values of the field in the whole live index; counting stops at `atMost`. */
  distinctValues(atMost: number): number;
}

/**
 * Exact facet counts of one execution. Listing fields is cheap, so facets can be chosen after everything is counted
 * (invariant I3) without listing the values of 5,000 fields. A field with a multi-select filter is counted without
 * that filter, all others with all filters. Filter-only values are not counted.
 */
export interface FacetCounts {
  /**
   * Fields with entries, ordered by name (code points), then kind in the order of FACET_KINDS.
   * @param least minimum coverage by kind; skipping fields below it is cheap
   */
  fields(least?: Readonly<Record<FacetKind, number>>): readonly FieldCoverage[];
  /** Null if the field has no entries. */
  field(name: string, kind: FacetKind): FieldCounts | null;
}

/** A field that is searched for values (`facetQueries`). */
export interface QueriedField {
  readonly field: FieldCounts;
  /** Those that match, best first. */
  readonly values: readonly CountedValue[];
}

export interface Execution {
  /** Exact number of products that match, product sets included. */
  readonly matchCount: number;
  /** The page: hits offset .. offset+limit of the combined list. */
  readonly hits: readonly EngineHit[];
  /** Null without facets. */
  readonly facets: FacetCounts | null;
  /** In the order of the answer. Absent without `facetQueries`. */
  readonly queried?: readonly QueriedField[];
  /** The applied filters, in the order sent. */
  readonly filters: readonly ResolvedFilter[];
  /** Products per arranged set that passed (after filters and de-duplication), by set index. */
  readonly setCounts: readonly number[];
  /** Whether a requested sort applies; product sets are then sorted like the rest (docs/behaviour.md 5.9). */
  readonly isSorted: boolean;
  /** For searches over several indexes: matching products per physical index, in the order searched. */
  readonly indexCounts?: readonly { readonly name: string; readonly matchCount: number }[];
  /** Whether the answer may change without a change of documents. */
  readonly isVolatile?: boolean;
  /** The searched words, for highlighting. */
  readonly asked?: readonly TermGroup[];
  readonly meta: Readonly<Record<string, unknown>>;
}
