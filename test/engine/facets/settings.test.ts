/**
 * 1. The five value orders.
 * 2. Filter dependencies: AND inside, OR between, `*`, ancestors of paths, case, custom parameters, malformed
 *    conditions.
 * 3. Which settings and shape a counted field gets, by type and kind of values; what is said of a type that does not
 *    fit.
 */
import { describe, expect, test } from "vitest";
import { dependenciesHold, parseDependencies } from "../../../src/index-engine/answer/facets/dependencies.ts";
import { mismatches, settingsOf } from "../../../src/index-engine/answer/facets/shape.ts";
import { orderEntries } from "../../../src/index-engine/answer/facets/value-order.ts";
import { TextValue } from "../../../src/index-engine/answer/facets/written-value.ts";
import type { FacetKind } from "../../../src/index-engine/segment/model/index.ts";
import type { ResolvedFilter } from "../../../src/index-engine/query/filter/index.ts";
import {
  BUILT_IN_FACETS,
  DEFAULT_TERM_FACET,
  VALUE_ORDERS,
  type FacetConfig,
  type FilterParameter,
  type ValueOrder,
} from "../../../src/interface/index.ts";

interface Ordered {
  readonly count: number;
  readonly written: TextValue;
}

function valueOf(text: string, count: number): Ordered {
  return { count, written: new TextValue("term", text.toLowerCase(), text, null) };
}

function namesOf(entries: readonly Ordered[]): string[] {
  return entries.map(({ written }) => written.text);
}

describe("1: orders", () => {
  const entries = [
    valueOf("10 cm", 3),
    valueOf("9 cm", 5),
    valueOf("Über", 3),
    valueOf("apfel", 1),
    valueOf("Äpfel", 1),
    valueOf("1,75 l", 2),
    valueOf("1.5 l", 9),
    valueOf("-2", 1),
  ];
  const expected: Record<ValueOrder, string[]> = {
    COUNT: ["1.5 l", "9 cm", "10 cm", "Über", "1,75 l", "-2", "apfel", "Äpfel"],
    ALPHANUM_ASC: ["-2", "1,75 l", "1.5 l", "10 cm", "9 cm", "apfel", "Äpfel", "Über"],
    ALPHANUM_DESC: ["Über", "Äpfel", "apfel", "9 cm", "10 cm", "1.5 l", "1,75 l", "-2"],
    HUMAN_NUMERIC_ASC: ["-2", "1.5 l", "1,75 l", "9 cm", "10 cm", "apfel", "Äpfel", "Über"],
    HUMAN_NUMERIC_DESC: ["Über", "Äpfel", "apfel", "10 cm", "9 cm", "1,75 l", "1.5 l", "-2"],
  };
  test.each(VALUE_ORDERS)("%s", (order) => {
    expect(namesOf(orderEntries(entries, order, "en"))).toEqual(expected[order]);
    expect(namesOf(orderEntries(entries.toReversed(), order, "en"))).toEqual(expected[order]);
  });

  test("sizes", () => {
    const sizes = ["XL", "W 32 L 34", "W 32 L 4", "W 9 L 34", "38", "7"];
    const sorted = orderEntries(
      sizes.map((key) => valueOf(key, 1)),
      "HUMAN_NUMERIC_ASC",
      "en",
    );
    expect(namesOf(sorted)).toEqual(["7", "38", "W 9 L 34", "W 32 L 4", "W 32 L 34", "XL"]);
  });
});

function filter(
  kind: FacetKind,
  field: string,
  values: readonly string[],
  more: Partial<ResolvedFilter> = {},
): ResolvedFilter {
  const texts = [values];
  return { field, kind, byId: false, negated: false, values, texts, ranges: [], post: false, ...more };
}

describe("2: dependencies", () => {
  const active = [
    filter("term", "brand", ["Nike", "A,B"]),
    filter("path", "category", ["Men/Shoes"]),
    filter("path", "category", ["/1/11"], { byId: true }),
    filter("number", "price", ["10", "20"]),
    filter("term", "color", ["red"], { negated: true }),
    filter("term", "limit", ["low"]),
    filter("term", "maker.id", ["Acme", "Bolt"]),
  ];
  const sent: FilterParameter[] = [
    { name: "brand", negated: false, values: ["Nike"] },
    { name: "f.maker.id", negated: false, values: ["Acme", "Bolt"] },
    { name: "channel", negated: false, values: ["app"] },
    { name: "several", negated: false, values: ["a", "b"] },
  ];
  const cases: readonly [readonly string[], boolean][] = [
    [[], true],
    [["brand=nike"], true],
    [["brand=NIKE"], true],
    [["brand=puma"], false],
    [["brand=puma", "brand=nike"], true],
    [["brand=nike,a%2Cb"], true],
    [["brand=nike,puma"], false],
    [["brand=*"], true],
    [["category=Men"], true],
    [["category=Men/Shoes"], true],
    [["category=men"], false],
    [["category=Me"], false],
    [["category=Men%2FShoes&brand=nike"], true],
    [["category=Men&brand=puma"], false],
    [["category.id=11"], true],
    [["category.id=1"], false],
    [["price=10.0"], true],
    [["price=15"], false],
    [["color=red"], false],
    [["color=*"], false],
    [["limit=low"], true],
    [["f.limit=low"], true],
    [["maker.id=bolt"], true],
    [["f.maker.id=acme,bolt"], true],
    [["f.maker.id=cord"], false],
    [["f.maker=acme"], false],
    [["channel=app"], true],
    [["channel=web"], false],
    [["channel=*"], true],
    [["several=a"], false],
    [["nothing=*"], false],
    // Malformed ones are dropped; without any left there is no condition.
    [["brand="], true],
    [["a=b=c", "nonsense"], true],
    [["brand=", "brand=puma"], false],
    [["brand=%E0%A4%A"], false],
  ];
  test.each(cases)("%j", (conditions, holds) => {
    expect(dependenciesHold(parseDependencies(conditions), active, sent)).toBe(holds);
  });

  test("no filters and no parameters", () => {
    expect(dependenciesHold(parseDependencies(["brand=*"]), [], [])).toBe(false);
    for (const value of ["bar", "BAR"]) {
      const sent = { name: "foo", negated: false, values: [value] };
      expect(dependenciesHold(parseDependencies(["foo=Bar"]), [], [sent])).toBe(true);
    }
  });
});

