/**
 * Binds a query to the statistics of the whole index: every word gets its idf.
 *
 * A word's idf is that of its most frequent counted alternative. An alternative of several words is
 * as frequent as the rarest of them.
 */
import { getOrInsert } from "../base/index.ts";
import { inverseDocumentFrequency, type TermGroup } from "./rank/index.ts";
import type { Expression, WordsAsked } from "./plan.ts";
import type { ExpansionSource } from "./stages/dictionary.ts";

export class Weigher {
  readonly #source: ExpansionSource;
  readonly #productCount: number;

  /** @param productCount live products of the whole index */
  constructor(source: ExpansionSource, productCount: number) {
    this.#source = source;
    this.#productCount = productCount;
  }

  group(group: TermGroup): TermGroup {
    const frequency = Math.min(this.#productCount, this.#frequency(group));
    const idf = inverseDocumentFrequency(this.#productCount, frequency);
    if (group.subQueries === undefined) return { ...group, idf };
    const subQueries = group.subQueries.map((sub) =>
      sub.kind === "prefix" ? sub : { ...sub, groups: this.groups(sub.groups) },
    );
    return { ...group, subQueries, idf };
  }

  groups(groups: readonly TermGroup[]): TermGroup[] {
    return groups.map((group) => this.group(group));
  }

  expression(expression: Expression): Expression {
    switch (expression.kind) {
      case "everything":
        return expression;
      case "words":
        return { ...expression, groups: this.groups(expression.groups) };
      case "clauses":
        return {
          ...expression,
          clauses: expression.clauses.map(({ occur, expression: inner }) => ({
            occur,
            expression: this.expression(inner),
          })),
        };
    }
  }

  words(asked: WordsAsked): WordsAsked {
    const known = new Map<TermGroup, TermGroup>();
    const all = (groups: readonly TermGroup[]): TermGroup[] =>
      groups.map((group) => getOrInsert(known, group, () => this.group(group)));
    return {
      ...asked,
      groups: all(asked.groups),
      phrases: all(asked.phrases),
      optional: all(asked.optional),
      typed: all(asked.typed),
      unwanted: all(asked.unwanted),
      boosts: asked.boosts.map((boost) => ({ ...boost, groups: this.groups(boost.groups) })),
      restrictions: asked.restrictions.map((restriction) => ({
        ...restriction,
        expression: this.expression(restriction.expression),
      })),
    };
  }

  #frequency(group: TermGroup): number {
    // The frequency of a plain word is cached.
    if (this.#source.groupOf(group.word) === group) return this.#source.knownIn(group.word);
    const { alternatives, subQueries = [] } = group;
    let most = 0;
    for (const { term, isUncounted } of alternatives) {
      if (isUncounted === undefined) most = Math.max(most, this.#source.frequencyOf(term));
    }
    for (const sub of subQueries) {
      if (sub.isUncounted !== undefined) continue;
      const frequency =
        sub.kind === "prefix"
          ? this.#source.prefixFrequency(sub.prefix)
          : Math.min(...sub.groups.map((part) => this.#frequency(part)));
      most = Math.max(most, frequency);
    }
    return most;
  }
}
