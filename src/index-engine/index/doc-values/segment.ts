/**
 * A segment as it is read once numbers of its documents have changed: prices and stocks come by the thousand, and none
 * of them changes a term. The bytes stay as they are; what they say of the changed fields is replaced when it is read.
 *
 *   base (bytes)   +   SegmentNumbers (field: row -> number)   =   OverlaidSegment, a Segment like any other
 *
 * ## What a changed number is
 *
 * The document's own value of one field, which had exactly one, that of `data.<field>`, a number; its variants have
 * one each at most; the field is not searched (documents/overlay.ts says for which fields and documents that is known to
 * be so; everything else is indexed anew). So exactly three things of the segment depend on it: the number column, the
 * facet value, and the stored source.
 *
 * ## Who sees what
 *
 *   terms, postings, norms, ids, variants, string columns     the base's, the very same objects
 *   number column      a changed row has the new number; its smallest and largest are made again with those of its variants; variants without
 *                      a number of their own have that of their product
 *   facet values       a changed row has the new value in place of the old one
 *   filters, counts    go by facet data, so they need nothing of their own; sorting, scores and picked variants go by columns
 *   storedRef          carries the numbers: whoever reads the source puts them into it (documents/overlay.ts)
 *   suggest            has no numbers
 *   merges             merge the bases; Reader.replaceRun hands the numbers of live rows on to the result, by id
 *   deletions          a deleted row may have numbers left; nobody sees them, and nobody hands them on
 *
 * ## Facet data without renumbering
 *
 * Values of a field are neighbours, in order, so a new number would move all ordinals behind it, and with them
 * whatever others keep by ordinal (shared keys of segments, say). Instead all values of a changed field are numbered
 * anew behind those of the base:
 *
 *   base       brand 0-2 | price 3-6: 5, 7, 9, 20 | size 7-8                    row 0: 1 4 7      (7 -> 8.5)
 *   overlaid   brand 0-2 | (3-6: nobody's) | size 7-8 | price 9-12: 5 8.5 9 20   row 0: 1 7 10
 *
 * A new value has no id and is listed as the one it replaces. Ordinals 3-6 have no rows any more, so nothing ever
 * counts them; `fields` names price with its new range. Rows that have a price are written again, the others copied.
 * As with a built segment every value has a row.
 *
 * Made when first asked for, of what was made before the last changes (changed-field.ts, rows.ts): passes over rows
 * and values, without sorting. Between two searches any number of changes may come; they cost what SegmentNumbers.with
 * costs.
 */
import type {
  FacetData,
  NumberColumn,
  Segment,
  StoredRef,
  SegmentNumbers,
} from "../../segment/model/index.ts";
import { OverlaidColumn } from "./column.ts";
import { OverlaidFacets } from "./facets.ts";

export class OverlaidSegment implements Segment {
  readonly base: Segment;
  readonly numbers: SegmentNumbers;
  #facets: OverlaidFacets | null = null;
  /** The last that was made of fewer changes, until it is used. */
  #before: OverlaidFacets | null;
  #numberColumns: ReadonlyMap<string, NumberColumn> | null = null;

  /** `before`: of the same bytes with some of these numbers changed, if at hand. */
  constructor(base: Segment, numbers: SegmentNumbers, before: OverlaidSegment | null = null) {
    this.base = base;
    this.numbers = numbers;
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
        if (column !== undefined)
          columns.set(field, new OverlaidColumn(this.base, column, numbers));
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

  /** With what was made to read the changed fields. */
  get sizeBytes(): number {
    return this.base.sizeBytes + this.numbers.sizeBytes + (this.#made?.sizeBytes ?? 0);
  }

  get bytesBySection(): Readonly<Record<string, number>> {
    const own = this.numbers.sizeBytes + (this.#made?.sizeBytes ?? 0);
    return { ...this.base.bytesBySection, numbers: own };
  }

  get productCount(): number {
    return this.base.productCount;
  }

  get variantRowCount(): number {
    return this.base.variantRowCount;
  }

  get variantCount(): number {
    return this.base.variantCount;
  }

  get hasVariants(): boolean {
    return this.base.hasVariants;
  }

  get variantRowStarts(): Uint32Array {
    return this.base.variantRowStarts;
  }

  get productOfVariantRow(): Uint32Array {
    return this.base.productOfVariantRow;
  }

  variantsOf(row: number): number {
    return this.base.variantsOf(row);
  }

  get ids(): Segment["ids"] {
    return this.base.ids;
  }

  get terms(): Segment["terms"] {
    return this.base.terms;
  }

  get postings(): Segment["postings"] {
    return this.base.postings;
  }

  get variantPostings(): Segment["variantPostings"] {
    return this.base.variantPostings;
  }

  get searchFields(): readonly string[] {
    return this.base.searchFields;
  }

  get signatures(): Segment["signatures"] {
    return this.base.signatures;
  }

  get norms(): readonly Uint8Array[] {
    return this.base.norms;
  }

  get lengthSums(): readonly number[] {
    return this.base.lengthSums;
  }

  get titles(): Segment["titles"] {
    return this.base.titles;
  }

  get stringColumns(): Segment["stringColumns"] {
    return this.base.stringColumns;
  }

  get storedBlocks(): readonly string[] {
    return this.base.storedBlocks;
  }
}
