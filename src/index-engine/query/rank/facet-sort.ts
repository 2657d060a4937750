/**
 * Sorting by facet values, for fields without a column (usage Facet without Sort, attributes), docs/behaviour.md 3.9.
 *
 *   token = field | field "." value | field ".id." id
 *
 *   brand           by all values of the product: ascending by the smallest, descending by the largest, like columns
 *   brand.Puma      only by the entry Puma: products with it come first in either direction, all
 *                   others count as missing
 *   campaign.id.1   only by values with this id; numbers rank as numbers
 *
 * Names and values may have dots: the longest field with values in the index is used (`size.10.5` is 10.5 of `size`,
 * unless there is a field `size.10`). Values are compared as in filters: terms ignore case, paths and ids are exact.
 * Filter-only values are ignored.
 *
 * Within a segment, every value is a number. For a text it is the rank among the field's texts in the order of their
 * sort keys, which is computed once per segment and cached (4 bytes per value). Many rows are read by the postings of
 * the field's values, single rows by their own values.
 */
import { getOrInsert, hasBit, compareCodePoints, type Offsets } from "../../base/index.ts";
import { sortKey } from "../../analysis/index.ts";
import { LARGEST_DELTA, type FacetField, type FacetKind, type Segment } from "../../segment/model/index.ts";
import { readNumber } from "../filter/index.ts";

/** Which values of a field are used. */
type FacetSortOnly =
  /** A key (see FacetField). */
  { readonly by: "key"; readonly key: string | number } | { readonly by: "id"; readonly id: string };

/** A criterion without a column. Plain data. */
export interface FacetSort {
  readonly field: string;
  readonly kind: FacetKind;
  readonly only: FacetSortOnly | null;
  /** Language of sort keys. */
  readonly language: string;
}

const ID_PREFIX = "id.";

/** Possible meanings of a token, longest field first; `value` null: all values of the field. */
export function readFacetSort(token: string): { readonly field: string; readonly value: string | null }[] {
  const readings: { readonly field: string; readonly value: string | null }[] = [{ field: token, value: null }];
  for (let dot = token.lastIndexOf("."); dot > 0; dot = token.lastIndexOf(".", dot - 1)) {
    const value = token.slice(dot + 1);
    if (value !== "") readings.push({ field: token.slice(0, dot), value });
  }
  return readings;
}

/** Null: `value` is invalid for this kind. */
export function facetSort(field: string, kind: FacetKind, value: string | null, language: string): FacetSort | null {
  if (value === null) return { field, kind, only: null, language };
  if (value.startsWith(ID_PREFIX) && value !== ID_PREFIX) {
    return { field, kind, only: { by: "id", id: value.slice(ID_PREFIX.length) }, language };
  }
  const key = keyOf(value, kind);
  return key === null ? null : { field, kind, only: { by: "key", key }, language };
}

function keyOf(value: string, kind: FacetKind): string | number | null {
  switch (kind) {
    case "number":
      return readNumber(value);
    case "term":
      return value.trim().toLowerCase();
    case "path":
      return value;
  }
}

/** The values of one segment used by a criterion, as numbers in sort order. NaN means no value. */
export class FacetSortValues {
  readonly #segment: Segment;
  readonly #sort: FacetSort;
  readonly #field: FacetField | null;
  /** Accepted ordinals: [start, end), or only those in `ids`. */
  readonly #start: number;
  readonly #end: number;
  readonly #ids: ReadonlySet<number> | null;
  #ranks: TextRanks | null = null;

