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
import {
  MAIN_SEARCH,
  type Decision,
  type QueryPlan,
  type StageQuery,
  type WordQuery,
} from "../plan.ts";
import { maxScoreOf } from "../score.ts";
import type {
  BoostExplanation,
  HitExplanation,
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
  const { query } = plan.searches[MAIN_SEARCH];
  const { query: stage, executed, criteria } = decision.searches[MAIN_SEARCH];
  const { segment } = context.live(hit.segment);
  // A product that only a set named has nothing of the query.
  const isNatural = plan.includeMainResult && hit.matchedQueries[0] === executed && executed !== "";
  const text =
    isNatural && query.kind === "words" && stage !== null
      ? explainText(context, plan, decision, hit, query.words, stage)
      : NO_TEXT;
  const scoring =
    isNatural && plan.scoring !== null
      ? explainScore(
          segment,
          hit.row,
          stage === null ? null : Math.min(MAX_SCORE, text.text),
          plan.scoring,
          maxScoreOf(plan, decision, MAIN_SEARCH),
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
  words: WordQuery,
  stage: StageQuery,
): TextPart {
  const { required, criteria } = decision.searches[MAIN_SEARCH];
  const row = new RowExplainer(context, plan, decision, at, words.synonyms);
  const matched = matchedWords(context, at.segment, row, stage, required);
  let text = sum(matched.words);
  const optional: WordExplanation[] = [];
  for (const group of stage.optional) {
    const found = row.word(group, stage.weights);
    if (found === null) continue;
    const points = Math.min(MAX_SCORE, text + found.points) - text;
    optional.push({ ...found, points });
    text += points;
  }
  const boosts: BoostExplanation[] = [];
  for (const { factor, groups, weights, line } of words.boosts) {
    const found = groups.map((group) => row.word(group, weights ?? stage.weights));
    if (groups.length === 0 || found.includes(null)) continue;
    const own = sum(found.filter((one) => one !== null));
    const changed =
      factor >= 1 ? text + Math.round((factor - 1) * own) : Math.max(1, Math.round(text * factor));
    const points = Math.min(MAX_SCORE, changed) - text;
    boosts.push({ line, words: groups.map(({ word }) => word), factor, points });
    text += points;
  }
  // A sort does not ask titles, unless functions take part: these get the whole text score.
  const title =
    criteria.length > 0 && plan.scoring === null ? null : explainTitle(context, plan, decision, at);
  return {
    stage: { number: stage.number, name: stage.name, strategy: stage.strategy },
    matched: { words: matched.words.length, of: stage.groups.length, required },
    field: matched.field,
    words: matched.words,
    missing: stage.groups
      .map(({ word }) => word)
      .filter((word) => !matched.words.some((one) => one.word === word)),
    phrases: stage.phrases.map(({ word }) => word),
    optional,
    boosts,
    title,
    text: text + (title?.points ?? 0),
  };
}

/** The words in all searched fields, or in the one field where they score best. */
function matchedWords(
  context: SearchContext,
  s: number,
  row: RowExplainer,
  stage: StageQuery,
  required: number,
): { readonly field: string | null; readonly words: readonly WordExplanation[] } {
  const inFields = (weights: FieldWeights): WordExplanation[] =>
    stage.groups.flatMap((group: TermGroup) => row.word(group, weights) ?? []);
  if (!stage.isSameField) return { field: null, words: inFields(stage.weights) };
  let best: { field: string | null; words: WordExplanation[] } = { field: null, words: [] };
  for (const field of context.live(s).segment.searchFields) {
    const weight = weightOf(stage.weights, field);
    if (weight <= 0) continue;
    const found = inFields(fieldWeights([{ field, weight }], new Map(), stage.weights.tie));
    const isBetter =
      sum(found) > sum(best.words) ||
      // Field ordinals differ between segments; of equal fields the first name is told.
      (sum(found) === sum(best.words) && best.field !== null && field < best.field);
    if (found.length >= required && isBetter) best = { field, words: found };
  }
  return best;
}

function explainTitle(
  context: SearchContext,
  plan: QueryPlan,
  decision: Decision,
  at: { readonly segment: number; readonly row: number },
): TitleExplanation | null {
  const bonus = context.proximity(plan, decision, MAIN_SEARCH, at.segment);
  const found = bonus?.explain(at.row) ?? null;
  if (found === null) return null;
  const { field, words, parts } = found;
  const points = Object.values(parts).reduce((total, part) => total + part, 0);
  return { field, text: words.join(" "), points, parts };
}

function sum(words: readonly WordExplanation[]): number {
  return words.reduce((total, { points }) => total + points, 0);
}
