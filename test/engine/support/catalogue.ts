// Random catalogues, tenants and requests over a small vocabulary, so that everything meets everything: words that share a stem,
// values that differ in case, ids used twice, ids whose order differs between code points and UTF-16.
import fc from "fast-check";
import {
  builtInTenantConfig,
  BUILT_IN_FACETS,
  BUILT_IN_INDEX_CONFIG,
  DEFAULT_TERM_FACET,
  type FacetConfig,
  type FilterParameter,
  type ProductSet,
  type SearchRequest,
  type TenantConfig,
} from "../../../src/interface/index.ts";
import {
  ATTRIBUTES_SEARCH_FIELD,
  compileFieldPlan,
  OTHER_SEARCH_FIELD,
  VARIANT_ID_FIELD,
  type FieldPlan,
} from "../../../src/index-engine/fields/index.ts";
import type {
  ColumnValue,
  FieldText,
  FieldValue,
  IndexableProduct,
  IndexableRow,
} from "../../../src/index-engine/model.ts";

export const fields: FieldPlan = compileFieldPlan(BUILT_IN_INDEX_CONFIG, "en");

export const IDS: readonly string[] = [
  "a",
  "b",
  "c1",
  "c10",
  "c2",
  "D",
  "e f",
  "g:h AND",
  "i/j",
  "ü",
  "\uff41",
  "\u{1f45f}",
  "k",
  "l",
  "m",
  "n",
  "o",
  "p",
  "q",
  "r",
  "s",
  "t",
  "u",
  "v",
];
const WORDS = ["shoe", "shoes", "running", "run", "red", "blue", "acme", "42", "sock", "socks"];
const BRANDS = ["Acme", "acme", "Bolt", "Zed, Inc"];
const COLORS = ["Red", "red", "Blue", "green"];
const SIZES: readonly (string | number)[] = ["S", "XL", 38, 40.5, "38"];
const PRICES = [-5, 0, 9.99, 10, 15, 20, 1e3];

const textOf = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 5 })
  .map((words) => words.join(" "));

function some<T>(arbitrary: fc.Arbitrary<T>, maxLength: number): fc.Arbitrary<T[]> {
  return fc.array(arbitrary, { maxLength });
}

function textIn(...names: string[]): fc.Arbitrary<FieldText> {
  return fc.record({ field: fc.constantFrom(...names), text: textOf });
}

function term(field: string, values: readonly string[], facet = true): fc.Arbitrary<FieldValue> {
  return fc.record({
    kind: fc.constant("term" as const),
    field: fc.constant(field),
    value: fc.constantFrom(...values),
    id: fc.constantFrom(null, "1", "X"),
    facet: fc.constant(facet),
  });
}

const size: fc.Arbitrary<FieldValue> = fc
  .record({ value: fc.constantFrom(...SIZES), id: fc.constantFrom(null, "s1") })
  .map(({ value, id }) =>
    typeof value === "number"
      ? { kind: "number", field: "Size", value, id, facet: true }
      : { kind: "term", field: "Size", value, id, facet: true },
  );

const price: fc.Arbitrary<FieldValue> = fc
  .constantFrom(...PRICES)
  .map((value) => ({ kind: "number", field: "price", value, id: null, facet: true }));

const category: fc.Arbitrary<FieldValue[]> = fc
  .constantFrom(
    [["Men", "1"]],
    [
      ["Men", "1"],
      ["Shoes", "11"],
    ],
    [
      ["Women", "2"],
      ["Shoes", "11"],
    ],
  )
  .map((levels) =>
    levels.map(([, id], i) => ({
      kind: "path" as const,
      field: "category",
      value: levels
        .slice(0, i + 1)
        .map(([name]) => name)
        .join("/"),
      id: id ?? null,
      facet: true,
    })),
  );

function column(field: string, values: readonly (number | string)[]): fc.Arbitrary<ColumnValue> {
  return fc.constantFrom(...values).map((value) => ({ field, value }));
}

const sharedColumns = fc.oneof(
  column("price", PRICES),
  column("stock", [0, 0, 3]),
  column("grade", [1, 2, "A", "b", "Ä", "\u{1f45f}", "\uff41"]),
);

