/**
 * The words of a query with their alternative readings from rules, the language and the dictionary.
 * Configured stages (stages/expand.ts) and searches without stages (relevance/readings.ts) choose
 * which readings to use. Each reading is worth a share of a full match:
 *
 *   the word itself              1         another form of a number, unit or code   0.95
 *   its stem                     0.95      joined or split                          0.9
 *   a completion                 0.7       one typo                                 0.6
 *   two typos                    0.4       n-grams                                  0.5 * share
 *   a synonym                    the weight of its rule
 *
 * A reading of several words ("headphones" for "head phones") is an alternative of each of them.
 */
import type { Analyzer } from "../analysis/index.ts";
import { hasDigit, joinsOf, numberForms, type Likeness, type SimilarTerm } from "./expansion/index.ts";
import type { AlternativeOrigin, TermGroup } from "./rank/index.ts";
import type { WordQuery } from "./plan.ts";
import { READING } from "./relevance/policy.ts";
import type { ExpansionSource } from "./stages/dictionary.ts";
import { MIN_PREFIX_LENGTH, type WordBuilder } from "./word-builder.ts";

/** If the rest is shorter, the word is probably not elided. */
const MIN_ELIDED_LENGTH = 3;

export class Reading {
  readonly query: WordQuery;
  readonly source: ExpansionSource;
  readonly analyzer: Analyzer;
  /** By term number. */
  readonly builders: readonly WordBuilder[];
  /** Misspelt words with their corrections. */
  readonly corrected: [string, readonly string[]][] = [];
  readonly #isDivided: boolean;

  /** @param isDivided whether a reading of n words is worth 1/n for each of them */
  constructor(
    query: WordQuery,
    source: ExpansionSource,
    analyzer: Analyzer,
    builders: readonly WordBuilder[],
    isDivided: boolean,
  ) {
    this.query = query;
    this.source = source;
    this.analyzer = analyzer;
    this.builders = builders;
    this.#isDivided = isDivided;
  }

  get #typed(): readonly string[] {
    return this.query.sequence.map((at) => this.query.terms[at]);
  }

  isKnown(word: string): boolean {
    return this.source.knownIn(word) > 0;
  }

  /** Term numbers of a range of the typed sequence, including repetitions. */
  places(first: number, count: number): readonly number[] {
    return this.query.sequence.slice(first, first + count);
  }

  /** Whether the word is the last one and may be incomplete. */
  isLast(at: number): boolean {
    const { sequence, terms } = this.query;
    return at === sequence.at(-1) && terms[at].length >= MIN_PREFIX_LENGTH;
  }

  /**
   * Adds `words`, which must all match, as a reading of some terms.
   * @param numbers numbers of the terms; may repeat
   */
  add(
    numbers: readonly number[],
    words: readonly string[],
    factor: number,
    slop: number | null,
    origin: AlternativeOrigin,
  ): void {
    const distinct = new Set(numbers);
    const share = this.#isDivided ? factor / distinct.size : factor;
    for (const at of distinct) this.builders[at].addWords(words, share, slop, origin);
  }

  /**
   * Adds synonyms of rules.
   * @param slop the slop of phrases
   */
  addSynonyms(slop: number): void {
    for (const { terms, words, factor, isPhrase } of this.query.synonyms) {
      this.add(terms, words, factor, isPhrase ? slop : null, "synonym");
    }
  }

  /** Adjacent words that form a known word when joined. */
  knownJoins(): { readonly word: string; readonly numbers: readonly number[] }[] {
    if (this.query.sequence.length < 2) return [];
    return joinsOf(this.#typed, this.analyzer.data.compounds)
      .filter(({ term }) => this.isKnown(term))
      .map(({ first, count, term }) => ({ word: term, numbers: this.places(first, count) }));
  }

  /** Adds words that the user query analyzer has joined. */
  addGlued(): void {
    for (const { first, count, term } of this.query.glued) {
      this.add(this.places(first, count), [term], 1, null, "joined");
    }
  }

  /**
   * Adds other forms of numbers, units and codes.
   * @param slop the slop between numbers and their units
   */
  addNumberForms(slop: number | null): void {
    if (!this.query.terms.some(hasDigit)) return;
    for (const { first, count, alternatives, isMeasure } of numberForms(this.#typed)) {
      for (const words of alternatives) {
        if (!words.every((word) => this.isKnown(word))) continue;
        this.add(this.places(first, count), words, READING.form, isMeasure ? slop : null, "form");
      }
    }
  }

  addElided(at: number): void {
    for (const rest of withoutElision(this.query.terms[at], this.analyzer)) {
      if (this.isKnown(rest)) this.add([at], [rest], READING.split, null, "split");
    }
  }

  /** Corrections of a word, best first. */
  correctionsOf(term: string, likeness: Likeness): readonly SimilarTerm[] {
    const similar = (word: string): readonly SimilarTerm[] =>
      this.source.similarTo(word, likeness).filter((one) => one.term !== term);
    const found = similar(term);
    // The dictionary may only have another form of the intended word: "earbdus", earbud.
    return found.length > 0 ? found : similar(this.analyzer.stem(term));
  }

  noteCorrected(term: string, found: readonly Pick<SimilarTerm, "term">[]): void {
    if (found.length > 0) this.corrected.push([term, found.map((one) => one.term)]);
  }

  /**
   * The quoted phrases.
   * @param groupsOf returns the groups of some terms
   */
  phrases(slop: number, groupsOf: (numbers: readonly number[]) => TermGroup[]): TermGroup[] {
    return this.query.phrases.map(({ first, count }) => {
      const numbers = this.places(first, count);
      return phraseOf(
        numbers.map((at) => this.query.terms[at]),
        groupsOf(numbers),
        slop,
      );
    });
  }
}

/** A group that matches the words only in their order. */
export function phraseOf(
  words: readonly string[],
  groups: readonly TermGroup[],
  slop: number,
  origin: AlternativeOrigin = "word",
): TermGroup {
  return {
    word: `"${words.join(" ")}"`,
    alternatives: [],
    subQueries: [{ kind: "all", groups, factor: 1, slop, origin }],
  };
}

/** A group that matches all of the words in any position. */
export function togetherOf(groups: readonly TermGroup[]): TermGroup {
  return {
    word: `(${groups.map(({ word }) => word).join(" AND ")})`,
    alternatives: [],
    subQueries: [{ kind: "all", groups, factor: 1, slop: null, origin: "word" }],
  };
}

/** "lhuile" -> huile: the word after an elided article that was typed without its apostrophe. */
function withoutElision(term: string, { data }: Analyzer): string[] {
  const rests: string[] = [];
  for (const elided of data.elisions) {
    const isElided = term.length >= elided.length + MIN_ELIDED_LENGTH && term.startsWith(elided);
    if (isElided) rests.push(term.slice(elided.length));
  }
  return rests;
}
