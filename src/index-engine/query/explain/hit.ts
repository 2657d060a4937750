/** The explanation of one hit (explanation.ts), on the reader it came from. */
import { LIMITS } from "../../../interface/index.ts";
import {
  explainScore,
  fieldWeights,
  inStockOf,
  MAX_SCORE,
  weightOf,
  type FieldWeights,
  type TermGroup,
} from "../../rank/index.ts";
import type { EngineHit } from "../../model.ts";
import type { VariantExplanation } from "../../variants/index.ts";
import type { SearchContext } from "../context.ts";
import { MAIN_SEARCH, type Decision, type QueryPlan, type WordsAsked } from "../plan.ts";
import { Lift } from "../relevance/lift.ts";
import { ALL_WORDS } from "../relevance/policy.ts";
import { maxScoreOf } from "../scored.ts";
import { proximityIn } from "../title-words.ts";
import type {
  BoostExplanation,
  HitExplanation,
  OrderExplanation,
  TitleExplanation,
  WordExplanation,
} from "./explanation.ts";
import { linesOf } from "./lines.ts";
import { RowExplainer } from "./row.ts";

type TextPart = Pick<
  HitExplanation,
  | "field"
  | "words"
  | "missing"
  | "phrases"
  | "optional"
  | "boosts"
  | "title"
  | "order"
  | "text"
  | "matched"
  | "stage"
>;

const NO_TEXT: TextPart = {
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

/** By the page alone: so the hits of an answer are all explained or none, on every shard. */
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
  // A product that only a set named has nothing of the query.
  const isNatural = plan.includeMainResult && hit.matchedQueries[0] === executed && executed !== "";
  const text =
    isNatural && asked !== null ? explainText(context, plan, decision, hit, asked) : NO_TEXT;
  const scoring =
    isNatural && plan.scoring !== null
      ? explainScore(
          segment,
          hit.row,
          asked === null ? null : Math.min(MAX_SCORE, text.text),
          plan.scoring,
          maxScoreOf(decision, MAIN_SEARCH),
        )
      : null;
  const explained: Omit<HitExplanation, "lines"> = {
    score: scoring?.score ?? text.text,
    ...text,
    scoring,
    inStock:
      plan.isStockFirst && criteria.length === 0 && hit.set < 0
        ? inStockOf(segment)(hit.row)
        : null,
    rules: plan.rules,
    variant,
  };
  return { ...explained, lines: linesOf(explained, { executed, isNatural, decision, hit }) };
}

function explainText(
  context: SearchContext,
  plan: QueryPlan,
  decision: Decision,
  at: { readonly segment: number; readonly row: number },
  asked: WordsAsked,
): TextPart {
  const { criteria, relevance } = decision.searches[MAIN_SEARCH];
  const { query } = plan.searches[MAIN_SEARCH];
  const synonyms =
    query.kind === "stages" || query.kind === "relevance" ? query.words.synonyms : [];
  const row = new RowExplainer(context, decision, at, synonyms);
  const matched = matchedWords(context, at.segment, row, asked);
  let text = sum(matched.words);
  const optional: WordExplanation[] = [];
  for (const group of asked.optional) {
    const found = row.word(group, asked.weights);
    if (found === null) continue;
    const points = Math.min(MAX_SCORE, text + found.points) - text;
    optional.push({ ...found, points });
    text += points;
  }
  const boosts: BoostExplanation[] = [];
  for (const { factor, groups, weights, line } of asked.boosts) {
    const found = groups.map((group) => row.word(group, weights ?? asked.weights));
    if (groups.length === 0 || found.includes(null)) continue;
    const own = sum(found.filter((one) => one !== null));
    const changed =
      factor >= 1 ? text + Math.round((factor - 1) * own) : Math.max(1, Math.round(text * factor));
    const points = Math.min(MAX_SCORE, changed) - text;
    boosts.push({ line, words: groups.map(({ word }) => word), factor, points });
    text += points;
  }
  const explained = {
    stage: { number: asked.number, name: asked.name, strategy: asked.strategy },
    matched: {
      words: matched.words.length,
      of: asked.groups.length,
      required:
        relevance === null ? asked.required : relevance.isFilled ? null : asked.groups.length,
    },
    field: matched.field,
    words: matched.words,
    missing: asked.groups
      .map(({ word }) => word)
      .filter((word) => !matched.words.some((one) => one.word === word)),
    phrases: asked.phrases.map(({ word }) => word),
    optional,
    boosts,
  };
  // A sort does not ask titles, unless functions take part: these get the whole text score.
  const isSorted = criteria.length > 0 && plan.scoring === null;
  const weight = asked.groups.reduce(
    (total, { word }, i) =>
      matched.words.some((one) => one.word === word) ? total + asked.matchWeights[i] : total,
    0,
  );
  if (relevance !== null) {
    const lift = new Lift(context, at.segment, asked, relevance.votes, decision.hasHeads);
    const { title, order } = liftOf(lift, at.row, text, weight, isSorted);
    return { ...explained, title, order, text: order.score };
  }
  const { segment } = context.live(at.segment);
  const bonus = isSorted
    ? null
    : proximityIn(segment, asked.typed, asked.weights, (term) => context.lists(term)[at.segment]);
  const title = titleOf(bonus?.explain(at.row) ?? null);
  return { ...explained, title, order: null, text: text + (title?.points ?? 0) };
}

/** What the order makes of a text score, where no stages are configured. */
function liftOf(
  lift: Lift,
  row: number,
  text: number,
  weight: number,
  isSorted: boolean,
): { readonly title: TitleExplanation | null; readonly order: OrderExplanation } {
  const share = Math.round((weight * 1_000) / ALL_WORDS) / 1_000;
  if (isSorted) {
    const score = Math.floor((text * weight) / ALL_WORDS);
    return { title: null, order: { share, head: 1, categories: 1, unwanted: 1, score } };
  }
  const { factors, title } = lift.explain(row);
  return {
    title: titleOf(title),
    order: {
      share,
      head: factors.head / 1_000,
      categories: factors.categories / 1_000,
      unwanted: factors.unwanted / 1_000,
      score: lift.of(text, weight, row),
    },
  };
}

/** The words in all searched fields, or in the one field where they score best. */
function matchedWords(
  context: SearchContext,
  s: number,
  row: RowExplainer,
  asked: WordsAsked,
): { readonly field: string | null; readonly words: readonly WordExplanation[] } {
  const inFields = (weights: FieldWeights): WordExplanation[] =>
    asked.groups.flatMap((group: TermGroup) => row.word(group, weights) ?? []);
  if (!asked.isSameField) return { field: null, words: inFields(asked.weights) };
  let best: { field: string | null; words: WordExplanation[] } = { field: null, words: [] };
  for (const field of context.live(s).segment.searchFields) {
    const weight = weightOf(asked.weights, field);
    if (weight <= 0) continue;
    const found = inFields(fieldWeights([{ field, weight }], new Map(), asked.weights.tie));
    const isBetter =
      sum(found) > sum(best.words) ||
      // Field ordinals differ between segments; of equal fields the first name is told.
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
