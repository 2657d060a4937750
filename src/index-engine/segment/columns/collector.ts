/** Collects the values of one column by row of the new segment, in any order. Its arrays serve all columns in turn. */
import { emptyBits, hasBit, rowsOf, setBit } from "../../base/index.ts";
import type { ByteStrings } from "../strings/index.ts";
import { type ColumnSource, pickF64 } from "./writer.ts";

export class ColumnCollector {
  readonly #rows: Uint32Array<ArrayBuffer>;
  readonly #variantRows: Uint32Array<ArrayBuffer>;
  // Of rows whose bit is set.
  readonly #min: Float64Array;
  readonly #max: Float64Array;
  readonly #own: Float64Array;
  readonly #variant: Float64Array;

  constructor(productCount: number, variantRowCount: number) {
    this.#rows = emptyBits(productCount);
    this.#variantRows = emptyBits(variantRowCount);
    this.#min = new Float64Array(productCount);
    this.#max = new Float64Array(productCount);
    this.#own = new Float64Array(productCount);
    this.#variant = new Float64Array(variantRowCount);
  }

  /** Values of a product with their smallest and largest; `own`: the smallest that is not a variant's, or NaN. */
  add(row: number, min: number, max: number, own: number): void {
    if (!hasBit(this.#rows, row)) {
      setBit(this.#rows, row);
      this.#min[row] = min;
      this.#max[row] = max;
      this.#own[row] = own;
      return;
    }
    if (min < this.#min[row]) this.#min[row] = min;
    if (max > this.#max[row]) this.#max[row] = max;
    if (own < this.#own[row] || Number.isNaN(this.#own[row])) this.#own[row] = own;
  }

  /** A variant row's own value; its product gets it, too, by `add`. */
  addOfVariant(row: number, value: number): void {
    if (hasBit(this.#variantRows, row) && this.#variant[row] <= value) return;
    setBit(this.#variantRows, row);
    this.#variant[row] = value;
  }

  /** The column collected so far; the next one may then begin. In steps. */
  *take(field: string, keys: ByteStrings | null): Generator<void, ColumnSource, void> {
    const rows = rowsOf(this.#rows);
    const variantRows = rowsOf(this.#variantRows);
    this.#rows.fill(0);
    this.#variantRows.fill(0);
    yield;
    const min = pickF64(this.#min, rows);
    const max = pickF64(this.#max, rows);
    const own = pickF64(this.#own, rows);
    yield;
    return { field, keys, rows, min, max, own, variantRows, variantValues: pickF64(this.#variant, variantRows) };
  }
}
