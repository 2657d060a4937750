/**
 * Facet data in which some products have other numbers (segment.ts): the values of the changed fields are numbered behind all others, the
 * rows that have one are written again, and so are the lists of these values. Everything else is the base's.
 */
import { hasBit, setBit, wordsFor } from "../bits.ts";
import { compareFields } from "../facet-data/index.ts";
import {
  LONGEST_DISTANCE,
  type FacetData,
  type FacetField,
  type FacetKind,
  type Postings,
  type Segment,
  type TextScan,
} from "../model.ts";
import type { FieldNumbers, SegmentNumbers } from "./numbers.ts";
import { OverlaidPostings, type RowLists } from "./postings.ts";
import { strip, strippedBytes, type StrippedRows } from "./stripped.ts";

/** A changed field. */
interface ChangedField extends FacetField {
  /** Its range in the base. */
  readonly baseStart: number;
  readonly baseEnd: number;
  /** Ascending; number of value `start + i` is numbers[i]. */
  readonly numbers: Float64Array;
  /** Null: none has one. */
  readonly ids: readonly (string | null)[] | null;
  /** Never listed. */
  readonly isHidden: readonly boolean[];
  /** Ordinal in the base less `baseStart` -> ordinal; -1: no row has it any more. */
  readonly ordinalOf: Int32Array;
  readonly changed: FieldNumbers;
  /** Ordinals of the changed rows' numbers. */
  readonly changedOrdinals: Uint32Array;
}

/** Rows -> values, and back for the values of changed fields. */
interface Rows {
  readonly starts: Uint32Array;
  readonly distances: Uint16Array;
  readonly lists: RowLists;
}

export class OverlaidFacets implements FacetData {
  readonly valueCount: number;
  readonly sameKey: Uint32Array | null;
  readonly unlisted: Uint32Array | null;
  readonly productPostings: Postings;
  readonly variantPostings: Postings | null;
  readonly productDistanceStarts: Uint32Array;
  readonly productDistances: Uint16Array;
  readonly variantDistanceStarts: Uint32Array | null;
  readonly variantDistances: Uint16Array | null;
  /** Of what was made here. */
  readonly sizeBytes: number;
  readonly #base: FacetData;
  /** Ordinals of the base are below. */
  readonly #first: number;
  readonly #changed: readonly ChangedField[];
  #fields: readonly FacetField[] | null = null;

  constructor(segment: Segment, numbers: SegmentNumbers) {
    const base = segment.facets;
    this.#base = base;
    this.#first = base.valueCount;
    const named = [...numbers.fields].flatMap(([name, own]) => {
      const field = base.field(name, "number");
      // Null: a field that is only sorted by, or only shown.
      return field === null ? [] : [{ field, own }];
    });
    const stripped = strippedOf(
      segment,
      named.map(({ field }) => field),
    );
    const changed: ChangedField[] = [];
    let next = base.valueCount;
    for (const [i, { field, own }] of named.entries()) {
      const made = changeField(base, field, own, next, stripped.products, stripped.values[i]);
      changed.push(made);
      next = made.end;
    }
    this.#changed = changed;
    this.valueCount = next;
    this.sameKey = extended(
      base.sameKey,
      next,
      changed,
      ({ numbers: all }, i) => i > 0 && all[i] === all[i - 1],
    );
    this.unlisted = extended(base.unlisted, next, changed, ({ isHidden }, i) => isHidden[i]);

    const { variantDistanceStarts, variantDistances, variantPostings } = base;
    const products = rewrite(stripped.products, changed, base.valueCount, true);
    this.productDistanceStarts = products.starts;
    this.productDistances = products.distances;
    const dead = changed.map(({ baseStart, baseEnd }) => [baseStart, baseEnd] as const);
    this.productPostings = new OverlaidPostings(base.productPostings, dead, products.lists);
    let sizeBytes = sizeOf(products) + changed.reduce((sum, one) => sum + changedBytes(one), 0);
    sizeBytes += strippedBytes(stripped.products);
    if (stripped.variants !== null) sizeBytes += strippedBytes(stripped.variants);
    if (variantDistanceStarts === null || variantDistances === null || variantPostings === null) {
      this.variantDistanceStarts = null;
      this.variantDistances = null;
      this.variantPostings = null;
    } else if (stripped.variants !== null) {
      const variants = rewrite(stripped.variants, changed, base.valueCount, false);
      this.variantDistanceStarts = variants.starts;
      this.variantDistances = variants.distances;
      this.variantPostings = new OverlaidPostings(variantPostings, dead, variants.lists);
      sizeBytes += sizeOf(variants);
    } else {
      this.variantDistanceStarts = variantDistanceStarts;
      this.variantDistances = variantDistances;
      this.variantPostings = new OverlaidPostings(
        variantPostings,
        dead,
        noLists(this.#first, next),
      );
    }
    this.sizeBytes = sizeBytes;
  }

  get fields(): readonly FacetField[] {
    if (this.#fields === null) {
      const fields = this.#base.fields.filter(
        ({ start }) => !this.#changed.some(({ baseStart }) => baseStart === start),
      );
      this.#fields = [...fields, ...this.#changed].sort(compareFields);
    }
    return this.#fields;
  }

