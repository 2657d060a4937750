/** Models and addresses: sections 0, 1 and 2.1 of the reference's behaviour. */
import type { SearchResult } from "../../../src/interface/index.ts";
import {
  answered,
  arranged,
  asking,
  creating,
  datum,
  DOC,
  entryOf,
  facet,
  facetOf,
  found,
  inOrder,
  lastOf,
  main,
  put,
  request,
  requested,
  search,
  SEARCH,
  searched,
  section,
  shown,
  slicesOf,
  status,
  steps,
  type Asking,
  type Section,
} from "./claim.ts";

const hit = (result: SearchResult): SearchResult["slices"][number]["hits"][number] | undefined => main(result).hits[0];
const uri = ({ inputURI }: SearchResult): string => inputURI;
const keysOf = (value: unknown): string => Object.keys(value ?? {}).join(" ");

/** The message of an error. */
const messageOf =
  (path: string): Asking =>
  async (place) => {
    const { body } = await requested(place, path.replaceAll("{}", place.index("shop")));
    return (body as { readonly message: string }).message;
  };

const UPDATED = [200, { "1": "UPDATED" }];
const DISMISSED = [200, { "1": "DISMISSED" }];

export const ANSWERS: readonly Section[] = [
  section("0")`
    the label of the main slice is main; Aisle: null, as in the contract; a set without a name has the label ""
      | ${search("", (r) => main(r).label)} | ${null}
    answers omit attributes and categories; Aisle: the imported values, or null when absent, as in the contract
      | ${search("q=cap", (r) => [hit(r)?.document.attributes, hit(r)?.document.categories])} | ${[null, null]}
    inputURI without parameters is empty | ${search("", uri)} | ${""}
    inputURI begins with ? | ${search("q=bike", uri)} | ${"?q=bike"}
    match-all is called _match_all | ${search("", (r) => hit(r)?.matchedQueries)} | ${["_match_all"]}
  `,
  section("1.1")`
    a number as value of an attribute is text
      | ${shown({}, "n", { attributes: [{ name: "n", value: 7 }] })} | ${{ name: "n", value: "7", code: null }}
    unknown members of an attribute are ignored
      | ${shown({}, "n", { attributes: [{ name: "n", value: "v", id: "x" }] })}
      | ${{ name: "n", value: "v", code: null }}
    a null among attributes is skipped
      | ${shown({}, "n", { attributes: [null, { name: "n", value: "v" }] })}
      | ${{ name: "n", value: "v", code: null }}
    an id of a category is optional
      | ${shown({}, "category", { categories: [[{ name: "A" }, { id: "b", name: "B" }]] })} | ${["A/B"]}
    a document has several paths
      | ${shown({}, "category", { categories: [[{ name: "A" }], [{ name: "B" }]] })} | ${["A", "B"]}
    a document without id gets one; Aisle: it is refused, because nobody could change or delete it without knowing its
    id
      | ${put({ data: { title: "x" } })} | ${[200, { "": "DISMISSED" }]}
    missing data is an empty map; Aisle: refused, as in the contract | ${put({ id: "1" })} | ${DISMISSED}
    a category in data | ${shown({ category: { id: "a", name: "A" } }, "category")} | ${["A"]}
    one path in data | ${shown({ category: [{ name: "A" }, { name: "B" }] }, "category")} | ${["A/B"]}
    several paths in data
      | ${shown({ category: [[{ name: "A" }, { name: "B" }], [{ name: "C" }]] }, "category")} | ${["A/B", "C"]}
    a boolean becomes the text true | ${search("q=sock", datum("vip"))} | ${"true"}
    null means no value | ${search("q=sock", (r) => "gone" in (hit(r)?.document.data ?? {}))} | ${false}
    an integer stays a number | ${search("q=cap", datum("price"))} | ${15}
    a fraction stays a number | ${search("q=sock", datum("price"))} | ${5.5}
    a text stays a text | ${shown({ title: "x", other: "12.50" }, "other")} | ${"12.50"}
    an object with name and value is an attribute
      | ${shown({ x: { name: "x", value: "v", code: "c" } }, "x")} | ${{ name: "x", value: "v", code: "c" }}
    other objects are dropped | ${shown({ x: { any: 1 } }, "x")} | ${undefined}
    if a list starts with an integer, later fractions are truncated; Aisle: each element is read on its own
      | ${search("q=shirt", datum("mixed"))} | ${[123, 23.4, "x"]}
    lists deeper than two levels fail the whole request; Aisle: the value is ignored, the document is indexed
      | ${put({ id: "1", data: { x: [[["deep"]]] } })} | ${UPDATED}
    an empty list means no value | ${shown({ title: "t", x: [] }, "x")} | ${undefined}
    a document with a list of variants is a product
      | ${lastOf(
        (document: { variants?: unknown }) => Array.isArray(document.variants),
        creating({ id: "1", data: {}, variants: [] }),
        ["GET", `${DOC}/1`],
      )} | ${true}
    a variant without data is skipped; Aisle: it is kept, with its attributes
      | ${lastOf(
        (document: { variants: unknown[] }) => document.variants.length,
        creating({ id: "1", data: {}, variants: [{ attributes: [{ name: "n", value: "v" }] }] }),
        ["GET", `${DOC}/1`],
      )} | ${1}
    variants of variants are ignored
      | ${put({ id: "1", data: {}, variants: [{ data: {}, variants: [{ data: {} }] }] })} | ${UPDATED}
    the id member of a variant is not stored; Aisle: it is stored; variantBoostTerms and PATCH use it
      | ${lastOf(
        (document: { variants: { id: string }[] }) => document.variants[0].id,
        creating({ id: "1", data: {}, variants: [{ id: "own", data: { size: "M" } }] }),
        ["GET", `${DOC}/1`],
      )} | ${"own"}
    a session needs both names
      | ${steps(["POST", "/indexer-api/v1/full/done", { finalIndexName: "x" }])} | ${[400, "invalid_body"]}
  `,
  section("1.2")`
    the default limit is 12
      | ${searched(
        "",
        (r) => main(r).hits.length,
        creating(...Array.from({ length: 20 }, (_, i) => ({ id: `${i}`, data: {} }))),
      )} | ${12}
    limit 0 returns counts without hits
      | ${search("limit=0", (r) => [main(r).hits.length, main(r).matchCount])} | ${[0, 5]}
    limit above 10,000 is 10,000 | ${status("/search-api/v1/search/{}?limit=10001&q=cap")} | ${200}
    limit and offset beyond 10,000 return the last page; Aisle: no hits and no nextLink, because another page would be
    misleading
      | ${search("offset=10000&limit=10", (r) => [main(r).hits.length, main(r).nextLink])} | ${[0, null]}
    withFacets=false: facets are null | ${search("withFacets=false", (r) => main(r).facets)} | ${null}
    sort: a comma, and - for descending | ${search("sort=brand,-price", inOrder)} | ${"b e a c d"}
    filters in a body: a comma separates values
      | ${arranged({ filters: { brand: "Puma,Nike" } }, found)} | ${"a c d e"}
    filters in a body: %2C is a comma in a value
      | ${arranged({ filters: { material: "Mesh%2C fine" } }, found)} | ${"a"}
    filters in a body are texts; lists fail
      | ${request("/search-api/v1/search/arranged/{}", "POST", { filters: { brand: ["Puma"] } })}
      | ${[400, "invalid_body"]}
    no sets: a plain search | ${arranged({ q: "sock" }, slicesOf)} | ${"null: c"}
    a set without a type fails
      | ${request("/search-api/v1/search/arranged/{}", "POST", { arrangedProductSets: [{ name: "x", ids: ["a"] }] })}
      | ${[400, "invalid_body"]}
    a set of an unknown type fails
      | ${request("/search-api/v1/search/arranged/{}", "POST", {
        arrangedProductSets: [{ type: "other", name: "x" }],
      })} | ${[400, "invalid_body"]}
    a static set needs ids
      | ${request("/search-api/v1/search/arranged/{}", "POST", {
        arrangedProductSets: [{ type: "static", name: "x" }],
      })} | ${[400, "invalid_body"]}
    size of a set is ignored on input
      | ${arranged(
        { q: "sock", arrangedProductSets: [{ type: "static", name: "x", ids: ["d"], size: 9 }] },
        slicesOf,
      )} | ${"null: d c"}
    the default limit of a dynamic set is 3
      | ${arranged(
        { q: "nothing", arrangedProductSets: [{ type: "dynamic", name: "x", sort: "-price", filters: {} }] },
        slicesOf,
      )} | ${"null: e b d"}
    a dynamic set has its own filters
      | ${arranged(
        {
          q: "nothing",
          arrangedProductSets: [{ type: "dynamic", name: "x", filters: { brand: "Puma" }, sort: "price" }],
        },
        slicesOf,
      )} | ${"null: c a d"}
    a generic set is empty
      | ${arranged(
        { q: "sock", arrangedProductSets: [{ type: "generic", name: "g", size: 3, parameters: { a: "b" } }] },
        slicesOf,
      )} | ${"null: c"}
    a querystring set needs fieldWeights; Aisle: it is optional; the default is the tenant's weights
      | ${arranged(
        { q: "nothing", arrangedProductSets: [{ type: "querystring", name: "x", query: "title:cap OR brand:nike" }] },
        found,
      )} | ${"d e"}
  `,
  section("1.3")`
    members of an answer
      | ${search("q=cap", (r) => Object.keys(r).toSorted().join(" "))}
      | ${"inputURI meta slices sortOptions tookInMillis"}
    members of a slice
      | ${search("q=cap", (r) => Object.keys(main(r)).toSorted().join(" "))}
      | ${"facets hits label matchCount nextLink nextOffset resultLink"}
    slices of sets first, the main one last
      | ${arranged(
        { q: "sock", arrangedProductSets: [{ type: "static", name: "s", ids: ["d"], asSeparateSlice: true }] },
        slicesOf,
      )} | ${"s: d | null: c"}
    matchCount excludes products in separate slices
      | ${arranged(
        { q: "shoe", arrangedProductSets: [{ type: "static", name: "s", ids: ["a"], asSeparateSlice: true }] },
        ({ slices }) => slices.map(({ matchCount }) => matchCount),
      )} | ${[1, 1]}
    nextOffset is the end of the page | ${search("limit=3", (r) => main(r).nextOffset)} | ${3}
    nextLink is always null; Aisle: the address of the next page, if there is one
      | ${search("limit=4", (r) => main(r).nextLink)} | ${"?limit=4&offset=4"}
    resultLink is inputURI | ${search("q=cap", (r) => main(r).resultLink)} | ${"?q=cap"}
    resultLink of a separate slice is null; Aisle: empty, as in the contract
      | ${arranged(
        { arrangedProductSets: [{ type: "static", name: "s", ids: ["a"], asSeparateSlice: true }] },
        ({ slices: [first] }) => [first.resultLink, first.facets],
      )} | ${["", null]}
    the physical index of a hit | ${search("q=cap", (r) => /^ocs-[12]-.*-en$/.test(hit(r)?.index ?? ""))} | ${true}
    metaData of a hit | ${search("q=cap", (r) => keysOf(hit(r)?.metaData))} | ${"score sort_values version"}
    version is -1 | ${search("q=cap", (r) => hit(r)?.metaData?.["version"])} | ${-1}
    with a sort the score is "NaN", with sort values
      | ${search("q=cap&sort=price", (r) => [
        hit(r)?.metaData?.["score"],
        (hit(r)?.metaData?.["sort_values"] as unknown[] | undefined)?.[0],
      ])} | ${["NaN", 15]}
    the score is the last of sort_values; Aisle: they are those of the sort alone, as many as it has names
      | ${search("q=cap&sort=price", (r) => hit(r)?.metaData?.["sort_values"])} | ${[15]}
    variant_score if a variant was picked
      | ${search("q=blue&brand=Puma", (r) => typeof hit(r)?.metaData?.["variant_score"])} | ${"number"}
    hits of separate slices have variant_score or null
      | ${arranged(
        { arrangedProductSets: [{ type: "static", name: "s", ids: ["d"], asSeparateSlice: true }] },
        ({ slices: [first] }) => first.hits[0].metaData,
      )} | ${null}
    matchedQueries names a product's set
      | ${arranged(
        { q: "sock", arrangedProductSets: [{ type: "static", name: "s", ids: ["d"] }] },
        (r) => hit(r)?.matchedQueries,
      )} | ${["hero-product-set-0"]}
    a sort option
      | ${search("sort=-price", ({ sortOptions }) => sortOptions.find(({ label }) => label === "price.desc"))}
      | ${{ label: "price.desc", field: "price", sortOrder: "DESC", isActive: true, active: true, link: "sort=-price" }}
    members of a facet
      | ${facetOf("", "brand", (f) =>
        Object.keys(f ?? {})
          .toSorted()
          .join(" "),
      )}
      | ${"absoluteFacetCoverage entries fieldName filtered isFiltered meta type"}
    meta of a facet: label, multiSelect, order, isExcludedFromFacetLimit
      | ${facetOf("", "brand", (f) => f?.meta)}
      | ${{ label: "brand", multiSelect: true, order: 2, isExcludedFromFacetLimit: true }}
    isFiltered and filtered are equal
      | ${facetOf("brand=Puma", "brand", (f) => [f?.isFiltered, f?.filtered])} | ${[true, true]}
    a term entry
      | ${entryOf("q=sock", "brand", "Puma", (e) => e, {
        "facet-configuration": { facets: [{ "source-field": "brand", "min-value-count": 1 }] },
      })} | ${{ type: "term", key: "Puma", id: null, docCount: 1, link: "q=sock&brand=puma", selected: false }}
    a hierarchical entry: children and path
      | ${entryOf("q=sock", "category", "Men", (e) => e)}
      | ${{
        type: "hierarchical",
        key: "Men",
        id: "men",
        docCount: 1,
        link: "q=sock&category=Men",
        selected: false,
        path: "Men",
        children: [
          {
            type: "hierarchical",
            key: "Socks",
            id: "socks",
            docCount: 1,
            link: "q=sock&category=Men%2FSocks",
            selected: false,
            path: "Men/Socks",
            children: [],
          },
        ],
      }}
    an interval entry: two bounds, one may be null
      | ${facetOf("", "price", (f) => keysOf(f?.entries[0]).split(" ").toSorted().join(" "))}
      | ${"docCount id key link lowerBound selected type upperBound"}
    a range entry: key, bounds and selection
      | ${facetOf("price=10,20", "price", (f) => f?.entries[0], {
        "facet-configuration": { facets: [{ "source-field": "price", type: "range" }] },
      })}
      | ${{
        type: "range",
        key: "5.5-40",
        id: null,
        docCount: 5,
        link: "price=10%2C20",
        selected: true,
        lowerBound: 5.5,
        upperBound: 40,
        selectedMin: 10,
        selectedMax: 20,
      }}
  `,
  section("1.5")`
    order: q, filters as sent, sort, limit, offset, withFacets
      | ${search("withFacets=false&offset=1&limit=5&sort=price&price=10,20&brand=Puma&q=shoe", uri)}
      | ${"?q=shoe&price=10%2C20&brand=puma&sort=price&limit=5&offset=1&withFacets=false"}
    defaults are omitted | ${search("q=shoe&limit=12&offset=0&withFacets=true", uri)} | ${"?q=shoe"}
    a space is +, a comma %2C, a comma in a value %252C
      | ${search("q=red+shoe&material=Mesh%252C%20fine,Wool", uri)} | ${"?q=red+shoe&material=mesh%252C+fine%2Cwool"}
    UTF-8 is percent encoded | ${search("q=%C3%BC", uri)} | ${"?q=%C3%BC"}
    .id and ! are kept | ${search("material.id=!L", uri)} | ${"?material.id=!L"}
    values of term filters are in lower case | ${search("brand=PUMA", uri)} | ${"?brand=puma"}
    links omit other parameters
      | ${search("utm_source=x&trace=Request&q=shoe", (r) => [uri(r), facet("brand", (f) => f?.entries[0].link)(r)])}
      | ${["?q=shoe", "q=shoe&brand=adidas"]}
    links of facets and sorts carry the offset; Aisle: they start at the first page of the new result
      | ${search("q=shoe&offset=1&limit=1", (r) => [
        facet("brand", (f) => f?.entries[0].link)(r),
        r.sortOptions.every(({ link }) => !link.includes("offset")),
      ])} | ${["q=shoe&brand=adidas&limit=1", true]}
    links of facets and sorts have no ?
      | ${search("q=shoe", ({ sortOptions: [first] }) => first.link.startsWith("q=shoe&sort="))} | ${true}
    several sorts lose their comma; Aisle: they keep it, and isActive is correct
      | ${search("sort=price,-title", (r) => [
        uri(r),
        r.sortOptions.filter(({ isActive }) => isActive).map(({ label }) => label),
      ])} | ${["?sort=price%2C-title", ["price.asc", "title.desc"]]}
  `,
  section("2.1")`
    no result is 200 | ${status("/search-api/v1/search/{}?q=zzzzz&fields=id")} | ${200}
    a document by its id
      | ${asking(async (place) => {
        const path = `/search-api/v1/doc/${place.index("shop")}/d`;
        return (await answered(place, path)) as unknown;
      })} | ${{ id: "d", data: { title: "Cap", brand: "puma", price: 15 }, attributes: null, categories: null }}
    tenants: configured ones and indexes
      | ${asking(async (place) => {
        const tenant = await place.tenant("shop", { locale: "en" });
        const all = (await answered(place, "/search-api/v1/tenants")) as string[];
        return [all.includes(tenant), all.includes(place.index("shop"))];
      })} | ${[true, true]}
    flushConfig reloads a tenant; Aisle: no reload is needed; a configuration change takes effect with the next
    request
      | ${request("/search-api/v1/flushConfig/{}")} | ${[404, "not_found"]}
    CORS allows any origin
      | ${asking(async (place) => {
        const path = `/search-api/v1/search/${place.index("shop")}?limit=0`;
        const response = await place.call(path, { headers: { origin: "https://shop.example" } });
        await response.text();
        return response.headers.get("access-control-allow-origin");
      })} | ${"*"}
    unknown flags of trace are ignored | ${search("q=cap&trace=Nothing,reQuest", found)} | ${"d"}
    aggSampling counts a sample; Aisle: counts are always exact; the parameter is validated and has no effect
      | ${facetOf("aggSampling=1", "brand", (f) => f?.absoluteFacetCoverage)} | ${5}
    query_stage starts with that stage
      | ${search(
        "q=makita&query_stage=1",
        (r) => r.meta["query_stage"],
        { "query-configuration": { s0: { strategy: "DefaultQuery" }, s1: { strategy: "DefaultQuery" } } },
        "tools",
      )} | ${1}
    only the first value of a repeated filter is used; Aisle: all values are used
      | ${search("brand=Adidas&brand=Nike", found)} | ${"b e"}
    an index is a tenant of its own name
      | ${asking(async (place) => (await requested(place, `/search-api/v1/search/${place.index("shop")}`)).status)}
      | ${200}
    a tenant of several indexes
      | ${asking(async (place) => {
        const names = [place.index("shop"), place.index("tools")].join(",");
        const tenant = await place.tenant("shop", { "index-name": names });
        const path = `/search-api/v1/search/${tenant}?limit=0`;
        return main((await answered(place, path)) as SearchResult).matchCount;
      })} | ${12}
    an unknown tenant | ${request("/search-api/v1/search/{}-x")} | ${[404, "index_not_found"]}
    a missing index stays missing for five minutes; Aisle: the next request finds it
      | ${steps(["GET", SEARCH], creating({ id: "1", data: { title: "x" } }), [
        "GET",
        `${DOC}/1`,
      ])} | ${[200, { id: "1", data: { title: "x" }, attributes: null, categories: null }]}
    an unknown document | ${request("/search-api/v1/doc/{}/zz")} | ${[404, "document_not_found"]}
    Index <name> not found | ${messageOf("/search-api/v1/search/no-such-index")} | ${"Index no-such-index not found"}
    Document <id> not found | ${messageOf("/search-api/v1/doc/{}/zz")} | ${"Document zz not found"}
    a body that is not JSON is 500; Aisle: 400, with the position
      | ${request("/search-api/v1/search/arranged/{}", "POST", "{broken")} | ${[400, "bad_request"]}
    limit=abc | ${request("/search-api/v1/search/{}?limit=abc")} | ${[400, "invalid_parameter"]}
    withFacets=foo | ${request("/search-api/v1/search/{}?withFacets=foo")} | ${[400, "invalid_parameter"]}
    negative limits and offsets are 500; Aisle: 400, as intended in the reference
      | ${request("/search-api/v1/search/{}?limit=-1")} | ${[400, "invalid_parameter"]}
    aggSampling=abc is 500; Aisle: 400
      | ${request("/search-api/v1/search/{}?aggSampling=abc")} | ${[400, "invalid_parameter"]}
    query_stage=x is 500; Aisle: 400
      | ${request("/search-api/v1/search/{}?query_stage=x")} | ${[400, "invalid_parameter"]}
    an unknown field of a static set is 500; Aisle: the set is empty
      | ${arranged({ q: "sock", arrangedProductSets: [{ type: "static", name: "field:zz", ids: ["1"] }] }, found)}
      | ${"c"}
    price=abc is ignored | ${search("price=abc", found)} | ${"a b c d e"}
    brand= is 500; Aisle: ignored | ${search("brand=", found)} | ${"a b c d e"}
    category= matches nothing; Aisle: ignored | ${search("category=", found)} | ${"a b c d e"}
    a query of symbols only
      | ${search("q=%21%21", (r) => [main(r).matchCount, main(r).facets, r.meta["error"]])}
      | ${[0, [], "invalid user query"]}
    a query that matches no stage's condition
      | ${search("q=one+two+three", (r) => [main(r).matchCount, main(r).facets, r.meta["error"]], {
        "query-configuration": {
          s0: { strategy: "DefaultQuery", condition: { maxTermCount: 1 } },
          s1: { strategy: "DefaultQuery", condition: { maxTermCount: 2 } },
        },
      })} | ${[0, [], "invalid user query"]}
  `,
];
