/**
 * Expands the words of a stage with the dictionary. Every word becomes a group with its alternatives (reading.ts). If
 * not all words must match, a typed word that consists of several index terms becomes one group too: in `100331685 OR
 * 100359698_003`, the term `003` alone matches no product.
 *
 * Pure: equal words, stage and source give equal queries on every shard (invariant I4).
 */
import type { Analyzer } from "../../analysis/index.ts";
import type { WordQuery, WordsAsked } from "../plan.ts";
import { roleBoosts } from "../role-boosts.ts";
import { phraseOf, Reading, togetherOf } from "../reading.ts";
import { READING } from "../relevance/policy.ts";
import { typedGroups } from "../title-words.ts";
import { WordBuilder } from "../word-builder.ts";
import type { ExpansionSource } from "./dictionary.ts";
import { requiredWords, type StagePlan } from "./stage.ts";

/** Among products with equally many words, a word in the brand or kind counts as another word. */
const ROLE_SHARE = 1;

/**
 * Returns the query without idf.
 * @param stage its position among the stages of the query
 */
export function expandStage(
  query: WordQuery,
  plan: StagePlan,
  stage: number,
  source: ExpansionSource,
  analyzer: Analyzer,
): WordsAsked {
  const { terms, sequence } = query;
  const { stems, expansions, phraseSlop } = plan;
  const builders = terms.map((term, at) => new WordBuilder(term, query.factors[at], source, { stems }));
  const reading = new Reading(query, source, analyzer, builders, true);
  reading.addSynonyms(phraseSlop);
  if (expansions.joins) {
    for (const { word, numbers } of reading.knownJoins()) {
      reading.add(numbers, [word], READING.joined, null, "joined");
    }
  }
  reading.addGlued();
  if (expansions.splits) {
    terms.forEach((term, at) => {
      for (const parts of source.splitsOf(term)) {
        reading.add([at], parts, READING.split, null, "split");
      }
      reading.addElided(at);
    });
    reading.addNumberForms(null);
  }
  const { typos, ngrams, prefix } = expansions;
  terms.forEach((term, at) => {
    if (typos !== null && !(expansions.typosForUnknownOnly && reading.isKnown(term))) {
      const found = reading.correctionsOf(term, typos);
      builders[at].addTypos(found);
      if (!reading.isKnown(term)) reading.noteCorrected(term, found);
    }
    if (ngrams !== null) {
      for (const one of source.similarTo(term, ngrams)) {
        builders[at].addTerm(one.term, one.share, "ngram");
      }
    }
    if (prefix && reading.isLast(at)) builders[at].addPrefix(READING.prefix);
  });

  // ---- Which words must match
  const all = builders.map((builder) => builder.group());
  const isOptional = optionalWords(query, plan);
  const words = requiredUnits(query, plan).map(([first, ...others]) =>
    others.length === 0 ? all[first] : togetherOf([first, ...others].map((at) => all[at])),
  );
  const optional = all.filter((_, at) => isOptional[at]);
  const typed = sequence.map((at) => terms[at]);
  const groups = plan.isPhrase && words.length > 1 ? [phraseOf(typed, words, phraseSlop)] : words;
  const { requirement } = plan;
  return {
    stage,
    number: plan.number,
    name: plan.name,
    strategy: plan.strategy,
    weights: plan.weights,
    groups,
    matchWeights: groups.map(() => 1),
    phrases: reading.phrases(phraseSlop, (numbers) => numbers.map((at) => all[at])),
    optional,
    typed: typedGroups(query.terms, [...groups, ...optional]),
    unwanted: [],
    boosts:
      requirement.kind === "most" ? [...query.boosts, ...roleBoosts(groups, plan.weights, ROLE_SHARE)] : query.boosts,
    restrictions: query.restrictions,
    fieldsAddUp: false,
    isSameField: plan.isSameField && groups.length > 1,
    requirement: requirement.kind,
    required: requirement.kind === "some" ? requiredWords(requirement.rules, groups.length) : groups.length,
    corrected: reading.corrected,
    unread: [],
  };
}

/** Number of required groups, which does not depend on the dictionary. */
export function requiredGroups(query: WordQuery, plan: StagePlan): number {
  const words = requiredUnits(query, plan).length;
  return plan.isPhrase && words > 1 ? 1 : words;
}

/** The units that must match, as term numbers: a word, or the parts of one that count together. */
function requiredUnits(query: WordQuery, plan: StagePlan): [number, ...number[]][] {
  const isOptional = optionalWords(query, plan);
  const { sequence, compounds } = query;
  const isOne = plan.requirement.kind !== "all" && !plan.isPhrase;
  const units = isOne ? compounds.filter(({ isCode }) => isCode || plan.keepsCompounds) : [];
  const required = new Map<string, [number, ...number[]]>();
  for (let place = 0; place < sequence.length; place++) {
    const compound = units.find(({ first }) => first === place);
    const [first, ...others] = new Set(sequence.slice(place, place + (compound?.count ?? 1)));
    place += (compound?.count ?? 1) - 1;
    if (others.length > 0 || !isOptional[first]) required.set([first, ...others].join(), [first, ...others]);
  }
  return [...required.values()];
}

/** Per term: whether it is a stop word that is optional because other words must match. */
function optionalWords({ stopWords }: WordQuery, plan: StagePlan): readonly boolean[] {
  const mayMiss = plan.stopWordsOptional && !stopWords.every(Boolean);
  return stopWords.map((isStopWord) => mayMiss && isStopWord);
}
