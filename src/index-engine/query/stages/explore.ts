/**
 * What the dictionaries of several shards, or indexes, say of the words of a plan.
 *
 * A reader that searches alone asks its own dictionary, word by word. With several shards every shard sends the frequencies of all words of
 * the plan with its survey, and all else that may be needed where a search without stages, or stages that need it, are left to ask. The sums
 * are the dictionary then (`ExploredSource`), so all shards expand words alike (invariant I4).
 */
import type { Analyzer } from "../../analysis/index.ts";
import {
  joinsOf,
  mergeSimilar,
  MOST_SIMILAR,
  prefixFrequency,
  similarTo,
  splitLookups,
  type Likeness,
  type SimilarTerm,
} from "../../expansion/index.ts";
import { termGroup, type TermGroup } from "../../rank/index.ts";
import type { SearchContext } from "../context.ts";
import type { Expression, TextQuery, WordQuery } from "../plan.ts";
import { ANY_FIRST_LETTER, CORRECTION, KNOWN_CORRECTION } from "../relevance/corrections.ts";
import { numberFormsOf, withoutElision } from "../reading.ts";
import { MIN_PREFIX_LENGTH } from "../word-builder.ts";
import { KnownWords, similarKey } from "./dictionary.ts";
import type { ExpansionSource } from "./source.ts";

/** Plain data. */
export interface Exploration {
  /** Live products per term looked up; 0 left out. */
  readonly frequencies: ReadonlyMap<string, number>;
  /** By `similarKey`; cut where they are read. */
  readonly similar: ReadonlyMap<string, readonly SimilarTerm[]>;
  /** Sums of frequencies per prefix. */
  readonly prefixes: ReadonlyMap<string, number>;
}

export const NOTHING_EXPLORED: Exploration = {
  frequencies: new Map(),
  similar: new Map(),
  prefixes: new Map(),
};

/** All that queries may ask a dictionary. */
export class ExplorationNeeds {
  readonly #terms = new Set<string>();
  readonly #similar = new Map<string, readonly [string, Likeness]>();
  readonly #prefixes = new Set<string>();
  readonly #analyzer: Analyzer;

  constructor(analyzer: Analyzer) {
    this.#analyzer = analyzer;
  }

  /** The words themselves, and those of rules: their frequencies are always asked for. */
  addWords(query: TextQuery): void {
    switch (query.kind) {
      case "all":
      case "none":
        return;
      case "expression":
        this.#addExpression(query.expression);
        return;
      case "stages":
      case "relevance": {
        const { terms, synonyms, glued, boosts, restrictions } = query.words;
        for (const term of terms) this.#addWord(term);
        for (const { words } of synonyms) for (const word of words) this.#addWord(word);
        for (const { term } of glued) this.#addWord(term);
        for (const { groups } of boosts) this.#addGroups(groups);
        for (const { expression } of restrictions) this.#addExpression(expression);
      }
    }
  }

  /** What else words may stand for. */
  addExpansions(query: TextQuery): void {
    if (query.kind !== "stages" && query.kind !== "relevance") return;
    const { words } = query;
    const stages = query.kind === "stages" ? query.stages : null;
    const isAsked = (expansion: "joins" | "splits" | "prefix"): boolean =>
      stages?.some(({ expansions }) => expansions[expansion]) ?? true;
    if (isAsked("joins")) {
      const typed = words.sequence.map((at) => words.terms[at]);
      const { compounds } = this.#analyzer.data;
      for (const { term } of joinsOf(typed, compounds)) this.#addWord(term);
    }
    if (isAsked("splits")) this.#addSplits(words);
    const last = words.terms[words.sequence.at(-1) ?? -1] ?? "";
    if (isAsked("prefix") && last.length >= MIN_PREFIX_LENGTH) this.#prefixes.add(last);
    for (const likeness of stages?.flatMap((one) => one.expansions.typos ?? []) ?? [CORRECTION]) {
      for (const word of words.terms) {
        this.#addSimilar(word, likeness);
        this.#addSimilar(this.#analyzer.stem(word), likeness);
      }
    }
    const ofWords = stages?.flatMap((one) => one.expansions.ngrams ?? []);
    for (const likeness of ofWords ?? [ANY_FIRST_LETTER, KNOWN_CORRECTION]) {
      for (const word of words.terms) this.#addSimilar(word, likeness);
    }
  }

