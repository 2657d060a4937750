/** Queries, stages, rules, scores, variants, product sets: section 5 of the reference's behaviour. */
import { REFERENCE_STAGES } from "../../support/reference-stages.ts";
import type { SearchResult } from "../../../src/interface/index.ts";
import {
  answered,
  arranged,
  asking,
  datum,
  found,
  inOrder,
  main,
  meta,
  requested,
  ruled,
  search,
  section,
  slicesOf,
  type Asking,
  type Entry,
  type Section,
} from "./claim.ts";

/** A tenant whose words are read so. */
const processed = (analyzer: string, preprocessors: readonly string[] = [], more: Entry = {}): Entry => ({
  "query-processing": { "user-query-analyzer": analyzer, "user-query-preprocessors": preprocessors },
  ...more,
});

const WEIGHTED = { title: 3, brand: 2 };
const stage = (strategy: string, settings: object = {}, more: object = {}): object => ({
  strategy,
  settings,
  "weighted-fields": WEIGHTED,
  ...more,
});
const stages = (all: Readonly<Record<string, object>>): Entry => ({ "query-configuration": all });
const only = (strategy: string, settings: object = {}, more: object = {}): Entry =>
  stages({ only: stage(strategy, settings, more) });

/** A search among the tools. */
const tools = (query: string, entry: Entry, of: (result: SearchResult) => unknown = found): Asking =>
  search(`q=${query}`, of, entry, "tools");

/** The stages of the reference's preset (5.5). */
const PRESET = stages(REFERENCE_STAGES);

/** Products of nearly equal scores may change places when all scores grow. */
const scoreSum = (result: SearchResult): number =>
  main(result).hits.reduce((sum, { metaData }) => sum + Number(metaData?.["score"]), 0);
const stageOf = (result: SearchResult): unknown => result.meta["query_stage"];
const stageAndFound = (result: SearchResult): unknown => [stageOf(result), found(result)];
const stageAndCount = (result: SearchResult): unknown => [stageOf(result), main(result).matchCount];

/** The strategy where the first stage, a DefaultQuery, has this condition. */
const conditioned = (query: string, condition: object): Asking => {
  const first = stage("DefaultQuery", {}, { condition });
  return tools(query, stages({ first, any: stage("ConfigurableQuery") }), meta("query_strategy"));
};

const scoring = (boostMode: string, scoreMode: string, ...functions: readonly object[]): Entry => ({
  "scoring-configuration": { "boost-mode": boostMode, "score-mode": scoreMode, "score-functions": functions },
});
const byStock = (type: string, options: object): Asking =>
  search("q=shoe+sock", inOrder, {
    ...only("DefaultQuery", { operator: "OR", minShouldMatch: "1" }),
    ...scoring("replace", "sum", { field: "stock", type, options }),
  });
/** Documents of the field catalogue by this function alone. */
const scored = (fn: object, query = ""): Asking => search(query, inOrder, scoring("replace", "sum", fn), "fields");

/** Three brands, five kinds, two of each; a shoe of another brand and a mug of this one have a word that is rare. */
function sportsGoods(): readonly object[] {
  const product = (id: string, title: string, brand: string, kind: string): object => ({
    id,
    data: { title, brand },
    categories: [[{ name: "Sport" }, { name: `${kind}s` }]],
  });
  return [
    ...["Puma", "Adidas", "Nike"].flatMap((brand) =>
      ["Shoe", "Jacket", "Bag", "Hat", "Tent"].flatMap((kind) =>
        ["Swift", "Flux"].map((name) => product(`${brand}-${kind}-${name}`, `${brand} ${name} ${kind}`, brand, kind)),
      ),
    ),
    product("rare", "Chartreuse mug", "Acme", "Mug"),
    product("rare-shoe", "Acme chartreuse shoe", "Acme", "Shoe"),
    product("rare-puma", "Puma chartreuse mug", "Puma", "Mug"),
  ];
}

/** The first two products for a brand, a kind and a word that neither has. */
function rareWord(entry: Entry): Asking {
  return async (place) => {
    const index = await place.fresh();
    await answered(place, `/indexer-api/v1/update/${index}?langCode=en`, "PUT", sportsGoods());
    const at = `/admin-api/v1/config/tenant/${index}`;
    if (entry !== null) await answered(place, at, "PUT", entry);
    const result = await answered(place, `/search-api/v1/search/${index}?q=puma+chartreuse+shoe&limit=2`);
    if (entry !== null) await requested(place, at, "DELETE");
    return found(result as SearchResult);
  };
}
const PUMA_SHOES = "Puma-Shoe-Flux Puma-Shoe-Swift";

