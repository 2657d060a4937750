/**
 * Words -> what the index is asked for them, where no stages are configured. Every reading of a word is asked at once; there is no order of
 * attempts. docs/query-core.md has the table of readings.
 *
 *   "runing shoes without laces"      runing -> running (unknown: corrected)   shoes   |   unwanted: laces
 *   "procontroller"                   pro, controller: a title has them side by side
 *   "ga ming mouse"                   gaming, mouse
 *
 * Pure: equal words, dictionary and evidence give an equal query on every shard (invariant I4).
 */
import type { RelevanceConfig } from "../../../interface/index.ts";
import type { Analyzer } from "../../analysis/index.ts";
import { joinsOf, type TypoTerm } from "../../expansion/index.ts";
import type { FieldWeights, TermGroup } from "../../rank/index.ts";
import { MIN_PREFIX_LENGTH, WordBuilder } from "../word-builder.ts";
import type { WordQuery, WordsAsked } from "../plan.ts";
import { numberFormsOf, phraseOf, withoutElision } from "../stages/expand.ts";
import type { ExpansionSource } from "../stages/source.ts";
import { correctionsOf } from "./corrections.ts";
import { ALL_WORDS, READING } from "./policy.ts";

/** What was asked of the products before the readings are final. */
export interface Evidence {
  /** Unknown words that are replaced by parts. */
  readonly splits: ReadonlyMap<string, readonly string[]>;
  /** Known words that are corrected, too. */
  readonly corrections: ReadonlyMap<string, readonly TypoTerm[]>;
  /** Words that neighbours are replaced by, written together. */
  readonly joins: ReadonlySet<string>;
}

export interface Read {
  /** Not weighed yet; match weights follow then (`withMatchWeights`). */
  readonly asked: WordsAsked;
  /** What evidence is asked for. */
  readonly open: readonly OpenWord[];
  readonly joins: readonly Join[];
}

/** Neighbours that may be one word. */
export interface Join {
  readonly word: string;
  readonly parts: readonly string[];
}

/** An unknown word that may be several words written together. */
export interface OpenWord {
  readonly word: string;
  /** The ways to write it as several, best first. */
  readonly splits: readonly (readonly string[])[];
  /** Products that have the most frequent correction of it; 0: there is none. */
  readonly correctionFrequency: number;
}

export interface ReadingInput {
  readonly words: WordQuery;
  readonly settings: RelevanceConfig;
  readonly isTyping: boolean;
  readonly weights: FieldWeights;
}

export function readWords(
  input: ReadingInput,
  source: ExpansionSource,
  analyzer: Analyzer,
  evidence: Evidence,
): Read {
  const reading = new Reading(input, source, analyzer, evidence);
  reading.readTogether();
  input.words.terms.forEach((_, at) => reading.readAlone(at));
  return reading.finish();
}

class Reading {
  readonly #input: ReadingInput;
  readonly #source: ExpansionSource;
  readonly #analyzer: Analyzer;
  readonly #evidence: Evidence;
  /** By number of the term. */
  readonly #builders: readonly WordBuilder[];
  /** Terms that other words stand for instead. */
  readonly #replaced = new Map<number, readonly TermGroup[]>();
  /** Those of them that stand for several neighbours. */
  readonly #joined = new Set<readonly TermGroup[]>();
  readonly #corrected: [string, readonly string[]][] = [];
  readonly #open: OpenWord[] = [];
  readonly #joins: Join[] = [];