  #addSplits(words: WordQuery): void {
    for (const word of words.terms) {
      for (const part of splitLookups(word, this.#analyzer.data.compounds)) this.#addWord(part);
      for (const rest of withoutElision(word, this.#analyzer)) this.#addWord(rest);
    }
    for (const { alternatives } of numberFormsOf(words)) {
      for (const word of alternatives.flat()) this.#addWord(word);
    }
  }

  #addSimilar(word: string, likeness: Likeness): void {
    this.#similar.set(similarKey(word, likeness), [word, likeness]);
  }

  #addWord(word: string): void {
    this.#addGroups([termGroup(this.#analyzer, word)]);
  }

  #addGroups(groups: readonly TermGroup[]): void {
    for (const { alternatives, wholes = [] } of groups) {
      for (const { term } of alternatives) this.#terms.add(term);
      for (const whole of wholes) if (whole.kind === "all") this.#addGroups(whole.groups);
    }
  }

  #addExpression(expression: Expression): void {
    switch (expression.kind) {
      case "everything":
        return;
      case "words":
        this.#addGroups(expression.groups);
        return;
      case "clauses":
        for (const clause of expression.clauses) this.#addExpression(clause.expression);
    }
  }

  /** What one reader knows of it. Terms that it lacks are not remembered: most are letters of words, not words. */
  explore({ dictionary, reader: { segments } }: SearchContext): Exploration {
    const frequencies = new Map<string, number>();
    for (const term of this.#terms) {
      const frequency = dictionary.mayOccur(term) ? dictionary.frequencyOf(term) : 0;
      if (frequency > 0) frequencies.set(term, frequency);
    }
    const similar = new Map<string, readonly SimilarTerm[]>();
    for (const [key, [word, likeness]] of this.#similar) {
      similar.set(key, similarTo(segments, word, likeness));
    }
    const prefixes = new Map<string, number>();
    for (const prefix of this.#prefixes) prefixes.set(prefix, prefixFrequency(segments, prefix));
    return { frequencies, similar, prefixes };
  }
}

/** Of shards, or of indexes. */
export function mergeExplorations(parts: readonly Exploration[]): Exploration {
  const add = (a: number, b: number): number => a + b;
  return {
    frequencies: merged(
      parts.map(({ frequencies }) => frequencies),
      add,
    ),
    similar: merged(
      parts.map(({ similar }) => similar),
      (a, b) => mergeSimilar([a, b]),
    ),
    prefixes: merged(
      parts.map(({ prefixes }) => prefixes),
      add,
    ),
  };
}

function merged<T>(
  maps: readonly ReadonlyMap<string, T>[],
  merge: (a: T, b: T) => T,
): Map<string, T> {
  const all = new Map<string, T>();
  for (const map of maps) {
    for (const [key, value] of map) {
      const known = all.get(key);
      all.set(key, known === undefined ? value : merge(known, value));
    }
  }
  return all;
}

/** An exploration as a source. */
export class ExploredSource extends KnownWords implements ExpansionSource {
  readonly #frequencies: Map<string, number>;
  readonly #explored: Exploration;

  constructor(explored: Exploration, analyzer: Analyzer) {
    super(analyzer);
    this.#explored = explored;
    const found = [...explored.similar.values()].flat();
    this.#frequencies = new Map(found.map((one) => [one.term, one.documentFrequency]));
    for (const [term, frequency] of explored.frequencies) this.#frequencies.set(term, frequency);
  }

  frequencyOf(term: string): number {
    return this.#frequencies.get(term) ?? 0;
  }

  mayOccur(term: string): boolean {
    return this.#frequencies.has(term);
  }

  similarTo(word: string, likeness: Likeness): readonly SimilarTerm[] {
    const found = this.#explored.similar.get(similarKey(word, likeness)) ?? [];
    return found.slice(0, MOST_SIMILAR[likeness.kind]);
  }

  prefixFrequency(prefix: string): number {
    return this.#explored.prefixes.get(prefix) ?? 0;
  }
}
