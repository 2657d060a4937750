/**
 * Lines of the reference's behaviour that say several things, part by part; sections as in the other files.
 */
import type { DocumentBody, SearchResult } from "../../../src/interface/index.ts";
import {
  answered,
  arranged,
  asking,
  creating,
  dataOf,
  datum,
  DOC,
  entries,
  entryOf,
  facet,
  facetNames,
  found,
  indexedUnder,
  inOrder,
  lastOf,
  main,
  meta,
  put,
  request,
  requested,
  ruled,
  search,
  SEARCH,
  searched,
  section,
  shown,
  slicesOf,
  status,
  steps,
  suggests,
  UPDATE,
  whole,
  type Asking,
  type Entry,
  type Section,
} from "./claim.ts";

const ARRANGED = "/search-api/v1/search/arranged/{}";
const numbered = (count: number, of: (i: number) => unknown): unknown[] =>
  Array.from({ length: count }, (_, i) => of(i));

/** What of the document `p`, created so, `getDocument` answers. */
const got = (members: object, of: (document: DocumentBody) => unknown): Asking =>
  lastOf(of, creating({ id: "p", data: { title: "thing" }, ...members }), ["GET", `${DOC}/p`]);

/** What a search finds where the body is this one. */
const bodied = (body: object, of: (result: SearchResult) => unknown = found): Asking => arranged(body, of);

const strictThenLoose: Entry = {
  "query-configuration": Object.fromEntries(
    Object.entries({ strict: "AND", loose: "OR" }).map(([name, operator]) => [
      name,
      {
        strategy: "ConfigurableQuery",
        settings: { operator, allowParallelSpellcheck: false },
        "weighted-fields": { title: 1 },
      },
    ]),
  ),
};

/** The shop by its stock alone: without words all texts score the same. */
const boosted = (mode: string): Asking =>
  search("", inOrder, {
    "scoring-configuration": {
      "boost-mode": mode,
      "score-mode": "sum",
      "score-functions": [{ field: "stock", type: "field_value_factor" }],
    },
  });

const RESULT = { usage: ["Result"] };

/** The data that a processor makes of these. */
function processed(
  processor: string,
  configuration: object,
  data: object,
  more: { readonly attributes?: readonly object[]; readonly others?: readonly string[] } = {},
): Asking {
  const { attributes = [], others = [] } = more;
  const names = [...new Set([...Object.keys(data), ...others])];
  const entry = {
    "field-configuration": { fields: Object.fromEntries(names.map((name) => [name, RESULT])) },
    "data-processor-configuration": {
      processors: [processor],
      configuration: { [`[de.cxp.ocs.preprocessor.impl.${processor}]`]: configuration },
    },
  };
  return indexedUnder(entry, { data, attributes }, dataOf);
}

const german = (query: string): Asking =>
  searched(`?q=${encodeURIComponent(query)}`, found, [
    "PUT",
    `${UPDATE}?langCode=de`,
    [
      { id: "1", data: { title: "Fußballschuhe" } },
      { id: "2", data: { title: "Fussballschuhe" } },
      { id: "3", data: { title: "Tür" } },
    ],
  ]);

/** For AttributeToDataFieldConverter, and what it makes of `a` alone. */
const TWO_ATTRIBUTES = {
  attributes: [
    { name: "a", value: "x" },
    { name: "b", value: "y" },
  ],
  others: ["a", "b"],
};
const ONE_AS_DATA = { title: "t", a: "x", b: { name: "b", code: null, value: "y" } };

