/**
 * What takes effect, as an entry, and warnings about entries:
 *
 * 1. Sent as the entry, what takes effect changes nothing: for indexes and tenants without an entry, with entries of
 *    every kind, with and without default entries.
 * 2. `use-default-config` without a default entry adds own fields to the built-in preset.
 * 3. An entry that replaces the preset or its facets without saying so is warned about, one that says so is not.
 * 4. Names of fields that no index of the tenant has are warned about, with what may be meant; names that may come
 *    with the documents are not.
 */
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import {
  BUILT_IN_INDEX_CONFIG,
  effectiveEntry,
  entryWarnings,
  isTenantsOnly,
  readConfiguration,
  resolveIndexConfig,
  resolveTenantConfig,
  withConfigurationEntry,
  type ConfigurationDocument,
} from "../../src/interface/index.ts";
import { table } from "../support/table.ts";

function read(raw: unknown): ConfigurationDocument {
  const outcome = readConfiguration(raw);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems));
  return outcome.value;
}

const ENTRIES = `
  index-config:
    none: {}
    settings: {index-settings: {minimum-document-count: 3, tenants-only: true}}
    own: {field-configuration: {fields: {weight: {type: number, usage: [Facet]}}, use-default-config: false}}
    added: {field-configuration: {fields: {weight: {type: number, usage: [Facet]}}, use-default-config: true}}
    dynamic: {field-configuration: {dynamic-fields: [{name: d, source-names: [".*"], search-content-prefix: p}]}}
    private: {field-configuration: {fields: {margin: {type: number, private: true, usage: [Score]}}}}
    processors:
      data-processor-configuration:
        use-default-config: true
        processors: [SkipDocumentDataProcessor]
        configuration: {SkipDocumentDataProcessor: {state: off}}
    mixed:
      field-configuration:
        use-default-config: true
        fields: {title: {usage: [Result]}, cost: {private: true, usage: [Filter]}}
  tenant-config:
    none: {}
    other: {index-name: "own, added", locale: de, filters: {brand: Acme}, variant-picking-strategy: pickAlways}
    facets:
      facet-configuration:
        max-facets: 3
        default-term-facet-configuration: {multi-select: true}
        facets: [{source-field: a, type: interval_10, label: A, meta-data: {unit: m}}, {source-field: b, type: INDEX_NAME}]
    stages:
      query-configuration: {one: {weighted-fields: {title: 2}, condition: {max-term-count: 3}}, two: {settings: {operator: OR}}}
      scoring-configuration: {score-functions: [{field: stock, type: field_value_factor, weight: 2}]}
      sort-configuration: [{field: price, order: DESC}]
      relevance-configuration: {enough: 10, cut: 0.1}
    flags: {use-default-facet-config: true, use-default-query-config: true, use-default-sort-config: false}
    plugins:
      query-processing: {user-query-analyzer: QuerqyQueryExpander}
      plugin-configuration: {"[a.b.QuerqyQueryExpander]": {common_rules_url: r}}
`;
const DEFAULTS = `
  default-index-config:
    index-settings: {minimum-document-count: 2, tenants-only: true}
    field-configuration: {fields: {title: {usage: [Search, Result]}}}
    data-processor-configuration: {processors: [AsciiFoldingDataProcessor]}
  default-tenant-config:
    filters: {hidden: "!yes"}
    facet-configuration: {facets: [{source-field: size, order: 3}]}
    sort-configuration: [{field: title}]
    query-configuration: {all: {strategy: DefaultQuery}}
`;
const PRIVATE_DEFAULTS = `
  default-index-config: {field-configuration: {fields: {cost: {private: true, usage: [Filter]}}}}
`;

test.each(table<[string, yaml: string]>`
  nothing | ${"ocs: {}"}
  entries | ${`ocs:${ENTRIES}`}
  defaults | ${`ocs:${DEFAULTS}`}
  both | ${`ocs:${DEFAULTS}${ENTRIES}`}
  private defaults | ${`ocs:${PRIVATE_DEFAULTS}${ENTRIES}`}
`)("1: %s", (_name, yaml) => {
  const raw: unknown = parse(yaml);
  const document = read(raw);
  for (const name of ["absent", ...Object.keys(document.ocs?.indexConfig ?? {})]) {
    const changed = read(withConfigurationEntry(raw, "index", name, effectiveEntry(document, "index", name)));
    expect(resolveIndexConfig(changed, name)).toEqual(resolveIndexConfig(document, name));
    expect(isTenantsOnly(changed, name)).toBe(isTenantsOnly(document, name));
  }
  for (const name of ["absent", ...Object.keys(document.ocs?.tenantConfig ?? {})]) {
    const changed = read(withConfigurationEntry(raw, "tenant", name, effectiveEntry(document, "tenant", name)));
    expect(resolveTenantConfig(changed, name, [name])).toEqual(resolveTenantConfig(document, name, [name]));
  }
});

