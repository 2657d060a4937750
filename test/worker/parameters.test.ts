// Parameters of searches, suggestions and deletions:
// 1. the decoding rules of filters beyond claims 3.1: repeated ones, escapes, empty ones, open ranges;
// 2. numbers and booleans that cannot be are 400 with the parameter's name as path, limits are capped;
// 3. the body of an arranged search beyond claims 1.2: scalars of other types, problems with their paths;
// 4. and how many objects and members it may have, wherever they are.
import { describe, test } from "vitest";
import { LIMITS, ServiceError } from "../../src/interface/index.ts";
import {
  parseArrangedSearch,
  parseDeleteIds,
  parseSearchParameters,
  parseSuggestParameters,
} from "../../src/worker/parameters.ts";

function problemPaths(call: () => unknown): [string, unknown] {
  try {
    call();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { problems } = error.details as { problems: { path: string }[] };
    return [error.type, problems.map(({ path }) => path)];
  }
  throw new Error("nothing was thrown");
}

describe("filters (1)", () => {
  test.for([
    ["brand=a&brand=b,c", { name: "brand", negated: false, values: ["a", "b", "c"], texts: [["a"], ["b", "c"]] }],
    ["brand=100%2525", { name: "brand", negated: false, values: ["100%25"] }],
    ["price=10,", { name: "price", negated: false, values: ["10"], texts: [["10", ""]] }],
    ["brand=a%252C", { name: "brand", negated: false, values: ["a,"] }],
    ["name=caf%C3%A9+au%20lait", { name: "name", negated: false, values: ["café au lait"] }],
    ["name=100%", { name: "name", negated: false, values: ["100%"] }],
    ["a%20b=c", { name: "a b", negated: false, values: ["c"] }],
  ] as const)("%s", ([query, filter], { expect }) => {
    expect(parseSearchParameters(query).filters).toEqual([filter]);
  });

  test.for(["", "brand=", "brand=,", "brand=!", "brand", "=x", "&&", "q=x&limit=1&offset=1&sort=a&withFacets=true"])(
    "%j has none",
    (query, { expect }) => {
      expect(parseSearchParameters(query).filters).toEqual([]);
    },
  );

  test("too many are let through: which of them are fields is not known here", ({ expect }) => {
    const many = Array.from({ length: LIMITS.filters.value + 1 }, (_, index) => `f${index}=x`).join("&");
    expect(parseSearchParameters(many).filters).toHaveLength(LIMITS.filters.value + 1);
    const values = Array.from({ length: LIMITS.filterValues.value + 1 }, (_, index) => `v${index}`).join(",");
    expect(parseSearchParameters(`brand=${values}`).filters[0]?.values).toHaveLength(LIMITS.filterValues.value + 1);
  });
});

describe("numbers and the rest (2)", () => {
  test("defaults", ({ expect }) => {
    expect(parseSearchParameters("")).toEqual({
      q: "",
      sort: [],
      limit: 12,
      offset: 0,
      withFacets: true,
      filters: [],
      arranged: null,
    });
  });

  test.for(("limit=-1 limit=abc limit=1.5 limit=1e3 offset=-1 offset=x " + "withFacets=maybe typing=maybe").split(" "))(
    "%s is refused by name",
    (query, { expect }) => {
      expect(problemPaths(() => parseSearchParameters(query))).toEqual(["invalid_parameter", [query.split("=")[0]]]);
    },
  );

  test.for(["limit=", "offset=%20", "withFacets=", "typing=", "query_stage="])(
    "%s is the default",
    (query, { expect }) => {
      expect({ queryStage: 0, ...parseSearchParameters(query) }).toEqual({
        queryStage: 0,
        ...parseSearchParameters(""),
      });
    },
  );

  test("limit is capped, offset is not", ({ expect }) => {
    const request = parseSearchParameters("limit=999999999999999999999&offset=50000");
    expect([request.limit, request.offset]).toEqual([10_000, 50_000]);
    expect(parseSearchParameters("limit=0").limit).toBe(0);
  });

  test("sort", ({ expect }) => {
    expect(parseSearchParameters("sort=price,-name,,%20-stock%20").sort).toEqual([
      { field: "price", descending: false },
      { field: "name", descending: true },
      { field: "stock", descending: true },
    ]);
  });

  test("withFacets", ({ expect }) => {
    expect(parseSearchParameters("withFacets=false").withFacets).toBe(false);
    expect(parseSearchParameters("withFacets=TRUE").withFacets).toBe(true);
    // As the reference reads them.
    for (const [text, flag] of Object.entries({
      0: false,
      off: false,
      No: false,
      1: true,
      yes: true,
      on: true,
      "": true,
    })) {
      expect(parseSearchParameters(`withFacets=${text}`).withFacets).toBe(flag);
      expect(parseSearchParameters(`typing=${text}`).isTyping ?? false).toBe(flag && text !== "");
    }
    expect(parseSearchParameters("limit=%205&offset=7%20")).toMatchObject({ limit: 5, offset: 7 });
  });

  test("suggest", ({ expect }) => {
    expect(parseSuggestParameters("userQuery=sn&limit=500&filter=brand,category&filter=title")).toEqual({
      userQuery: "sn",
      limit: LIMITS.suggestLimit.value,
      filter: ["brand", "category", "title"],
    });
    expect(parseSuggestParameters("userQuery=&q=a").userQuery).toBe("a");
    expect(problemPaths(() => parseSuggestParameters("userQuery=&q="))).toEqual(["invalid_parameter", ["userQuery"]]);
    expect(parseSuggestParameters("query=a")).toEqual({ userQuery: "a", limit: 10, filter: [] });
    expect(problemPaths(() => parseSuggestParameters("q=a&limit=x"))).toEqual(["invalid_parameter", ["limit"]]);
  });

  test("ids to delete", ({ expect }) => {
    expect([...parseDeleteIds("id[]=1&id%5B%5D=2,3&id=3&id=a%252Cb&other=9")]).toEqual([
      ["1", "1"],
      ["2", "2"],
      ["3", "3"],
      ["a,b", "a%2Cb"],
    ]);
    expect(parseDeleteIds("").size).toBe(0);
    const many = Array.from({ length: LIMITS.deleteIds.value + 1 }, (_, index) => index).join(",");
    expect(problemPaths(() => parseDeleteIds(`id=${many}`))).toEqual(["invalid_parameter", ["id"]]);
  });
});