  constructor(
    input: ReadingInput,
    source: ExpansionSource,
    analyzer: Analyzer,
    evidence: Evidence,
  ) {
    this.#input = input;
    this.#source = source;
    this.#analyzer = analyzer;
    this.#evidence = evidence;
    const { terms, factors } = input.words;
    this.#builders = terms.map((term, at) => {
      const options = { stems: true, onlyOwnCounts: this.#isKnown(term) };
      const share = analyzer.data.without.has(term) ? READING.without : 1;
      return new WordBuilder(term, share * factors[at], analyzer, options);
    });
  }

  #isKnown(word: string): boolean {
    return this.#source.knownIn(word) > 0;
  }

  /** Numbers of the terms at some places of what was typed, as often as they stand there. */
  #places(first: number, count: number): readonly number[] {
    return this.#input.words.sequence.slice(first, first + count);
  }

  /** Numbers of the terms at some places of what was typed. */
  #covered(first: number, count: number): ReadonlySet<number> {
    return new Set(this.#places(first, count));
  }

  /** What rules say, and what stands for several neighbours. */
  readTogether(): void {
    const { words } = this.#input;
    for (const { terms, words: others, factor, isPhrase } of words.synonyms) {
      for (const at of terms) this.#add(at, others, factor, isPhrase ? 0 : null, "synonym");
    }
    const typed = words.sequence.map((at) => words.terms[at]);
    for (const { first, count, term } of joinsOf(typed, this.#analyzer.data.compounds)) {
      if (this.#isKnown(term)) this.#readJoin(term, this.#places(first, count));
    }
    for (const { first, count, term } of words.glued) {
      for (const at of this.#covered(first, count)) this.#add(at, [term], 1, null, "joined");
    }
    for (const { first, count, alternatives } of numberFormsOf(words)) {
      for (const form of alternatives) {
        if (!form.every((word) => this.#isKnown(word))) continue;
        for (const at of this.#covered(first, count)) {
          this.#add(at, form, READING.form, null, "form");
        }
      }
    }
  }

  #add(
    at: number,
    words: readonly string[],
    factor: number,
    slop: number | null,
    origin: "synonym" | "joined" | "form",
  ): void {
    const [only] = words;
    if (words.length === 1 && only !== undefined) {
      this.#builders[at].addForms(only, factor, origin);
    } else this.#builders[at].addWhole(words, factor, slop, origin);
  }

  /** Neighbours that no product has are the word that they make together, and others where the products say so. */
  #readJoin(word: string, places: readonly number[]): void {
    const join = { word, parts: places.map((at) => this.#input.words.terms[at]) };
    const numbers = [...new Set(places)];
    const isOne =
      this.#evidence.joins.has(word) || join.parts.every((part) => !this.#isKnown(part));
    if (isOne && numbers.every((at) => !this.#replaced.has(at))) {
      const together = [joinOf(join, this.#analyzer)];
      for (const at of numbers) this.#replaced.set(at, together);
      this.#joined.add(together);
      return;
    }
    this.#joins.push(join);
    for (const at of numbers) this.#add(at, [word], READING.joined, null, "joined");
  }

  /** What stands for one word. */
  readAlone(at: number): void {
    if (this.#replaced.has(at)) return;
    const term = this.#input.words.terms[at];
    for (const rest of withoutElision(term, this.#analyzer)) {
      if (this.#isKnown(rest)) this.#builders[at].addForms(rest, READING.split, "split");
    }
    if (this.#isKnown(term)) this.#readKnown(at, term);
    else if (!this.#builders[at].isRead(this.#source)) this.#readUnknown(at, term);
  }

  #isLast(at: number): boolean {
    const { sequence, terms } = this.#input.words;
    return at === sequence.at(-1) && terms[at].length >= MIN_PREFIX_LENGTH;
  }

  #readKnown(at: number, term: string): void {
    const builder = this.#builders[at];
    for (const parts of this.#source.splitsOf(term)) {
      builder.addWhole(parts, READING.split, 0, "split");
    }
    if (this.#input.isTyping && this.#isLast(at)) builder.addPrefix(term, READING.prefix);
    const found = this.#evidence.corrections.get(term) ?? [];
    for (const one of found) builder.addForms(one.term, READING.typos[1], "typo");
    if (found.length > 0) this.#corrected.push([term, found.map((one) => one.term)]);
  }

  #readUnknown(at: number, term: string): void {
    const parts = this.#evidence.splits.get(term);
    if (parts !== undefined) {
      this.#replaced.set(
        at,
        parts.map((part) => partOf(part, this.#analyzer)),
      );
      return;
    }
    const builder = this.#builders[at];
    if (this.#isLast(at)) builder.addPrefix(term, READING.prefix);
    const found = correctionsOf(term, this.#source, this.#analyzer);
    const splits = this.#source.splitsOf(term);
    if (splits.length > 0) {
      const frequencies = found.map(({ documentFrequency }) => documentFrequency);
      this.#open.push({ word: term, splits, correctionFrequency: Math.max(0, ...frequencies) });
    }
    found.forEach((one, i) => builder.addTypo(one, READING.typos, i));
    // What is still being typed is no misspelling yet.
    const isCompleted = this.#isLast(at) && this.#source.prefixFrequency(term) > 0;
    if (found.length > 0 && !isCompleted)
      this.#corrected.push([term, found.map((one) => one.term)]);
  }

  finish(): Read {
    const { words, settings, weights } = this.#input;
    const { terms } = words;
    const roles = rolesOf(words, this.#analyzer);
    const all = this.#builders.map((builder) => builder.group());
    const groupsAt = (at: number): readonly TermGroup[] => this.#replaced.get(at) ?? [all[at]];
    const isRead = terms.map(
      (_, at) => this.#replaced.has(at) || this.#builders[at].isRead(this.#source),
    );
    // By word: replacements of neighbours are there once.
    const byRole = { asked: new Map(), optional: new Map(), unwanted: new Map() } satisfies Record<
      Role,
      Map<string, TermGroup>
    >;
    const inOrder = new Map<string, TermGroup>();
    terms.forEach((_, at) => {
      if (!isRead[at]) return;
      const role = this.#replaced.has(at) && roles[at] === "optional" ? "asked" : roles[at];
      for (const group of groupsAt(at)) {
        byRole[role].set(group.word, group);
        if (role !== "unwanted") inOrder.set(group.word, group);
      }
    });
    const asked: WordsAsked = {
      stage: 0,
      number: 0,
      name: "relevance",
      strategy: "relevance",
      weights,
      groups: [...byRole.asked.values()],
      matchWeights: [],
      phrases: words.phrases.map(({ first, count }) => {
        const places = this.#places(first, count);
        const groups = places
          .map(groupsAt)
          .filter((one, i, quoted) => i === 0 || one !== quoted[i - 1] || !this.#joined.has(one));
        return phraseOf(
          places.map((at) => terms[at]),
          groups.flat(),
          0,
        );
      }),
      optional: [...byRole.optional.values()],
      typed: [...inOrder.values()],
      unwanted: [...byRole.unwanted.values()],
      boosts: words.boosts,
      restrictions: words.restrictions,
      isSameField: false,
      requirement: settings.fill ? "fill" : "all",
      required: ALL_WORDS,
      corrected: this.#corrected,
      unread: terms.filter((_, at) => !isRead[at]),
    };
    return { asked, open: this.#open, joins: this.#joins };
  }
}

/**
 * Match weights: each word's share of the idf, at least 1, so that a product without it never has all words. The heaviest word has what
 * rounding leaves: they add up to ALL_WORDS.
 */
export function withMatchWeights(asked: WordsAsked): WordsAsked {
  const idfs = asked.groups.map(({ idf = 0 }) => idf);
  const total = idfs.reduce((sum, idf) => sum + idf, 0);
  const shares = idfs.map((idf) => Math.max(1, Math.floor((ALL_WORDS * idf) / total)));
  const heaviest = idfs.indexOf(Math.max(...idfs));
  if (heaviest >= 0) shares[heaviest] += ALL_WORDS - shares.reduce((sum, one) => sum + one, 0);
  return { ...asked, matchWeights: shares };
}

type Role = "asked" | "optional" | "unwanted";

/** What follows "without", up to the next stop word, need not match; stop words need not either, beside other words. */
function rolesOf({ terms, sequence, stopWords }: WordQuery, { data }: Analyzer): Role[] {
  const roles = terms.map((_, at): Role => (stopWords[at] ? "optional" : "asked"));
  let isBehind = false;
  for (const at of sequence) {
    if (data.without.has(terms[at])) {
      roles[at] = "optional";
      isBehind = true;
    } else if (stopWords[at]) isBehind = false;
    else if (isBehind) roles[at] = "unwanted";
  }
  return roles.includes("asked") ? roles : terms.map(() => "asked");
}

/** What a word is replaced by, as a word of its own. */
export function partOf(word: string, analyzer: Analyzer): TermGroup {
  return new WordBuilder(word, 1, analyzer, { stems: true }).group();
}

/** A word that neighbours are replaced by: apart, as they were typed, it counts where they stand side by side. */
function joinOf({ word, parts }: Join, analyzer: Analyzer): TermGroup {
  const builder = new WordBuilder(word, 1, analyzer, { stems: true, onlyOwnCounts: true });
  builder.addWhole(parts, READING.split, 0, "split");
  return builder.group();
}
