/**
 * 1. Dates: what is one, without a zone in UTC, and moments around them.
 * 2. Scripts: grammar, precedence, and errors that name line and column.
 * 3. Random scripts print and parse back to what they were.
 * 4. Options of score functions in any spelling; bad ones are refused with their path as it was written.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  momentMs,
  parseDate,
  parseDuration,
  parseMoment,
  parseScoreExpression,
  readConfiguration,
  readScoreFunction,
  resolveTenantConfig,
  SCORE_OPERATIONS,
  type ScoreExpression,
  type ScoreOperation,
} from "../../src/interface/index.ts";
import { forAll, runs } from "../support/property.ts";
import { table } from "../support/table.ts";

describe("1. dates", () => {
  test.each<[string, string | null]>([
    ["2020-01-02", "2020-01-02T00:00:00.000Z"],
    ["2020-01-02T03:04", "2020-01-02T03:04:00.000Z"],
    ["2020-01-02 03:04:05", "2020-01-02T03:04:05.000Z"],
    ["2020-01-02T03:04:05.678Z", "2020-01-02T03:04:05.678Z"],
    ["2020-01-02T03:04:05+02:00", "2020-01-02T01:04:05.000Z"],
    ["2020-01-02T03:04:05-0130", "2020-01-02T04:34:05.000Z"],
    [" 2024-02-29 ", "2024-02-29T00:00:00.000Z"],
    ["2023-02-29", null],
    ["2020-13-01", null],
    ["2020-01-02T24:00", null],
    ["2020-01", null],
    ["yesterday", null],
    ["20200102", null],
  ])("%s", (text, expected) => {
    const ms = parseDate(text);
    expect(Number.isNaN(ms) ? null : new Date(ms).toISOString()).toBe(expected);
  });

  const NOW_MS = Date.parse("2026-11-22T10:20:30.400Z");
  test.each<[string, string | null]>([
    ["now", "2026-11-22T10:20:30.400Z"],
    ["NOW", "2026-11-22T10:20:30.400Z"],
    ["now-10d", "2026-11-12T10:20:30.400Z"],
    ["now+1M/M", "2026-12-01T00:00:00.000Z"],
    ["now/d", "2026-11-22T00:00:00.000Z"],
    ["now/w", "2026-11-16T00:00:00.000Z"],
    ["now-1y/h", "2025-11-22T10:00:00.000Z"],
    ["2024-01-31||+1M", "2024-02-29T00:00:00.000Z"],
    ["2024-01-31||-90m", "2024-01-30T22:30:00.000Z"],
    ["2024-01-31", "2024-01-31T00:00:00.000Z"],
    ["now-10", null],
    ["later", null],
    ["2024-01-31+1M", null],
  ])("moment %s", (text, expected) => {
    const moment = parseMoment(text);
    expect(moment === null ? null : new Date(momentMs(moment, NOW_MS)).toISOString()).toBe(expected);
  });

  test.each<[string, number]>([
    ["10d", 864_000_000],
    ["1.5h", 5_400_000],
    ["2w", 1_209_600_000],
    ["30 s", 30_000],
    ["5ms", 5],
    ["10", NaN],
    ["d", NaN],
    ["3 moons", NaN],
  ])("duration %s", (text, expected) => {
    expect(parseDuration(text)).toBe(expected);
  });
});

describe("2. scripts", () => {
  /** As a text with all parentheses. */
  const shown = (expression: ScoreExpression): string => {
    switch (expression.kind) {
      case "number":
        return String(expression.value);
      case "score":
        return "_score";
      case "value":
        return expression.field;
      case "empty":
        return `no ${expression.field}`;
      case "operation":
        return `${expression.operation}(${expression.operands.map(shown).join(" ")})`;
    }
  };

  test.each<[string, string]>([
    ["1 + 2 * 3", "+(1 *(2 3))"],
    ["(1 + 2) * 3", "*(+(1 2) 3)"],
    ["8 - 3 - 2", "-(-(8 3) 2)"],
    ["8 / 4 % 3", "%(/(8 4) 3)"],
    ["-2 ^ 2", "negate(pow(2 2))"],
    ["2 ^ 3 ^ 2", "pow(2 pow(3 2))"],
    ["2 ^ -1", "pow(2 negate(1))"],
    ["+_score", "_score"],
    ["1 < 2 && 3 >= 4 || !0", "||(&&(<(1 2) >=(3 4)) not(0))"],
    ["1 ? 2 : 3 ? 4 : 5", "if(1 2 if(3 4 5))"],
    ["max(1, 2, 3)", "max(max(1 2) 3)"],
    ["Math.log10(1e3 + .5)", "log10(+(1000 0.5))"],
    ["doc['stock'].value", "stock"],
    ['doc["scores.stock"]', "stock"],
    ["doc['variants.scores.a.b'].value", "a.b"],
    ["doc['stock'].empty", "no stock"],
    ["doc['stock'].size() == 0", "==(not(no stock) 0)"],
    ["return true ? 1 : 2;", "if(1 1 2)"],
    ["sigmoid(1, 2, 3)", "sigmoid(1 2 3)"],
  ])("%s", (text, expected) => {
    expect(shown(parseScoreExpression(text))).toBe(expected);
  });

  test.each<[string, string]>([
    ["", "line 1, column 1: expected a number, a field or a function instead of the end"],
    ["1 +", "line 1, column 4: expected a number, a field or a function instead of the end"],
    ["1 2", 'line 1, column 3: expected the end of the script instead of "2"'],
    ["_score *\n  (1 + 2", 'line 2, column 9: expected ")" instead of the end'],
    ["1 < 2 < 3", 'line 1, column 7: expected the end of the script instead of "<"'],
    ["pow(1)", "line 1, column 1: pow takes 2, not 1"],
    ["doc['stock'].price", 'line 1, column 14: expected value, empty or size() instead of "price"'],
    ["doc[stock].value", 'line 1, column 5: expected the name of a field in quotes instead of "stock"'],
    ["doc[''].value", "line 1, column 5: the name of a field is empty"],
    ["1 = 2", 'line 1, column 3: "=" means nothing here'],
    ["1e999", "line 1, column 1: 1e999 is too large"],
    [`${"(".repeat(200)}1`, "line 1, column 33: nested too deeply"],
    [`${"-".repeat(200)}1`, "line 1, column 64: nested too deeply"],
    ["1+".repeat(3_000), "line 1, column 4001: a script has at most 4000 characters"],
  ])("%s", (text, message) => {
    expect(() => parseScoreExpression(text)).toThrow(message);
  });

  test("names of JavaScript mean nothing", () => {
    for (const name of ["constructor", "toString", "eval", "globalThis", "Math.constructor"]) {
      expect(() => parseScoreExpression(`${name}(1)`)).toThrow(/is not known here/);
    }
  });
});

