/**
 * Documents -> one segment (the bytes are described in format.ts).
 *
 * Everything is interned as it comes and kept in flat arrays by arrival number. `finish` drops replaced products, numbers rows in
 * the order of ids and writes each part in that order; so the bytes depend on the products only, not on the order they came in
 * (the places in the stored block do: it is written as documents come).
 *
 * Texts of variants count for the product too, and for its lengths: a product is found by what any of its variants says.
 */
import { ANALYSIS_VERSION, type Analyzer } from "../analysis/index.ts";
import { ColumnsBuilder } from "../columns/index.ts";
import { FacetDataBuilder } from "../facet-data/index.ts";
import { NORM_GROUPS, type FieldText, type IndexableProduct, type NormGroup } from "../model.ts";
import { StoredBlockWriter, writeStoredRefs } from "../stored/index.ts";
import { sortByCodePoints, writeStrings } from "../strings.ts";
import { TermsBuilder } from "../terms/index.ts";
import { GrowableBytes, GrowableU32 } from "./bytes.ts";
import { SECTION } from "./format.ts";
import { encodeNorm, NORM_LENGTHS } from "./norms.ts";
import { SectionWriter } from "./sections.ts";
import { run } from "./steps.ts";

export interface SegmentBuilderOptions {
  readonly analyzer: Analyzer;
  /** Length-normalisation group of a search field. */
  normGroup(field: string): NormGroup;
  /** Language of sort keys, 1 to 16 ASCII characters; stored. Segments of different languages do not merge. */
  readonly language: string;
  /** Name of the stored block that `finish().stored` will be kept under. */
  readonly storedBlock: string;
}

export interface BuiltSegment {
  readonly index: Uint8Array<ArrayBuffer>;
  /** The stored block, also with the sources of products that were replaced. */
  readonly stored: Uint8Array<ArrayBuffer>;
  readonly productCount: number;
  /** Variants that documents really have. */
  readonly variantCount: number;
}

const UNKNOWN_ROW = 0xffffffff;

export class SegmentBuilder {
  readonly #options: SegmentBuilderOptions;
  readonly #terms: TermsBuilder;
  readonly #facets = new FacetDataBuilder();
  readonly #columns: ColumnsBuilder;
  readonly #stored = new StoredBlockWriter();

  /** Id -> arrival number; a replaced product has none. */
  readonly #arrivalOf = new Map<string, number>();
  readonly #groupOfField: number[] = [];
  /** By arrival number: NORM_GROUPS.length norm bytes; first variant row; place of the source. */
  readonly #norms = new GrowableBytes();
  readonly #variantStarts = new GrowableU32();
  readonly #chunks = new GrowableU32();
  readonly #offsets = new GrowableU32();
  #arrived = 0;
  #arrivedVariantRows = 0;
  #idBytes = 0;
  #finished = false;

  constructor(options: SegmentBuilderOptions) {
    this.#options = options;
    this.#terms = new TermsBuilder(options.analyzer);
    this.#columns = new ColumnsBuilder(options.language);
    this.#variantStarts.push(0);
  }

  /** Products that `finish` would write. */
  get documentCount(): number {
    return this.#arrivalOf.size;
  }

  /** Running estimate of index and stored bytes. */
  get sizeBytes(): number {
    const rows = this.#arrived * 12 + this.#arrivedVariantRows * 8 + this.#idBytes;
    const parts = this.#terms.sizeBytes + this.#facets.sizeBytes + this.#columns.sizeBytes;
    return Math.ceil(rows + parts) + this.#stored.sizeBytes;
  }

