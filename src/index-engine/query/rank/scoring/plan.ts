/**
 * A compiled scoring configuration (docs/scoring.md):
 *
 *   text      = 10 * text score / upper bound for words and title; 1 without a query      text.ts
 *   base      = text + sum of rank features                                               features
 *   function  = weighted values of the functions, combined by score-mode                  functions
 *   final     = base and function, combined by boost-mode; without functions: base
 *   score     = final as an integer with the same order                                   units.ts
 *
 *   score-mode   multiply, sum, max, min, first of the weighted values;
 *                avg = their sum / sum of weights
 *   boost-mode   multiply, sum, max, min; avg = (base + function) / 2; replace = function
 *
 * Negative values and NaN count as 0. A product's value of a field is the largest of its own and its variants' (6.4).
 *
 * A configured field needs usage Score. For other names a number column is enough (as for sorting). A function of a
 * field that cannot score is dropped and listed in `dropped`, because the index may have been built with another
 * configuration.
 *
 * The plan is plain data and includes all input from the request (time, parameters), so all shards score equally
 * (invariant I4).
 */
import {
  momentMs,
  readScoreFunction,
  type FieldConfig,
  type ScoreExpression,
  type ScoreFunction,
  type ScoreFunctionKind,
  type ScoringConfig,
} from "../../../../interface/index.ts";

interface ScoringContext {
  /** FieldPlan.field. */
  readonly field: (name: string) => FieldConfig | null;
  readonly nowMs: number;
  /** A parameter of the request; null if absent. */
  readonly parameter: (name: string) => string | null;
}

type Configured<Kind extends ScoreFunctionKind["kind"]> = Extract<ScoreFunctionKind, { readonly kind: Kind }>;

/** A configured function with its moment as a number. */
export type FunctionBody =
  | Configured<"weight" | "random" | "script">
  | OfColumn<Configured<"fieldValue">>
  | (OfColumn<Omit<Configured<"decay">, "origin">> & {
      /** In the unit of the column. */
      readonly origin: number;
    });

/** Configurations name fields, plans name number columns. */
type OfColumn<Body extends { readonly field: string }> = Omit<Body, "field"> & {
  readonly column: string;
};

interface ScoringFunction {
  /** Position in the configuration. */
  readonly position: number;
  readonly type: string;
  readonly body: FunctionBody;
  readonly weight: number;
  /** Also ranks variants. */
  readonly variants: boolean;
}

export interface ScoringFeature extends OfColumn<Omit<Configured<"rankFeature">, "kind" | "dynamicParam" | "boost">> {
  readonly position: number;
  /** The configured boost times the weight. Does not apply to `missing`. */
  readonly boost: number;
}

export interface DroppedFunction {
  readonly position: number;
  readonly reason: string;
}

export interface ScoringPlan {
  readonly boostMode: ScoringConfig["boostMode"];
  readonly scoreMode: ScoringConfig["scoreMode"];
  readonly functions: readonly ScoringFunction[];
  readonly features: readonly ScoringFeature[];
  readonly dropped: readonly DroppedFunction[];
  /** Whether scores depend on time or chance, so answers must not be cached (docs/behaviour.md 2.6). */
  readonly isVolatile: boolean;
}

export function compileScoring(config: ScoringConfig, context: ScoringContext): ScoringPlan {
  const functions: ScoringFunction[] = [];
  const features: ScoringFeature[] = [];
  const dropped: DroppedFunction[] = [];
  let isVolatile = false;
  config.functions.forEach((entry, position) => {
    const read = readScoreFunction(entry);
    const refused = fieldsOf(read).find((field) => !mayScore(context, field));
    if (refused !== undefined) {
      dropped.push({ position, reason: `the field ${refused} has no usage Score` });
    } else if (read.kind === "rankFeature") {
      const feature = featureOf(read, position, context);
      if (feature !== null) features.push(feature);
      else {
        const reason = `the request has no parameter ${read.dynamicParam ?? ""}`;
        dropped.push({ position, reason });
      }
    } else {
      if (isVolatileFunction(read)) isVolatile = true;
      functions.push({
        position,
        type: entry.type,
        body: bodyOf(read, context),
        weight: read.weight,
        variants: read.useForVariants ?? fieldsOf(read).some((name) => isOfVariants(context, name)),
      });
    }
  });
  const { boostMode, scoreMode } = config;
  return { boostMode, scoreMode, functions, features, dropped, isVolatile };
}

function isVolatileFunction(read: ScoreFunction): boolean {
  return (
    read.kind === "random" || (read.kind === "decay" && typeof read.origin !== "number" && read.origin.fixedMs === null)
  );
}

function featureOf(
  read: ScoreFunction & { readonly kind: "rankFeature" },
  position: number,
  context: ScoringContext,
): ScoringFeature | null {
  const { field, dynamicParam, modifier, pivot, exponent, factor, missing } = read;
  let column = field;
  if (dynamicParam !== null) {
    const feature = context.parameter(dynamicParam)?.trim() ?? "";
    if (feature === "") return null;
    column = `${field}.${feature}`;
  }
  const boost = read.boost * read.weight;
  return { position, column, modifier, boost, pivot, exponent, factor, missing };
}

function bodyOf(read: Exclude<ScoreFunction, { readonly kind: "rankFeature" }>, context: ScoringContext): FunctionBody {
  switch (read.kind) {
    case "weight":
      return { kind: "weight" };
    case "random":
      return { kind: "random", seed: read.seed };
    case "fieldValue": {
      const { field, modifier, factor, missing } = read;
      return { kind: "fieldValue", column: field, modifier, factor, missing };
    }
    case "script":
      return { kind: "script", script: read.script, code: read.code };
    case "decay": {
      const { field, shape, scale, offset, decay, missing } = read;
      const origin = typeof read.origin === "number" ? read.origin : momentMs(read.origin, context.nowMs);
      return { kind: "decay", column: field, shape, origin, scale, offset, decay, missing };
    }
  }
}

/** Distinct, in order of occurrence. */
function fieldsOf(read: ScoreFunction): string[] {
  switch (read.kind) {
    case "weight":
    case "random":
      return [];
    case "script":
      return columnsOf(read.script);
    case "fieldValue":
    case "rankFeature":
    case "decay":
      return [read.field];
  }
}

export function columnsOf(script: ScoreExpression): string[] {
  const found = new Set<string>();
  const walk = (expression: ScoreExpression): void => {
    if (expression.kind === "value" || expression.kind === "empty") found.add(expression.field);
    else if (expression.kind === "operation") expression.operands.forEach(walk);
  };
  walk(script);
  return [...found];
}

/** `features.summer` is a feature of the raw field `features`, unless a field has the whole name. */
function configuredField(context: ScoringContext, name: string): FieldConfig | null {
  const dot = name.lastIndexOf(".");
  return context.field(name) ?? (dot < 0 ? null : context.field(name.slice(0, dot)));
}

function mayScore(context: ScoringContext, name: string): boolean {
  return configuredField(context, name)?.usages.includes("Score") ?? true;
}

function isOfVariants(context: ScoringContext, name: string): boolean {
  return configuredField(context, name)?.level !== "master";
}
