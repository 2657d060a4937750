/**
 * Converts the typed text to words and applies rules.
 *
 *   text --preprocessors--> text --user query analyzer--> user words
 *        --rules--> rewritten --index analyzer--> WordQuery
 *
 * A user word may be several index terms ("t-shirt": t, shirt) or none ("&"). Distinct terms are numbered in order.
 * Phrases, synonyms and joined neighbours refer to these numbers or to places in the typed sequence.
 */
import { LIMITS, type FilterParameter, type TenantConfig } from "../../interface/index.ts";
import type { FieldPlan } from "../documents/index.ts";
import {
  type OwnMeta,
  applyRules,
  type AppliedRule,
  type CompiledRules,
  type Rewritten,
  type RewrittenWord,
} from "./rules/index.ts";
import { DOCUMENT_ID } from "./filter/index.ts";
import { fieldWeights, termGroup, type FieldWeights, type TermGroup } from "./rank/index.ts";
import { analyze, expandsByRules, preprocess, type UserWord } from "./user-query/index.ts";
import type { Expression, Restriction, ScoreBoost, Synonym, WordQuery } from "./plan.ts";
import { parseQueryString } from "./query-string.ts";
import { phraseOf } from "./reading.ts";

interface ReadQuery {
  /** Null if there were no words, or rules removed all of them. */
  readonly words: WordQuery | null;
  /** The user words after rules, as typed; used by conditions of stages. */
  readonly userWords: readonly string[];
  /** Filters from rules. */
  readonly filters: readonly FilterParameter[];
  /**
   * The query if rules removed all words: their other instructions, applied to all products. Null if there are words.
   */
  readonly withoutWords: Expression | null;
  readonly rules: readonly AppliedRule[];
  readonly meta: Readonly<Record<string, unknown>>;
}

export function readQuery(
  text: string,
  tenant: TenantConfig,
  fields: FieldPlan,
  rules: CompiledRules | null,
): ReadQuery {
  const typed = text.slice(0, LIMITS.queryCharacters.value);
  const preprocessed = preprocess(typed, tenant);
  const userWords = analyze(preprocessed, tenant).slice(0, LIMITS.queryTerms.value);
  const rewritten = rules !== null && expandsByRules(tenant) ? applyRules(rules, userWords) : unchanged(userWords);
  const words = wordQueryOf(rewritten, fields);
  const meta: OwnMeta = {};
  if (preprocessed !== typed) meta.preprocessedQuery = preprocessed;
  const texts = rewritten.words.map((word) => word.text);
  if (texts.length > 0) meta.analyzedQuery = texts.join(" ");
  const filters = rewritten.filters.flatMap((filter) => (filter.kind === "field" ? [filter.parameter] : []));
  const shown = filters.filter(({ name }) => !fields.isPrivate(name));
  if (shown.length > 0) meta.query_filters = shown.flatMap(filterTexts);
  const boosts = rewritten.boosts.filter((boost) => !isPrivateBoost(boost, fields));
  if (boosts.length > 0) {
    meta.query_boostings = boosts.map(({ factor, target }) => ({ factor, ...target }));
  }
  return {
    words: words.terms.length === 0 ? null : words,
    userWords: texts,
    filters,
    withoutWords: rewritten.words.length === 0 && userWords.length > 0 ? expressionOfRules(words) : null,
    rules: rewritten.applied,
    meta: { ...rewritten.meta, ...meta },
  };
}

/** Restrictions decide what matches and UP adds to scores. Without words there are no scores for DOWN to reduce. */
function expressionOfRules({ restrictions, boosts }: WordQuery): Expression {
  const everything: Expression = { kind: "everything", boost: 1 };
  const ups = boosts.filter(({ factor, groups }) => factor > 1 && groups.length > 0);
  if (restrictions.length === 0 && ups.length === 0) return everything;
  return {
    kind: "clauses",
    boost: 1,
    clauses: [
      { occur: "must", expression: everything },
      ...restrictions.map(({ expression, negated }) => ({
        occur: negated ? ("not" as const) : ("must" as const),
        expression,
      })),
      ...ups.map(({ factor, groups, weights }) => ({
        occur: "should" as const,
        expression: { kind: "words" as const, groups, weights, boost: factor - 1 },
      })),
    ],
  };
}

/** One text for each occurrence of the parameter. */
function filterTexts({ name, negated, values, texts = [values] }: FilterParameter): string[] {
  return texts.map((pieces) => `${name}:${negated ? "!" : ""}${pieces.join(",")}`);
}

function unchanged(words: readonly UserWord[]): Rewritten {
  return {
    words: words.map((word): RewrittenWord => ({ ...word, factor: 1, standsIn: false })),
    alternatives: [],
    filters: [],
    boosts: [],
    meta: {},
    applied: [],
  };
}

