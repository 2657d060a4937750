/**
 * Matches words of category names with the words of the query, as TermMatcher does for texts. The
 * words of names are numbers, so no texts are compared.
 */
import type { TermGroup } from "../rank/index.ts";
import type { NameWord, SegmentCategories } from "./categories.ts";

export class NameMatcher {
  readonly #categories: SegmentCategories;
  readonly #terms: string[] = [];
  readonly #prefixes: string[] = [];
  /**
   * Numbers that the query's terms have in names, and how many numbers there were at the time of
   * the lookup.
   */
  readonly #numbers: number[] = [];
  #numberCount = 0;

  constructor(groups: readonly TermGroup[], categories: SegmentCategories) {
    this.#categories = categories;
    groups.forEach((group) => this.#add(group));
  }

  has({ term, stem, text }: NameWord): boolean {
    if (this.#numberCount !== this.#categories.numberCount) this.#lookUp();
    return (
      this.#numbers.includes(term) ||
      this.#numbers.includes(stem) ||
      this.#prefixes.some((prefix) => text.startsWith(prefix))
    );
  }

  #lookUp(): void {
    this.#numberCount = this.#categories.numberCount;
    this.#numbers.length = 0;
    for (const term of this.#terms) {
      const number = this.#categories.numberOf(term);
      if (number >= 0) this.#numbers.push(number);
    }
  }

  #add({ alternatives, wholes }: TermGroup): void {
    for (const { term } of alternatives) this.#terms.push(term);
    for (const whole of wholes ?? []) {
      if (whole.kind === "prefix") this.#prefixes.push(whole.prefix);
      else whole.groups.forEach((part) => this.#add(part));
    }
  }
}
