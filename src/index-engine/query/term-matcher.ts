/**
 * Finds the terms of a text that match a word of the executed query.
 *
 *   group     headphones | stem headphon | [head] [phones] | prefix headp
 *   matches   headphone, head, phones, headpiece
 *
 * A term matches a group if it is one of its alternatives, has the stem of one, starts with a
 * prefix, or matches a part of an alternative of several words. Parts of a split word only count if
 * the text has all of them: "boots" may be "boot s", but an S alone is a size.
 */
import type { Analyzer } from "../analysis/index.ts";
import { work, type Parts } from "../base/index.ts";
import { STEM_PREFIX } from "../segment/model/index.ts";
import type { TermGroup } from "./rank/index.ts";

/** Of looking up a term and its stem; measured with `bench/rendering.ts`. */
const STEPS_OF_TERM = 10;

export class TermMatcher {
  readonly #analyzer: Analyzer;
  /** Term, or STEM_PREFIX and stem -> the first matching group. */
  readonly #terms = new Map<string, number>();
  readonly #prefixes: { readonly prefix: string; readonly group: number }[] = [];
  /** Split words. */
  readonly #splits: { readonly parts: readonly TermMatcher[]; readonly group: number }[] = [];

  constructor(groups: readonly TermGroup[], analyzer: Analyzer) {
    this.#analyzer = analyzer;
    groups.forEach((group, number) => this.#add(group, number));
  }

  /** For each term of a text, in order: the number of a matching group, or -1. */
  *groupsOf(terms: readonly string[]): Parts<number[]> {
    work.spend(terms.length * (STEPS_OF_TERM + this.#prefixes.length));
    const groups = terms.map((term) => this.#groupOf(term));
    for (const { parts, group } of this.#splits) {
      const found: number[][] = [];
      for (const part of parts) {
        yield;
        found.push(yield* part.groupsOf(terms));
      }
      if (!found.every((places) => places.some((place) => place >= 0))) continue;
      terms.forEach((_, at) => {
        if (groups[at] < 0 && found.some((places) => places[at] >= 0)) groups[at] = group;
      });
    }
    return groups;
  }

  /** The number of a group that the term matches by itself, or -1. */
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
    // A term that equals its stem has no separate stem entry in the dictionary.
    return stem === term ? undefined : this.#terms.get(STEM_PREFIX + stem);
  }

  #add({ alternatives, subQueries }: TermGroup, number: number): void {
    for (const { term } of alternatives) if (!this.#terms.has(term)) this.#terms.set(term, number);
    for (const sub of subQueries ?? []) {
      if (sub.kind === "prefix") this.#prefixes.push({ prefix: sub.prefix, group: number });
      else if (sub.origin === "split") {
        const parts = sub.groups.map((part) => new TermMatcher([part], this.#analyzer));
        this.#splits.push({ parts, group: number });
      } else for (const part of sub.groups) this.#add(part, number);
    }
  }
}
