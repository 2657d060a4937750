/**
 * Several segments -> one, as if all live products had been built at once. Only the places of sources differ from that.
 *
 * Segments are given oldest first. The newest segment that has an id wins: its row is taken or, if it is deleted,
 * dropped. Ids are merged first, which gives each segment a map from rows to merged rows. The maps are monotone,
 * because all rows are in the order of ids. Everything else is renumbered by these maps. Stored blocks are not changed:
 * the result refers to all blocks still in use, or to the places given by PlaceSources.
 *
 * The work is done in steps, so searches can run in between. Steps are measured in work, not in time, because a
 * Worker's clock does not advance while it computes. Thirteen segments of 10,000 products (33 MB together) take 5,200
 * steps, most of them shorter than half a millisecond. One term's list and one section's copy are never divided.
 *
 * Memory: the output sections, maps of rows and terms (4 bytes each), some arrays by merged row and term, and one
 * posting list.
 */
import { mergeColumns } from "./columns/index.ts";
import { mergeFacetData, type FacetRows } from "./facet-values/index.ts";
import { mergeTitles } from "./positions/index.ts";
import { NO_ROW, type LiveSegment } from "./model/index.ts";
import { writeStoredRefs } from "./stored/index.ts";
import { FrontCodedWriter, scanOf, StringMerge } from "./strings/index.ts";
import { mergeTerms } from "./dictionary/index.ts";
import { emptyBits, hasBit, type PlacedBytes, GrowableU32, run, setBit } from "../base/index.ts";
import { writeCounts, writeNorms } from "./builder.ts";
import { SECTION, SectionWriter } from "./format/index.ts";
import { OpenedSegment } from "./open.ts";
import { writeVariantRows } from "./variant-rows.ts";

const ROWS_PER_STEP = 1_000;

interface Input {
  readonly segment: OpenedSegment;
  readonly deleted: Uint32Array | null;
  /** Row -> merged row. */
  readonly rowMap: Uint32Array;
  /** Variant row -> merged variant row; empty if the segment has no variants. */
  readonly variantRowMap: Uint32Array;
}

/** The places of a merged segment's sources: blocks; by row, index of the block, chunk and offset. */
export interface PlacedSources {
  readonly blocks: readonly string[];
  readonly blockOf: Uint32Array;
  readonly chunks: Uint32Array<ArrayBuffer>;
  readonly offsets: Uint16Array<ArrayBuffer>;
}

/** Gives the sources of a merged segment new places. Called once. */
export type PlaceSources = (products: FacetRows) => Generator<void, PlacedSources, void>;

export function mergeSegments(inputs: readonly LiveSegment[]): Uint8Array<ArrayBuffer> {
  return run(mergeSteps(inputs));
}

/** Merges in steps. The inputs must stay open until the end. Without `place`, sources stay in their places. */
export function* mergeSteps(
  given: readonly LiveSegment[],
  place: PlaceSources | null = null,
): Generator<void, Uint8Array<ArrayBuffer>, void> {
  return yield* (yield* mergePartsSteps(given, place)).join();
}

/** The same bytes, not copied into one range. */
export function* mergePartsSteps(
  given: readonly LiveSegment[],
  place: PlaceSources | null = null,
): Generator<void, PlacedBytes, void> {
  const inputs = given.map(asInput);
  const first = inputs.at(0);
  if (first === undefined) throw new RangeError("nothing to merge");
  const { language, analysisVersion } = first.segment;
  for (const { segment } of inputs) {
    if (segment.language !== language || segment.analysisVersion !== analysisVersion) {
      throw new RangeError(
        `segments of ${language} ${analysisVersion} and ${segment.language} ${segment.analysisVersion} do not merge`,
      );
    }
  }
  const sections = new SectionWriter();
  const products = yield* mergeIds(sections, inputs);
  const productCount = products.row.length;
  const variants = yield* mergeVariants(sections, inputs, products);
  const variantRowCount = variants === null ? productCount : variants.rows.row.length;
  const counts = { products: productCount, variantRows: variantRowCount };

  const { termMaps, termCount } = yield* mergeTerms(
    sections,
    inputs.map((input) => ({ ...input, terms: input.segment.terms })),
    counts,
  );
  yield* mergeTitles(
    sections,
    inputs.map(({ segment }, i) => ({ titles: segment.titles, termMap: termMaps[i] })),
    products,
    termCount,
  );
  const { valueCount } = yield* mergeFacetData(
    sections,
    inputs.map(({ segment }) => segment.facets),
    products,
    variants === null ? null : variants.rows,
  );
  yield* mergeColumns(
    sections,
    inputs.map((input) => ({ ...input, columns: input.segment.columns })),
    counts,
  );
  const norms = inputs.map(({ segment }) => segment.norms);
  const lengthSums = yield* writeNorms(
    sections,
    productCount,
    (row, group) => norms[products.input[row]][group][products.row[row]],
  );
  if (place === null) {
    yield* mergeStoredRefs(sections, inputs, products);
  } else {
    const { blocks, blockOf, chunks, offsets } = yield* place(products);
    yield* writeStoredRefs(sections, blocks, blockOf, chunks, offsets);
  }
  writeCounts(sections, {
    productCount,
    variantRowCount,
    variantCount: variants === null ? 0 : variants.count,
    valueCount,
    lengthSums,
  });
  return yield* sections.finishParts({ language, analysisVersion });
}

