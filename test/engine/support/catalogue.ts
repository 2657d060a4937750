// Random catalogues, tenants and requests over a small vocabulary, so that everything meets everything: words that
// share a stem, values that differ in case, ids used twice, ids whose order differs between code points and UTF-16.
import fc from "fast-check";
import {
  builtInTenantConfig,
  BUILT_IN_FACETS,
  BUILT_IN_INDEX_CONFIG,
  DEFAULT_TERM_FACET,
  type FacetConfig,
  type FilterParameter,
  type ProductSet,
  type RelevanceConfig,
  type ScoringConfig,
  type SearchRequest,
  type StageConfig,
  type TenantConfig,
} from "../../../src/interface/index.ts";
import {
  ATTRIBUTES_SEARCH_FIELD,
  compileFieldPlan,
  OTHER_SEARCH_FIELD,
  VARIANT_ID_FIELD,
  type FieldPlan,
} from "../../../src/index-engine/documents/index.ts";
import { readFilterParameter } from "../../../src/index-engine/query/filter/index.ts";
import type {
  ColumnValue,
  FieldText,
  FieldValue,
  IndexableProduct,
  IndexableRow,
} from "../../../src/index-engine/segment/model/index.ts";
import { mulberry32 } from "../../support/mulberry32.ts";

export const fields: FieldPlan = compileFieldPlan(BUILT_IN_INDEX_CONFIG, "en");
/** Words grow together here. */
export const germanFields: FieldPlan = compileFieldPlan(BUILT_IN_INDEX_CONFIG, "de");

export const IDS: readonly string[] =
  "a|b|c1|c10|c2|D|e f|g:h AND|i/j|ü|\uff41|\u{1f45f}|k|l|m|n|o|p|q|r|s|t|u|v".split("|");
/** The last three are written together, with each other and in queries. */
const WORDS = ["shoe", "shoes", "running", "run", "red", "blue", "acme", "42", "sock", "socks"].concat([
  "靴",
  "運動靴",
  "防水運動",
]);
const BRANDS = ["Acme", "acme", "Bolt", "Zed, Inc"];
const COLORS = ["Red", "red", "Blue", "green"];
const SIZES: readonly (string | number)[] = ["S", "XL", 38, 40.5, "38"];
const PRICES = [-5, 0, 9.99, 10, 15, 20, 1e3];

const textOf = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 5 }).map((words) => words.join(" "));

/** Parts of titles end at some of these. */
const BETWEEN = [" ", " ", " ", ", ", " - ", " with ", " without ", " mit ", " ohne ", " for ", " für ", ": the "];

const title = fc
  .tuple(
    fc.constantFrom("", "", "", "the "),
    fc.array(fc.tuple(fc.constantFrom(...WORDS), fc.constantFrom(...BETWEEN)), { minLength: 1, maxLength: 5 }),
  )
  .map(([first, pieces]): FieldText => ({
    field: "title",
    text: first + pieces.map(([word, behind], i) => word + (i + 1 < pieces.length ? behind : "")).join(""),
  }));

function weighing<T>(weight: number, arbitrary: fc.Arbitrary<T>): fc.WeightedArbitrary<T> {
  return { weight, arbitrary };
}

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

/** A category with those that it lies in. */
function categoryOf(...levels: readonly (readonly [name: string, id: string | null])[]): FieldValue[] {
  return levels.map(([, id], i) => ({
    kind: "path" as const,
    field: "category",
    value: levels
      .slice(0, i + 1)
      .map(([name]) => name)
      .join("/"),
    id,
    facet: true,
  }));
}

