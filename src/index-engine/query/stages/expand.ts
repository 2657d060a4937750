/**
 * Words + stage + what the dictionary says -> the query a stage runs.
 *
 * Every word becomes one group; everything that may stand for it is an alternative of the group, worth a share of a full match:
 *
 *   the word itself 1          a form of it (stem) 0.8        what a rule says: its weight
 *   another writing of a number, unit or code 0.95            written together or apart 0.9
 *   the beginning of a word 0.7                               one typo 0.6, two typos 0.4          n-grams 0.5 * share
 *
 * What stands for several words at once ("headphones" for "head phones") is an alternative of each of them, worth its share
 * divided by how many they are, so that it counts for all of them and not several times.
 *
 * Pure: equal words, stage and source give an equal query on every shard (invariant I4).
 */
import type { Analyzer } from "../../analysis/index.ts";
import { joinsOf, numberForms, type TypoTerm } from "../../expansion/index.ts";
import type { TermGroup, WholeAlternative } from "../../rank/index.ts";
import type { WordQuery, WordsAsked } from "../plan.ts";
import { READING } from "../relevance/policy.ts";
import { typedGroups } from "../title-words.ts";
import { MIN_PREFIX_LENGTH, WordBuilder } from "../word-builder.ts";
import { requiredWords } from "./min-should-match.ts";
import type { ExpansionSource, TypoSetting } from "./source.ts";
import type { StagePlan } from "./stage.ts";

export const NGRAM_FACTOR = 0.5;
/** Shorter words are rather words of their own. */
const MIN_ELIDED_LENGTH = 3;

/**
 * Not weighed yet.
 * @param stage its position among the stages of the query
 */
