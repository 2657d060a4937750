/** What a search finds, on its way to the answer: filters, matches, hits, facet counts. */
import type { HitExplanation } from "./explain/explanation.ts";
import type { TermGroup } from "./rank/index.ts";
import type { ResolvedFilter } from "./filter/index.ts";
import type { FacetKind, LiveSegment } from "../segment/model/index.ts";

/** What matched in one segment, for counting. */
export interface SegmentMatches {
  /** Matching live product rows, ascending. */
  readonly rows: Uint32Array;
  /** Bit per variant row that passes the filters; null: every variant row of the matching products passes. */
  readonly variantRows: Uint32Array | null;
}

/** Input of answer/facets/count.ts, one per segment of the reader. `without` is keyed by the field of a post filter. */
export interface CountInput {
  readonly live: LiveSegment;
  readonly all: SegmentMatches;
  readonly without: ReadonlyMap<string, SegmentMatches>;
  /** Number fields of which only some values count: 1 for each such ordinal, from the first of the field on. */
  readonly within: ReadonlyMap<string, Uint8Array>;
}

/** One hit of the current page, a product of one reader, ready to be rendered once its source is read. */
export interface EngineHit {
  readonly segment: number;
  readonly row: number;
  readonly id: string;
  /** The picked variant's position in its document; null: the master. */
  readonly variant: number | null;
  /** Integer relevance; null when a sort suppressed scores. */
  readonly score: number | null;
  /** Values the order was decided by; empty when sorted by relevance. */
  readonly sortValues: readonly (number | string | null)[];
  /** Fields whose shown value is replaced by the sorted min or max: `<field>_prefix` (docs/behaviour.md 3.9). */
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

/** A facet value as answers write it (answer/facets/written-value.ts). */
export interface WrittenForms {
  /** As it is shown: of a path all of it, ... */
  readonly text: string;
  /** ... and its last step; of others the same. */
  readonly name: string;
  /** Of a path: the path above it. */
  readonly parent: string | null;
  /** JSON of an entry: up to its count; of a path also what stands between `selected` and the children. */
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
  /** As a value of a link; null: a link cannot have it. */
  readonly link: Uint8Array | null;
  sortKey(language: string): string;
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
  /** How an answer writes it. */
  readonly written: WrittenForms;
}

/** A field with entries. */
export interface FieldCoverage {
  readonly name: string;
  readonly kind: FacetKind;
  /** Sum of the entry counts. */
  readonly coverage: number;
}

/**
 * Facet counts of one execution, exact. Fields are cheap to list, values are summed over segments when asked for, so
 * that the decision which facets are shown comes after counting everything (invariant I3) without naming 5,000 fields'
 * values. A field that carries a multi-select filter is counted without that filter, every other one with all filters.
 */
export interface FacetCounts {
  /**
   * Fields with entries, ordered by name (code points), then kind in the order of FACET_KINDS.
   * @param least only fields of this coverage or more, by kind: what is left out costs next to nothing
   */
  fields(least?: Readonly<Record<FacetKind, number>>): readonly FieldCoverage[];
  /** Of one field; 0: `fields` has it not. */
  coverage(name: string, kind: FacetKind): number;
  /** The kinds that `fields` has the name with. */
  kinds(name: string): readonly FacetKind[];
  /** How many entries there are, and the count of the largest; builds no strings. */
  summary(
    name: string,
    kind: FacetKind,
  ): { readonly entries: number; readonly largestCount: number };
  /** Whether some entry has more than one product. */
  hasRepeats(name: string, kind: FacetKind): boolean;
  /** Entries with count > 0, ascending by key. */
  values(name: string, kind: FacetKind): readonly CountedValue[];
  /** The `limit` entries with the largest counts (ties: smallest key), in no order. Names no others. */
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
   * Whether id and entry stand for each other in the live index, matching or not: all values of the entry have its id,
   * and no value of another entry has. Only then a link may name the entry by id.
   */
  ownsId(name: string, kind: FacetKind, entry: Pick<CountedValue, "key" | "id">): boolean;
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
  /** Something that was asked for is sorted by: then product sets are sorted like the rest (docs/behaviour.md 5.9). */
  readonly isSorted: boolean;
  /** Searches over several indexes: matching products per physical index, in the order searched. */
  readonly indexCounts?: readonly { readonly name: string; readonly matchCount: number }[];
  /** The same question gets another answer at another moment, though no document has changed. */
  readonly isVolatile?: boolean;
  /** The words that were looked for, for who marks them in hits. */
  readonly asked?: readonly TermGroup[];
  readonly meta: Readonly<Record<string, unknown>>;
}
