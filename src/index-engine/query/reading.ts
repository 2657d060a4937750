/**
 * The words of a query with what may stand for them, as rules, the language and the dictionary have it. Stages
 * (stages/expand.ts) and searches without any (relevance/readings.ts) choose which of these readings they want; each
 * counts a share of a full match:
 *
 *   the word itself 1          a form of it (stem) 0.8        what a rule says: its weight
 *   another writing of a number, unit or code 0.95            written together or apart 0.9
 *   the beginning of a word 0.7                               one typo 0.6, two typos 0.4          n-grams 0.5 * share
 *
 * What stands for several words at once ("headphones" for "head phones") is an alternative of each of them.
 */
import type { Analyzer } from "../analysis/index.ts";
import {
  hasDigit,
  joinsOf,
  numberForms,
  type Likeness,
  type SimilarTerm,
} from "./expansion/index.ts";
import type { AlternativeOrigin, TermGroup } from "./rank/index.ts";
import type { WordQuery } from "./plan.ts";
import { READING } from "./relevance/policy.ts";
import type { ExpansionSource } from "./stages/source.ts";
import { MIN_PREFIX_LENGTH, type WordBuilder } from "./word-builder.ts";

/** Shorter words are rather words of their own. */
const MIN_ELIDED_LENGTH = 3;

export class Reading {
  readonly query: WordQuery;
  readonly source: ExpansionSource;
  readonly analyzer: Analyzer;
  /** By number of the term. */
  readonly builders: readonly WordBuilder[];
  /** Misspelt words with what they are read as. */
  readonly corrected: [string, readonly string[]][] = [];
  readonly #isDivided: boolean;

  /** @param isDivided what stands for n words counts a share of 1/n for each: for all of them and not several times */
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

  /** Numbers of the terms at some places of what was typed, as often as they stand there. */
  places(first: number, count: number): readonly number[] {
    return this.query.sequence.slice(first, first + count);
  }

  /** Whether the word may still be the beginning of one. */
  isLast(at: number): boolean {
    const { sequence, terms } = this.query;
    return at === sequence.at(-1) && terms[at].length >= MIN_PREFIX_LENGTH;
  }

  /** All of `words` stand for each of some terms. @param numbers of the terms; may repeat */
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

  /** What rules say. @param slop of phrases */
  addSynonyms(slop: number): void {
    for (const { terms, words, factor, isPhrase } of this.query.synonyms) {
      this.add(terms, words, factor, isPhrase ? slop : null, "synonym");
    }
  }

  /** Neighbours that make a known word together. */
  knownJoins(): { readonly word: string; readonly numbers: readonly number[] }[] {
    if (this.query.sequence.length < 2) return [];
    return joinsOf(this.#typed, this.analyzer.data.compounds)
      .filter(({ term }) => this.isKnown(term))
      .map(({ first, count, term }) => ({ word: term, numbers: this.places(first, count) }));
  }

  /** Neighbours that the user query analyzer has written together. */
  addGlued(): void {
    for (const { first, count, term } of this.query.glued) {
      this.add(this.places(first, count), [term], 1, null, "joined");
    }
  }

  /** Other writings of numbers, units and codes. @param slop of numbers with their units */
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

  /** What a word may be a misspelling of, best first. */
  correctionsOf(term: string, likeness: Likeness): readonly SimilarTerm[] {
    const similar = (word: string): readonly SimilarTerm[] =>
      this.source.similarTo(word, likeness).filter((one) => one.term !== term);
    const found = similar(term);
    // The dictionary may have only another form of the word that was meant: "earbdus", earbud.
    return found.length > 0 ? found : similar(this.analyzer.stem(term));
  }

  noteCorrected(term: string, found: readonly SimilarTerm[]): void {
    if (found.length > 0) this.corrected.push([term, found.map((one) => one.term)]);
  }

  /** The quoted phrases. @param groupsOf the groups that stand for words at some places */
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

/** A group that is matched by the words in their order only. */
export function phraseOf(
  words: readonly string[],
  groups: readonly TermGroup[],
  slop: number,
  origin: AlternativeOrigin = "word",
): TermGroup {
  return {
    word: `"${words.join(" ")}"`,
    alternatives: [],
    wholes: [{ kind: "all", groups, factor: 1, slop, origin }],
  };
}

/** A group that is matched by all of the words, wherever they stand. */
export function togetherOf(groups: readonly TermGroup[]): TermGroup {
  return {
    word: `(${groups.map(({ word }) => word).join(" AND ")})`,
    alternatives: [],
    wholes: [{ kind: "all", groups, factor: 1, slop: null, origin: "word" }],
  };
}

/** "lhuile" -> huile: a word whose elided article was typed without its apostrophe. */
function withoutElision(term: string, { data }: Analyzer): string[] {
  const rests: string[] = [];
  for (const elided of data.elisions) {
    const isElided = term.length >= elided.length + MIN_ELIDED_LENGTH && term.startsWith(elided);
    if (isElided) rests.push(term.slice(elided.length));
  }
  return rests;
}
