/** Facets: section 4 of the reference's behaviour. */
import type { SearchResult } from "../../../src/interface/index.ts";
import {
  entries,
  entry,
  facet,
  facetNames,
  found,
  link,
  main,
  ours,
  same,
  search,
  type Asking,
  type Entry,
  type Section,
} from "./claim.ts";

/** A tenant with these facets besides those of fields that it does not name. */
const facets = (...all: readonly object[]): Entry => ({
  "facet-configuration": { "max-facets": 20, facets: all },
});
const first =
  (count: number) =>
  (result: SearchResult): string =>
    facetNames(result).split(" ").slice(0, count).join(" ");
/** One facet, whatever it covers. */
const one = (field: string, settings: object = {}): Entry =>
  facets({ "source-field": field, "min-facet-coverage": 0, "min-value-count": 1, ...settings });
const keys = (field: string, settings: object, query = ""): Asking =>
  search(query, entries(field), one(field, settings));

const CATEGORIES = "Men 3 [Shoes 2 [Trail 1], Socks 1], Sale/Outlet 1, Women 1 [Shirts 1]";

/** Interval labels of price, with these meta-data. */
const labels = (metaData: object, query = ""): Asking =>
  search(
    query,
    facet("price", (f) => f?.entries.map(({ key }) => key)),
    one("price", { type: "interval_10", "optimal-value-count": 3, "meta-data": metaData }),
  );

