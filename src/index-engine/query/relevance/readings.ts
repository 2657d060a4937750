/**
 * Converts words to the query of a search without stages. All readings of a word are searched at
 * once, without an order of attempts. docs/query-core.md has the table of readings.
 *
 *   "runing shoes without laces"  runing -> running (unknown: corrected), shoes  |  unwanted: laces
 *   "procontroller"               pro, controller: adjacent in a title
 *   "ga ming mouse"               gaming, mouse
 *
 * Pure: equal words, dictionary and evidence give equal queries on every shard (invariant I4).
 */
import type { RelevanceConfig } from "../../../interface/index.ts";
import type { Analyzer } from "../../analysis/index.ts";
import type { Parts } from "../../base/index.ts";
import { decimalInches, hasDigit, measures, TYPO_SHARES, type SimilarTerm } from "../expansion/index.ts";
import type { FieldWeights, TermGroup } from "../rank/index.ts";
import type { WordQuery, WordsAsked } from "../plan.ts";
import { Reading, togetherOf } from "../reading.ts";
import type { ExpansionSource } from "../stages/dictionary.ts";
import { WordBuilder } from "../word-builder.ts";
import { likelyCorrections } from "./corrections.ts";
import { ALL_WORDS, ROLE_SHARE, READING } from "./policy.ts";
import { isLikelySplit, namedParts, negationsOf, rolesOf, type Negation, type Role } from "./roles.ts";
import { roleBoosts } from "../role-boosts.ts";
import { seamsOf, type Seams } from "./seams.ts";

/** Answers from products that make the readings final. */
interface Evidence {
  /** Unknown words that are replaced by parts. */
  readonly splits: ReadonlyMap<string, readonly string[]>;
  /** Known words that are also corrected. */
  readonly corrections: ReadonlyMap<string, readonly SimilarTerm[]>;
  /** Joined words that replace adjacent words. */
  readonly joins: ReadonlySet<string>;
  /** Unwanted words after "no" (`LanguageData.no`): those for which no product's title has "no" before them. */
  readonly unwanted: ReadonlySet<string>;
}

export const NO_EVIDENCE: Evidence = {
  splits: new Map(),
  corrections: new Map(),
  joins: new Set(),
  unwanted: new Set(),
};

export interface Read {
  /** Without idf and match weights (match-weights.ts). */
  readonly asked: WordsAsked;
  /** Words that need evidence. */
  readonly open: readonly OpenWord[];
  readonly joins: readonly Join[];
  /** "no" with the word after it, which may be unwanted. */
  readonly negations: readonly (readonly [no: string, word: string])[];
}

/** Adjacent words that may be one word. */
export interface Join {
  readonly word: string;
  readonly parts: readonly string[];
}

/** An unknown word that may be several words written together. */
interface OpenWord {
  readonly word: string;
  /** Possible splits, best first. */
  readonly splits: readonly (readonly string[])[];
  /** Products with its most frequent correction, or 0. */
  readonly correctionFrequency: number;
}

export interface ReadingInput {
  readonly words: WordQuery;
  readonly settings: RelevanceConfig;
  readonly isTyping: boolean;
  readonly weights: FieldWeights;
}

/** Yields between words: an unknown word of a language with compounds takes a millisecond. */
export function readWords(
  input: ReadingInput,
  source: ExpansionSource,
  analyzer: Analyzer,
  evidence: Evidence,
): Parts<Read> {
  return new RelevanceReading(input, source, analyzer, evidence).read();
}

/** Minimum length of a word that may be the last part of compounds, as typed and in the compound. */
const FEWEST_LETTERS = 4;
/** Longer numbers are codes. */
const SHORT_NUMBER = /^\p{Nd}{1,3}(?:\.\p{Nd}+)*$/u;

class RelevanceReading {
  readonly #input: ReadingInput;
  readonly #evidence: Evidence;
  readonly #reading: Reading;
  /** By term number. */
  readonly #isKnown: readonly boolean[];
  /** Terms replaced by other words. */
  readonly #replaced = new Map<number, readonly TermGroup[]>();
  /** Replacements of several adjacent words. */
  readonly #joined = new Set<readonly TermGroup[]>();
  readonly #open: OpenWord[] = [];
  readonly #joins: Join[] = [];
  readonly #negations: readonly Negation[];
  /** The words meant by terms that are not read as typed: parts, or the likeliest correction. */
  readonly #meant = new Map<number, readonly string[]>();
  readonly #seams: Seams;

