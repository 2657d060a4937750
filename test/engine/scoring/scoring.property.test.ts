/**
 * 1. Random configurations over random products: every final score is that of the slow twin (to the last unit: sums
 *    are rounded once), a product's value being the biggest of its own and its variants'.
 * 2. It does not depend on which segment a product lies in, nor on which others are scored with it (I4).
 * 3. Variants score like products whose values are their own or inherited.
 * 4. What explains a score is that score: its parts put together give it.
 * 5. Units order as scores do, and stand for them.
 * 6. A plan is plain data.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  compileScoring,
  explainScore,
  finalScores,
  variantScores,
  type ScoringPlan,
} from "../../../src/index-engine/query/rank/index.ts";
import { unitsOf, valueOfUnits } from "../../../src/index-engine/query/rank/scoring/units.ts";
import type { IndexableProduct } from "../../../src/index-engine/segment/model/index.ts";
import type { FieldConfig } from "../../../src/interface/index.ts";
import { forAll, runs } from "../../support/property.ts";
import { fieldOf } from "../support/configs.ts";
import { build, product } from "../support/products.ts";
import { slowFinal, type Doc, type SlowConfig, type SlowScript } from "./slow-scoring.ts";

const NOW_MS = Date.UTC(2026, 10, 22);
const DAY_MS = 86_400_000;

const FIELDS = ["stock", "rating", "released", "features.summer", "features.winter"] as const;

function fieldConfig(name: string): FieldConfig | null {
  if (!["stock", "rating", "released", "features"].includes(name)) return null;
  const level = name === "rating" ? "master" : "both";
  return fieldOf(name, { type: "number", level, usages: ["Score"] });
}

// ---- configurations

type Entry = SlowConfig["functions"][number];

const numberText = fc.oneof(
  fc.integer({ min: -20, max: 200 }),
  fc.double({ min: -3, max: 50, noNaN: true }).map((value) => Math.round(value * 100) / 100),
);
const positive = fc.oneof(fc.integer({ min: 1, max: 60 }), fc.constantFrom(0.25, 0.5, 2.5, 1e6));
const weight = fc.constantFrom(0, 0.5, 1, 1, 2.5, 100);
const text = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<string> => value.map(String);
const options = (
  model: Record<string, fc.Arbitrary<string>>,
  required: readonly string[] = [],
): fc.Arbitrary<Record<string, string>> =>
  fc.record(model, { requiredKeys: [...required] }) as fc.Arbitrary<Record<string, string>>;
const anyField = fc.constantFrom<string>(...FIELDS, "nowhere");

/** A script as text and as a function. */
interface Script {
  readonly text: string;
  readonly run: SlowScript;
}

const script: fc.Arbitrary<Script> = fc.letrec<{ node: Script; leaf: Script }>((tie) => ({
  leaf: fc.oneof(
    fc.integer({ min: 0, max: 30 }).map((n): Script => ({ text: String(n), run: () => n })),
    fc.constant<Script>({ text: "_score", run: (score) => score }),
    anyField.map((field): Script => ({ text: `doc['${field}'].value`, run: (_, doc) => doc(field) ?? 0 })),
    anyField.map((field): Script => ({
      text: `doc["scores.${field}"].empty`,
      run: (_, doc) => (doc(field) === null ? 1 : 0),
    })),
  ),
  node: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    tie("leaf"),
    fc
      .tuple(fc.constantFrom("+", "-", "*", "/", "<", ">=", "=="), tie("node"), tie("node"))
      .map(([sign, a, b]): Script => ({
        text: `(${a.text} ${sign} ${b.text})`,
        run: (score, doc) => binary(sign, a.run(score, doc), b.run(score, doc)),
      })),
    fc.tuple(fc.constantFrom("max", "min", "Math.pow"), tie("node"), tie("node")).map(([name, a, b]): Script => ({
      text: `${name}(${a.text}, ${b.text})`,
      run: (score, doc) =>
        Math[name.replace("Math.", "") as "max" | "min" | "pow"](a.run(score, doc), b.run(score, doc)),
    })),
    fc.tuple(fc.constantFrom("log", "sqrt", "abs", "floor"), tie("node")).map(([name, a]): Script => ({
      text: `${name}(${a.text})`,
      run: (score, doc) => Math[name as "log" | "sqrt" | "abs" | "floor"](a.run(score, doc)),
    })),
    fc.tuple(tie("node"), tie("node"), tie("node")).map(([a, b, c]): Script => ({
      text: `(${a.text} ? ${b.text} : ${c.text})`,
      run: (score, doc) => (a.run(score, doc) !== 0 ? b.run(score, doc) : c.run(score, doc)),
    })),
  ),
})).node;

function binary(sign: string, a: number, b: number): number {
  switch (sign) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
      return a / b;
    case "<":
      return a < b ? 1 : 0;
    case ">=":
      return a >= b ? 1 : 0;
    default:
      return a === b ? 1 : 0;
  }
}