export const FACETS: readonly Section[] = [
  {
    of: "4.1",
    claims: [
      same(
        "the default of max-facets is 5",
        search("", (r) => (main(r).facets ?? []).length, {
          "facet-configuration": { facets: [] },
        }),
        5,
      ),
      same(
        "max-facets",
        search("", (r) => (main(r).facets ?? []).length, {
          "facet-configuration": { "max-facets": 2 },
        }),
        2,
      ),
      same(
        "facets excluded from the limit do not count",
        search("", facetNames, {
          "facet-configuration": {
            "max-facets": 1,
            facets: [
              { "source-field": "brand", order: 1, "exclude-from-facet-limit": true },
              { "source-field": "price", order: 2 },
            ],
          },
        }),
        "brand price",
      ),
      same(
        "default-facet-configuration is the older name of the default for terms",
        search(
          "",
          facet("brand", (f) => f),
          {
            "facet-configuration": { "default-facet-configuration": { type: "ignore" } },
          },
        ),
        undefined,
      ),
      same(
        "numbers are intervals by default",
        search(
          "",
          facet("price", (f) => f?.type),
          { "facet-configuration": { facets: [] } },
        ),
        "interval",
      ),
      same(
        "the default for numbers may be ranges",
        search(
          "",
          facet("price", (f) => f?.type),
          {
            "facet-configuration": { "default-number-facet-configuration": { type: "RANGE" } },
          },
        ),
        "range",
      ),
      same(
        "label",
        search(
          "",
          facet("brand", (f) => f?.meta["label"]),
          one("brand", { label: "Brands" }),
        ),
        "Brands",
      ),
      same(
        "the default label is the field name",
        search(
          "",
          facet("brand", (f) => f?.meta["label"]),
          one("brand"),
        ),
        "brand",
      ),
      same(
        "type term",
        search(
          "",
          facet("brand", (f) => f?.type),
          one("brand", { type: "term" }),
        ),
        "term",
      ),
      same(
        "type ignore",
        search(
          "",
          facet("brand", (f) => f),
          one("brand", { type: "ignore" }),
        ),
        undefined,
      ),
      same(
        "type interval_<N>: buckets of width N",
        search(
          "",
          facet("price", (f) =>
            f?.entries.map((e) => (e.type === "interval" ? [e.lowerBound, e.upperBound] : [])),
          ),
          one("price", { type: "interval_10", "optimal-value-count": 10 }),
        ),
        [
          [0, 9.99],
          [10, 19.99],
          [20, 29.99],
          [30, 39.99],
          [40, 49.99],
        ],
      ),
      same(
        "meta-data is in meta",
        search(
          "",
          facet("size", (f) => f?.meta["detail-links"]),
        ),
        5,
      ),
      same(
        "optimal-value-count",
        search(
          "",
          facet("price", (f) => f?.entries.length),
          one("price", { type: "interval_10", "optimal-value-count": 2 }),
        ),
        2,
      ),
      same(
        "show-unselected-options",
        keys("size", { "show-unselected-options": true }, "size=M"),
        "42 2, 43 1, L 1, M 1*",
      ),
      same(
        "multi-select",
        keys("size", { "multi-select": true }, "size=M"),
        "42 2, 43 1, L 1, M 1*",
      ),
      same(
        "is-multi-select",
        keys("size", { "is-multi-select": true }, "size=M"),
        "42 2, 43 1, L 1, M 1*",
      ),
      same(
        "order",
        search(
          "",
          first(3),
          facets(
            { "source-field": "price", order: 1 },
            { "source-field": "brand", order: 2 },
            { "source-field": "category", order: 0 },
          ),
        ),
        "category price brand",
      ),
      same(
        "value-order COUNT",
        keys("brand", { "value-order": "COUNT" }),
        "Puma 3, Adidas 1, Nike 1",
      ),
      same(
        "value-order ALPHANUM_ASC",
        keys("brand", { "value-order": "ALPHANUM_ASC" }),
        "Adidas 1, Nike 1, Puma 3",
      ),
      same(
        "value-order ALPHANUM_DESC",
        keys("brand", { "value-order": "alphanum_desc" }),
        "Puma 3, Nike 1, Adidas 1",
      ),
      same(
        "value-order HUMAN_NUMERIC_ASC",
        keys("size", { "value-order": "HUMAN_NUMERIC_ASC" }),
        "42 2, 43 1, L 1, M 1",
      ),
      same(
        "value-order HUMAN_NUMERIC_DESC",
        keys("size", { "value-order": "HUMAN_NUMERIC_DESC" }),
        "M 1, L 1, 43 1, 42 2",
      ),
      same(
        "value-order on all levels of a tree",
        keys("category", { "value-order": "ALPHANUM_DESC" }),
        "Women 1 [Shirts 1], Sale/Outlet 1, Men 3 [Socks 1, Shoes 2 [Trail 1]]",
      ),
      same(
        "prefer-variant-on-filter shows the variant",
        search("size=L", (r) => main(r).hits[0]?.document.data["size"], {
          ...one("size", { "prefer-variant-on-filter": true }),
          "variant-picking-strategy": "pickIfSingleHit",
        }),
        "L",
      ),
      same(
        "min-facet-coverage",
        search(
          "",
          facet("material", (f) => f),
          facets({ "source-field": "material", "min-facet-coverage": 0.7 }),
        ),
        undefined,
      ),
      same(
        "min-value-count",
        search(
          "q=sock",
          facet("brand", (f) => f),
          facets({ "source-field": "brand", "min-value-count": 2 }),
        ),
        undefined,
      ),
      same(
        "min-value-count is at most the number of values in the index",
        search(
          "",
          entries("vip"),
          facets({ "source-field": "vip", "min-value-count": 3, "min-facet-coverage": 0 }),
        ),
        "true 1",
      ),
      same(
        "filter-sensitive: only selected values",
        keys("brand", { "multi-select": true, "is-filter-sensitive": true }, "brand=Nike"),
        "Nike 1*",
      ),
      same(
        "filter-sensitive range: the values with that id",
        search(
          "campaign.id=1",
          facet("campaign", (f) =>
            f?.entries.map((e) => (e.type === "range" ? [e.lowerBound, e.upperBound] : [])),
          ),
          one("campaign", { type: "range", "filter-sensitive": true }),
        ),
        [[1, 3]],
      ),
      same(
        "filter-sensitive range of one value is not shown",
        search(
          "campaign.id=2&price=15-25",
          facet("campaign", (f) => f),
          one("campaign", { type: "range", "filter-sensitive": true }),
        ),
        undefined,
      ),
      same(
        "remove-on-single-full-coverage-facet-element",
        search(
          "q=sock",
          facet("brand", (f) => f),
          one("brand", { "remove-on-single-full-coverage-facet-element": true }),
        ),
        undefined,
      ),
      ours(
        "without configuration a facet for every field with usage Facet",
        "the same, except unconfigured fields whose values never repeat",
        search(
          "",
          facet("material", (f) => f),
        ),
        undefined,
      ),
      same(
        "settings with an unsuitable type are ignored",
        search(
          "",
          (r) => [
            facet("brand", (f) => f?.type)(r),
            (r.meta["facet_warnings"] as unknown[]).length,
          ],
          facets({ "source-field": "brand", type: "range" }),
        ),
        ["term", 1],
      ),
      same(
        "a field that does not exist is ignored",
        search(
          "",
          facet("zz", (f) => f),
          facets({ "source-field": "zz" }),
        ),
        undefined,
      ),
    ],
  },
  {
    of: "4.2",
    claims: [
      ours(
        "two hierarchical and two mandatory facets at most",
        "only max-facets limits them",
        search(
          "",
          first(3),
          facets(
            ...["vip", "weight", "material"].map((field, order) => ({
              "source-field": field,
              order,
              "exclude-from-facet-limit": true,
              "min-facet-coverage": 0,
              "min-value-count": 1,
            })),
          ),
        ),
        "vip weight material",
      ),
    ],
  },
  {
    of: "4.3",
    claims: [
      same(
        "a filtered facet is shown regardless of coverage",
        search(
          "material=Wool",
          entries("material"),
          facets({ "source-field": "material", "min-value-count": 9, "min-facet-coverage": 2 }),
        ),
        "Wool 1*",
      ),
      same(
        "a range needs one entry",
        search(
          "",
          facet("price", (f) => f?.entries.length),
          facets({ "source-field": "price", type: "range", "min-value-count": 5 }),
        ),
        1,
      ),
      same(
        "the leaves of a tree count",
        search(
          "q=shoe",
          entries("category"),
          facets({ "source-field": "category", "min-value-count": 1 }),
        ),
        "Men 2 [Shoes 2 [Trail 1]]",
      ),
      same(
        "an unmet dependency",
        search(
          "",
          facet("size", (f) => f),
          one("size", { "filter-dependencies": ["brand=Puma"] }),
        ),
        undefined,
      ),
      same(
        "a met dependency, ignoring case",
        search(
          "brand=puma",
          entries("size"),
          one("size", { "filter-dependencies": ["brand=PUMA"] }),
        ),
        "42 1, 43 1",
      ),
      same(
        "& is AND",
        search(
          "brand=puma",
          facet("size", (f) => f),
          one("size", { "filter-dependencies": ["brand=Puma&price=10"] }),
        ),
        undefined,
      ),
      same(
        "elements are OR",
        search(
          "brand=puma",
          entries("size"),
          one("size", { "filter-dependencies": ["brand=Nike", "brand=Puma"] }),
        ),
        "42 1, 43 1",
      ),
      same(
        "both values of a,b must be active",
        search(
          "brand=puma",
          facet("size", (f) => f),
          one("size", { "filter-dependencies": ["brand=Nike,Puma"] }),
        ),
        undefined,
      ),
      same(
        "* is any value",
        search("brand=nike", entries("size"), one("size", { "filter-dependencies": ["brand=*"] })),
        "L 1, M 1",
      ),
      same(
        "a path satisfies a dependency on its ancestor",
        search(
          "category=Men/Shoes",
          entries("size"),
          one("size", { "filter-dependencies": ["category=Men"] }),
        ),
        "42 2, 43 1",
      ),
      ours(
        "dependencies on categories with capitals never match",
        "paths are compared exactly, like filters",
        search(
          "category=Men",
          entries("size"),
          one("size", { "filter-dependencies": ["category=Men"] }),
        ),
        "42 2, 43 1",
      ),
      same(
        "a parameter that is not a filter must be equal",
        search(
          "view=sizes",
          entries("size"),
          one("size", { "filter-dependencies": ["view=sizes"] }),
        ),
        "42 2, 43 1, L 1, M 1",
      ),
      same(
        "malformed dependencies are ignored",
        search("", entries("size"), one("size", { "filter-dependencies": ["brand=", "a=b=c"] })),
        "42 2, 43 1, L 1, M 1",
      ),
    ],
  },
  {
    of: "4.4",
    claims: [
      same(
        "counts are products, not variants",
        search(
          "",
          entry("color", "Red", (e) => e?.docCount),
        ),
        2,
      ),
      same(
        "coverage of terms is the sum of counts",
        search(
          "",
          facet("size", (f) => f?.absoluteFacetCoverage),
        ),
        5,
      ),
      same(
        "coverage of a tree is the sum of all nodes",
        search(
          "",
          facet("category", (f) => f?.absoluteFacetCoverage),
        ),
        10,
      ),
      ours(
        "a range counts values",
        "it counts products, like every count",
        search(
          "",
          facet("price", (f) => [f?.absoluteFacetCoverage, f?.entries[0].docCount]),
          one("price", { type: "range" }),
        ),
        [5, 5],
      ),
    ],
  },
  {
    of: "4.5",
    claims: [
      same(
        "order, then filtered ones first, then coverage",
        search("size=42", facetNames, {
          "facet-configuration": {
            "max-facets": 3,
            facets: [{ "source-field": "price", order: 1 }],
          },
        }),
        "price size campaign",
      ),
      ours(
        "facets with the same label are merged",
        "facets are identified by field",
        search(
          "",
          first(2),
          facets(
            { "source-field": "brand", label: "X", order: 1 },
            { "source-field": "color", label: "X", order: 2 },
          ),
        ),
        "brand color",
      ),
      same(
        "values of products and of variants are one facet",
        search("", entries("size"), one("size"), "fields"),
        "L 2, M 2, S 1",
      ),
    ],
  },
  {
    of: "4.6",
    claims: [
      same(
        "terms that differ in case are one entry; the first spelling",
        keys("brand", {}, "price=5,16"),
        "Puma 3",
      ),
      same(
        "its id is the most frequent one",
        search(
          "",
          entry("material", "Leather", (e) => e?.id),
          one("material"),
        ),
        "L",
      ),
      same("single selection: only the selected value", keys("size", {}, "size=M"), "M 1*"),
      same(
        "single selection: a link replaces it",
        search("size=M", link("size", "42"), one("size", { "show-unselected-options": true })),
        "size=42",
      ),
      same(
        "a link of a multi-select adds",
        search("size=M", link("size", "42"), one("size", { "multi-select": true })),
        "size=m%2C42",
      ),
      same(
        "the link of a selected value removes it",
        search("size=M&q=shirt", link("size", "M"), one("size")),
        "q=shirt",
      ),
      same(
        "its value is in lower case",
        search("", link("brand", "Adidas"), one("brand")),
        "brand=adidas",
      ),
      same(
        "with an id filter, links have ids",
        search("campaign.id=1", link("material", "Leather"), one("material")),
        "campaign.id=1&material=leather",
      ),
      same(
        "with an id filter, links of its own facet have ids",
        search(
          "material.id=L",
          link("material", "Leather"),
          one("material", { "multi-select": true }),
        ),
        "",
      ),
      same("a tree of categories", keys("category", {}), CATEGORIES),
      same(
        "ancestors of a selected node are selected",
        keys("category", { "show-unselected-options": true }, "category=Men/Shoes"),
        "Men 3* [Shoes 2* [Trail 1], Socks 1], Sale/Outlet 1, Women 1 [Shirts 1]",
      ),
      same(
        "siblings of the selected node are hidden, its children are shown",
        keys("category", {}, "category=Men/Shoes"),
        "Men 3* [Shoes 2* [Trail 1]]",
      ),
      same(
        "a node's link selects its path",
        search("", link("category", "Trail"), one("category")),
        "category=Men%2FShoes%2FTrail",
      ),
      same(
        "a selected node's link removes it",
        search("category=Men/Shoes", link("category", "Shoes"), one("category")),
        "",
      ),
      same(
        "multi-select: a parent replaces its child",
        search(
          "category=Men/Shoes,Women",
          link("category", "Men"),
          one("category", { "multi-select": true }),
        ),
        "category=Women%2CMen",
      ),
      same(
        "multi-select: a child replaces its parent",
        search(
          "category=Men,Women",
          link("category", "Socks"),
          one("category", { "multi-select": true }),
        ),
        "category=Women%2CMen%2FSocks",
      ),
      same(
        "with id filters the links have /id1/id2",
        search("category.id=shoes", link("category", "Trail"), one("category")),
        "category.id=%2Fmen%2Fshoes%2Ftrail",
      ),
      ours(
        "intervals have the width 5",
        "the width is a round number that depends on the values; interval_5 has width 5",
        search(
          "",
          facet("price", (f) => f?.entries.length),
          one("price", { type: "interval", "optimal-value-count": 3 }),
        ),
        3,
      ),
      same("the first label has no lower bound, the last one no upper bound", labels({}), [
        "< 19.99",
        "20 - 39.99",
        "> 40",
      ]),
      same("the filter of an interval is lower,upper", search("price=0,9.99", found), "c"),
      same(
        "single selection: the filter's bounds",
        search(
          "price=10,19.99",
          facet("price", (f) => f?.entries),
          one("price", { type: "interval_10" }),
        ),
        [
          {
            type: "interval",
            key: "10 - 19.99",
            id: null,
            docCount: 2,
            link: "",
            selected: true,
            lowerBound: 10,
            upperBound: 19.99,
          },
        ],
      ),
      same("unit", labels({ unit: "$" }), ["< 19.99$", "20$ - 39.99$", "> 40$"]),
      same("unit with a space", labels({ unit: " €" }), ["< 19.99 €", "20 € - 39.99 €", "> 40 €"]),
      same("unitAsPrefix", labels({ unit: "$", unitAsPrefix: true }), [
        "< $19.99",
        "$20 - $39.99",
        "> $40",
      ]),
      same("decimals", labels({ decimals: 1 }), ["< 20", "20 - 40", "> 40"]),
      same("round true", labels({ round: true }), ["< 20", "20 - 40", "> 40"]),
      same("round up", labels({ round: "up" }), ["< 20", "20 - 40", "> 40"]),
      same("round down", labels({ round: "down" }), ["< 19", "20 - 39", "> 40"]),
      same("locale", labels({ locale: "de" }), ["< 19,99", "20 - 39,99", "> 40"]),
      same("bounds adjusted", labels({ lowerBoundAdjustValue: 1, upperBoundAdjustValue: 0.01 }), [
        "< 20",
        "21 - 40",
        "> 41",
      ]),
      same(
        "texts around bounds",
        labels({
          noLowerBoundPrefix: "up to ",
          noLowerBoundSuffix: " !",
          intervalSeparator: " to ",
          noUpperBoundPrefix: "from ",
          noUpperBoundSuffix: " on",
        }),
        ["up to 19.99 !", "20 to 39.99", "from 40 on"],
      ),
      same(
        "a range: the smallest and largest value, rounded to two decimals",
        search(
          "",
          facet("price", (f) => f?.entries[0].key),
          one("price", { type: "range" }),
        ),
        "5.5-40",
      ),
      same(
        "a range ignores its own filter",
        search(
          "price=10,20",
          facet("price", (f) => f?.entries[0].key),
          one("price", { type: "range" }),
        ),
        "5.5-40",
      ),
      same(
        "the link of a range is the current search",
        search(
          "q=shoe&price=10,20&limit=3",
          facet("price", (f) => f?.entries[0].link),
          one("price", { type: "range" }),
        ),
        "q=shoe&price=10%2C20&limit=3",
      ),
      same(
        "a range with one value is omitted",
        search(
          "q=cap",
          facet("price", (f) => f),
          one("price", { type: "range" }),
        ),
        undefined,
      ),
      same(
        "INDEX_NAME: an entry per index, without links",
        async (place) => {
          const names = [place.index("shop"), place.index("tools")];
          const ask = search(
            "",
            (r) =>
              main(r)
                .facets?.find(({ entries: [first] }) => first.key.startsWith("ocs-"))
                ?.entries.map((e) => [e.docCount, e.link]),
            {
              "index-name": names.join(","),
              ...facets({ "source-field": "_index", type: "INDEX_NAME" }),
            },
          );
          return ask(place);
        },
        [
          [7, null],
          [5, null],
        ],
      ),
      same(
        "facets without entries are omitted",
        search(
          "q=cap",
          facet("size", (f) => f),
          one("size"),
        ),
        undefined,
      ),
      ours(
        "darkred makes red selected",
        "whole values are compared",
        search(
          "brand=umaP,Nike",
          entry("brand", "Puma", (e) => e?.selected),
          one("brand", { "multi-select": true }),
        ),
        false,
      ),
    ],
  },
];
