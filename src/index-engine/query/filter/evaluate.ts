/**
 * Evaluates filters: which rows of a segment pass (invariant I1).
 *
 *   color=red & size=!L      rows  A/red/L  A/red/M  A/blue/L  B/blue/S
 *     color=red                       1        1         0         0
 *     not size=L                      0        1         0         1
 *     and                             0        1         0         0
 *                                                       -> product A passes, by its second variant
 *
 * A filter tests one variant row: its product's values together with its own. Each filter becomes a
 * bitset over variant rows. A negated filter is the complement. All filters are combined by AND,
 * and a product passes if one of its rows is left.
 *
 * If a field has no variant values in the segment, its filter gives the same result for all rows of
 * a product. Such filters stay bitsets over product rows, which are smaller and need no projection.
 */
import { LARGEST_DELTA, type LiveSegment, type Postings, type Segment } from "../../segment/model/index.ts";
import { andInto, andNotInto, emptyBits, hasBit, invert, setRange, work } from "../../base/index.ts";
import { cachedFilterBits, type FilterBits } from "./cache.ts";
import type { FilterPart, PlannedFilter } from "./resolve.ts";

/** Approximate cost of looking up a product by its id. */
export const STEPS_OF_ID = 100;

/** Up to this share of the segment's rows, rows are tested one by one. */
const TESTED_SHARE = 1 / 32;

/** A bit per row that passes; null: all pass. */
interface PassingRows {
  readonly products: Uint32Array | null;
  readonly variants: Uint32Array | null;
}

/**
 * The live rows of a segment that pass all of some filters. Bitsets are created on demand. If no
 * filter concerns variants, a few rows are instead tested one by one, by their own values.
 */
export class FilterBitset {
  readonly #live: LiveSegment;
  readonly #filters: readonly PlannedFilter[];
  #made: PassingRows | null = null;
  #tests: readonly RowTest[] | null | undefined;

  constructor(live: LiveSegment, filters: readonly PlannedFilter[]) {
    this.#live = live;
    this.#filters = filters;
  }

  /** Bit per live product row with a passing variant row. Null: every row. Shared, so it must not be changed. */
  get products(): Uint32Array | null {
    return this.#bits().products;
  }

