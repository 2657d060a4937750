/**
 * The audit of what is said of the reference's behaviour: a row a claim, asked over HTTP of one little shop with the
 * built-in preset. `same`: as the reference; `ours`: decided otherwise, as docs/behaviour.md and docs/options.md say.
 *
 * 1. Search parameters and answers.
 * 2. Filters.
 * 3. Sorting.
 * 4. Facets.
 * 5. Arranged search.
 * 6. Documents and updates.
 * 7. Suggestions.
 * 8. Errors.
 * 9. Words that no product has all of: as many as any has, with the reference's stages.
 */
import { beforeAll, describe, test } from "vitest";
import { call, freshName, send } from "./support.ts";

const shop = freshName("claims");
const SEARCH = `/search-api/v1/search/${shop}`;
const UPDATE = `/indexer-api/v1/update/${shop}`;

const path = (...names: readonly string[]): unknown[] =>
  names.map((name) => ({ id: name.toLowerCase().replaceAll(" ", "-"), name }));
const products = [
  {
    id: "a",
    data: { title: "Red trail shoe", brand: "Puma", price: 10, stock: 3, Article: "X-1" },
    attributes: [
      { name: "material", value: "Mesh, fine", code: "Mesh1" },
      { name: "weight", value: "250" },
    ],
    categories: [path("Men", "Shoes", "Trail")],
    variants: [
      { id: "a1", data: { color: "Red", size: "42", artNr: "100_1" } },
      { id: "a2", data: { color: "Blue", size: "43", artNr: "100_2" } },
    ],
  },
  {
    id: "b",
    data: { title: "Blue road shoe", brand: "Adidas", price: 20, stock: 0 },
    attributes: [
      { name: "material", value: "Leather", code: "L" },
      { name: "weight", value: "300" },
    ],
    categories: [path("Men", "Shoes")],
    variants: [{ id: "b1", data: { color: "Blue", size: "42", artNr: "200" } }],
  },
  {
    id: "c",
    data: { title: "Wool sock", brand: "Puma", price: 5.5, stock: 9, vip: true, gone: null },
    attributes: [{ name: "material", value: "Wool" }],
    categories: [path("Men", "Socks"), path("Sale/Outlet")],
  },
  { id: "d", data: { title: "Cap", brand: "puma", price: 15 }, attributes: null },
];

interface Result {
  readonly inputURI: string;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly slices: readonly {
    readonly label: string | null;
    readonly matchCount: number;
    readonly nextOffset: number;
    readonly hits: readonly {
      readonly index: string;
      readonly document: { readonly id: string; readonly data: Readonly<Record<string, unknown>> };
      readonly matchedQueries: readonly string[];
    }[];
    readonly facets: readonly Facet[] | null;
  }[];
  readonly sortOptions: readonly {
    readonly label: string;
    readonly isActive: boolean;
    readonly active: boolean;
    readonly link: string;
  }[];
}
interface Facet {
  readonly fieldName: string;
  readonly type: string;
  readonly isFiltered: boolean;
  readonly entries: readonly {
    readonly key: string;
    readonly id: string | null;
    readonly docCount: number;
    readonly selected: boolean;
    readonly link: string;
    readonly path?: string;
  }[];
}

beforeAll(async () => {
  const put = await call(`${UPDATE}?langCode=en`, send("PUT", products));
  if (put.status !== 200) throw new Error(await put.text());
  await put.text();
});

async function search(query: string): Promise<Result> {
  const response = await call(`${SEARCH}?${query}`);
  const text = await response.text();
  if (response.status !== 200) throw new Error(text);
  return JSON.parse(text) as Result;
}

/** Ids of the main slice in the order of their ids, or `sorted` as they came. */
function ids({ slices }: Result, isSorted = false): string {
  const all = (slices.at(-1)?.hits ?? []).map(({ document }) => document.id);
  return (isSorted ? all : all.toSorted()).join(" ");
}

const facetOf = ({ slices }: Result, name: string): Facet | undefined =>
  slices.at(-1)?.facets?.find(({ fieldName }) => fieldName === name);
const keysOf = (result: Result, name: string): string =>
  (facetOf(result, name)?.entries ?? []).map(({ key, docCount }) => `${key} ${docCount}`).join("|");

type Verdict = "same" | "ours";
type Row = readonly [claim: string, verdict: Verdict, query: string, expected: unknown];

