/** Explains one hit (explanation.ts) on its reader. */
import { LIMITS } from "../../../interface/index.ts";
import {
  explainScore,
  inStockOf,
  MAX_SCORE,
  STOCK_FIELD,
  weightsIn,
  type FieldWeights,
  type TermGroup,
} from "../rank/index.ts";
import { brandsAndKinds, isByBrandAndKind } from "../brand-and-kind.ts";
import { scoreOfPin } from "../pins.ts";
import type { EngineHit } from "../execution.ts";
import type { VariantExplanation } from "../variants/index.ts";
import type { SearchContext } from "../context.ts";
import { MAIN_SEARCH, type Decision, type QueryPlan, type WordsAsked } from "../plan.ts";
import { Lift } from "../relevance/lift.ts";
import { ALL_WORDS } from "../relevance/policy.ts";
import { maxScoreOf } from "../scored.ts";
import { proximityIn } from "../title-words.ts";
import type {
  BoostExplanation,
  HitExplanation,
  TextExplanation,
  TitleExplanation,
  WordExplanation,
} from "./explanation.ts";
import { linesOf } from "./lines.ts";
import { RowExplainer } from "./row.ts";

const NO_TEXT: TextExplanation = {
  stage: null,
  matched: null,
  field: null,
  words: [],
  missing: [],
  phrases: [],
  optional: [],
  boosts: [],
  title: null,
  order: null,
  text: 0,
};

/** Depends only on the page, so that either all hits of an answer are explained, on every shard, or none. */
export function areHitsExplained({ trace, limit }: QueryPlan): boolean {
  return trace.includes("Explain") && limit <= LIMITS.explainedHits.value;
}

export function explainHit(
  context: SearchContext,
  plan: QueryPlan,
  decision: Decision,
  hit: Pick<EngineHit, "segment" | "row" | "matchedQueries" | "set">,
  variant: VariantExplanation | null,
): HitExplanation {
  const { query: asked, executed, criteria } = decision.searches[MAIN_SEARCH];
  const { segment } = context.live(hit.segment);
  // A product that is only in a set does not match the query.
  const isNatural = plan.includeMainResult && hit.matchedQueries[0] === executed && executed !== "";
  const text = isNatural && asked !== null ? explainText(context, plan, decision, hit, asked) : NO_TEXT;
  const scoring =
    isNatural && plan.scoring !== null
      ? explainScore(
          segment,
          hit.row,
          asked === null ? null : Math.min(MAX_SCORE, text.text),
          plan.scoring,
          maxScoreOf(decision.searches[MAIN_SEARCH]),
          context.fields.isPrivate,
        )
      : null;
  const explained: Omit<HitExplanation, "lines"> = {
    score: scoring === null ? text.text : scoring.score,
    ...text,
    scoring,
    isBrandAndKind: isNatural && asked !== null && hit.set < 0 && isOfBrandAndKind(context, plan, decision, hit, asked),
    inStock:
      plan.isStockFirst && !context.fields.isPrivate(STOCK_FIELD) && criteria.length === 0 && hit.set < 0
        ? inStockOf(segment)(hit.row)
        : null,
    rules: plan.rules,
    variant: plan.isScorePrivate ? withoutScores(variant) : variant,
  };
  return { ...explained, lines: linesOf(explained, { executed, isNatural, decision, hit }) };
}

function isOfBrandAndKind(
  context: SearchContext,
  plan: QueryPlan,
  decision: Decision,
  at: { readonly segment: number; readonly row: number },
  asked: WordsAsked,
): boolean {
  const { criteria, relevance } = decision.searches[MAIN_SEARCH];
  if (criteria.length > 0 || !isByBrandAndKind(plan, asked, relevance)) return false;
  return brandsAndKinds(context, at.segment, asked, decision.statistics, Uint32Array.of(at.row)) !== null;
}

function withoutScores(variant: VariantExplanation | null): VariantExplanation | null {
  if (variant === null) return null;
  return { ...variant, variants: variant.variants.map((one) => ({ ...one, score: null })) };
}

