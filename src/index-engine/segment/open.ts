/** Bytes -> Segment: views over sections (format/layout.ts), and a few small tables. */
import { openColumns, type OpenColumns } from "./columns/index.ts";
import { FacetDataViews } from "./facet-values/index.ts";
import { TitleViews } from "./positions/index.ts";
import { NORM_GROUPS, type NumberColumn, type Segment, type StoredRef, type StringColumn } from "./model/index.ts";
import { PackedPostings, SignatureViews } from "./postings/index.ts";
import { StoredRefs } from "./stored/index.ts";
import { FrontCodedTable } from "./strings/index.ts";
import { type CopyableBytes, hasBit } from "../base/index.ts";
import { PackedVariantRows } from "./variant-rows.ts";
import {
  HEADER_BYTES,
  SECTION,
  SECTION_ENTRY_BYTES,
  sectionName,
  PagedSections,
  segmentCut,
  type SegmentCut,
  partsOf,
  placesIn,
  SectionViews,
  SegmentCorruptError,
} from "./format/index.ts";

export class OpenedSegment implements Segment {
  /** For merging. */
  readonly views: SectionViews;
  readonly sizeBytes: number;
  readonly productCount: number;
  readonly variantRowCount: number;
  readonly variantCount: number;
  readonly hasVariants: boolean;
  readonly variantRows: PackedVariantRows;
  readonly lengthSums: readonly number[];
  readonly ids: FrontCodedTable;
  readonly terms: FrontCodedTable;
  readonly postings: PackedPostings;
  readonly variantPostings: PackedPostings | null;
  readonly signatures: SignatureViews;
  readonly facets: FacetDataViews;
  readonly stored: StoredRefs;
  readonly titles: TitleViews;
  #searchFields: readonly string[] | null = null;
  #columns: OpenColumns | null = null;
  #norms: readonly Uint8Array[] | null = null;

  /**
   * @param bytes the segment, or the head (`partsOf`) of one whose sections are loaded on first use. Loading can throw
   *   SegmentCorruptError, too.
   */
  constructor(bytes: Uint8Array, paged: PagedSections | null = null) {
    const views = new SectionViews(bytes, paged);
    this.views = views;
    this.sizeBytes = views.sizeBytes;
    const counts = views.u8(SECTION.counts);
    if (counts.length !== 24 + 8 * NORM_GROUPS.length) {
      throw new SegmentCorruptError("counts", `${counts.length} bytes`);
    }
    const view = new DataView(counts.buffer, counts.byteOffset, counts.length);
    this.productCount = view.getUint32(0, true);
    this.variantRowCount = view.getUint32(4, true);
    this.variantCount = view.getUint32(8, true);
    const valueCount = view.getUint32(12, true);
    this.lengthSums = NORM_GROUPS.map((_, group) => view.getFloat64(24 + 8 * group, true));
    this.hasVariants = views.has(SECTION.variantRowStarts);
    this.variantRows = new PackedVariantRows(views, this.productCount, this.variantRowCount);
    this.ids = new FrontCodedTable(views, SECTION.idsIndex, SECTION.idsBytes);
    this.terms = new FrontCodedTable(views, SECTION.termsIndex, SECTION.termsBytes);
    this.#checkLengths();
    this.postings = new PackedPostings(views, SECTION.termPostings);
    this.variantPostings = views.has(SECTION.variantTermPostings)
      ? new PackedPostings(views, SECTION.variantTermPostings)
      : null;
    this.signatures = new SignatureViews(views);
    this.facets = new FacetDataViews(views, valueCount, {
      products: this.productCount,
      variantRows: this.variantRowCount,
    });
    this.stored = new StoredRefs(views, this.productCount);
    this.titles = new TitleViews(views, this.terms, this.productCount);
  }

  get base(): this {
    return this;
  }

  get language(): string {
    return this.views.language;
  }