const variant: fc.Arbitrary<IndexableRow> = fc.record({
  texts: some(textIn(ATTRIBUTES_SEARCH_FIELD, "artNr", "color"), 2),
  values: some(
    fc.oneof(
      term("color", COLORS),
      size,
      price,
      term(VARIANT_ID_FIELD, ["v1", "v2", "V-3"], false),
      term("hidden", ["yes", "no"], false),
    ),
    4,
  ),
  columns: some(sharedColumns, 2),
});

const master = fc.record({
  texts: some(textIn("title", "brand", "description", "category_leaf", OTHER_SEARCH_FIELD), 3),
  values: fc
    .tuple(
      some(
        fc.oneof(term("brand", BRANDS), term("color", COLORS), size, price, term("rare", ["x"])),
        4,
      ),
      some(category, 1),
    )
    .map(([values, paths]) => [...values, ...paths.flat()]),
  columns: some(fc.oneof(sharedColumns, column("title", ["Shoe", "shoe", "Sock", "äther"])), 3),
});

export function product(id: string): fc.Arbitrary<IndexableProduct> {
  return fc.record({ master, variants: some(variant, 3) }).map(({ master: row, variants }) => ({
    id,
    source: new TextEncoder().encode(JSON.stringify({ id, data: {} })),
    ...row,
    variants,
  }));
}

/** Updates in order: products written together, and ids deleted after them. */
export interface Batch {
  readonly products: readonly IndexableProduct[];
  readonly deleted: readonly string[];
}

/** Seven batches: later ones overwrite and delete what earlier ones wrote. */
export const batches: fc.Arbitrary<Batch[]> = fc.array(
  fc.record({
    products: fc
      .uniqueArray(fc.constantFrom(...IDS), { maxLength: 6 })
      .chain((ids) => fc.tuple(...ids.map((id) => product(id)))),
    deleted: fc.oneof(
      { weight: 3, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.uniqueArray(fc.constantFrom(...IDS), { maxLength: 4 }) },
    ),
  }),
  { minLength: 7, maxLength: 7 },
);

/** What is live after all of them. */
export function liveProducts(all: readonly Batch[]): IndexableProduct[] {
  const live = new Map<string, IndexableProduct>();
  for (const { products, deleted } of all) {
    for (const one of products) live.set(one.id, one);
    for (const id of deleted) live.delete(id);
  }
  return [...live.values()];
}

// ---- tenants ---------------------------------------------------------------------------------------------------------------

function facet(sourceField: string, settings: Partial<FacetConfig>): FacetConfig {
  return { ...DEFAULT_TERM_FACET, sourceField, label: sourceField, ...settings };
}

export const tenant: fc.Arbitrary<TenantConfig> = fc
  .record({
    variantPickingStrategy: fc.constantFrom(
      "pickIfBestScored" as const,
      "pickAlways" as const,
      "pickIfDrilledDown" as const,
      "pickIfSingleHit" as const,
    ),
    multiSelect: fc.subarray(["brand", "color", "Size", "price", "category"]),
    preferring: fc.subarray(["color"]),
    weights: fc.constantFrom<Record<string, number> | null>(
      null,
      { title: 3, "brand.standard": 1 },
      { search_combi: 1, "_attr*": 0.5 },
    ),
    missing: fc.constantFrom<string | null>(null, "0", "_first"),
  })
  .map(({ variantPickingStrategy, multiSelect, preferring, weights, missing }) => ({
    ...builtInTenantConfig("shop", ["shop"]),
    variantPickingStrategy,
    facets: {
      ...BUILT_IN_FACETS,
      facets: ["brand", "color", "Size", "price", "category"].map((name) =>
        facet(name, {
          multiSelect: multiSelect.includes(name),
          preferVariantOnFilter: preferring.includes(name),
        }),
      ),
    },
    stages:
      weights === null
        ? null
        : [
            {
              name: "only",
              strategy: "ConfigurableQuery",
              condition: {
                minTermCount: 1,
                maxTermCount: null,
                maxQueryLength: null,
                matchingRegex: null,
              },
              settings: {},
              weightedFields: weights,
            },
          ],
    sortOptions:
      missing === null
        ? null
        : (["price", "grade"].flatMap((field) =>
            (["ASC", "DESC"] as const).map((order) => ({ label: field, field, order, missing })),
          ) as TenantConfig["sortOptions"]),
  }));