function explainText(
  context: SearchContext,
  plan: QueryPlan,
  decision: Decision,
  at: { readonly segment: number; readonly row: number },
  asked: WordsAsked,
): TextExplanation {
  const { criteria, relevance } = decision.searches[MAIN_SEARCH];
  const { query } = plan.searches[MAIN_SEARCH];
  const synonyms = "words" in query ? query.words.synonyms : [];
  const row = new RowExplainer(context, decision, at, synonyms);
  const { field, words } = matchedWords(context, at.segment, row, asked);
  let text = sum(words);
  const add = (points: number): number => {
    const added = Math.min(MAX_SCORE, text + points) - text;
    text += added;
    return added;
  };
  const optional: WordExplanation[] = [];
  for (const group of asked.optional) {
    const found = row.word(group, asked.weights);
    if (found !== null) optional.push({ ...found, points: add(found.points) });
  }
  const boosts: BoostExplanation[] = [];
  const id = context.live(at.segment).segment.ids.get(at.row);
  for (const { factor, groups, ids, weights, line } of asked.boosts) {
    const found = groups.flatMap((group) => row.word(group, weights ?? asked.weights) ?? []);
    const isPinned = ids.includes(id);
    if (!isPinned && (groups.length === 0 || found.length < groups.length)) continue;
    const own = isPinned ? scoreOfPin(asked) : sum(found);
    const change = factor >= 1 ? Math.round((factor - 1) * own) : Math.max(1, Math.round(text * factor)) - text;
    const words = isPinned ? [id] : groups.map(({ word }) => word);
    const field = line === null ? (weights?.entries[0]?.field ?? null) : null;
    boosts.push({ line, field, words, factor, points: add(change) });
  }
  const has = (word: string): boolean => words.some((one) => one.word === word);
  const isFilled = relevance?.isFilled === true;
  const explained = {
    stage: { number: asked.number, name: asked.name, strategy: asked.strategy },
    matched: {
      words: words.length,
      of: asked.groups.length,
      required: isFilled ? null : relevance === null ? asked.required : asked.groups.length,
    },
    field,
    words,
    missing: asked.groups.map(({ word }) => word).filter((word) => !has(word)),
    phrases: asked.phrases.map(({ word }) => word),
    optional,
    boosts,
  };
  // A sort does not read titles, but scoring functions get the whole text score.
  const isSorted = criteria.length > 0 && plan.scoring === null;
  if (relevance === null) {
    const { segment } = context.live(at.segment);
    const listOf = (term: string): number => context.lists(term)[at.segment];
    const bonus = isSorted ? null : proximityIn(segment, asked.typed, asked.weights, listOf);
    const title = titleOf(bonus?.explain(at.row) ?? null);
    return { ...explained, title, order: null, text: text + (title?.points ?? 0) };
  }
  const weight = asked.groups.reduce((total, { word }, i) => (has(word) ? total + asked.matchWeights[i] : total), 0);
  const lift = new Lift(context, at.segment, asked, relevance.votes, decision.hasHeads);
  const { factors, title } = isSorted ? UNLIFTED : lift.explain(at.row);
  const order = {
    share: Math.round((weight * 1_000) / ALL_WORDS) / 1_000,
    head: factors.head / 1_000,
    categories: factors.categories / 1_000,
    unwanted: factors.unwanted / 1_000,
    score: isSorted ? Math.floor((text * weight) / ALL_WORDS) : lift.of(text, weight, at.row),
  };
  return { ...explained, title: titleOf(title), order, text: order.score };
}

const UNLIFTED = { factors: { head: 1_000, categories: 1_000, unwanted: 1_000 }, title: null };

/** The words in all searched fields, or in the one field where they score best. */
function matchedWords(
  context: SearchContext,
  s: number,
  row: RowExplainer,
  asked: WordsAsked,
): { readonly field: string | null; readonly words: readonly WordExplanation[] } {
  const inFields = (weights: FieldWeights): WordExplanation[] =>
    asked.groups.flatMap((group: TermGroup) => row.word(group, weights, asked.fieldsAddUp) ?? []);
  if (!asked.isSameField) return { field: null, words: inFields(asked.weights) };
  let best: { field: string | null; words: WordExplanation[] } = { field: null, words: [] };
  for (const field of context.live(s).segment.searchFields) {
    const [weights] = weightsIn(asked.weights, field);
    if (weights === undefined) continue;
    const found = inFields(weights);
    const isBetter =
      sum(found) > sum(best.words) ||
      // Field ordinals differ between segments, so ties are decided by name.
      (sum(found) === sum(best.words) && best.field !== null && field < best.field);
    if (found.length >= asked.required && isBetter) best = { field, words: found };
  }
  return best;
}

function titleOf(
  found: { field: string; words: readonly string[]; parts: TitleExplanation["parts"] } | null,
): TitleExplanation | null {
  if (found === null) return null;
  const { field, words, parts } = found;
  const points = Object.values(parts).reduce((total, part) => total + part, 0);
  return { field, text: words.join(" "), points, parts };
}

function sum(words: readonly WordExplanation[]): number {
  return words.reduce((total, { points }) => total + points, 0);
}
