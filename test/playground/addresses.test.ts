// What the playground keeps in its address, and what it asks the service for:
// 1. a state is the same after it was written to an address and read again, whatever the fields of a catalogue are
//    called;
// 2. its own names and filters of the same names do not meet;
// 3. links of answers lead to the search they name, and leave alone what they do not say;
// 4. requests: parameters as they are, view parameters on top; an arranged search has the same things in its body;
// 5. what is asked beside a page (explanations, facet values, suggestions) is that page's search.
import fc from "fast-check";
import { describe, test } from "vitest";
import {
  EMPTY_STATE,
  followLink,
  readState,
  searchesOf,
  withParameter,
  writeState,
  type PageState,
} from "../../src/playground/logic/page-state.ts";
import {
  overridden,
  parseQuery,
  withValue,
  writeQuery,
  type Parameter,
} from "../../src/playground/logic/parameters.ts";
import {
  explainRequest,
  facetValuesRequest,
  indexNameOf,
  searchRequest,
  suggestRequest,
} from "../../src/playground/logic/requests.ts";
import { forAll, runs } from "../support/property.ts";

/** Addresses cannot hold half a character. */
const text = fc.string({ unit: "grapheme", maxLength: 12 });
const name = fc.oneof(
  text.filter((one) => one !== ""),
  fc.constantFrom("q", "sort", "@in", "@vs", "@@in", "@", "color", "a=b", "x&y", "%2C", "+"),
);
const parameter = fc.tuple(name, text);
const state: fc.Arbitrary<PageState> = fc.record({
  tenant: fc.option(text, { nil: null }),
  parameters: fc.array(parameter, { maxLength: 6 }),
  versus: fc.option(fc.record({ tenant: text, changes: text }), { nil: null }),
  sets: text,
});

describe("the address (1, 2)", () => {
  test("1: there and back", ({ expect }) => {
    forAll(runs(300), state, (given) => {
      expect(readState(writeState(given))).toEqual(given);
    });
  });

  test("1: queries there and back", ({ expect }) => {
    forAll(runs(300), fc.array(parameter), (given) => {
      expect(parseQuery(writeQuery(given))).toEqual(given);
    });
  });

  test("1: is readable", ({ expect }) => {
    const given: PageState = {
      tenant: "sample",
      parameters: [
        ["q", "running shoes"],
        ["color", "black,red"],
        ["category", "A/B"],
      ],
      versus: { tenant: "sample-de", changes: "sort=price" },
      sets: "",
    };
    expect(writeState(given)).toBe(
      "?@in=sample&q=running+shoes&color=black,red&category=A/B&@vs=sample-de&@with=sort%3Dprice",
    );
    expect(writeState(EMPTY_STATE)).toBe("");
    expect(readState("")).toEqual(EMPTY_STATE);
  });

  test("2: a field that is called like a name of ours", ({ expect }) => {
    const given: PageState = { ...EMPTY_STATE, tenant: "a", parameters: [["@in", "b"]] };
    expect(writeState(given)).toBe("?@in=a&@@in=b");
    expect(readState("?@in=a&@in=c&@@in=b")).toEqual(given);
  });
});

describe("links (3)", () => {
  const given: PageState = {
    tenant: "sample",
    parameters: parseQuery("q=shoes&limit=24&highlight=*&offset=48&query_stage=2"),
    versus: { tenant: "b", changes: "" },
    sets: "[]",
  };

  test("3: a facet entry", ({ expect }) => {
    const next = followLink(given, "q=shoes&color=black&limit=24");
    expect(next).toEqual({
      ...given,
      parameters: parseQuery("q=shoes&color=black&limit=24&highlight=*&query_stage=2"),
    });
  });

  test("3: the link of a facet search has no limit, the page keeps its own", ({ expect }) => {
    expect(followLink(given, "color=black&limit=0").parameters).toContainEqual(["limit", "24"]);
    expect(followLink(given, "color=black&limit=0").parameters).not.toContainEqual(["limit", "0"]);
  });
});

describe("choices", () => {
  const given: PageState = {
    tenant: "a",
    parameters: parseQuery("q=x&color=red&offset=24&limit=12"),
    versus: { tenant: "b", changes: "sort=price&color=" },
    sets: "[]",
  };

  test("another value keeps all others, and begins at the first hit", ({ expect }) => {
    const next = withParameter(given, "limit", "48");
    expect(next).toEqual({ ...given, parameters: parseQuery("q=x&color=red&limit=48") });
    expect(withParameter(given, "q", null).parameters).toEqual(parseQuery("color=red&limit=12"));
    const page = withParameter(given, "offset", "36").parameters;
    expect(page).toEqual(parseQuery("q=x&color=red&offset=36&limit=12"));
  });

  test("the searches of a comparison", ({ expect }) => {
    const { parameters, sets } = given;
    expect(searchesOf(given, "a")).toEqual([
      { tenant: "a", parameters, sets },
      { tenant: "b", parameters: parseQuery("q=x&offset=24&limit=12&sort=price"), sets },
    ]);
    expect(searchesOf({ ...given, versus: null }, "a")[1]).toBeNull();
  });
});