export function expandStage(
  query: WordQuery,
  plan: StagePlan,
  stage: number,
  source: ExpansionSource,
  analyzer: Analyzer,
): WordsAsked {
  const { stems, expansions } = plan;
  const builders = query.terms.map(
    (term, at) => new WordBuilder(term, query.factors[at], analyzer, { stems }),
  );
  const corrected: [string, readonly string[]][] = [];

  for (const { terms, words, factor, isPhrase } of query.synonyms) {
    const share = factor / terms.length;
    for (const at of terms) {
      const [only] = words;
      if (words.length === 1 && only !== undefined) {
        builders[at].addForms(only, share, "synonym");
      } else {
        builders[at].addWhole(words, share, isPhrase ? plan.phraseSlop : null, "synonym");
      }
    }
  }
  const known = (term: string): boolean => source.knownIn(term) > 0;
  const sequence = query.sequence.map((at) => query.terms[at]);
  const covered = (first: number, count: number): readonly number[] => [
    ...new Set(query.sequence.slice(first, first + count)),
  ];
  if (expansions.joins) {
    for (const { first, count, term } of joinsOf(sequence, analyzer.data.compounds)) {
      if (!known(term)) continue;
      const terms = covered(first, count);
      for (const at of terms) builders[at].addForms(term, READING.joined / terms.length, "joined");
    }
  }
  for (const { first, count, term } of query.glued) {
    const terms = covered(first, count);
    for (const at of terms) builders[at].addForms(term, 1 / terms.length, "joined");
  }
  if (expansions.splits) {
    query.terms.forEach((term, at) => {
      for (const parts of source.splitsOf(term)) {
        builders[at].addWhole(parts, READING.split, null, "split");
      }
      for (const rest of withoutElision(term, analyzer)) {
        if (known(rest)) builders[at].addForms(rest, READING.split, "split");
      }
    });
    for (const { first, count, alternatives } of numberFormsOf(query)) {
      const terms = covered(first, count);
      for (const words of alternatives) {
        if (!words.every(known)) continue;
        const share = READING.form / terms.length;
        const [only] = words;
        for (const at of terms) {
          if (words.length === 1 && only !== undefined) builders[at].addForms(only, share, "form");
          else builders[at].addWhole(words, share, null, "form");
        }
      }
    }
  }
  const { typos, typosForUnknownOnly } = expansions;
  if (typos !== null) {
    query.terms.forEach((term, at) => {
      if (typosForUnknownOnly && known(term)) return;
      const similar = (word: string, setting: TypoSetting): readonly TypoTerm[] =>
        source.typosOf(word, setting).filter((one) => one.term !== term);
      let found = similar(term, typos);
      // The dictionary may have only another form of the word that was meant: "earbdus", earbud.
      if (found.length === 0) found = similar(analyzer.stem(term), typos);
      found.forEach((one, i) => builders[at].addTypo(one, READING.typos, i));
      if (found.length > 0 && !known(term)) {
        corrected.push([term, found.map((one) => one.term)]);
      }
    });
  }
  const { ngrams } = expansions;
  if (ngrams !== null) {
    query.terms.forEach((term, at) => {
      for (const { term: other, share } of source.ngramsOf(term, ngrams)) {
        builders[at].addTerm(other, NGRAM_FACTOR * share, "ngram");
      }
    });
  }
  const last = query.sequence.at(-1);
  if (expansions.prefix && last !== undefined && query.terms[last].length >= MIN_PREFIX_LENGTH) {
    builders[last].addPrefix(query.terms[last], READING.prefix);
  }

  // ---- which of them must match
  const all = builders.map((builder) => builder.group());
  const isOptional = (at: number): boolean =>
    plan.stopWordsOptional && query.stopWords[at] && !query.stopWords.every(Boolean);
  const words = all.filter((_, at) => !isOptional(at));
  const optional = all.filter((_, at) => isOptional(at));
  const phrases = query.phrases.map(({ first, count }): TermGroup => {
    const quoted = query.sequence.slice(first, first + count).map((at) => all[at]);
    return phraseOf(sequence.slice(first, first + count), quoted, plan.phraseSlop);
  });
  const groups =
    plan.isPhrase && words.length > 1 ? [phraseOf(sequence, words, plan.phraseSlop)] : words;
  return {
    stage,
    number: plan.number,
    name: plan.name,
    strategy: plan.strategy,
    weights: plan.weights,
    groups,
    matchWeights: groups.map(() => 1),
    phrases,
    optional,
    typed: typedGroups(query, [...groups, ...optional]),
    unwanted: [],
    boosts: query.boosts,
    restrictions: query.restrictions,
    isSameField: plan.isSameField && groups.length > 1,
    requirement: plan.requirement.kind,
    required:
      plan.requirement.kind === "some"
        ? requiredWords(plan.requirement.rules, groups.length)
        : groups.length,
    corrected,
    unread: [],
  };
}

const knownForms = new WeakMap<WordQuery, ReturnType<typeof numberForms>>();

/** Other writings of the numbers, units and codes of a query: of the words alone, so they are worked out once for all stages. */
export function numberFormsOf(query: WordQuery): ReturnType<typeof numberForms> {
  let forms = knownForms.get(query);
  if (forms === undefined) {
    forms = numberForms(query.sequence.map((at) => query.terms[at]));
    knownForms.set(query, forms);
  }
  return forms;
}

/** "lhuile" -> huile: a word whose elided article was typed without its apostrophe. */
export function withoutElision(term: string, analyzer: Analyzer): string[] {
  return [...analyzer.data.elisions]
    .filter((elided) => term.startsWith(elided) && term.length >= elided.length + MIN_ELIDED_LENGTH)
    .map((elided) => term.slice(elided.length));
}

/** How many groups the stage asks for: known without the dictionary. */
export function requiredGroups(query: WordQuery, plan: StagePlan): number {
  const hasOthers = !query.stopWords.every(Boolean);
  const words =
    plan.stopWordsOptional && hasOthers
      ? query.stopWords.filter((isStopWord) => !isStopWord).length
      : query.terms.length;
  return plan.isPhrase && words > 1 ? 1 : words;
}

/** A group that is matched by the words in their order only. */
export function phraseOf(
  words: readonly string[],
  groups: readonly TermGroup[],
  slop: number,
): TermGroup {
  const whole: WholeAlternative = { kind: "all", groups, factor: 1, slop, origin: "word" };
  return { word: `"${words.join(" ")}"`, alternatives: [], wholes: [whole] };
}