  /** Bit per variant row that passes, also of deleted products. Null: each row of a passing product. */
  get variants(): Uint32Array | null {
    const { segment } = this.#live;
    if (!this.#filters.some((filter) => isOnVariants(segment, filter))) return null;
    return this.#bits().variants;
  }

  /** Whether this number of rows is better tested one by one. */
  isTested(rowCount: number): boolean {
    if (this.#made !== null || this.#filters.length === 0) return false;
    if (rowCount > this.#live.segment.productCount * TESTED_SHARE) return false;
    return this.#rowTests() !== null;
  }

  has(row: number): boolean {
    if (this.isTested(1)) return this.#passes(row, this.#rowTests() ?? []);
    const { products } = this.#bits();
    return products === null || hasBit(products, row);
  }

  /** The positions of the rows that pass; null if all do. */
  positions(rows: Uint32Array): readonly number[] | null {
    const passing: number[] = [];
    if (this.isTested(rows.length)) {
      const tests = this.#rowTests() ?? [];
      for (let i = 0; i < rows.length; i++) if (this.#passes(rows[i], tests)) passing.push(i);
      return passing;
    }
    const { products } = this.#bits();
    if (products === null) return null;
    for (let i = 0; i < rows.length; i++) if (hasBit(products, rows[i])) passing.push(i);
    return passing;
  }

  #passes(row: number, tests: readonly RowTest[]): boolean {
    const { deleted } = this.#live;
    if (deleted !== null && hasBit(deleted, row)) return false;
    for (let i = 0; i < tests.length; i++) if (!tests[i](row)) return false;
    return true;
  }

  #rowTests(): readonly RowTest[] | null {
    if (this.#tests === undefined) {
      const { segment } = this.#live;
      // Changed numbers are not in the values of rows, so rows cannot be tested directly.
      const isPlain = segment === segment.base && !this.#filters.some((one) => isOnVariants(segment, one));
      this.#tests = isPlain ? this.#filters.map((filter) => rowTest(segment, filter)) : null;
    }
    return this.#tests;
  }

  #bits(): PassingRows {
    return (this.#made ??= evaluateAll(this.#live, this.#filters));
  }
}

type RowTest = (row: number) => boolean;

/** Tests whether a product row has one of the values, or for a negated filter, has none. */
function rowTest(segment: Segment, filter: PlannedFilter): RowTest {
  const starts: number[] = [];
  const ends: number[] = [];
  const named = new Set<number>();
  for (const part of filter.parts) {
    if (part.by === "document") for (const row of rowsOf(segment, part.values)) named.add(row);
    forEachRange(segment, part, (start, end) => {
      starts.push(start);
      ends.push(end);
    });
  }
  let last = 0;
  for (const end of ends) last = Math.max(last, end);
  const { beforeProducts, productDeltaStarts, productDeltas } = segment.facets;
  const { negated } = filter.shown;
  const [start = 0] = starts;
  const isOneRange = starts.length <= 1;
  return (row) => {
    if (named.size > 0 && named.has(row)) return !negated;
    let ordinal = beforeProducts;
    const end = productDeltaStarts.at(row + 1);
    for (let at = productDeltaStarts.at(row); at < end; at++) {
      const delta = productDeltas[at];
      ordinal += delta === 0 ? LARGEST_DELTA : delta;
      if (ordinal >= last) break;
      if (delta === 0) continue;
      if (isOneRange) {
        if (start <= ordinal) return !negated;
        continue;
      }
      for (let i = 0; i < starts.length; i++) {
        if (starts[i] <= ordinal && ordinal < ends[i]) return !negated;
      }
    }
    return negated;
  };
}

function isOnVariants({ facets, hasVariants }: Segment, { parts }: PlannedFilter): boolean {
  return (
    hasVariants &&
    parts.some(({ field, kind, by }) => by !== "document" && facets.field(field, kind)?.onVariants === true)
  );
}

function evaluateAll(live: LiveSegment, filters: readonly PlannedFilter[]): PassingRows {
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
    const projected = segment.variantRows.productsOf(variants);
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
  // Only filters on numbers depend on changed numbers (index/doc-values/segment.ts).
  const owner = filter.parts.some(({ kind }) => kind === "number") ? segment : segment.base;
  return cachedFilterBits(owner, filter.cacheKey, () => evaluate(segment, filter));
}

function evaluate(segment: Segment, filter: PlannedFilter): FilterBits {
  const { facets } = segment;
  const onVariants = isOnVariants(segment, filter);
  const rowCount = onVariants ? segment.variantRowCount : segment.productCount;
  const bits = emptyBits(rowCount);
  for (const part of filter.parts) {
    if (part.by === "document") {
      for (const row of rowsOf(segment, part.values)) setRange(bits, row, row + 1);
    }
    forEachRange(segment, part, (start, end) => {
      for (let ordinal = start; ordinal < end; ordinal++) {
        addProducts(segment, ordinal, onVariants, bits);
        if (onVariants && facets.variantPostings !== null) addRows(facets.variantPostings, ordinal, bits);
      }
    });
  }
  if (filter.shown.negated) invert(bits, rowCount);
  return { level: onVariants ? "variant" : "product", bits };
}

function rowsOf({ ids }: Segment, documents: readonly string[]): number[] {
  work.spend(documents.length * STEPS_OF_ID);
  return documents.map((id) => ids.find(id)).filter((row) => row >= 0);
}

function addRows(postings: Postings, list: number, bits: Uint32Array): void {
  const rows = decodeRows(postings, list);
  for (let i = 0; i < decodedCount; i++) bits[rows[i] >>> 5] |= 1 << rows[i];
}

function addProducts(segment: Segment, ordinal: number, onVariants: boolean, bits: Uint32Array): void {
  const { variantRows, facets } = segment;
  if (!onVariants) return addRows(facets.productPostings, ordinal, bits);
  const rows = decodeRows(facets.productPostings, ordinal);
  for (let i = 0; i < decodedCount; i++) {
    setRange(bits, variantRows.first(rows[i]), variantRows.first(rows[i] + 1));
  }
}

/**
 * The values of a number field that pass the including filters on it: 1 for each such ordinal, from
 * the field's first one. Null if the segment lacks the field or there is no such filter.
 */
export function passedNumbers(segment: Segment, name: string, filters: readonly PlannedFilter[]): Uint8Array | null {
  const field = segment.facets.field(name, "number");
  const own = filters.filter(({ shown }) => shown.field === name && !shown.negated);
  if (field === null || own.length === 0) return null;
  let passed: Uint8Array | null = null;
  for (const { parts } of own) {
    const ofFilter = new Uint8Array(field.end - field.start);
    for (const part of parts) {
      if (part.kind !== "number") continue;
      forEachRange(segment, part, (start, end) => {
        ofFilter.fill(1, start - field.start, end - field.start);
      });
    }
    const before: Uint8Array | null = passed;
    passed = before === null ? ofFilter : ofFilter.map((value, at) => value & before[at]);
  }
  return passed;
}

/** Visits the ordinals [start, end) that a part accepts in this segment. A value named twice is visited twice. */
function forEachRange(segment: Segment, part: FilterPart, visit: (start: number, end: number) => void): void {
  if (part.by === "document") return;
  const { facets } = segment;
  const field = facets.field(part.field, part.kind);
  if (field === null) return;
  switch (part.by) {
    case "id":
      for (const id of part.values) {
        for (const ordinal of facets.withId(field, id)) visit(ordinal, ordinal + 1);
      }
      return;
    case "key":
      for (const key of part.values) {
        const group = facets.group(field, key);
        if (group !== null) visit(...group);
      }
      return;
    case "range": {
      for (const { lower, upper } of part.ranges) {
        visit(...facets.numberRange(field, lower ?? -Infinity, upper ?? Infinity));
      }
      return;
    }
  }
}

/** Shared by all decoding in this file, as long as the longest list so far. Valid until the next call. */
let decoded = new Uint32Array(1024);
let decodedCount = 0;

function decodeRows(postings: Postings, list: number): Uint32Array {
  const count = postings.count(list);
  work.spend(1 + count);
  if (count > decoded.length) decoded = new Uint32Array(Math.max(count, decoded.length * 2));
  decodedCount = count === 0 ? 0 : postings.decode(list, decoded, null);
  return decoded;
}
