/**
 * A segment with changed numbers of its documents. Prices and stocks change by the thousand without changing any
 * terms. The bytes stay unchanged; reading replaces the values of the changed fields.
 *
 *   base (bytes)   +   SegmentNumbers (field: row -> number)   =   OverlaidSegment, a Segment
 *
 * ## Which numbers can change
 *
 * The document's own value of a field that had exactly one value, the number `data.<field>`. Its variants have at most
 * one each, and the field is not searched (documents/number-updates.ts has the exact conditions; all other documents
 * are indexed again). So three parts of the segment depend on it: the number column, the facet value, and the stored
 * source.
 *
 * ## Effects
 *
 *   terms, postings, norms, ids, variants, string columns
 *                      shared with the base
 *   number column      a changed row has the new number; its smallest and largest values are recomputed with its
 *                      variants; variants without their own number inherit their product's
 *   facet values       a changed row has the new value in place of the old one
 *   filters, counts    use facet data; sorting, scores and picked variants use columns
 *   storedRef          has the numbers; reading the source inserts them (documents/number-updates.ts)
 *   suggest            uses no numbers
 *   merges             merge the bases; Reader.replaceRun transfers the numbers of live rows to the result, by id
 *   deletions          numbers of deleted rows are never visible nor transferred
 *
 * ## Facet data without renumbering
 *
 * The values of a field are contiguous and sorted, so a new number would shift all later ordinals, and with them all
 * data stored by ordinal (such as shared keys of segments). Instead all values of a changed field are renumbered after
 * those of the base:
 *
 *   base       brand 0-2 | price 3-6: 5, 7, 9, 20 | size 7-8              row 0: 1 4 7   (7 -> 8.5)
 *   overlaid   brand 0-2 | (3-6: unused) | size 7-8 | price 9-12: 5 8.5 9 20     row 0: 1 7 10
 *
 * A new value has no id and is facetable if the replaced one was. Ordinals 3-6 have no rows left, so they are never
 * counted; `fields` has the new range of price. Rows with a price are rebuilt, the others copied. As in a built
 * segment, every value has a row.
 *
 * The overlay is built on first use, from the state before the last changes (changed-field.ts, rows.ts), in passes
 * over rows and values, without sorting. Any number of changes between two searches only costs SegmentNumbers.with.
 */
import type {
  FacetData,
  NumberColumn,
  Segment,
  StoredRef,
  SegmentNumbers,
  VariantRows,
} from "../../segment/model/index.ts";
import { OverlaidColumn } from "./column.ts";
import { OverlaidFacets } from "./facets.ts";

export class OverlaidSegment implements Segment {
  readonly base: Segment;
  readonly numbers: SegmentNumbers;
  // Those of the base.
  readonly productCount: number;
  readonly variantRowCount: number;
  readonly variantCount: number;
  readonly hasVariants: boolean;
  readonly variantRows: VariantRows;
  readonly ids: Segment["ids"];
  readonly terms: Segment["terms"];
  readonly postings: Segment["postings"];
  readonly variantPostings: Segment["variantPostings"];
  readonly signatures: Segment["signatures"];
  readonly lengthSums: readonly number[];
  readonly titles: Segment["titles"];
  #facets: OverlaidFacets | null = null;
  /** The last one built with fewer changes, until it is used. */
  #before: OverlaidFacets | null;
  #numberColumns: ReadonlyMap<string, NumberColumn> | null = null;

  /** `before`: of the same bytes with some of these changes, if available. */
  constructor(base: Segment, numbers: SegmentNumbers, before: OverlaidSegment | null = null) {
    this.base = base;
    this.numbers = numbers;
    this.productCount = base.productCount;
    this.variantRowCount = base.variantRowCount;
    this.variantCount = base.variantCount;
    this.hasVariants = base.hasVariants;
    this.variantRows = base.variantRows;
    this.ids = base.ids;
    this.terms = base.terms;
    this.postings = base.postings;
    this.variantPostings = base.variantPostings;
    this.signatures = base.signatures;
    this.lengthSums = base.lengthSums;
    this.titles = base.titles;
    this.#before = before === null ? null : (before.#facets ?? before.#before);
  }

  get facets(): FacetData {
    if (this.#facets === null) {
      this.#facets = new OverlaidFacets(this.base, this.numbers, this.#before);
      this.#before = null;
    }
    return this.#facets;
  }

  get numberColumns(): ReadonlyMap<string, NumberColumn> {
    if (this.#numberColumns === null) {
      const columns = new Map(this.base.numberColumns);
      for (const [field, numbers] of this.numbers.fields) {
        const column = columns.get(field);
        if (column !== undefined) columns.set(field, new OverlaidColumn(this.base, column, numbers));
      }
      this.#numberColumns = columns;
    }
    return this.#numberColumns;
  }

  storedRef(row: number): StoredRef {
    const ref = this.base.storedRef(row);
    const numbers = this.numbers.at(row);
    return numbers === null ? ref : { ...ref, numbers };
  }

  get #made(): OverlaidFacets | null {
    return this.#facets ?? this.#before;
  }

  /** Includes the rebuilt data of changed fields. */
  get sizeBytes(): number {
    return this.base.sizeBytes + this.numbers.sizeBytes + (this.#made?.sizeBytes ?? 0);
  }

  get bytesBySection(): Readonly<Record<string, number>> {
    const own = this.numbers.sizeBytes + (this.#made?.sizeBytes ?? 0);
    return { ...this.base.bytesBySection, numbers: own };
  }

  variantsOf(row: number): number {
    return this.base.variantsOf(row);
  }

  get searchFields(): readonly string[] {
    return this.base.searchFields;
  }

  get norms(): readonly Uint8Array[] {
    return this.base.norms;
  }

  get stringColumns(): Segment["stringColumns"] {
    return this.base.stringColumns;
  }

  get storedBlocks(): readonly string[] {
    return this.base.storedBlocks;
  }
}