describe("1: parameters and answers", () => {
  const rows: readonly (readonly [...Row, (result: Result) => unknown])[] = [
    [
      "no words match everything",
      "same",
      "",
      "_match_all",
      (r) => r.slices[0]?.hits[0]?.matchedQueries[0],
    ],
    ["noQuery says so", "same", "", true, (r) => r.meta["noQuery"]],
    ["the label of the main slice is null", "ours", "", null, (r) => r.slices[0]?.label],
    [
      "limit 0 answers no hits",
      "same",
      "limit=0",
      [4, 0],
      (r) => [r.slices[0]?.matchCount, r.slices[0]?.hits.length],
    ],
    ["nextOffset is behind the page", "same", "limit=3", 3, (r) => r.slices[0]?.nextOffset],
    [
      "withFacets=false: facets are null",
      "same",
      "withFacets=false",
      null,
      (r) => r.slices[0]?.facets,
    ],
    ["inputURI is empty without parameters", "same", "", "", (r) => r.inputURI],
    [
      "inputURI begins with ?, defaults are left out",
      "same",
      "q=shoe&limit=12&offset=0&withFacets=true",
      "?q=shoe",
      (r) => r.inputURI,
    ],
    [
      "order: q, filters, sort, limit",
      "same",
      "limit=5&sort=price&brand=Puma&q=shoe",
      "?q=shoe&brand=puma&sort=price&limit=5",
      (r) => r.inputURI,
    ],
    [
      "a space is +, a comma %2C, a literal one %252C",
      "same",
      "q=red+shoe&material=Mesh%252C%20fine,Wool",
      "?q=red+shoe&material=mesh%252C+fine%2Cwool",
      (r) => r.inputURI,
    ],
    [
      "parameters that are no filters are in no link",
      "same",
      "utm_source=x&q=shoe",
      "?q=shoe",
      (r) => r.inputURI,
    ],
    [
      "several sorts keep their comma (there they lose it)",
      "ours",
      "sort=price,-title",
      "?sort=price%2C-title",
      (r) => r.inputURI,
    ],
    [
      "the physical index is named",
      "same",
      "q=cap",
      `ocs-1-${shop}-en`,
      (r) => r.slices[0]?.hits[0]?.index,
    ],
    [
      "booleans are texts",
      "same",
      "q=sock",
      "true",
      (r) => r.slices[0]?.hits[0]?.document.data["vip"],
    ],
    [
      "null is no value",
      "same",
      "q=sock",
      false,
      (r) => "gone" in (r.slices[0]?.hits[0]?.document.data ?? {}),
    ],
    [
      "numbers stay numbers",
      "same",
      "q=sock",
      5.5,
      (r) => r.slices[0]?.hits[0]?.document.data["price"],
    ],
    [
      "an attribute is {name, value, code}",
      "same",
      "q=road",
      { name: "material", value: "Leather", code: "L" },
      (r) => r.slices[0]?.hits[0]?.document.data["material"],
    ],
    [
      "a category is its path",
      "same",
      "q=road",
      ["Men/Shoes"],
      (r) => [r.slices[0]?.hits[0]?.document.data["category"]].flat(),
    ],
    ["words of variants find their product", "same", "q=100_2", "a", (r) => ids(r)],
    [
      "the variant that matches is shown",
      "same",
      "q=shoe&color=Blue&brand=Puma",
      "100_2",
      (r) => r.slices[0]?.hits[0]?.document.data["artNr"],
    ],
    ["digits alone reach titles, too", "ours", "q=200", "b", (r) => ids(r)],
    [
      "aggSampling changes nothing",
      "ours",
      "aggSampling=1",
      "Puma 3|Adidas 1",
      (r) => keysOf(r, "brand"),
    ],
  ];
  test.for(rows)("%s (%s)", async ([, , query, expected, of], { expect }) => {
    expect(of(await search(query))).toEqual(expected);
  });
});

