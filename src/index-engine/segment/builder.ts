/**
 * Documents -> one segment (format/layout.ts).
 *
 * Products are stored in flat arrays in order of arrival. `finish` drops replaced products and numbers rows in the
 * order of ids, so the bytes only depend on the products and not on their order of arrival.
 *
 * The texts of variants also count for their product and its lengths, so a product matches any word of its variants.
 */
import { ANALYSIS_VERSION, headEnd, type Analyzer } from "../analysis/index.ts";
import { ColumnsBuilder } from "./columns/index.ts";
import { FacetDataBuilder } from "./facet-values/index.ts";
import { TitlesBuilder } from "./positions/index.ts";
import { NO_ROW, NORM_GROUPS, type FieldText, type IndexableProduct, type NormGroup } from "./model/index.ts";
import { StoredBlockWriter, writeStoredRefs } from "./stored/index.ts";
import { emptyBits, StringNumbers, type PlacedBytes, GrowableBytes, GrowableU32, run, setBit } from "../base/index.ts";
import { writeNumberedStrings } from "./strings/index.ts";
import { TermsBuilder } from "./dictionary/index.ts";
import { writeVariantRows } from "./variant-rows.ts";
import { SECTION, encodeNorm, NORM_LENGTHS, SectionWriter } from "./format/index.ts";

export interface SegmentBuilderOptions {
  readonly analyzer: Analyzer;
  normGroup(field: string): NormGroup;
  /** Language of sort keys, 1 to 16 ASCII characters. Segments of different languages cannot be merged. */
  readonly language: string;
  /** Name under which `finish().stored` will be kept. */
  readonly storedBlock: string;
  /** Group of a product's source, 0 to 65,535; see stored/block.ts. Without groups, sources are in the order of ids. */
  storedGroup?(id: string): number;
}

export interface BuiltSegment {
  readonly index: Uint8Array<ArrayBuffer>;
  /** The stored block with the sources of the products. */
  readonly stored: Uint8Array<ArrayBuffer>;
  readonly productCount: number;
  /** Variants in documents. */
  readonly variantCount: number;
}

/** The same in separate parts. */
export interface BuiltApart extends Pick<BuiltSegment, "productCount" | "variantCount"> {
  readonly index: PlacedBytes;
  readonly stored: PlacedBytes;
}

/** Characters of a product between two of its steps: a millisecond or two. Each text or other value counts as 16. */
const STEP_CHARACTERS = 16_384;
const VALUE_CHARACTERS = 16;
const VALUES_PER_STEP = STEP_CHARACTERS / VALUE_CHARACTERS;

const TITLE_GROUP = NORM_GROUPS.indexOf("title");
/** The head of a title is looked for in its first characters, so that a long one is not analysed again in one step. */
const HEAD_CHARACTERS = STEP_CHARACTERS;
/** The head of a title does not end with the brand. */
const BRAND_FIELD = "brand";

export class SegmentBuilder {
  readonly #options: SegmentBuilderOptions;
  readonly #terms: TermsBuilder;
  readonly #facets = new FacetDataBuilder();
  readonly #columns: ColumnsBuilder;
  readonly #stored = new StoredBlockWriter();
  readonly #titles = new TitlesBuilder();

  readonly #ids = new StringNumbers();
  /** Number of an id -> arrival number of its last product. */
  readonly #arrivalOf: number[] = [];
  readonly #groupOfField: number[] = [];
  /** By arrival number: a norm byte per group; the first variant row. */
  readonly #norms = new GrowableBytes();
  readonly #variantStarts = new GrowableU32();
  #arrived = 0;
  #arrivedVariantRows = 0;
  #idBytes = 0;
  /** Of the product that is being added. */
  #sinceStep = 0;
  #finished = false;

  constructor(options: SegmentBuilderOptions) {
    this.#options = options;
    this.#terms = new TermsBuilder(options.analyzer);
    this.#columns = new ColumnsBuilder(options.language);
    this.#variantStarts.push(0);
  }

  /** Number of products that `finish` would write. */
  get documentCount(): number {
    return this.#ids.size;
  }