// ---- requests --------------------------------------------------------------------------------------------------------------

const q = fc.oneof(
  fc.constantFrom("", "  ", "&"),
  fc
    .array(fc.constantFrom(...WORDS, "unknown"), { minLength: 1, maxLength: 9 })
    .map((words) => words.join(" ")),
);

const FILTERS: readonly (readonly [string, readonly string[]])[] = [
  ["brand", [...BRANDS, "nothing"]],
  ["brand.id", ["1", "X", "x"]],
  ["color", ["RED", "blue", "Green"]],
  ["color.id", ["1", "X"]],
  ["Size", ["38", "XL", "38-41", "s", "41-38"]],
  ["Size.id", ["s1"]],
  ["price", ["10", "9.99-15", "-5", "10,", ",10", "abc", "1E3", "0", "-5-10", ".5"]],
  ["category", ["Men", "Men/Shoes", "men", "Shoes"]],
  ["category.id", ["11", "/1/11", "2"]],
  ["hidden", ["YES", "no"]],
  ["rare", ["x"]],
  ["nobody", ["knows"]],
];

const filter: fc.Arbitrary<FilterParameter> = fc.constantFrom(...FILTERS).chain(([name, values]) =>
  fc.record({
    name: fc.constant(name),
    negated: fc.oneof(
      { weight: 3, arbitrary: fc.constant(false) },
      { weight: 1, arbitrary: fc.constant(true) },
    ),
    values: fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 2 }),
  }),
);

const sort = fc.uniqueArray(
  fc.record({
    field: fc.constantFrom("price", "grade", "title", "stock", "brand", "unknown"),
    descending: fc.boolean(),
  }),
  { maxLength: 2, selector: ({ field }) => field },
);

const setMembers = {
  asSeparateSlice: fc.boolean(),
  variantBoostTerms: fc.constantFrom(null, "v1", "v-3 red", "blue v2"),
};
const setLimit = fc.integer({ min: 1, max: 5 });

const productSet: fc.Arbitrary<ProductSet> = fc.oneof(
  fc.record({
    type: fc.constant("static" as const),
    name: fc.constantFrom(null, "Heroes", "field:title", "field:search_combi", "field:nobody"),
    ids: fc.array(fc.constantFrom(...IDS, "gone", "red", "shoe 42"), { maxLength: 5 }),
    ...setMembers,
  }),
  fc.record({
    type: fc.constant("dynamic" as const),
    name: fc.constant("Dynamic"),
    query: fc.oneof(q, fc.constant(null)),
    sort: fc.constantFrom(null, "price", "-grade,price"),
    filters: fc.constantFrom(null, { color: "red,blue" }, { price: "10," }, { brand: "!acme" }),
    limit: setLimit,
    ...setMembers,
  }),
  fc.record({
    type: fc.constant("querystring" as const),
    name: fc.constant("Query"),
    query: fc.constantFrom(
      "title:shoe OR red^2",
      "+shoe -red",
      '"running shoes" blue',
      "NOT acme",
      "(run AND shoe) OR sock",
      "*:*",
      "broken ( query",
      "brand:acme AND NOT (42 OR blue)",
    ),
    sort: fc.constantFrom(null, "-price"),
    filters: fc.constantFrom(null, { Size: "38" }),
    fieldWeights: fc.constantFrom(null, { title: 2, description: 1 }),
    limit: setLimit,
    ...setMembers,
  }),
  fc.record({
    type: fc.constant("generic" as const),
    name: fc.constant("Nothing"),
    size: fc.constant(3),
    ...setMembers,
  }),
);

export const request: fc.Arbitrary<SearchRequest> = fc.record({
  q,
  sort: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: sort }),
  limit: fc.constantFrom(0, 1, 3, 12, 50),
  offset: fc.constantFrom(0, 0, 0, 2, 5, 9_999),
  withFacets: fc.boolean(),
  filters: some(filter, 4),
  arranged: fc.oneof(
    { weight: 2, arbitrary: fc.constant(null) },
    {
      weight: 1,
      arbitrary: fc.record({ sets: some(productSet, 3), includeMainResult: fc.boolean() }),
    },
  ),
});