describe("2: filters", () => {
  const rows: readonly Row[] = [
    ["a comma is or", "same", "brand=Adidas,Puma", "a b c d"],
    ["fields are and", "same", "brand=Puma&price=10", "a"],
    ["case does not matter", "same", "brand=PUMA", "a c d"],
    ["whole values only", "same", "brand=Pum", ""],
    ["an empty value filters nothing", "same", "brand=", "a b c d"],
    ["unknown names filter nothing", "same", "nothing=1", "a b c d"],
    ["! negates all values", "same", "brand=!Puma,Adidas", ""],
    ["! behind an included value is left out", "same", "brand=Adidas,!Puma", "b"],
    ["a literal comma is %252C", "same", "material=Mesh%252C%20fine", "a"],
    ["ids are compared exactly (there with small letters)", "ours", "material.id=Mesh1", "a"],
    ["ids of another case are others", "ours", "material.id=mesh1", ""],
    ["name and id both hold", "same", "material=Leather&material.id=Mesh1", ""],
    ["10,20 is a range", "same", "price=10,20", "a b d"],
    ["10-20 is a range", "same", "price=10-20", "a b d"],
    ["20 - 10 is one, too", "same", "price=20%20-%2010", "a b d"],
    ["one number is that number", "same", "price=15", "d"],
    ["several numbers span a range", "same", "price=10,5,15", "a c d"],
    ["-5,10 begins below zero", "same", "price=-5,10", "a c"],
    ["10, is an open range (there the number)", "ours", "price=10,", "a b d"],
    ["10- cannot be read (there it is the number)", "ours", "price=10-", "a b c d"],
    ["texts are no ranges", "same", "price=cheap", "a b c d"],
    ["! before a range", "same", "price=!12%20-%2034", "a c"],
    ["usage Filter alone filters", "same", "stock=1,5", "a"],
    ["attributes with numbers are ranges", "same", "weight=200-260", "a"],
    ["a path includes what is below it", "same", "category=Men/Shoes", "a b"],
    ["a path begins at its root", "same", "category=Shoes", ""],
    ["paths separated by a comma are or", "same", "category=Men/Shoes/Trail,Men/Socks", "a c"],
    ["a slash in a name is %252F", "same", "category=Sale%252FOutlet", "c"],
    ["category.id", "same", "category.id=socks", "c"],
    ["category.id with a path compares its last step", "same", "category.id=/men/socks", "c"],
    ["! of a category", "same", "category=!Men/Shoes", "c d"],
    ["filters of variants hold on one variant", "same", "color=Red&size=43", ""],
    ["negated on variants: some variant without it", "same", "size=!42", "a c d"],
    [
      "a repeated parameter is one more choice (there ignored)",
      "ours",
      "brand=Adidas&brand=Puma",
      "a b c d",
    ],
  ];
  test.for(rows)("%s (%s)", async ([, , query, expected], { expect }) => {
    expect(ids(await search(query))).toBe(expected);
  });
});

describe("3: sorting", () => {
  const rows: readonly Row[] = [
    ["ascending", "same", "sort=price", "c a d b"],
    ["- descends", "same", "sort=-price", "b d a c"],
    ["unknown fields are ignored", "same", "sort=nothing,-price", "b d a c"],
    ["several fields; capitals before small letters", "same", "sort=-brand,price", "d c a b"],
    [
      "by an attribute; without it last",
      "same",
      "sort=-weight&brand=Puma,Adidas&category=Men/Shoes",
      "b a",
    ],
  ];
  test.for(rows)("%s (%s)", async ([, , query, expected], { expect }) => {
    expect(ids(await search(query), true)).toBe(expected);
  });

  test("options: every field in both orders, the active one says so twice", async ({ expect }) => {
    const { sortOptions } = await search("sort=-price");
    const labels = sortOptions.map(({ label }) => label);
    expect(labels).toEqual(expect.arrayContaining(["price.asc", "price.desc", "title.asc"]));
    const active = sortOptions.filter(({ isActive }) => isActive);
    expect(active).toMatchObject([{ label: "price.desc", active: true }]);
    expect(sortOptions[0]?.link).not.toMatch(/^\?/);
  });
});

