/**
 * What forms of the reference page hold at first. Reading operations ask for something that is there; writing ones
 * name an index that nobody has, so that trying them out harms nothing.
 */
const PRACTICE_INDEX = "try-it";

const DOCUMENT = {
  id: "A1",
  data: { title: "Trail running shoe", brand: "Velocita", price: 99.9, stock: 4 },
  attributes: [{ name: "color", value: "Red", code: "red" }],
  categories: [
    [
      { id: "shoes", name: "Shoes" },
      { id: "running", name: "Running" },
    ],
  ],
};

const SESSION = {
  finalIndexName: PRACTICE_INDEX,
  temporaryIndexName: `ocs-1-${PRACTICE_INDEX}-en`,
};

const CONFIGURATION = {
  "facet-configuration": { facets: [{ "source-field": "brand", "is-multi-select": true }] },
};

/** Bodies by operation; what is missing here is `{}`. */
const BODIES: Readonly<Record<string, unknown>> = {
  arrangedSearch: {
    q: "running shoes",
    limit: 4,
    filters: { color: "black,red" },
    arrangedProductSets: [
      { type: "static", name: "picked", ids: ["ERUN003"], asSeparateSlice: true },
      { type: "dynamic", name: "socks", query: "socks", limit: 2 },
    ],
  },
  add: { session: SESSION, documents: [DOCUMENT] },
  done: SESSION,
  cancel: SESSION,
  putDocuments: [DOCUMENT],
  patchDocuments: [{ id: "A1", data: { price: 89.9 } }],
  putConfiguration: { ocs: { "default-tenant-config": CONFIGURATION } },
  putIndexConfiguration: {
    "field-configuration": {
      fields: {
        material: { name: "material", type: "string", usage: ["Search", "Facet", "Result"] },
      },
    },
  },
  putTenantConfiguration: { "index-name": "sample", ...CONFIGURATION },
  putSuggestConfiguration: { sourceFields: ["brand", "category", "title"] },
};

const TEXTS: Readonly<Record<string, string>> = {
  putRules: "shoes =>\n  SYNONYM(0.7): sneaker\n  UP(0.5): velocita\n",
};

/** Of parameters, by operation and name, else by name alone. */
const VALUES: Readonly<Record<string, string>> = {
  q: "running shoes",
  userQuery: "run",
  highlight: "title",
  locale: "en",
  id: "ERUN003",
  "id[]": "A1",
  langCode: "en",
  indexName: PRACTICE_INDEX,
  file: "page.css",
  "<field>": "color=Black,Red&price=50,200",
  "search limit": "3",
  "suggest limit": "5",
  "getIndex name": "",
  "exportIndex name": "",
};

/** Parameters that name something a tenant or index of this deployment can stand for. */
const NAMES_TO_READ: ReadonlySet<string> = new Set([
  "search tenant",
  "arrangedSearch tenant",
  "getDocument tenant",
  "suggest indexname",
  "getIndex name",
  "exportIndex name",
]);

/** @param tenants what this deployment has; the first stands for all */
export function exampleValue(
  operationId: string,
  name: string,
  tenants: readonly string[],
): string {
  const key = `${operationId} ${name}`;
  if (NAMES_TO_READ.has(key)) return tenants[0] ?? "sample";
  if (name === "name") return PRACTICE_INDEX;
  // Only what makes the example one: forms with everything filled in say nothing about what is needed.
  if (name === "highlight" && operationId !== "search") return "";
  return VALUES[key] ?? VALUES[name] ?? "";
}

export function exampleBody(operationId: string): string {
  return TEXTS[operationId] ?? JSON.stringify(BODIES[operationId] ?? {}, null, 2);
}

/** Methods that change something. */
export function isWriting(method: string, operationId: string): boolean {
  return method.toUpperCase() !== "GET"
    ? operationId !== "arrangedSearch"
    : operationId === "startImport";
}

/** What a click does, where it cannot be taken back. */
export const WARNINGS: Readonly<Record<string, string>> = {
  deleteIndex: "Removes the index with all its documents, at once and for good.",
  deleteDocuments: "Removes documents of the live index, at once.",
  deleteConfiguration: "Removes the whole configuration.",
  putConfiguration: "Replaces the whole configuration.",
  done: "Replaces the live index by what was imported.",
};
