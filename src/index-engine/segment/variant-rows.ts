/** The variant rows of products (format/layout.ts, 12-14). */
import {
  emptyBits,
  hasBit,
  type Offsets,
  packOffsets,
  popcount,
  rank,
  rankedWords,
  setBit,
  writeCounts,
} from "../base/index.ts";
import { SECTION, type SectionViews, type SectionWriter } from "./format/index.ts";
import type { VariantRows } from "./model/index.ts";

export class PackedVariantRows implements VariantRows {
  readonly #views: SectionViews;
  readonly #productCount: number;
  readonly #rowCount: number;
  /** Null if product p is variant row p; undefined until first use. */
  #starts: Offsets | null | undefined;
  /** Ranked bits: the first variant rows of all products. */
  #firsts: Uint32Array | null = null;

  constructor(views: SectionViews, productCount: number, rowCount: number) {
    this.#views = views;
    this.#productCount = productCount;
    this.#rowCount = rowCount;
    if (!views.has(SECTION.variantRowStarts)) this.#starts = null;
  }

  get without(): Uint32Array {
    return this.#views.u32(SECTION.withoutVariants);
  }

  first(row: number): number {
    const starts = this.#starts === undefined ? this.#open() : this.#starts;
    return starts === null ? row : starts.at(row);
  }

  productOf(variantRow: number): number {
    const starts = this.#starts === undefined ? this.#open() : this.#starts;
    if (starts === null) return variantRow;
    const firsts = (this.#firsts ??= this.#firstsOf(starts));
    const { bits } = rankedWords(this.#rowCount);
    return rank(firsts, 0, bits, variantRow) - (hasBit(firsts, variantRow) ? 0 : 1);
  }

  productsOf(variantRows: Uint32Array): Uint32Array<ArrayBuffer> {
    const starts = this.#starts === undefined ? this.#open() : this.#starts;
    if (starts === null) return variantRows.slice();
    const products = emptyBits(this.#productCount);
    const firsts = (this.#firsts ??= this.#firstsOf(starts));
    let before = -1;
    for (let index = 0; index < variantRows.length; index++) {
      const first = firsts[index];
      let word = variantRows[index];
      while (word !== 0) {
        const lowest = word & -word;
        setBit(products, before + popcount(first & (lowest | (lowest - 1))));
        word ^= lowest;
      }
      before += popcount(first);
    }
    return products;
  }

  #open(): Offsets | null {
    this.#starts = this.#views.offsets(SECTION.variantRowStarts, this.#productCount + 1);
    return this.#starts;
  }

  #firstsOf(starts: Offsets): Uint32Array {
    const { bits, counts } = rankedWords(this.#rowCount);
    const written = this.#views.u32(SECTION.firstVariantRows);
    // Absent in segments before OFFSETS_VERSION.
    return written.length === bits + counts ? written : firstRows(starts, this.#rowCount);
  }
}

/**
 * @param starts first variant row of each product, then the number of rows
 * @param without bits of the products without variants
 */
export function writeVariantRows(
  sections: SectionWriter,
  starts: Uint32Array,
  without: Uint32Array<ArrayBuffer>,
): void {
  const rowCount = starts[starts.length - 1];
  sections.set(SECTION.variantRowStarts, packOffsets(starts));
  const first = { length: starts.length, at: (row: number) => starts[row] };
  sections.set(SECTION.firstVariantRows, firstRows(first, rowCount));
  sections.set(SECTION.withoutVariants, without);
}

function firstRows(
  starts: { readonly length: number; at(row: number): number },
  rowCount: number,
): Uint32Array<ArrayBuffer> {
  const { bits, counts } = rankedWords(rowCount);
  const words = new Uint32Array(bits + counts);
  for (let row = 0; row + 1 < starts.length; row++) setBit(words, starts.at(row));
  writeCounts(words, 0, rowCount);
  return words;
}
