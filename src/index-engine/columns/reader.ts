/** Columns over the bytes of a segment (format.ts). */
import type { NumberColumn, StringColumn } from "../model.ts";
import { SECTION } from "../segment/format.ts";
import type { SectionViews } from "../segment/sections.ts";
import { FrontCodedTable } from "../strings.ts";
import { COLUMN_RECORD, MISSING, OWN, VECTOR } from "./format.ts";

/** Product of a variant row, in segments with variants. */
type ProductOf = (variantRow: number) => number;

/**
 * Reads vectors; `missing` is what it answers for rows without value. Numbers and strings differ in the pool their values are in.
 */
export abstract class PackedColumn {
  readonly field: string;
  readonly isString: boolean;
  protected readonly views: SectionViews;
  readonly #record: number;
  readonly #ownMode: number;
  readonly #missing: number;
  readonly #productOf: ProductOf;

  constructor(views: SectionViews, field: string, record: number, productOf: ProductOf) {
    const head = views.u32(SECTION.columnTable)[record];
    this.views = views;
    this.field = field;
    this.isString = (head & 1) === 1;
    this.#record = record;
    this.#ownMode = (head >>> 1) & 3;
    this.#missing = this.isString ? -1 : NaN;
    this.#productOf = productOf;
  }

  min(row: number): number {
    return this.#at(VECTOR.min, row, this.#missing);
  }

  max(row: number): number {
    const max = this.#at(VECTOR.max, row, this.#missing);
    return max === this.#missing || Number.isNaN(max) ? this.min(row) : max;
  }

  /** Smallest value of the product itself. */
  own(row: number): number {
    switch (this.#ownMode) {
      case OWN.same:
        return this.min(row);
      case OWN.none:
        return this.#missing;
      case OWN.all:
        return this.#at(VECTOR.own, row, this.#missing);
      default:
        return this.#differentOwn(row);
    }
  }

  ofVariant(variantRow: number): number {
    const value = this.ownOfVariant(variantRow);
    if (value !== this.#missing && !Number.isNaN(value)) return value;
    return this.own(this.#productOf(variantRow));
  }

  /** Smallest value of the variant row itself. */
  ownOfVariant(variantRow: number): number {
    return this.#at(VECTOR.variant, variantRow, this.#missing);
  }

  /** Products with any value, ascending. */
  rows(): Uint32Array {
    return this.#rows(VECTOR.min);
  }

  /** Variant rows with values of their own, ascending. */
  variantRows(): Uint32Array {
    return this.#rows(VECTOR.variant);
  }

  #rows(vector: number): Uint32Array {
    const table = this.views.u32(SECTION.columnTable);
    const at = this.#record + vector;
    const count = table[at] >>> 1;
    const pool = this.views.u32(SECTION.columnIntegers);
    if ((table[at] & 1) === 0) return pool.subarray(table[at + 1], table[at + 1] + count);
    const rows = new Uint32Array(count);
    let length = 0;
    for (let row = 0; row < count; row++) {
      const value = this.#value(table[at + 2] + row);
      if (value !== this.#missing && !Number.isNaN(value)) rows[length++] = row;
    }
    return rows.subarray(0, length);
  }

  #differentOwn(row: number): number {
    const table = this.views.u32(SECTION.columnTable);
    const at = this.#record + VECTOR.own;
    const place = findRow(this.views, table[at + 1], table[at] >>> 1, row);
    if (place < 0) return this.min(row);
    return this.#value(table[at + 2] + place);
  }

  #at(vector: number, row: number, absent: number): number {
    const table = this.views.u32(SECTION.columnTable);
    const at = this.#record + vector;
    const head = table[at];
    if (head === 0) return absent;
    if ((head & 1) === 1) return this.#value(table[at + 2] + row);
    const place = findRow(this.views, table[at + 1], head >>> 1, row);
    return place < 0 ? absent : this.#value(table[at + 2] + place);
  }

  #value(place: number): number {
    if (!this.isString) return this.views.f64(SECTION.columnNumbers)[place];
    const ordinal = this.views.u32(SECTION.columnIntegers)[place];
    return ordinal === MISSING ? -1 : ordinal;
  }
}

/** Place of `row` among the `count` ascending rows at `start` of the u32 pool, or -1. */
function findRow(views: SectionViews, start: number, count: number, row: number): number {
  const pool = views.u32(SECTION.columnIntegers);
  let low = start;
  let high = start + count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (pool[middle] < row) low = middle + 1;
    else high = middle;
  }
  return low < start + count && pool[low] === row ? low - start : -1;
}

export class PackedNumberColumn extends PackedColumn implements NumberColumn {}

export class PackedStringColumn extends PackedColumn implements StringColumn {
  readonly keys: FrontCodedTable;

  constructor(views: SectionViews, field: string, record: number, productOf: ProductOf) {
    super(views, field, record, productOf);
    const table = views.u32(SECTION.columnTable);
    const part = { start: table[record + 1], size: table[record + 2] };
    this.keys = new FrontCodedTable(views, SECTION.columnKeysIndex, SECTION.columnKeysBytes, part);
  }
}

export interface OpenColumns {
  readonly numbers: ReadonlyMap<string, PackedNumberColumn>;
  readonly strings: ReadonlyMap<string, PackedStringColumn>;
}

export function openColumns(views: SectionViews, productOf: ProductOf): OpenColumns {
  const numbers = new Map<string, PackedNumberColumn>();
  const strings = new Map<string, PackedStringColumn>();
  const names = new FrontCodedTable(views, SECTION.columnNamesIndex, SECTION.columnNamesBytes);
  const table = views.u32(SECTION.columnTable);
  for (let record = 0; record < table.length; record += COLUMN_RECORD) {
    const field = names.get(table[record] >>> 3);
    if ((table[record] & 1) === 1) {
      strings.set(field, new PackedStringColumn(views, field, record, productOf));
    } else {
      numbers.set(field, new PackedNumberColumn(views, field, record, productOf));
    }
  }
  return { numbers, strings };
}