/** Converts words to terms of one index. */
function wordQueryOf(rewritten: Rewritten, fields: FieldPlan): WordQuery {
  const { analyzer } = fields;
  const numbers = new Map<string, number>();
  const factors: number[] = [];
  const sequence: number[] = [];
  const phrases: { first: number; count: number }[] = [];
  const compounds: { first: number; count: number; isCode: boolean }[] = [];
  // Where word i starts in the sequence; one more for the end.
  const starts = [0];
  for (const { text, words, factor, isPhrase } of rewritten.words) {
    const first = sequence.length;
    for (const part of words) {
      for (const term of termsOf(part, fields)) {
        let number = numbers.get(term);
        if (number === undefined) {
          if (numbers.size >= LIMITS.queryTerms.value) continue;
          number = numbers.size;
          numbers.set(term, number);
          factors.push(factor);
        }
        sequence.push(number);
      }
    }
    const count = sequence.length - first;
    if (isPhrase && count > 1) phrases.push({ first, count });
    else if (count > 1) compounds.push({ first, count, isCode: text.includes("_") });
    starts.push(sequence.length);
  }
  const terms = [...numbers.keys()];
  return {
    terms,
    factors,
    stopWords: terms.map((term) => analyzer.isStopWord(term)),
    sequence,
    compounds,
    phrases,
    glued: rewritten.words.flatMap(({ glued }, i) => {
      const [term, ...others] = glued === null ? [] : analyzer.queryTerms(glued);
      if (term === undefined || others.length > 0 || i + 2 >= starts.length) return [];
      return [{ first: starts[i], count: starts[i + 2] - starts[i], term }];
    }),
    synonyms: rewritten.alternatives.flatMap(({ first, count, words, factor, isPhrase, line }): Synonym[] => {
      const covered = new Set(sequence.slice(starts[first], starts[first + count]));
      const own = words.flatMap((word) => analyzer.queryTerms(word));
      if (covered.size === 0 || own.length === 0) return [];
      return [{ terms: [...covered], words: own, factor, isPhrase, line }];
    }),
    boosts: rewritten.boosts.filter((boost) => !isPrivateBoost(boost, fields)).map((boost) => boostOf(boost, fields)),
    restrictions: rewritten.filters.flatMap((filter) => restrictionOf(filter, fields)),
  };
}

/** A word that is written like a tag, as in `<hat>`, is no markup. */
function termsOf(word: string, { analyzer }: FieldPlan): readonly string[] {
  const terms = analyzer.queryTerms(word);
  return terms.length > 0 || !word.startsWith("<") ? terms : analyzer.queryTerms(word.replaceAll(/[<>]/gu, " "));
}

/** Private fields have no searchable text, so such a boost has no effect and is not shown. */
function isPrivateBoost({ target }: Rewritten["boosts"][number], fields: FieldPlan): boolean {
  return target.kind === "field"
    ? fields.isPrivate(target.field)
    : namesPrivate(target.kind === "raw" ? target.text : target.words.join(" "), fields);
}

/** Runs of what names consist of, and the colon after them. */
const PERHAPS_NAMES = /[\p{L}\p{N}\p{M}_.-]+:?/gu;
const BEFORE_NAME = /^[\p{M}.-]+/u;

/** Whether a query string names a private field: `-(supplier:acme OR used)`. */
function namesPrivate(text: string, fields: FieldPlan): boolean {
  const runs = text.replaceAll("\\", "").match(PERHAPS_NAMES) ?? [];
  return runs.some((run) => run.endsWith(":") && fields.isPrivate(run.slice(0, -1).replace(BEFORE_NAME, "")));
}

function boostOf({ factor, target, line }: Rewritten["boosts"][number], fields: FieldPlan): ScoreBoost {
  switch (target.kind) {
    case "words": {
      const groups = wordGroups(fields, target.words.join(" "));
      const asked = target.isPhrase ? [quoted(groups, target.slop)] : groups;
      return { factor, groups: asked, ids: [], weights: null, line };
    }
    case "field": {
      if (target.field === DOCUMENT_ID) {
        return { factor, groups: [], ids: [target.value], weights: null, line };
      }
      const weights = fieldOnly(fields, target.field);
      return { factor, groups: wordGroups(fields, target.value), ids: [], weights, line };
    }
    case "raw":
      return { factor, groups: wordGroups(fields, target.text), ids: [], weights: null, line };
  }
}

function restrictionOf(filter: Rewritten["filters"][number], fields: FieldPlan): Restriction[] {
  if (filter.kind === "field") return [];
  const { negated } = filter;
  const text = filter.kind === "raw" ? filter.text : filter.words.join(" ");
  const isPrivate = namesPrivate(text, fields);
  const parsed = filter.kind === "raw" ? expressionOf(fields, text) : null;
  if (parsed !== null) return [{ expression: parsed, negated, isPrivate }];
  const groups = wordGroups(fields, text);
  if (filter.kind === "words" && groups.length === 0) return [];
  const isPhrase = filter.kind === "words" && filter.isPhrase && groups.length > 1;
  const asked = isPhrase ? [quoted(groups, filter.slop)] : groups;
  const expression: Expression = { kind: "words", groups: asked, weights: null, boost: 1 };
  return [{ expression, negated, isPrivate }];
}

/** The distinct words of a text as groups with their stems. */
export function wordGroups(fields: FieldPlan, text: string): TermGroup[] {
  const words = new Set(fields.analyzer.queryTerms(text.slice(0, LIMITS.queryCharacters.value)));
  return [...words].slice(0, LIMITS.queryTerms.value).map((word) => termGroup(fields.analyzer, word));
}

/** Parses the query language (query-string.ts); null if the text does not fit its grammar. */
export function expressionOf(fields: FieldPlan, text: string): Expression | null {
  return parseQueryString(text, {
    groups: (words) => wordGroups(fields, words),
    fieldOnly: (field) => fieldOnly(fields, field),
  });
}

export function fieldOnly(fields: FieldPlan, field: string): FieldWeights {
  return fieldWeights([{ field, weight: 1 }], fields.searchAliases);
}

function quoted(groups: readonly TermGroup[], slop: number): TermGroup {
  const words = groups.map(({ word }) => word);
  return phraseOf(words, groups, slop, "synonym");
}
