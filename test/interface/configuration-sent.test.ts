/**
 * Settings that can be read and mean nothing (configuration-sent.ts, configuration-query.ts).
 *
 * 1. Sent, each is refused with the path of the value, in the document's own spelling.
 * 2. Stored by an earlier version, each can be read all the same, and a setting of a stage counts as not given.
 * 3. Every form that is understood stays accepted, and so does what the reference's own files and documentation have.
 * 4. The grammar reads what it accepts as what it means.
 */
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { checkIndexConfig } from "../../src/index-engine/index.ts";
import { compileFieldPlan } from "../../src/index-engine/documents/index.ts";
import { stagesOf } from "../../src/index-engine/query/stages/tenant-stages.ts";
import { configuredStages } from "../../src/index-engine/query/stages/configured.ts";
import { parseFlag, QUERY_GRAMMAR } from "../../src/interface/configuration-query.ts";
import { STRATEGY_NAMES } from "../../src/interface/configuration-schema.ts";
import { sentProblems } from "../../src/interface/configuration-sent.ts";
import { LIMITS, readConfiguration, resolveIndexConfig, resolveTenantConfig } from "../../src/interface/index.ts";
import type { Problem } from "../../src/interface/errors.ts";
import { table } from "../support/table.ts";

function problems(raw: unknown): Problem[] {
  const read = readConfiguration(raw);
  if (!read.ok) throw new Error(`unreadable: ${JSON.stringify(read.problems)}`);
  return sentProblems(raw, read.value);
}

function tenant(entry: object): object {
  return { ocs: { "tenant-config": { c1: entry } } };
}

function settings(sent: object): object {
  return tenant({ "query-configuration": { a: { settings: sent }, b: {} } });
}

const STAGES = "query-configuration";
const FACETS = "facet-configuration";