  /** Estimated size of index and stored block. */
  get sizeBytes(): number {
    const rows = this.#arrived * 12 + this.#arrivedVariantRows * 8 + this.#idBytes;
    const parts = this.#terms.sizeBytes + this.#facets.sizeBytes + this.#columns.sizeBytes;
    return Math.ceil(rows + parts + this.#titles.sizeBytes) + this.#stored.sizeBytes;
  }

  /** Replaces an earlier product with the same id. Copies the source. */
  add(product: IndexableProduct): void {
    run(this.addSteps(product));
  }

  /**
   * The same in steps, because a product may have 1 MB. Most products take one step. A step takes a few milliseconds,
   * or up to 50 to split a long text into words. Nothing else may be added between them.
   */
  *addSteps(product: IndexableProduct): Generator<void, void, void> {
    if (this.#finished) throw new Error("the segment is finished");
    const arrival = this.#arrived;
    const lengths: number[] = NORM_GROUPS.map(() => 0);
    this.#sinceStep = 0;
    for (let i = 0; i <= product.variants.length; i++) {
      const isVariant = i > 0;
      const row = isVariant ? product.variants[i - 1] : product;
      if (isVariant) this.#terms.beginVariantRow();
      for (let at = 0; at < row.texts.length;) {
        const { text } = row.texts[at];
        if (text.length > STEP_CHARACTERS) yield* this.#terms.prepare(text);
        at = this.#addTexts(row.texts, at, lengths, isVariant);
        if (this.#isStepOver()) yield;
      }
      if (isVariant) this.#terms.endVariantRow();
      for (const values of portions(row.values)) {
        this.#facets.add(values, isVariant);
        this.#sinceStep += values.length * VALUE_CHARACTERS;
        if (this.#isStepOver()) yield;
      }
      this.#facets.endRow(isVariant);
      for (const values of portions(row.columns)) {
        if (isVariant) this.#columns.addOfVariant(this.#arrivedVariantRows, values);
        else this.#columns.addOfProduct(arrival, values);
        this.#sinceStep += values.length * VALUE_CHARACTERS;
        if (this.#isStepOver()) yield;
      }
      if (isVariant) this.#arrivedVariantRows++;
    }
    this.#terms.endProduct();
    this.#titles.endProduct();
    for (const length of lengths) this.#norms.push(encodeNorm(length));
    this.#variantStarts.push(this.#arrivedVariantRows);
    this.#stored.add(product.source);
    this.#arrivalOf[this.#ids.add(product.id)] = arrival;
    this.#idBytes += product.id.length;
    this.#arrived++;
  }

  #isStepOver(): boolean {
    if (this.#sinceStep < STEP_CHARACTERS) return false;
    this.#sinceStep = 0;
    return true;
  }

  /** Adds the texts of a row from `at` to the end of the step, at least one. Returns the place of the next. */
  #addTexts(texts: readonly FieldText[], at: number, lengths: number[], ofVariant: boolean): number {
    const brand = (): string => texts.find(({ field }) => field === BRAND_FIELD)?.text ?? "";
    let next = at;
    while (next < texts.length && (next === at || this.#sinceStep < STEP_CHARACTERS)) {
      const { field, text } = texts[next];
      if (next > at && text.length > STEP_CHARACTERS) break;
      next++;
      this.#sinceStep += text.length + VALUE_CHARACTERS;
      const number = this.#terms.field(field);
      const terms = this.#terms.add(number, text);
      let group = this.#groupOfField[number];
      if (group === undefined) {
        group = NORM_GROUPS.indexOf(this.#options.normGroup(field));
        this.#groupOfField[number] = group;
      }
      lengths[group] += terms.length;
      if (group !== TITLE_GROUP) continue;
      if (ofVariant) this.#titles.addOfVariant(number, terms);
      else
        this.#titles.add(number, terms, () => headEnd(text.slice(0, HEAD_CHARACTERS), this.#options.analyzer, brand()));
    }
    return next;
  }

  finish(): BuiltSegment {
    return run(this.finishSteps());
  }

  /** In steps of a few milliseconds. The builder cannot be used afterwards. */
  *finishSteps(): Generator<void, BuiltSegment, void> {
    const { index, stored, ...counts } = yield* this.finishPartsSteps();
    return { index: yield* index.join(), stored: yield* stored.join(), ...counts };
  }

  /** The same bytes, not copied into contiguous ranges. */
  *finishPartsSteps(): Generator<void, BuiltApart, void> {
    if (this.#finished) throw new Error("the segment is finished");
    this.#finished = true;
    const ids = yield* this.#ids.sorted();
    const productCount = ids.length;
    const arrivals = Uint32Array.from(ids, (id) => this.#arrivalOf[id]);
    const sections = new SectionWriter();
    yield* writeNumberedStrings(sections, SECTION.idsIndex, SECTION.idsBytes, this.#ids, ids);

    const variants = this.#arrangeVariants(arrivals);
    const variantArrivals = variants.count > 0 ? variants.arrivals : null;
    yield;
    const terms = yield* this.#terms.finish(sections, arrivals, variantArrivals);
    yield;
    yield* this.#titles.finish(sections, arrivals, terms);
    yield;
    const { valueCount } = yield* this.#facets.finish(sections, arrivals, variantArrivals);
    yield;
    yield* this.#finishColumns(sections, arrivals, variants);

    const norms = this.#norms.view();
    const lengthSums = yield* writeNorms(
      sections,
      productCount,
      (row, group) => norms[arrivals[row] * NORM_GROUPS.length + group],
    );
    if (variants.count > 0) {
      writeVariantRows(sections, variants.starts, variants.without);
    }
    const { storedBlock } = this.#options;
    const groupOf = this.#options.storedGroup?.bind(this.#options);
    const groups = groupOf === undefined ? null : Uint16Array.from(ids, (id) => groupOf(this.#ids.text(id)));
    yield;
    const stored = yield* this.#stored.finishPartsSteps(arrivals, groups);
    const onlyBlock = new Uint32Array(productCount);
    yield* writeStoredRefs(sections, [storedBlock], onlyBlock, stored.chunks, stored.offsets);
    const variantRowCount = variants.count > 0 ? variants.arrivals.length : productCount;
    writeCounts(sections, {
      productCount,
      variantRowCount,
      variantCount: variants.count,
      valueCount,
      lengthSums,
    });
    yield;
    const header = { language: this.#options.language, analysisVersion: ANALYSIS_VERSION };
    return {
      index: yield* sections.finishParts(header),
      stored: stored.parts,
      productCount,
      variantCount: variants.count,
    };
  }

  /**
   * The variant rows in final order. The one row of a product without variants has no contents; its arrival number is
   * the one after all others.
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
    const without = emptyBits(arrivals.length);
    if (count === 0) return { count, starts, arrivals: variantArrivals, productOf, without };

    // All products without variants share one empty arrival.
    const empty = this.#arrivedVariantRows;
    this.#terms.beginVariantRow();
    this.#terms.endVariantRow();
    this.#facets.endRow(true);
    for (let row = 0; row < arrivals.length; row++) {
      const first = arrivedStarts[arrivals[row]];
      const own = arrivedStarts[arrivals[row] + 1] - first;
      if (own === 0) setBit(without, row);
      for (let v = starts[row]; v < starts[row + 1]; v++) {
        variantArrivals[v] = own === 0 ? empty : first + v - starts[row];
        productOf[v] = row;
      }
    }
    return { count, starts, arrivals: variantArrivals, productOf, without };
  }

  *#finishColumns(
    sections: SectionWriter,
    arrivals: Uint32Array,
    variants: ArrangedVariants,
  ): Generator<void, void, void> {
    const finalRow = new Uint32Array(this.#arrived).fill(NO_ROW);
    for (let row = 0; row < arrivals.length; row++) finalRow[arrivals[row]] = row;
    const finalVariantRow = new Uint32Array(this.#arrivedVariantRows + 1).fill(NO_ROW);
    if (variants.count > 0) {
      for (let v = 0; v < variants.arrivals.length; v++) finalVariantRow[variants.arrivals[v]] = v;
    }
    yield* this.#columns.finish(sections, finalRow, finalVariantRow, variants.productOf, {
      products: arrivals.length,
      variantRows: variants.arrivals.length,
    });
  }
}

/** Of at most a step each. */
function portions<T>(values: readonly T[]): (readonly T[])[] {
  if (values.length <= VALUES_PER_STEP) return [values];
  const count = Math.ceil(values.length / VALUES_PER_STEP);
  return Array.from({ length: count }, (_, i) => values.slice(i * VALUES_PER_STEP, (i + 1) * VALUES_PER_STEP));
}

interface ArrangedVariants {
  /** Variants in documents. If 0, the arrays are not used. */
  readonly count: number;
  readonly starts: Uint32Array<ArrayBuffer>;
  /** Arrival number of each row. */
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

/** Writes section 1. */
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

/** Writes the norm bytes. Returns the sum of decoded lengths of each group. */
export function* writeNorms(
  sections: SectionWriter,
  rowCount: number,
  normOf: (row: number, group: number) => number,
): Generator<void, number[], void> {
  const norms = new Uint8Array(NORM_GROUPS.length * rowCount);
  const sums: number[] = [];
  for (let group = 0; group < NORM_GROUPS.length; group++) {
    let sum = 0;
    for (let row = 0; row < rowCount; row++) {
      const norm = normOf(row, group);
      norms[group * rowCount + row] = norm;
      sum += NORM_LENGTHS[norm];
    }
    sums.push(sum);
    yield;
  }
  sections.set(SECTION.norms, norms);
  return sums;
}
