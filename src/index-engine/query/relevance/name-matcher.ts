/**
 * Matches words of category names with the words of the query, like TermMatcher for texts. Names have their words
 * as numbers, so each text is looked up once.
 */
import type { TermGroup } from "../rank/index.ts";
import type { CategoryWords, NameWord } from "./category-words.ts";

export class NameMatcher {
  readonly #words: CategoryWords;
  readonly #terms = new Set<string>();
  readonly #prefixes: string[] = [];
  /** Numbers of the query's terms among the first `#seen` of this round. */
  readonly #numbers: number[] = [];
  #seen = 0;
  #round: number;

  constructor(groups: readonly TermGroup[], words: CategoryWords) {
    this.#words = words;
    this.#round = words.round;
    groups.forEach((group) => this.#add(group));
  }

  has({ term, stem, text }: NameWord): boolean {
    this.#lookUp();
    return (
      this.#numbers.includes(term) ||
      this.#numbers.includes(stem) ||
      this.#prefixes.some((prefix) => text.startsWith(prefix))
    );
  }

  /** Looks up what has been numbered since. */
  #lookUp(): void {
    const { terms, round } = this.#words;
    if (round !== this.#round) {
      this.#round = round;
      this.#numbers.length = 0;
      this.#seen = 0;
    }
    for (; this.#seen < terms.length; this.#seen++) {
      if (this.#terms.has(terms[this.#seen])) this.#numbers.push(this.#seen);
    }
  }

  #add({ alternatives, wholes }: TermGroup): void {
    for (const { term } of alternatives) this.#terms.add(term);
    for (const whole of wholes ?? []) {
      if (whole.kind === "prefix") this.#prefixes.push(whole.prefix);
      else whole.groups.forEach((part) => this.#add(part));
    }
  }
}
