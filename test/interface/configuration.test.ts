/**
 * The configuration document: what is read, what is refused, what comes out.
 *
 * 1. A file in the reference's form is read whole, whatever its spelling, and infrastructure sections have no effect.
 * 2. Every kind of mistake is refused with its path in the document's own spelling.
 * 3. The merge of defaults, own entries and the built-in preset is that of configuration-resolve.ts.
 * 4. Entries are read and replaced without disturbing the rest of the document.
 */
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { BUILT_IN_FACETS, BUILT_IN_INDEX_CONFIG, DEFAULT_TERM_FACET } from "../../src/interface/preset.ts";
import {
  type ConfigurationDocument,
  configurationEntry,
  isTenantsOnly,
  listTenants,
  readConfiguration,
  resolveIndexConfig,
  resolveSuggestConfig,
  resolveTenantConfig,
  withConfigurationEntry,
} from "../../src/interface/index.ts";
import { table } from "../support/table.ts";

const REFERENCE_FILE = `
ocs:
  connection-configuration: {hosts: "http://localhost:9200", auth: null}
  disabled-plugins: []
  prefered-plugins: {}
  scheduler: {refresh-config: {enabled: true}}
  default-index-config:
    index-settings: {replica-count: 1, refresh-interval: 5s, minimum-document-count: 1}
    data-processor-configuration:
      processors:
        - de.cxp.ocs.preprocessor.impl.ExtractCategoryLevelDataProcessor
        - ReplacePatternInValuesDataProcessor
      configuration:
        "[de.cxp.ocs.preprocessor.impl.ReplacePatternInValuesDataProcessor]":
          title: "foo"
          title_replacement: 42
    field-configuration:
      fields:
        id: {name: id, type: id, field-level: both, usage: [Result]}
        title: {name: title, type: string, source-names: [Title, name], usage: [search, RESULT, Sort]}
        price: {name: price, type: number, fieldLevel: BOTH, usage: "Sort, Result, Facet"}
      dynamicFields:
        - {name: attribute, type: number, source-names: [".*"], usage: [Facet, Result]}
        - {name: others, source-names: [".*"], usage: [Result]}
  index-config:
    own:
      field-configuration:
        use-default-config: true
        fields:
          - {name: price, type: number, usage: [Result]}
          - {name: brand, usage: [Search, Facet]}
    empty:
      field-configuration: {fields: {}}
  default-tenant-config:
    facet-configuration: {max-facets: 7, facets: [{source-field: brand, is-multi-select: "true"}]}
    plugin-configuration:
      "[de.cxp.ocs.QuerqyQueryExpander]": {common_rules_url: rules-a, do_lowercase_rules: true}
  tenant-config:
    shop:
      index-name: own, other
      use-default-facet-config: true
      variant-picking-strategy: PICK_ALWAYS
      query-processing:
        user-query-preprocessors: [AsciifyUserQueryPreprocessor]
        user-query-analyzer: de.cxp.ocs.elasticsearch.query.analyzer.QuerqyQueryExpander
      query-configuration:
        ean-search:
          strategy: ConfigurableQueryFactory
          condition: {matching-regex: "\\\\d{13}", maxTermCount: 42}
          settings: {operator: OR, accept-no-result: true, multimatch_type: best_fields}
          weighted-fields: {ean: 1, "title.standard": 2.5}
        default: {strategy: DefaultQuery}
      scoring-configuration:
        boost-mode: sum
        score-functions: [{field: stock, type: FIELD_VALUE_FACTOR, weight: 2.5, options: {modifier: LOG1P, MISSING: 0}}]
      facetConfiguration: {facets: []}
      sort-configuration: [{label: cheap, field: price}, {label: new, field: age, order: desc, missing: 9}]
suggest:
  update-rate: 60
  group: {key: type, share-conf: "keyword=0.3,brand=0.7"}
  index:
    default: {source-fields: "brand,category"}
  shop: {sourceFields: [title], group: {cutoff-conf: "title=5"}}
`;

function read(raw: unknown): ConfigurationDocument {
  const outcome = readConfiguration(raw);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems));
  return outcome.value;
}

