/**
 * Parses the functions of a `scoring-configuration` and their options (docs/scoring.md): texts -> numbers,
 * dates, scripts. `scoreFunctionProblems` reports errors when a configuration is sent, so that later
 * reading never fails.
 *
 *   type                 options (default)
 *   weight               none: every product gets `weight`
 *   random_score         RANDOM_SEED (0): the same for a product in every answer, independent of other products
 *   field_value_factor   MODIFIER (none), FACTOR (1), MISSING (0): modifier(factor * value)
 *   rank_feature         MODIFIER (saturation), BOOST (1), PIVOT (saturation 1, sigmoid 0.5), EXPONENT (0.6), FACTOR (1),
 *                        MISSING (0), DYNAMIC_PARAM: added to the text score, before other functions apply
 *   script_score         SCRIPT_CODE: score-expression.ts
 *   decay_gauss, decay_linear, decay_exp   ORIGIN and SCALE (required), OFFSET (0), DECAY (0.5), MISSING (1)
 *   all                  USE_FOR_VARIANTS (whether the field is one of variants)
 *
 * Decay uses numbers, or time if ORIGIN is a date: then SCALE and OFFSET are durations (`10d`).
 *
 * Two defaults differ from Elasticsearch. PIVOT of saturation: there it is a mean over the index. RANDOM_SEED: there
 * it changes with every request, so a second page repeats products of the first.
 */
import type { ScoringConfig } from "./configuration.ts";
import { type Moment, parseDuration, parseMoment } from "./dates.ts";
import { parseScoreExpression, type ScoreExpression, ScoreExpressionError } from "./score-expression.ts";

export const FIELD_VALUE_MODIFIERS = [
  "none",
  "log",
  "log1p",
  "log2p",
  "ln",
  "ln1p",
  "ln2p",
  "square",
  "sqrt",
  "reciprocal",
] as const;
export type FieldValueModifier = (typeof FIELD_VALUE_MODIFIERS)[number];

export const RANK_FEATURE_MODIFIERS = ["linear", "log", "saturation", "sigmoid"] as const;
export type RankFeatureModifier = (typeof RANK_FEATURE_MODIFIERS)[number];

export type DecayShape = "gauss" | "linear" | "exp";

export type ScoreFunctionKind =
  | { readonly kind: "weight" }
  | { readonly kind: "random"; readonly seed: string }
  | {
      readonly kind: "fieldValue";
      readonly field: string;
      readonly modifier: FieldValueModifier;
      readonly factor: number;
      readonly missing: number;
    }
  | {
      readonly kind: "rankFeature";
      readonly field: string;
      readonly modifier: RankFeatureModifier;
      readonly boost: number;
      readonly pivot: number;
      readonly exponent: number;
      readonly factor: number;
      readonly missing: number;
      /** Request parameter that selects the feature `field.value`. Null: the field itself. */
      readonly dynamicParam: string | null;
    }
  | { readonly kind: "script"; readonly script: ScoreExpression; readonly code: string }
  | {
      readonly kind: "decay";
      readonly field: string;
      readonly shape: DecayShape;
      readonly origin: number | Moment;
      /** In units of the field, or in ms if the origin is a moment. */
      readonly scale: number;
      readonly offset: number;
      readonly decay: number;
      readonly missing: number;
    };

export type ScoreFunction = ScoreFunctionKind & {
  readonly weight: number;
  /** Null: only if the field is one of variants. */
  readonly useForVariants: boolean | null;
};

type Entry = ScoringConfig["functions"][number];

/** A problem and the path of the member with it: `["options", "MODIFIER"]`. */
export interface ScoreFunctionProblem {
  readonly path: readonly string[];
  readonly message: string;
}

/** Empty if `readScoreFunction` accepts the entry. */
export function scoreFunctionProblems(entry: Entry): ScoreFunctionProblem[] {
  const reader = new Reader(entry);
  reader.read();
  return reader.problems;
}

/** Throws a TypeError for an entry with problems: configurations are checked before they are stored. */
export function readScoreFunction(entry: Entry): ScoreFunction {
  const reader = new Reader(entry);
  const read = reader.read();
  const [problem] = reader.problems;
  if (problem !== undefined) {
    throw new TypeError(`score function ${entry.type}: ${problem.path.join(".")} ${problem.message}`);
  }
  return read;
}

class Reader {
  readonly problems: ScoreFunctionProblem[] = [];
  readonly #entry: Entry;

  constructor(entry: Entry) {
    this.#entry = entry;
  }

  read(): ScoreFunction {
    const { weight } = this.#entry;
    if (!(weight >= 0)) this.#problem(["weight"], "must not be negative");
    const variants = this.#options["USE_FOR_VARIANTS"]?.trim().toLowerCase();
    if (variants !== undefined && variants !== "true" && variants !== "false") {
      this.#option("USE_FOR_VARIANTS", "must be true or false");
    }
    const useForVariants = variants === undefined ? null : variants === "true";
    return { ...this.#kind(), weight, useForVariants };
  }

  get #options(): Readonly<Record<string, string | undefined>> {
    return this.#entry.options;
  }

