/**
 * An example of every operation, by its id, for openapi.json and the forms of `/docs`.
 *
 * Examples of reads use the sample catalogue. Examples of writes use an index name that is not in
 * use, so trying them is harmless.
 */
export interface Examples {
  /** By name; parameters with their default are omitted. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  /** The same body in YAML. */
  readonly yaml?: string;
  /** The body of the first answer that has one. */
  readonly answer?: unknown;
}

const INDEX = "try-it";

const PRODUCT = {
  id: "A1",
  data: { title: "Trail running shoe", brand: "Velocita", price: 99.9, stock: 4 },
  attributes: [{ name: "material", value: "Mesh", code: "mesh" }],
  categories: [
    [
      { id: "shoes", name: "Shoes" },
      { id: "running", name: "Running" },
    ],
  ],
  variants: [{ id: "A1-red-42", data: { color: "Red", size: "42" } }],
};

const QUERIES = {
  queries: [{ phrase: "running shoes", weight: 80, type: "keyword", payload: {}, tags: ["sport"] }],
  sharpened: { shoes: ["running shoes", "hiking boots"] },
  relaxed: { "pink running shoes": ["running shoes"] },
};

const SESSION = { finalIndexName: INDEX, temporaryIndexName: `ocs-1-${INDEX}-en` };

const HIT = {
  index: "ocs-1-sample-en",
  document: {
    id: "ERUN003",
    data: { title: "Velocita Glide Men's Trail Running Shoes", brand: "Velocita", price: 199 },
    attributes: null,
    categories: null,
  },
  matchedQueries: ["exact"],
  metaData: { score: 12.5 },
};

const RESULT = {
  tookInMillis: 4,
  inputURI: "?q=running+shoes&color=black%2Cred&limit=1",
  slices: [
    {
      label: null,
      matchCount: 6,
      nextOffset: 1,
      nextLink: "?q=running+shoes&color=black%2Cred&limit=1&offset=1",
      resultLink: "?q=running+shoes&color=black%2Cred&limit=1",
      hits: [HIT],
      facets: [
        {
          fieldName: "color",
          absoluteFacetCoverage: 8,
          isFiltered: true,
          filtered: true,
          type: "term",
          meta: { label: "color", multiSelect: true, order: 1000 },
          entries: [
            {
              type: "term",
              key: "Red",
              id: null,
              docCount: 4,
              link: "q=running+shoes&color=black&limit=1",
              selected: true,
            },
          ],
        },
      ],
    },
  ],
  sortOptions: [
    {
      label: "price.asc",
      field: "price",
      sortOrder: "ASC",
      isActive: false,
      active: false,
      link: "q=running+shoes&color=black%2Cred&sort=price&limit=1",
    },
  ],
  meta: {},
};

const FACETS = {
  "facet-configuration": { facets: [{ "source-field": "brand", "is-multi-select": true }] },
};
const FACETS_YAML = "facet-configuration:\n  facets:\n    - source-field: brand\n      is-multi-select: true\n";

const FIELDS = {
  "field-configuration": {
    fields: {
      material: { name: "material", type: "string", usage: ["Search", "Facet", "Result"] },
    },
  },
};

const DESCRIPTION = {
  name: "sample",
  locale: "en",
  generation: { number: 1, physicalName: "ocs-1-sample-en", epoch: 1 },
  kept: null,
  lastImport: 1_790_000_000_000,
  documents: 2372,
  variants: 9120,
  memoryBytes: 2_100_000,
  storedBytes: 1_300_000,
  givenUp: [],
  pendingWrites: 0,
  shards: [],
};

const reading = { parameters: { name: "sample" } };
const writing = { parameters: { name: INDEX } };
const changed = { version: 2 };