describe("arranged search (3)", () => {
  test("filters named like members of the body", ({ expect }) => {
    const { q, limit, filters, trace } = parseArrangedSearch({
      q: "shoe",
      filters: { q: "a", limit: "5", "f.sort": "b", trace: "Request" },
    });
    expect([q, limit, trace]).toEqual(["shoe", 12, ["Request"]]);
    expect(filters.map(({ name, values }) => [name, ...values])).toEqual([
      ["q", "a"],
      ["limit", "5"],
      ["sort", "b"],
    ]);
  });

  test("scalars are read in the type of their member, as the reference reads JSON", ({ expect }) => {
    const set = { query: 7, limit: "4", asSeparateSlice: "TRUE", filters: { stock: 1 } };
    const request = parseArrangedSearch({
      q: 5,
      limit: "6",
      offset: " 2 ",
      withFacets: "false",
      includeMainResult: 0,
      filters: { price: 10, new: true, brand: null },
      arrangedProductSets: [
        { type: "dynamic", name: 1, ...set },
        { type: "querystring", query: "x", fieldWeights: { title: "2.5" } },
      ],
    });
    expect(request).toMatchObject({ q: "5", limit: 6, offset: 2, withFacets: false });
    expect(request.filters.map(({ name, values }) => [name, values])).toEqual([
      ["price", ["10"]],
      ["new", ["true"]],
    ]);
    expect(request.arranged).toMatchObject({
      includeMainResult: false,
      sets: [
        { name: "1", query: "7", limit: 4, asSeparateSlice: true, filters: { stock: "1" } },
        { fieldWeights: { title: 2.5 } },
      ],
    });
  });

  test("a filter is one text, read as one in an address", ({ expect }) => {
    const { filters } = parseArrangedSearch({
      filters: { price: "10,20,35", weight: "5,", category: "A/B,C%2CD", "color.id": "!x" },
    });
    expect(filters).toEqual(parseSearchParameters("price=10,20,35&weight=5,&category=A/B,C%252CD&color.id=!x").filters);
    expect(filters[1]).toMatchObject({ values: ["5"], texts: [["5", ""]] });
  });

  test("problems are told together", ({ expect }) => {
    const body = { offset: 1.5, withFacets: "yes" };
    expect(problemPaths(() => parseArrangedSearch(body))).toEqual(["invalid_body", ["offset", "withFacets"]]);
  });

  test.for([
    [null, "The body: must be an object, not null"],
    [[], "The body: must be an object, not a list"],
    [{ limit: "five" }, "limit: must be a number, not a string"],
    [{ limit: 1.5 }, "limit: must be a whole number"],
    [{ limit: "1.5" }, "limit: must be a whole number"],
    [{ limit: -1 }, "limit: must be at least 0"],
    [{ withFacets: "yes" }, "withFacets: must be true or false, not a string"],
    [{ q: {} }, "q: must be a string, not an object"],
    [{ fields: 5 }, "fields: must be a string or a list, not a number"],
    [{ filters: { brand: ["a"] } }, "filters.brand: must be a string, not a list"],
    [
      { arrangedProductSets: [{}] },
      "arrangedProductSets[0].type: must be one of static, dynamic, querystring, generic",
    ],
    [{ arrangedProductSets: [{ type: "static" }] }, "arrangedProductSets[0].ids: is missing"],
    [{ arrangedProductSets: {} }, "arrangedProductSets: must be a list"],
  ] as const)("%j is refused in the words of JSON", ([body, message], { expect }) => {
    expect(() => parseArrangedSearch(body)).toThrow(message);
  });
});

describe("members of the body of an arranged search (4)", () => {
  const most = LIMITS.searchBodyMembers.value;
  const named = (count: number): object => Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, "x"]));

  test.for<[string, object]>([
    ["filters", { filters: named(most) }],
    ["sets", { arrangedProductSets: Array.from({ length: most }, () => ({})) }],
    ["weights", { arrangedProductSets: [{ type: "querystring", query: "x", fieldWeights: named(most) }] }],
    ["others", named(most)],
    ["lists in lists", { filters: [[Array.from({ length: most }, () => [{}])]] }],
  ])("too many: %s", ([, body], { expect }) => {
    expect(problemPaths(() => parseArrangedSearch(body))).toEqual(["invalid_body", [""]]);
  });

  test("as many as a shop may need", ({ expect }) => {
    const ids = Array.from({ length: LIMITS.productSetIds.value }, (_, i) => `p${i}`);
    const arrangedProductSets = Array.from({ length: LIMITS.productSets.value }, () => ({ type: "static", ids }));
    expect(parseArrangedSearch({ filters: named(2_000), arrangedProductSets }).filters).toHaveLength(2_000);
  });
});