describe("3. printing and parsing", () => {
  const PRINTED: Readonly<Partial<Record<ScoreOperation, (...texts: string[]) => string>>> = {
    not: (a) => `!(${a})`,
    negate: (a) => `-(${a})`,
    if: (a, b, c) => `(${a}) ? (${b}) : (${c})`,
  };
  const print = (expression: ScoreExpression): string => {
    switch (expression.kind) {
      case "number":
        return String(expression.value);
      case "score":
        return "_score";
      case "value":
        return `doc['${expression.field}'].value`;
      case "empty":
        return `doc['${expression.field}'].empty`;
      case "operation": {
        const { operation } = expression;
        const texts = expression.operands.map(print);
        const special = PRINTED[operation];
        if (special !== undefined) return special(...texts);
        if (/^\w+$/.test(operation)) return `${operation}(${texts.join(",")})`;
        return texts.map((text) => `(${text})`).join(operation);
      }
    }
  };
  const names = Object.keys(SCORE_OPERATIONS) as ScoreOperation[];
  const expression = fc.letrec<{ node: ScoreExpression; leaf: ScoreExpression }>((tie) => ({
    leaf: fc.oneof(
      fc.constant<ScoreExpression>({ kind: "score" }),
      fc
        .double({ min: 0, max: 1e6, noNaN: true })
        .map((value): ScoreExpression => ({ kind: "number", value: Math.abs(value) })),
      fc
        .tuple(fc.constantFrom("value" as const, "empty" as const), fc.constantFrom("a", "b.c", "ü"))
        .map(([kind, field]): ScoreExpression => ({ kind, field })),
    ),
    node: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      tie("leaf"),
      fc
        .constantFrom(...names)
        .chain((operation) =>
          fc
            .tuple(...Array.from({ length: SCORE_OPERATIONS[operation] }, () => tie("node")))
            .map((operands): ScoreExpression => ({ kind: "operation", operation, operands })),
        ),
    ),
  })).node;

  test("are each other's reverse", () => {
    forAll(runs(300), expression, (given) => {
      expect(parseScoreExpression(print(given))).toEqual(given);
    });
  });

  test("whatever is typed, an answer or an error of ours", () => {
    const piece = fc.constantFrom(..."()+-*/%^<>=!?:;,.[]'\"&| \n19eE", "_score", "doc", "Math", "max");
    forAll(runs(500), fc.array(piece, { maxLength: 30 }), (pieces) => {
      try {
        parseScoreExpression(pieces.join(""));
      } catch (error) {
        expect(String(error)).toMatch(/line \d+, column \d+: /);
      }
    });
  });
});