const category: fc.Arbitrary<FieldValue[]> = fc.constantFrom(
  categoryOf(["Men", "1"]),
  categoryOf(["Men", "1"], ["Shoes", "11"]),
  categoryOf(["Women", "2"], ["Shoes", "11"]),
  categoryOf(["Women", "2"], ["Red Socks, Running", null]),
  categoryOf(["Sale", null]),
  categoryOf(["Men", "3"], ["Running", null]),
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
  texts: fc
    .tuple(some(title, 2), some(textIn("headline", "brand", "description", "category_leaf", OTHER_SEARCH_FIELD), 2))
    .map((texts) => texts.flat()),
  values: fc
    .tuple(
      some(fc.oneof(term("brand", BRANDS), term("color", COLORS), size, price, term("rare", ["x"])), 4),
      fc.uniqueArray(category, { maxLength: 3, selector: (path) => path.at(-1)?.value }),
    )
    .map(([values, paths]) => [...values, ...new Map(paths.flat().map((value) => [value.value, value])).values()]),
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
      weighing(3, fc.constant([])),
      weighing(1, fc.uniqueArray(fc.constantFrom(...IDS), { maxLength: 4 })),
    ),
  }),
  { minLength: 7, maxLength: 7 },
);

/**
 * So many products that some words are rare: "velwet" is a misspelling then, and "head band" one word. More of them
 * find "boot" than may vote.
 */
const crowd: fc.Arbitrary<Batch> = fc
  .record({ salt: fc.nat(), many: fc.constantFrom(4, 5, 6, 7, 10), few: fc.constantFrom(1, 2, 2) })
  .map(({ salt, many, few }) => {
    const counts = { velvet: many, headband: many, velwet: few, head: 1, band: few - 1 };
    const rare = Object.entries(counts).flatMap(([kind, count]) => Array<string>(count).fill(kind));
    const random = mulberry32(salt);
    const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)];
    const products = Array.from({ length: 80 }, (_, i): IndexableProduct => {
      const kind = rare[i] ?? one(["boot", "boot", "42"]);
      const colour = kind === "velvet" || (kind !== "velwet" && i % 3 > 0) ? "red" : "blue";
      const text = one(
        [
          [`${colour} ${kind}`, `leather ${kind} - ${colour}`, `${kind}, ${colour} shoe`],
          [`${colour} ${kind} without leather`, `${kind} ohne leather, ${colour}`],
          [`${colour} ${kind} no shoe`, `${kind} leather free, ${colour}`, `${kind} 42 cm ${colour}`],
        ].flat(),
      );
      const values = one([categoryOf(["Men", "1"], ["Boots", "12"]), categoryOf(["Sale", null]), []]);
      return {
        id: `x${i}`,
        source: new TextEncoder().encode(JSON.stringify({ id: `x${i}`, data: {} })),
        texts: [{ field: "title", text }],
        values,
        columns: one<ColumnValue[]>([
          [],
          [
            { field: "stock", value: 0 },
            { field: "price", value: i },
          ],
        ]),
        variants: [],
      };
    });
    return { products, deleted: [] };
  });

/** The same, some of them behind a crowd. */
export const crowdedBatches: fc.Arbitrary<Batch[]> = fc
  .tuple(fc.option(crowd), batches)
  .map(([first, rest]) => (first === null ? rest : [first, ...rest]));

/** What is live after all of them. */
export function liveProducts(all: readonly Batch[]): IndexableProduct[] {
  const live = new Map<string, IndexableProduct>();
  for (const { products, deleted } of all) {
    for (const one of products) live.set(one.id, one);
    for (const id of deleted) live.delete(id);
  }
  return [...live.values()];
}

// ---- tenants

function facet(sourceField: string, settings: Partial<FacetConfig>): FacetConfig {
  return { ...DEFAULT_TERM_FACET, sourceField, label: sourceField, ...settings };
}

const settings: fc.Arbitrary<Record<string, string>> = fc
  .record<Record<string, string | null>>({
    operator: fc.constantFrom(null, "AND", "OR"),
    minShouldMatch: fc.constantFrom(null, "2<75%", "-1", "60%"),
    tieBreaker: fc.constantFrom(null, "0", "0.3"),
    multimatch_type: fc.constantFrom(null, "best_fields", "phrase", "phrase_prefix", "most_fields"),
    fuzziness: fc.constantFrom(null, "AUTO", "1"),
    analyzer: fc.constantFrom(null, "whitespace", "standard"),
    phraseSlop: fc.constantFrom(null, "2"),
    isQueryWithShingles: fc.constantFrom(null, "true"),
    allowParallelSpellcheck: fc.constantFrom("true", "false"),
    acceptNoResult: fc.constantFrom(null, null, "true"),
    fallbackQuery: fc.constantFrom(null, "stage2"),
  })
  .map((all) =>
    Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null)),
  );