// `problems` fails for what cannot be read, so this is 2 as well.
describe("1, 2: refused where it stands", () => {
  test.each<[object, string]>([
    [{ operator: "XOR" }, "operator"],
    [{ minShouldMatch: "abc" }, "minShouldMatch"],
    [{ "min-should-match": "2<" }, "min-should-match"],
    [{ tieBreaker: "x" }, "tieBreaker"],
    [{ tieBreaker: 1.5 }, "tieBreaker"],
    [{ tieBreaker: "" }, "tieBreaker"],
    [{ fuzziness: "very" }, "fuzziness"],
    [{ fuzziness: "AUTO:3" }, "fuzziness"],
    [{ fuzziness: -1 }, "fuzziness"],
    [{ phraseSlop: -1 }, "phraseSlop"],
    [{ phraseSlop: "Infinity" }, "phraseSlop"],
    [{ multimatch_type: "none" }, "multimatch_type"],
    [{ acceptNoResult: "maybe" }, "acceptNoResult"],
    [{ isQueryWithShingles: "x" }, "isQueryWithShingles"],
    [{ allowParallelSpellcheck: "x" }, "allowParallelSpellcheck"],
    [{ fallbackQuery: "nope" }, "fallbackQuery"],
    [{ fallbackQuery: "a" }, "fallbackQuery"],
  ])("setting %j", (sent, name) => {
    expect(problems(settings(sent))).toEqual([
      { path: `ocs.tenant-config.c1.query-configuration.a.settings.${name}`, message: expect.stringMatching(/^"/) },
    ]);
  });

  test.each(table<[object, string]>`
    ${{ "index-name": "" }} | ${"index-name"}
    ${{ indexName: " , " }} | ${"indexName"}
    ${{ [STAGES]: { a: { "weighted-fields": { title: -1 } } } }} | ${`${STAGES}.a.weighted-fields.title`}
    ${{ [STAGES]: { "[a.b]": { weightedFields: { "[title.standard]": "-0.5" } } } }}
      | ${`${STAGES}.[a.b].weightedFields.[title.standard]`}
    ${{ [STAGES]: { a: { condition: { minTermCount: 3, "max-term-count": 2 } } } }}
      | ${`${STAGES}.a.condition.max-term-count`}
    ${{ [STAGES]: { a: { condition: { maxTermCount: 0 } } } }} | ${`${STAGES}.a.condition.maxTermCount`}
    ${{ [STAGES]: { a: { name: "x", settings: { fallbackQuery: "x" } } } }} | ${`${STAGES}.a.settings.fallbackQuery`}
    ${{ [STAGES]: { a: { name: "x" }, b: { settings: { fallbackQuery: "a" } } } }}
      | ${`${STAGES}.b.settings.fallbackQuery`}
    ${{ [FACETS]: { facets: [{ "source-field": "" }] } }} | ${`${FACETS}.facets[0].source-field`}
    ${{ [FACETS]: { facets: [{ sourceField: "a" }, { sourceField: "b", type: "interval_0" }] } }}
      | ${`${FACETS}.facets[1].type`}
    ${{ [FACETS]: { facets: [{ sourceField: "a", type: "INTERVAL_0.0" }] } }} | ${`${FACETS}.facets[0].type`}
    ${{ [FACETS]: { "default-term-facet-configuration": { type: "range" } } }}
      | ${`${FACETS}.default-term-facet-configuration.type`}
    ${{ [FACETS]: { defaultTermFacetConfiguration: { type: "index_name" } } }}
      | ${`${FACETS}.defaultTermFacetConfiguration.type`}
    ${{ [FACETS]: { "default-number-facet-configuration": { type: "hierarchical" } } }}
      | ${`${FACETS}.default-number-facet-configuration.type`}
    ${{ [FACETS]: { "default-number-facet-configuration": { type: "interval_0" } } }}
      | ${`${FACETS}.default-number-facet-configuration.type`}
    ${{ [FACETS]: { facets: [{ sourceField: "price", "meta-data": { decimals: 3 } }] } }}
      | ${`${FACETS}.facets[0].meta-data.decimals`}
    ${{ [FACETS]: { facets: [{ sourceField: "price", metaData: { decimals: "1.5" } }] } }}
      | ${`${FACETS}.facets[0].metaData.decimals`}
    ${{ [FACETS]: { facets: [{ sourceField: "price", type: "interval", metaData: { round: "sideways" } }] } }}
      | ${`${FACETS}.facets[0].metaData.round`}
  `)("%j", (entry, path) => {
    expect(problems(tenant(entry)).map((problem) => problem.path)).toEqual([`ocs.tenant-config.c1.${path}`]);
    expect(problems({ ocs: { defaultTenantConfig: entry } }).map((problem) => problem.path)).toEqual([
      `ocs.defaultTenantConfig.${path}`,
    ]);
  });

  test.each(table<[string, object, string]>`
    RemoveValuesDataProcessor | ${{ title: "(" }} | ${"title"}
    RemoveValuesDataProcessor | ${{ title: "a", title_wordSplitRegEx: "[" }} | ${"title_wordSplitRegEx"}
    ReplacePatternInValuesDataProcessor | ${{ a: "a", title: "(", title_replacement: "(" }} | ${"title"}
    SkipDocumentDataProcessor | ${{ a: "b", title: "*" }} | ${"title"}
    SplitValueDataProcessor | ${{ FieldName: "title", title_idxToDest: "-1:a", title_regEx: "(" }} | ${"title_regEx"}
    ReplacePatternInValuesDataProcessor | ${{ title: "(a)b", title_replacement: "$2" }} | ${"title_replacement"}
    SplitValueDataProcessor | ${{ FieldName: "title", title_idxToDest: "-1:a", title_regEx: "(|a)*" }}
      | ${"title_regEx"}
    FlagFieldDataProcessor | ${{ group_1_title: "a##(", group_1_title_match: "(##b", group_1_destination: "(" }}
      | ${"group_1_title"}
  `)("an expression of %s: %j", (processor, own, key) => {
    const entry = {
      dataProcessorConfiguration: { processors: [processor], configuration: { [`[de.cxp.ocs.${processor}]`]: own } },
    };
    expect(problems({ ocs: { "index-config": { i: entry } } })).toEqual([
      {
        path: `ocs.index-config.i.dataProcessorConfiguration.configuration.[de.cxp.ocs.${processor}].${key}`,
        message: expect.stringMatching(/ (?:is not a valid regular expression|cannot be put for what matches): ./),
      },
    ]);
    // What compiles them finds nothing else.
    const read = readConfiguration({ ocs: { "index-config": { i: entry } } });
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    const isBroken = !key.endsWith("_replacement") && !JSON.stringify(own).includes("(|a)*");
    expect(checkIndexConfig(resolveIndexConfig(read.value, "i")).map(({ path }) => path)).toEqual(
      isBroken ? ["processors[0]"] : [],
    );
    // Of a processor that does not run.
    entry.dataProcessorConfiguration.processors = [];
    expect(problems({ ocs: { "index-config": { i: entry } } })).toEqual([]);
  });
});

test("1: names of fields that are too long", () => {
  const long = "x".repeat(LIMITS.nameCharacters.value + 1);
  const pathsOf = (fieldConfiguration: object): string[] =>
    problems({ ocs: { "index-config": { i: { "field-configuration": fieldConfiguration } } } }).map(({ path }) => path);
  const at = "ocs.index-config.i.field-configuration";
  const list = [{ name: "a" }, { name: long, usage: ["Search"] }, { name: "b", "source-names": ["b", long] }];
  expect(pathsOf({ fields: list, "dynamic-fields": [{ name: long }] })).toEqual([
    `${at}.fields[1].name`,
    `${at}.fields[2].source-names[1]`,
    `${at}.dynamic-fields[0].name`,
  ]);
  expect(pathsOf({ fields: { a: { name: long }, [`${long}y`]: {} } })).toEqual([
    `${at}.fields.a.name`,
    `${at}.fields.${long}y`,
  ]);
  expect(pathsOf({ fields: [{ name: long.slice(1) }] })).toEqual([]);
});

test.each<object>([
  { operator: "XOR" },
  { minShouldMatch: "abc" },
  { tieBreaker: "x" },
  { fuzziness: "very" },
  { phraseSlop: -1 },
  { multimatch_type: "none" },
  { acceptNoResult: "maybe", isQueryWithShingles: "x", allowParallelSpellcheck: "x" },
  { fallbackQuery: "nope" },
])("2: stored, %j counts as not given", (sent) => {
  for (const strategy of STRATEGY_NAMES) {
    const [nonsense, none] = [sent, {}].map((own) => {
      const read = readConfiguration(tenant({ [STAGES]: { a: { strategy, settings: own } } }));
      if (!read.ok) throw new Error(JSON.stringify(read.problems));
      const stages = resolveTenantConfig(read.value, "c1", [])?.stages ?? [];
      return configuredStages(stages, new Map())(["trail", "running", "shoes"]);
    });
    expect(nonsense).toEqual(none);
  }
});

describe("3: accepted", () => {
  test.each<object>([
    { operator: "or" },
    { operator: "AND" },
    { minShouldMatch: 2 },
    { minShouldMatch: "-25%" },
    { minShouldMatch: "2<75%" },
    { minShouldMatch: "2 < -25% 9<-3" },
    { tieBreaker: 0 },
    { tieBreaker: "0.7" },
    { tieBreaker: 1 },
    { phraseSlop: "5" },
    { multimatch_type: "CROSS_FIELDS" },
    { multimatchType: "bool_prefix" },
    { fuzziness: "auto" },
    { fuzziness: "AUTO:3,6" },
    { fuzziness: 0 },
    { fuzziness: "2" },
    { acceptNoResult: "TRUE", isQueryWithShingles: false, allowParallelSpellcheck: "no" },
    { fallbackQuery: "b" },
    { fallbackQuery: "" },
    { analyzer: "anything", quoteAnalyzer: "at all", isTermFiltersQuoted: "whatever" },
    { operator: null, fuzziness: null },
  ])("setting %j", (sent) => {
    expect(problems(settings(sent))).toEqual([]);
  });

  test.each<object>([
    { [STAGES]: { a: { condition: { minTermCount: 2, maxTermCount: 2 } } } },
    { [STAGES]: { a: { weightedFields: { title: 0 } } } },
    // The reference's documentation lists these types for the older name.
    { [FACETS]: { "default-facet-configuration": { type: "range" } } },
    { [FACETS]: { "default-term-facet-configuration": { type: "ignore" } } },
    { [FACETS]: { "default-number-facet-configuration": { type: "RANGE" } } },
    { [FACETS]: { facets: [{ sourceField: "a", type: "interval_0.5" }] } },
    { [FACETS]: { facets: [{ sourceField: "a", metaData: { decimals: "0", round: true } }] } },
    { [FACETS]: { facets: [{ sourceField: "a", metaData: { round: "DOWN" } }] } },
    // Meta-data of a facet without intervals is the shop's own.
    { [FACETS]: { facets: [{ sourceField: "a", type: "term", metaData: { decimals: "many" } }] } },
  ])("%j", (entry) => {
    expect(problems(tenant(entry))).toEqual([]);
  });

  test("the stages of the reference's preset", () => {
    const preset = parse(`
      ean-search:
        strategy: ConfigurableQuery
        condition: {matchingRegex: '\\s*\\d{13}\\s*(\\s+\\d{13})*', maxTermCount: 42}
        settings: {operator: OR, tieBreaker: 0, analyzer: whitespace, allowParallelSpellcheck: false, acceptNoResult: true}
        weightedFields: {"[ean]": 1}
      default-query:
        strategy: ConfigurableQuery
        condition: {minTermCount: 1, maxTermCount: 10}
        settings: {operator: AND, tieBreaker: 0.7, multimatch_type: CROSS_FIELDS, analyzer: standard, quoteAnalyzer: minimal,
          isQueryWithShingles: true}
      relaxed-query:
        strategy: RelaxedQuery
        condition: {minTermCount: 2, maxTermCount: 10}
        settings: {analyzer: standard, fallbackQuery: relaxed-ngram-query, tieBreaker: 0.2}
      one-term-fuzzy-search:
        condition: {maxTermCount: 1}
        settings: {tieBreaker: 0.7, fuzziness: AUTO}
      relaxed-ngram-query:
        strategy: NgramQuery
        settings: {minShouldMatch: 80%, tieBreaker: 0.2}
      fallback-search:
        condition: {minTermCount: 10}
        settings: {analyzer: standard, minShouldMatch: 75%}
    `);
    expect(problems(tenant({ [STAGES]: preset }))).toEqual([]);
  });
});

describe("2: regular expressions that are refused now and were stored before", () => {
  // Each was taken by JavaScript's reading of them.
  const refused = ["{.*}", "\\y", "(a)?\\1", "a{,3}"];

  test.each(refused)("%s as a condition and as a source name", (pattern) => {
    const raw = {
      ocs: {
        "tenant-config": { c1: { [STAGES]: { a: { condition: { matchingRegex: pattern } } } } },
        "index-config": { i: { fieldConfiguration: { dynamicFields: [{ name: "d", sourceNames: ["x", pattern] }] } } },
      },
    };
    expect(problems(raw).map(({ path }) => path)).toEqual([
      "ocs.index-config.i.fieldConfiguration.dynamicFields[0].sourceNames[1]",
      `ocs.tenant-config.c1.${STAGES}.a.condition.matchingRegex`,
    ]);
    const read = readConfiguration(raw);
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    const plan = compileFieldPlan(resolveIndexConfig(read.value, "i"), "en");
    const config = resolveTenantConfig(read.value, "c1", []);
    if (config === null) throw new Error("no tenant");
    expect(() => stagesOf(config, plan)).not.toThrow();
  });

  test.each(["$", "US$ ", "$5", "\\"])("the replacement %j is put as it stands", (replacement) => {
    const entry = {
      "data-processor-configuration": {
        processors: ["ReplacePatternInValuesDataProcessor"],
        configuration: { ReplacePatternInValuesDataProcessor: { title: "EUR", title_replacement: replacement } },
      },
      "field-configuration": { fields: { title: { usage: ["Search", "Result"] } } },
    };
    const raw = { ocs: { "index-config": { i: entry } } };
    expect(problems(raw).map(({ path }) => path.split(".").at(-1))).toEqual(["title_replacement"]);
    const read = readConfiguration(raw);
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    const plan = compileFieldPlan(resolveIndexConfig(read.value, "i"), "en");
    const document = { id: "1", data: { title: "5 EUR" } };
    expect(plan.show(document, null).data["title"]).toBe(`5 ${replacement}`);
  });
});

test("1: of what is stored already nothing stands in the way of another entry", () => {
  const raw = {
    ocs: {
      "tenant-config": {
        "shop.de": { [STAGES]: { s: { settings: { operator: "XOR" } } } },
        shop: { [STAGES]: { s: { settings: { operator: "OR" } } } },
      },
    },
  };
  const read = readConfiguration(raw);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const of = (name: string): number => sentProblems(raw, read.value, { kind: "tenant", name }).length;
  expect([of("shop"), of("shop.de"), of("other")]).toEqual([0, 1, 0]);
  expect(sentProblems(raw, read.value, { kind: "index", name: "shop.de" })).toEqual([]);
  expect(sentProblems(raw, read.value)).toHaveLength(1);
});

describe("4: the grammar", () => {
  test("reads", () => {
    expect(QUERY_GRAMMAR.operator.read(" and ")).toBe("AND");
    expect(QUERY_GRAMMAR.multimatch_type.read("Best_Fields")).toBe("best_fields");
    expect(QUERY_GRAMMAR.tieBreaker.read(" 0.5 ")).toBe(0.5);
    expect(QUERY_GRAMMAR.phraseSlop.read("7")).toBe(7);
    expect(QUERY_GRAMMAR.fuzziness.read("auto")).toEqual({ kind: "auto" });
    expect(QUERY_GRAMMAR.fuzziness.read("AUTO:3,6")).toEqual({ kind: "lengths", low: 3, high: 6 });
    expect(["0", "1", "2", "1.9", "7"].map((text) => QUERY_GRAMMAR.fuzziness.read(text))).toEqual(
      [0, 1, 2, 1, 2].map((edits) => ({ kind: "edits", edits })),
    );
    // What Spring's YAML takes for a boolean.
    expect(["true", "Yes", "ON", "false", "no", "Off", "1", ""].map(parseFlag)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
      null,
      null,
    ]);
  });

  test("flags of other sections, too", () => {
    const read = readConfiguration(tenant({ [FACETS]: { facets: [{ sourceField: "a", multiSelect: "yes" }] } }));
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    expect(resolveTenantConfig(read.value, "c1", [])?.facets.facets[0]?.multiSelect).toBe(true);
  });
});
