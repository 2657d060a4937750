/**
 * Head factors of categories: by the query word closest to the end of a leaf category's name. For "phone",
 * the products in "Cell Phones" get more than those in "Phone Cases".
 */
import type { Analyzer } from "../../analysis/index.ts";
import type { TermGroup } from "../rank/index.ts";
import type { SegmentCategories } from "./categories.ts";
import { NameMatcher } from "./name-matcher.ts";
import { HEAD_LIFT } from "./policy.ts";

const THOUSAND = 1_000;
/** The largest factor. */
export const MOST_HEAD = 1 + HEAD_LIFT / THOUSAND;

export class CategoryHeads {
  readonly #categories: SegmentCategories;
  readonly #names: NameMatcher;
  readonly #analyzer: Analyzer;
  /** By leaf. */
  readonly #known = new Map<number, number>();

  constructor(categories: SegmentCategories, groups: readonly TermGroup[], analyzer: Analyzer) {
    this.#categories = categories;
    this.#names = new NameMatcher(groups, categories.words);
    this.#analyzer = analyzer;
  }

  /** The largest factor of the row's leaf categories, in thousandths. */
  of(row: number): number {
    const leaf = this.#categories.onlyLeaf(row);
    if (leaf >= 0) return this.#ofLeaf(leaf);
    let head = THOUSAND;
    for (const one of this.#categories.leaves(this.#categories.of(row))) head = Math.max(head, this.#ofLeaf(one));
    return head;
  }

  #ofLeaf(ordinal: number): number {
    const known = this.#known.get(ordinal);
    if (known !== undefined) return known;
    let head = THOUSAND;
    for (const word of this.#categories.wordsOf(ordinal, this.#analyzer)) {
      const factor = headFactor(word.gap);
      if (factor > head && this.#names.has(word)) head = factor;
    }
    this.#known.set(ordinal, head);
    return head;
  }
}

/** @param gap words between the last matched word and the end of the head */
export function headFactor(gap: number): number {
  return THOUSAND + Math.floor(HEAD_LIFT / (1 + gap));
}
