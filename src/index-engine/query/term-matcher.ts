/**
 * Which terms of a text stand for a word of the query: those that the executed stage has looked for.
 *
 *   group   headphones | stem headphon | [head] [phones] | prefix headp      matches   headphone, head, phones, headpiece
 *
 * A term matches a group when it is one of its alternatives, has the stem of one, begins with a prefix, or matches a
 * part of what stands for the word in several words. Parts of a word that is written apart count where the text has all
 * of them: "boots" may be "boot s", but an S alone is a size.
 */
import type { Analyzer } from "../analysis/index.ts";
import { STEM_PREFIX } from "../segment/model/index.ts";
import type { TermGroup } from "./rank/index.ts";

export class TermMatcher {
  readonly #analyzer: Analyzer;
  /** Term, or STEM_PREFIX and stem -> the first group that it stands for. */
  readonly #terms = new Map<string, number>();
  readonly #prefixes: { readonly prefix: string; readonly group: number }[] = [];
  /** Words written apart. */
  readonly #splits: { readonly parts: readonly TermMatcher[]; readonly group: number }[] = [];

  constructor(groups: readonly TermGroup[], analyzer: Analyzer) {
    this.#analyzer = analyzer;
    groups.forEach((group, number) => this.#add(group, number));
  }

  /** Of each term of a text, in their order, the number of a group that it stands for; -1: none. */
  groupsOf(terms: readonly string[]): number[] {
    const groups = terms.map((term) => this.#groupOf(term));
    for (const { parts, group } of this.#splits) {
      const found = parts.map((part) => part.groupsOf(terms));
      if (!found.every((places) => places.some((place) => place >= 0))) continue;
      terms.forEach((_, at) => {
        if (groups[at] < 0 && found.some((places) => places[at] >= 0)) groups[at] = group;
      });
    }
    return groups;
  }

  /** Number of a group that the term alone stands for; -1: none. */
  #groupOf(term: string): number {
    return (
      this.#terms.get(term) ??
      this.#groupOfStem(term) ??
      this.#prefixes.find(({ prefix }) => term.startsWith(prefix))?.group ??
      -1
    );
  }

  #groupOfStem(term: string): number | undefined {
    const stem = this.#analyzer.stem(term);
    // Of a term that is its own stem there is no second entry in the dictionary.
    return stem === term ? undefined : this.#terms.get(STEM_PREFIX + stem);
  }

  #add({ alternatives, wholes }: TermGroup, number: number): void {
    for (const { term } of alternatives) if (!this.#terms.has(term)) this.#terms.set(term, number);
    for (const whole of wholes ?? []) {
      if (whole.kind === "prefix") this.#prefixes.push({ prefix: whole.prefix, group: number });
      else if (whole.origin === "split") {
        const parts = whole.groups.map((part) => new TermMatcher([part], this.#analyzer));
        this.#splits.push({ parts, group: number });
      } else for (const part of whole.groups) this.#add(part, number);
    }
  }
}
