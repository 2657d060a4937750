/**
 * The values of all products as typed arrays: for engines that neither filter nor count facets themselves.
 * This is about the best that JavaScript does, so it flatters them.
 */
import type { SyntheticCorpus } from "../synthetic/corpus.ts";
import { PRICE_STEP_CENTS, type Filter } from "../synthetic/queries.ts";
import { sumOfSquares } from "./core-engine.ts";

export interface FacetCounts {
  readonly brands: Uint32Array;
  readonly leaves: Uint32Array;
  readonly colours: Uint32Array;
  readonly sizes: Uint32Array;
  readonly prices: Uint32Array;
}

const PRICE_STEPS = 64;

export class Columns {
  readonly #brand: Uint16Array;
  readonly #leaf: Uint16Array;
  readonly #cents: Uint32Array;
  readonly #step: Uint8Array;
  /** A bit for each colour and size that a product or one of its variants has. */
  readonly #colours: Uint32Array;
  readonly #sizes: Uint32Array;
  readonly #corpus: SyntheticCorpus;

  constructor(corpus: SyntheticCorpus) {
    const { size } = corpus;
    this.#corpus = corpus;
    this.#brand = new Uint16Array(size);
    this.#leaf = new Uint16Array(size);
    this.#cents = new Uint32Array(size);
    this.#step = new Uint8Array(size);
    this.#colours = new Uint32Array(size);
    this.#sizes = new Uint32Array(size);
    for (let row = 0; row < size; row++) {
      const { brand, leaf, cents, looks } = corpus.product(row);
      this.#brand[row] = brand;
      this.#leaf[row] = leaf;
      this.#cents[row] = cents;
      this.#step[row] = priceStep(cents);
      for (const look of looks) {
        this.#colours[row] |= 1 << look.colour;
        this.#sizes[row] |= 1 << look.size;
      }
    }
  }

  passes(filter: Filter): (row: number) => boolean {
    switch (filter.field) {
      case "brand": {
        const column = this.#brand;
        const { brand } = filter;
        return (row) => column[row] === brand;
      }
      case "category": {
        const column = this.#leaf;
        const { from, to } = filter.path[filter.path.length - 1];
        return (row) => column[row] >= from && column[row] < to;
      }
      case "price": {
        const column = this.#cents;
        const { lower, upper } = filter;
        return (row) => column[row] >= lower && column[row] <= upper;
      }
    }
  }

  count(rows: readonly { readonly id: number }[]): FacetCounts {
    const { brands: brandNames, categories, colours: colourNames, sizes: sizeNames } = this.#corpus;
    const brands = new Uint32Array(brandNames.length);
    const leaves = new Uint32Array(categories.length);
    const colours = new Uint32Array(colourNames.length);
    const sizes = new Uint32Array(sizeNames.length);
    const prices = new Uint32Array(PRICE_STEPS);
    for (const { id } of rows) {
      brands[this.#brand[id]]++;
      leaves[this.#leaf[id]]++;
      prices[this.#step[id]]++;
      for (let bits = this.#colours[id]; bits !== 0; bits &= bits - 1) colours[lowestBit(bits)]++;
      for (let bits = this.#sizes[id]; bits !== 0; bits &= bits - 1) sizes[lowestBit(bits)]++;
    }
    return { brands, leaves, colours, sizes, prices };
  }
}

export function priceStep(cents: number): number {
  return Math.floor(cents / PRICE_STEP_CENTS);
}

/** In the order of FACET_FIELDS. */
export function squaresOf(corpus: SyntheticCorpus, counts: FacetCounts): number[] {
  const { brands, leaves, colours, sizes, prices } = counts;
  const categories = sumOfSquares(nodeCounts(corpus, leaves));
  return [sumOfSquares(brands), categories, ...[colours, sizes, prices].map(sumOfSquares)];
}

/** The counts of the nodes of all levels. */
function nodeCounts(corpus: SyntheticCorpus, leaves: Uint32Array): number[] {
  const counts = new Map<string, number>();
  leaves.forEach((count, leaf) => {
    for (const { id } of corpus.categories[leaf]) counts.set(id, (counts.get(id) ?? 0) + count);
  });
  return [...counts.values()];
}

function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}