  /** The same id again replaces the earlier product. Takes nothing over: the caller may reuse the source's memory. */
  add(product: IndexableProduct): void {
    if (this.#finished) throw new Error("the segment is finished");
    const arrival = this.#arrived;
    const lengths: number[] = NORM_GROUPS.map(() => 0);
    this.#addTexts(product.texts, lengths);
    this.#facets.addProduct(product.values);
    this.#columns.addProduct(arrival, product.columns);
    for (const variant of product.variants) {
      const row = this.#arrivedVariantRows++;
      this.#terms.beginVariantRow();
      this.#addTexts(variant.texts, lengths);
      this.#terms.endVariantRow();
      this.#facets.addVariantRow(variant.values);
      this.#columns.addVariantRow(row, variant.columns);
    }
    this.#terms.endProduct();
    for (const length of lengths) this.#norms.push(encodeNorm(length));
    this.#variantStarts.push(this.#arrivedVariantRows);
    const place = this.#stored.add(product.source);
    this.#chunks.push(place.chunk);
    this.#offsets.push(place.offset);
    const id = product.id.toWellFormed();
    this.#arrivalOf.set(id, arrival);
    this.#idBytes += id.length;
    this.#arrived++;
  }

  #addTexts(texts: readonly FieldText[], lengths: number[]): void {
    for (const { field, text } of texts) {
      const number = this.#terms.field(field);
      const count = this.#terms.add(number, text);
      let group = this.#groupOfField[number];
      if (group === undefined) {
        group = NORM_GROUPS.indexOf(this.#options.normGroup(field));
        this.#groupOfField[number] = group;
      }
      lengths[group] += count;
    }
  }

  /** Once; the builder is used up afterwards. */
  finish(): BuiltSegment {
    if (this.#finished) throw new Error("the segment is finished");
    this.#finished = true;
    const ids = sortByCodePoints([...this.#arrivalOf.keys()]);
    const productCount = ids.length;
    const arrivals = Uint32Array.from(ids, (id) => this.#arrivalOf.get(id) ?? 0);
    const sections = new SectionWriter();
    writeStrings(sections, SECTION.idsIndex, SECTION.idsBytes, ids);

    const variants = this.#arrangeVariants(arrivals);
    const variantArrivals = variants.count > 0 ? variants.arrivals : null;
    this.#terms.finish(sections, arrivals, variantArrivals);
    const { valueCount } = run(this.#facets.finish(sections, arrivals, variantArrivals));
    this.#finishColumns(sections, arrivals, variants);

    const lengthSums = this.#writeNorms(sections, arrivals);
    if (variants.count > 0) {
      sections.set(SECTION.variantRowStarts, variants.starts);
      sections.set(SECTION.productOfVariantRow, variants.productOf);
      sections.set(SECTION.withoutVariants, variants.without);
    }
    const chunks = this.#chunks.view();
    const offsets = this.#offsets.view();
    writeStoredRefs(
      sections,
      [this.#options.storedBlock],
      new Uint32Array(productCount),
      arrivals.map((arrival) => chunks[arrival]),
      Uint16Array.from(arrivals, (arrival) => offsets[arrival]),
    );
    const variantRowCount = variants.count > 0 ? variants.arrivals.length : productCount;
    writeCounts(sections, {
      productCount,
      variantRowCount,
      variantCount: variants.count,
      valueCount,
      lengthSums,
    });
    const header = { language: this.#options.language, analysisVersion: ANALYSIS_VERSION };
    return {
      index: run(sections.finish(header)),
      stored: this.#stored.finish(),
      productCount,
      variantCount: variants.count,
    };
  }

  /**
   * Variant rows in final order. `arrivals[v]` is the arrival number of row v; the one row of a product without variants has the
   * number after all of them, and its parts are empty.
   */
  #arrangeVariants(arrivals: Uint32Array): ArrangedVariants {
    const arrivedStarts = this.#variantStarts.view();
    const starts = new Uint32Array(arrivals.length + 1);
    let count = 0;
    for (let row = 0; row < arrivals.length; row++) {
      const own = arrivedStarts[arrivals[row] + 1] - arrivedStarts[arrivals[row]];
      count += own;
      starts[row + 1] = starts[row] + Math.max(own, 1);
    }
    const total = starts[arrivals.length];
    const variantArrivals = new Uint32Array(total);
    const productOf = new Uint32Array(total);
    const without = new Uint32Array((arrivals.length + 31) >>> 5);
    if (count === 0) return { count, starts, arrivals: variantArrivals, productOf, without };

    // One empty arrival that all products without variants share.
    const empty = this.#arrivedVariantRows;
    this.#terms.beginVariantRow();
    this.#terms.endVariantRow();
    this.#facets.addVariantRow([]);
    for (let row = 0; row < arrivals.length; row++) {
      const first = arrivedStarts[arrivals[row]];
      const own = arrivedStarts[arrivals[row] + 1] - first;
      if (own === 0) without[row >>> 5] |= 1 << row;
      for (let v = starts[row]; v < starts[row + 1]; v++) {
        variantArrivals[v] = own === 0 ? empty : first + v - starts[row];
        productOf[v] = row;
      }
    }
    return { count, starts, arrivals: variantArrivals, productOf, without };
  }

  #finishColumns(sections: SectionWriter, arrivals: Uint32Array, variants: ArrangedVariants): void {
    const finalRow = new Uint32Array(this.#arrived).fill(UNKNOWN_ROW);
    for (let row = 0; row < arrivals.length; row++) finalRow[arrivals[row]] = row;
    const finalVariantRow = new Uint32Array(this.#arrivedVariantRows + 1).fill(UNKNOWN_ROW);
    if (variants.count > 0) {
      for (let v = 0; v < variants.arrivals.length; v++) finalVariantRow[variants.arrivals[v]] = v;
    }
    this.#columns.finish(sections, finalRow, finalVariantRow, variants.productOf, {
      products: arrivals.length,
      variantRows: variants.arrivals.length,
    });
  }

  #writeNorms(sections: SectionWriter, arrivals: Uint32Array): number[] {
    const groups = NORM_GROUPS.length;
    const arrived = this.#norms.view();
    const norms = new Uint8Array(groups * arrivals.length);
    const sums: number[] = [];
    for (let group = 0; group < groups; group++) {
      let sum = 0;
      for (let row = 0; row < arrivals.length; row++) {
        const norm = arrived[arrivals[row] * groups + group];
        norms[group * arrivals.length + row] = norm;
        sum += NORM_LENGTHS[norm];
      }
      sums.push(sum);
    }
    sections.set(SECTION.norms, norms);
    return sums;
  }
}

interface ArrangedVariants {
  /** Variants that documents really have; 0: the arrays are not needed. */
  readonly count: number;
  readonly starts: Uint32Array<ArrayBuffer>;
  readonly arrivals: Uint32Array<ArrayBuffer>;
  readonly productOf: Uint32Array<ArrayBuffer>;
  readonly without: Uint32Array<ArrayBuffer>;
}

export interface Counts {
  readonly productCount: number;
  readonly variantRowCount: number;
  readonly variantCount: number;
  readonly valueCount: number;
  readonly lengthSums: readonly number[];
}

/** Section 1. */
export function writeCounts(sections: SectionWriter, counts: Counts): void {
  const bytes = new Uint8Array(24 + 8 * NORM_GROUPS.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, counts.productCount, true);
  view.setUint32(4, counts.variantRowCount, true);
  view.setUint32(8, counts.variantCount, true);
  view.setUint32(12, counts.valueCount, true);
  counts.lengthSums.forEach((sum, group) => view.setFloat64(24 + 8 * group, sum, true));
  sections.set(SECTION.counts, bytes);
}