  #kind(): ScoreFunctionKind {
    switch (this.#entry.type) {
      case "weight":
        return { kind: "weight" };
      case "random_score":
        return { kind: "random", seed: this.#options["RANDOM_SEED"]?.trim() ?? "0" };
      case "field_value_factor":
        return {
          kind: "fieldValue",
          field: this.#field(),
          modifier: this.#oneOf("MODIFIER", FIELD_VALUE_MODIFIERS, "none"),
          factor: this.#number("FACTOR", 1),
          missing: this.#number("MISSING", 0),
        };
      case "rank_feature":
        return this.#rankFeature();
      case "script_score":
        return this.#script();
      case "decay_gauss":
        return this.#decay("gauss");
      case "decay_linear":
        return this.#decay("linear");
      case "decay_exp":
        return this.#decay("exp");
      default:
        this.#problem(["type"], `"${this.#entry.type}" is no type of score function`);
        return { kind: "weight" };
    }
  }

  #rankFeature(): ScoreFunctionKind {
    const modifier = this.#oneOf("MODIFIER", RANK_FEATURE_MODIFIERS, "saturation");
    return {
      kind: "rankFeature",
      field: this.#field(),
      modifier,
      boost: this.#number("BOOST", 1, (boost) => boost >= 0, "must not be negative"),
      pivot: this.#positive("PIVOT", modifier === "sigmoid" ? 0.5 : 1),
      exponent: this.#positive("EXPONENT", 0.6),
      factor: this.#number("FACTOR", 1, (factor) => factor >= 1, "must be 1 or more"),
      missing: this.#number("MISSING", 0, (missing) => missing >= 0, "must not be negative"),
      dynamicParam: this.#options["DYNAMIC_PARAM"]?.trim() || null,
    };
  }

  #script(): ScoreFunctionKind {
    const code = this.#options["SCRIPT_CODE"] ?? "";
    try {
      return { kind: "script", script: parseScoreExpression(code), code };
    } catch (error) {
      if (!(error instanceof ScoreExpressionError)) throw error;
      this.#option("SCRIPT_CODE", code.trim() === "" ? "is required" : error.message);
      return { kind: "weight" };
    }
  }

  #decay(shape: DecayShape): ScoreFunctionKind {
    const origin = this.#origin();
    const isTime = typeof origin !== "number";
    return {
      kind: "decay",
      field: this.#field(),
      shape,
      origin,
      scale: this.#distance("SCALE", isTime),
      offset: this.#distance("OFFSET", isTime),
      decay: this.#number("DECAY", 0.5, (decay) => decay > 0 && decay < 1, "must be between 0 and 1"),
      missing: this.#number("MISSING", 1, (missing) => missing >= 0, "must not be negative"),
    };
  }

  /** A number, or a time in ms if the scale is a duration. */
  #origin(): number | Moment {
    const text = this.#options["ORIGIN"]?.trim() ?? "";
    if (text === "") {
      this.#option("ORIGIN", "is required");
      return 0;
    }
    const number = Number(text);
    if (Number.isFinite(number)) {
      const isTime = !Number.isNaN(parseDuration(this.#options["SCALE"] ?? ""));
      return isTime ? { fixedMs: number, steps: [] } : number;
    }
    const moment = parseMoment(text);
    if (moment === null) {
      this.#option("ORIGIN", `"${text}" is neither a number nor a date nor now`);
    }
    return moment ?? 0;
  }

  #distance(name: "SCALE" | "OFFSET", isTime: boolean): number {
    const text = this.#options[name]?.trim() ?? "";
    if (text === "" || (name === "OFFSET" && Number(text) === 0)) {
      if (name === "SCALE") this.#option(name, "is required");
      return name === "SCALE" ? 1 : 0;
    }
    const value = isTime ? parseDuration(text) : Number(text);
    const isGood = Number.isFinite(value) && (name === "OFFSET" ? value >= 0 : value > 0);
    if (!isGood) {
      const wanted = isTime ? "a duration like 10d (w, d, h, m, s, ms)" : "a number";
      const size = name === "SCALE" ? "above 0" : "from 0";
      this.#option(name, `must be ${wanted} ${size}, not "${text}"`);
    }
    return isGood ? value : 1;
  }

  #field(): string {
    const field = this.#entry.field?.trim() ?? "";
    if (field === "") this.#problem(["field"], `is required for ${this.#entry.type}`);
    return field;
  }

  #positive(name: string, fallback: number): number {
    return this.#number(name, fallback, (value) => value > 0, "must be above 0");
  }

  #number(name: string, fallback: number, accept: (value: number) => boolean = () => true, message = ""): number {
    const text = this.#options[name]?.trim() ?? "";
    if (text === "") return fallback;
    const value = Number(text);
    if (!Number.isFinite(value)) this.#option(name, `must be a number, not "${text}"`);
    else if (!accept(value)) this.#option(name, message);
    else return value;
    return fallback;
  }

  #oneOf<const Value extends string>(name: string, values: readonly Value[], fallback: Value): Value {
    const text = this.#options[name]?.trim().toLowerCase() ?? "";
    if (text === "") return fallback;
    const found = values.find((value) => value === text);
    if (found === undefined) this.#option(name, `"${text}" is none of ${values.join(", ")}`);
    return found ?? fallback;
  }

  #option(name: string, message: string): void {
    this.#problem(["options", name], message);
  }

  #problem(path: readonly string[], message: string): void {
    this.problems.push({ path, message });
  }
}
