/**
 * Names are the shop's own, also those that every object of JavaScript seems to have.
 *
 * 1. An entry called like a member of all objects works like any other, as JSON and as YAML.
 * 2. Where there is no such entry, there is none: no tenant, no settings of an index or of suggest.
 * 3. Names inside an entry (stages, fields, weights, meta-data, settings) are not lost either.
 * (Replaced and removed: worker/admin 2.)
 */
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import {
  configurationEntry,
  readConfiguration,
  resolveIndexConfig,
  resolveSuggestConfig,
  resolveTenantConfig,
  listTenants,
  type ConfigurationDocument,
} from "../../src/interface/index.ts";

function read(raw: unknown): ConfigurationDocument {
  const outcome = readConfiguration(raw);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems));
  return outcome.value;
}

describe.each(["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"])("%s", (name) => {
  const text = `{"ocs": {"index-config": {"${name}": {"index-settings": {"minimum-document-count": 3}}},
    "tenant-config": {"${name}": {"index-name": "own"}}},
    "suggest": {"${name}": {"source-fields": ["own"]}}}`;

  test.each<[string, unknown]>([
    ["JSON", JSON.parse(text)],
    ["YAML", parse(text)],
  ])("1: as %s", (_form, raw) => {
    const document = read(raw);
    expect(resolveIndexConfig(document, name).minimumDocumentCount).toBe(3);
    expect(resolveTenantConfig(document, name, [])?.indexNames).toEqual(["own"]);
    expect(resolveSuggestConfig(document, name).sourceFields).toEqual(["own"]);
    expect(listTenants(document, [])).toEqual([name]);
  });

  test("2: none", () => {
    const document = read({
      ocs: { "index-config": { a: {} }, "tenant-config": { a: {} } },
      suggest: { index: { a: { sourceFields: ["a"] } } },
    });
    expect(resolveTenantConfig(document, name, [])).toBeNull();
    expect(resolveIndexConfig(document, name)).toEqual(resolveIndexConfig(read({}), name));
    expect(resolveSuggestConfig(document, name)).toEqual(resolveSuggestConfig(read({}), name));
    for (const kind of ["index", "tenant", "suggest"] as const)
      expect(configurationEntry({ ocs: {}, suggest: {} }, kind, name)).toBeUndefined();
  });

  test("3: inside an entry", () => {
    const document = read(
      JSON.parse(`{"ocs": {
        "index-config": {"i": {"field-configuration": {"fields": {"${name}": {"usage": "Result"}}}}},
        "tenant-config": {"t": {
          "query-configuration": {"${name}": {"weighted-fields": {"${name}": 2}}},
          "facet-configuration": {"facets": [{"source-field": "a", "meta-data": {"${name}": "kept"}}]},
          "plugin-configuration": {"Some": {"${name}": "kept"}}}}}}`),
    );
    const tenant = resolveTenantConfig(document, "t", []);
    expect(resolveIndexConfig(document, "i").fields.map((field) => field.name)).toEqual([name]);
    expect(tenant?.stages?.map((stage) => stage.name)).toEqual([name]);
    expect(Object.entries(tenant?.stages?.[0]?.weightedFields ?? {})).toEqual([[name, 2]]);
    expect(Object.entries(tenant?.facets.facets[0]?.metaData ?? {})).toEqual([[name, "kept"]]);
    expect(Object.entries(tenant?.pluginSettings["Some"] ?? {})).toEqual([[name, "kept"]]);
  });
});