test("2: a field beside the preset", () => {
  const document = read(parse(`ocs:${ENTRIES}`));
  const weight = {
    name: "weight",
    type: "number",
    level: "master",
    sourceNames: [],
    usages: ["Facet"],
    searchContentPrefix: null,
  };
  expect(resolveIndexConfig(document, "added")).toEqual({
    ...BUILT_IN_INDEX_CONFIG,
    fields: [weight, ...BUILT_IN_INDEX_CONFIG.fields],
  });
  expect(resolveIndexConfig(document, "own")).toMatchObject({ fields: [weight], processors: [], catchAll: false });
  const { fields, catchAll } = resolveIndexConfig(document, "mixed");
  expect(catchAll).toBe(true);
  // Own fields take the place of the preset's.
  expect(fields.filter(({ name }) => name === "title")).toMatchObject([{ usages: ["Result"] }]);
});

const warned = (kind: "index" | "tenant", yaml: string, more = "", live: readonly string[] = []) => {
  const raw: unknown = parse(`ocs:\n  ${kind}-config: {x: ${yaml}}${more}`);
  return entryWarnings(raw, read(raw), { kind, name: "x" }, live);
};

describe("warnings", () => {
  test.each(table<[string, kind: "index" | "tenant", yaml: string, more: string, path: string | null]>`
    fields | ${"index"} | ${"{fieldConfiguration: {fields: {a: {}}}}"} | ${""} | ${"fieldConfiguration"}
    no fields | ${"index"} | ${"{field-configuration: {}}"} | ${""} | ${"field-configuration"}
    fields, added | ${"index"} | ${"{field-configuration: {fields: {a: {}}, use-default-config: true}}"} | ${""} | ${null}
    fields, alone | ${"index"} | ${"{field-configuration: {fields: {a: {}}, use-default-config: false}}"} | ${""} | ${null}
    private fields | ${"index"} | ${"{field-configuration: {fields: {a: {private: true}}}}"} | ${""} | ${null}
    other settings | ${"index"} | ${"{index-settings: {minimum-document-count: 1}}"} | ${""} | ${null}
    fields, with default fields | ${"index"} | ${"{field-configuration: {fields: {a: {}}}}"} | ${DEFAULTS} | ${null}
    facets without a list | ${"tenant"} | ${"{facet-configuration: {max-facets: 5}}"} | ${""} | ${"facet-configuration"}
    facets | ${"tenant"} | ${"{facet-configuration: {facets: [{source-field: brand}]}}"} | ${""} | ${null}
    no facets | ${"tenant"} | ${"{facet-configuration: {facets: []}}"} | ${""} | ${null}
    default facets | ${"tenant"} | ${"{facet-configuration: {max-facets: 5}}"} | ${DEFAULTS} | ${"facet-configuration"}
    flagged | ${"tenant"} | ${"{facet-configuration: {max-facets: 5}, use-default-facet-config: false}"} | ${""} | ${null}
  `)("3: %s", (_name, kind, yaml, more, path) => {
    expect(warned(kind, yaml, more).map((one) => one.path)).toEqual(path === null ? [] : [path]);
  });

  const OWN = `
  index-config: {own: {field-configuration: {fields: {title: {usage: [Search]}, price: {type: number, usage: [Sort]}},
    dynamic-fields: [{name: attribute, source-names: ["^spec_"], usage: [Facet, Search]}]}}}`;

  test.each(table<[string, yaml: string, more: string, path: string | null, near: string]>`
    weights | ${"{relevance-configuration: {weighted-fields: {titel: 3, title: 2, _other: 1}}}"} | ${""}
      | ${"relevance-configuration.weighted-fields.titel"} | ${"title"}
    names that are only searched together | ${"{relevance-configuration: {weighted-fields: {material: 3}}}"} | ${""}
      | ${"relevance-configuration.weighted-fields.material"} | ${""}
    levels, patterns | ${"{relevance-configuration: {weighted-fields: {category_lvl_1: 1, 'category_*': 1}}}"} | ${""} | ${null} | ${""}
    stages | ${"{queryConfiguration: {s: {weightedFields: {title.standard: 1, brnad.ngram: 1}}}}"} | ${""}
      | ${"queryConfiguration.s.weightedFields.brnad.ngram"} | ${"brand"}
    facets that may come | ${"{facet-configuration: {facets: [{source-field: material}]}}"} | ${""} | ${null} | ${""}
    facets of other fields | ${"{facet-configuration: {facets: [{source-field: title}]}}"} | ${""}
      | ${"facet-configuration.facets[0].source-field"} | ${""}
    own fields | ${"{index-name: own, facet-configuration: {facets: [{source-field: spec_a}, {source-field: b}]}}"} | ${OWN}
      | ${"facet-configuration.facets[1].source-field"} | ${""}
    sort | ${"{index-name: own, sort-configuration: [{field: prise}, {field: price}, {field: spec_a.1}]}"} | ${OWN}
      | ${"sort-configuration[0].field"} | ${"price"}
    several indexes | ${"{index-name: 'own,shop', sort-configuration: [{field: prise}]}"} | ${OWN} | ${null} | ${""}
    an index | ${"{index-name: shpo}"} | ${""} | ${"index-name"} | ${"shop"}
  `)("4: %s", (_name, yaml, more, path, near) => {
    const warnings = warned("tenant", yaml, more, ["shop", "own"]);
    expect(warnings.map((one) => one.path)).toEqual(path === null ? [] : [path]);
    if (near !== "") expect(warnings[0]?.message).toContain(`did you mean "${near}"?`);
  });
});