describe("4. options", () => {
  const document = (fn: unknown): unknown => ({
    ocs: { "tenant-config": { shop: { "scoring-configuration": { "score-functions": [fn] } } } },
  });
  const problems = (fn: unknown): string[] => {
    const read = readConfiguration(document(fn));
    return read.ok ? [] : read.problems.map(({ path, message }) => `${path.split("[0].")[1]}: ${message}`);
  };

  test.each(["use-for-variants", "useForVariants", "USE_FOR_VARIANTS", "Use_For_Variants"])("%s", (name) => {
    const given = { field: "stock", type: "FieldValueFactor", options: { [name]: "TRUE" } };
    const read = readConfiguration(document(given));
    const scoring = read.ok ? resolveTenantConfig(read.value, "shop", [])?.scoring : null;
    const [entry] = scoring?.functions ?? [];
    expect(entry).toEqual({
      field: "stock",
      type: "field_value_factor",
      weight: 1,
      options: { USE_FOR_VARIANTS: "TRUE" },
    });
    expect(readScoreFunction(entry).useForVariants).toBe(true);
  });

  test("every type with everything it takes", () => {
    for (const given of [
      { type: "weight", weight: 3 },
      { type: "random_score" },
      { type: "RANDOM_SCORE", field: "id", options: { "random-seed": 7 } },
      { field: "stock" },
      { field: "stock", options: { modifier: "ln2p", factor: 1.2, missing: -1 } },
      { type: "rank-feature", field: "f", options: { dynamicParam: "x", pivot: 8, boost: 2 } },
      { type: "script_score", options: { script_code: "_score * 2" } },
      { type: "decay_gauss", field: "d", options: { origin: "now", scale: "10d", offset: 0 } },
      { type: "decayLinear", field: "d", options: { origin: 5, scale: 10, offset: 1, decay: 0.3 } },
      { type: "decay_exp", field: "d", options: { origin: "2026-01-01||/M", scale: "1.5h" } },
    ]) {
      expect(problems(given)).toEqual([]);
    }
  });

  test.each(table<[unknown, string[]]>`
    ${{ type: "field_value_factor" }} | ${["field: is required for field_value_factor"]}
    ${{ field: "stock", weight: -1 }} | ${["weight: must not be negative"]}
    ${{ field: "stock", options: { modifier: "cube" } }}
      | ${['options.modifier: "cube" is none of none, log, log1p, log2p, ln, ln1p, ln2p, square, sqrt, reciprocal']}
    ${{ field: "stock", options: { factor: "much", "use-for-variants": "maybe" } }}
      | ${["options.use-for-variants: must be true or false", 'options.factor: must be a number, not "much"']}
    ${{ type: "decay_gauss", field: "age" }} | ${["options.ORIGIN: is required", "options.SCALE: is required"]}
    ${{ type: "decay_exp", field: "age", options: { Origin: "soon", scale: "0" } }}
      | ${[
        'options.Origin: "soon" is neither a number nor a date nor now',
        'options.scale: must be a number above 0, not "0"',
      ]}
    ${{ type: "decay_linear", field: "age", options: { origin: "now", scale: "10", decay: 1 } }}
      | ${[
        'options.scale: must be a duration like 10d (w, d, h, m, s, ms) above 0, not "10"',
        "options.decay: must be between 0 and 1",
      ]}
    ${{ type: "rank_feature", field: "f", options: { modifier: "sigmoid", pivot: 0, factor: 0.5 } }}
      | ${["options.pivot: must be above 0", "options.factor: must be 1 or more"]}
    ${{ type: "script_score" }} | ${["options.SCRIPT_CODE: is required"]}
    ${{ type: "script_score", options: { scriptCode: "_score * params.factor" } }}
      | ${[
        "options.scriptCode: line 1, column 10: \"params\" is not known here; known are _score, doc['field'].value and min, max, pow, log, log10, sqrt, abs, exp, floor, ceil, round, saturation, sigmoid",
      ]}
    ${{ field: "stock", options: { factr: 1 } }} | ${['options.factr: unknown key; did you mean "factor"?']}
  `)("%j", (given, expected) => {
    expect(problems(given)).toEqual(expected);
  });
});
