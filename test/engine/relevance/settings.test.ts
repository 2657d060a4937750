/**
 * `relevance-configuration` of a tenant.
 *
 * 1. Keys in any spelling, each with its default; what means nothing is refused where it stands.
 * 2. (What `fill`, `enough`, `cut`, `low-cut`, `correct-known-words` and `category-feedback` do: search.property.test.ts.)
 *    `weighted-fields`: only these are searched, each with its weight.
 * 3. Tenants with stages of their own search as these say: nothing is filled.
 */
import { expect, test } from "vitest";
import { readConfiguration, resolveTenantConfig } from "../../../src/interface/configuration-resolve.ts";
import { DEFAULT_RELEVANCE } from "../../../src/interface/preset.ts";
import { shopOf } from "../stages/shop.ts";
import { tenantOf } from "../support/little-shop.ts";
import { found, idsOf, many, relevanceOf } from "./shops.ts";

test("1: reading", () => {
  expect(relevanceOf({}).relevance).toEqual(DEFAULT_RELEVANCE);
  expect(tenantOf({}).relevance).toEqual(DEFAULT_RELEVANCE);
  expect(
    tenantOf({
      relevanceConfiguration: {
        fill: "false",
        enough: "12",
        cut: 0.35,
        low_cut: "0.1",
        correctKnownWords: false,
        "category-feedback": false,
        weighted_fields: { title: "2.5" },
      },
    }).relevance,
  ).toEqual({
    fill: false,
    enough: 12,
    cutThousandths: 350,
    lowCutThousandths: 100,
    correctKnownWords: false,
    categoryFeedback: false,
    weightedFields: { title: 2.5 },
  });
});

test("1: the default entry's counts for tenants that do not mention it", () => {
  const read = readConfiguration({
    ocs: {
      "default-tenant-config": { "relevance-configuration": { enough: 5, cut: 0.5 } },
      "tenant-config": { plain: { locale: "de" }, own: { "relevance-configuration": { cut: 0.1 } } },
    },
  });
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const of = (name: string): unknown => resolveTenantConfig(read.value, name, [name])?.relevance;
  expect(of("plain")).toEqual({ ...DEFAULT_RELEVANCE, enough: 5, cutThousandths: 500 });
  expect(of("own")).toEqual({ ...DEFAULT_RELEVANCE, cutThousandths: 100 });
});

test.each([
  ["enough", 0],
  ["enough", 1.5],
  ["enough", 10_001],
  ["cut", -0.1],
  ["cut", 1.1],
  ["low-cut", 2],
  ["weighted-fields", { title: -1 }],
  ["fill", "perhaps"],
  ["filled", true],
])("1: %s: %s is refused", (key, value) => {
  const section = { "relevance-configuration": { [key]: value } };
  const read = readConfiguration({ ocs: { "default-tenant-config": section } });
  expect(JSON.stringify(read)).toContain(key);
  expect(read.ok).toBe(false);
});

test("2: weighted-fields", () => {
  const fields = {
    title: "Lamp of oak",
    text: { title: "Stand", description: "Lamp of oak" },
    own: { title: "Stool", finish: "oak" },
    ...many(5, "other", (i) => `Thing t${i}`),
  };
  const of = (weightedFields: unknown): string[] =>
    idsOf(shopOf(fields, { tenant: relevanceOf({ "weighted-fields": weightedFields }) }), "oak");
  expect(of({}).toSorted()).toEqual(["own", "text", "title"]);
  expect(of({ title: 1 })).toEqual(["title"]);
  expect(of({ title: 1, _other: 20 })).toEqual(["own", "title"]);
  expect(of({ title: 1, description: 20 })).toEqual(["text", "title"]);
});

test("3: stages", () => {
  const tenant = tenantOf({
    "relevance-configuration": { cut: 0 },
    "query-configuration": {
      all: { strategy: "ConfigurableQuery", settings: { operator: "AND" }, "weighted-fields": { title: 1 } },
    },
  });
  const { meta, hits } = found(
    shopOf({ both: "Red shoe", both2: "Red shoe light", red: "Red hat" }, { tenant }),
    "red shoe",
  );
  expect([meta["query_strategy"], hits.length]).toEqual(["ConfigurableQuery", 2]);
  expect(meta).not.toHaveProperty("query_filled");
});