  /** Texts are the base's. */
  textScan(field: FacetField): TextScan {
    return this.#base.textScan(field);
  }

  field(name: string, kind: FacetKind): FacetField | null {
    if (kind === "number") {
      const changed = this.#changed.find((field) => field.name === name);
      if (changed !== undefined) return changed;
    }
    return this.#base.field(name, kind);
  }

  fieldOf(ordinal: number): FacetField {
    return ordinal < this.#first ? this.#base.fieldOf(ordinal) : this.#changedOf(ordinal);
  }

  firstOfGroup(ordinal: number): number {
    if (ordinal < this.#first) return this.#base.firstOfGroup(ordinal);
    const { start, numbers } = this.#changedOf(ordinal);
    return start + countBelow(numbers, numbers[ordinal - start], false);
  }

  text(ordinal: number): string {
    if (ordinal < this.#first) return this.#base.text(ordinal);
    throw new TypeError(`value ${ordinal} is a number, not a text`);
  }

  number(ordinal: number): number {
    if (ordinal < this.#first) return this.#base.number(ordinal);
    const { start, numbers } = this.#changedOf(ordinal);
    return numbers[ordinal - start];
  }

  id(ordinal: number): string | null {
    if (ordinal < this.#first) return this.#base.id(ordinal);
    const { start, ids } = this.#changedOf(ordinal);
    return ids === null ? null : ids[ordinal - start];
  }

  group(field: FacetField, key: string | number): readonly [number, number] | null {
    if (field.start < this.#first) return this.#base.group(field, key);
    if (typeof key !== "number") return null;
    const range = this.numberRange(field, key, key);
    return range[0] < range[1] ? range : null;
  }

  numberRange(field: FacetField, lower: number, upper: number): readonly [number, number] {
    if (field.start < this.#first) return this.#base.numberRange(field, lower, upper);
    if (field.start === field.end) return [field.start, field.start];
    const { start, numbers } = this.#changedOf(field.start);
    const from = countBelow(numbers, lower, false);
    return [start + from, start + Math.max(from, countBelow(numbers, upper, true))];
  }

  withId(field: FacetField, id: string): readonly number[] {
    if (field.start < this.#first) return this.#base.withId(field, id);
    if (field.start === field.end) return [];
    const { start, ids } = this.#changedOf(field.start);
    return (ids ?? []).flatMap((own, i) => (own === id ? [start + i] : []));
  }

  #changedOf(ordinal: number): ChangedField {
    const field = this.#changed.find(({ start, end }) => ordinal >= start && ordinal < end);
    if (field === undefined) throw new RangeError(`value ${ordinal} of ${this.valueCount}`);
    return field;
  }
}

/** How many of the ascending numbers are below `bound`, or at most that. */
function countBelow(numbers: Float64Array, bound: number, orEqual: boolean): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle] < bound || (orEqual && numbers[middle] === bound)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Values of a field in the base, by ordinal less its start. */
interface BaseValues {
  readonly numbers: Float64Array;
  readonly ids: readonly (string | null)[];
  /** How many products have it. */
  readonly products: Uint32Array;
  readonly isOnVariants: readonly boolean[];
}

function valuesOf(base: FacetData, { start, end }: FacetField): BaseValues {
  const ordinals = Array.from({ length: end - start }, (_, i) => start + i);
  return {
    numbers: Float64Array.from(ordinals, (ordinal) => base.number(ordinal)),
    ids: ordinals.map((ordinal) => base.id(ordinal)),
    products: Uint32Array.from(ordinals, (ordinal) => base.productPostings.count(ordinal)),
    isOnVariants: ordinals.map((ordinal) => (base.variantPostings?.count(ordinal) ?? 0) > 0),
  };
}

/** What does not change with the numbers. */
interface Stripped {
  /** By field. */
  readonly values: readonly BaseValues[];
  readonly products: StrippedRows;
  /** Null: no variant has values of the fields. */
  readonly variants: StrippedRows | null;
}

/** Of the last set of fields that was asked for. */
const kept = new WeakMap<Segment, { readonly key: string; readonly stripped: Stripped }>();

function strippedOf(segment: Segment, fields: readonly FacetField[]): Stripped {
  const key = fields.map(({ start }) => start).join();
  const known = kept.get(segment);
  if (known?.key === key) return known.stripped;
  const { productDistanceStarts, productDistances, variantDistanceStarts, variantDistances } =
    segment.facets;
  const hasOwn = fields.some(({ onVariants }) => onVariants);
  const stripped = {
    values: fields.map((field) => valuesOf(segment.facets, field)),
    products: strip(productDistanceStarts, productDistances, fields),
    variants:
      hasOwn && variantDistanceStarts !== null && variantDistances !== null
        ? strip(variantDistanceStarts, variantDistances, fields)
        : null,
  };
  kept.set(segment, { key, stripped });
  return stripped;
}

/** The order of values of one number (facet-data/values.ts): without id first, then by id; listed ones first. */
function isBefore(
  number: number,
  listed: boolean,
  other: { readonly number: number; readonly id: string | null; readonly listed: boolean },
): boolean {
  if (number !== other.number) return number < other.number;
  return other.id !== null || (listed && !other.listed);
}

function changeField(
  base: FacetData,
  field: FacetField,
  changed: FieldNumbers,
  start: number,
  { ownStarts, own: ownValues }: StrippedRows,
  values: BaseValues,
): ChangedField {
  const { start: baseStart, end: baseEnd } = field;
  const { unlisted } = base;
  // How many rows each value of the base has lost, and whether the changed values are listed: as those they replace.
  const lost = new Uint32Array(baseEnd - baseStart);
  const changedListed = new Uint8Array(changed.rows.length).fill(1);
  for (let i = 0; i < changed.rows.length; i++) {
    const row = changed.rows[i];
    for (let at = ownStarts[row]; at < ownStarts[row + 1]; at++) {
      const ordinal = ownValues[at];
      if (ordinal < baseStart || ordinal >= baseEnd) continue;
      lost[ordinal - baseStart]++;
      if (unlisted !== null && hasBit(unlisted, ordinal)) changedListed[i] = 0;
    }
  }
  const sorted = sortedValues(changed.values, changedListed.includes(0) ? changedListed : null);

  const numbers = new Float64Array(baseEnd - baseStart + sorted.values.length);
  const ids: (string | null)[] = [];
  const isHidden: boolean[] = [];
  const ordinalOf = new Int32Array(baseEnd - baseStart).fill(-1);
  let size = 0;
  const add = (number: number, id: string | null, listed: boolean): number => {
    const last = size - 1;
    const isKnown =
      size > 0 && numbers[last] === number && ids[last] === id && isHidden[last] === !listed;
    if (!isKnown) {
      numbers[size++] = number;
      ids.push(id);
      isHidden.push(!listed);
    }
    return start + size - 1;
  };
  let at = 0;
  for (let i = 0; i < ordinalOf.length; i++) {
    if (values.products[i] <= lost[i] && !values.isOnVariants[i]) continue;
    const value = {
      number: values.numbers[i],
      id: values.ids[i],
      listed: unlisted === null || !hasBit(unlisted, baseStart + i),
    };
    for (; at < sorted.values.length; at++) {
      const listed = sorted.listed === null || sorted.listed[at] === 1;
      if (!isBefore(sorted.values[at], listed, value)) break;
      add(sorted.values[at], null, listed);
    }
    ordinalOf[i] = add(value.number, value.id, value.listed);
  }
  for (; at < sorted.values.length; at++) {
    add(sorted.values[at], null, sorted.listed === null || sorted.listed[at] === 1);
  }
  const own = numbers.slice(0, size);
  const changedOrdinals = new Uint32Array(changed.rows.length);
  for (let i = 0; i < changedOrdinals.length; i++) {
    // Values without id come first among those of a number, the listed one before the other.
    let at = countBelow(own, changed.values[i], false);
    if (changedListed[i] === 0 && !isHidden[at]) at++;
    changedOrdinals[i] = start + at;
  }
  return {
    name: field.name,
    kind: "number",
    start,
    end: start + size,
    facet: field.facet,
    onProducts: true,
    onVariants: field.onVariants,
    baseStart,
    baseEnd,
    numbers: own,
    ids: ids.some((id) => id !== null) ? ids : null,
    isHidden,
    ordinalOf,
    changed,
    changedOrdinals,
  };
}

/** Ascending; of equal ones those that are listed first. */
function sortedValues(
  values: Float64Array,
  listed: Uint8Array | null,
): { readonly values: Float64Array; readonly listed: Uint8Array | null } {
  if (listed === null) return { values: values.slice().sort(), listed: null };
  const places = Uint32Array.from(values, (_, i) => i);
  places.sort((a, b) => values[a] - values[b] || listed[b] - listed[a]);
  return {
    values: Float64Array.from(places, (place) => values[place]),
    listed: Uint8Array.from(places, (place) => listed[place]),
  };
}

/** Rows with their changed fields' values behind all others. `areProducts`: changed rows are rows of these. */
function rewrite(
  stripped: StrippedRows,
  fields: readonly ChangedField[],
  first: number,
  areProducts: boolean,
): Rows {
  const { starts: keptStarts, distances: kept, last, ownStarts, own } = stripped;
  const rowCount = last.length;
  const end = fields.at(-1)?.end ?? first;
  // A value behind all others may need several entries for its distance.
  const most = 1 + Math.ceil(end / LONGEST_DISTANCE);
  const starts = new Uint32Array(rowCount + 1);
  const distances = new Uint16Array(kept.length + own.length * most);
  // No row has more values of the fields than before.
  const ordinals = new Uint32Array(own.length);
  const rows = new Uint32Array(own.length);
  let count = 0;
  /** By field: the next changed row. */
  const nextChanged = new Uint32Array(fields.length);
  let length = 0;
  for (let row = 0; row < rowCount; row++) {
    const to = keptStarts[row + 1];
    for (let at = keptStarts[row]; at < to; at++) distances[length++] = kept[at];
    const ownFrom = ownStarts[row];
    const ownTo = ownStarts[row + 1];
    if (ownFrom < ownTo) {
      let before = last[row];
      for (let f = 0; f < fields.length; f++) {
        const { changed, baseStart, baseEnd, ordinalOf, changedOrdinals } = fields[f];
        if (areProducts) {
          const changedRows = changed.rows;
          let next = nextChanged[f];
          while (changedRows[next] < row) next++;
          nextChanged[f] = next;
          if (changedRows[next] === row) {
            const value = changedOrdinals[next];
            length = writeDistance(distances, length, value - before);
            before = value;
            ordinals[count] = value;
            rows[count++] = row;
            continue;
          }
        }
        for (let i = ownFrom; i < ownTo; i++) {
          if (own[i] < baseStart || own[i] >= baseEnd) continue;
          const value = ordinalOf[own[i] - baseStart];
          length = writeDistance(distances, length, value - before);
          before = value;
          ordinals[count] = value;
          rows[count++] = row;
        }
      }
    }
    starts[row + 1] = length;
  }
  return {
    starts,
    distances: distances.slice(0, length),
    lists: listsOf(ordinals.subarray(0, count), rows.subarray(0, count), first, end),
  };
}

/** Returns the place behind it. */
function writeDistance(distances: Uint16Array, at: number, distance: number): number {
  let rest = distance;
  let next = at;
  for (; rest > LONGEST_DISTANCE; rest -= LONGEST_DISTANCE) distances[next++] = 0;
  distances[next++] = rest;
  return next;
}

/** Rows per value; pairs come by ascending rows. */
function listsOf(ordinals: Uint32Array, rows: Uint32Array, first: number, end: number): RowLists {
  const starts = new Uint32Array(end - first + 1);
  for (let i = 0; i < ordinals.length; i++) starts[ordinals[i] - first + 1]++;
  for (let i = 0; i < end - first; i++) starts[i + 1] += starts[i];
  const filled = starts.slice();
  const sorted = new Uint32Array(rows.length);
  for (let i = 0; i < ordinals.length; i++) sorted[filled[ordinals[i] - first]++] = rows[i];
  return { first, starts, rows: sorted };
}

function noLists(first: number, end: number): RowLists {
  return { first, starts: new Uint32Array(end - first + 1), rows: new Uint32Array(0) };
}

/** Longer by the values behind, with their bits; null where there are none. */
function extended(
  bits: Uint32Array | null,
  valueCount: number,
  fields: readonly ChangedField[],
  isSet: (field: ChangedField, i: number) => boolean,
): Uint32Array | null {
  let longer: Uint32Array | null = null;
  const all = (): Uint32Array => {
    if (longer === null) {
      longer = new Uint32Array(wordsFor(valueCount));
      if (bits !== null) longer.set(bits.subarray(0, longer.length));
    }
    return longer;
  };
  if (bits !== null) all();
  for (const field of fields) {
    for (let i = 0; i < field.numbers.length; i++) {
      if (isSet(field, i)) setBit(all(), field.start + i);
    }
  }
  return longer;
}

function sizeOf({ starts, distances, lists }: Rows): number {
  return starts.byteLength + distances.byteLength + lists.starts.byteLength + lists.rows.byteLength;
}

function changedBytes({ numbers, ordinalOf, changedOrdinals }: ChangedField): number {
  return numbers.byteLength + ordinalOf.byteLength + changedOrdinals.byteLength;
}
