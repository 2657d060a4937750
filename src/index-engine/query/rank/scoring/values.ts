/**
 * Computes functions for many products or variants at once: columns are read in bulk, and each
 * function is a loop over arrays. Every value is computed by the same operations in the same order,
 * so it does not depend on the other elements.
 */
import type { FieldValueModifier, ScoreExpression, ScoreOperation } from "../../../../interface/index.ts";
import type { FunctionBody, ScoringFeature } from "./plan.ts";
import { hashOf, randomOf } from "./random.ts";

/** The products or variants to score. */
export interface Subjects {
  readonly count: number;
  /** Values of a number column, NaN if missing; null if the segment has no such column. Must not be changed. */
  column(name: string): Float64Array | null;
  /** `_score` of scripts. */
  readonly base: Float64Array;
  /** Hash of the id of subject `i`. */
  hash(i: number): number;
}

/** For work.ts: the loops of a function over all subjects, each of about a step per subject. */
export function loopsOf(body: FunctionBody): number {
  switch (body.kind) {
    case "random":
      return 3;
    case "script":
      return loopsOfScript(body.script);
    case "weight":
    case "fieldValue":
    case "decay":
      return 1;
  }
}

function loopsOfScript(expression: ScoreExpression): number {
  if (expression.kind !== "operation") return 1;
  return expression.operands.reduce((sum, operand) => sum + loopsOfScript(operand), 1);
}

/** Unweighted values of one function, finite and >= 0, in a new array. */
export function functionValues(body: FunctionBody, subjects: Subjects): Float64Array {
  const values = rawValues(body, subjects);
  for (let i = 0; i < values.length; i++) {
    if (!(values[i] >= 0 && values[i] < Infinity)) values[i] = 0;
  }
  return values;
}

function rawValues(body: FunctionBody, subjects: Subjects): Float64Array {
  const { count } = subjects;
  switch (body.kind) {
    case "weight":
      return new Float64Array(count).fill(1);
    case "random": {
      const seedHash = hashOf(body.seed);
      const values = new Float64Array(count);
      for (let i = 0; i < count; i++) values[i] = randomOf(subjects.hash(i), seedHash);
      return values;
    }
    case "fieldValue": {
      const modify = FIELD_VALUE[body.modifier];
      const { factor, missing } = body;
      return present(subjects, body.column, missing, (value) => modify(factor * value));
    }
    case "decay": {
      const distance = distanceDecay(body);
      const { origin, offset, missing } = body;
      const column = subjects.column(body.column);
      const values = new Float64Array(count);
      for (let i = 0; i < count; i++) {
        const value = column === null ? NaN : column[i];
        values[i] = Number.isNaN(value) ? missing : distance(Math.max(0, Math.abs(value - origin) - offset));
      }
      return values;
    }
    case "script":
      return evaluate(body.script, subjects);
  }
}

/** Values of a feature; `missing` for products without it. */
export function featureValues(feature: ScoringFeature, subjects: Subjects): Float64Array {
  const { boost, missing } = feature;
  const function_ = featureFunction(feature);
  const column = subjects.column(feature.column);
  const values = new Float64Array(subjects.count);
  for (let i = 0; i < values.length; i++) {
    // A feature is a positive number; other values count as missing.
    const value = column === null ? NaN : column[i];
    const added = value > 0 ? boost * function_(value) : missing;
    values[i] = added < Infinity ? added : 0;
  }
  return values;
}

function present(subjects: Subjects, name: string, missing: number, compute: (value: number) => number): Float64Array {
  const column = subjects.column(name);
  const values = new Float64Array(subjects.count);
  const absent = compute(missing);
  for (let i = 0; i < values.length; i++) {
    const value = column === null ? NaN : column[i];
    values[i] = Number.isNaN(value) ? absent : compute(value);
  }
  return values;
}

