/**
 * Words -> what the index is asked for them, where no stages are configured. Every reading of a word is asked at once; there is no order of
 * attempts. docs/query-core.md has the table of readings.
 *
 *   "runing shoes without laces"      runing -> running (unknown: corrected)   shoes   |   unwanted: laces
 *   "procontroller"                   pro, controller: a title has them side by side
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
import type { ExpansionSource, TypoSetting } from "../stages/source.ts";
import { ALL_WORDS, EVIDENCE, READING } from "./policy.ts";

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

/** Unknown words are corrected by two edits, if they are long enough. */
export const CORRECTION: TypoSetting = { kind: "own", edits: 2 };
/** Known ones by one. */
export const KNOWN_CORRECTION: TypoSetting = { kind: "own", edits: 1 };
/** Where no other typo is found: one in the first letter. */
export const ANY_FIRST_LETTER: TypoSetting = { kind: "fuzziness", value: "AUTO:4,99" };

export interface ReadingInput {
  readonly words: WordQuery;
  readonly settings: RelevanceConfig;
  readonly isTyping: boolean;
  readonly weights: FieldWeights;
}

/** Not weighed yet; match weights follow then (`withMatchWeights`). */
export function readWords(
  { words, settings, isTyping, weights }: ReadingInput,
  source: ExpansionSource,
  analyzer: Analyzer,
  evidence: Evidence,
): Read {
  const { terms, sequence } = words;
  const roles = rolesOf(words, analyzer);
  const known = (word: string): boolean => source.knownIn(word) > 0;
  const builders = terms.map((term, at) => {
    const options = { stems: true, onlyOwnCounts: known(term) };
    return new WordBuilder(term, words.factors[at], analyzer, options);
  });
  addSynonyms(words, builders);
  const covered = (first: number, count: number): number[] => [
    ...new Set(sequence.slice(first, first + count)),
  ];
  const typed = sequence.map((at) => terms[at]);
  const replaced = new Map<number, readonly string[]>();
  /** Words that neighbours are replaced by. */
  const replacing = new Map<string, Join>();
  const joins: Join[] = [];
  for (const { first, count, term } of joinsOf(typed, analyzer.data.compounds)) {
    if (!known(term)) continue;
    const parts = covered(first, count);
    // What no product has by itself is a part of the word that it makes with its neighbour.
    const isOne = evidence.joins.has(term) || parts.some((at) => !known(terms[at]));
    if (isOne && parts.every((at) => !replaced.has(at))) {
      for (const at of parts) replaced.set(at, [term]);
      replacing.set(term, { word: term, parts: parts.map((at) => terms[at]) });
      continue;
    }
    joins.push({ word: term, parts: parts.map((at) => terms[at]) });
    for (const at of parts) builders[at].addForms(term, READING.joined, "joined");
  }
  for (const { first, count, term } of words.glued) {
    for (const at of covered(first, count)) builders[at].addForms(term, 1, "joined");
  }
  for (const { first, count, alternatives } of numberFormsOf(words)) {
    for (const form of alternatives) {
      if (!form.every(known)) continue;
      const [only] = form;
      for (const at of covered(first, count)) {
        if (form.length === 1 && only !== undefined) {
          builders[at].addForms(only, READING.form, "form");
        } else builders[at].addWhole(form, READING.form, null, "form");
      }
    }
  }
  const last = sequence.at(-1);
  const corrected: [string, readonly string[]][] = [];
  const open: OpenWord[] = [];
  terms.forEach((term, at) => {
    if (replaced.has(at)) return;
    for (const rest of withoutElision(term, analyzer)) {
      if (known(rest)) builders[at].addForms(rest, READING.split, "split");
    }
    const isLast = at === last && term.length >= MIN_PREFIX_LENGTH;
    if (known(term)) {
      for (const parts of source.splitsOf(term)) {
        builders[at].addWhole(parts, READING.split, 0, "split");
      }
      if (isLast && isTyping) builders[at].addPrefix(term, READING.prefix);
      const found = evidence.corrections.get(term) ?? [];
      for (const one of found) builders[at].addForms(one.term, READING.typos[1], "typo");
      if (found.length > 0) corrected.push([term, found.map((one) => one.term)]);
      return;
    }
    if (builders[at].isRead(source)) return;
    const parts = evidence.splits.get(term);
    if (parts !== undefined) {
      replaced.set(at, parts);
      return;
    }
    if (isLast) builders[at].addPrefix(term, READING.prefix);
    const found = correctionsOf(term, source, analyzer);
    const splits = source.splitsOf(term);
    if (splits.length > 0) {
      const frequencies = found.map(({ documentFrequency }) => documentFrequency);
      open.push({ word: term, splits, correctionFrequency: Math.max(0, ...frequencies) });
    }
    found.forEach((one, i) => builders[at].addTypo(one, READING.typos, i));
    if (found.length > 0) corrected.push([term, found.map((one) => one.term)]);
  });

  // ---- which of them count
  const all = builders.map((builder) => builder.group());
  const replacementOf = (at: number): readonly TermGroup[] | undefined =>
    replaced.get(at)?.map((word) => {
      const join = replacing.get(word);
      return join === undefined ? partOf(word, analyzer) : joinOf(join, analyzer);
    });
  const isRead = terms.map((_, at) => replaced.has(at) || builders[at].isRead(source));
  const asked = new Map<string, TermGroup>();
  const optional: TermGroup[] = [];
  const unwanted: TermGroup[] = [];
  const inOrder: TermGroup[] = [];
  terms.forEach((_, at) => {
    if (!isRead[at]) return;
    const groups = replacementOf(at) ?? [all[at]];
    if (roles[at] === "unwanted") {
      unwanted.push(...groups);
      return;
    }
    for (const group of groups) {
      if (asked.has(group.word)) continue;
      inOrder.push(group);
      if (roles[at] === "optional") optional.push(group);
      else asked.set(group.word, group);
    }
  });
  const groups = [...asked.values()];
  const read: WordsAsked = {
    stage: 0,
    number: 0,
    name: "relevance",
    strategy: "relevance",
    weights,
    groups,
    matchWeights: [],
    phrases: words.phrases.map(({ first, count }) => {
      const quoted = sequence
        .slice(first, first + count)
        .flatMap((at) => replacementOf(at) ?? [all[at]]);
      return phraseOf(typed.slice(first, first + count), quoted, 0);
    }),
    optional,
    typed: inOrder,
    unwanted,
    boosts: words.boosts,
    restrictions: words.restrictions,
    isSameField: false,
    requirement: settings.fill ? "fill" : "all",
    required: ALL_WORDS,
    corrected,
    unread: terms.filter((_, at) => !isRead[at]),
  };
  return { asked: read, open, joins };
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

// ---- roles -----------------------------------------------------------------------------------------------------------------

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

// ---- readings --------------------------------------------------------------------------------------------------------------

export function addSynonyms({ synonyms }: WordQuery, builders: readonly WordBuilder[]): void {
  for (const { terms, words, factor, isPhrase } of synonyms) {
    const [only] = words;
    for (const at of terms) {
      if (words.length === 1 && only !== undefined) {
        builders[at].addForms(only, factor, "synonym");
      } else builders[at].addWhole(words, factor, isPhrase ? 0 : null, "synonym");
    }
  }
}

/** What an unknown word may be a misspelling of, best first. */
export function correctionsOf(
  term: string,
  source: ExpansionSource,
  analyzer: Analyzer,
): readonly TypoTerm[] {
  const similar = (word: string, setting: TypoSetting): readonly TypoTerm[] =>
    source.typosOf(word, setting).filter((one) => one.term !== term);
  let found = similar(term, CORRECTION);
  // The dictionary may have only another form of the word that was meant: "earbdus", earbud.
  if (found.length === 0) found = similar(analyzer.stem(term), CORRECTION);
  return found.length > 0 ? found : similar(term, ANY_FIRST_LETTER);
}

/** Terms that a known word may be a misspelling of, by frequency alone; whether they are is asked of the products. */
export function candidatesOf(
  term: string,
  productCount: number,
  source: ExpansionSource,
  analyzer: Analyzer,
): readonly TypoTerm[] {
  if ([...term].length < EVIDENCE.letters || /\p{Nd}/u.test(term)) return [];
  const own = source.knownIn(term);
  if (own >= EVIDENCE.meant) return [];
  const stem = analyzer.stem(term);
  return source
    .typosOf(term, KNOWN_CORRECTION)
    .filter(
      ({ term: other, documentFrequency }) =>
        analyzer.stem(other) !== stem &&
        documentFrequency >= EVIDENCE.frequency * own &&
        documentFrequency * EVIDENCE.rarity < productCount,
    );
}

/** What a word is replaced by, as a word of its own. */
export function partOf(word: string, analyzer: Analyzer): TermGroup {
  return new WordBuilder(word, 1, analyzer, { stems: true }).group();
}

/** A word that neighbours are replaced by: apart, as they were typed, it counts where they stand side by side. */
export function joinOf({ word, parts }: Join, analyzer: Analyzer): TermGroup {
  const builder = new WordBuilder(word, 1, analyzer, { stems: true, onlyOwnCounts: true });
  builder.addWhole(parts, READING.split, 0, "split");
  return builder.group();
}
