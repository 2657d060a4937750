/** Columns over the bytes of a segment (format.ts). */
import { lowerBound } from "../../base/index.ts";
import type { NumberColumn, StringColumn } from "../model/index.ts";
import { SECTION, type SectionViews } from "../format/index.ts";
import { FrontCodedTable } from "../strings/index.ts";
import { COLUMN_RECORD, OWN, VECTOR } from "./format.ts";
import { PackedKeys } from "./keys.ts";
import { PackedVector } from "./vector.ts";
import { PackedWords } from "./words.ts";

interface RowsOfColumns {
  readonly products: number;
  readonly variantRows: number;
  readonly productOf: (variantRow: number) => number;
}

/** Values of a field by product and by variant row. Rows without a value have NaN (numbers) or -1 (strings). */
export class PackedColumn implements NumberColumn {
  readonly field: string;
  readonly isString: boolean;
  readonly #ownMode: number;
  readonly #missing: number;
  readonly #productOf: RowsOfColumns["productOf"];
  readonly #min: PackedVector;
  readonly #max: PackedVector;
  readonly #own: PackedVector;
  readonly #variant: PackedVector;

  constructor(views: SectionViews, field: string, record: number, rows: RowsOfColumns) {
    const head = views.u32(SECTION.columnTable)[record];
    this.field = field;
    this.isString = (head & 1) === 1;
    this.#ownMode = (head >>> 1) & 3;
    this.#missing = this.isString ? -1 : NaN;
    this.#productOf = rows.productOf;
    const vector = (offset: number, rowCount: number): PackedVector =>
      new PackedVector(views, record + offset, this.#missing, rowCount);
    this.#min = vector(VECTOR.min, rows.products);
    this.#max = vector(VECTOR.max, rows.products);
    this.#own = vector(VECTOR.own, rows.products);
    this.#variant = vector(VECTOR.variant, rows.variantRows);
  }

  /** Upper bound of the number of values of products and variant rows. */
  get mostValues(): number {
    return this.#min.mostValues + this.#variant.mostValues;
  }

  min(row: number): number {
    return this.#min.at(row);
  }

  max(row: number): number {
    const max = this.#max.at(row);
    return this.#isMissing(max) ? this.#min.at(row) : max;
  }

  readMin(rows: Uint32Array, values: Float64Array): void {
    this.#min.read(rows, values);
  }

  readMax(rows: Uint32Array, values: Float64Array): void {
    this.#min.read(rows, values);
    // Few products have another largest value.
    const others = this.#max.rows();
    let at = 0;
    for (let i = 0; i < others.length && at < rows.length; i++) {
      at = lowerBound(rows, at, rows.length, others[i]);
      if (rows[at] === others[i]) values[at] = this.#max.at(others[i]);
    }
  }

  /** The product's own smallest value. */
  own(row: number): number {
    switch (this.#ownMode) {
      case OWN.same:
        return this.#min.at(row);
      case OWN.none:
        return this.#missing;
      case OWN.all:
        return this.#own.at(row);
      default: {
        const place = this.#own.placeOf(row);
        return place < 0 ? this.#min.at(row) : this.#own.valueAt(place);
      }
    }
  }

  ofVariant(variantRow: number): number {
    const value = this.#variant.at(variantRow);
    return this.#isMissing(value) ? this.own(this.#productOf(variantRow)) : value;
  }

  /** The variant row's own smallest value. */
  ownOfVariant(variantRow: number): number {
    return this.#variant.at(variantRow);
  }

  /** Products with any value, ascending. */
  rows(): Uint32Array {
    return this.#min.rows();
  }

  /** Variant rows with values of their own, ascending. */
  variantRows(): Uint32Array {
    return this.#variant.rows();
  }

  #isMissing(value: number): boolean {
    // NaN is the one number that differs from itself.
    return value === this.#missing || value !== value;
  }
}

export class PackedStringColumn extends PackedColumn implements StringColumn {
  readonly keys: PackedKeys;

  constructor(views: SectionViews, field: string, record: number, rows: RowsOfColumns) {
    super(views, field, record, rows);
    const table = views.u32(SECTION.columnTable);
    const part = { start: table[record + 1], size: table[record + 2] };
    const { columnKeysIndex, columnKeysBytes } = SECTION;
    const texts = new FrontCodedTable(views, columnKeysIndex, columnKeysBytes, part);
    const words = table[record + 3];
    this.keys = new PackedKeys(
      texts,
      words === 0 ? null : new PackedWords(views, words - 1, part.start),
      views.language,
    );
  }
}

export interface OpenColumns {
  readonly numbers: ReadonlyMap<string, PackedColumn>;
  readonly strings: ReadonlyMap<string, PackedStringColumn>;
}

export function openColumns(views: SectionViews, rows: RowsOfColumns): OpenColumns {
  const numbers = new Map<string, PackedColumn>();
  const strings = new Map<string, PackedStringColumn>();
  const names = new FrontCodedTable(views, SECTION.columnNamesIndex, SECTION.columnNamesBytes);
  const table = views.u32(SECTION.columnTable);
  for (let record = 0; record < table.length; record += COLUMN_RECORD) {
    const field = names.get(table[record] >>> 3);
    if ((table[record] & 1) === 1) strings.set(field, new PackedStringColumn(views, field, record, rows));
    else numbers.set(field, new PackedColumn(views, field, record, rows));
  }
  return { numbers, strings };
}
