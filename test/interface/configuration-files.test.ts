/**
 * Configuration files as the reference's services read them:
 *
 * 1. Dotted keys mean sections, at any depth, beside nested ones; names and free maps keep their dots; elements of
 *    lists.
 * 2. A value that is given twice is refused with its path, whatever the spelling.
 * 3. Keys that the reference's services ignore are left out and named; those that would change a meaning are refused.
 * 4. Names of suggest settings that older versions had.
 * 5. Random documents: all ways to cut keys at dots mean the same.
 */
import fc from "fast-check";
import { describe, expect, inject, test } from "vitest";
import { parse } from "yaml";
import {
  readConfiguration,
  resolveSuggestConfig,
  resolveTenantConfig,
  withoutDottedKeys,
  withoutIgnoredKeys,
} from "../../src/interface/index.ts";
import { forAll } from "../support/property.ts";

function nested(raw: unknown): unknown {
  return withoutDottedKeys(raw, null);
}

describe("1: dotted keys", () => {
  test.each([
    [
      { "ocs.tenant-config.shop.facet-configuration.max-facets": 3 },
      { ocs: { "tenant-config": { shop: { "facet-configuration": { "max-facets": 3 } } } } },
    ],
    [
      {
        ocs: { "tenantConfig.shop.index-name": "a", tenantConfig: { shop: { locale: "de" } } },
        "ocs.tenant_config.shop": { useDefaultFacetConfig: true },
      },
      parse(`
        ocs: {tenantConfig: {shop: {locale: de, useDefaultFacetConfig: true, index-name: a}}}`),
    ],
    [{ "spring.cloud.config.enabled": false }, { spring: { "cloud.config.enabled": false } }],
    [
      { "ocs.tenant-config.a.query-configuration.s.weighted-fields[title.standard]": 2.5 },
      {
        ocs: {
          "tenant-config": { a: { "query-configuration": { s: { "weighted-fields": { "[title.standard]": 2.5 } } } } },
        },
      },
    ],
    [
      { "ocs.index-config.a.field-configuration.fields[size[cm]].usage": "Search" },
      { ocs: { "index-config": { a: { "field-configuration": { fields: { "[size[cm]]": { usage: "Search" } } } } } } },
    ],
    [
      { ocs: { "index-config": { a: { "field-configuration": { fields: { "size[cm]": { usage: "Search" } } } } } } },
      { ocs: { "index-config": { a: { "field-configuration": { fields: { "size[cm]": { usage: "Search" } } } } } } },
    ],
    [
      { "suggest.group.key": "type", "suggest.my.shop.group": { key: "brand" } },
      { suggest: { group: { key: "type" }, "my.shop": { group: { key: "brand" } } } },
    ],
    [{ "suggest.index.default.sourceFields": "brand" }, { suggest: { index: { default: { sourceFields: "brand" } } } }],
  ])("%j", (raw, expected) => {
    expect(nested(raw)).toEqual(expected);
  });

  test("names and free maps keep their dots", () => {
    const stage = { "weighted-fields": { "title.standard": 2.5, "[brand]": 1 } };
    const raw = {
      ocs: {
        "tenant-config": {
          "my.shop": {
            "query-configuration": { "first.stage": stage },
            "plugin-configuration": { "[de.shop.Plugin]": { "a.b": 1 }, "de.shop.Other": { c: 2 } },
            "facet-configuration": { facets: [{ "source-field": "x.y", "meta-data": { "a.b": 1 } }] },
          },
        },
        "index-config": { "a.b": { "field-configuration": { fields: { "c.d": { name: "c.d" } } } } },
      },
    };
    expect(nested(raw)).toEqual(raw);
  });

  test("elements of lists", () => {
    expect(
      nested({
        "ocs.tenant-config.shop.facet-configuration.facets[1].source-field": "brand",
        "ocs.tenant-config.shop.facet-configuration.facets[0].source-field": "price",
        "ocs.tenant-config.shop.facet-configuration.facets[0].meta-data.unit": "$",
        "ocs.index-config.shop.field-configuration.fields.title.usage[0]": "Search",
      }),
    ).toEqual({
      ocs: {
        "tenant-config": {
          shop: {
            "facet-configuration": {
              facets: [{ "source-field": "price", "meta-data": { unit: "$" } }, { "source-field": "brand" }],
            },
          },
        },
        "index-config": { shop: { "field-configuration": { fields: { title: { usage: ["Search"] } } } } },
      },
    });
  });

  test("an entry of its own", () => {
    const entry = { "facet-configuration.max-facets": 3, "facet-configuration": { facets: [] } };
    expect(withoutDottedKeys(entry, "tenant")).toEqual({ "facet-configuration": { facets: [], "max-facets": 3 } });
    expect(withoutDottedKeys({ "group.key": "type" }, "suggest")).toEqual({ group: { key: "type" } });
    expect(withoutDottedKeys({ "field-configuration.fields.a.usage": "Sort" }, "index")).toEqual({
      "field-configuration": { fields: { a: { usage: "Sort" } } },
    });
  });
});

