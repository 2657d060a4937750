/**
 * A tenant's own stages, under the reference's names (stages/configured.ts; docs/search.md "Stages of your own").
 *
 *  1. The stages of the reference's preset are read as they stand, and each is reached by the queries it is for.
 *  2. query_stage jumps to a stage.
 *  3. A fallback belongs to its stage.
 *  4. minShouldMatch says how many words are needed.
 *  5. analyzer, sub-fields: other forms count or do not.
 *
 * Conditions, strategies and the other settings: claims of 5.4 (test/worker/claims/queries.ts).
 */
import { describe, expect, test } from "vitest";
import { configuredStages } from "../../../src/index-engine/query/stages/configured.ts";
import { requiredWords } from "../../../src/index-engine/query/stages/stage.ts";
import { parseMinShouldMatch } from "../../../src/interface/configuration-query.ts";
import { REFERENCE_STAGES } from "../../support/reference-stages.ts";
import { shopOf, type Shop } from "./shop.ts";
import { tenantOf } from "../support/little-shop.ts";

/** The stages of the reference's own preset, each with the words as they are typed. */
const PRESET = Object.fromEntries(
  Object.entries(REFERENCE_STAGES).map(([name, preset]) => {
    const settings = { ...("settings" in preset && preset.settings), allowParallelSpellcheck: false };
    return [name, { ...preset, settings }];
  }),
);

const DOCUMENTS = {
  ean: { title: "Sandal", ean: "4006381333931" },
  number: { title: "Boot", artNr: "12a34" },
  runner: { title: "Running shoes for women", brand: "Acme" },
  trail: { title: "Trail shoe", brand: "Zenith", description: "for running in mud" },
  phones: { title: "Headphones wireless", brand: "Acme" },
  hidden: { title: "Poster", description: "shoes on a wall" },
};

function stage(q: string, shop: Shop): unknown {
  return shop.search(new URLSearchParams({ q }).toString()).meta["query_strategy"];
}

describe("1: the preset of the reference", () => {
  const shop = shopOf(DOCUMENTS, { tenant: tenantOf({ "query-configuration": PRESET }) });
  test.each([
    ["4006381333931", "ConfigurableQuery", 0, ["ean"]],
    ["4006381333932", "ConfigurableQuery", 0, []],
    ["12a34", "ConfigurableQuery", 0, ["number"]],
    ["12345", "ConfigurableQuery", 0, []],
    ["acme running shoe", "ConfigurableQuery", 0, ["runner"]],
    ["head phones", "ConfigurableQuery", 0, ["phones"]],
    ["acme purple shoes", "RelaxedQuery", 1, ["runner"]],
    ["headfones", "ConfigurableQuery", 1, ["phones"]],
    ["hedphons", "ConfigurableQuery", 1, ["phones"]],
    ["headphonesheadphones", "NgramQuery", 2, ["phones"]],
  ])("%s", (q, strategy, number, ids) => {
    const { meta } = shop.search(new URLSearchParams({ q }).toString());
    expect({ ...meta, ids: shop.ids(q) }).toMatchObject({ query_strategy: strategy, query_stage: number, ids });
  });
  test("what no stage's fields have is not found", () => {
    expect(shop.ids("mud")).toEqual([]);
  });
});

function one(settings: unknown, fields: unknown = { title: 1, description: 1 }, strategy = "ConfigurableQuery"): Shop {
  return shopOf(DOCUMENTS, {
    tenant: tenantOf({ "query-configuration": { only: { strategy, settings, "weighted-fields": fields } } }),
  });
}