  get analysisVersion(): number {
    return this.views.analysisVersion;
  }

  get bytesBySection(): Readonly<Record<string, number>> {
    const { sections } = this.views;
    const bytes: Record<string, number> = {
      header: HEADER_BYTES + sections.length * SECTION_ENTRY_BYTES,
    };
    for (const section of sections) {
      const name = sectionName(section);
      bytes[name] = (bytes[name] ?? 0) + this.views.lengthBytes(section);
    }
    return bytes;
  }

  variantsOf(row: number): number {
    if (!this.hasVariants) return 0;
    if (hasBit(this.variantRows.without, row)) return 0;
    return this.variantRows.first(row + 1) - this.variantRows.first(row);
  }

  get searchFields(): readonly string[] {
    const { searchFieldsIndex, searchFieldsBytes } = SECTION;
    return (this.#searchFields ??= new FrontCodedTable(this.views, searchFieldsIndex, searchFieldsBytes).toArray());
  }

  get norms(): readonly Uint8Array[] {
    if (this.#norms === null) {
      const all = this.views.u8(SECTION.norms);
      const rows = this.productCount;
      this.#norms = NORM_GROUPS.map((_, i) => all.subarray(i * rows, (i + 1) * rows));
    }
    return this.#norms;
  }

  get columns(): OpenColumns {
    return (this.#columns ??= openColumns(this.views, {
      products: this.productCount,
      variantRows: this.variantRowCount,
      productOf: (row) => this.variantRows.productOf(row),
    }));
  }

  /** Memory of lookup structures, in addition to the segment. */
  get lookupBytes(): number {
    let bytes = this.ids.lookupBytes + this.terms.lookupBytes;
    for (const { keys } of this.#columns?.strings.values() ?? []) bytes += keys.unpackedBytes;
    return bytes;
  }

  get numberColumns(): ReadonlyMap<string, NumberColumn> {
    return this.columns.numbers;
  }

  get stringColumns(): ReadonlyMap<string, StringColumn> {
    return this.columns.strings;
  }

  storedRef(row: number): StoredRef {
    return this.stored.ref(row);
  }

  get storedBlocks(): readonly string[] {
    return this.stored.blocks;
  }

  /** Lengths that readers do not check. Offsets and packed numbers are checked when they are first read. */
  #checkLengths(): void {
    const rows = this.productCount;
    const length = NORM_GROUPS.length * rows;
    const actual = this.views.lengthBytes(SECTION.norms);
    if (actual !== length) {
      throw new SegmentCorruptError("norms", `${actual} bytes, expected ${length}`);
    }
    if (this.ids.size !== rows) {
      throw new SegmentCorruptError("ids", `${this.ids.size} ids of ${rows} products`);
    }
  }
}

/**
 * Verifies magic, version, section table and the lengths of arrays by row, but no checksums (verifySegment). The bytes
 * must not change afterwards; they are copied unless they start at a multiple of 8. Throws SegmentCorruptError.
 */
export function openSegment(bytes: Uint8Array): OpenedSegment {
  return new OpenedSegment(bytes);
}

/** A segment whose bytes are not contiguous. Sections are copied on first use. */
export function openApart(bytes: CopyableBytes, cut: SegmentCut = segmentCut()): OpenedSegment {
  const places = new Map(placesIn(bytes).sections.map((place) => [place.section, place]));
  const paged = new PagedSections(function* (section, first, end) {
    const place = places.get(section);
    const size = cut.partBytes(section);
    for (let part = first; place !== undefined && part < end; part++) {
      const start = place.start + part * size;
      yield bytes.copy(start, Math.min(start + size, place.end));
    }
  }, cut);
  return new OpenedSegment(partsOf(bytes, cut).head, paged);
}

/** Verifies the checksums of all sections. Throws SegmentCorruptError with the name of the first damaged one. */
export function verifySegment(bytes: Uint8Array): void {
  new SectionViews(bytes).verify();
}
