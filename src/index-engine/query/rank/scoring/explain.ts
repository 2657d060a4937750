/**
 * Explains a product's score in numbers and words (`trace=Explain`). Uses the functions that ranked it, for one row.
 *
 *   text 7.2: 10 times 61200 of 85000
 *   field_value_factor(stock) = 14 (value 14), weight 2.5: 35
 *   score-mode sum: 35; boost-mode avg of 7.2 and 35: 21.1
 */
import type { Segment } from "../../../segment/model/index.ts";
import { finalScores, productSubjects } from "./final.ts";
import { columnsOf, type DroppedFunction, type FunctionBody, type ScoringPlan } from "./plan.ts";
import { textScore } from "./text.ts";
import { valueOfUnits } from "./units.ts";
import { featureValues, functionValues, type Subjects } from "./values.ts";

interface ScorePart {
  /** Position in the configuration's score-functions. */
  readonly position: number;
  /** `field_value_factor(stock)`. */
  readonly name: string;
  /** Values of its fields; null if the product has none. */
  readonly fields: Readonly<Record<string, number | null>>;
  readonly value: number;
  readonly weight: number;
  /** value * weight. */
  readonly share: number;
}

export interface ScoreExplanation {
  /** 0..10; 1 without a query. */
  readonly text: number;
  /** Text score and its upper bound for the query, in engine units; null without a query. */
  readonly words: { readonly score: number; readonly atMost: number } | null;
  readonly features: readonly ScorePart[];
  /** Text and features. */
  readonly base: number;
  readonly functions: readonly ScorePart[];
  readonly dropped: readonly DroppedFunction[];
  readonly scoreMode: ScoringPlan["scoreMode"];
  readonly boostMode: ScoringPlan["boostMode"];
  /** Null, like `score`, if a private field contributes, whose value could be derived from it. */
  readonly final: number | null;
  /** The integer used for ordering (units.ts). */
  readonly score: number | null;
  readonly lines: readonly string[];
}

/**
 * @param textUnits text score of the row; null: no query
 * @param isPrivate whether a column is private; results of functions that use it are left out too
 */
export function explainScore(
  segment: Segment,
  row: number,
  textUnits: number | null,
  plan: ScoringPlan,
  maxScore: number,
  isPrivate: (column: string) => boolean,
): ScoreExplanation {
  const rows = Uint32Array.of(row);
  const text = textUnits === null ? textScore(0, 0) : textScore(textUnits, maxScore);
  const base = Float64Array.of(text);
  const subjects = productSubjects(segment, rows, base);
  const features = plan.features.map((feature): ScorePart => {
    const [value] = featureValues(feature, subjects);
    const name = `rank_feature ${feature.modifier}(${feature.column})`;
    return part(feature.position, name, [feature.column], value, 1, subjects);
  });
  for (const { share } of features) base[0] += share;
  const functions = plan.functions.map(({ position, type, body, weight }): ScorePart => {
    const [value] = functionValues(body, subjects);
    return part(position, nameOf(type, body), fieldsOf(body), value, weight, subjects);
  });
  const scores = textUnits === null ? null : Int32Array.of(textUnits);
  const [score] = finalScores(segment, rows, scores, plan, maxScore);
  const withoutPrivate = (parts: readonly ScorePart[]): ScorePart[] =>
    parts.filter(({ fields }) => !Object.keys(fields).some(isPrivate));
  const shownFeatures = withoutPrivate(features);
  const shownFunctions = withoutPrivate(functions);
  const isWhole = shownFeatures.length === features.length && shownFunctions.length === functions.length;
  const explanation = {
    text,
    words: textUnits === null || !(maxScore > 0) ? null : { score: textUnits, atMost: maxScore },
    features: shownFeatures,
    base: shownFeatures.length < features.length ? text : base[0],
    functions: shownFunctions,
    dropped: plan.dropped,
    scoreMode: plan.scoreMode,
    boostMode: plan.boostMode,
    final: isWhole ? valueOfUnits(score) : null,
    score: isWhole ? score : null,
  };
  return { ...explanation, lines: linesOf(explanation) };
}

export function columnsRead({ features, functions }: ScoringPlan): string[] {
  return [...features.map(({ column }) => column), ...functions.flatMap(({ body }) => fieldsOf(body))];
}

function part(
  position: number,
  name: string,
  columns: readonly string[],
  value: number,
  weight: number,
  subjects: Subjects,
): ScorePart {
  const fields: Record<string, number | null> = {};
  for (const column of columns) {
    const read = subjects.column(column)?.[0] ?? NaN;
    fields[column] = Number.isNaN(read) ? null : read;
  }
  return { position, name, fields, value, weight, share: value * weight };
}

function fieldsOf(body: FunctionBody): readonly string[] {
  switch (body.kind) {
    case "weight":
    case "random":
      return [];
    case "fieldValue":
    case "decay":
      return [body.column];
    case "script":
      return columnsOf(body.script);
  }
}

function nameOf(type: string, body: FunctionBody): string {
  switch (body.kind) {
    case "weight":
      return type;
    case "random":
      return `${type}(seed ${body.seed})`;
    case "fieldValue": {
      const factor = body.factor === 1 ? "" : `${body.factor} * `;
      const inner = `${factor}${body.column}`;
      return body.modifier === "none" ? `${type}(${inner})` : `${type} ${body.modifier}(${inner})`;
    }
    case "decay":
      return `${type}(${body.column})`;
    case "script":
      return `${type} ${body.code.trim()}`;
  }
}

function linesOf(explained: Omit<ScoreExplanation, "lines">): string[] {
  const { words, text, features, functions, dropped, scoreMode, boostMode, base } = explained;
  const lines = [
    words === null
      ? `text ${shown(text)}: nothing was asked`
      : `text ${shown(text)}: 10 times ${shown(words.score)} of ${shown(words.atMost)}`,
    ...features.map((each) => `${describe(each)} is added: +${shown(each.share)}`),
    ...functions.map((each) => {
      const weighted = each.weight === 1 ? "" : `, weight ${each.weight}: ${shown(each.share)}`;
      return `${describe(each)}${weighted}`;
    }),
    ...dropped.map(({ position, reason }) => `function ${position} takes no part: ${reason}`),
  ];
  if (explained.final === null) return lines;
  const final = shown(explained.final);
  lines.push(
    functions.length === 0
      ? `score ${final}`
      : `score-mode ${scoreMode}, boost-mode ${boostMode} with ${shown(base)}: score ${final}`,
  );
  return lines;
}

function describe({ name, fields, value }: ScorePart): string {
  const read = Object.entries(fields).map(
    ([field, number]) => `${field} ${number === null ? "missing" : shown(number)}`,
  );
  return `${name} = ${shown(value)}${read.length === 0 ? "" : ` (${read.join(", ")})`}`;
}

/** At most four decimals. */
function shown(value: number): string {
  return String(Math.round(value * 10_000) / 10_000);
}