describe("parameters", () => {
  test("one value in the place of all of its name", ({ expect }) => {
    const given = parseQuery("a=1&b=2&a=3");
    expect(withValue(given, "a", "4")).toEqual(parseQuery("a=4&b=2"));
    expect(withValue(given, "a", null)).toEqual(parseQuery("b=2"));
    expect(withValue(given, "c", "5")).toEqual(parseQuery("a=1&b=2&a=3&c=5"));
  });

  test("changes replace whole names, an empty one removes", ({ expect }) => {
    const given = parseQuery("q=x&sort=price&brand=a");
    expect(overridden(given, parseQuery("sort=-price&brand="))).toEqual(parseQuery("q=x&sort=-price"));
    expect(overridden(given, [])).toEqual(given);
  });
});

describe("requests (4, 5)", () => {
  const search = { tenant: "a/b", parameters: parseQuery("q=shoes&color=red&limit=24"), sets: "" };

  test("4: a search", ({ expect }) => {
    expect(searchRequest(search)).toEqual({
      method: "GET",
      path: "/search-api/v1/search/a%2Fb?q=shoes&color=red&limit=24&highlight=title,name,description",
      body: null,
      contentType: null,
    });
    const own = { ...search, parameters: parseQuery("highlight=brand") };
    expect(searchRequest(own).path).toBe("/search-api/v1/search/a%2Fb?highlight=brand");
  });

  test("4: an arranged search", ({ expect }) => {
    const parameters = parseQuery(
      "q=shoes&color=red&color=blue&limit=24&offset=24&withFacets=false&sort=-price&trace=Explain",
    );
    const { method, path, body, contentType } = searchRequest({
      tenant: "sample",
      parameters,
      sets: '[{"type":"static","ids":["1"]}]',
    });
    expect([method, path, contentType]).toEqual(["POST", "/search-api/v1/search/arranged/sample", "application/json"]);
    expect(JSON.parse(body ?? "")).toEqual({
      q: "shoes",
      sort: "-price",
      limit: 24,
      offset: 24,
      withFacets: false,
      highlight: "title,name,description",
      filters: { color: "red,blue", trace: "Explain" },
      arrangedProductSets: [{ type: "static", ids: ["1"] }],
    });
  });

  test("4: product sets that are none", ({ expect }) => {
    for (const sets of ["{", "{}", "1"]) {
      expect(() => searchRequest({ ...search, sets })).toThrow(SyntaxError);
    }
  });

  test("4: a body has one range of a field: several are refused, not widened", ({ expect }) => {
    const ask = (query: string): unknown => searchRequest({ tenant: "a", parameters: parseQuery(query), sets: "[]" });
    for (const query of [
      "price=0,20&price=100,120",
      "price=10,&price=,5",
      "size=38&size=40",
      "price=10-20&q=x&price=!30",
    ]) {
      expect(() => ask(query)).toThrow(/supports one range per field.*(price|size)/);
    }
    for (const query of [
      "price=0,20&size=38",
      "limit=2&limit=3&q=1&q=2",
      "size.id=38&size.id=40",
      "color=7 up&color=red",
    ]) {
      expect(() => ask(query)).not.toThrow();
    }
    // A plain search has them as they are.
    const plain = { tenant: "a", parameters: parseQuery("p=0,20&p=100,120"), sets: "" };
    expect(searchRequest(plain).path).toContain("p=0,20&p=100,120");
  });

  test("5: beside a page", ({ expect }) => {
    const query = (path: string): readonly Parameter[] => parseQuery(path.split("?")[1] ?? "");
    expect(query(explainRequest(search).path)).toEqual(
      parseQuery("q=shoes&color=red&limit=24&trace=Explain&withFacets=false&fields=id"),
    );
    const values = facetValuesRequest(search, "a:b", "re d").path;
    expect(query(values)).toEqual([
      ["q", "shoes"],
      ["color", "red"],
      ["limit", "0"],
      ["facetQuery", "a%3Ab:re d"],
    ]);
    expect(suggestRequest("shop", "a&b").path).toBe("/suggest-api/v1/shop/suggest?userQuery=a%26b&limit=8");
  });

  test("5: the index of a hit", ({ expect }) => {
    expect(indexNameOf("ocs-12-shop-de-en")).toBe("shop-de");
    expect(indexNameOf("shop")).toBeNull();
  });
});