/** `log` is base 10, `ln` is base e. */
const FIELD_VALUE: Readonly<Record<FieldValueModifier, (value: number) => number>> = {
  none: (value) => value,
  log: (value) => Math.log10(value),
  log1p: (value) => Math.log10(value + 1),
  log2p: (value) => Math.log10(value + 2),
  ln: (value) => Math.log(value),
  ln1p: (value) => Math.log(value + 1),
  ln2p: (value) => Math.log(value + 2),
  square: (value) => value * value,
  sqrt: (value) => Math.sqrt(value),
  reciprocal: (value) => 1 / value,
};

function featureFunction({ modifier, pivot, exponent, factor }: ScoringFeature): (value: number) => number {
  switch (modifier) {
    case "linear":
      return (value) => value;
    case "log":
      return (value) => Math.log(factor + value);
    case "saturation":
      return (value) => value / (value + pivot);
    case "sigmoid": {
      const middle = Math.pow(pivot, exponent);
      return (value) => {
        const power = Math.pow(value, exponent);
        return power / (power + middle);
      };
    }
  }
}

/** 1 at the origin, `decay` at the distance `scale`. */
function distanceDecay({
  shape,
  scale,
  decay,
}: FunctionBody & { readonly kind: "decay" }): (distance: number) => number {
  switch (shape) {
    case "gauss": {
      const rate = Math.log(decay) / (scale * scale);
      return (distance) => Math.exp(rate * distance * distance);
    }
    case "exp": {
      const rate = Math.log(decay) / scale;
      return (distance) => Math.exp(rate * distance);
    }
    case "linear": {
      const end = scale / (1 - decay);
      return (distance) => Math.max(0, (end - distance) / end);
    }
  }
}

// ---- scripts

const truth = (condition: boolean): number => (condition ? 1 : 0);
const holds = (value: number): boolean => value !== 0;

/** Both branches of a conditional are computed, as they have no side effects. */
const OPERATIONS: Readonly<Record<ScoreOperation, (a: number, b: number, c: number) => number>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  "%": (a, b) => a % b,
  "<": (a, b) => truth(a < b),
  "<=": (a, b) => truth(a <= b),
  ">": (a, b) => truth(a > b),
  ">=": (a, b) => truth(a >= b),
  "==": (a, b) => truth(a === b),
  "!=": (a, b) => truth(a !== b),
  "&&": (a, b) => truth(holds(a) && holds(b)),
  "||": (a, b) => truth(holds(a) || holds(b)),
  not: (a) => truth(!holds(a)),
  negate: (a) => -a,
  if: (a, b, c) => (holds(a) ? b : c),
  min: (a, b) => Math.min(a, b),
  max: (a, b) => Math.max(a, b),
  pow: (a, b) => Math.pow(a, b),
  log: (a) => Math.log(a),
  log10: (a) => Math.log10(a),
  sqrt: (a) => Math.sqrt(a),
  abs: (a) => Math.abs(a),
  exp: (a) => Math.exp(a),
  floor: (a) => Math.floor(a),
  ceil: (a) => Math.ceil(a),
  round: (a) => Math.round(a),
  saturation: (a, b) => a / (a + b),
  sigmoid: (a, b, c) => Math.pow(a, c) / (Math.pow(a, c) + Math.pow(b, c)),
};

/** Returns a new array. */
function evaluate(expression: ScoreExpression, subjects: Subjects): Float64Array {
  const { count } = subjects;
  switch (expression.kind) {
    case "number":
      return new Float64Array(count).fill(expression.value);
    case "score":
      return subjects.base.slice(0, count);
    case "value":
    case "empty": {
      const column = subjects.column(expression.field);
      const values = new Float64Array(count);
      const isValue = expression.kind === "value";
      for (let i = 0; i < count; i++) {
        const value = column === null ? NaN : column[i];
        const isMissing = Number.isNaN(value);
        values[i] = isValue ? (isMissing ? 0 : value) : truth(isMissing);
      }
      return values;
    }
    case "operation": {
      const operands = expression.operands.map((operand) => evaluate(operand, subjects));
      const [a, b = a, c = a] = operands;
      const operation = OPERATIONS[expression.operation];
      for (let i = 0; i < count; i++) a[i] = operation(a[i], b[i], c[i]);
      return a;
    }
  }
}
