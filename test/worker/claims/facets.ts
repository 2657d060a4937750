/** Facets: section 4 of the reference's behaviour. */
import type { SearchResult } from "../../../src/interface/index.ts";
import {
  asking,
  creating,
  entries,
  entry,
  entryOf,
  facet,
  facetNames,
  facetOf,
  found,
  link,
  main,
  search,
  searched,
  section,
  type Asking,
  type Entry,
  type Section,
} from "./claim.ts";

/** A tenant with these facets besides those of fields that it does not name. */
const facets = (...all: readonly object[]): Entry => ({ "facet-configuration": { "max-facets": 20, facets: all } });
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
  section("4.1")`
    the default of max-facets is 5
      | ${search("", (r) => (main(r).facets ?? []).length, { "facet-configuration": { facets: [] } })} | ${5}
    max-facets
      | ${search("", (r) => (main(r).facets ?? []).length, { "facet-configuration": { "max-facets": 2 } })} | ${2}
    facets excluded from the limit do not count
      | ${search("", facetNames, {
        "facet-configuration": {
          "max-facets": 1,
          facets: [
            { "source-field": "brand", order: 1, "exclude-from-facet-limit": true },
            { "source-field": "price", order: 2 },
          ],
        },
      })} | ${"brand price"}
    default-facet-configuration is the older name of the default for terms
      | ${facetOf("", "brand", (f) => f, {
        "facet-configuration": { "default-facet-configuration": { type: "ignore" } },
      })} | ${undefined}
    numbers are intervals by default
      | ${facetOf("", "price", (f) => f?.type, { "facet-configuration": { facets: [] } })} | ${"interval"}
    the default for numbers may be ranges
      | ${facetOf("", "price", (f) => f?.type, {
        "facet-configuration": { "default-number-facet-configuration": { type: "RANGE" } },
      })} | ${"range"}
    label | ${facetOf("", "brand", (f) => f?.meta["label"], one("brand", { label: "Brands" }))} | ${"Brands"}
    the default label is the field name | ${facetOf("", "brand", (f) => f?.meta["label"], one("brand"))} | ${"brand"}
    type term | ${facetOf("", "brand", (f) => f?.type, one("brand", { type: "term" }))} | ${"term"}
    type ignore | ${facetOf("", "brand", (f) => f, one("brand", { type: "ignore" }))} | ${undefined}
    type interval_<N>: buckets of width N
      | ${facetOf(
        "",
        "price",
        (f) => f?.entries.map((e) => (e.type === "interval" ? [e.lowerBound, e.upperBound] : [])),
        one("price", { type: "interval_10", "optimal-value-count": 10 }),
      )} | ${[
        [0, 9.99],
        [10, 19.99],
        [20, 29.99],
        [30, 39.99],
        [40, 49.99],
      ]}
    meta-data is in meta | ${facetOf("", "size", (f) => f?.meta["detail-links"])} | ${5}
    optimal-value-count
      | ${facetOf(
        "",
        "price",
        (f) => f?.entries.length,
        one("price", { type: "interval_10", "optimal-value-count": 2 }),
      )} | ${2}
    show-unselected-options
      | ${keys("size", { "show-unselected-options": true }, "size=M")} | ${"42 2, 43 1, L 1, M 1*"}
    multi-select | ${keys("size", { "multi-select": true }, "size=M")} | ${"42 2, 43 1, L 1, M 1*"}
    is-multi-select | ${keys("size", { "is-multi-select": true }, "size=M")} | ${"42 2, 43 1, L 1, M 1*"}
    order
      | ${search(
        "",
        first(3),
        facets(
          { "source-field": "price", order: 1 },
          { "source-field": "brand", order: 2 },
          { "source-field": "category", order: 0 },
        ),
      )} | ${"category price brand"}
    value-order COUNT | ${keys("brand", { "value-order": "COUNT" })} | ${"Puma 3, Adidas 1, Nike 1"}
    value-order ALPHANUM_ASC | ${keys("brand", { "value-order": "ALPHANUM_ASC" })} | ${"Adidas 1, Nike 1, Puma 3"}
    value-order ALPHANUM_DESC | ${keys("brand", { "value-order": "alphanum_desc" })} | ${"Puma 3, Nike 1, Adidas 1"}
    value-order HUMAN_NUMERIC_ASC
      | ${keys("size", { "value-order": "HUMAN_NUMERIC_ASC" })} | ${"42 2, 43 1, L 1, M 1"}
    value-order HUMAN_NUMERIC_DESC
      | ${keys("size", { "value-order": "HUMAN_NUMERIC_DESC" })} | ${"M 1, L 1, 43 1, 42 2"}
    value-order on all levels of a tree
      | ${keys("category", { "value-order": "ALPHANUM_DESC" })}
      | ${"Women 1 [Shirts 1], Sale/Outlet 1, Men 3 [Socks 1, Shoes 2 [Trail 1]]"}
    prefer-variant-on-filter shows the variant
      | ${search("size=L", (r) => main(r).hits[0]?.document.data["size"], {
        ...one("size", { "prefer-variant-on-filter": true }),
        "variant-picking-strategy": "pickIfSingleHit",
      })} | ${"L"}
    min-facet-coverage
      | ${facetOf("", "material", (f) => f, facets({ "source-field": "material", "min-facet-coverage": 0.7 }))}
      | ${undefined}
    min-value-count
      | ${facetOf("q=sock", "brand", (f) => f, facets({ "source-field": "brand", "min-value-count": 2 }))}
      | ${undefined}
    min-value-count is at most the number of values in the index
      | ${search(
        "",
        entries("vip"),
        facets({ "source-field": "vip", "min-value-count": 3, "min-facet-coverage": 0 }),
      )} | ${"true 1"}
    filter-sensitive: only selected values
      | ${keys("brand", { "multi-select": true, "is-filter-sensitive": true }, "brand=Nike")} | ${"Nike 1*"}
    filter-sensitive range: the values with that id
      | ${facetOf(
        "campaign.id=1",
        "campaign",
        (f) => f?.entries.map((e) => (e.type === "range" ? [e.lowerBound, e.upperBound] : [])),
        one("campaign", { type: "range", "filter-sensitive": true }),
      )} | ${[[1, 3]]}
    filter-sensitive range of one value is not shown
      | ${facetOf(
        "campaign.id=2&price=15-25",
        "campaign",
        (f) => f,
        one("campaign", { type: "range", "filter-sensitive": true }),
      )} | ${undefined}
    remove-on-single-full-coverage-facet-element
      | ${facetOf(
        "q=sock",
        "brand",
        (f) => f,
        one("brand", { "remove-on-single-full-coverage-facet-element": true }),
      )} | ${undefined}
    without configuration a facet for every field with usage Facet; Aisle: the same, except unconfigured fields whose
    values never repeat
      | ${facetOf("", "material", (f) => f)} | ${undefined}
    settings with an unsuitable type are ignored
      | ${search(
        "",
        (r) => [facet("brand", (f) => f?.type)(r), (r.meta["facet_warnings"] as unknown[]).length],
        facets({ "source-field": "brand", type: "range" }),
      )} | ${["term", 1]}
    a field that does not exist is ignored
      | ${facetOf("", "zz", (f) => f, facets({ "source-field": "zz" }))} | ${undefined}
  `,
  section("4.2")`
    two hierarchical and two mandatory facets at most; Aisle: only max-facets limits them
      | ${search(
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
      )} | ${"vip weight material"}
  `,
  section("4.3")`
    a filtered facet is shown regardless of coverage
      | ${search(
        "material=Wool",
        entries("material"),
        facets({ "source-field": "material", "min-value-count": 9, "min-facet-coverage": 2 }),
      )} | ${"Wool 1*"}
    a range needs one entry
      | ${facetOf(
        "",
        "price",
        (f) => f?.entries.length,
        facets({ "source-field": "price", type: "range", "min-value-count": 5 }),
      )} | ${1}
    the leaves of a tree count
      | ${search("q=shoe", entries("category"), facets({ "source-field": "category", "min-value-count": 1 }))}
      | ${"Men 2 [Shoes 2 [Trail 1]]"}
    an unmet dependency
      | ${facetOf("", "size", (f) => f, one("size", { "filter-dependencies": ["brand=Puma"] }))} | ${undefined}
    a met dependency, ignoring case
      | ${search("brand=puma", entries("size"), one("size", { "filter-dependencies": ["brand=PUMA"] }))}
      | ${"42 1, 43 1"}
    & is AND
      | ${facetOf("brand=puma", "size", (f) => f, one("size", { "filter-dependencies": ["brand=Puma&price=10"] }))}
      | ${undefined}
    elements are OR
      | ${search("brand=puma", entries("size"), one("size", { "filter-dependencies": ["brand=Nike", "brand=Puma"] }))}
      | ${"42 1, 43 1"}
    both values of a,b must be active
      | ${facetOf("brand=puma", "size", (f) => f, one("size", { "filter-dependencies": ["brand=Nike,Puma"] }))}
      | ${undefined}
    * is any value
      | ${search("brand=nike", entries("size"), one("size", { "filter-dependencies": ["brand=*"] }))} | ${"L 1, M 1"}
    a path satisfies a dependency on its ancestor
      | ${search("category=Men/Shoes", entries("size"), one("size", { "filter-dependencies": ["category=Men"] }))}
      | ${"42 2, 43 1"}
    dependencies on categories with capitals never match; Aisle: paths are compared exactly, like filters
      | ${search("category=Men", entries("size"), one("size", { "filter-dependencies": ["category=Men"] }))}
      | ${"42 2, 43 1"}
    a parameter that is not a filter must be equal
      | ${search("view=sizes", entries("size"), one("size", { "filter-dependencies": ["view=sizes"] }))}
      | ${"42 2, 43 1, L 1, M 1"}
    malformed dependencies are ignored
      | ${search("", entries("size"), one("size", { "filter-dependencies": ["brand=", "a=b=c"] }))}
      | ${"42 2, 43 1, L 1, M 1"}
  `,
  section("4.4")`
    counts are products, not variants | ${entryOf("", "color", "Red", (e) => e?.docCount)} | ${2}
    coverage of terms is the sum of counts | ${facetOf("", "size", (f) => f?.absoluteFacetCoverage)} | ${5}
    coverage of a tree is the sum of all nodes | ${facetOf("", "category", (f) => f?.absoluteFacetCoverage)} | ${10}
    a range counts values; Aisle: it counts products, like every count
      | ${facetOf(
        "",
        "price",
        (f) => [f?.absoluteFacetCoverage, f?.entries[0].docCount],
        one("price", { type: "range" }),
      )} | ${[5, 5]}
  `,
  section("4.5")`
    order, then filtered ones first, then coverage
      | ${search("size=42", facetNames, {
        "facet-configuration": { "max-facets": 3, facets: [{ "source-field": "price", order: 1 }] },
      })} | ${"price size campaign"}
    facets with the same label are merged; Aisle: facets are identified by field
      | ${search(
        "",
        first(2),
        facets({ "source-field": "brand", label: "X", order: 1 }, { "source-field": "color", label: "X", order: 2 }),
      )} | ${"brand color"}
    values of products and of variants are one facet
      | ${search("", entries("size"), one("size"), "fields")} | ${"L 2, M 2, S 1"}
  `,
  section("4.6")`
    terms that differ in case are one entry; the first spelling | ${keys("brand", {}, "price=5,16")} | ${"Puma 3"}
    its id is the most frequent one
      | ${searched(
        "",
        entry("finish", "Matt", (e) => e?.id),
        creating(
          ...["y", "x", "x"].map((code, i) => ({
            id: `${i}`,
            data: {},
            attributes: [{ name: "finish", value: "Matt", code }],
          })),
        ),
      )} | ${"x"}
    single selection: only the selected value | ${keys("size", {}, "size=M")} | ${"M 1*"}
    single selection: a link replaces it
      | ${search("size=M", link("size", "42"), one("size", { "show-unselected-options": true }))} | ${"size=42"}
    a link of a multi-select adds
      | ${search("size=M", link("size", "42"), one("size", { "multi-select": true }))} | ${"size=m%2C42"}
    the link of a selected value removes it
      | ${search("size=M&q=shirt", link("size", "M"), one("size"))} | ${"q=shirt"}
    its value is in lower case | ${search("", link("brand", "Adidas"), one("brand"))} | ${"brand=adidas"}
    with an id filter, links have ids
      | ${search("campaign.id=1", link("material", "Leather"), one("material"))} | ${"campaign.id=1&material=leather"}
    with an id filter, links of its own facet have ids
      | ${search("material.id=L", link("material", "Mesh, fine"), one("material", { "multi-select": true }))}
      | ${"material.id=L%2CMesh1"}
    a tree of categories | ${keys("category", {})} | ${CATEGORIES}
    ancestors of a selected node are selected
      | ${keys("category", { "show-unselected-options": true }, "category=Men/Shoes")}
      | ${"Men 3* [Shoes 2* [Trail 1], Socks 1], Sale/Outlet 1, Women 1 [Shirts 1]"}
    siblings of the selected node are hidden, its children are shown
      | ${keys("category", {}, "category=Men/Shoes")} | ${"Men 3* [Shoes 2* [Trail 1]]"}
    ancestors of the selected node count the filtered products; Aisle: they count the products that their links lead to
      | ${keys("category", {}, "category=Men/Shoes/Trail")} | ${"Men 3* [Shoes 2* [Trail 1*]]"}
    a node's link selects its path
      | ${search("", link("category", "Trail"), one("category"))} | ${"category=Men%2FShoes%2FTrail"}
    a selected node's link removes it
      | ${search("category=Men/Shoes", link("category", "Shoes"), one("category"))} | ${""}
    multi-select: a parent replaces its child
      | ${search("category=Men/Shoes,Women", link("category", "Men"), one("category", { "multi-select": true }))}
      | ${"category=Women%2CMen"}
    multi-select: a child replaces its parent
      | ${search("category=Men,Women", link("category", "Socks"), one("category", { "multi-select": true }))}
      | ${"category=Women%2CMen%2FSocks"}
    with id filters the links have /id1/id2
      | ${search("category.id=shoes", link("category", "Trail"), one("category"))}
      | ${"category.id=%2Fmen%2Fshoes%2Ftrail"}
    intervals have the width 5; Aisle: the width is a round number that depends on the values; interval_5 has width 5
      | ${facetOf(
        "",
        "price",
        (f) => f?.entries.length,
        one("price", { type: "interval", "optimal-value-count": 3 }),
      )} | ${3}
    the first label has no lower bound, the last one no upper bound
      | ${labels({})} | ${["< 19.99", "20 - 39.99", "> 40"]}
    the filter of an interval is lower,upper | ${search("price=0,9.99", found)} | ${"c"}
    single selection: the filter's bounds
      | ${facetOf("price=10,19.99", "price", (f) => f?.entries, one("price", { type: "interval_10" }))}
      | ${[
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
      ]}
    unit | ${labels({ unit: "$" })} | ${["< 19.99$", "20$ - 39.99$", "> 40$"]}
    unit with a space | ${labels({ unit: " €" })} | ${["< 19.99 €", "20 € - 39.99 €", "> 40 €"]}
    unitAsPrefix | ${labels({ unit: "$", unitAsPrefix: true })} | ${["< $19.99", "$20 - $39.99", "> $40"]}
    decimals | ${labels({ decimals: 1 })} | ${["< 20", "20 - 40", "> 40"]}
    round true | ${labels({ round: true, lowerBoundAdjustValue: 0.3 })} | ${["< 20", "20 - 40", "> 40"]}
    round up | ${labels({ round: "up", lowerBoundAdjustValue: 0.3 })} | ${["< 20", "21 - 40", "> 41"]}
    round down | ${labels({ round: "down", lowerBoundAdjustValue: 0.3 })} | ${["< 19", "20 - 39", "> 40"]}
    locale | ${labels({ locale: "de" })} | ${["< 19,99", "20 - 39,99", "> 40"]}
    bounds adjusted
      | ${labels({ lowerBoundAdjustValue: 1, upperBoundAdjustValue: 0.01 })} | ${["< 20", "21 - 40", "> 41"]}
    texts around bounds
      | ${labels({
        noLowerBoundPrefix: "up to ",
        noLowerBoundSuffix: " !",
        intervalSeparator: " to ",
        noUpperBoundPrefix: "from ",
        noUpperBoundSuffix: " on",
      })} | ${["up to 19.99 !", "20 to 39.99", "from 40 on"]}
    a range: the smallest and largest value, rounded to two decimals
      | ${facetOf("", "price", (f) => f?.entries[0].key, one("price", { type: "range" }))} | ${"5.5-40"}
    a range ignores its own filter
      | ${facetOf("price=10,20", "price", (f) => f?.entries[0].key, one("price", { type: "range" }))} | ${"5.5-40"}
    the link of a range is the current search
      | ${facetOf("q=shoe&price=10,20&limit=3", "price", (f) => f?.entries[0].link, one("price", { type: "range" }))}
      | ${"q=shoe&price=10%2C20&limit=3"}
    a range with one value is omitted
      | ${facetOf("q=cap", "price", (f) => f, one("price", { type: "range" }))} | ${undefined}
    INDEX_NAME: an entry per index, without links
      | ${asking(async (place) => {
        const names = [place.index("shop"), place.index("tools")];
        const ask = search(
          "",
          (r) =>
            main(r)
              .facets?.find(({ entries: [first] }) => first.key.startsWith("ocs-"))
              ?.entries.map((e) => [e.docCount, e.link]),
          { "index-name": names.join(","), ...facets({ "source-field": "_index", type: "INDEX_NAME" }) },
        );
        return ask(place);
      })} | ${[
        [7, null],
        [5, null],
      ]}
    facets without entries are omitted | ${facetOf("q=cap", "size", (f) => f, one("size"))} | ${undefined}
    darkred makes red selected; Aisle: whole values are compared
      | ${entryOf("brand=umaP,Nike", "brand", "Puma", (e) => e?.selected, one("brand", { "multi-select": true }))}
      | ${false}
  `,
];