  constructor(input: ReadingInput, source: ExpansionSource, analyzer: Analyzer, evidence: Evidence) {
    this.#input = input;
    this.#evidence = evidence;
    const { words } = input;
    this.#isKnown = words.terms.map((term) => source.knownIn(term) > 0);
    this.#negations = negationsOf(words, analyzer);
    const { roles } = rolesOf(input, analyzer, this.#negations, evidence.unwanted, this.#meant);
    const builders = words.terms.map((term, at) => {
      const options = { stems: true, onlyOwnCounts: this.#isKnown[at] };
      const isNegator = roles[at] === "optional" && !words.stopWords[at];
      const share = isNegator ? READING.without : 1;
      return new WordBuilder(term, share * words.factors[at], source, options);
    });
    this.#reading = new Reading(words, source, analyzer, builders, false);
    this.#seams = seamsOf(words, source);
  }

  *read(): Parts<Read> {
    const reading = this.#reading;
    reading.addSynonyms(0);
    for (const { word, numbers } of reading.knownJoins()) this.#readJoin(word, numbers);
    reading.addGlued();
    reading.addNumberForms(0);
    for (const [at, characters] of this.#seams.characters) {
      reading.add([at], characters, READING.split, null, "split");
    }
    this.#readInches();
    this.#readMeasures();
    for (const [at, term] of this.#input.words.terms.entries()) {
      if (this.#replaced.has(at)) continue;
      reading.addElided(at);
      if (this.#isKnown[at]) this.#readKnown(at, term);
      else if (!reading.builders[at].isRead() && !this.#readCompounds(at, term)) {
        this.#readUnknown(at, term);
      }
      yield;
    }
    this.#readCodes();
    const { terms } = this.#input.words;
    return {
      asked: this.#asked(),
      open: this.#open,
      joins: this.#joins,
      negations: this.#negations.map(({ no, at }) => [terms[no], terms[at]]),
    };
  }

  /** Reads "15 inch" as 15.6 inch, too. */
  #readInches(): void {
    const { sequence, terms } = this.#input.words;
    if (!terms.some(hasDigit)) return;
    for (let first = 0; first < sequence.length; first++) {
      for (let end = first + 1; end <= first + 2; end++) {
        const numbers = sequence.slice(first, end);
        for (const form of this.#knownDecimals(numbers.map((at) => terms[at]))) {
          this.#reading.add(numbers, form, READING.decimals, 0, "form");
        }
      }
    }
  }

  #knownDecimals(words: readonly string[]): readonly string[][] {
    return decimalInches(words).filter((form) => form.every((word) => this.#reading.source.knownIn(word) > 0));
  }

  /** Reads "8 gb" as one word, which counts in full if its parts are adjacent. */
  #readMeasures(): void {
    const { sequence, terms, stopWords, phrases } = this.#input.words;
    if (!terms.some(hasDigit)) return;
    const { source } = this.#reading;
    const isEdge = (place: number): boolean =>
      phrases.some((phrase) => phrase.first === place || phrase.first + phrase.count === place);
    for (let first = 0; first + 1 < sequence.length; first++) {
      const numbers = sequence.slice(first, first + 2);
      const parts = numbers.map((at) => terms[at]);
      const forms = measures(parts);
      const isFree = numbers.every((at) => this.#isKnown[at] && !this.#replaced.has(at));
      if (forms.length === 0 || stopWords[numbers[1]] || !isFree || isEdge(first + 1)) continue;
      const builder = new WordBuilder(parts.join(""), READING.form, source, { stems: false });
      builder.addWords(parts, 1, 0, "word");
      builder.addWords(parts, READING.apart, null, "split");
      for (const form of forms) {
        if (form.every((word) => source.knownIn(word) > 0)) builder.addWords(form, READING.form, 0, "form");
      }
      for (const form of this.#knownDecimals(parts)) builder.addWords(form, READING.decimals, 0, "form");
      const measure = [builder.group()];
      this.#joined.add(measure);
      for (const at of numbers) this.#replaced.set(at, measure);
    }
  }

  /**
   * Reads an article number with `_` as one word: `003` alone does not match `100359698_003`.
   * Numbers may share parts, as those of variants do: `100359698_001 100359698_003`.
   */
  #readCodes(): void {
    const { compounds, terms } = this.#input.words;
    const codesOf = new Map<number, TermGroup[]>();
    for (const { first, count, isCode } of compounds) {
      const numbers = [...new Set(this.#reading.places(first, count))];
      const isWhole = numbers.every((at) => hasDigit(terms[at]) && (codesOf.has(at) || !this.#replaced.has(at)));
      if (!isCode || !isWhole || numbers.length < 2) continue;
      const code = togetherOf(numbers.map((at) => this.#reading.builders[at].group()));
      // A part that belongs to another number is not asked again. If all do, the number joins the
      // group of its first part.
      const free = numbers.filter((at) => !codesOf.has(at));
      if (free.length === 0) codesOf.get(numbers[0])?.push(code);
      const codes = [code];
      this.#joined.add(codes);
      for (const at of free) {
        codesOf.set(at, codes);
        this.#replaced.set(at, codes);
      }
    }
  }

  /** Joins adjacent words if no product has them as they are. Joins others given evidence. */
  #readJoin(word: string, numbers: readonly number[]): void {
    const reading = this.#reading;
    const { phrases } = this.#input.words;
    if (reading.analyzer.data.without.has(word) && phrases.length === 0) return this.#readNegator(word, numbers);
    const parts = numbers.map((at) => this.#input.words.terms[at]);
    const isOne = this.#evidence.joins.has(word) || !numbers.some((at) => this.#isKnown[at]);
    if (isOne && !numbers.some((at) => this.#replaced.has(at))) {
      const options = { stems: true, onlyOwnCounts: true };
      const builder = new WordBuilder(word, 1, reading.source, options);
      // The parts as typed count where they are adjacent.
      builder.addWords(parts, READING.split, 0, "split");
      const together = [builder.group()];
      this.#joined.add(together);
      for (const at of numbers) this.#replaced.set(at, together);
      return;
    }
    this.#joins.push({ word, parts });
    reading.add(numbers, [word], READING.joined, null, "joined");
  }

  /** Reads "with out" as without. */
  #readNegator(word: string, numbers: readonly number[]): void {
    const negator = [new WordBuilder(word, READING.without, this.#reading.source, { stems: false }).group()];
    this.#joined.add(negator);
    numbers.forEach((at, i) => {
      this.#replaced.set(at, negator);
      this.#meant.set(at, i === 0 ? [word] : []);
    });
  }

  #readKnown(at: number, term: string): void {
    const reading = this.#reading;
    for (const parts of reading.source.splitsOf(term)) {
      reading.add([at], parts, READING.split, 0, "split");
    }
    if (this.#input.isTyping && reading.isLast(at)) {
      reading.builders[at].addPrefix(READING.prefix);
    }
    this.#addCompounds(at, term);
    const found = this.#evidence.corrections.get(term) ?? [];
    for (const one of found) reading.add([at], [one.term], one.share, null, "typo");
    reading.noteCorrected(term, found);
  }

  /** Reads "jacke" if products only have winterjacke and regenjacke. Returns whether there are any. */
  #readCompounds(at: number, term: string): boolean {
    const isFound = this.#addCompounds(at, term);
    if (isFound && this.#reading.isLast(at)) this.#reading.builders[at].addPrefix(READING.prefix);
    return isFound;
  }

  /** Adds the compounds that end with the word; returns whether there are any. */
  #addCompounds(at: number, term: string): boolean {
    const { source, analyzer, builders } = this.#reading;
    const { compounds } = analyzer.data;
    if (compounds === null || hasDigit(term) || [...term].length < FEWEST_LETTERS) return false;
    const stem = analyzer.stem(term);
    const { minPartLength } = compounds;
    // "erde" is in no "schaukelpferd".
    const isLastPart = (compound: string): boolean => {
      const whole = analyzer.stem(compound);
      return whole.endsWith(stem) && compound.length - (whole.length - stem.length) >= FEWEST_LETTERS;
    };
    const found = source
      .similarTo(stem, { kind: "compounds", minPartLength })
      .filter(({ term: compound }) => isLastPart(compound));
    for (const one of found) builders[at].addTerm(one.term, READING.compound, "split");
    return found.length > 0;
  }

  #readUnknown(at: number, term: string): void {
    const { source, analyzer, builders } = this.#reading;
    const parts = this.#evidence.splits.get(term);
    if (parts !== undefined) {
      this.#meant.set(at, parts);
      // Of "forwomen", only women has to match.
      const asked = namedParts(parts, analyzer);
      this.#replaced.set(
        at,
        asked.map((part) => source.groupOf(part)),
      );
      return;
    }
    // Without typing, "3.0" is a number and not the beginning of "3.05".
    const mayBegin = this.#reading.isLast(at) && (this.#input.isTyping || !SHORT_NUMBER.test(term));
    if (mayBegin) builders[at].addPrefix(READING.prefix);
    const isBegun = mayBegin && source.prefixFrequency(term) > 0;
    // A word that is still being typed is not a misspelling yet.
    if (isBegun && this.#input.isTyping) return;
    const found = likelyCorrections(term, analyzer, mayBegin, (likeness) =>
      this.#reading.correctionsOf(term, likeness),
    );
    const splits = source.splitsOf(term).filter((split) => isLikelySplit(split, analyzer));
    if (splits.length > 0) {
      const frequencies = found.map(({ documentFrequency }) => documentFrequency);
      this.#open.push({ word: term, splits, correctionFrequency: Math.max(0, ...frequencies) });
    }
    // A known word at the end of a compound is more than a word that differs in two letters.
    const isFar = found.every(({ share }) => share <= TYPO_SHARES[2]);
    const end = isFar && !isBegun ? this.#readEnd(at, term) : null;
    if (end !== null) {
      this.#reading.noteCorrected(term, [{ term: end }]);
      return;
    }
    builders[at].addTypos(found);
    const [likeliest] = found;
    // With another first letter it is rather another word: "bohne" is no misspelt "ohne".
    if (likeliest?.term.codePointAt(0) === term.codePointAt(0)) this.#meant.set(at, [likeliest.term]);
    if (!isBegun) this.#reading.noteCorrected(term, found);
  }

  /**
   * Reads a compound that no product has as its end, and as other compounds with that end:
   * "notebooktasche" as tasche and sporttasche. Returns the end.
   *
   * The end is the longest known word, if known words begin like the rest or other compounds have
   * this end: "gartenschlauch" is not read as "auch".
   */
  #readEnd(at: number, term: string): string | null {
    const { source, analyzer, builders } = this.#reading;
    const { compounds } = analyzer.data;
    if (compounds === null || hasDigit(term)) return null;
    const { minPartLength } = compounds;
    const last = analyzer.stem(term).slice(-FEWEST_LETTERS);
    const similar = source.similarTo(last, { kind: "compounds", minPartLength });
    const letters = [...term];
    for (let start = minPartLength; start <= letters.length - FEWEST_LETTERS; start++) {
      const end = letters.slice(start).join("");
      const stem = analyzer.stem(end);
      const isBegun = source.prefixFrequency(letters.slice(0, start).join("")) > 0;
      const others = similar.filter((one) => analyzer.stem(one.term).endsWith(stem));
      // "ocken" only has the stem of "ocker".
      const isWord = source.frequencyOf(end) > 0 || (stem.length >= FEWEST_LETTERS && source.knownIn(end) > 0);
      if (!isWord || (!isBegun && others.length === 0)) continue;
      this.#reading.add([at], [end], READING.compoundEnd, null, "split");
      for (const one of others) builders[at].addTerm(one.term, READING.compoundEnd * READING.compound, "split");
      return end;
    }
    return null;
  }

  #asked(): WordsAsked {
    const reading = this.#reading;
    const { words, settings, weights } = this.#input;
    const { terms } = words;
    const { roles, unwantedParts } = rolesOf(
      this.#input,
      reading.analyzer,
      this.#negations,
      this.#evidence.unwanted,
      this.#meant,
    );
    const isRead = reading.builders.map(
      (builder, at) => this.#replaced.has(at) || this.#isKnown[at] || builder.isRead(),
    );
    const groups = reading.builders.map((builder, at) => this.#replaced.get(at) ?? [builder.group()]);
    // By word; replacements of adjacent words are listed once.
    const groupsOf = (accept: (role: Role) => boolean): TermGroup[] => {
      const byWord = new Map<string, TermGroup>();
      roles.forEach((role, at) => {
        const isAsked = role === "optional" && this.#replaced.has(at) && !this.#meant.has(at);
        if (!isRead[at]) return;
        const ownRole = isAsked ? "asked" : role === "asked" && this.#seams.optional.has(at) ? "optional" : role;
        for (const group of groups[at]) {
          const isUnwanted = unwantedParts.get(at)?.has(group.word) ?? false;
          if (accept(isUnwanted ? "unwanted" : ownRole)) byWord.set(group.word, group);
        }
      });
      return [...byWord.values()];
    };
    const asked = groupsOf((role) => role === "asked");
    return {
      stage: 0,
      number: 0,
      name: "relevance",
      strategy: "relevance",
      weights,
      groups: asked,
      matchWeights: [],
      phrases: reading.phrases(0, (numbers) =>
        numbers
          .map((at) => groups[at])
          .filter((one, i, quoted) => one !== quoted[i - 1] || !this.#joined.has(one))
          .flat(),
      ),
      optional: groupsOf((role) => role === "optional"),
      typed: groupsOf((role) => role !== "unwanted"),
      unwanted: groupsOf((role) => role === "unwanted"),
      boosts: [...words.boosts, ...roleBoosts(asked, weights, ROLE_SHARE)],
      restrictions: words.restrictions,
      fieldsAddUp: asked.length === 1,
      isSameField: false,
      requirement: settings.fill ? "fill" : "all",
      required: ALL_WORDS,
      corrected: reading.corrected,
      unread: terms.filter((_, at) => !isRead[at]),
    };
  }
}