describe("3: a fallback belongs to the stage that names it", () => {
  const elsewhere = { brand: 1 };
  const shop = (acceptNoResult: boolean): Shop =>
    shopOf(DOCUMENTS, {
      tenant: tenantOf({
        "query-configuration": {
          relaxed: {
            strategy: "RelaxedQuery",
            settings: { acceptNoResult, fallbackQuery: "grams", allowParallelSpellcheck: false },
            "weighted-fields": elsewhere,
          },
          last: { strategy: "ConfigurableQuery", "weighted-fields": { title: 1 } },
          grams: { strategy: "NgramQuery", condition: { minTermCount: 9 }, "weighted-fields": elsewhere },
        },
      }),
    });
  test("it is tried where the stage accepts no result, and ends the chain only there", () => {
    expect(shop(true).ids("zenithe")).toEqual(["trail"]);
    expect(shop(true).ids("boot")).toEqual([]);
    expect(shop(false).ids("boot")).toEqual(["number"]);
  });
  test("it has the number of the stage", () => {
    expect(shop(false).search("q=zenithe").meta).toMatchObject({ query_strategy: "NgramQuery", query_stage: 0 });
    expect(shop(false).search("q=boot").meta).toMatchObject({ query_stage: 1 });
  });
});

test("3: once corrected, a later stage is tried only once", () => {
  const stagesFor = configuredStages(
    tenantOf({ "query-configuration": { a: { strategy: "ConfigurableQuery" }, b: { strategy: "ConfigurableQuery" } } })
      .stages ?? [],
    new Map(),
  );
  const plans = stagesFor(["boot"]);
  expect(plans.map(({ number }) => number)).toEqual([0, 0, 1]);
  expect(plans.map(({ expansions }) => expansions.typos !== null)).toEqual([false, true, true]);
});

test.each([
  ["75%", 5, 3],
  ["-25%", 5, 4],
  ["2<80%", 2, 2],
  ["2<80%", 5, 4],
  ["3", 2, 2],
  ["-1", 1, 1],
  ["2<-25% 9<-3", 9, 7],
  ["2<-25% 9<-3", 12, 9],
  ["2 < 50%", 4, 2],
  ["0", 3, 1],
])("4: minShouldMatch %s of %i words", (text, words, required) => {
  const rules = parseMinShouldMatch(text);
  expect(rules === null ? null : requiredWords(rules, words)).toBe(required);
});
test.each(["", "x", "2<", "5%%", "1.5"])("4: %s is no minShouldMatch", (text) => {
  expect(parseMinShouldMatch(text)).toBeNull();
});

test("5: other forms", () => {
  const exact = one({ analyzer: "whitespace", allowParallelSpellcheck: false }, { title: 1 });
  expect(exact.ids("shoe")).toEqual(["trail"]);
  const plain = one({ allowParallelSpellcheck: false }, { "title.ngram": 1, title: 1 });
  expect(plain.ids("shoe")).toEqual(["trail"]);
  const stems = one({ allowParallelSpellcheck: false }, { title: 1, "title.standard": 1 });
  expect(stems.ids("shoe").toSorted()).toEqual(["runner", "trail"]);
});

test.each(["standard", "Standard"])("5: analyzer %s: stop words need not be there", (analyzer) => {
  const settings = { operator: "AND", allowParallelSpellcheck: false };
  expect(one({ ...settings, analyzer }).ids("the running women")).toEqual(["runner"]);
  expect(one(settings).ids("the running women")).toEqual([]);
});
test.each(["whitespace", "Whitespace"])("5: analyzer %s: the words as they are", (analyzer) => {
  const settings = { allowParallelSpellcheck: false };
  expect(one({ ...settings, analyzer }, { title: 1 }).ids("shoe")).toEqual(["trail"]);
  expect(one(settings, { title: 1 }).ids("shoe").toSorted()).toEqual(["runner", "trail"]);
});

test("2: query_stage", () => {
  const shop = shopOf(DOCUMENTS, { tenant: tenantOf({ "query-configuration": PRESET }) });
  expect(stage("acme shoes", shop)).toBe("ConfigurableQuery");
  expect(shop.search("q=acme+shoes&query_stage=1").meta).toMatchObject({
    query_stage: 1,
    query_strategy: "RelaxedQuery",
  });
  expect(shop.search("q=acme+shoes&query_stage=99").meta["query_strategy"]).toBe("NgramQuery");
});
