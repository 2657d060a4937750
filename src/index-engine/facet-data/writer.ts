/**
 * Writes the facet sections (format.ts, 32-62) from sorted values and the values of each row. The inverted lists are derived
 * here, so that rows and lists cannot disagree. In steps, because a merged segment has millions of values.
 */
import type { FacetKind } from "../model.ts";
import { FACET_KINDS, LONGEST_DISTANCE } from "../model.ts";
import { PostingsWriter } from "../postings/index.ts";
import { GrowableU32 } from "../segment/bytes.ts";
import { SECTION } from "../segment/format.ts";
import type { SectionWriter } from "../segment/sections.ts";
import { FrontCodedWriter, sortByCodePoints, writeStrings } from "../strings.ts";
import type { FacetValue } from "./values.ts";

/** Values of a field in their final order; its first ordinal is the sum of the sizes before it. */
export interface FacetFieldSource {
  readonly name: string;
  readonly kind: FacetKind;
  readonly values: readonly FacetValue[];
}

/** CSR: row r has values[starts[r] .. starts[r + 1]), ordinals ascending and distinct. */
export interface RowValues {
  readonly starts: Uint32Array<ArrayBuffer>;
  readonly values: Uint32Array<ArrayBuffer>;
}

/** Words of a field record (format.ts, section 50). */
export const FIELD_WORDS = 4;
/** Flags of a field record (format.ts, section 50). */
export const FIELD_FLAG = {
  products: 1,
  variants: 2,
  listed: 4,
  ids: 8,
  single: 16,
  several: 32,
} as const;

/** Rows between two yields of the loops below. */
const ROWS_PER_STEP = 20_000;
/** The same of values with their texts. */
const VALUES_PER_STEP = 2_000;

/** Fields sorted; every value is on some row. `variants` null: no variant has values of its own. */
export function* writeFacetData(
  sections: SectionWriter,
  fields: readonly FacetFieldSource[],
  products: RowValues,
  variants: RowValues | null,
): Generator<void, { readonly valueCount: number }, void> {
  let valueCount = 0;
  for (const field of fields) valueCount += field.values.length;
  if (valueCount === 0) {
    return { valueCount };
  }

  yield* writeRows(
    sections,
    products,
    valueCount,
    SECTION.productValueStarts,
    SECTION.valuePostings,
  );
  const counts = new Uint8Array(valueCount);
  markUsed(products, counts, FIELD_FLAG.products);
  yield;
  if (variants !== null) {
    const section = SECTION.variantValueStarts;
    yield* writeRows(sections, variants, valueCount, section, SECTION.variantValuePostings);
    markUsed(variants, counts, FIELD_FLAG.variants);
    yield;
  }
  const severalOf = yield* fieldsWithSeveral(fields, products, valueCount);
  yield* writeValues(sections, fields, severalOf, counts);
  return { valueCount };
}

/** 1 per field of which some product has several values of its own. */
function* fieldsWithSeveral(
  fields: readonly FacetFieldSource[],
  { starts, values }: RowValues,
  valueCount: number,
): Generator<void, Uint8Array, void> {
  const severalOf = new Uint8Array(fields.length);
  const fieldOf = new Uint32Array(valueCount);
  let end = 0;
  fields.forEach((field, i) => fieldOf.fill(i, end, (end += field.values.length)));
  yield;
  for (let row = 0; row + 1 < starts.length; row++) {
    // Ordinals of a field are neighbours, and those of a row ascend.
    for (let i = starts[row] + 1; i < starts[row + 1]; i++) {
      const field = fieldOf[values[i]];
      if (field === fieldOf[values[i - 1]]) severalOf[field] = 1;
    }
    if (row % ROWS_PER_STEP === ROWS_PER_STEP - 1) yield;
  }
  return severalOf;
}

function markUsed(rows: RowValues, used: Uint8Array, flag: number): void {
  const { values } = rows;
  for (let i = 0; i < values.length; i++) used[values[i]] |= flag;
}

/** The CSR arrays in section `starts` and the one after it, and the inverted lists. */
function* writeRows(
  sections: SectionWriter,
  rows: RowValues,
  valueCount: number,
  startsSection: number,
  postingsSection: number,
): Generator<void, void, void> {
  const { starts, values } = rows;
  const rowCount = starts.length - 1;
  yield* writeDistances(sections, rows, startsSection);

  // Counting sort: walking the rows in order fills each value's list in ascending order of rows.
  const ends = new Uint32Array(valueCount + 1);
  for (let i = 0; i < values.length; i++) ends[values[i] + 1]++;
  for (let value = 0; value < valueCount; value++) ends[value + 1] += ends[value];
  const inverted = new Uint32Array(values.length);
  const filled = ends.slice(0, valueCount);
  for (let row = 0; row < rowCount; row++) {
    for (let i = starts[row]; i < starts[row + 1]; i++) inverted[filled[values[i]]++] = row;
    if (row % ROWS_PER_STEP === ROWS_PER_STEP - 1) yield;
  }
  const writer = new PostingsWriter(rowCount);
  let written = 0;
  for (let value = 0; value < valueCount; value++) {
    writer.add(inverted, null, ends[value], ends[value + 1]);
    written += ends[value + 1] - ends[value] + 4;
    if (written > ROWS_PER_STEP) {
      written = 0;
      yield;
    }
  }
  writer.finish(sections, postingsSection);
}

