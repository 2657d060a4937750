/**
 * 1. The reference's own example, dates and scripts. (Formulas of functions: scoring.property.test.ts.)
 * 2. What the request gives (time, parameters) and what the index's fields allow is decided when the plan is made.
 * 3. Random scores: the same for the same product and seed, spread evenly, independent between seeds.
 * 4. The text score is put between 0 and 10.
 * 5. Explanations say it in words.
 * 6. Thousands of functions and long scripts count as steps of the search, for products and for variants.
 */
import { describe, expect, test } from "vitest";
import {
  compileScoring,
  explainScore,
  finalScores,
  maxTextScore,
  variantScores,
} from "../../../src/index-engine/query/rank/index.ts";
import { textScore } from "../../../src/index-engine/query/rank/scoring/text.ts";
import { valueOfUnits } from "../../../src/index-engine/query/rank/scoring/units.ts";
import { work } from "../../../src/index-engine/base/index.ts";
import { compileFieldPlan } from "../../../src/index-engine/documents/index.ts";
import { scaleOf } from "../../../src/index-engine/query/rank/index.ts";
import { Similarity } from "../../../src/index-engine/query/rank/similarity.ts";
import { signatureWeights } from "../../../src/index-engine/query/rank/weights.ts";
import type { IndexableRow } from "../../../src/index-engine/segment/model/index.ts";
import {
  BUILT_IN_INDEX_CONFIG,
  type FieldConfig,
  type FieldLevel,
  type ScoringConfig,
} from "../../../src/interface/index.ts";
import { fieldOf } from "../support/configs.ts";
import { build, product } from "../support/products.ts";

const NOW_MS = Date.parse("2026-11-22T10:00:00Z");
const PRESET = compileFieldPlan(BUILT_IN_INDEX_CONFIG, "en");

type Entry = ScoringConfig["functions"][number];

function entry(type: string, field: string | null, options = {}, weight = 1): Entry {
  return { type, field, options, weight };
}

function config(
  functions: readonly Entry[],
  modes: Partial<Pick<ScoringConfig, "boostMode" | "scoreMode">> = {},
): ScoringConfig {
  return { boostMode: "replace", scoreMode: "sum", ...modes, functions };
}

function scoreField(name: string, level: FieldLevel, usage: "Score" | "Sort" = "Score"): FieldConfig {
  return fieldOf(name, { type: "number", level, usages: [usage] });
}

const FIELDS: Readonly<Record<string, FieldConfig>> = {
  stock: scoreField("stock", "both"),
  rating: scoreField("rating", "master"),
  features: { ...scoreField("features", "master"), type: "raw" },
  price: scoreField("price", "both", "Sort"),
};

function compile(
  given: ScoringConfig,
  parameters: Readonly<Record<string, string>> = {},
): ReturnType<typeof compileScoring> {
  return compileScoring(given, {
    field: (name) => FIELDS[name] ?? null,
    nowMs: NOW_MS,
    parameter: (name) => parameters[name] ?? null,
  });
}

function columns(values: Readonly<Record<string, number>>): Partial<IndexableRow> {
  return { columns: Object.entries(values).map(([field, value]) => ({ field, value })) };
}

/** The final score of one product. */
function scored(
  given: ScoringConfig,
  values: Readonly<Record<string, number>>,
  { text = null as number | null, parameters = {} } = {},
): number {
  const { segment } = build([product("p", columns(values))]);
  const scores = text === null ? null : Int32Array.of(Math.round(text * 1_000_000));
  const plan = compile(given, parameters);
  return valueOfUnits(finalScores(segment, Uint32Array.of(0), scores, plan, 10_000_000)[0]);
}

