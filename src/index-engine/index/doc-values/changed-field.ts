/**
 * The values of a number field of a segment with changed rows (segment.ts). Each state is derived from the previous
 * one, the first from the unchanged base: differing rows move from their value to another, unused values are dropped,
 * new ones are inserted, and all others are only renumbered.
 *
 *   before    5 7 9 20     rows r1: 7, r2: 9, r3: 9
 *   r1 = 8    5 8 9 20     7 has no rows left; places  5: 0 -> 0, 9: 2 -> 2, 20: 3 -> 3
 *
 * So changing a few rows costs two passes over values and changed rows, without sorting.
 */
import { countBelow, hasBit, sumOfBytes } from "../../base/index.ts";
import type { FacetData, FacetField, FieldNumbers } from "../../segment/model/index.ts";
import type { StrippedRows } from "./stripped.ts";

/** The value at place p has ordinal `start + p`. */
export interface ChangedField extends FacetField {
  /** Its range in the base. */
  readonly baseStart: number;
  readonly baseEnd: number;
  /** Ascending. */
  readonly numbers: Float64Array;
  /** Null: no value has an id. */
  readonly ids: readonly (string | null)[] | null;
  /** 1: filter-only. */
  readonly hidden: Uint8Array;
  /** Number of products with the value itself. */
  readonly products: Uint32Array;
  /** 1: some variant has the value itself. */
  readonly ofVariants: Uint8Array;
  /** Ordinal in the base minus `baseStart` -> place; -1: no rows left. */
  readonly placeOf: Int32Array;
  readonly changed: FieldNumbers;
  /** Places of the changed rows' numbers. */
  readonly changedPlaces: Uint32Array;
}

const NOTHING: FieldNumbers = { rows: new Uint32Array(0), values: new Float64Array(0) };

/** The field of the base. */
export function unchangedField(base: FacetData, field: FacetField): ChangedField {
  const { start, end } = field;
  const size = end - start;
  const ordinals = Array.from({ length: size }, (_, i) => start + i);
  const { filterOnly, productPostings, variantPostings } = base;
  const ids = ordinals.map((ordinal) => base.id(ordinal));
  return {
    ...field,
    baseStart: start,
    baseEnd: end,
    numbers: Float64Array.from(ordinals, (ordinal) => base.number(ordinal)),
    ids: ids.some((id) => id !== null) ? ids : null,
    hidden: Uint8Array.from(ordinals, (ordinal) => (filterOnly !== null && hasBit(filterOnly, ordinal) ? 1 : 0)),
    products: Uint32Array.from(ordinals, (ordinal) => productPostings.count(ordinal)),
    ofVariants: Uint8Array.from(ordinals, (ordinal) => ((variantPostings?.count(ordinal) ?? 0) > 0 ? 1 : 0)),
    placeOf: Int32Array.from(ordinals, (_, i) => i),
    changed: NOTHING,
    changedPlaces: new Uint32Array(0),
  };
}

/**
 * The field with these changed numbers: those of `before.changed`, some of them different, and additional ones.
 * @param start ordinal of its first value
 * @param own values of rows in the base
 */