/** Ignores changed numbers, which Reader.replaceRun adds to the result. */
function asInput({ segment: { base: segment }, deleted }: LiveSegment): Input {
  if (!(segment instanceof OpenedSegment)) throw new TypeError("merges take opened segments");
  return {
    segment,
    deleted,
    rowMap: new Uint32Array(segment.productCount).fill(NO_ROW),
    variantRowMap: new Uint32Array(segment.hasVariants ? segment.variantRowCount : 0).fill(NO_ROW),
  };
}

/** Writes the ids and fills the row maps. Returns input and row of each merged row. */
function* mergeIds(sections: SectionWriter, inputs: readonly Input[]): Generator<void, FacetRows, void> {
  const merge = new StringMerge(inputs.map(({ segment }) => scanOf(segment.ids)));
  const strings = new FrontCodedWriter();
  const sources = new GrowableU32();
  const sourceRows = new GrowableU32();
  let work = 0;
  while (merge.next()) {
    const newest = merge.members[merge.members.length - 1];
    const { ordinal: row, bytes, length } = merge.scans[newest];
    const { deleted, rowMap } = inputs[newest];
    if (deleted === null || !hasBit(deleted, row)) {
      rowMap[row] = sources.length;
      sources.push(newest);
      sourceRows.push(row);
      strings.addBytes(bytes, length);
    }
    if (++work % ROWS_PER_STEP === 0) yield;
  }
  strings.finish(sections, SECTION.idsIndex, SECTION.idsBytes);
  return { input: sources.view(), row: sourceRows.view() };
}

interface MergedVariants {
  /** Variants in documents. */
  readonly count: number;
  readonly rows: FacetRows;
}

/** Writes the variant rows and fills their maps. Null if no live product has variants. */
function* mergeVariants(
  sections: SectionWriter,
  inputs: readonly Input[],
  products: FacetRows,
): Generator<void, MergedVariants | null, void> {
  const productCount = products.row.length;
  const starts = new Uint32Array(productCount + 1);
  let count = 0;
  for (let row = 0; row < productCount; row++) {
    const own = inputs[products.input[row]].segment.variantsOf(products.row[row]);
    count += own;
    starts[row + 1] = starts[row] + Math.max(own, 1);
    if (row % ROWS_PER_STEP === ROWS_PER_STEP - 1) yield;
  }
  if (count === 0) return null;
  const total = starts[productCount];
  const without = emptyBits(productCount);
  const sources = new Uint32Array(total);
  const sourceRows = new Uint32Array(total).fill(NO_ROW);
  for (let row = 0; row < productCount; row++) {
    const source = products.input[row];
    const { segment, variantRowMap } = inputs[source];
    if (segment.variantsOf(products.row[row]) === 0) setBit(without, row);
    const firstSource = segment.hasVariants ? segment.variantRows.first(products.row[row]) : NO_ROW;
    for (let v = starts[row]; v < starts[row + 1]; v++) {
      sources[v] = source;
      if (firstSource === NO_ROW) continue;
      sourceRows[v] = firstSource + v - starts[row];
      variantRowMap[sourceRows[v]] = v;
    }
    if (row % ROWS_PER_STEP === ROWS_PER_STEP - 1) yield;
  }
  writeVariantRows(sections, starts, without);
  return { count, rows: { input: sources, row: sourceRows } };
}

function* mergeStoredRefs(
  sections: SectionWriter,
  inputs: readonly Input[],
  products: FacetRows,
): Generator<void, void, void> {
  const blocks = [...new Set(inputs.flatMap(({ segment }) => segment.storedBlocks))];
  const placeOf = new Map(blocks.map((block, place) => [block, place]));
  const places = inputs.map(({ segment }) => segment.storedBlocks.map((block) => placeOf.get(block) ?? 0));
  const productCount = products.row.length;
  const blockOf = new Uint32Array(productCount);
  const chunks = new Uint32Array(productCount);
  const offsets = new Uint16Array(productCount);
  for (let row = 0; row < productCount; row++) {
    const source = products.input[row];
    const sourceRow = products.row[row];
    const { stored } = inputs[source].segment;
    const ref = stored.ref(sourceRow);
    blockOf[row] = places[source][stored.blockOf(sourceRow)];
    chunks[row] = ref.chunk;
    offsets[row] = ref.offset;
    if (row % ROWS_PER_STEP === ROWS_PER_STEP - 1) yield;
  }
  yield* writeStoredRefs(sections, blocks, blockOf, chunks, offsets);
}