const stage: fc.Arbitrary<StageConfig> = fc.record({
  name: fc.constant("stage"),
  strategy: fc.constantFrom(
    "ConfigurableQuery",
    "ConfigurableQuery",
    "DefaultQuery",
    "NgramQuery",
    "DisMaxQuery",
    "RelaxedQuery",
  ),
  condition: fc.record({
    minTermCount: fc.constantFrom(1, 1, 2),
    maxTermCount: fc.constantFrom(null, null, 3),
    maxQueryLength: fc.constant(null),
    matchingRegex: fc.constantFrom(null, null, "[a-z ]+"),
  }),
  settings,
  weightedFields: fc.constantFrom<Record<string, number>>(
    {},
    { title: 3, "brand.standard": 1 },
    { search_combi: 1, "_attr*": 0.5 },
    { title: 2, brand: 2, description: 0.5 },
  ),
});

/** What a tenant's rules may say; all of it takes part in some query. */
export const rules: fc.Arbitrary<string | null> = fc.oneof(
  fc.constant(null),
  fc.constantFrom(
    "shoe =>\n  SYNONYM(0.7): sock\n",
    "running shoe =>\n  SYNONYM: sock\n  UP(3): acme\n",
    "red =>\n  FILTER: -blue\n  DOWN(4): sock\n",
    "acme =>\n  FILTER: * brand:acme\n  DELETE: acme\n",
    "sock =>\n  SYNONYM: running shoes\nshoes =>\n  FILTER: * -color:red\n  UP(2): * title:blue\n",
    "shoe =>\n  UP: * id:c1,k\n  DOWN(3): * id:b\nred =>\n  UP(2): * id:x30,a\n",
    "red AND NOT blue =>\n  FILTER: -(running shoe)\n",
    // Products that have all words so are far below any cut.
    ...Array.from(
      { length: 3 },
      () => "red =>\n SYNONYM(0.1): blue\nboot =>\n SYNONYM(0.1): 42\nshoe =>\n SYNONYM(0.1): acme\n",
    ),
  ),
);

/** Functions over what the products here have; those of variants rank variants, too. */
const scoring: fc.Arbitrary<ScoringConfig> = fc.record({
  boostMode: fc.constantFrom("multiply", "replace", "sum", "avg", "max", "min"),
  scoreMode: fc.constantFrom("multiply", "sum", "avg", "first", "max", "min"),
  functions: fc.array(
    fc.constantFrom<ScoringConfig["functions"][number]>(
      { field: "stock", type: "field_value_factor", weight: 2.5, options: { MISSING: "1" } },
      { field: "grade", type: "field_value_factor", weight: 1, options: { MODIFIER: "log1p" } },
      {
        field: "grade",
        type: "field_value_factor",
        weight: 3,
        options: { MODIFIER: "sqrt", USE_FOR_VARIANTS: "false" },
      },
      { field: "grade", type: "rank_feature", weight: 2, options: { MODIFIER: "linear" } },
      { field: "stock", type: "random_score", weight: 4, options: { RANDOM_SEED: "7" } },
      { field: null, type: "weight", weight: 2, options: { USE_FOR_VARIANTS: "true" } },
    ),
    { maxLength: 3 },
  ),
});