export const EXAMPLES: Readonly<Record<string, Examples>> = {
  search: {
    parameters: {
      tenant: "sample",
      q: "running shoes",
      limit: 3,
      highlight: "title",
      filters: { color: "Black,Red", price: "50,200" },
    },
    answer: RESULT,
  },
  arrangedSearch: {
    parameters: { tenant: "sample" },
    body: {
      q: "running shoes",
      limit: 4,
      filters: { color: "black,red" },
      arrangedProductSets: [
        { type: "static", name: "picked", ids: ["ERUN003"], asSeparateSlice: true },
        { type: "dynamic", name: "socks", query: "socks", limit: 2 },
      ],
    },
    answer: RESULT,
  },
  getDocument: { parameters: { tenant: "sample", id: "ERUN003" }, answer: HIT.document },
  getTenants: { answer: ["sample", "sample-de"] },
  suggest: {
    parameters: { indexname: "sample", userQuery: "run", limit: 5 },
    answer: [{ phrase: "Running Shoes", type: "category", payload: null }],
  },

  startImport: { parameters: { indexName: INDEX, locale: "en" }, answer: SESSION },
  add: { body: { session: SESSION, documents: [PRODUCT] }, answer: 1 },
  done: { body: SESSION, answer: true },
  cancel: { body: SESSION },
  deleteDocuments: {
    parameters: { indexName: INDEX, "id[]": ["A1"] },
    answer: { A1: "DELETED" },
  },
  patchDocuments: {
    parameters: { indexName: INDEX },
    body: [{ id: "A1", data: { price: 89.9 } }],
    answer: { A1: "UPDATED" },
  },
  putDocuments: {
    parameters: { indexName: INDEX, langCode: "en" },
    body: [PRODUCT],
    answer: { A1: "CREATED" },
  },

  getConfiguration: { answer: { ocs: { "default-tenant-config": FACETS } } },
  putConfiguration: {
    body: { ocs: { "default-tenant-config": FACETS } },
    yaml: "ocs:\n  default-tenant-config:\n    facet-configuration:\n      max-facets: 8\n",
    answer: { version: 1 },
  },
  patchConfiguration: {
    body: { ocs: { "default-tenant-config": { "facet-configuration": { "max-facets": 5 } } } },
    yaml: "ocs:\n  default-tenant-config:\n    facet-configuration:\n      max-facets: 5\n",
    answer: changed,
  },
  deleteConfiguration: { answer: changed },
  getIndexConfiguration: { ...writing, answer: FIELDS },
  putIndexConfiguration: {
    ...writing,
    body: FIELDS,
    yaml:
      "field-configuration:\n  fields:\n    material:\n      name: material\n      type: string\n" +
      "      usage: [Search, Facet, Result]\n",
    answer: changed,
  },
  patchIndexConfiguration: {
    ...writing,
    body: { "index-settings": { "minimum-document-count": 1 } },
    yaml: "index-settings: {minimum-document-count: 1}\n",
    answer: changed,
  },
  deleteIndexConfiguration: { ...writing, answer: changed },
  getTenantConfiguration: { ...writing, answer: { "index-name": "sample", ...FACETS } },
  putTenantConfiguration: {
    ...writing,
    body: { "index-name": "sample", ...FACETS },
    yaml: `index-name: sample\n${FACETS_YAML}`,
    answer: changed,
  },
  patchTenantConfiguration: {
    ...writing,
    body: { "variant-picking-strategy": "pickAlways", "facet-configuration": null },
    yaml: "variant-picking-strategy: pickAlways\nfacet-configuration: null\n",
    answer: changed,
  },
  deleteTenantConfiguration: { ...writing, answer: changed },
  getSuggestConfiguration: { ...writing, answer: { sourceFields: ["brand", "category", "title"] } },
  putSuggestConfiguration: {
    ...writing,
    body: { sourceFields: ["brand", "category", "title"] },
    yaml: "source-fields: [brand, category, title]\n",
    answer: changed,
  },
  patchSuggestConfiguration: {
    ...writing,
    body: { sourceFields: ["brand"] },
    yaml: "source-fields: [brand]\n",
    answer: changed,
  },
  deleteSuggestConfiguration: { ...writing, answer: changed },
  getSuggestQueries: { ...writing, answer: QUERIES },
  putSuggestQueries: { ...writing, body: QUERIES, answer: changed },
  patchSuggestQueries: { ...writing, body: { sharpened: {} }, answer: changed },
  deleteSuggestQueries: { ...writing, answer: changed },
  getRules: { ...writing, answer: "shoes =>\n  SYNONYM(0.7): sneaker\n" },
  putRules: {
    ...writing,
    body: "shoes =>\n  SYNONYM(0.7): sneaker\n  UP(0.5): velocita\n",
    answer: changed,
  },
  deleteRules: { ...writing, answer: changed },
  getConfigurationHistory: {
    parameters: { entry: `tenant/${INDEX}` },
    answer: [
      {
        entry: `tenant/${INDEX}`,
        version: 7,
        atMs: 1_790_000_000_000,
        user: "ops",
        removed: false,
      },
    ],
  },
  getHistoricConfiguration: {
    parameters: { version: "7", entry: `tenant/${INDEX}` },
    answer: { "index-name": "sample", ...FACETS },
  },
  restoreConfiguration: {
    parameters: { version: "7", entry: `tenant/${INDEX}` },
    answer: { version: 9 },
  },

  getIndexes: { answer: [DESCRIPTION] },
  getIndex: { ...reading, answer: DESCRIPTION },
  deleteIndex: { ...writing, answer: { deleted: INDEX } },
  rollbackIndex: {
    ...writing,
    answer: { generation: 1, physicalName: `ocs-1-${INDEX}-en`, updatesLeftBehind: 0 },
  },
  exportIndex: { ...reading, answer: `${JSON.stringify(PRODUCT)}\n` },
  exportTenant: { parameters: { name: "shop" }, answer: `${JSON.stringify(PRODUCT)}\n` },
  reindexIndex: {
    ...writing,
    answer: {
      generation: 2,
      physicalName: `ocs-2-${INDEX}-en`,
      shards: 1,
      documents: 1,
      rejected: 0,
    },
  },
  getSessions: {
    answer: [
      {
        indexName: INDEX,
        temporaryIndexName: SESSION.temporaryIndexName,
        generation: 1,
        locale: "en",
        state: "open",
        startedAtMs: 1_790_000_000_000,
        segments: 1,
        sizeBytes: 4096,
        documents: 1,
        step: null,
      },
    ],
  },

  metrics: { answer: "# TYPE aisle_indexes gauge\naisle_indexes 1\n" },
  health: { answer: { status: "ok", indexes: 1, configurationVersion: 0 } },
  openapi: { answer: { openapi: "3.1.0" } },
  root: { answer: "<!doctype html>" },
  shop: { answer: "<!doctype html>" },
  pageFile: { parameters: { file: "page.css" }, answer: "body {}" },
  docs: { answer: "<!doctype html>" },
};