test.each([
  [{ "suggest.locale": "de", suggest: { locale: "en" } }, "suggest.locale"],
  [{ suggest: { "group.share-conf": "a=1", group: { shareConf: "b=1" } } }, "suggest.group.share-conf"],
  [{ suggest: { group: "type", "group.key": "type" } }, "suggest.group.key"],
])("2: twice: %j", (raw, path) => {
  const read = readConfiguration(nested(raw));
  expect(read.ok ? [] : read.problems.map((problem) => problem.path)).toContain(path);
});

describe("3: ignored keys", () => {
  test("of tenants, suggest, and beside the sections", () => {
    const raw = {
      ocs: {
        "tenant-config": {
          shop: { maxFacets: 12, "facet-configuration": { "max-facetts": 3, facets: [{ "source-field": "a", x: 1 }] } },
        },
        "default-tenant-config": { rescorer: [] },
      },
      suggest: { dataprovider: [], "my-shop": { color: 1, enable: true } },
      eureka: { client: {} },
      springdoc: { x: 1 },
      aws: 1,
    };
    const { document, warnings } = withoutIgnoredKeys(raw);
    expect(warnings.map(({ path }) => path).toSorted()).toEqual([
      "aws",
      "eureka",
      "ocs.default-tenant-config.rescorer",
      "ocs.tenant-config.shop.facet-configuration.facets[0].x",
      "ocs.tenant-config.shop.facet-configuration.max-facetts",
      "ocs.tenant-config.shop.maxFacets",
      "springdoc",
      "suggest.dataprovider",
      "suggest.my-shop.color",
    ]);
    expect(warnings.find(({ path }) => path.endsWith("max-facetts"))?.message).toBe(
      'unknown key; did you mean "max-facets"?; it is ignored',
    );
    expect(readConfiguration(document).ok).toBe(true);
    expect(document).toEqual({
      ocs: {
        "tenant-config": { shop: { "facet-configuration": { facets: [{ "source-field": "a" }] } } },
        "default-tenant-config": {},
      },
      suggest: { "my-shop": { enable: true } },
    });
  });

  test("a part of a tenant beside the tenants", () => {
    const tenants = { "tenant-config": { shop: { locale: "de" } } };
    const raw = { ocs: { ...tenants, "sort-configuration": [], useDefaultFacetConfig: true } };
    const { document, warnings } = withoutIgnoredKeys(raw);
    expect(warnings.map(({ path }) => path)).toEqual(["ocs.sort-configuration", "ocs.useDefaultFacetConfig"]);
    expect(document).toEqual({ ocs: tenants });
  });

  test.each([
    [{ osc: {} }, "osc"],
    [{ sugest: {} }, "sugest"],
    [{ ocs: { "index-config": {}, "sort-configuration": [] } }, "ocs.sort-configuration"],
    [{ ocs: { "tenant-confg": {} } }, "ocs.tenant-confg"],
    [{ ocs: { tenants: {} } }, "ocs.tenants"],
    [{ ocs: { "index-config": { shop: { fields: {} } } } }, "ocs.index-config.shop.fields"],
  ])("refused: %j", (raw, path) => {
    const { document, warnings } = withoutIgnoredKeys(raw);
    expect(warnings).toEqual([]);
    const read = readConfiguration(document);
    expect(read.ok ? [] : read.problems.map((problem) => problem.path)).toEqual([path]);
  });
});