export const DETAILS: readonly Section[] = [
  section("1.1")`
    unknown members of documents, sessions and bodies are ignored
      | ${asking(async (place) => {
        const index = await place.fresh();
        const start = `/indexer-api/v1/full/start/${index}?locale=en`;
        const session = { ...((await answered(place, start)) as object), more: 1 };
        const documents = [{ id: "p", data: {}, more: { x: 1 } }];
        const body = { session, documents, more: [] };
        return [
          await answered(place, "/indexer-api/v1/full/add", "POST", body),
          await answered(place, "/indexer-api/v1/full/done", "POST", session),
        ];
      })} | ${[1, true]}
    a long stays a number | ${shown({ title: "t", big: 5_000_000_000 }, "big")} | ${5_000_000_000}
    a name of an attribute may have any characters
      | ${searched(
        `?${new URLSearchParams({ "Größe cm": "12 X" }).toString()}`,
        (result) => [found(result), result.inputURI],
        creating({ id: "p", data: {}, attributes: [{ name: "Größe cm", value: "12 x" }] }),
      )} | ${["p", "?Gr%C3%B6%C3%9Fe+cm=12+x"]}
    an attribute of an answer has name, code and value; Aisle: code is omitted if none was sent; other members are
    always omitted
      | ${got({ attributes: [{ name: "n", value: 7, id: "x" }] }, ({ attributes }) => attributes)}
      | ${[{ name: "n", value: "7" }]}
    a list with a null: the hit | ${shown({ title: "t", list: ["a", null] }, "list")} | ${["a"]}
    missing attributes and categories are null, also in variants
      | ${got({ variants: [{ data: { id: "v" } }] }, ({ attributes, categories, variants }) => [
        attributes,
        categories,
        variants,
      ])} | ${[null, null, [{ id: "v", data: { id: "v" }, attributes: null, categories: null }]]}
    a variant cannot be requested by id | ${status("/search-api/v1/doc/{}/a1")} | ${404}
    categories of variants: facets and filters use those of the product
      | ${searched(
        "?category=Shoes",
        (r) => [found(r), facetNames(r).includes("category")],
        creating({ id: "p", data: {}, variants: [{ data: { size: "M" }, categories: [[{ name: "Shoes" }]] }] }),
      )} | ${["", false]}
  `,
  section("1.2")`
    the default offset is 0 | ${search("", (r) => main(r).nextOffset)} | ${5}
    an empty query matches everything | ${search("q=", (r) => r.meta["noQuery"])} | ${true}
    null members of a body count as absent
      | ${bodied({
        q: null,
        sort: null,
        limit: null,
        offset: null,
        withFacets: null,
        filters: null,
        arrangedProductSets: null,
        includeMainResult: null,
      })} | ${"a b c d e"}
    a number in a body may be a text | ${bodied({ limit: "2" }, (r) => main(r).hits.length)} | ${2}
    a flag in a body may be a text | ${bodied({ withFacets: "false" }, (r) => main(r).facets)} | ${null}
    a text in a body may be a number | ${bodied({ filters: { price: 15 } })} | ${"d"}
    withFacets=0 | ${search("withFacets=0", (r) => main(r).facets)} | ${null}
    a dynamic set has at least one product
      | ${request(ARRANGED, "POST", { arrangedProductSets: [{ type: "dynamic", name: "x", limit: 0 }] })}
      | ${[400, "invalid_body"]}
    the query of a dynamic set selects variants if there are no variantBoostTerms
      | ${bodied({ q: "zzz", arrangedProductSets: [{ type: "dynamic", name: "x", query: "100_2" }] }, datum("color"))}
      | ${"Blue"}
    the default of asSeparateSlice is false
      | ${bodied({ arrangedProductSets: [{ type: "static", name: "x", ids: ["d"] }] }, (r) => r.slices.length)} | ${1}
  `,
  section("1.3")`
    nextLink is null at the end | ${search("", (r) => main(r).nextLink)} | ${null}
    matchCount of a separate slice is its number of products
      | ${bodied(
        {
          q: "sock",
          arrangedProductSets: [{ type: "static", name: "s", ids: ["a", "b", "x"], asSeparateSlice: true }],
        },
        ({ slices }) => slices.map(({ matchCount }) => matchCount),
      )} | ${[2, 1]}
    sort options are returned with and without facets
      | ${search("withFacets=false", ({ sortOptions }) => sortOptions.length > 0)} | ${true}
  `,
  section("2.1")`
    a document of an unknown tenant | ${status("/search-api/v1/doc/nowhere/a")} | ${404}
    an error: message, code, errorId, timestamp
      | ${asking(async (place) => {
        const { body } = await requested(place, "/search-api/v1/search/nowhere");
        const { message, code, errorId, timestamp } = body as Record<string, unknown>;
        return [typeof message, code, typeof errorId, typeof timestamp];
      })} | ${["string", 404, "string", "number"]}
    an id with a slash and a space
      | ${steps(creating({ id: "a/b c", data: {} }), ["GET", `${DOC}/a%2Fb%20c`])}
      | ${[200, { id: "a/b c", data: {}, attributes: null, categories: null }]}
    POST on a search | ${status(SEARCH, "POST", {})} | ${405}
  `,
  section("2.2")`
    an empty replaceExisting means true
      | ${steps(creating({ id: "p", data: {} }), [
        "PUT",
        `${UPDATE}?replaceExisting=`,
        [{ id: "p", data: { title: "x" } }],
      ])} | ${[200, { p: "UPDATED" }]}
    PUT: null members of a document count as absent
      | ${put({ id: "1", data: {}, attributes: null, categories: null, variants: null })}
      | ${[200, { "1": "UPDATED" }]}
    PATCH: null members leave the document unchanged
      | ${lastOf(
        ({ attributes, categories, variants }: DocumentBody) => [
          attributes?.length,
          categories?.length,
          variants?.length,
        ],
        creating({
          id: "p",
          data: {},
          attributes: [{ name: "n", value: "v" }],
          categories: [[{ name: "A" }]],
          variants: [{ data: { id: "v" } }],
        }),
        ["PATCH", UPDATE, [{ id: "p", data: { title: "x" }, attributes: null, categories: null, variants: null }]],
        ["GET", `${DOC}/p`],
      )} | ${[1, 1, 1]}
  `,
  section("3.9")`
    a sort also selects the variant
      | ${search("q=shirt&sort=-price", datum("size"), { "variant-picking-strategy": "pickAlways" })} | ${"L"}
    ascending: the first of them
      | ${search("q=shirt&sort=price", datum("size"), { "variant-picking-strategy": "pickAlways" })} | ${"M"}
  `,
  section("4.1")`
    a mandatory facet is always shown
      | ${search("", facetNames, {
        "facet-configuration": {
          "max-facets": 0,
          facets: [{ "source-field": "material", "exclude-from-facet-limit": true, "min-facet-coverage": 0 }],
        },
      })} | ${"material"}
    type ignore as the default for terms
      | ${search("", (r) => facetNames(r).includes("brand"), {
        "facet-configuration": { "default-term-facet-configuration": { type: "ignore" } },
      })} | ${false}
  `,
  section("4.2")`
    a term facet has the 100 largest values
      | ${searched(
        "",
        facet("color", (f) => f?.entries.length),
        creating({ id: "p", data: { color: numbered(120, (i) => `c${i}`) } }),
      )} | ${100}
    a tree has the 250 largest nodes
      | ${searched(
        "",
        facet("category", (f) => f?.entries.length),
        creating({ id: "p", data: {}, categories: numbered(260, (i) => [{ name: `n${i}` }]) }),
      )} | ${250}
  `,
  section("4.6")`
    a level of several paths counts a product once
      | ${searched(
        "",
        entries("category"),
        creating({
          id: "p",
          data: {},
          categories: [
            [{ name: "A" }, { name: "B" }],
            [{ name: "A" }, { name: "C" }],
          ],
        }),
      )} | ${"A 1 [B 1, C 1]"}
    an interval is selected if its bounds equal the filter's
      | ${entryOf("price=10,14.99", "price", "10 - 14.99", (one) => one?.selected, {
        "facet-configuration": {
          facets: [{ "source-field": "price", type: "interval_5", "show-unselected-options": true }],
        },
      })} | ${true}
  `,
  section("5.3")`
    values that are ranges | ${ruled("shoe =>\n  FILTER: * price:15-30", "q=shoe", found)} | ${"b"}
    several rules for one input
      | ${ruled("shoe =>\n  FILTER: * brand:puma\n\nshoe =>\n  SYNONYM: cap", "q=shoe", found)} | ${"a d"}
    a comment and blank lines
      | ${ruled("# shoes\n\nshoe =>\n  # those of one brand\n  FILTER: * brand:puma\n", "q=shoe", found)} | ${"a"}
  `,
  section("5.4")`
    a stage that finds only product sets is not sufficient
      | ${arranged(
        { q: "trail shoe", arrangedProductSets: [{ type: "static", name: "x", ids: ["a"] }] },
        (r) => [found(r), meta("query_stage")(r)],
        strictThenLoose,
      )} | ${["a b", 1]}
    Aisle: products of sets that are found by searching count
      | ${arranged(
        { q: "trail shoe", arrangedProductSets: [{ type: "dynamic", name: "x", query: "trail shoe" }] },
        (r) => [found(r), meta("query_stage")(r)],
        strictThenLoose,
      )} | ${["a", 0]}
    stages in the order of the file | ${search("q=shoe", meta("query_stage"), strictThenLoose)} | ${0}
    fields of a stage with wildcards and analyzed parts
      | ${search("q=puma", found, {
        "query-configuration": {
          one: { strategy: "ConfigurableQuery", "weighted-fields": { "[bran*]": 2, "title.standard": 1 } },
        },
      })} | ${"a c d"}
  `,
  section("5.6")`
    German ß is ss | ${german("fussballschuhe")} | ${"1 2"}
    and ss is ß | ${german("fußballschuhe")} | ${"1 2"}
    German ü is ue | ${german("tuer")} | ${"3"}
  `,
  section("5.7")`
    boost-mode multiply | ${boosted("multiply")} | ${"c a e b d"}
    boost-mode sum | ${boosted("sum")} | ${"c a e b d"}
    boost-mode avg | ${boosted("avg")} | ${"c a e b d"}
    boost-mode replace | ${boosted("replace")} | ${"c a e b d"}
  `,
  section("5.9")`
    variantBoostTerms: more matching terms rank higher
      | ${bodied(
        {
          q: "trail",
          arrangedProductSets: [{ type: "static", name: "x", ids: ["a"], variantBoostTerms: "a1 a2 100_2" }],
        },
        datum("color"),
      )} | ${"Blue"}
    numbers of two variants of one product
      | ${bodied({ q: "zzz", arrangedProductSets: [{ type: "dynamic", name: "x", query: "100_1 100_2" }] }, slicesOf)}
      | ${"null: a"}
  `,
  section("6.3")`
    attributes without a field are dropped
      | ${indexedUnder(
        { "field-configuration": { fields: { title: RESULT } } },
        { data: { title: "t" }, attributes: [{ name: "a", value: "b" }] },
        dataOf,
      )} | ${{ title: "t" }}
    the first matching dynamic field is used
      | ${indexedUnder(
        {
          "field-configuration": {
            fields: { title: RESULT },
            "dynamic-fields": [
              { name: "one", "source-names": ["^x"], usage: ["Result"] },
              { name: "two", "source-names": [".*"], usage: ["Search"] },
            ],
          },
        },
        { data: { title: "t", x1: "shown", y1: "hidden" } },
        dataOf,
      )} | ${{ title: "t", x1: "shown" }}
    a level variant field of a product, a level master field of a variant
      | ${indexedUnder(
        { "field-configuration": { fields: { title: RESULT, size: { ...RESULT, "field-level": "variant" } } } },
        { data: { title: "t", size: "S" }, variants: [{ data: { title: "v", size: "M" } }] },
        dataOf,
      )} | ${{ title: "t", size: "M" }}
  `,
  section("6.4")`
    of several category fields the one called categories
      | ${indexedUnder(
        {
          "field-configuration": {
            fields: { taxonomy: { ...RESULT, type: "category" }, categories: { ...RESULT, type: "category" } },
          },
        },
        { data: {}, categories: [[{ name: "A" }]] },
        dataOf,
      )} | ${{ categories: ["A"] }}
    Search of a list: its texts
      | ${searched("?q=blue", found, creating({ id: "p", data: { title: ["red", "blue"] } }))} | ${"p"}
  `,
  section("6.5")`
    AttributeToDataField: include converts with a code, too
      | ${processed(
        "AttributeToDataFieldConverter",
        { include: "a" },
        { title: "t" },
        {
          attributes: [
            { name: "a", value: "x", code: "1" },
            { name: "a", value: "y", code: "2" },
          ],
          others: ["a"],
        },
      )} | ${{ title: "t", a: ["x", "y"] }}
    AttributeToDataField: with include no others
      | ${processed("AttributeToDataFieldConverter", { include: "a" }, { title: "t" }, TWO_ATTRIBUTES)}
      | ${ONE_AS_DATA}
    AttributeToDataField: exclude
      | ${processed("AttributeToDataFieldConverter", { exclude: "b" }, { title: "t" }, TWO_ATTRIBUTES)}
      | ${ONE_AS_DATA}
    RemoveFieldContentDelimiter: ..a..,..b.. and what has none
      | ${processed(
        "RemoveFieldContentDelimiterProcessor",
        {},
        { title: "t", a: "..x..,..y..", b: "..x", c: "x..|..y" },
      )} | ${{ title: "t", a: "x,y", b: "..x", c: "x..|..y" }}
    FlagField: groups are independent
      | ${processed(
        "FlagFieldDataProcessor",
        {
          group_1_a: "x.*",
          group_1_a_match: "one",
          group_1_destination: "first",
          group_1_noMatch: "none",
          group_2_a: "y",
          group_2_a_match: "two",
          group_2_destination: "second",
          group_2_noMatch: "none",
        },
        { a: "xx" },
        { others: ["first", "second"] },
      )} | ${{ a: "xx", first: "one", second: "none" }}
    RemoveValues: a destination, separators
      | ${processed(
        "RemoveValuesDataProcessor",
        { a: "b", a_destination: "c", a_wordSplitRegEx: ",", a_wordJoinSeparator: ";" },
        { a: "a,b,c" },
        { others: ["c"] },
      )} | ${{ a: "a,b,c", c: "a;c" }}
    ReplacePattern: in place, with groups
      | ${processed(
        "ReplacePatternInValuesDataProcessor",
        { a: "(\\d+)-(\\d+)", a_replacement: "$2/$1" },
        { a: "12-34" },
      )} | ${{ a: "34/12" }}
    SplitValue: as many fields as there are parts
      | ${processed(
        "SplitValueDataProcessor",
        { FieldName: "a", a_regEx: ",", a_idxToDest: "-1:part", a_keepOrig: "false" },
        { a: "x,y" },
        { others: ["part_0", "part_1"] },
      )} | ${{ part_0: "x", part_1: "y" }}
    SplitValue: indexes where the numbers of parts are equal
      | ${processed(
        "SplitValueDataProcessor",
        { FieldName: "a", a_regEx: ",", a_idxToDest: "0:one;1:two", a_keepOrig: "true" },
        { a: "x,y,z" },
        { others: ["one", "two"] },
      )} | ${{ a: "x,y,z" }}
  `,
  section("6.6")`
    a single variant cannot be deleted by its id
      | ${lastOf(
        ({ variants }: DocumentBody) => variants?.length,
        creating({ id: "p", data: {}, variants: [{ data: { id: "v1" } }, { data: { id: "v2" } }] }),
        ["DELETE", `${UPDATE}?id=v1,p_x`],
        ["GET", `${DOC}/p`],
      )} | ${2}
  `,
  section("6.7")`
    category_leaf is searched
      | ${searched(
        "?q=chairs",
        found,
        creating({ id: "p", data: {}, categories: [[{ name: "Garden" }, { name: "Chairs" }]] }),
      )} | ${"p"}
    size of a product is kept apart from its variants' | ${search("size=42", found)} | ${"a b"}
    category_ fields are searched, but not shown; Aisle: they are searched and shown
      | ${shown({ title: "t", category_x: "y" }, "category_x")} | ${"y"}
  `,
  section("7.3")`
    an unknown tag has no suggestions | ${suggests("userQuery=pum&filter=nothing", (all) => all.length)} | ${0}
    two words, the first with a typo
      | ${suggests("userQuery=runnnig+shoe", (all) => all.map(({ phrase }) => phrase))}
      | ${["Red running shoe", "Blue running shoe"]}
  `,
  section("8.1")`
    own fields take precedence by name, own dynamic fields come first
      | ${whole(
        {
          "default-index-config": {
            "field-configuration": {
              fields: { title: { usage: ["Search"] }, brand: RESULT },
              "dynamic-fields": [{ name: "d", "source-names": [".*"], usage: ["Search"] }],
            },
          },
        },
        indexedUnder(
          {
            "field-configuration": {
              fields: { title: RESULT },
              "dynamic-fields": [{ name: "o", "source-names": ["^x"], usage: ["Result"] }],
              "use-default-config": true,
            },
          },
          { data: { title: "t", brand: "b", x1: "x", y1: "y" } },
          dataOf,
        ),
      )} | ${{ title: "t", brand: "b", x1: "x" }}
  `,
  section("8.3")`
    at most twelve other facets
      | ${searched(
        "",
        (r) =>
          main(r)
            .facets?.map(({ meta: own }) => (own["isExcludedFromFacetLimit"] === true ? "*" : "."))
            .join(""),
        creating(
          ...numbered(8, (i) => ({
            id: String(i),
            data: { brand: `b${i % 2}`, price: i },
            attributes: numbered(20, (n) => ({ name: `a${n}`, value: `v${i % 2}` })),
          })),
        ),
      )} | ${"**............"}
  `,
];