describe("4: facets", () => {
  const rows: readonly (readonly [...Row, (result: Result) => unknown])[] = [
    [
      "values by small letters; the first spelling, counts of products",
      "same",
      "",
      "Puma 3|Adidas 1",
      (r) => keysOf(r, "brand"),
    ],
    [
      "counts of values of variants are products",
      "same",
      "",
      "Blue 2|Red 1",
      (r) => keysOf(r, "color"),
    ],
    [
      "one choice: the chosen value alone",
      "same",
      "material=Wool",
      "Wool 1",
      (r) => keysOf(r, "material"),
    ],
    [
      "chosen: isFiltered, selected, and its link takes it back",
      "same",
      "brand=Adidas",
      [true, true, ""],
      (r) => {
        const facet = facetOf(r, "brand");
        const entry = facet?.entries.find(({ key }) => key === "Adidas");
        return [facet?.isFiltered, entry?.selected, entry?.link];
      },
    ],
    [
      "links have no ?, values in small letters",
      "same",
      "q=shoe",
      "q=shoe&brand=adidas",
      (r) => facetOf(r, "brand")?.entries.find(({ key }) => key === "Adidas")?.link,
    ],
    [
      "categories are a tree",
      "same",
      "",
      ["hierarchical", "Men", "men", 3, "Men"],
      (r) => {
        const facet = facetOf(r, "category");
        const [first] = facet?.entries ?? [];
        return [facet?.type, first?.key, first?.id, first?.docCount, first?.path];
      },
    ],
    [
      "the preset shows more than five, the reference five",
      "ours",
      "",
      true,
      (r) => (r.slices[0]?.facets?.length ?? 0) > 5,
    ],
    [
      "fields without configuration whose values never repeat make no facet (there they do)",
      "ours",
      "",
      undefined,
      (r) => facetOf(r, "material"),
    ],
    [
      "ids are in entries",
      "same",
      "material.id=Mesh1",
      "Mesh1",
      (r) => facetOf(r, "material")?.entries.find(({ key }) => key === "Mesh, fine")?.id,
    ],
  ];
  test.for(rows)("%s (%s)", async ([, , query, expected, of], { expect }) => {
    expect(of(await search(query))).toEqual(expected);
  });
});

describe("5: arranged search", () => {
  type Arranged = readonly [claim: string, verdict: Verdict, body: unknown, expected: string];
  const fixed = (...list: readonly unknown[]): unknown => ({
    type: "static",
    name: "set",
    ids: list,
  });
  const rows: readonly Arranged[] = [
    ["without sets a plain search", "same", { q: "sock" }, "null: c"],
    [
      "ids in their order before the rest",
      "same",
      { q: "shoe", arrangedProductSets: [fixed("d", "c")] },
      "null: d c a b",
    ],
    [
      "unknown ids and those named twice are left out",
      "same",
      { q: "sock", arrangedProductSets: [fixed("x", "d", "d")] },
      "null: d c",
    ],
    ["numbers are ids", "ours", { q: "sock", arrangedProductSets: [fixed(1, "d")] }, "null: d c"],
    [
      "a set of its own slice",
      "same",
      { q: "sock", arrangedProductSets: [{ ...Object(fixed("d")), asSeparateSlice: true }] },
      "set: d, null: c",
    ],
    [
      "a dynamic set has three products",
      "same",
      { q: "sock", arrangedProductSets: [{ type: "dynamic", name: "x", sort: "-price" }] },
      "null: b d a c",
    ],
    [
      "its limit",
      "same",
      {
        q: "sock",
        arrangedProductSets: [{ type: "dynamic", name: "x", sort: "-price", limit: 1 }],
      },
      "null: b c",
    ],
    [
      "filters concern sets, too",
      "same",
      { q: "shoe", filters: { brand: "Puma" }, arrangedProductSets: [fixed("b", "d")] },
      "null: d a",
    ],
    [
      "a sort sorts sets, too",
      "same",
      { q: "sock", sort: "price", arrangedProductSets: [fixed("b", "d")] },
      "null: c d b",
    ],
    [
      "generic sets are empty",
      "same",
      { q: "sock", arrangedProductSets: [{ type: "generic", name: "g" }] },
      "null: c",
    ],
    [
      "field: looks terms up",
      "same",
      { q: "sock", arrangedProductSets: [{ type: "static", name: "field:title", ids: ["cap"] }] },
      "null: d c",
    ],
    [
      "without the main result: sets apart alone",
      "same",
      {
        includeMainResult: false,
        arrangedProductSets: [{ ...Object(fixed("d")), asSeparateSlice: true }],
      },
      "set: d",
    ],
    [
      "several article numbers are a query",
      "same",
      {
        q: "sock",
        arrangedProductSets: [{ type: "dynamic", name: "x", query: "100_2 200", limit: 2 }],
      },
      "null: a b c",
    ],
  ];
  test.for(rows)("%s (%s)", async ([, , body, expected], { expect }) => {
    const response = await call(`/search-api/v1/search/arranged/${shop}`, send("POST", body));
    const result: Result = await response.json();
    const slices = result.slices.map(
      ({ label, hits }) => `${label}: ${hits.map(({ document }) => document.id).join(" ")}`,
    );
    expect(slices.join(", ")).toBe(expected);
  });
});