describe("1, 3: a file in the reference's form", () => {
  const document = read(parse(REFERENCE_FILE));

  test("index: the default entry, for an index without one", () => {
    const config = resolveIndexConfig(document, "anything");
    expect(config.minimumDocumentCount).toBe(1);
    expect(config.catchAll).toBe(false);
    expect(config.fields.map((field) => field.name)).toEqual(["id", "title", "price"]);
    expect(config.fields[1]?.usages).toEqual(["Search", "Result", "Sort"]);
    expect(config.fields[2]).toEqual({
      name: "price",
      type: "number",
      level: "both",
      sourceNames: [],
      usages: ["Sort", "Result", "Facet"],
      searchContentPrefix: null,
    });
    expect(config.dynamicFields.map((field) => field.name)).toEqual(["attribute", "others"]);
    expect(config.processors).toEqual([
      { name: "ExtractCategoryLevelDataProcessor", settings: {} },
      { name: "ReplacePatternInValuesDataProcessor", settings: { title: "foo", title_replacement: "42" } },
    ]);
  });

  test("index: own fields win by name over the default's, which follow", () => {
    const config = resolveIndexConfig(document, "own");
    expect(config.fields.map((field) => [field.name, field.usages])).toEqual([
      ["price", ["Result"]],
      ["brand", ["Search", "Facet"]],
      ["id", ["Result"]],
      ["title", ["Search", "Result", "Sort"]],
    ]);
    expect(config.minimumDocumentCount).toBe(1);
  });

  test("index: a field configuration that is there and empty indexes nothing", () => {
    expect(resolveIndexConfig(document, "empty").fields).toEqual([]);
    expect(resolveIndexConfig(document, "empty").catchAll).toBe(false);
  });

  test("tenant: own parts, flagged parts from the default, plugin settings of both", () => {
    const tenant = resolveTenantConfig(document, "shop", []);
    expect(tenant?.indexNames).toEqual(["own", "other"]);
    expect(tenant?.variantPickingStrategy).toBe("pickAlways");
    expect(tenant?.preprocessors).toEqual(["AsciifyUserQueryPreprocessor"]);
    expect(tenant?.analyzer).toBe("QuerqyQueryExpander");
    expect(tenant?.facets.maxFacets).toBe(7);
    expect(tenant?.facets.facets).toEqual([
      { ...DEFAULT_TERM_FACET, sourceField: "brand", label: "brand", multiSelect: true },
    ]);
    expect(tenant?.pluginSettings).toEqual({
      QuerqyQueryExpander: { common_rules_url: "rules-a", do_lowercase_rules: "true" },
    });
    expect(tenant?.stages).toEqual([
      {
        name: "ean-search",
        strategy: "ConfigurableQuery",
        condition: { minTermCount: 1, maxTermCount: 42, maxQueryLength: null, matchingRegex: "\\d{13}" },
        settings: { operator: "OR", multimatch_type: "best_fields", acceptNoResult: "true" },
        weightedFields: { ean: 1, "title.standard": 2.5 },
      },
      {
        name: "default",
        strategy: "DefaultQuery",
        condition: { minTermCount: 1, maxTermCount: null, maxQueryLength: null, matchingRegex: null },
        settings: {},
        weightedFields: {},
      },
    ]);
    expect(tenant?.scoring).toEqual({
      boostMode: "sum",
      scoreMode: "avg",
      functions: [
        { field: "stock", type: "field_value_factor", weight: 2.5, options: { MODIFIER: "LOG1P", MISSING: "0" } },
      ],
    });
    expect(tenant?.sortOptions).toEqual([
      { label: "cheap", field: "price", order: "ASC", missing: "0" },
      { label: "new", field: "age", order: "DESC", missing: "9" },
    ]);
  });

  test("suggest: per index before the default index before the general settings", () => {
    expect(resolveSuggestConfig(document, "shop")).toMatchObject({
      sourceFields: ["title"],
      group: {
        key: "type",
        shareConf: [
          { name: "keyword", share: 0.3 },
          { name: "brand", share: 0.7 },
        ],
        cutoffConf: [{ name: "title", max: 5 }],
      },
    });
    expect(resolveSuggestConfig(document, "other").sourceFields).toEqual(["brand", "category"]);
  });

  test("tenants are the configured ones and the live indexes", () => {
    expect(listTenants(document, ["zoo", "shop"])).toEqual(["shop", "zoo"]);
    expect(resolveTenantConfig(document, "zoo", ["zoo"])?.facets.maxFacets).toBe(7);
    expect(resolveTenantConfig(document, "nobody", ["zoo"])).toBeNull();
  });
});