const entry: fc.Arbitrary<Entry> = fc.oneof(
  weight.map((value): Entry => ({ field: null, type: "weight", weight: value, options: {} })),
  fc
    .tuple(weight, options({ RANDOM_SEED: fc.constantFrom("1", "2", "x") }))
    .map(([value, given]): Entry => ({ field: "stock", type: "random_score", weight: value, options: given })),
  fc
    .tuple(
      anyField,
      weight,
      options({
        MODIFIER: fc.constantFrom(..."none LOG log1p log2p ln LN1P ln2p square sqrt reciprocal".split(" ")),
        FACTOR: text(numberText),
        MISSING: text(numberText),
      }),
    )
    .map(([field, value, given]): Entry => ({ field, type: "field_value_factor", weight: value, options: given })),
  fc
    .tuple(
      fc.constantFrom("features", "features.summer", "rating"),
      weight,
      options({
        MODIFIER: fc.constantFrom("linear", "log", "saturation", "SIGMOID"),
        BOOST: text(fc.constantFrom(0, 0.5, 3)),
        PIVOT: text(positive),
        EXPONENT: text(fc.constantFrom(0.3, 1, 2)),
        FACTOR: text(fc.constantFrom(1, 2.5)),
        MISSING: text(fc.constantFrom(0, 0.7)),
        DYNAMIC_PARAM: fc.constantFrom("season", "absent"),
      }),
    )
    .map(([field, value, given]): Entry => ({ field, type: "rank_feature", weight: value, options: given })),
  fc
    .tuple(
      fc.constantFrom("decay_gauss", "decay_linear", "decay_exp"),
      weight,
      fc.oneof(
        options(
          {
            ORIGIN: text(numberText),
            SCALE: text(positive),
            OFFSET: text(fc.integer({ min: 0, max: 20 })),
            DECAY: text(fc.constantFrom(0.1, 0.5, 0.9)),
            MISSING: text(fc.constantFrom(0, 0.25)),
          },
          ["ORIGIN", "SCALE"],
        ).map((given) => ({ field: "stock", given })),
        options(
          {
            ORIGIN: fc.constantFrom("now", String(NOW_MS - 100 * DAY_MS)),
            SCALE: fc.constantFrom("10d", "0.5d", "300d"),
            OFFSET: fc.constantFrom("0", "5d"),
            DECAY: text(fc.constantFrom(0.2, 0.5)),
          },
          ["ORIGIN", "SCALE"],
        ).map((given) => ({ field: "released", given })),
      ),
    )
    .map(([type, value, { field, given }]): Entry => ({ field, type, weight: value, options: given })),
  fc.tuple(script, weight).map(([made, value]): Entry => ({
    field: null,
    type: "script_score",
    weight: value,
    options: { SCRIPT_CODE: made.text },
    script: made.run,
  })),
);

const config: fc.Arbitrary<SlowConfig> = fc.record({
  boostMode: fc.constantFrom("multiply", "replace", "sum", "avg", "max", "min"),
  scoreMode: fc.constantFrom("multiply", "sum", "avg", "first", "max", "min"),
  functions: fc.array(entry, { maxLength: 4 }),
});

// ---- products

type Values = Readonly<Partial<Record<(typeof FIELDS)[number], number>>>;

interface Given {
  readonly own: Values;
  readonly variants: readonly Values[];
  readonly textUnits: number;
}

const values: fc.Arbitrary<Values> = fc.record(
  {
    stock: fc.integer({ min: -2, max: 60 }),
    rating: fc.constantFrom(0, 0.5, 4.7, 1e9),
    released: fc.integer({ min: -400, max: 5 }).map((days) => NOW_MS + days * DAY_MS),
    "features.summer": fc.constantFrom(0.1, 3, 40),
    "features.winter": fc.constantFrom(1, 2),
  },
  { requiredKeys: [] },
);
const MAX_SCORE = 40_000;
const products: fc.Arbitrary<Given[]> = fc.array(
  fc.record({
    own: values,
    variants: fc.array(values, { maxLength: 3 }),
    textUnits: fc.integer({ min: 0, max: MAX_SCORE }),
  }),
  { minLength: 1, maxLength: 20 },
);

const idOf = (position: number): string => `p${String(position).padStart(3, "0")}é`;

function indexable({ own, variants }: Given, position: number): IndexableProduct {
  const row = (given: Values): { columns: { field: string; value: number }[] } => ({
    columns: Object.entries(given).map(([field, value]) => ({ field, value })),
  });
  return product(idOf(position), row(own), variants.map(row));
}

const biggest =
  ({ own, variants }: Given): Doc =>
  (field) => {
    const all = [own, ...variants].flatMap((each) => each[field as keyof Values] ?? []);
    return all.length === 0 ? null : Math.max(...all);
  };

const textOf = (units: number): number => Math.min(10, (10 * units) / MAX_SCORE);

const PARAMETERS: Readonly<Record<string, string>> = { season: "summer" };