describe("6: documents and updates", () => {
  type Step = readonly [
    claim: string,
    verdict: Verdict,
    method: string,
    to: string,
    body: unknown,
    status: number,
    answer: unknown,
  ];
  const index = freshName("claimed");
  const at = `/indexer-api/v1/update/${index}`;
  const doc = `/search-api/v1/doc/${index}`;
  const variants = [
    { id: "v1", data: { size: "1", color: "Red" } },
    { id: "v2", data: { size: "2", color: "Red" } },
  ];
  const rows: readonly Step[] = [
    [
      "PUT on no index needs langCode",
      "same",
      "PUT",
      at,
      [products[3]],
      400,
      { type: "invalid_locale" },
    ],
    [
      "PATCH on no index",
      "same",
      "PATCH",
      at,
      [{ id: "d", data: {} }],
      404,
      { type: "index_not_found" },
    ],
    [
      "PUT creates",
      "same",
      "PUT",
      `${at}?langCode=de`,
      [{ id: "p", data: { title: "t", price: "12.50" }, variants }],
      200,
      { p: "CREATED" },
    ],
    [
      "langCode is ignored where there is an index",
      "same",
      "PUT",
      `${at}?langCode=en`,
      [{ id: "q", data: { title: "u" } }],
      200,
      { q: "CREATED" },
    ],
    [
      "PUT again updates",
      "same",
      "PUT",
      at,
      [{ id: "q", data: { title: "u2" } }],
      200,
      { q: "UPDATED" },
    ],
    [
      "replaceExisting=false dismisses",
      "same",
      "PUT",
      `${at}?replaceExisting=false`,
      [{ id: "q", data: { title: "u3" } }],
      200,
      { q: "DISMISSED" },
    ],
    [
      "and keeps what was there",
      "same",
      "GET",
      `${doc}/q`,
      null,
      200,
      { id: "q", data: { title: "u2" }, attributes: null, categories: null },
    ],
    [
      "texts of number fields are numbers",
      "same",
      "GET",
      `/search-api/v1/search/${index}?price=12.5&fields=price`,
      null,
      200,
      { slices: [{ hits: [{ document: { id: "p", data: { price: 12.5 } } }] }] },
    ],
    [
      "PATCH of what is not there",
      "same",
      "PATCH",
      at,
      [{ id: "z", data: { price: 1 } }],
      200,
      { z: "NOT_FOUND" },
    ],
    [
      "PATCH without a change",
      "same",
      "PATCH",
      at,
      [{ id: "q", data: { title: "u2" } }],
      200,
      { q: "NOOP" },
    ],
    [
      "PATCH of the master keeps variants",
      "same",
      "PATCH",
      at,
      [{ id: "p", data: { price: 9 } }],
      200,
      { p: "UPDATED" },
    ],
    [
      "a search finds them",
      "same",
      "GET",
      `/search-api/v1/search/${index}?price=9&size=2`,
      null,
      200,
      { slices: [{ matchCount: 1 }] },
    ],
    [
      "PATCH is a list",
      "ours",
      "PATCH",
      at,
      { id: "q", data: { price: 3 } },
      200,
      { q: "UPDATED" },
    ],
    ["DELETE without ids: the contract has them optional", "ours", "DELETE", at, null, 200, {}],
    [
      "DELETE by id[]",
      "same",
      "DELETE",
      `${at}?id[]=q&id[]=z`,
      null,
      200,
      { q: "DELETED", z: "NOT_FOUND" },
    ],
    [
      "DELETE of nothing is 304, as the contract has it",
      "ours",
      "DELETE",
      `${at}?id=q,z`,
      null,
      304,
      null,
    ],
    [
      "a document that is not there",
      "same",
      "GET",
      `${doc}/q`,
      null,
      404,
      { type: "document_not_found" },
    ],
    [
      "an index that is not there has no suggestions",
      "same",
      "GET",
      `/suggest-api/v1/${index}x/suggest?userQuery=a`,
      null,
      200,
      [],
    ],
  ];
  test("in order", async ({ expect }) => {
    for (const [claim, , method, to, body, status, answer] of rows) {
      const response = await call(to, body === null ? { method } : send(method, body));
      const text = await response.text();
      expect.soft([claim, response.status], text).toEqual([claim, status]);
      if (answer !== null) expect.soft(JSON.parse(text), claim).toMatchObject(Object(answer));
    }
  });
});