const relevance: fc.Arbitrary<RelevanceConfig> = fc.record({
  fill: fc.constantFrom(true, true, true, false),
  enough: fc.constantFrom(1, 2, 3, 5, 30, 30, 30),
  cutThousandths: fc.constantFrom(0, 200, 200, 500, 900, 1_000),
  lowCutThousandths: fc.constantFrom(50, 200, 1_000),
  correctKnownWords: fc.constantFrom(true, true, true, false),
  categoryFeedback: fc.constantFrom(true, true, true, false),
  weightedFields: fc.constantFrom<Record<string, number>>({}, {}, {}, { title: 2, brand: 1, _other: 0.5 }),
});

export const tenant: fc.Arbitrary<TenantConfig> = fc
  .record({
    relevance,
    variantPickingStrategy: fc.constantFrom(
      "pickIfBestScored" as const,
      "pickAlways" as const,
      "pickIfDrilledDown" as const,
      "pickIfSingleHit" as const,
    ),
    multiSelect: fc.subarray(["brand", "color", "Size", "price", "category"]),
    preferring: fc.subarray(["color"]),
    stages: fc.oneof(weighing(3, fc.constant(null)), weighing(2, fc.array(stage, { minLength: 1, maxLength: 3 }))),
    missing: fc.constantFrom<string | null>(null, "0", "_first"),
    scored: fc.oneof(weighing(2, fc.constant(null)), weighing(1, scoring)),
  })
  .map(({ multiSelect, preferring, stages, missing, scored, ...settled }) => ({
    ...builtInTenantConfig("shop", ["shop"]),
    ...settled,
    scoring: scored,
    facets: {
      ...BUILT_IN_FACETS,
      facets: ["brand", "color", "Size", "price", "category"].map((name) =>
        facet(name, { multiSelect: multiSelect.includes(name), preferVariantOnFilter: preferring.includes(name) }),
      ),
    },
    analyzer: stages === null ? "QuerqyQueryExpander" : "WhitespaceWithShingles",
    stages: stages?.map((one, i) => ({ ...one, name: `stage${i}` })) ?? null,
    sortOptions:
      missing === null
        ? null
        : (["price", "grade", "brand", "Size", "category.id.11"].flatMap((field) =>
            (["ASC", "DESC"] as const).map((order) => ({ label: field, field, order, missing })),
          ) as TenantConfig["sortOptions"]),
  }));

// ---- requests

/** Typed wrongly, or not to the end, or together, or apart. */
const MISTYPED = [
  ["sohe", "runing", "runn", "bl", "sokcs", "redshoe", "runningsock", "sh", "oe", "acme42"],
  ["the", "without", "ohne", "velwet", "velwet", "velvet", "boot", "leather"],
  ["防水靴", "防水運動靴", "水靴", "動"],
].flat();

const q = fc.oneof(
  fc.constantFrom("", "  ", "&", '"running shoe"', 'red "shoe running" blue', "acme-42 shoes"),
  fc.array(fc.constantFrom(...WORDS, ...MISTYPED), { minLength: 1, maxLength: 4 }).map((words) => words.join(" ")),
  fc.array(fc.constantFrom(...WORDS, "unknown"), { minLength: 1, maxLength: 9 }).map((words) => words.join(" ")),
);

const INTRICATE = [
  ["velwet", "red velwet", "velwet blue", "velwet shoe red", "boot without leather"],
  ["red boot without shoe", "shoe without red", "runing sokcs velwet", "unknown the nobody"],
  ...Array.from({ length: 2 }, () => ["head band", "red head band", "blue head band", "red velwet"]),
  ["hea dband blue", "head band leather"],
  ["velv et", "red velv et", "boo t"],
  ["leatherblue", "velvetblue", "bandred"],
  ["boot no leather", "red boot no shoe", "boot 42 cm", "red 42cm boot"],
].flat();

/** Words that are read in other ways, or not at all. */
const intricate = fc.oneof(
  weighing(
    3,
    fc
      .tuple(
        fc.constantFrom(...WORDS, "boot", "leather", "velwet", "runing", "redshoe", "the red", "men"),
        fc.constantFrom(" ", " ", " ", " without ", " ohne ", " with the "),
        fc.constantFrom(...WORDS, ...MISTYPED, "unknown", "runing sock", "leather with shoe", ""),
      )
      .map((words) => words.join("")),
  ),
  weighing(3, fc.constantFrom(...INTRICATE)),
);