describe("3: settings", () => {
  const config = (type: FacetConfig["type"]): FacetConfig => ({
    ...DEFAULT_TERM_FACET,
    sourceField: "size",
    label: "Size",
    type,
  });
  const shapeOf = (
    type: FacetConfig["type"] | undefined,
    kind: FacetKind,
    kinds: readonly FacetKind[] = [kind],
  ): unknown => {
    const facets = type === undefined ? [] : [config(type)];
    const settings = settingsOf("size", kind, () => kinds, { ...BUILT_IN_FACETS, facets });
    return settings === null ? null : [settings.shape, settings.label];
  };

  test("by kind of values", () => {
    expect(shapeOf(null, "term")).toEqual([{ type: "term" }, "Size"]);
    expect(shapeOf(null, "path")).toEqual([{ type: "hierarchical" }, "Size"]);
    expect(shapeOf(null, "number")).toEqual([{ type: "interval", width: null }, "Size"]);
    expect(shapeOf(undefined, "number")).toEqual([{ type: "interval", width: null }, "size"]);
  });

  // The table of shape.ts: what fits has the settings' label, what does not is as if not given and is said in a
  // warning.
  const number = { type: "interval", width: null };
  const table: readonly [NonNullable<FacetConfig["type"]>, FacetKind, unknown][] = [
    [{ kind: "term" }, "term", [{ type: "term" }, "Size"]],
    [{ kind: "term" }, "path", [{ type: "hierarchical" }, "size"]],
    [{ kind: "term" }, "number", [{ type: "term" }, "Size"]],
    [{ kind: "hierarchical" }, "term", [{ type: "term" }, "size"]],
    [{ kind: "hierarchical" }, "path", [{ type: "hierarchical" }, "Size"]],
    [{ kind: "hierarchical" }, "number", [number, "size"]],
    [{ kind: "interval", width: null }, "term", [{ type: "term" }, "size"]],
    [{ kind: "interval", width: 5 }, "path", [{ type: "hierarchical" }, "size"]],
    [{ kind: "interval", width: null }, "number", [number, "Size"]],
    [{ kind: "interval", width: 5 }, "number", [{ type: "interval", width: 5 }, "Size"]],
    [{ kind: "range" }, "term", [{ type: "term" }, "size"]],
    [{ kind: "range" }, "path", [{ type: "hierarchical" }, "size"]],
    [{ kind: "range" }, "number", [{ type: "range" }, "Size"]],
    [{ kind: "ignore" }, "term", null],
    [{ kind: "ignore" }, "path", null],
    [{ kind: "ignore" }, "number", null],
    [{ kind: "index_name" }, "term", null],
  ];
  test.each(table)("%j of %s values", (type, kind, expected) => {
    expect(shapeOf(type, kind)).toEqual(expected);
    const warnings = mismatches({ ...BUILT_IN_FACETS, facets: [config(type)] }, () => [kind]);
    const isAsIfNotGiven = Array.isArray(expected) && expected[1] === "size";
    expect(warnings).toHaveLength(isAsIfNotGiven ? 1 : 0);
  });

  test("a warning names the field; none for a field without values, or with some that fit", () => {
    const facets = { ...BUILT_IN_FACETS, facets: [config({ kind: "range" })] };
    expect(mismatches(facets, () => ["term"])).toEqual([
      'facet "size": type range does not fit its strings, its settings are ignored',
    ]);
    expect(mismatches(facets, () => [])).toEqual([]);
    expect(mismatches(facets, () => ["term", "number"])).toEqual([]);
  });

  test("but stray values of another kind make no second facet", () => {
    expect(shapeOf({ kind: "range" }, "term", ["term", "number"])).toBeNull();
    expect(shapeOf({ kind: "range" }, "number", ["term", "number"])).toEqual([{ type: "range" }, "Size"]);
    expect(shapeOf({ kind: "term" }, "number", ["term", "number"])).toBeNull();
    expect(shapeOf({ kind: "term" }, "term", ["term", "number"])).toEqual([{ type: "term" }, "Size"]);
  });
});
