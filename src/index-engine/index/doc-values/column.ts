/** A number column with changed own numbers of some products (segment.ts). */
import { lowerBound } from "../../base/index.ts";
import { type NumberColumn, type Segment, placeOf, type FieldNumbers } from "../../segment/model/index.ts";

export class OverlaidColumn implements NumberColumn {
  readonly field: string;
  readonly #column: NumberColumn;
  readonly #productOf: (variantRow: number) => number;
  readonly #numbers: FieldNumbers;
  /** Smallest and largest value of each changed row; the numbers themselves if no product has variants. */
  readonly #min: Float64Array;
  readonly #max: Float64Array;

  constructor(base: Segment, column: NumberColumn, numbers: FieldNumbers) {
    this.field = column.field;
    this.#column = column;
    this.#numbers = numbers;
    this.#productOf = (row) => base.variantRows.productOf(row);
    const { rows, values } = numbers;
    if (!base.hasVariants) {
      this.#min = values;
      this.#max = values;
      return;
    }
    this.#min = values.slice();
    this.#max = values.slice();
    const { variantRows } = base;
    for (let i = 0; i < rows.length; i++) {
      const end = variantRows.first(rows[i] + 1);
      for (let variant = variantRows.first(rows[i]); variant < end; variant++) {
        const own = column.ownOfVariant(variant);
        if (own < this.#min[i]) this.#min[i] = own;
        if (own > this.#max[i]) this.#max[i] = own;
      }
    }
  }

  min(row: number): number {
    const place = placeOf(this.#numbers.rows, row);
    return place < 0 ? this.#column.min(row) : this.#min[place];
  }

  max(row: number): number {
    const place = placeOf(this.#numbers.rows, row);
    return place < 0 ? this.#column.max(row) : this.#max[place];
  }

  readMin(rows: Uint32Array, values: Float64Array): void {
    this.#column.readMin(rows, values);
    replace(rows, values, this.#numbers.rows, this.#min);
  }

  readMax(rows: Uint32Array, values: Float64Array): void {
    this.#column.readMax(rows, values);
    replace(rows, values, this.#numbers.rows, this.#max);
  }

  ofVariant(variantRow: number): number {
    const own = this.#column.ownOfVariant(variantRow);
    if (!Number.isNaN(own)) return own;
    const place = placeOf(this.#numbers.rows, this.#productOf(variantRow));
    return place < 0 ? this.#column.ofVariant(variantRow) : this.#numbers.values[place];
  }

  ownOfVariant(variantRow: number): number {
    return this.#column.ownOfVariant(variantRow);
  }
}

/** Replaces the values of changed rows. Both lists of rows ascend; the shorter is looked up in the longer. */
function replace(rows: Uint32Array, values: Float64Array, changed: Uint32Array, numbers: Float64Array): void {
  let at = 0;
  if (changed.length < rows.length) {
    for (let i = 0; i < changed.length && at < rows.length; i++) {
      at = lowerBound(rows, at, rows.length, changed[i]);
      if (rows[at] === changed[i]) values[at] = numbers[i];
    }
    return;
  }
  for (let i = 0; i < rows.length && at < changed.length; i++) {
    at = lowerBound(changed, at, changed.length, rows[i]);
    if (changed[at] === rows[i]) values[i] = numbers[at];
  }
}