test("3: use-default-… false: nothing of the default, also where the entry does not mention the part", () => {
  const document = read(
    parse(`
    ocs:
      default-tenant-config:
        scoring-configuration: {boost-mode: replace, score-functions: [{field: stock}]}
        facet-configuration: {max-facets: 7, facets: [{source-field: brand}]}
        query-configuration: {all: {strategy: DefaultQuery}}
        sort-configuration: [{field: price}]
      tenant-config:
        none:
          use-default-scoring-config: false
          use-default-facet-config: false
          use-default-query-config: false
          use-default-sort-config: false
        silent: {}`),
  );
  expect(resolveTenantConfig(document, "none", [])).toMatchObject({
    scoring: { functions: [] },
    facets: { maxFacets: 5, facets: [] },
    stages: [],
    sortOptions: null,
  });
  expect(resolveTenantConfig(document, "silent", [])).toMatchObject({
    scoring: { functions: [{ field: "stock" }] },
    facets: { maxFacets: 7, facets: [{ sourceField: "brand" }] },
    stages: [{ name: "all" }],
    sortOptions: [{ field: "price" }],
  });
});

test("3: filters are a tenant's own, else the default's, and make its indexes tenants-only", () => {
  const document = read(
    parse(`
    ocs:
      default-index-config: {index-settings: {tenants-only: "true"}}
      default-tenant-config: {filters: {hidden: "!yes"}}
      tenant-config:
        own: {index-name: "a, b", filters: {brand: Acme, price: 10}}
        all: {index-name: c, filters: {}}
        silent: {index-name: d}
      index-config:
        a: {field-configuration: {fields: []}, index-settings: {use-default-config: false}}
        b: {index-settings: {tenants-only: false}}
        c: {index-settings: {}}`),
  );
  const filtersOf = (name: string, live: readonly string[] = []) => resolveTenantConfig(document, name, live)?.filters;
  expect(filtersOf("own")).toEqual({ brand: "Acme", price: "10" });
  expect(filtersOf("all")).toEqual({});
  expect(filtersOf("silent")).toEqual({ hidden: "!yes" });
  expect(filtersOf("index", ["index"])).toEqual({ hidden: "!yes" });
  expect(["a", "b", "c", "d"].map((name) => isTenantsOnly(document, name))).toEqual([true, false, false, true]);
});

test("3: nothing configured is the built-in preset", () => {
  const document = read(null);
  expect(resolveIndexConfig(document, "shop")).toEqual(BUILT_IN_INDEX_CONFIG);
  expect(resolveTenantConfig(document, "shop", ["shop"])?.facets).toEqual(BUILT_IN_FACETS);
  expect(resolveSuggestConfig(document, "shop").sourceFields).toEqual([]);
});

test("3: an index entry that says nothing about fields keeps the preset's", () => {
  const document = read({ ocs: { "index-config": { shop: { indexSettings: { minimumDocumentCount: "3" } } } } });
  expect(resolveIndexConfig(document, "shop")).toEqual({ ...BUILT_IN_INDEX_CONFIG, minimumDocumentCount: 3 });
});