const fixed = (ids: readonly string[], more: object = {}): object => ({ type: "static", name: "set", ids, ...more });
const sets = (body: object, ...all: readonly object[]): object => ({ ...body, arrangedProductSets: all });

const picking = (strategy: string): Entry => ({ "variant-picking-strategy": strategy });

export const QUERIES: readonly Section[] = [
  section("5.1")`
    without words everything matches: noQuery | ${search("", meta("noQuery"))} | ${true}
    without the main result everything matches, and meta has a flag
      | ${arranged({ includeMainResult: false }, meta("includeMainResult"))} | ${"false"}
    preprocessors run in order
      | ${search(
        "q=SH%C3%96E",
        meta("preprocessedQuery"),
        processed("WhitespaceAnalyzer", ["AsciifyUserQueryPreprocessor", "NonAlphanumericStripPreprocessor"]),
      )} | ${"shöe"}
  `,
  section("5.2")`
    Asciify folds, but leaves ä ö ü
      | ${search(
        "q=cr%C3%A8me+%C3%A4%C3%B6%C3%BC",
        meta("preprocessedQuery"),
        processed("WhitespaceAnalyzer", ["AsciifyUserQueryPreprocessor"]),
      )} | ${"creme äöü"}
    CodePointFilter: characters outside become a space
      | ${search(
        "q=red%E2%9C%93shoe",
        (r) => [meta("preprocessedQuery")(r), inOrder(r).slice(0, 3)],
        processed("WhitespaceAnalyzer", ["CodePointFilterUserQueryPreprocessor"], {
          "plugin-configuration": { CodePointFilterUserQueryPreprocessor: { code_point_upper_bound: 255 } },
        }),
      )} | ${["red shoe", "a b"]}
    NonAlphanumericStrip: lounge, 4-tlg.
      | ${search(
        "q=Lounge,+4-tlg.",
        meta("preprocessedQuery"),
        processed("WhitespaceAnalyzer", ["NonAlphanumericStripPreprocessor"]),
      )} | ${"lounge 4-tlg"}
  `,
  section("5.3")`
    Whitespace: lower case, split at white space
      | ${search("q=Red++SHOE", meta("analyzedQuery"), processed("WhitespaceAnalyzer"))} | ${"red shoe"}
    WhitespaceWithShingles: also joined neighbours
      | ${tools("key+board", processed("WhitespaceWithShingles", [], only("ConfigurableQuery", { operator: "AND" })))}
      | ${"t6"}
    NonAlphanumericWordSplit
      | ${search("q=Red/shoe,x", meta("analyzedQuery"), processed("NonAlphanumericWordSplitAnalyzer"))}
      | ${"red shoe x"}
    SYNONYM of one word | ${ruled("boot =>\n  SYNONYM: shoe", "q=boot", found)} | ${"a b"}
    SYNONYM with a weight scores lower
      | ${ruled("boot =>\n  SYNONYM(0.5): shoe\n  SYNONYM: sock", "q=boot", (r) => inOrder(r).split(" ")[0], null)}
      | ${"c"}
    SYNONYM of several words is a phrase | ${ruled("jogger =>\n  SYNONYM: trail shoe", "q=jogger", found)} | ${"a"}
    its parentheses are ignored | ${ruled("jogger =>\n  SYNONYM: (trail shoe)", "q=jogger", found)} | ${"a"}
    a synonym for several words replaces the group
      | ${ruled(
        "foot glove =>\n  SYNONYM: wool sock",
        "q=foot+glove",
        found,
        only("DefaultQuery", { operator: "AND" }),
      )} | ${"c"}
    FILTER: -word excludes | ${ruled("shoe =>\n  FILTER: -trail", "q=shoe", found)} | ${"b"}
    FILTER: * field:value | ${ruled("shoe =>\n  FILTER: * brand:Adidas", "q=shoe", found)} | ${"b"}
    FILTER: * -field.id:value | ${ruled("shoe =>\n  FILTER: * -material.id:L", "q=shoe", found)} | ${"a"}
    several filters on a line | ${ruled("shoe =>\n  FILTER: * brand:Puma price:5-15", "q=shoe", found)} | ${"a"}
    values with spaces, quoted | ${ruled('shoe =>\n  FILTER: * material:"Mesh, fine"', "q=shoe", found)} | ${"a"}
    values that are paths | ${ruled("shoe =>\n  FILTER: * category:Men/Shoes/Trail", "q=shoe", found)} | ${"a"}
    a raw phrase | ${ruled("shoe =>\n  FILTER: * -(road shoe)", "q=shoe", found)} | ${"a"}
    rules cannot refer to product ids; Aisle: FILTER: * -id:a excludes a product
      | ${ruled("shoe =>\n  FILTER: * -id:a", "q=shoe", found)} | ${"b"}
    Aisle: FILTER: * id:a,d keeps only these products
      | ${ruled("shoe =>\n  FILTER: * id:a,d", "q=shoe", found)} | ${"a"}
    Aisle: the same with the reference's stages
      | ${ruled("shoe =>\n  FILTER: * -id:a", "q=shoe", found, PRESET)} | ${"b"}
    UP raises products | ${ruled("shoe =>\n  UP(10): road", "q=shoe", inOrder)} | ${"b a"}
    UP: * field:value | ${ruled("shoe =>\n  UP(10): * brand:adidas", "q=shoe", inOrder)} | ${"b a"}
    DOWN lowers products | ${ruled("shoe =>\n  DOWN(0.1): trail", "q=shoe", inOrder)} | ${"b a"}
    DOWN(w) above 1 means DOWN(1/w) | ${ruled("shoe =>\n  DOWN(10): trail", "q=shoe", inOrder)} | ${"b a"}
    DELETE | ${ruled("cheap shoe =>\n  DELETE: cheap", "q=cheap+shoe", meta("analyzedQuery"))} | ${"shoe"}
    case of inputs does not matter | ${ruled("SHOE =>\n  FILTER: * brand:Puma", "q=Shoe", found)} | ${"a"}
    inputs with AND, OR, NOT | ${ruled("shoe AND NOT red =>\n  FILTER: * brand:Puma", "q=shoe", found)} | ${"a"}
    overlapping inputs are alternatives
      | ${ruled(
        "running y =>\n  SYNONYM: wool\ny sock =>\n  SYNONYM: shirt",
        "q=running+y+sock",
        found,
        only("ConfigurableQuery", { operator: "AND", allowParallelSpellcheck: false }),
      )} | ${"c e"}
    redirects and DECORATE are not supported; Aisle: they are supported and appear in meta
      | ${ruled("returns =>\n  REDIRECT: /service/returns", "q=returns", meta("searchhub_redirect_url"))}
      | ${"/service/returns"}
    query_filters and query_boostings
      | ${ruled("shoe =>\n  FILTER: * brand:Puma\n  UP: trail", "q=shoe", (r) =>
        ["query_filters", "query_boostings"].every((key) => key in r.meta),
      )} | ${true}
  `,
  section("5.4")`
    minTermCount | ${conditioned("saw", { minTermCount: 2 })} | ${"ConfigurableQuery"}
    maxTermCount | ${conditioned("saw+blade", { maxTermCount: 1 })} | ${"ConfigurableQuery"}
    maxQueryLength | ${conditioned("saw", { maxQueryLength: 2 })} | ${"ConfigurableQuery"}
    matchingRegex matches the whole query
      | ${conditioned("saw+12", { matchingRegex: "\\d+" })} | ${"ConfigurableQuery"}
    the condition of a single stage is ignored
      | ${tools("saw", only("DefaultQuery", {}, { condition: { minTermCount: 5 } }))} | ${"t0 t1 t5"}
    without stages a DefaultQuery searches all fields; Aisle: Aisle's own search: all words, then fewer
      | ${search("q=red+shoe", meta("query_strategy"))} | ${"relevance"}
    the next stage runs if one finds nothing
      | ${tools(
        "makita+saw+blade",
        stages({
          all: stage("ConfigurableQuery", { operator: "AND" }),
          any: stage("ConfigurableQuery", { operator: "OR" }),
        }),
        stageAndFound,
      )} | ${[1, "t0 t1 t2 t3 t4 t5"]}
    a stage that finds nothing within the filters is not sufficient
      | ${search(
        "q=saw&brand=noname",
        stageOf,
        stages({
          titles: stage("DefaultQuery"),
          any: stage("DefaultQuery", { operator: "OR", fuzziness: "2" }, { "weighted-fields": { title: 1 } }),
        }),
        "tools",
      )} | ${1}
    acceptNoResult ends the chain
      | ${tools(
        "zzz",
        stages({ end: stage("ConfigurableQuery", { acceptNoResult: true }), any: stage("NgramQuery") }),
        stageAndCount,
      )} | ${[0, 0]}
    the last response counts, even if empty
      | ${tools("zzz", stages({ one: stage("ConfigurableQuery"), two: stage("ConfigurableQuery") }), stageAndCount)}
      | ${[1, 0]}
    the parallel spell check corrects unknown words
      | ${tools("makitta", only("ConfigurableQuery"), (r) => [found(r), r.meta["query_corrected"]])}
      | ${["t0 t2 t4", "makita"]}
    allowParallelSpellcheck=false
      | ${tools("makitta", only("ConfigurableQuery", { allowParallelSpellcheck: false }))} | ${""}
    the first letter is never corrected | ${tools("nakita", only("ConfigurableQuery"))} | ${""}
    Aisle: without stages the first letter is corrected, as two edits, in words of four letters or more
      | ${search("q=nakita", found, null, "tools")} | ${"t0 t2 t4"}
    DefaultQuery is fuzzy | ${tools("makitta", only("DefaultQuery"))} | ${"t0 t2 t4"}
    DefaultQuery: 2<80% | ${tools("saw+blade+zzz", only("DefaultQuery"))} | ${"t1"}
    ConfigurableQuery: OR | ${tools("saw+drill", only("ConfigurableQuery"))} | ${"t0 t1 t4 t5"}
    ConfigurableQuery: AND | ${tools("saw+blade", only("ConfigurableQuery", { operator: "AND" }))} | ${"t1"}
    ConfigurableQuery: minShouldMatch
      | ${tools("makita+saw+blade", only("ConfigurableQuery", { minShouldMatch: "2" }))} | ${"t0 t1 t2"}
    ConfigurableQuery: fuzziness
      | ${tools("bladd", only("ConfigurableQuery", { fuzziness: "1", allowParallelSpellcheck: false }))}
      | ${"t1 t2 t3"}
    best_fields: all words in one field
      | ${tools("makita+saw", only("ConfigurableQuery", { operator: "AND", multimatch_type: "best_fields" }))}
      | ${"t0"}
    cross_fields: each word in any field
      | ${tools("bosch+sabre", only("ConfigurableQuery", { operator: "AND", multimatch_type: "cross_fields" }))}
      | ${"t5"}
    phrase | ${tools("saw+blade", only("ConfigurableQuery", { multimatch_type: "phrase" }))} | ${"t1"}
    phraseSlop
      | ${tools("makita+saw", only("ConfigurableQuery", { multimatch_type: "phrase", phraseSlop: 2 }))} | ${"t0"}
    isQueryWithShingles: joined neighbours
      | ${tools("key+board", only("ConfigurableQuery", { operator: "AND", isQueryWithShingles: true }))} | ${"t6"}
    NgramQuery: words that share trigrams | ${tools("keyboards", only("NgramQuery"))} | ${"t6"}
    NgramQuery ends the chain
      | ${tools("zzzz", stages({ grams: stage("NgramQuery"), any: stage("DefaultQuery") }), stageOf)} | ${0}
    DisMaxQuery: the last word is a prefix | ${tools("diamond+bla", only("DisMaxQuery"))} | ${"t1 t2 t3"}
    RelaxedQuery: as many words as any product has
      | ${tools("makita+saw+blade", only("RelaxedQuery"))} | ${"t0 t1 t2"}
    RelaxedQuery: words no product has do not count
      | ${tools("makita+zzz+drill", only("RelaxedQuery", { allowParallelSpellcheck: false }))} | ${"t4"}
    PredictionQuery does the same | ${tools("makita+saw+blade", only("PredictionQuery"))} | ${"t0 t1 t2"}
    an empty prediction: fallbackQuery
      | ${tools(
        "zzz+keyboarz",
        stages({
          relaxed: stage("RelaxedQuery", { fallbackQuery: "grams", allowParallelSpellcheck: false }),
          grams: stage("NgramQuery", { minShouldMatch: "1" }),
        }),
      )} | ${"t6"}
    isTermFiltersQuoted and quoteAnalyzer are accepted
      | ${tools("saw", only("ConfigurableQuery", { isTermFiltersQuoted: true, quoteAnalyzer: "whitespace" }))}
      | ${"t0 t1 t5"}
    operators in user queries are plain words
      | ${tools("saw+AND+%2Bblade", only("ConfigurableQuery", { operator: "OR" }))} | ${"t0 t1 t2 t3 t5"}
  `,
  section("5.5")`
    digits end in the article stage, which accepts no result | ${tools("12345", PRESET, stageAndCount)} | ${[0, 0]}
    an article number | ${tools("1771", PRESET, stageAndFound)} | ${[0, ""]}
    an article number, whole | ${tools("01771", PRESET, found)} | ${"t1"}
    all words
      | ${tools("saw+blade", PRESET, (r) => [found(r), r.meta["query_strategy"]])} | ${["t1", "ConfigurableQuery"]}
    fewer words: relaxed
      | ${tools("makita+saw+blade", PRESET, (r) => [found(r), r.meta["query_strategy"]])}
      | ${["t0 t1 t2", "RelaxedQuery"]}
    one word with a typo: fuzzy | ${tools("blaade", PRESET, found)} | ${"t1 t2 t3"}
    brand, kind and another word: products of brand and kind first
      | ${tools("makita+blade+circular", PRESET, (r) => inOrder(r).split(" ").slice(0, 2).toSorted())}
      | ${["t0", "t2"]}
    brand, kind and another word, without stages: products of brand and kind first
      | ${search("q=makita+blade+zinc", (r) => inOrder(r).split(" ")[0], null, "tools")} | ${"t2"}
    brand, kind and a rare word: products of brand and kind first | ${rareWord(PRESET)} | ${PUMA_SHOES}
    brand, kind and a rare word, without stages: products of brand and kind first | ${rareWord(null)} | ${PUMA_SHOES}
  `,
  section("5.6")`
    markup is not searched | ${search("q=strong", found)} | ${""}
    case and accents are ignored | ${search("q=creme+BRULEE", found, null, "fields")} | ${"one"}
    other forms of a word | ${search("q=shoes", found)} | ${"a b"}
    stop words are optional | ${search("q=the+shoe", found)} | ${"a b"}
  `,
  section("5.7")`
    field_value_factor | ${byStock("field_value_factor", {})} | ${"c a b"}
    MODIFIER and FACTOR
      | ${byStock("field_value_factor", { MODIFIER: "reciprocal", FACTOR: 2, MISSING: 1 })} | ${"a c b"}
    MISSING
      | ${search("", inOrder, scoring("replace", "sum", { field: "stock", options: { missing: 5 } }))}
      | ${"c d a e b"}
    weight
      | ${asking(async (place) => {
        const scoreWith = async (weight: number): Promise<number> =>
          Number(await search("q=shoe", scoreSum, scoring("multiply", "sum", { type: "weight", weight }))(place));
        // Scores are rounded.
        return Number(((await scoreWith(3)) / (await scoreWith(1))).toFixed(3));
      })} | ${3}
    random_score needs a field
      | ${search(
        "",
        (r) => main(r).hits.length,
        scoring("replace", "sum", { field: "stock", type: "random_score", options: { random_seed: 7 } }),
      )} | ${5}
    rank_feature with a parameter
      | ${scored({ field: "season", type: "rank_feature", options: { "dynamic-param": "when" } }, "when=sale&q=")}
      | ${"one three two"}
    rank_feature, named | ${scored({ field: "season.summer", type: "rank_feature" })} | ${"one two three"}
    script_score
      | ${scored({ field: "stock", type: "script_score", options: { script_code: "doc['stock'].value * 2" } })}
      | ${"two one three"}
    decay_gauss of a date
      | ${scored({
        field: "released",
        type: "decay_gauss",
        options: { origin: "2026-01-01", scale: "3650d", missing: 0 },
      })} | ${"one two three"}
    decay_linear of a number
      | ${scored({ field: "stock", type: "decay_linear", options: { origin: 2, scale: 2 } })} | ${"three one two"}
    decay_exp
      | ${scored({ field: "stock", type: "decay_exp", options: { origin: 5, scale: 1 } })} | ${"two one three"}
    a field without usage Score is ignored | ${scored({ field: "sku", options: {} })} | ${"one three two"}
    score-mode first
      | ${search(
        "",
        inOrder,
        scoring("replace", "first", { field: "stock" }, { field: "price", weight: 100 }),
        "fields",
      )} | ${"two one three"}
    score-mode max
      | ${search("", inOrder, scoring("replace", "max", { field: "stock" }, { field: "price" }), "fields")}
      | ${"two three one"}
    the largest score of its variants is the product's
      | ${search(
        "",
        (r) => main(r).hits.map(({ metaData }) => metaData?.["score"]),
        scoring("replace", "sum", { field: "price" }),
        "fields",
      )} | ${[300000, 200000, 140000]}
    USE_FOR_VARIANTS
      | ${asking(async (place) => {
        const index = await place.fresh();
        const variants = [{ data: { size: "S", rank: 1 } }, { data: { size: "L", rank: 9 } }];
        const body = [{ id: "p", data: { title: "thing" }, variants }];
        await answered(place, `/indexer-api/v1/update/${index}?langCode=en`, "PUT", body);
        const at = `/admin-api/v1/config/tenant/${index}`;
        const shownSize = async (options: object): Promise<unknown> => {
          const functions = [{ field: "rank", type: "field_value_factor", options }];
          await answered(place, at, "PUT", {
            "variant-picking-strategy": "pickAlways",
            "scoring-configuration": { "score-functions": functions },
          });
          const result = await answered(place, `/search-api/v1/search/${index}`);
          return datum("size")(result as SearchResult);
        };
        const sizes = [await shownSize({}), await shownSize({ USE_FOR_VARIANTS: "false" })];
        await answered(place, at, "DELETE");
        return sizes;
      })} | ${["L", "S"]}
    rescorers are accepted | ${search("q=cap", found, { rescorers: [] })} | ${"d"}
  `,
  section("5.8")`
    words of variants find their product | ${search("q=100_2", found)} | ${"a"}
    pickIfBestScored: the better one is shown | ${search("q=blue+shoe&brand=Puma", datum("color"), null)} | ${"Blue"}
    pickIfBestScored: none of equal variants is shown
      | ${search("q=shirt", datum("size"), picking("pickIfBestScored"))} | ${undefined}
    pickAlways | ${search("q=shirt", datum("size"), picking("pickAlways"))} | ${"M"}
    pickIfDrilledDown: all match, none is shown
      | ${search("q=shirt", datum("size"), picking("pickIfDrilledDown"))} | ${undefined}
    pickIfDrilledDown: fewer match | ${search("q=shirt&size=L", datum("size"), picking("pickIfDrilledDown"))} | ${"L"}
    pickIfSingleHit | ${search("q=shirt&size=L", datum("size"), picking("pickIfSingleHit"))} | ${"L"}
    pickIfSingleHit: none of two variants is shown
      | ${search("q=shirt", datum("size"), picking("pickIfSingleHit"))} | ${undefined}
    the variant's data overlay the product's | ${search("size=L", datum("price"), picking("pickAlways"))} | ${40}
    variants are never hits | ${search("color=Red", (r) => main(r).matchCount)} | ${2}
  `,
  section("5.9")`
    static: ids in their order | ${arranged(sets({ q: "shoe" }, fixed(["d", "c"])), slicesOf)} | ${"null: d c a b"}
    static: unknown and repeated ids are dropped
      | ${arranged(sets({ q: "sock" }, fixed(["x", "d", "d"])), slicesOf)} | ${"null: d c"}
    ids must be texts; Aisle: numbers are converted to texts
      | ${arranged(sets({ q: "sock" }, { type: "static", name: "x", ids: [1, "d"] }), slicesOf)} | ${"null: d c"}
    ids of an earlier set are not in a later one
      | ${arranged(
        sets(
          { q: "sock" },
          fixed(["d"], { asSeparateSlice: true }),
          fixed(["d", "a"], { asSeparateSlice: true, name: "two" }),
        ),
        slicesOf,
      )} | ${"set: d | two: a | null: c"}
    dynamic: a search with filters, sort, limit
      | ${arranged(
        sets({ q: "sock" }, { type: "dynamic", name: "x", query: "shoe", sort: "-price", limit: 1 }),
        slicesOf,
      )} | ${"null: b c"}
    querystring
      | ${arranged(
        sets(
          { q: "sock" },
          {
            type: "querystring",
            name: "x",
            query: "title:(cap OR shirt) AND NOT brand:nike",
            fieldWeights: { title: 1, brand: 1 },
          },
        ),
        slicesOf,
      )} | ${"null: d c"}
    sets in order, then other matches
      | ${arranged(sets({ q: "sock" }, fixed(["b"]), fixed(["a"])), slicesOf)} | ${"null: b a c"}
    filters apply to sets
      | ${arranged(sets({ q: "shoe", filters: { brand: "Puma" } }, fixed(["b", "d"])), slicesOf)} | ${"null: d a"}
    facets and counts include sets | ${arranged(sets({ q: "sock" }, fixed(["d"])), (r) => main(r).matchCount)} | ${2}
    paging covers sets and other matches
      | ${arranged(sets({ q: "shoe", limit: 2, offset: 1 }, fixed(["d"])), slicesOf)} | ${"null: a b"}
    a sort includes products of sets
      | ${arranged(sets({ q: "sock", sort: "price" }, fixed(["b", "d"])), slicesOf)} | ${"null: c d b"}
    with a sort there are no separate slices
      | ${arranged(sets({ q: "sock", sort: "price" }, fixed(["b"], { asSeparateSlice: true })), slicesOf)}
      | ${"null: c b"}
    an inline set before a separate one fails; Aisle: sets may be in any order
      | ${arranged(sets({ q: "sock" }, fixed(["a"]), fixed(["d"], { asSeparateSlice: true, name: "two" })), slicesOf)}
      | ${"two: d | null: a c"}
    variantBoostTerms select variants
      | ${arranged(sets({ q: "nothing" }, fixed(["a"], { variantBoostTerms: "blue" })), datum("artNr"))} | ${"100_2"}
    variantBoostTerms match searchable content; Aisle: they also match ids of variants
      | ${arranged(sets({ q: "nothing" }, fixed(["a"], { variantBoostTerms: "a2" })), datum("artNr"))} | ${"100_2"}
    without the main result: only separate slices
      | ${arranged(sets({ includeMainResult: false }, fixed(["d"], { asSeparateSlice: true })), slicesOf)}
      | ${"set: d"}
    words without the main result are an invalid query; Aisle: the words are ignored
      | ${arranged(sets({ includeMainResult: false, q: "shoe" }, fixed(["d"], { asSeparateSlice: true })), slicesOf)}
      | ${"set: d"}
    field:<f> looks terms up
      | ${arranged(sets({ q: "sock" }, { type: "static", name: "field:artNr", ids: ["200"] }), slicesOf)}
      | ${"null: b c"}
    ids with operators are parsed as queries; Aisle: ids are always literal
      | ${arranged(sets({ q: "sock" }, fixed(["a OR b", "d:1", "d"])), slicesOf)} | ${"null: d c"}
    several article numbers as a query
      | ${arranged(sets({ q: "nothing" }, { type: "dynamic", name: "x", query: "100_2 200" }), found)} | ${"a b"}
    several article numbers, with the reference's stages
      | ${arranged(sets({ q: "nothing" }, { type: "dynamic", name: "x", query: "100_2 200" }), found, PRESET)}
      | ${"a b"}
  `,
  section("5.10")`
    every Sort field in both orders
      | ${search("", ({ sortOptions }) =>
        ["price.asc", "price.desc", "title.asc", "title.desc"].every((label) =>
          sortOptions.some((option) => option.label === label),
        ),
      )} | ${true}
    configured sort options
      | ${search(
        "",
        ({ sortOptions }) => sortOptions.map(({ label, field, sortOrder }) => `${label} ${field} ${sortOrder}`),
        {
          "sort-configuration": [
            { label: "cheap", field: "price" },
            { label: "dear", field: "price", order: "desc" },
            { label: "none", field: "zz" },
            { label: "no order", field: "title", order: null },
          ],
        },
      )} | ${["cheap price ASC", "dear price DESC"]}
  `,
  section("5.11")`
    match-all: _match_all, stage 0
      | ${search("", (r) => [r.meta["query_executed"], r.meta["query_strategy"], stageOf(r)])}
      | ${["_match_all", "_match_all", 0]}
    words: executed query, strategy, stage
      | ${tools("saw+blade", only("ConfigurableQuery", { operator: "AND" }), (r) => [
        r.meta["query_executed"],
        r.meta["query_strategy"],
        stageOf(r),
      ])} | ${["saw AND blade", "ConfigurableQuery", 0]}
    trace=EsQuery | ${search("q=cap&trace=EsQuery", (r) => "elasticsearch_query" in r.meta)} | ${true}
  `,
];
