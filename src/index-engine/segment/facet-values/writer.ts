/** Writes the facet sections (format/layout.ts, 32-62) in steps. Lists are derived from rows, so they agree. */
import { packOffsets } from "../../base/index.ts";
import { LARGEST_DELTA } from "../model/index.ts";
import { countValues, writeInverted } from "../postings/index.ts";
import { SECTION, type SectionWriter } from "../format/index.ts";
import { FIELD_FLAG, type ValuesWriter } from "./values-writer.ts";

/** Row r has the ordinals values[starts[r] .. starts[r + 1]), ascending and distinct. */
export interface RowValues {
  readonly starts: Uint32Array<ArrayBuffer>;
  readonly values: Uint32Array<ArrayBuffer>;
}

const ROWS_PER_STEP = 2_500;
const VALUES_PER_STEP = 25_000;

/** Every value of `fields` must occur in a row. `variants` is null if no variant has values of its own. */
export function* writeFacetData(
  sections: SectionWriter,
  fields: ValuesWriter,
  products: RowValues,
  variants: RowValues | null,
): Generator<void, { readonly valueCount: number }, void> {
  const { valueCount } = fields;
  if (valueCount === 0) {
    return { valueCount };
  }

  const fieldStarts = fields.endFields();
  const rowFlags = yield* flagsOfRows(fieldStarts, products, variants, valueCount);
  const first = rowFlags.findIndex((flags) => (flags & FIELD_FLAG.products) !== 0);
  const beforeProducts = (first === -1 ? valueCount : fieldStarts[first]) - 1;
  yield* writeDeltas(sections, products, beforeProducts, SECTION.productValueStarts);
  yield* writeLists(sections, products, valueCount, SECTION.valuePostings);
  if (variants !== null) {
    yield* writeDeltas(sections, variants, -1, SECTION.variantValueStarts);
    yield* writeLists(sections, variants, valueCount, SECTION.variantValuePostings);
  }
  yield* fields.finish(sections, rowFlags);
  return { valueCount };
}

/** By field, the flags that depend on rows. `fieldStarts`: first ordinals of the fields. */
function* flagsOfRows(
  fieldStarts: Uint32Array,
  products: RowValues,
  variants: RowValues | null,
  valueCount: number,
): Generator<void, Uint8Array, void> {
  const flags = new Uint8Array(fieldStarts.length);
  const fieldOf = new Uint32Array(valueCount);
  fieldStarts.forEach((start, i) => fieldOf.fill(i, start, fieldStarts[i + 1] ?? valueCount));
  yield;
  const { starts, values } = products;
  for (let row = 0; row + 1 < starts.length; row++) {
    // The ordinals of a field are contiguous, and those of a row ascend.
    let before = -1;
    for (let i = starts[row]; i < starts[row + 1]; i++) {
      const field = fieldOf[values[i]];
      flags[field] |= field === before ? FIELD_FLAG.several : FIELD_FLAG.products;
      before = field;
    }
    if (row % ROWS_PER_STEP === ROWS_PER_STEP - 1) yield;
  }
  if (variants !== null) {
    for (let i = 0; i < variants.values.length; i++) {
      flags[fieldOf[variants.values[i]]] |= FIELD_FLAG.variants;
      if (i % VALUES_PER_STEP === VALUES_PER_STEP - 1) yield;
    }
  }
  // With variants it depends on their values. Readers check that when needed.
  const notSingle = FIELD_FLAG.several | FIELD_FLAG.variants;
  for (let i = 0; i < flags.length; i++) {
    if ((flags[i] & notSingle) === 0) flags[i] |= FIELD_FLAG.single;
  }
  return flags;
}

/** The posting lists of values. */
function* writeLists(
  sections: SectionWriter,
  { starts, values }: RowValues,
  valueCount: number,
  postingsSection: number,
): Generator<void, void, void> {
  const rows = { order: numbersTo(starts.length - 1), starts, values, perStep: ROWS_PER_STEP };
  const counts = yield* countValues(rows, valueCount);
  yield* writeInverted(sections, postingsSection, rows, counts, numbersTo(valueCount), null);
}

/** Starts and deltas of rows (format/layout.ts, 59 and 60). */
function* writeDeltas(
  sections: SectionWriter,
  { starts, values }: RowValues,
  beforeFirst: number,
  startsSection: number,
): Generator<void, void, void> {
  const rowCount = starts.length - 1;
  const deltaStarts = new Uint32Array(starts.length);
  let total = 0;
  for (let row = 0; row < rowCount; row++) {
    let before = beforeFirst;
    for (let i = starts[row]; i < starts[row + 1]; i++) {
      total += 1 + Math.floor((values[i] - before - 1) / LARGEST_DELTA);
      before = values[i];
    }
    deltaStarts[row + 1] = total;
    if (row % ROWS_PER_STEP === ROWS_PER_STEP - 1) yield;
  }
  const deltas = new Uint16Array(total);
  let at = 0;
  for (let row = 0; row < rowCount; row++) {
    let before = beforeFirst;
    for (let i = starts[row]; i < starts[row + 1]; i++) {
      let delta = values[i] - before;
      for (; delta > LARGEST_DELTA; delta -= LARGEST_DELTA) at++;
      deltas[at++] = delta;
      before = values[i];
    }
    if (row % ROWS_PER_STEP === ROWS_PER_STEP - 1) yield;
  }
  sections.set(startsSection, packOffsets(deltaStarts));
  sections.set(startsSection + 1, deltas);
  yield;
}

/** 0, 1, ... count - 1 */
function numbersTo(count: number): Uint32Array {
  return new Uint32Array(count).map((_, i) => i);
}