test.each(table<[string, yaml: string, path: string, RegExp]>`
    unknown key | ${"ocs: {index-confg: {}}"} | ${"ocs.index-confg"} | ${/did you mean "index-config"/}
    unknown top | ${"osc: {}"} | ${"osc"} | ${/did you mean "ocs"/}
    field type | ${"ocs: {indexConfig: {a: {fieldConfiguration: {fields: {x: {type: strnig}}}}}}"}
      | ${"ocs.indexConfig.a.fieldConfiguration.fields.x.type"} | ${/none of string, number/}
    usage in a list
      | ${"ocs: {index-config: {a: {field-configuration: {dynamic-fields: [{name: x, usage: [Serch]}]}}}}"}
      | ${"ocs.index-config.a.field-configuration.dynamic-fields[0].usage[0]"} | ${/none of Search/}
    pattern
      | ${'ocs: {default-index-config: {field-configuration: {dynamic-fields: [{name: x, source-names: ["("]}]}}}'}
      | ${"ocs.default-index-config.field-configuration.dynamic-fields[0].source-names[0]"}
      | ${/not a valid regular expression/}
    processor | ${"ocs: {default-index-config: {data-processor-configuration: {processors: [Nope]}}}"}
      | ${"ocs.default-index-config.data-processor-configuration.processors[0]"} | ${/"Nope" is none of/}
    facet type | ${"ocs: {tenant-config: {t: {facet-configuration: {facets: [{source-field: a, type: pie}]}}}}"}
      | ${"ocs.tenant-config.t.facet-configuration.facets[0].type"} | ${/must be term/}
    facet without field | ${"ocs: {tenant-config: {t: {facet-configuration: {facets: [{}]}}}}"}
      | ${"ocs.tenant-config.t.facet-configuration.facets[0].sourceField"} | ${/./}
    facet twice
      | ${"ocs: {tenant-config: {t: {facet-configuration: {facets: [{source-field: a}, {source-field: a}]}}}}"}
      | ${"ocs.tenant-config.t.facet-configuration.facets[1].source-field"} | ${/"a" is given twice/}
    field twice | ${"ocs: {index-config: {i: {field-configuration: {fields: [{name: a}, {name: b}, {name: a}]}}}}"}
      | ${"ocs.index-config.i.field-configuration.fields[2].name"} | ${/"a" is given twice/}
    field twice, in a map | ${"ocs: {indexConfig: {i: {fieldConfiguration: {fields: {a: {}, b: {Name: a}}}}}}"}
      | ${"ocs.indexConfig.i.fieldConfiguration.fields.b.Name"} | ${/"a" is given twice/}
    field without a name | ${"ocs: {indexConfig: {i: {fieldConfiguration: {fields: [{name: a}, {}]}}}}"}
      | ${"ocs.indexConfig.i.fieldConfiguration.fields[1]"} | ${/no name/}
    number | ${"ocs: {default-tenant-config: {facet-configuration: {max-facets: many}}}"}
      | ${"ocs.default-tenant-config.facet-configuration.max-facets"} | ${/number/}
    boolean | ${"ocs: {default-tenant-config: {use-default-facet-config: perhaps}}"}
      | ${"ocs.default-tenant-config.use-default-facet-config"} | ${/true or false/}
    one key in two spellings | ${"ocs: {tenant-config: {}, tenantConfig: {}}"} | ${"ocs.tenantConfig"}
      | ${/^is given twice, also as "tenant-config"$/}
    a text for a section | ${"ocs: x"} | ${"ocs"} | ${/./}
    suggest key | ${"suggest: {surce-fields: a}"} | ${"suggest.surce-fields"} | ${/did you mean/}
    setting of a stage | ${"ocs: {tenant-config: {t: {query-configuration: {s: {settings: {operater: OR}}}}}}"}
      | ${"ocs.tenant-config.t.query-configuration.s.settings.operater"} | ${/did you mean "operator"/}
  `)("2: mistakes: %s", (_name, yaml, path, message) => {
  const outcome = readConfiguration(parse(yaml));
  expect(outcome.ok).toBe(false);
  if (outcome.ok) return;
  expect(outcome.problems.map((problem) => problem.path)).toEqual([path]);
  expect(outcome.problems[0]?.message).toMatch(message);
});

test("3: a sort option whose order is null is skipped, as in the reference; without an order it ascends", () => {
  const document = read(
    parse(`ocs:
  tenant-config:
    shop:
      sort-configuration: [{field: price}, {field: stock, order: null}, {field: title, order: desc}]
    none:
      sort-configuration: [{field: stock, Order: ~}]`),
  );
  expect(resolveTenantConfig(document, "shop", [])?.sortOptions).toEqual([
    { label: "price.asc", field: "price", order: "ASC", missing: "0" },
    { label: "title.desc", field: "title", order: "DESC", missing: "0" },
  ]);
  expect(resolveTenantConfig(document, "none", [])?.sortOptions).toEqual([]);
});

test("4: entries are found and replaced in the document's own spelling", () => {
  const document = { ocs: { tenantConfig: { a: { locale: "en" } } }, suggest: { index: { s: {} } } };
  expect(configurationEntry(document, "tenant", "a")).toEqual({ locale: "en" });
  expect(configurationEntry(document, "tenant", "A")).toBeUndefined();
  expect(configurationEntry(document, "index", "a")).toBeUndefined();
  const more = withConfigurationEntry(document, "index", "a", { x: 1 });
  expect(more).toEqual({ ...document, ocs: { ...document.ocs, "index-config": { a: { x: 1 } } } });
  expect(withConfigurationEntry(more, "tenant", "a", undefined)).toMatchObject({ ocs: { tenantConfig: {} } });
  expect(withConfigurationEntry(document, "suggest", "s", { y: 2 })).toMatchObject({
    suggest: { index: { s: { y: 2 } } },
  });
  expect(withConfigurationEntry(null, "suggest", "s", { y: 2 })).toEqual({ suggest: { s: { y: 2 } } });
  expect(document).toEqual({ ocs: { tenantConfig: { a: { locale: "en" } } }, suggest: { index: { s: {} } } });
});
