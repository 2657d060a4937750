/**
 * Filters -> which rows of a segment pass (invariant I1).
 *
 * A filter is a test on one variant row: its product's values and its own together. So each filter becomes a bitset over variant
 * rows, negation is its complement there, all filters are ANDed there, and a product passes when one of its rows is left:
 *
 *   color=red & size=!L      rows  A/red/L  A/red/M  A/blue/L  B/blue/S
 *     color=red                       1        1         0         0
 *     not size=L                      0        1         0         1
 *     and                             0        1         0         0      -> product A passes, by its second variant
 *
 * A field without variant values in the segment says the same for all rows of a product; such filters stay bitsets over product
 * rows, which are smaller and need no projection.
 */
import type { LiveSegment, Postings, Segment } from "../model.ts";
import { andInto, andNotInto, emptyBits, invert, setRange } from "../bits.ts";
import { cachedFilterBits, type FilterBits } from "./cache.ts";
import type { FilterPart, PlannedFilter } from "./resolve.ts";

/** What is left of a segment. */
export interface PassingRows {
  /** Bit per product row: live, and some variant row passes. Null: every row. */
  readonly products: Uint32Array | null;
  /** Bit per variant row that passes the filters (of deleted products too); null: each row of a passing product. */
  readonly variants: Uint32Array | null;
}

/** The live rows that pass all `filters`. */
export function passingRows(live: LiveSegment, filters: readonly PlannedFilter[]): PassingRows {
  const { segment } = live;
  let products: Uint32Array | null = null;
  let variants: Uint32Array | null = null;
  for (const filter of filters) {
    const { level, bits } = filterBits(segment, filter);
    if (level === "product") {
      if (products === null) products = bits.slice();
      else andInto(products, bits);
    } else {
      if (variants === null) variants = bits.slice();
      else andInto(variants, bits);
    }
  }
  if (variants !== null) {
    const projected = productsOfVariants(segment, variants);
    if (products === null) products = projected;
    else andInto(products, projected);
  }
  if (live.deleted !== null && live.deletedCount > 0) {
    if (products === null) {
      products = live.deleted.slice();
      invert(products, segment.productCount);
    } else andNotInto(products, live.deleted);
  }
  return { products, variants };
}

function filterBits(segment: Segment, filter: PlannedFilter): FilterBits {
  // Only what asks for numbers changes with them (overlay/segment.ts).
  const owner = filter.parts.some(({ kind }) => kind === "number") ? segment : segment.base;
  return cachedFilterBits(owner, filter.cacheKey, () => evaluate(segment, filter));
}

function evaluate(segment: Segment, filter: PlannedFilter): FilterBits {
  const { facets } = segment;
  const onVariants =
    segment.hasVariants &&
    filter.parts.some((part) => facets.field(part.field, part.kind)?.onVariants === true);
  const rowCount = onVariants ? segment.variantRowCount : segment.productCount;
  const bits = emptyBits(rowCount);
  for (const part of filter.parts) {
    forEachValue(segment, part, (ordinal) => {
      addProducts(segment, ordinal, onVariants, bits);
      if (onVariants && facets.variantPostings !== null) {
        const rows = decodeRows(facets.variantPostings, ordinal);
        for (let i = 0; i < decodedCount; i++) bits[rows[i] >>> 5] |= 1 << rows[i];
      }
    });
  }
  if (filter.shown.negated) invert(bits, rowCount);
  return { level: onVariants ? "variant" : "product", bits };
}

function addProducts(
  segment: Segment,
  ordinal: number,
  onVariants: boolean,
  bits: Uint32Array,
): void {
  const rows = decodeRows(segment.facets.productPostings, ordinal);
  if (!onVariants) {
    for (let i = 0; i < decodedCount; i++) bits[rows[i] >>> 5] |= 1 << rows[i];
    return;
  }
  const starts = segment.variantRowStarts;
  for (let i = 0; i < decodedCount; i++) setRange(bits, starts[rows[i]], starts[rows[i] + 1]);
}

/** Value ordinals that a part accepts in this segment; each once per value named, so a repeated value repeats harmlessly. */
function forEachValue(segment: Segment, part: FilterPart, visit: (ordinal: number) => void): void {
  const { facets } = segment;
  const field = facets.field(part.field, part.kind);
  if (field === null) return;
  switch (part.by) {
    case "id":
      for (const id of part.values) {
        for (const ordinal of facets.withId(field, id)) visit(ordinal);
      }
      return;
    case "key":
      for (const key of part.values) {
        const group = facets.group(field, key);
        if (group === null) continue;
        for (let ordinal = group[0]; ordinal < group[1]; ordinal++) visit(ordinal);
      }
      return;
    case "range": {
      for (const { lower, upper } of part.ranges) {
        const [start, end] = facets.numberRange(field, lower ?? -Infinity, upper ?? Infinity);
        for (let ordinal = start; ordinal < end; ordinal++) visit(ordinal);
      }
      return;
    }
  }
}

/** Shared by all decoding of this file; holds the longest list seen (4 bytes per row). Valid until the next call. */
let decoded = new Uint32Array(1024);
let decodedCount = 0;

function decodeRows(postings: Postings, list: number): Uint32Array {
  const count = postings.count(list);
  if (count > decoded.length) decoded = new Uint32Array(Math.max(count, decoded.length * 2));
  decodedCount = count === 0 ? 0 : postings.decode(list, decoded, null);
  return decoded;
}

function productsOfVariants(segment: Segment, variants: Uint32Array): Uint32Array {
  const products = emptyBits(segment.productCount);
  const productOf = segment.productOfVariantRow;
  for (let index = 0; index < variants.length; index++) {
    let word = variants[index];
    while (word !== 0) {
      const lowest = word & -word;
      const product = productOf[(index << 5) + 31 - Math.clz32(lowest)];
      products[product >>> 5] |= 1 << product;
      word ^= lowest;
    }
  }
  return products;
}