const FILTERS: readonly (readonly [string, readonly string[]])[] = [
  ["brand", [...BRANDS, "nothing"]],
  ["brand.id", ["1", "X", "x"]],
  ["color", ["RED", "blue", "Green"]],
  ["color.id", ["1", "X"]],
  ["Size", ["38", "XL", "38-41", "s", "41-38"]],
  ["Size.id", ["s1"]],
  ["price", ["10", "9.99-15", "-5", "10,", ",10", "abc", "1E3", "0", "-5-10", ".5", "15,1000"]],
  ["category", ["Men", "Men/Shoes", "men", "Shoes"]],
  ["category.id", ["11", "/1/11", "2"]],
  ["hidden", ["YES", "no"]],
  ["rare", ["x"]],
  ["nobody", ["knows"]],
];

/** As it is sent: once with one or two values, or several times. */
const filter: fc.Arbitrary<FilterParameter> = fc.constantFrom(...FILTERS).chain(([name, values]) =>
  fc
    .record({
      sign: fc.constantFrom("", "", "", "!"),
      texts: fc.array(fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 2 }), {
        minLength: 1,
        maxLength: 2,
      }),
    })
    .map(({ sign, texts }) => {
      const text = (some: readonly string[]): string =>
        some.map((value) => (name === "price" ? value : value.replaceAll(",", "%2C"))).join(",");
      const read = readFilterParameter(
        name,
        texts.map((some) => sign + text(some)),
      );
      if (read === null) throw new Error("a filter without values");
      return read;
    }),
);

const SORTS = [
  ["price", "grade", "title", "stock", "unknown"],
  // Without columns: by facet values, of one kind or two, one entry or one id.
  ["brand", "brand.ACME", "brand.id.1", "color", "color.Red", "Size", "Size.38"],
  ["Size.40.5", "Size.id.s1", "price.10", "category", "category.Men/Shoes"],
  ["category.id.11", "hidden", "rare", "rare.x", "brand.nothing"],
].flat();

const sort = fc.uniqueArray(fc.record({ field: fc.constantFrom(...SORTS), descending: fc.boolean() }), {
  maxLength: 2,
  selector: ({ field }) => field,
});

const setMembers = {
  asSeparateSlice: fc.boolean(),
  variantBoostTerms: fc.constantFrom(null, "v1", "v-3 red", "blue v2"),
};
const setLimit = fc.integer({ min: 1, max: 5 });

const productSet: fc.Arbitrary<ProductSet> = fc.oneof(
  fc.record({
    type: fc.constant("static" as const),
    name: fc.constantFrom(null, "Heroes", "field:title", "field:search_combi", "field:nobody"),
    ids: fc.array(fc.constantFrom(...IDS, "x30", "x50", "gone", "red", "shoe 42"), { maxLength: 5 }),
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
  sort: fc.oneof(weighing(2, fc.constant([])), weighing(1, sort)),
  limit: fc.constantFrom(0, 1, 3, 12, 50),
  offset: fc.constantFrom(0, 0, 0, 2, 5, 9_999),
  withFacets: fc.boolean(),
  isTyping: fc.boolean(),
  filters: some(filter, 4),
  arranged: fc.oneof(
    weighing(2, fc.constant(null)),
    weighing(1, fc.record({ sets: some(productSet, 3), includeMainResult: fc.boolean() })),
  ),
});

/** Of nearly everything, for words alone. */
export const wordsRequest: fc.Arbitrary<SearchRequest> = fc
  .record({ one: request, words: intricate, filters: some(filter, 1), limit: fc.constantFrom(3, 100) })
  .map(({ one, words, ...narrow }) => ({
    ...one,
    ...narrow,
    q: words,
    offset: 0,
    arranged: one.arranged && { ...one.arranged, includeMainResult: true },
  }));
