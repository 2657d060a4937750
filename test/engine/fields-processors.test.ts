/**
 * Data processors (docs/options.md "data-processor-configuration").
 *
 *  1. Each does what its settings say (the others: claims of 6.5); settings that make no sense are an error that names
 *     the processor.
 *  2. They are idempotent on their own output, except where they move a value away, and never touch the document
 *     itself.
 *  3. A skipped document is skipped, whatever processors come later.
 */
import { describe, expect, test, vi } from "vitest";
import { checkIndexConfig, compileFieldPlan, PROCESSOR_NAMES } from "../../src/index-engine/documents/index.ts";
import { work } from "../../src/index-engine/base/index.ts";
import { PROCESSOR_NAMES as CONFIGURABLE_PROCESSORS } from "../../src/interface/configuration-schema.ts";
import { BUILT_IN_INDEX_CONFIG, type IndexConfig, LIMITS, type ProcessorConfig } from "../../src/interface/index.ts";
import { table } from "../support/table.ts";
import { fieldOf, fieldsOnly } from "./support/configs.ts";
import { indexOf } from "./support/little-shop.ts";

/** Shows everything, so that what a processor did is what a hit shows. */
const EVERYTHING = fieldOf("others", { type: "raw", level: "both" });

function configOf(processors: readonly ProcessorConfig[]): IndexConfig {
  return fieldsOnly([], { dynamicFields: [EVERYTHING], processors });
}

function run(name: string, settings: Record<string, string>, document: object): object {
  const plan = compileFieldPlan(configOf([{ name, settings }]), "de");
  const full = { id: "1", data: {}, ...document };
  const before = structuredClone(full);
  const { data } = plan.show(full, null);
  expect(full).toEqual(before);
  return data;
}

describe("1. processors", () => {
  const delimited = { a: "..x..|..y..", b: "..x..,..y..", c: "x..", d: "..one..", e: "..." };
  const split = { FieldName: "c", c_regEx: "::", c_idxToDest: "0:main;1:second", c_keepOrig: "true" };
  const splitter = { fieldName: "words", "fields.0": "title", "fields.1": "size" };
  test.each(table<[string, Record<string, string>, object, object]>`
    RemoveFieldContentDelimiterProcessor | ${{ fields: "b,d" }} | ${delimited} | ${{ ...delimited, b: "x,y", d: "one" }}
    RemoveValuesDataProcessor | ${{ t: ".*\\d+.*" }} | ${{ t: "a 12 b c3", u: 5 }} | ${{ t: "a b", u: 5 }}
    RemoveValuesDataProcessor | ${{ t: ".*" }} | ${{ t: ["a", "b"] }} | ${{}}
    ReplacePatternInValuesDataProcessor | ${{ t: "(\\d+) ?(?<u>cm)", t_replacement: "$1-${u}\\$" }} | ${{ t: "5cm 7 cm" }}
      | ${{ t: "5-cm$ 7-cm$" }}
    ReplacePatternInValuesDataProcessor | ${{ t: "[\\p{Punct}&&[^-]]+", t_replacement: "<$0>" }} | ${{ t: "Punct, up-to" }}
      | ${{ t: "Punct<,> up-to" }}
    ReplacePatternInValuesDataProcessor | ${{ t: "x", t_destination: "d" }} | ${{ t: ["ax", "x", "b"] }}
      | ${{ t: ["ax", "x", "b"], d: ["a", "b"] }}
    SplitValueDataProcessor | ${split} | ${{ c: "a::b" }} | ${{ c: "a::b", main: "a", second: "b" }}
    SplitValueDataProcessor | ${{ FieldName: "c", c_regEx: "(,)", c_idxToDest: "-1:part" }} | ${{ c: "a,b,c,," }}
      | ${{ part_0: "a", part_1: "b", part_2: "c" }}
    WordSplitterDataProcessor | ${splitter} | ${{ title: "x (y), x", size: ["z/y"] }}
      | ${{ title: "x (y), x", size: ["z/y"], words: "x y z" }}
    WordSplitterDataProcessor | ${splitter} | ${{ title: "Bücherregal; Laufschuhe\\Handschuhe", size: 42, more: ["Regal"] }}
      | ${{
        title: "Bücherregal; Laufschuhe\\Handschuhe",
        size: 42,
        more: ["Regal"],
        words: "Bücher regal Lauf schuhe Handschuhe 42",
      }}
    WordSplitterDataProcessor | ${splitter} | ${{ words: "old", title: "Neu" }} | ${{ words: "Neu", title: "Neu" }}
    WordSplitterDataProcessor | ${{ ...splitter, words: "Zauberwuz, Laufschuhe" }}
      | ${{ title: "Zauberwuzsocken, Laufschuhe" }}
      | ${{ title: "Zauberwuzsocken, Laufschuhe", words: "Zauberwuz socken Laufschuhe" }}
  `)("%s %j of %j", (name, settings, data, expected) => {
    expect(run(name, settings, { data })).toEqual(expected);
  });

  test.each(table<[string, Record<string, string>, string]>`
    NoSuchProcessor | ${{}} | ${"NoSuchProcessor is not a data processor"}
    RemoveValuesDataProcessor | ${{ a: "(" }} | ${"RemoveValuesDataProcessor: Invalid regular expression"}
    ReplacePatternInValuesDataProcessor | ${{ a: "b++" }}
      | ${'Invalid regular expression "b++", at character 2: possessive'}
    SplitValueDataProcessor | ${{}} | ${"SplitValueDataProcessor: FieldName is missing"}
    SplitValueDataProcessor | ${{ FieldName: "a", a_idxToDest: "x" }} | ${'must be like 0:a;1:b, not "x"'}
    FlagFieldDataProcessor | ${{ title: "x" }} | ${"title must be like group_<name>_<field>"}
    WordSplitterDataProcessor | ${{}} | ${"fieldName is missing"}
  `)("%s %j is an error", (name, settings, message) => {
    const config = configOf([{ name, settings }]);
    expect(() => compileFieldPlan(config, "en")).toThrow(message);
    expect(checkIndexConfig(config)).toEqual([
      { path: "processors[0]", message: expect.stringContaining(message) as string },
    ]);
  });

  test("a broken expression of a dynamic field has its path", () => {
    const broken = { ...EVERYTHING, sourceNames: ["fine", "("] };
    expect(checkIndexConfig({ ...configOf([]), dynamicFields: [EVERYTHING, broken] })).toEqual([
      {
        path: "dynamicFields[1].sourceNames[1]",
        message: expect.stringContaining("Invalid regular expression") as string,
      },
    ]);
  });

  test("the processors a configuration may name are those we have", () => {
    expect([...PROCESSOR_NAMES].sort()).toEqual([...CONFIGURABLE_PROCESSORS].sort());
    expect(checkIndexConfig(BUILT_IN_INDEX_CONFIG)).toEqual([]);
  });
});