export function changeField(
  before: ChangedField,
  changed: FieldNumbers,
  own: StrippedRows,
  start: number,
): ChangedField {
  const products = before.products.slice();
  const count = changed.rows.length;
  /**
   * Indexes in `changed` of differing rows. For the other rows, their index in `before.changed`; -1 for differing ones.
   */
  const differing: number[] = [];
  const beforePlaces = new Int32Array(count);
  /** For differing rows: whether the replaced value was hidden. The new one inherits that. */
  const hiddenOf: number[] = [];
  let at = 0;
  for (let i = 0; i < count; i++) {
    const row = changed.rows[i];
    while (at < before.changed.rows.length && before.changed.rows[at] < row) at++;
    const isKnown = before.changed.rows[at] === row;
    if (isKnown && before.changed.values[at] === changed.values[i]) {
      beforePlaces[i] = at;
      continue;
    }
    beforePlaces[i] = -1;
    differing.push(i);
    const left = isKnown ? before.changedPlaces[at] : ownPlace(before, own, row);
    hiddenOf.push(left < 0 ? 0 : before.hidden[left]);
    if (left >= 0) products[left]--;
  }
  const sorted = sortedValues(
    Float64Array.from(differing, (i) => changed.values[i]),
    hiddenOf.includes(1) ? Uint8Array.from(hiddenOf) : null,
  );

  const most = before.numbers.length + sorted.values.length;
  const numbers = new Float64Array(most);
  const hidden = new Uint8Array(most);
  const productsNow = new Uint32Array(most);
  const ofVariants = new Uint8Array(most);
  const ids: (string | null)[] | null = before.ids === null ? null : [];
  /** Place in `before` -> place. */
  const moved = new Int32Array(before.numbers.length).fill(-1);
  let size = 0;
  let next = 0;
  const join = (until: number): void => {
    for (; next < sorted.values.length; next++) {
      const number = sorted.values[next];
      const isHidden = sorted.hidden === null ? 0 : sorted.hidden[next];
      if (until < before.numbers.length && !isBefore(number, isHidden, before, until)) return;
      const last = size - 1;
      const isKnown =
        size > 0 && numbers[last] === number && hidden[last] === isHidden && (ids === null || ids[last] === null);
      if (isKnown) continue;
      numbers[size] = number;
      hidden[size++] = isHidden;
      ids?.push(null);
    }
  };
  for (let place = 0; place < before.numbers.length; place++) {
    if (products[place] === 0 && before.ofVariants[place] === 0) continue;
    join(place);
    numbers[size] = before.numbers[place];
    hidden[size] = before.hidden[place];
    productsNow[size] = products[place];
    ofVariants[size] = before.ofVariants[place];
    ids?.push(before.ids === null ? null : before.ids[place]);
    moved[place] = size++;
  }
  join(before.numbers.length);

  const found = numbers.slice(0, size);
  const changedPlaces = new Uint32Array(count);
  for (let i = 0, d = 0; i < count; i++) {
    if (beforePlaces[i] >= 0) {
      changedPlaces[i] = moved[before.changedPlaces[beforePlaces[i]]];
      continue;
    }
    // Among values of the same number, those without an id come first, and of these the facetable one.
    let place = countBelow(found, changed.values[i], false);
    if (hiddenOf[d++] === 1 && hidden[place] === 0) place++;
    changedPlaces[i] = place;
    productsNow[place]++;
  }
  return {
    // A changed number is its product's only own value (segment.ts), before and after: `single` stays.
    ...before,
    onProducts: true,
    start,
    end: start + size,
    numbers: found,
    ids: ids !== null && ids.some((id) => id !== null) ? ids : null,
    hidden: hidden.slice(0, size),
    products: productsNow.slice(0, size),
    ofVariants: ofVariants.slice(0, size),
    placeOf: before.placeOf.map((place) => (place < 0 ? -1 : moved[place])),
    changed,
    changedPlaces,
  };
}

/** Place of the row's value in the base, or -1. */
function ownPlace(
  { baseStart, baseEnd, placeOf }: ChangedField,
  { ownStarts, own }: StrippedRows,
  row: number,
): number {
  const end = ownStarts.at(row + 1);
  for (let at = ownStarts.at(row); at < end; at++) {
    if (own[at] >= baseStart && own[at] < baseEnd) return placeOf[own[at] - baseStart];
  }
  return -1;
}

/**
 * The order of values of one number (segment/facet-values/values.ts): without id first, then by id; facetable ones
 * first. A new value has no id.
 */
function isBefore(number: number, isHidden: number, other: ChangedField, place: number): boolean {
  const otherNumber = other.numbers[place];
  if (number !== otherNumber) return number < otherNumber;
  const hasId = other.ids !== null && other.ids[place] !== null;
  return hasId || (isHidden === 0 && other.hidden[place] === 1);
}

/** Ascending; facetable ones before equal filter-only ones. */
function sortedValues(
  values: Float64Array,
  hidden: Uint8Array | null,
): { readonly values: Float64Array; readonly hidden: Uint8Array | null } {
  if (hidden === null) return { values: values.slice().sort(), hidden: null };
  const places = Uint32Array.from(values, (_, i) => i);
  places.sort((a, b) => values[a] - values[b] || hidden[a] - hidden[b]);
  return {
    values: Float64Array.from(places, (place) => values[place]),
    hidden: Uint8Array.from(places, (place) => hidden[place]),
  };
}

export function changedBytes(field: ChangedField): number {
  const { numbers, hidden, products, ofVariants, placeOf, changedPlaces } = field;
  return sumOfBytes(numbers, hidden, products, ofVariants, placeOf, changedPlaces);
}
