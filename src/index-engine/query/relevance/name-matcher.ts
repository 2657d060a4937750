/**
 * Matches words of category names with the words of the query, as TermMatcher does for texts. Words of
 * names are numbers, so a name is matched without comparing texts.
 */
import type { TermGroup } from "../rank/index.ts";
import type { CategoryWords, NameWord } from "./category-words.ts";

export class NameMatcher {
  readonly #words: CategoryWords;
  readonly #terms: string[] = [];
  readonly #prefixes: string[] = [];
  /** Numbers of the query's terms at the time of the lookup. */
  readonly #numbers: number[] = [];
  /** Number of names read at that time. */
  #namesRead = -1;

  constructor(groups: readonly TermGroup[], words: CategoryWords) {
    this.#words = words;
    groups.forEach((group) => this.#add(group));
  }

  has({ term, stem, text }: NameWord): boolean {
    if (this.#namesRead !== this.#words.namesRead) this.#lookUp();
    return (
      this.#numbers.includes(term) ||
      this.#numbers.includes(stem) ||
      this.#prefixes.some((prefix) => text.startsWith(prefix))
    );
  }

  /** Numbers may have been added or changed. */
  #lookUp(): void {
    this.#namesRead = this.#words.namesRead;
    this.#numbers.length = 0;
    for (const term of this.#terms) {
      const number = this.#words.numberOf(term);
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