test("2. idempotent where PATCH runs them on the same source again", () => {
  const settings = { t: "\\d", t_replacement: "n" };
  const once = run("ReplacePatternInValuesDataProcessor", settings, { data: { t: "a1b2" } });
  expect(run("ReplacePatternInValuesDataProcessor", settings, { data: once })).toEqual(once);
});

test("3. skipped documents", () => {
  const plan = compileFieldPlan(
    configOf([
      { name: "SkipDocumentDataProcessor", settings: { type: "[Cc]ontent" } },
      { name: "SkipDocumentDataProcessor", settings: { never: "x" } },
    ]),
    "en",
  );
  const outcome = (data: object): unknown => plan.read({ id: "1", data }, new Uint8Array());
  expect(outcome({ type: "content" })).toEqual({ status: "skipped", id: "1" });
  expect(outcome({ type: ["a", "Content"] })).toEqual({ status: "skipped", id: "1" });
  expect(outcome({ type: "contents" })).toMatchObject({ status: "indexable" });
});

describe("expressions that take many steps", () => {
  const planOf = (entry: object): ReturnType<typeof compileFieldPlan> => compileFieldPlan(indexOf(entry), "en");
  /** A reference to a group cannot be bounded but by steps. */
  const config = {
    "data-processor-configuration": {
      processors: ["ReplacePatternInValuesDataProcessor"],
      configuration: { ReplacePatternInValuesDataProcessor: { title: "(a+)+\\1b" } },
    },
    "field-configuration": { fields: { title: { usage: ["Search", "Result"] } } },
  };
  const hostile = { id: "1", data: { title: "a".repeat(60) } };

  test("a document that needs too many is refused, a stored one stays as it is", () => {
    const plan = planOf(config);
    const source = new TextEncoder().encode(JSON.stringify(hostile));
    const sent = plan.read(hostile, source);
    expect(sent).toMatchObject({ status: "rejected", id: "1" });
    expect(sent.status === "rejected" && sent.reason).toContain("take more than 10000000 steps");
    expect(plan.read(hostile, source, true).status).toBe("indexable");
    expect(plan.show(hostile, null).data["title"]).toBe(hostile.data.title);
    const harmless = { id: "2", data: { title: "aab" } };
    expect(plan.read(harmless, source).status).toBe("indexable");
    expect(plan.show(harmless, null).data["title"]).toBeUndefined();
  });

  const stepsOf = (body: () => void): number => {
    const spend = vi.spyOn(work, "spend");
    body();
    const steps = spend.mock.calls.reduce((sum, [spent]) => sum + spent, 0);
    spend.mockRestore();
    return steps;
  };
  const titled = (title: string): object => ({ id: "1", data: { title } });
  const source = new Uint8Array(2);

  test("so is one whose replacements make a text hundreds of times as long", () => {
    const plan = planOf({
      "data-processor-configuration": {
        processors: ["ReplacePatternInValuesDataProcessor"],
        configuration: { ReplacePatternInValuesDataProcessor: { title: "a", title_replacement: "x".repeat(1_000) } },
      },
    });
    expect(plan.read(titled("a".repeat(10)), source).status).toBe("indexable");
    const sent = plan.read(titled("a".repeat(100_000)), source);
    expect(sent.status === "rejected" && sent.reason).toContain("take more than 10000000 steps");
    expect(plan.read(titled("a".repeat(100_000)), source, true).status).toBe("indexable");
  });

  const manyFields = {
    "field-configuration": {
      "dynamic-fields": Array.from({ length: 300 }, (_, i) => ({
        "source-names": [`.*a.*b.*${i}$`],
        usage: ["Search"],
      })),
    },
  };

  test("and one of many names where there are many dynamic fields", () => {
    const plan = planOf(manyFields);
    const named = (count: number, length: number): object => ({
      id: "1",
      data: Object.fromEntries(Array.from({ length: count }, (_, i) => [`${"ab".repeat(length)}${i}x`, "v"])),
    });
    expect(plan.read(named(40, 4), source).status).toBe("indexable");
    const outcome = plan.read(named(1_900, 200), source);
    expect(outcome.status === "rejected" && outcome.reason).toContain("steps for its names");
    // Learnt beforehand in parts, each of a few steps, they cost as much.
    const learnt = planOf(manyFields);
    expect([...learnt.learning(named(1_900, 200))].length).toBeGreaterThan(100);
    expect(learnt.read(named(1_900, 200), source)).toEqual(outcome);
    // Names that are known by now cost as much.
    expect(plan.read(named(1_900, 200), source)).toEqual(outcome);
  });

  test("names that are no strings have nothing to be learnt", () => {
    const plan = planOf(manyFields);
    const document = { id: "1", data: {}, attributes: [{ name: { toString: 1 }, value: "v" }] };
    expect([...plan.learning(document)]).toEqual([]);
    expect(plan.read(document, source).status).toBe("rejected");
  });

  test("a stored one keeps the fields of its first names, and takes no more steps", () => {
    const plan = planOf({
      "field-configuration": {
        "dynamic-fields": [
          { "source-names": ["^secret"], usage: ["Filter"], private: true },
          ...Array.from({ length: 300 }, (_, i) => ({ "source-names": [`.*a.*b.*${i}$`], usage: ["Search"] })),
          { "source-names": ["^first"], usage: ["Search", "Result"] },
        ],
      },
    });
    const long = Array.from({ length: 1_900 }, (_, i) => [`${"ab".repeat(200)}${i}x`, "v"]);
    const stored = { id: "1", data: Object.fromEntries([["first", "v"], ...long, ["first2", "v"], ["secret", "v"]]) };
    const read = (): unknown => {
      const outcome = plan.read(stored, source, true);
      expect(outcome.status === "indexable" && outcome.product.texts.map(({ field }) => field)).toEqual(["first"]);
      return outcome;
    };
    expect(stepsOf(read)).toBeLessThanOrEqual(2 * LIMITS.patternSteps.value);
    expect(read()).toEqual(read());
    // A name whose expressions are not tried may be private.
    expect(Object.keys(plan.show(stored, null).data)).toEqual(["first"]);
    const whole = Object.keys(plan.whole(stored).data);
    expect(whole).toEqual(["first", ...long.slice(0, whole.length - 1).map(([name]) => name)]);
    expect(whole.length).toBeLessThan(10);
  });

  test("its names share the steps of one document", () => {
    const plan = planOf(manyFields);
    // The first name needs most of the budget, the second one more than is left.
    const data = { [`${"ab".repeat(400)}x`]: "v", [`${"ab".repeat(400)}y`]: "v" };
    const read = (): void => expect(plan.read({ id: "1", data }, source).status).toBe("rejected");
    expect(stepsOf(read)).toBeLessThanOrEqual(LIMITS.patternSteps.value);
  });

  test("attributes beside long lists of the same fields are compared once", { timeout: 10_000 }, () => {
    const plan = compileFieldPlan(BUILT_IN_INDEX_CONFIG, "en");
    const document = {
      id: "1",
      data: { brand: Array.from({ length: 100_000 }, (_, i) => `b${i}`) },
      attributes: Array.from({ length: 1_900 }, (_, i) => ({
        name: "brand",
        value: i % 2 === 0 ? "B7" : `c${i}`,
        code: "x",
      })),
    };
    const sent = plan.read(document, new TextEncoder().encode(JSON.stringify(document)));
    const ids = sent.status === "indexable" ? sent.product.values.map((value) => "id" in value && value.id) : [];
    expect(ids.filter((id) => id === "x")).toHaveLength(950);
  });

  test("and one that hundreds of fields read whole", () => {
    const plan = planOf({
      "field-configuration": {
        fields: Array.from({ length: 2_000 }, (_, i) => ({
          name: `f${i}`,
          "source-names": ["title"],
          usage: ["Search", "Facet", "Sort"],
        })),
      },
    });
    const sent = (title: string, isStored: boolean): string => {
      const document = titled(title);
      return plan.read(document, new TextEncoder().encode(JSON.stringify(document)), isStored).status;
    };
    expect(sent("x", false)).toBe("rejected");
    expect(sent("shoe ".repeat(2_000), false)).toBe("rejected");
    expect(sent("shoe", true)).toBe("indexable");
  });
});