describe("1. formulas", () => {
  test("the reference's preset: average of the text and 2.5 times the stock", () => {
    const given = config([entry("field_value_factor", "stock", { MISSING: "0" }, 2.5)], { boostMode: "avg" });
    expect(scored(given, { stock: 4 }, { text: 6 })).toBe(8);
    expect(scored(given, {}, { text: 6 })).toBe(3);
  });

  test.each<[string, Record<string, string>, number | null, number]>([
    ["field_value_factor", { MODIFIER: "LOG1P" }, 999, 3],
    ["decay_gauss", { ORIGIN: "now", SCALE: "10d" }, NOW_MS - 10 * 86_400_000, 0.5],
    ["decay_exp", { ORIGIN: "now-1d/d", SCALE: "12h" }, Date.UTC(2026, 10, 21, 12), 0.5],
    ["decay_linear", { ORIGIN: "2026-11-01", SCALE: "1w" }, Date.UTC(2026, 9, 25), 0.5],
    ["decay_linear", { ORIGIN: String(NOW_MS), SCALE: "10d" }, NOW_MS + 5 * 86_400_000, 0.75],
    ["script_score", { SCRIPT_CODE: "doc['stock'].value > 10 ? 2 : 1" }, 12, 2],
    ["script_score", { SCRIPT_CODE: "return _score * doc['scores.stock'].value;" }, 12, 12],
    ["script_score", { SCRIPT_CODE: "doc['stock'].empty ? 7 : 8" }, null, 7],
    ["script_score", { SCRIPT_CODE: "doc['stock'].size() == 0 ? 7 : 8" }, 0, 8],
    ["script_score", { SCRIPT_CODE: "saturation(doc['stock'].value, 6)" }, 18, 0.75],
    ["script_score", { SCRIPT_CODE: "1 / doc['stock'].value" }, 0, 0],
  ])("%s %j of %s is %s", (type, options, stock, expected) => {
    const values = stock === null ? {} : { stock };
    expect(scored(config([entry(type, "stock", options)]), values)).toBeCloseTo(expected, 4);
  });
});

describe("2. plans", () => {
  test("the request names the feature", () => {
    const given = config([entry("rank_feature", "features", { DYNAMIC_PARAM: "season", MODIFIER: "linear" })]);
    const values = { "features.summer": 3, "features.winter": 7 };
    const asked = (season: string): number => scored(given, values, { text: 1, parameters: { season } });
    expect(asked("summer")).toBe(4);
    expect(asked("winter")).toBe(8);
    expect(asked("spring")).toBe(1);
    expect(scored(given, values, { text: 1 })).toBe(1);
    expect(compile(given).dropped).toEqual([{ position: 0, reason: "the request has no parameter season" }]);
  });

  test("fields without usage Score take no part, unknown names may have a column", () => {
    const functions = [
      entry("field_value_factor", "price"),
      entry("script_score", null, { SCRIPT_CODE: "doc['stock'].value + doc['price'].value" }),
      entry("field_value_factor", "popularity"),
    ];
    const plan = compile(config(functions));
    expect(plan.functions.map(({ position }) => position)).toEqual([2]);
    expect(plan.dropped.map(({ reason }) => reason)).toEqual([
      "the field price has no usage Score",
      "the field price has no usage Score",
    ]);
    expect(scored(config(functions), { price: 3, popularity: 8 })).toBe(8);
  });

  test("functions rank variants where their field is one of variants, or where configured", () => {
    const ranks = (given: Entry): boolean => compile(config([given])).functions[0].variants;
    expect(ranks(entry("field_value_factor", "stock"))).toBe(true);
    expect(ranks(entry("field_value_factor", "rating"))).toBe(false);
    expect(ranks(entry("script_score", null, { SCRIPT_CODE: "doc['stock'].value" }))).toBe(true);
    expect(ranks(entry("weight", null))).toBe(false);
    expect(ranks(entry("field_value_factor", "stock", { USE_FOR_VARIANTS: "FALSE" }))).toBe(false);
    expect(ranks(entry("weight", null, { USE_FOR_VARIANTS: "true" }))).toBe(true);
  });

  test("the preset's stock scores, its price does not", () => {
    const plan = compileScoring(config([entry("field_value_factor", "stock"), entry("field_value_factor", "price")]), {
      field: (name) => PRESET.field(name),
      nowMs: NOW_MS,
      parameter: () => null,
    });
    expect(plan.functions.map(({ position, variants }) => [position, variants])).toEqual([[0, true]]);
  });
});

describe("3. random scores", () => {
  const COUNT = 2_000;
  const { segment } = build(Array.from({ length: COUNT }, (_, i) => product(`SKU-${String(i).padStart(6, "0")}`)));
  const rows = Uint32Array.from({ length: COUNT }, (_, i) => i);
  const draws = (seed: string): Int32Array => {
    const plan = compile(config([entry("random_score", "stock", { RANDOM_SEED: seed })]));
    return finalScores(segment, rows, null, plan, 0);
  };

  test("evenly spread over consecutive ids", () => {
    const tenths = Array.from({ length: 10 }, () => 0);
    for (const units of draws("1")) tenths[Math.floor(units / 1_000.1)]++;
    for (const count of tenths) expect(Math.abs(count - COUNT / 10)).toBeLessThan(60);
  });

  test("seeds shuffle differently, and each always alike", () => {
    expect(draws("1")).toEqual(draws("1"));
    const [a, b] = [draws("1"), draws("2")];
    const mean = 5_000;
    let covariance = 0;
    for (let i = 0; i < COUNT; i++) covariance += (a[i] - mean) * (b[i] - mean);
    // The standard deviation of an even spread over 10,000 is 2,887.
    expect(Math.abs(covariance / COUNT / 2_887 ** 2)).toBeLessThan(0.1);
  });
});