  constructor(segment: Segment, sort: FacetSort) {
    const { facets } = segment;
    const field = facets.field(sort.field, sort.kind);
    this.#segment = segment;
    this.#sort = sort;
    this.#field = field;
    const { only } = sort;
    let range: readonly [number, number] | null = field === null ? null : [field.start, field.end];
    let ids: ReadonlySet<number> | null = null;
    if (field !== null && only?.by === "key") range = facets.group(field, only.key);
    if (field !== null && only?.by === "id") ids = new Set(facets.withId(field, only.id));
    [this.#start, this.#end] = range ?? [0, 0];
    this.#ids = ids;
  }

  /** The smallest (or largest) value of every product row of the segment. */
  extremes(isLargest: boolean): Float64Array {
    const { facets, productCount, variantRows } = this.#segment;
    const values = new Float64Array(productCount).fill(NaN);
    const rows = new Uint32Array(this.#longestList());
    const note = (row: number, value: number): void => {
      const known = values[row];
      // Written this way because comparisons with NaN are false.
      if (isLargest ? !(known >= value) : !(known <= value)) values[row] = value;
    };
    for (const ordinal of this.#ordinals()) {
      const value = this.#value(ordinal);
      const onProducts = facets.productPostings.decode(ordinal, rows, null);
      for (let i = 0; i < onProducts; i++) note(rows[i], value);
      if (facets.variantPostings === null) continue;
      const onVariants = facets.variantPostings.decode(ordinal, rows, null);
      for (let i = 0; i < onVariants; i++) {
        note(variantRows.productOf(rows[i]), value);
      }
    }
    return values;
  }

  /** The smallest (or largest) value of a product and its variants. */
  ofProduct(row: number, isLargest: boolean): number {
    const { variantRows } = this.#segment;
    let best = this.#ofProductRow(row, isLargest);
    const last = variantRows.first(row + 1);
    for (let variantRow = variantRows.first(row); variantRow < last; variantRow++) {
      const own = this.#ofVariantRow(variantRow, isLargest);
      if (isLargest ? own > best : own < best) best = own;
      else if (Number.isNaN(best)) best = own;
    }
    return best;
  }

  /** A variant's smallest own value, else its product's. */
  ofVariant(variantRow: number): number {
    const own = this.#ofVariantRow(variantRow, false);
    if (!Number.isNaN(own)) return own;
    const { variantRows } = this.#segment;
    const row = variantRows.productOf(variantRow);
    return this.#ofProductRow(row, false);
  }

  /** The text of `value`; not for numbers. */
  text(value: number): string {
    const { only } = this.#sort;
    if (only?.by === "key") return String(only.key);
    return this.#segment.facets.text(this.#textRanks().ordinals[value]);
  }

  /** The position of a text among the values: that of an equal value, or between its neighbours. */
  place(key: string): number {
    const { only, language } = this.#sort;
    if (only?.by === "key") {
      const order = compareCodePoints(key, sortKey(String(only.key), language));
      return order / 2;
    }
    const { ordinals } = this.#textRanks();
    let low = 0;
    let high = ordinals.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = compareCodePoints(this.#keyOf(ordinals[middle]), key);
      if (order === 0) return middle;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return low - 0.5;
  }

  #keyOf(ordinal: number): string {
    return sortKey(this.#segment.facets.text(ordinal), this.#sort.language);
  }

  #value(ordinal: number): number {
    const { kind, only } = this.#sort;
    if (kind === "number") return this.#segment.facets.number(ordinal);
    // All spellings of the key belong to one entry.
    if (only?.by === "key") return 0;
    return this.#textRanks().ranks[ordinal - (this.#field?.start ?? 0)];
  }

  #textRanks(): TextRanks {
    if (this.#ranks !== null) return this.#ranks;
    const { language, field } = this.#sort;
    this.#ranks =
      this.#field === null
        ? NO_RANKS
        : textRanks(this.#segment, this.#field, `${language}\n${field}\n${this.#field.kind}`, (ordinal) =>
            this.#keyOf(ordinal),
          );
    return this.#ranks;
  }

  #accepts(ordinal: number): boolean {
    if (ordinal < this.#start || ordinal >= this.#end) return false;
    if (this.#ids !== null && !this.#ids.has(ordinal)) return false;
    const { filterOnly } = this.#segment.facets;
    return filterOnly === null || !hasBit(filterOnly, ordinal);
  }

  *#ordinals(): Generator<number> {
    for (let ordinal = this.#start; ordinal < this.#end; ordinal++) {
      if (this.#accepts(ordinal)) yield ordinal;
    }
  }

  #longestList(): number {
    const { productPostings, variantPostings } = this.#segment.facets;
    let longest = 0;
    for (const ordinal of this.#ordinals()) {
      longest = Math.max(longest, productPostings.count(ordinal), variantPostings?.count(ordinal) ?? 0);
    }
    return longest;
  }

  #ofVariantRow(variantRow: number, isLargest: boolean): number {
    const { variantDeltaStarts: starts, variantDeltas: deltas } = this.#segment.facets;
    if (starts === null || deltas === null) return NaN;
    return this.#ofRow(starts, deltas, -1, variantRow, isLargest);
  }

  #ofProductRow(row: number, isLargest: boolean): number {
    const { productDeltaStarts, productDeltas, beforeProducts } = this.#segment.facets;
    return this.#ofRow(productDeltaStarts, productDeltas, beforeProducts, row, isLargest);
  }

  #ofRow(starts: Offsets, deltas: Uint16Array, beforeFirst: number, row: number, isLargest: boolean): number {
    let best = NaN;
    let ordinal = beforeFirst;
    const end = starts.at(row + 1);
    for (let at = starts.at(row); at < end; at++) {
      ordinal += deltas[at] === 0 ? LARGEST_DELTA : deltas[at];
      if (ordinal >= this.#end) break;
      if (deltas[at] === 0 || !this.#accepts(ordinal)) continue;
      const value = this.#value(ordinal);
      if (isLargest ? !(best >= value) : !(best <= value)) best = value;
    }
    return best;
  }
}

// ---- Ranks of texts

interface TextRanks {
  /** Rank of each ordinal of the field. Equal texts (with different ids) have equal ranks. */
  readonly ranks: Uint32Array;
  /** Rank -> one of its ordinals. */
  readonly ordinals: Uint32Array;
}

const NO_RANKS: TextRanks = { ranks: new Uint32Array(0), ordinals: new Uint32Array(0) };

/** Fields per segment with cached ranks: shops sort by few fields. */
const CACHED_FIELDS = 4;

/** Keyed by the base segment: changed numbers change neither texts nor their ordinals. */
const cache = new WeakMap<Segment, Map<string, TextRanks>>();

function textRanks(segment: Segment, field: FacetField, name: string, keyOf: (ordinal: number) => string): TextRanks {
  const known = getOrInsert(cache, segment.base, () => new Map<string, TextRanks>());
  const ranks = getOrInsert(known, name, () => makeRanks(field, keyOf));
  const [oldest] = known.keys();
  if (known.size > CACHED_FIELDS && oldest !== undefined) known.delete(oldest);
  return ranks;
}

function makeRanks({ start, end }: FacetField, keyOf: (ordinal: number) => string): TextRanks {
  const entries = Array.from({ length: end - start }, (_, i) => ({
    ordinal: start + i,
    key: keyOf(start + i),
  }));
  entries.sort((a, b) => compareCodePoints(a.key, b.key));
  const ranks = new Uint32Array(entries.length);
  const ordinals: number[] = [];
  entries.forEach(({ ordinal, key }, i) => {
    if (i === 0 || entries[i - 1]?.key !== key) ordinals.push(ordinal);
    ranks[ordinal - start] = ordinals.length - 1;
  });
  return { ranks, ordinals: Uint32Array.from(ordinals) };
}