describe("7: suggestions", () => {
  const rows: readonly Row[] = [
    ["a prefix of a brand", "same", "userQuery=pum", "puma"],
    ["the prefix of a later word", "same", "userQuery=sho", "shoes"],
    ["one typo, from three characters on", "same", "userQuery=pyma", "puma"],
    ["case does not matter", "same", "userQuery=ADI", "adidas"],
  ];
  test.for(rows)("%s (%s)", async ([, , query, expected], { expect }) => {
    const response = await call(`/suggest-api/v1/${shop}/suggest?${query}`);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    const found: readonly { readonly phrase: string }[] = await response.json();
    expect(found.map(({ phrase }) => phrase.toLowerCase())).toContain(expected);
  });
});

describe("8: errors", () => {
  type Refused = readonly [claim: string, verdict: Verdict, path: string, status: number];
  const rows: readonly Refused[] = [
    ["an unknown tenant", "same", `/search-api/v1/search/${shop}x`, 404],
    ["a negative limit (there 500)", "ours", `${SEARCH}?limit=-1`, 400],
    ["a limit that is no number", "same", `${SEARCH}?limit=x`, 400],
    ["a negative offset (there 500)", "ours", `${SEARCH}?offset=-1`, 400],
    ["a name of an index with capitals", "same", "/indexer-api/v1/full/start/Shop?locale=en", 400],
    ["an import without a locale", "same", `/indexer-api/v1/full/start/${shop}`, 400],
    ["no userQuery", "same", `/suggest-api/v1/${shop}/suggest`, 400],
    [
      "a limit of suggestions that is no number (there 500)",
      "ours",
      `/suggest-api/v1/${shop}/suggest?userQuery=a&limit=x`,
      400,
    ],
  ];
  test.for(rows)("%s (%s)", async ([, , to, status], { expect }) => {
    const response = await call(to);
    expect([response.status, await response.text()]).toEqual([status, expect.any(String)]);
  });
});

describe("9: relaxing", () => {
  const tools = freshName("tools");
  const titles = {
    "makita electric circular saw": "makita",
    "netherite saw blade": "mojang",
    "makita diamond blade": "makita",
    "hard iron blade": "noname",
    "makita drill": "makita",
    "bosch sabre saw": "bosch",
  };
  const settings = { analyzer: "standard", tieBreaker: 0.2, allowParallelSpellcheck: false };
  const weightedFields = { title: 3, brand: 2 };
  const rows: readonly (readonly [string, Verdict, Record<string, unknown> | null, number])[] = [
    [
      "its stages find those with two of three words",
      "same",
      {
        "query-configuration": {
          all: {
            strategy: "ConfigurableQuery",
            settings: { ...settings, operator: "AND" },
            weightedFields,
          },
          relaxed: { strategy: "RelaxedQuery", settings, weightedFields },
        },
      },
      3,
    ],
    ["without stages those with one fill the page", "ours", null, 6],
    [
      "fill: false: all words or nothing",
      "ours",
      { "relevance-configuration": { fill: false } },
      0,
    ],
  ];
  beforeAll(async () => {
    const documents = Object.entries(titles).map(([title, brand], i) => ({
      id: String(i),
      data: { title, brand },
    }));
    const url = `/indexer-api/v1/update/${tools}?langCode=en`;
    await (await call(url, send("PUT", documents))).text();
  });
  test.for(rows)("%s (%s)", async ([, , configuration, count], { expect }) => {
    const tenant = configuration === null ? tools : freshName("tools");
    const entry = `/admin-api/v1/config/tenant/${tenant}`;
    if (configuration !== null) {
      const put = await call(entry, send("PUT", { "index-name": tools, ...configuration }));
      expect([put.status, await put.text()]).toEqual([200, expect.any(String)]);
    }
    const response = await call(`/search-api/v1/search/${tenant}?q=makita+saw+blade`);
    const { slices }: Result = await response.json();
    if (configuration !== null) await (await call(entry, { method: "DELETE" })).text();
    expect(slices[0]?.matchCount).toBe(count);
    const first = slices[0]?.hits.slice(0, 3).map(({ document }) => document.id);
    expect(first?.toSorted()).toEqual(count === 0 ? [] : ["0", "1", "2"]);
  });
});
