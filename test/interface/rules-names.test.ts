// 1. common_rules_url names a stored rules text: by its name, or as the last segment of what the reference takes.
// 2. Only the analyzers that apply rules have any; an empty setting is refused with its path.
import { expect, test } from "vitest";
import { parse } from "yaml";
import { readConfiguration, resolveTenantConfig, rulesNames } from "../../src/interface/index.ts";

function namesOf(analyzer: string, plugin: string, location: string): string[] {
  return rulesNames({ analyzer, pluginSettings: { [plugin]: { common_rules_url: location } } });
}

test.each([
  ["toys", ["toys"]],
  ["toys.txt", ["toys.txt", "toys"]],
  [" toys ", ["toys"]],
  [
    "https://rules.example/prod/toys%20de.txt?v=3#x",
    ["https://rules.example/prod/toys%20de.txt?v=3#x", "toys de.txt", "toys de"],
  ],
  ["http://host/rules/toys/", ["http://host/rules/toys/", "toys"]],
  ["/etc/ocs/toys.rules.txt", ["/etc/ocs/toys.rules.txt", "toys.rules.txt", "toys.rules"]],
  ["classpath:toys.txt", ["classpath:toys.txt", "toys.txt", "toys"]],
  ["C:\\ocs\\toys.txt", ["C:\\ocs\\toys.txt", "toys.txt", "toys"]],
  ["%zz.txt", ["%zz.txt", "%zz"]],
])("%s", (location, names) => {
  expect(namesOf("QuerqyQueryExpander", "QuerqyQueryExpander", location)).toEqual(names);
});

test("which settings count", () => {
  expect(namesOf("WhitespaceAnalyzer", "QuerqyQueryExpander", "toys")).toEqual([]);
  expect(namesOf("AsciifyQuerqyQueryAnalyzer", "QuerqyQueryExpander", "toys")).toEqual(["toys"]);
  expect(namesOf("AsciifyQuerqyQueryAnalyzer", "AsciifyQuerqyQueryAnalyzer", "a")).toEqual(["a"]);
  expect(namesOf("QuerqyQueryExpander", "AsciifyQuerqyQueryAnalyzer", "a")).toEqual([]);
  expect(rulesNames({ analyzer: "QuerqyQueryExpander", pluginSettings: {} })).toEqual([]);
});

test("in a configuration of the reference", () => {
  const plugin = "de.cxp.ocs.elasticsearch.query.analyzer.QuerqyQueryExpander";
  const read = readConfiguration({
    ocs: {
      "default-tenant-config": {
        "query-processing": { "user-query-analyzer": plugin },
        "plugin-configuration": { [`[${plugin}]`]: { common_rules_url: "querqy/rules.txt", do_asciiy_rules: true } },
      },
      "tenant-config": { shop: {} },
    },
  });
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const tenant = resolveTenantConfig(read.value, "shop", []);
  if (tenant === null) throw new Error("the tenant is configured");
  expect(rulesNames(tenant)).toEqual(["querqy/rules.txt", "rules.txt", "rules"]);
});

test("an empty setting", () => {
  expect(
    readConfiguration(
      parse(`
      ocs: {default-tenant-config: {pluginConfiguration: {QuerqyQueryExpander: {common_rules_url: " "}}}}`),
    ),
  ).toMatchObject({
    ok: false,
    problems: [{ path: "ocs.default-tenant-config.plugin-configuration.QuerqyQueryExpander.common_rules_url" }],
  });
});