function compile(given: SlowConfig): ScoringPlan {
  return compileScoring(given, { field: fieldConfig, nowMs: NOW_MS, parameter: (name) => PARAMETERS[name] ?? null });
}

const rowsOf = (count: number): Uint32Array => Uint32Array.from({ length: count }, (_, i) => i);

test("1, 2, 4, 6: final scores are those of the slow twin, wherever products lie", () => {
  forAll(runs(400), config, products, fc.nat(), fc.boolean(), (given, all, cutAt, isAsked) => {
    const plan = compile(given);
    expect(structuredClone(plan)).toEqual(plan);
    const { segment } = build(all.map(indexable));
    // Where nothing was asked the text counts 1.
    const most = isAsked ? MAX_SCORE : 0;
    const scoresOf = (some: readonly Given[]): Int32Array | null =>
      isAsked ? Int32Array.from(some, ({ textUnits }) => textUnits) : null;
    const units = finalScores(segment, rowsOf(all.length), scoresOf(all), plan, most);
    all.forEach((each, position) => {
      const wanted = slowFinal(
        given,
        { id: idOf(position), doc: biggest(each), text: isAsked ? textOf(each.textUnits) : 1 },
        { nowMs: NOW_MS, parameters: PARAMETERS },
      );
      expect(Math.abs(units[position] - unitsOf(wanted))).toBeLessThanOrEqual(1);
      const explained = explainScore(segment, position, isAsked ? each.textUnits : null, plan, most, () => false);
      expect(explained.score).toBe(units[position]);
      expect(explained.functions.length + explained.features.length + explained.dropped.length).toBe(
        given.functions.length,
      );
    });

    // In two segments, and only some of each.
    const cut = cutAt % all.length;
    const again = [all.slice(0, cut), all.slice(cut)].flatMap((part, which) => {
      if (part.length === 0) return [];
      const built = build(part.map((each, i) => indexable(each, which === 0 ? i : cut + i)));
      const rows = rowsOf(part.length).filter((row) => row % 2 === 0);
      const some = scoresOf(Array.from(rows, (row) => part[row]));
      const found = finalScores(built.segment, rows, some, plan, most);
      return [...rows].map((row, i) => [(which === 0 ? 0 : cut) + row, found[i]]);
    });
    expect(again).toEqual(again.map(([position]) => [position, units[position]]));
  });
});

test("3: variants score by their own or inherited values", () => {
  forAll(runs(150), config, products, fc.boolean(), (given, all, matched) => {
    const plan = compile(given);
    const { segment } = build(all.map(indexable));
    // What ranks variants, as the slow twin sees it: those functions alone. Random ones are asked in a test of their
    // own.
    const ranking = plan.functions.filter(({ variants }) => variants);
    const slow: SlowConfig = { ...given, functions: ranking.map(({ position }) => given.functions[position]) };
    fc.pre(slow.functions.every(({ type }) => type !== "random_score"));
    all.forEach((each, row) => {
      const scores = Float64Array.from(each.variants, (_, i) => (matched ? i : 0));
      const found = variantScores(segment, row, scores, plan);
      expect(found.length).toBe(each.variants.length);
      each.variants.forEach((own, i) => {
        if (ranking.length === 0) {
          expect(found[i]).toBe(scores[i]);
          return;
        }
        const doc: Doc = (field) => own[field as keyof Values] ?? each.own[field as keyof Values] ?? null;
        const text = matched && each.variants.length > 1 ? i : 1;
        const wanted = slowFinal(slow, { id: "", doc, text }, { nowMs: NOW_MS, parameters: {} });
        expect(Math.abs(unitsOf(found[i]) - unitsOf(wanted))).toBeLessThanOrEqual(1);
      });
    });
  });
});

describe("5. units", () => {
  test("order as scores do", () => {
    const score = fc.oneof(
      fc.double({ min: 0, max: 20, noNaN: true }),
      fc.double({ min: 0, max: 1e5, noNaN: true }),
      fc.double({ min: 0, max: 1e19, noNaN: true }),
    );
    forAll(runs(1_000), score, score, (a, b) => {
      const [low, high] = a < b ? [a, b] : [b, a];
      expect(unitsOf(low)).toBeLessThanOrEqual(unitsOf(high));
      // Scores that differ by more than a step differ.
      if (high > low * (1 + 2e-6) && high > low + 2e-4 && high < 1e18) {
        expect(unitsOf(low)).toBeLessThan(unitsOf(high));
      }
      if (a < 1e18) expect(Math.abs(valueOfUnits(unitsOf(a)) - a)).toBeLessThanOrEqual(1e-4 + a * 1e-6);
    });
  });

  test("what is no score is 0", () => {
    expect([NaN, -1, -0, 0].map(unitsOf)).toEqual([0, 0, 0, 0]);
    expect(unitsOf(Infinity)).toBe(100_000_000);
    expect(unitsOf(1)).toBe(10_000);
  });
});
