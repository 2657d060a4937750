/**
 * Head factors of categories: by the query word closest to the end of a leaf category's name. For "phone",
 * the products in "Cell Phones" get more than those in "Phone Cases".
 *
 * Words of names match words of the query as in TermMatcher. They are numbers, so texts are not compared.
 */
import type { Analyzer } from "../../analysis/index.ts";
import type { TermGroup } from "../rank/index.ts";
import type { SegmentCategories } from "./categories.ts";
import type { NameWord } from "./category-words.ts";
import { HEAD_LIFT } from "./policy.ts";

const THOUSAND = 1_000;
export const MOST_HEAD = 1 + HEAD_LIFT / THOUSAND;

export class CategoryHeads {
  readonly #categories: SegmentCategories;
  readonly #analyzer: Analyzer;
  readonly #terms: string[] = [];
  readonly #prefixes: string[] = [];
  /** Numbers of the terms at the time of the lookup, and the number of names read at that time. */
  readonly #numbers: number[] = [];
  #namesRead = -1;
  /** By leaf. */
  readonly #known = new Map<number, number>();

  constructor(categories: SegmentCategories, groups: readonly TermGroup[], analyzer: Analyzer) {
    this.#categories = categories;
    this.#analyzer = analyzer;
    groups.forEach((group) => this.#add(group));
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
      if (factor > head && this.#has(word)) head = factor;
    }
    this.#known.set(ordinal, head);
    return head;
  }

  #has({ term, stem, text }: NameWord): boolean {
    if (this.#namesRead !== this.#categories.words.namesRead) this.#lookUp();
    return (
      this.#numbers.includes(term) ||
      this.#numbers.includes(stem) ||
      this.#prefixes.some((prefix) => text.startsWith(prefix))
    );
  }

  /** Numbers may have been added or changed. */
  #lookUp(): void {
    this.#namesRead = this.#categories.words.namesRead;
    this.#numbers.length = 0;
    for (const term of this.#terms) {
      const number = this.#categories.words.numberOf(term);
      if (number >= 0) this.#numbers.push(number);
    }
  }

  #add({ alternatives, subQueries }: TermGroup): void {
    for (const { term } of alternatives) this.#terms.push(term);
    for (const sub of subQueries ?? []) {
      if (sub.kind === "prefix") this.#prefixes.push(sub.prefix);
      else sub.groups.forEach((part) => this.#add(part));
    }
  }
}

/** @param gap words between the last matched word and the end of the head */
export function headFactor(gap: number): number {
  return THOUSAND + Math.floor(HEAD_LIFT / (1 + gap));
}