test("4: older names of suggest settings", () => {
  const raw = nested({
    "suggest.group.share.conf": "brand=0.4,category=0.3",
    "suggest.group.key": "type",
    "suggest.preload.indexes": "a,b",
    "suggest.index.folder": "/tmp/x",
    "suggest.data.source.merger": "true",
    "suggest.mgmt.path.prefix": "/foo",
    "suggester.max.idle.minutes": "27",
    "suggest.shop.group.cutoff.conf": "brand=3",
  });
  const read = readConfiguration(raw);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  expect(resolveSuggestConfig(read.value, "shop").group).toMatchObject({
    key: "type",
    shareConf: [
      { name: "brand", share: 0.4 },
      { name: "category", share: 0.3 },
    ],
    cutoffConf: [{ name: "brand", max: 3 }],
  });
});

test("5: however keys are cut", () => {
  const leaves: readonly (readonly [readonly string[], unknown])[] = [
    [["ocs", "tenant-config", "shop", "index-name"], "one,two"],
    [["ocs", "tenant-config", "shop", "facet-configuration", "max-facets"], 3],
    [["ocs", "tenant-config", "shop", "query-configuration", "s1", "settings", "operator"], "OR"],
    [["ocs", "tenant-config", "other", "variant-picking-strategy"], "pickAlways"],
    [["ocs", "default-tenant-config", "facet-configuration", "max-facets"], 7],
  ];
  const cuts = fc.array(fc.boolean(), { minLength: 8, maxLength: 8 });
  forAll(inject("long") ? 5_000 : 300, fc.array(cuts, { minLength: 5, maxLength: 5 }), (ways) => {
    const raw = new Map<string, unknown>();
    leaves.forEach(([path, value], i) => {
      // Cut where the way says so: `a.b`, then what is below.
      const keys: string[] = [];
      path.forEach((part, at) => {
        if (at > 0 && !ways[i][at]) keys.push(`${keys.pop()}.${part}`);
        else keys.push(part);
      });
      place(raw, keys, value);
    });
    const read = readConfiguration(nested(asObject(raw)));
    if (!read.ok) throw new Error(JSON.stringify([asObject(raw), read.problems]));
    const shop = resolveTenantConfig(read.value, "shop", []);
    expect(shop?.indexNames).toEqual(["one", "two"]);
    expect(shop?.facets.maxFacets).toBe(3);
    expect(shop?.stages?.map(({ name, settings }) => [name, settings])).toEqual([["s1", { operator: "OR" }]]);
    const other = resolveTenantConfig(read.value, "other", []);
    expect([other?.variantPickingStrategy, other?.facets.maxFacets]).toEqual(["pickAlways", 7]);
  });
});

type Tree = Map<string, unknown>;

function place(tree: Tree, [key, ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) tree.set(key, value);
  else {
    const inner = tree.get(key) instanceof Map ? (tree.get(key) as Tree) : new Map();
    tree.set(key, inner);
    place(inner, rest, value);
  }
}

function asObject(tree: Tree): Record<string, unknown> {
  return Object.fromEntries(
    [...tree].map(([key, value]) => [key, value instanceof Map ? asObject(value as Tree) : value]),
  );
}