/** Starts and distances (format.ts, 59 and 60). */
function* writeDistances(
  sections: SectionWriter,
  { starts, values }: RowValues,
  startsSection: number,
): Generator<void, void, void> {
  const rowCount = starts.length - 1;
  const distanceStarts = new Uint32Array(starts.length);
  let total = 0;
  for (let row = 0; row < rowCount; row++) {
    let before = -1;
    for (let i = starts[row]; i < starts[row + 1]; i++) {
      total += 1 + Math.floor((values[i] - before - 1) / LONGEST_DISTANCE);
      before = values[i];
    }
    distanceStarts[row + 1] = total;
    if (row % ROWS_PER_STEP === ROWS_PER_STEP - 1) yield;
  }
  const distances = new Uint16Array(total);
  let at = 0;
  for (let row = 0; row < rowCount; row++) {
    let before = -1;
    for (let i = starts[row]; i < starts[row + 1]; i++) {
      let distance = values[i] - before;
      for (; distance > LONGEST_DISTANCE; distance -= LONGEST_DISTANCE) at++;
      distances[at++] = distance;
      before = values[i];
    }
    if (row % ROWS_PER_STEP === ROWS_PER_STEP - 1) yield;
  }
  sections.set(startsSection, distanceStarts);
  sections.set(startsSection + 1, distances);
  yield;
}

function* writeValues(
  sections: SectionWriter,
  fields: readonly FacetFieldSource[],
  severalOf: Uint8Array,
  used: Uint8Array,
): Generator<void, void, void> {
  const valueCount = used.length;
  const names = new FrontCodedWriter();
  const texts = new FrontCodedWriter();
  const numbers: number[] = [];
  const records = new GrowableU32();
  const sameKey = new Uint32Array((valueCount + 31) >>> 5);
  const unlisted = new Uint32Array((valueCount + 31) >>> 5);
  const distinctIds = new Set<string>();
  let grouped = false;
  let anyUnlisted = false;
  let previousName: string | null = null;
  let ordinal = 0;
  let written = 0;
  for (const [number, field] of fields.entries()) {
    if (field.name !== previousName) names.add(field.name);
    previousName = field.name;
    const isNumber = field.kind === "number";
    const start = ordinal;
    const base = isNumber ? numbers.length : texts.size;
    let flags = 0;
    let groupKey: string | number | null = null;
    for (const { value, key, id, listed } of field.values) {
      if (key === groupKey) {
        grouped = true;
        sameKey[ordinal >>> 5] |= 1 << ordinal;
      }
      groupKey = key;
      if (typeof value === "number") numbers.push(value);
      else texts.add(value);
      if (id !== null) {
        distinctIds.add(id);
        flags |= FIELD_FLAG.ids;
      }
      if (!listed) {
        anyUnlisted = true;
        unlisted[ordinal >>> 5] |= 1 << ordinal;
      }
      flags |= used[ordinal] | (listed ? FIELD_FLAG.listed : 0);
      ordinal++;
      if (++written % VALUES_PER_STEP === 0) yield;
    }
    // Variants may share a value or have one each: that is looked at when it is asked for.
    if (severalOf[number] === 1) flags |= FIELD_FLAG.several;
    else if ((flags & FIELD_FLAG.variants) === 0) flags |= FIELD_FLAG.single;
    records.push(((names.size - 1) << 2) | FACET_KINDS.indexOf(field.kind));
    records.push(start);
    records.push(base);
    records.push(flags);
  }
  names.finish(sections, SECTION.facetNamesIndex, SECTION.facetNamesBytes);
  sections.set(SECTION.facetFields, records.view());
  if (grouped) sections.set(SECTION.sameKey, sameKey);
  texts.finish(sections, SECTION.valueTextIndex, SECTION.valueTextBytes);
  sections.set(SECTION.valueNumbers, Float64Array.from(numbers));
  if (anyUnlisted) sections.set(SECTION.unlisted, unlisted);
  if (distinctIds.size > 0) yield* writeIds(sections, fields, distinctIds);
}

function* writeIds(
  sections: SectionWriter,
  fields: readonly FacetFieldSource[],
  distinctIds: ReadonlySet<string>,
): Generator<void, void, void> {
  const ids = sortByCodePoints([...distinctIds]);
  yield;
  writeStrings(sections, SECTION.valueIdsIndex, SECTION.valueIdsBytes, ids);
  yield;
  const numberOfId = new Map(ids.map((id, at) => [id, at + 1]));
  const idOf = new GrowableU32();
  for (const { values } of fields) {
    if (!values.some(({ id }) => id !== null)) continue;
    for (const { id } of values) idOf.push(id === null ? 0 : (numberOfId.get(id) ?? 0));
  }
  sections.set(SECTION.valueIdOf, idOf.view());
}