describe("4. text", () => {
  test("between 0 and 10", () => {
    expect(textScore(0, 500)).toBe(0);
    expect(textScore(250, 500)).toBe(5);
    expect(textScore(500, 500)).toBe(10);
    expect(textScore(600, 500)).toBe(12);
    expect(textScore(0, 0)).toBe(1);
  });

  test("no product passes the bound", () => {
    const { segment } = build([product("p", { texts: [{ field: "title", text: "red ".repeat(250) }] })]);
    const weights = { key: "test", entries: [{ field: "title", weight: 1_000 }], tie: 1 };
    const scorer = new Similarity(
      segment,
      signatureWeights(segment, weights, () => "title"),
      { productCount: 1, lengthSums: [1, 0, 0] },
    );
    const [list] = [segment.terms.find("red")];
    const cursor = segment.postings.cursor();
    cursor.open(list);
    const score = scorer.score(scaleOf(1, 2), 0, cursor.code);
    expect(score).toBeLessThanOrEqual(Math.round(maxTextScore([{ idf: 2 }])));
    expect(score).toBeGreaterThan(0.99 * maxTextScore([{ idf: 2 }]));
  });
});

test("5. explanations", () => {
  const { segment } = build([product("p", columns({ stock: 14, "features.summer": 3 }), [columns({ stock: 20 })])]);
  const plan = compile(
    config(
      [
        entry("field_value_factor", "stock", { MODIFIER: "log1p", FACTOR: "2" }, 2.5),
        entry("rank_feature", "features", { DYNAMIC_PARAM: "season" }),
        entry("decay_gauss", "released", { ORIGIN: "now", SCALE: "10d", MISSING: "0.2" }),
        entry("field_value_factor", "price"),
        entry("script_score", null, { SCRIPT_CODE: "_score / 2" }),
      ],
      { boostMode: "avg" },
    ),
    { season: "summer" },
  );
  const explained = explainScore(segment, 0, 61_200, plan, 85_000, () => false);
  expect(explained.lines).toMatchInlineSnapshot(`
    [
      "text 7.2: 10 times 61200 of 85000",
      "rank_feature saturation(features.summer) = 0.75 (features.summer 3) is added: +0.75",
      "field_value_factor log1p(2 * stock) = 1.6128 (stock 20), weight 2.5: 4.032",
      "decay_gauss(released) = 0.2 (released missing)",
      "script_score _score / 2 = 3.975",
      "function 3 takes no part: the field price has no usage Score",
      "score-mode sum, boost-mode avg with 7.95: score 8.0785",
    ]
  `);
  expect(explained.functions[0]).toEqual({
    position: 0,
    name: "field_value_factor log1p(2 * stock)",
    fields: { stock: 20 },
    value: Math.log10(41),
    weight: 2.5,
    share: 2.5 * Math.log10(41),
  });
  expect(explainScore(segment, 0, null, compile(config([])), 0, () => false).lines).toMatchInlineSnapshot(`
    [
      "text 1: nothing was asked",
      "score 1",
    ]
  `);
});

test("6. many functions", () => {
  const variants = Array.from({ length: 10 }, () => columns({ stock: 1 }));
  const { segment } = build([product("p", columns({ stock: 1 }), variants)]);
  const many = (count: number): Entry[] => Array.from({ length: count }, () => entry("field_value_factor", "stock"));
  const script = (count: number): Entry =>
    entry("script_score", null, { SCRIPT_CODE: `1${" + doc['stock'].value".repeat(count)}` });
  const products = (count: number, functions: readonly Entry[]) => (): unknown =>
    work.within(() => finalScores(segment, new Uint32Array(count), null, compile(config(functions)), 0));
  const hits = (count: number, variant: number, functions: readonly Entry[]) => (): unknown =>
    work.within(() => {
      const plan = compile(config(functions));
      for (let hit = 0; hit < count; hit++) variantScores(segment, 0, new Float64Array(variant), plan);
    });
  expect(products(10_000, many(10))).not.toThrow();
  expect(products(100_000, many(100))).toThrow("searchPartSteps");
  expect(products(10_000, [script(10)])).not.toThrow();
  expect(products(100_000, [script(50)])).toThrow("searchPartSteps");
  expect(hits(100, 10, many(10))).not.toThrow();
  expect(hits(1, 10_000, many(1_000))).toThrow("searchPartSteps");
});
