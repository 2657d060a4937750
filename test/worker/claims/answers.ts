/** Models and addresses: sections 0, 1 and 2.1 of the reference's behaviour. */
import type { SearchResult } from "../../../src/interface/index.ts";
import {
  answered,
  arranged,
  datum,
  entry,
  facet,
  found,
  inOrder,
  lastOf,
  main,
  ours,
  request,
  requested,
  put,
  same,
  search,
  shown,
  slicesOf,
  status,
  steps,
  type Asking,
  type Section,
} from "./claim.ts";

const hit = (result: SearchResult): SearchResult["slices"][number]["hits"][number] | undefined =>
  main(result).hits[0];
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
  {
    of: "0",
    claims: [
      ours(
        "the label of the main slice is main",
        'null, as in the contract; a set without a name has the label ""',
        search("", (r) => main(r).label),
        null,
      ),
      ours(
        "answers omit attributes and categories",
        "the imported values, or null when absent, as in the contract",
        search("q=cap", (r) => [hit(r)?.document.attributes, hit(r)?.document.categories]),
        [null, null],
      ),
      same("a comma is never AND inside a field", search("brand=Puma,Adidas", found), "a b c d"),
      same(
        "/ separates levels of a path, commas separate alternatives",
        search("category=Men/Socks,Women", found),
        "c e",
      ),
      same("inputURI without parameters is empty", search("", uri), ""),
      same("inputURI begins with ?", search("q=bike", uri), "?q=bike"),
      same(
        "match-all is called _match_all",
        search("", (r) => hit(r)?.matchedQueries),
        ["_match_all"],
      ),
    ],
  },
  {
    of: "1.1",
    claims: [
      same(
        "a number as value of an attribute is text",
        shown({}, "n", { attributes: [{ name: "n", value: 7 }] }),
        { name: "n", value: "7", code: null },
      ),
      same(
        "unknown members of an attribute are ignored",
        shown({}, "n", { attributes: [{ name: "n", value: "v", id: "x" }] }),
        { name: "n", value: "v", code: null },
      ),
      same(
        "a null among attributes is skipped",
        shown({}, "n", { attributes: [null, { name: "n", value: "v" }] }),
        { name: "n", value: "v", code: null },
      ),
      same(
        "an id of a category is optional",
        shown({}, "category", { categories: [[{ name: "A" }, { id: "b", name: "B" }]] }),
        ["A/B"],
      ),
      same(
        "a document has several paths",
        shown({}, "category", { categories: [[{ name: "A" }], [{ name: "B" }]] }),
        ["A", "B"],
      ),
      ours(
        "a document without id gets one",
        "it is refused, because nobody could change or delete it without knowing its id",
        put({ data: { title: "x" } }),
        [200, { "": "DISMISSED" }],
      ),
      ours(
        "missing data is an empty map",
        "refused, as in the contract",
        put({ id: "1" }),
        DISMISSED,
      ),
      same("a category in data", shown({ category: { id: "a", name: "A" } }, "category"), ["A"]),
      same("one path in data", shown({ category: [{ name: "A" }, { name: "B" }] }, "category"), [
        "A/B",
      ]),
      same(
        "several paths in data",
        shown({ category: [[{ name: "A" }, { name: "B" }], [{ name: "C" }]] }, "category"),
        ["A/B", "C"],
      ),
      same("a boolean becomes the text true", search("q=sock", datum("vip")), "true"),
      same(
        "null means no value",
        search("q=sock", (r) => "gone" in (hit(r)?.document.data ?? {})),
        false,
      ),
      same("an integer stays a number", search("q=cap", datum("price")), 15),
      same("a fraction stays a number", search("q=sock", datum("price")), 5.5),
      same("a text stays a text", shown({ title: "x", other: "12.50" }, "other"), "12.50"),
      same(
        "an object with name and value is an attribute",
        shown({ x: { name: "x", value: "v", code: "c" } }, "x"),
        { name: "x", value: "v", code: "c" },
      ),
      same("other objects are dropped", shown({ x: { any: 1 } }, "x"), undefined),
      ours(
        "if a list starts with an integer, later fractions are truncated",
        "each element is read on its own",
        search("q=shirt", datum("mixed")),
        [123, 23.4, "x"],
      ),
      ours(
        "lists deeper than two levels fail the whole request",
        "the value is ignored, the document is indexed",
        put({ id: "1", data: { x: [[["deep"]]] } }),
        UPDATED,
      ),
      same("an empty list means no value", shown({ title: "t", x: [] }, "x"), undefined),
      same(
        "a document with a list of variants is a product",
        lastOf(
          (document: { variants?: unknown }) => Array.isArray(document.variants),
          ["PUT", "/indexer-api/v1/update/{}?langCode=en", [{ id: "1", data: {}, variants: [] }]],
          ["GET", "/search-api/v1/doc/{}/1"],
        ),
        true,
      ),
      ours(
        "a variant without data is skipped",
        "it is kept, with its attributes",
        lastOf(
          (document: { variants: unknown[] }) => document.variants.length,
          [
            "PUT",
            "/indexer-api/v1/update/{}?langCode=en",
            [{ id: "1", data: {}, variants: [{ attributes: [{ name: "n", value: "v" }] }] }],
          ],
          ["GET", "/search-api/v1/doc/{}/1"],
        ),
        1,
      ),
      same(
        "variants of variants are ignored",
        put({ id: "1", data: {}, variants: [{ data: {}, variants: [{ data: {} }] }] }),
        UPDATED,
      ),
      ours(
        "the id member of a variant is not stored",
        "it is stored; variantBoostTerms and PATCH use it",
        lastOf(
          (document: { variants: { id: string }[] }) => document.variants[0].id,
          [
            "PUT",
            "/indexer-api/v1/update/{}?langCode=en",
            [{ id: "1", data: {}, variants: [{ id: "own", data: { size: "M" } }] }],
          ],
          ["GET", "/search-api/v1/doc/{}/1"],
        ),
        "own",
      ),
      same(
        "a session needs both names",
        steps(["POST", "/indexer-api/v1/full/done", { finalIndexName: "x" }]),
        [400, "invalid_body"],
      ),
    ],
  },
  {
    of: "1.2",
    claims: [
      same(
        "the default limit is 12",
        lastOf((r: SearchResult) => main(r).hits.length, ...many("")),
        12,
      ),
      same(
        "limit 0 returns counts without hits",
        search("limit=0", (r) => [main(r).hits.length, main(r).matchCount]),
        [0, 5],
      ),
      same(
        "limit above 10,000 is 10,000",
        status("/search-api/v1/search/{}?limit=10001&q=cap"),
        200,
      ),
      ours(
        "limit and offset beyond 10,000 return the last page",
        "no hits and no nextLink, because another page would be misleading",
        search("offset=10000&limit=10", (r) => [main(r).hits.length, main(r).nextLink]),
        [0, null],
      ),
      same(
        "withFacets=false: facets are null",
        search("withFacets=false", (r) => main(r).facets),
        null,
      ),
      same(
        "sort: a comma, and - for descending",
        search("sort=brand,-price", inOrder),
        "b e a c d",
      ),
      same(
        "filters in a body: a comma separates values",
        arranged({ filters: { brand: "Puma,Nike" } }, found),
        "a c d e",
      ),
      same(
        "filters in a body: %2C is a comma in a value",
        arranged({ filters: { material: "Mesh%2C fine" } }, found),
        "a",
      ),
      same(
        "filters in a body are texts; lists fail",
        request("/search-api/v1/search/arranged/{}", "POST", { filters: { brand: ["Puma"] } }),
        [400, "invalid_body"],
      ),
      same("no sets: a plain search", arranged({ q: "sock" }, slicesOf), "null: c"),
      same(
        "a set without a type fails",
        request("/search-api/v1/search/arranged/{}", "POST", {
          arrangedProductSets: [{ name: "x", ids: ["a"] }],
        }),
        [400, "invalid_body"],
      ),
      same(
        "a set of an unknown type fails",
        request("/search-api/v1/search/arranged/{}", "POST", {
          arrangedProductSets: [{ type: "other", name: "x" }],
        }),
        [400, "invalid_body"],
      ),
      same(
        "a static set needs ids",
        request("/search-api/v1/search/arranged/{}", "POST", {
          arrangedProductSets: [{ type: "static", name: "x" }],
        }),
        [400, "invalid_body"],
      ),
      same(
        "size of a set is ignored on input",
        arranged(
          { q: "sock", arrangedProductSets: [{ type: "static", name: "x", ids: ["d"], size: 9 }] },
          slicesOf,
        ),
        "null: d c",
      ),
      same(
        "the default limit of a dynamic set is 3",
        arranged(
          {
            q: "nothing",
            arrangedProductSets: [{ type: "dynamic", name: "x", sort: "-price", filters: {} }],
          },
          slicesOf,
        ),
        "null: e b d",
      ),
      same(
        "a dynamic set has its own filters",
        arranged(
          {
            q: "nothing",
            arrangedProductSets: [
              { type: "dynamic", name: "x", filters: { brand: "Puma" }, sort: "price" },
            ],
          },
          slicesOf,
        ),
        "null: c a d",
      ),
      same(
        "a generic set is empty",
        arranged(
          {
            q: "sock",
            arrangedProductSets: [{ type: "generic", name: "g", size: 3, parameters: { a: "b" } }],
          },
          slicesOf,
        ),
        "null: c",
      ),
      ours(
        "a querystring set needs fieldWeights",
        "it is optional; the default is the tenant's weights",
        arranged(
          {
            q: "nothing",
            arrangedProductSets: [
              { type: "querystring", name: "x", query: "title:cap OR brand:nike" },
            ],
          },
          found,
        ),
        "d e",
      ),
    ],
  },
  {
    of: "1.3",
    claims: [
      same(
        "members of an answer",
        search("q=cap", (r) => Object.keys(r).toSorted().join(" ")),
        "inputURI meta slices sortOptions tookInMillis",
      ),
      same(
        "members of a slice",
        search("q=cap", (r) => Object.keys(main(r)).toSorted().join(" ")),
        "facets hits label matchCount nextLink nextOffset resultLink",
      ),
      same(
        "slices of sets first, the main one last",
        arranged(
          {
            q: "sock",
            arrangedProductSets: [{ type: "static", name: "s", ids: ["d"], asSeparateSlice: true }],
          },
          slicesOf,
        ),
        "s: d | null: c",
      ),
      same(
        "matchCount excludes products in separate slices",
        arranged(
          {
            q: "shoe",
            arrangedProductSets: [{ type: "static", name: "s", ids: ["a"], asSeparateSlice: true }],
          },
          ({ slices }) => slices.map(({ matchCount }) => matchCount),
        ),
        [1, 1],
      ),
      same(
        "nextOffset is the end of the page",
        search("limit=3", (r) => main(r).nextOffset),
        3,
      ),
      ours(
        "nextLink is always null",
        "the address of the next page, if there is one",
        search("limit=4", (r) => main(r).nextLink),
        "?limit=4&offset=4",
      ),
      same(
        "resultLink is inputURI",
        search("q=cap", (r) => main(r).resultLink),
        "?q=cap",
      ),
      ours(
        "resultLink of a separate slice is null",
        "empty, as in the contract",
        arranged(
          {
            arrangedProductSets: [{ type: "static", name: "s", ids: ["a"], asSeparateSlice: true }],
          },
          ({ slices: [first] }) => [first.resultLink, first.facets],
        ),
        ["", null],
      ),
      same(
        "the physical index of a hit",
        search("q=cap", (r) => /^ocs-[12]-.*-en$/.test(hit(r)?.index ?? "")),
        true,
      ),
      same(
        "metaData of a hit",
        search("q=cap", (r) => keysOf(hit(r)?.metaData)),
        "score sort_values version",
      ),
      same(
        "version is -1",
        search("q=cap", (r) => hit(r)?.metaData?.["version"]),
        -1,
      ),
      same(
        'with a sort the score is "NaN", with sort values',
        search("q=cap&sort=price", (r) => [
          hit(r)?.metaData?.["score"],
          (hit(r)?.metaData?.["sort_values"] as unknown[] | undefined)?.[0],
        ]),
        ["NaN", 15],
      ),
      ours(
        "the score is the last of sort_values",
        "they are those of the sort alone, as many as it has names",
        search("q=cap&sort=price", (r) => hit(r)?.metaData?.["sort_values"]),
        [15],
      ),
      same(
        "variant_score if a variant was picked",
        search("q=blue&brand=Puma", (r) => typeof hit(r)?.metaData?.["variant_score"]),
        "number",
      ),
      same(
        "hits of separate slices have variant_score or null",
        arranged(
          {
            arrangedProductSets: [{ type: "static", name: "s", ids: ["d"], asSeparateSlice: true }],
          },
          ({ slices: [first] }) => first.hits[0].metaData,
        ),
        null,
      ),
      same(
        "matchedQueries names a product's set",
        arranged(
          { q: "sock", arrangedProductSets: [{ type: "static", name: "s", ids: ["d"] }] },
          (r) => hit(r)?.matchedQueries,
        ),
        ["hero-product-set-0"],
      ),
      same(
        "a sort option",
        search("sort=-price", ({ sortOptions }) =>
          sortOptions.find(({ label }) => label === "price.desc"),
        ),
        {
          label: "price.desc",
          field: "price",
          sortOrder: "DESC",
          isActive: true,
          active: true,
          link: "sort=-price",
        },
      ),
      same(
        "members of a facet",
        search(
          "",
          facet("brand", (f) =>
            Object.keys(f ?? {})
              .toSorted()
              .join(" "),
          ),
        ),
        "absoluteFacetCoverage entries fieldName filtered isFiltered meta type",
      ),
      same(
        "meta of a facet: label, multiSelect, order, isExcludedFromFacetLimit",
        search(
          "",
          facet("brand", (f) => f?.meta),
        ),
        { label: "brand", multiSelect: true, order: 2, isExcludedFromFacetLimit: true },
      ),
      same(
        "isFiltered and filtered are equal",
        search(
          "brand=Puma",
          facet("brand", (f) => [f?.isFiltered, f?.filtered]),
        ),
        [true, true],
      ),
      same(
        "a term entry",
        search(
          "q=sock",
          entry("brand", "Puma", (e) => e),
          {
            "facet-configuration": { facets: [{ "source-field": "brand", "min-value-count": 1 }] },
          },
        ),
        {
          type: "term",
          key: "Puma",
          id: null,
          docCount: 1,
          link: "q=sock&brand=puma",
          selected: false,
        },
      ),
      same(
        "a hierarchical entry: children and path",
        search(
          "q=sock",
          entry("category", "Men", (e) => e),
        ),
        {
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
        },
      ),
      same(
        "an interval entry: two bounds, one may be null",
        search(
          "",
          facet("price", (f) => keysOf(f?.entries[0]).split(" ").toSorted().join(" ")),
        ),
        "docCount id key link lowerBound selected type upperBound",
      ),
      same(
        "a range entry: key, bounds and selection",
        search(
          "price=10,20",
          facet("price", (f) => f?.entries[0]),
          {
            "facet-configuration": { facets: [{ "source-field": "price", type: "range" }] },
          },
        ),
        {
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
        },
      ),
    ],
  },
  {
    of: "1.5",
    claims: [
      same(
        "order: q, filters as sent, sort, limit, offset, withFacets",
        search("withFacets=false&offset=1&limit=5&sort=price&price=10,20&brand=Puma&q=shoe", uri),
        "?q=shoe&price=10%2C20&brand=puma&sort=price&limit=5&offset=1&withFacets=false",
      ),
      same(
        "defaults are omitted",
        search("q=shoe&limit=12&offset=0&withFacets=true", uri),
        "?q=shoe",
      ),
      same(
        "a space is +, a comma %2C, a comma in a value %252C",
        search("q=red+shoe&material=Mesh%252C%20fine,Wool", uri),
        "?q=red+shoe&material=mesh%252C+fine%2Cwool",
      ),
      same("UTF-8 is percent encoded", search("q=%C3%BC", uri), "?q=%C3%BC"),
      same(".id and ! are kept", search("material.id=!L", uri), "?material.id=!L"),
      same("values of term filters are in lower case", search("brand=PUMA", uri), "?brand=puma"),
      same(
        "links omit other parameters",
        search("utm_source=x&trace=Request&q=shoe", (r) => [
          uri(r),
          facet("brand", (f) => f?.entries[0].link)(r),
        ]),
        ["?q=shoe", "q=shoe&brand=adidas"],
      ),
      ours(
        "links of facets and sorts carry the offset",
        "they start at the first page of the new result",
        search("q=shoe&offset=1&limit=1", (r) => [
          facet("brand", (f) => f?.entries[0].link)(r),
          r.sortOptions.every(({ link }) => !link.includes("offset")),
        ]),
        ["q=shoe&brand=adidas&limit=1", true],
      ),
      same(
        "links of facets and sorts have no ?",
        search("q=shoe", ({ sortOptions: [first] }) => first.link.startsWith("q=shoe&sort=")),
        true,
      ),
      ours(
        "several sorts lose their comma",
        "they keep it, and isActive is correct",
        search("sort=price,-title", (r) => [
          uri(r),
          r.sortOptions.filter(({ isActive }) => isActive).map(({ label }) => label),
        ]),
        ["?sort=price%2C-title", ["price.asc", "title.desc"]],
      ),
    ],
  },
  {
    of: "2.1",
    claims: [
      same("no result is 200", status("/search-api/v1/search/{}?q=zzzzz&fields=id"), 200),
      same(
        "a document by its id",
        async (place) => {
          const path = `/search-api/v1/doc/${place.index("shop")}/d`;
          return (await answered(place, path)) as unknown;
        },
        {
          id: "d",
          data: { title: "Cap", brand: "puma", price: 15 },
          attributes: null,
          categories: null,
        },
      ),
      same(
        "tenants: configured ones and indexes",
        async (place) => {
          const tenant = await place.tenant("shop", { locale: "en" });
          const all = (await answered(place, "/search-api/v1/tenants")) as string[];
          return [all.includes(tenant), all.includes(place.index("shop"))];
        },
        [true, true],
      ),
      ours(
        "flushConfig reloads a tenant",
        "no reload is needed; a configuration change takes effect with the next request",
        request("/search-api/v1/flushConfig/{}"),
        [404, "not_found"],
      ),
      same(
        "CORS allows any origin",
        async (place) => {
          const path = `/search-api/v1/search/${place.index("shop")}?limit=0`;
          const response = await place.call(path, { headers: { origin: "https://shop.example" } });
          await response.text();
          return response.headers.get("access-control-allow-origin");
        },
        "*",
      ),
      same("a field with usage Facet filters", search("color=Red", found), "a e"),
      same("a field with usage Filter filters", search("stock=9", found), "c"),
      same("an id filters", search("material.id=L", found), "b"),
      same("unknown flags of trace are ignored", search("q=cap&trace=Nothing,reQuest", found), "d"),
      ours(
        "aggSampling counts a sample",
        "counts are always exact; the parameter is validated and has no effect",
        search(
          "aggSampling=1",
          facet("brand", (f) => f?.absoluteFacetCoverage),
        ),
        5,
      ),
      same(
        "query_stage starts with that stage",
        search(
          "q=makita&query_stage=1",
          (r) => r.meta["query_stage"],
          {
            "query-configuration": {
              s0: { strategy: "DefaultQuery" },
              s1: { strategy: "DefaultQuery" },
            },
          },
          "tools",
        ),
        1,
      ),
      ours(
        "only the first value of a repeated filter is used",
        "all values are used",
        search("brand=Adidas&brand=Nike", found),
        "b e",
      ),
      same(
        "an index is a tenant of its own name",
        async (place) =>
          (await requested(place, `/search-api/v1/search/${place.index("shop")}`)).status,
        200,
      ),
      same(
        "a tenant of several indexes",
        async (place) => {
          const names = [place.index("shop"), place.index("tools")].join(",");
          const tenant = await place.tenant("shop", { "index-name": names });
          const path = `/search-api/v1/search/${tenant}?limit=0`;
          return main((await answered(place, path)) as SearchResult).matchCount;
        },
        12,
      ),
      same("an unknown tenant", request("/search-api/v1/search/{}-x"), [404, "index_not_found"]),
      ours(
        "a missing index stays missing for five minutes",
        "the next request finds it",
        steps(
          ["GET", "/search-api/v1/search/{}"],
          ["PUT", "/indexer-api/v1/update/{}?langCode=en", [{ id: "1", data: { title: "x" } }]],
          ["GET", "/search-api/v1/doc/{}/1"],
        ),
        [200, { id: "1", data: { title: "x" }, attributes: null, categories: null }],
      ),
      same("an unknown document", request("/search-api/v1/doc/{}/zz"), [404, "document_not_found"]),
      same(
        "Index <name> not found",
        messageOf("/search-api/v1/search/no-such-index"),
        "Index no-such-index not found",
      ),
      same(
        "Document <id> not found",
        messageOf("/search-api/v1/doc/{}/zz"),
        "Document zz not found",
      ),
      ours(
        "a body that is not JSON is 500",
        "400, with the position",
        request("/search-api/v1/search/arranged/{}", "POST", "{broken"),
        [400, "bad_request"],
      ),
      same("limit=abc", request("/search-api/v1/search/{}?limit=abc"), [400, "invalid_parameter"]),
      same("withFacets=foo", request("/search-api/v1/search/{}?withFacets=foo"), [
        400,
        "invalid_parameter",
      ]),
      ours(
        "negative limits and offsets are 500",
        "400, as intended in the reference",
        request("/search-api/v1/search/{}?limit=-1"),
        [400, "invalid_parameter"],
      ),
      ours("aggSampling=abc is 500", "400", request("/search-api/v1/search/{}?aggSampling=abc"), [
        400,
        "invalid_parameter",
      ]),
      ours("query_stage=x is 500", "400", request("/search-api/v1/search/{}?query_stage=x"), [
        400,
        "invalid_parameter",
      ]),
      ours(
        "an unknown field of a static set is 500",
        "the set is empty",
        arranged(
          { q: "sock", arrangedProductSets: [{ type: "static", name: "field:zz", ids: ["1"] }] },
          found,
        ),
        "c",
      ),
      same("price=abc is ignored", search("price=abc", found), "a b c d e"),
      same(
        "unknown filters and sorts are ignored",
        search("zz=1&sort=zz,-price", inOrder),
        "e b d a c",
      ),
      ours("brand= is 500", "ignored", search("brand=", found), "a b c d e"),
      ours("category= matches nothing", "ignored", search("category=", found), "a b c d e"),
      same(
        "a query of symbols only",
        search("q=%21%21", (r) => [main(r).matchCount, main(r).facets, r.meta["error"]]),
        [0, [], "invalid user query"],
      ),
      same(
        "a query that matches no stage's condition",
        search("q=one+two+three", (r) => [main(r).matchCount, main(r).facets, r.meta["error"]], {
          "query-configuration": {
            s0: { strategy: "DefaultQuery", condition: { maxTermCount: 1 } },
            s1: { strategy: "DefaultQuery", condition: { maxTermCount: 2 } },
          },
        }),
        [0, [], "invalid user query"],
      ),
    ],
  },
];

/** Twenty documents, and a search of them. */
function many(query: string): readonly (readonly [string, string, unknown?])[] {
  const documents = Array.from({ length: 20 }, (_, i) => ({ id: `${i}`, data: { title: "t" } }));
  return [
    ["PUT", "/indexer-api/v1/update/{}?langCode=en", documents],
    ["GET", `/search-api/v1/search/{}${query}`],
  ];
}
