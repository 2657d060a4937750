// The operations of the contract, end to end on real objects and R2, as a client calls them:
// 1. a full import: nothing is visible before done, everything after; counts, statuses and bodies as specified;
// 2. sessions: unknown, altered, completed and cancelled ones are 400 with their types, parallel ones both work, the last done wins;
// 3. bad documents are dropped and reported, every row of docs/indexing.md 6.8;
// 4. search: the answer has the contract's shape; filters, sort, paging, facets, arranged sets take effect; links and null rules;
// 5. documents: everything that was sent, absent parts null, ids with slashes, 404s;
// 6. updates: PUT, PATCH and DELETE answer per id, are visible to the next request, and refuse what docs/indexing.md
//    6.6 says;
// 7. suggest: fresh, limited, filtered, [] for unknown indexes, 400 without a query;
// 8. ETag and If-None-Match: 304 until anything changes; then not;
// 9. empty answers: Prefer: return=minimal;
// 10. administration of live indexes: figures, sessions, rollback, deletion; a tenant follows its configuration at once;
// 11. a bulk that is refused is still read to its end.
import { beforeAll, describe, test } from "vitest";
import {
  AddReport,
  DocumentAnswer,
  ImportSession,
  LIMITS,
  SearchResultSchema,
  Suggestion,
  UpdateAnswer,
  type SearchResult,
} from "../../src/interface/index.ts";
import { call, errorOf, freshName, send } from "./support.ts";

const PRODUCTS = [
  {
    id: "1",
    data: {
      title: "Red running shoe",
      brand: "Acme",
      price: 49.9,
      stock: 3,
      description: "A light shoe for fast runners",
    },
    attributes: [{ name: "color", value: "red", code: "c1" }],
    categories: [
      [
        { id: "10", name: "Shoes" },
        { id: "11", name: "Running" },
      ],
    ],
  },
  {
    id: "2",
    data: { title: "Blue walking shoe", brand: "Acme", price: 59 },
    attributes: [{ name: "color", value: "blue", code: "c2" }],
    categories: [
      [
        { id: "10", name: "Shoes" },
        { id: "12", name: "Walking" },
      ],
    ],
  },
  {
    id: "3",
    data: { title: "Green hat, wide", brand: "Hatter, Sons", price: 19 },
    attributes: [{ name: "color", value: "green" }],
    categories: [[{ id: "20", name: "Hats" }]],
  },
  {
    id: "a/b c",
    data: { title: "Shirt", brand: "Shirty", price: 25 },
    variants: [
      { id: "v1", data: { id: "v1", color: "red", size: "M" } },
      { id: "v2", data: { id: "v2", color: "blue", size: "L", price: 29 } },
    ],
  },
] as const;

async function start(indexName: string, locale = "en"): Promise<ImportSession> {
  const response = await call(`/indexer-api/v1/full/start/${indexName}?locale=${locale}`);
  if (response.status !== 200) throw new Error(await response.text());
  return ImportSession.parse(await response.json());
}

async function add(
  session: ImportSession,
  documents: readonly unknown[],
  query = "",
): Promise<unknown> {
  const response = await call(
    `/indexer-api/v1/full/add${query}`,
    send("POST", { session, documents }),
  );
  if (response.status !== 200) throw new Error(await response.text());
  return response.json();
}

async function done(session: ImportSession): Promise<Response> {
  return call("/indexer-api/v1/full/done", send("POST", session));
}

async function importAll(indexName: string, documents: readonly unknown[]): Promise<void> {
  const session = await start(indexName);
  if (documents.length > 0) await add(session, documents);
  const response = await done(session);
  if (response.status !== 200) throw new Error(await response.text());
  await response.text();
}

async function search(indexName: string, query = ""): Promise<SearchResult> {
  const response = await call(`/search-api/v1/search/${indexName}${query}`);
  const body: unknown = await response.json();
  if (response.status !== 200) throw new Error(JSON.stringify(body));
  return SearchResultSchema.strict().parse(body) as SearchResult;
}

function mainSlice(result: SearchResult): SearchResult["slices"][number] {
  const slice = result.slices.at(-1);
  if (slice === undefined) throw new Error("no slice");
  return slice;
}

function ids(result: SearchResult): string[] {
  return mainSlice(result).hits.map(({ document }) => document.id);
}

async function statusAndType(response: Response): Promise<[number, string]> {
  return [response.status, (await errorOf(response)).type];
}

describe("a full import (1)", () => {
  test("from start to done", async ({ expect }) => {
    const name = freshName("import");
    const started = await call(`/indexer-api/v1/full/start/${name}?locale=en_US`);
    expect(started.headers.get("cache-control")).toBe("no-store");
    const session = ImportSession.strict().parse(await started.json());
    expect(session).toEqual({ finalIndexName: name, temporaryIndexName: `ocs-1-${name}-en` });

    expect(await add(session, PRODUCTS.slice(0, 3))).toBe(3);
    expect(await add(session, PRODUCTS.slice(3))).toBe(1);
    expect(await statusAndType(await call(`/search-api/v1/search/${name}`))).toEqual([
      404,
      "index_not_found",
    ]);
    expect(await (await call("/search-api/v1/tenants")).json()).not.toContain(name);

    const finished = await done(session);
    expect([finished.status, await finished.json()]).toEqual([200, true]);
    const result = await search(name);
    expect(mainSlice(result).matchCount).toBe(4);
    expect(mainSlice(result).hits.every(({ index }) => index === `ocs-1-${name}-en`)).toBe(true);
    expect(await (await call("/search-api/v1/tenants")).json()).toContain(name);
  });

  test("the next import replaces the index, the number counts on over locales", async ({
    expect,
  }) => {
    const name = freshName("again");
    await importAll(name, PRODUCTS.slice(0, 1));
    expect(ids(await search(name))).toEqual(["1"]);
    const session = await start(name, "de-DE");
    expect(session.temporaryIndexName).toBe(`ocs-2-${name}-de`);
    await add(session, PRODUCTS.slice(1, 3));
    expect(ids(await search(name))).toEqual(["1"]);
    await (await done(session)).text();
    expect(ids(await search(name)).toSorted()).toEqual(["2", "3"]);
  });

  test("an empty session completes", async ({ expect }) => {
    const name = freshName("empty");
    const response = await done(await start(name));
    expect([response.status, await response.json()]).toEqual([200, true]);
    expect(mainSlice(await search(name)).matchCount).toBe(0);
  });

  test("an id sent twice: both counted, the later one wins, also within one bulk", async ({
    expect,
  }) => {
    const name = freshName("twice");
    const session = await start(name);
    expect(
      await add(session, [
        { id: "1", data: { title: "one" } },
        { id: "1", data: { title: "two" } },
      ]),
    ).toBe(2);
    expect(await add(session, [{ id: "1", data: { title: "three" } }])).toBe(1);
    await (await done(session)).text();
    const result = await search(name);
    expect(mainSlice(result).hits.map(({ document }) => document.data["title"])).toEqual(["three"]);
  });

  test("members after the documents, other content types, odd white space", async ({ expect }) => {
    const name = freshName("odd");
    const session = await start(name);
    const body = `\ufeff \n{"x":[{"documents":1}],"documents" : [ {"id":7,"data":{"title":"sieben\\u00e4"}} ] , "session":${JSON.stringify({ ...session, more: true })} } \t`;
    const response = await call("/indexer-api/v1/full/add", {
      method: "POST",
      body,
      headers: { "content-type": "text/plain", accept: "image/png" },
    });
    expect([response.status, await response.json()]).toEqual([200, 1]);
    expect(response.headers.get("content-type")).toContain("application/json");
    await (await done(session)).text();
    expect(ids(await search(name, "?q=sieben%C3%A4"))).toEqual(["7"]);
  });

  test.for([
    ["Shop", "invalid_index_name"],
    ["sh.op", "invalid_index_name"],
    ["sh%20op", "invalid_index_name"],
    ["x".repeat(201), "invalid_index_name"],
  ] as const)("start refuses the name %s", async ([name, type], { expect }) => {
    expect(await statusAndType(await call(`/indexer-api/v1/full/start/${name}?locale=en`))).toEqual(
      [400, type],
    );
  });

  test.for(["", "?locale=", "?locale=%20", "?locale=12", "?locale=e"])(
    "start refuses %j",
    async (query, { expect }) => {
      expect(await statusAndType(await call(`/indexer-api/v1/full/start/shop${query}`))).toEqual([
        400,
        "invalid_locale",
      ]);
    },
  );

  test.for([
    "{",
    "[]",
    "{}",
    '{"finalIndexName":"a"}',
    '{"finalIndexName":"a","temporaryIndexName":1}',
  ])("done and cancel refuse %s", async (body, { expect }) => {
    for (const path of ["done", "cancel"]) {
      const response = await call(`/indexer-api/v1/full/${path}`, { method: "POST", body });
      expect(response.status).toBe(400);
      expect(["bad_request", "invalid_body"]).toContain((await errorOf(response)).type);
      const large = `${body}${" ".repeat(LIMITS.sessionBodyBytes.value)}`;
      const refused = await call(`/indexer-api/v1/full/${path}`, { method: "POST", body: large });
      expect(await statusAndType(refused)).toEqual([413, "body_too_large"]);
    }
  });

  test("add refuses a body without documents, and adds nothing of a body that breaks off", async ({
    expect,
  }) => {
    const name = freshName("broken");
    const session = await start(name);
    const post = (body: string): Promise<Response> =>
      call("/indexer-api/v1/full/add", { method: "POST", body });
    const prefix = `{"session":${JSON.stringify(session)}`;
    expect(await statusAndType(await post(`${prefix}}`))).toEqual([400, "invalid_body"]);
    expect(await statusAndType(await post(`${prefix},"documents":[]}`))).toEqual([
      400,
      "invalid_body",
    ]);
    expect(await statusAndType(await post(`${prefix},"documents":"x"}`))).toEqual([
      400,
      "invalid_body",
    ]);
    expect(
      await statusAndType(await post(`${prefix},"documents":[{"id":"1","data":{"title":"x"}}`)),
    ).toEqual([400, "bad_request"]);
    await (await done(session)).text();
    expect(mainSlice(await search(name)).matchCount).toBe(0);
  });
});

describe("sessions (2)", () => {
  test("unknown and altered ones", async ({ expect }) => {
    const name = freshName("session");
    const session = await start(name);
    const unknown = { finalIndexName: name, temporaryIndexName: `ocs-99-${name}-en` };
    const altered = { ...session, finalIndexName: freshName("other") };
    for (const path of ["done", "cancel"]) {
      expect(
        await statusAndType(await call(`/indexer-api/v1/full/${path}`, send("POST", unknown))),
      ).toEqual([400, "session_unknown"]);
      expect(
        await statusAndType(await call(`/indexer-api/v1/full/${path}`, send("POST", altered))),
      ).toEqual([400, "session_mismatch"]);
    }
    const addTo = (to: unknown): Promise<Response> =>
      call("/indexer-api/v1/full/add", send("POST", { session: to, documents: PRODUCTS }));
    expect(await statusAndType(await addTo(unknown))).toEqual([400, "session_unknown"]);
    expect(await statusAndType(await addTo(altered))).toEqual([400, "session_mismatch"]);
    expect((await done({ ...session, extra: 1 } as ImportSession)).status).toBe(200);
  });

  test("a completed one", async ({ expect }) => {
    const name = freshName("completed");
    const session = await start(name);
    await (await done(session)).text();
    const again = await done(session);
    expect(again.status).toBe(400);
    const { type, details } = await errorOf(again);
    expect(type).toBe("session_completed");
    expect(JSON.stringify(details)).toContain("1");
    expect(
      await statusAndType(await call("/indexer-api/v1/full/cancel", send("POST", session))),
    ).toEqual([400, "session_completed"]);
    expect(
      await statusAndType(
        await call("/indexer-api/v1/full/add", send("POST", { session, documents: PRODUCTS })),
      ),
    ).toEqual([400, "session_completed"]);
  });

  test("a cancelled one", async ({ expect }) => {
    const name = freshName("cancelled");
    const session = await start(name);
    await add(session, PRODUCTS);
    const cancelled = await call("/indexer-api/v1/full/cancel", send("POST", session));
    expect([cancelled.status, await cancelled.text()]).toEqual([202, ""]);
    expect(await statusAndType(await done(session))).toEqual([400, "session_cancelled"]);
    expect(await statusAndType(await call("/search-api/v1/search/" + name))).toEqual([
      404,
      "index_not_found",
    ]);
  });

  test("two at once: the last done wins", async ({ expect }) => {
    const name = freshName("parallel");
    const [first, second] = [await start(name), await start(name)];
    await add(first, [PRODUCTS[0]]);
    await add(second, [PRODUCTS[1]]);
    await (await done(second)).text();
    expect(ids(await search(name))).toEqual(["2"]);
    await (await done(first)).text();
    expect(ids(await search(name))).toEqual(["1"]);
  });
});

describe("bad documents (3)", () => {
  const bad: readonly [unknown, string][] = [
    ["text", "not an object"],
    [null, "null"],
    [[], "a list"],
    [{ data: { title: "x" } }, "no id"],
    [{ id: "", data: { title: "x" } }, "empty id"],
    [{ id: "x".repeat(LIMITS.documentIdBytes.value + 1), data: {} }, "id too long"],
    [{ id: "b1" }, "no data"],
    [{ id: "b2", data: null }, "data null"],
    [{ id: "b3", data: ["x"] }, "data a list"],
    [{ id: "b4", data: {}, attributes: [{ value: "x" }] }, "attribute without name"],
    [{ id: "b5", data: {}, attributes: [{ name: "x" }] }, "attribute without value"],
    [{ id: "b6", data: {}, categories: ["Shoes"] }, "categories no paths"],
    [{ id: "b7", data: {}, categories: [[{ id: "1" }]] }, "category without name"],
    [{ id: "b8", data: {}, variants: {} }, "variants no list"],
    [{ id: "b9", data: { price: "cheap" } }, "no number in a number field"],
    [{ id: "b10", data: { title: "x".repeat(LIMITS.documentBytes.value) } }, "too large"],
  ];
  const good: readonly unknown[] = [
    { id: 12, data: { title: "number as id" } },
    { id: "g1", data: { title: "boolean", available: true } },
    { id: "g2", data: { title: "numeric array", sizes: [1, 2, 3] } },
    { id: "g3", data: { title: "blank and null", brand: " ", color: null } },
    {
      id: "g4",
      data: { title: "categories on a variant" },
      variants: [{ data: { size: "M" }, categories: [[{ name: "Shoes" }]] }],
    },
    { id: "g5", data: { title: "an object that is nothing", specs: { a: { b: 1 } } } },
  ];

  test("are dropped by add, reported on request, and the good ones stay", async ({ expect }) => {
    const name = freshName("bad");
    const session = await start(name);
    const documents = [...bad.map(([document]) => document), ...good];
    expect(await add(session, documents)).toBe(good.length);
    const report = AddReport.strict().parse(await add(session, documents, "?report=true"));
    expect(report.indexed).toBe(good.length);
    expect(report.rejected.map(({ position }) => position)).toEqual(
      bad.map((_, position) => position),
    );
    expect(report.rejected.every(({ reason }) => reason.length > 0)).toBe(true);
    expect(report.rejected[6]?.id).toBe("b1");
    expect(report.ignored.map(({ position, path }) => [position, path])).toEqual([
      [bad.length + 5, "data.specs"],
    ]);
    await (await done(session)).text();
    expect(ids(await search(name)).toSorted()).toEqual(["12", "g1", "g2", "g3", "g4", "g5"]);
  });

  test("are DISMISSED by PUT", async ({ expect }) => {
    const name = freshName("dismissed");
    await importAll(name, []);
    const documents = bad.slice(6).map(([document]) => document);
    const answer = await (
      await call(`/indexer-api/v1/update/${name}`, send("PUT", documents))
    ).json();
    expect(answer).toEqual(
      Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`b${index + 1}`, "DISMISSED"])),
    );
    const rest = await call(
      `/indexer-api/v1/update/${name}`,
      send("PUT", [...bad.slice(0, 5).map(([document]) => document), good[0]]),
    );
    expect([rest.status, ((await rest.json()) as Record<string, string>)["12"]]).toEqual([
      200,
      "CREATED",
    ]);
  });

  test.for(["maybe", "2"])("report=%s is refused", async (report, { expect }) => {
    const response = await call(`/indexer-api/v1/full/add?report=${report}`, send("POST", {}));
    expect(await statusAndType(response)).toEqual([400, "invalid_parameter"]);
  });
});

describe("on one catalogue", () => {
  const name = freshName("catalogue");
  beforeAll(async () => {
    await importAll(name, PRODUCTS);
  });

  describe("search (4)", () => {
    test("the null rules of the contract", async ({ expect }) => {
      const result = await search(name, "?q=running");
      expect(result.slices).toHaveLength(1);
      const [slice] = result.slices;
      expect(slice).toMatchObject({
        label: null,
        matchCount: 1,
        nextLink: null,
        resultLink: result.inputURI,
      });
      expect(slice?.hits[0]?.document).toMatchObject({
        id: "1",
        data: { title: "Red running shoe", price: 49.9 },
      });
      expect(slice?.hits[0]?.document.attributes).toEqual(PRODUCTS[0].attributes);
      expect(slice?.hits[0]?.document.categories).toEqual(PRODUCTS[0].categories);
      expect("variants" in (slice?.hits[0]?.document ?? {})).toBe(false);
      const other = await search(name, "?q=shirt");
      expect(other.slices[0]?.hits[0]?.document).toMatchObject({
        id: "a/b c",
        attributes: null,
        categories: null,
      });
    });

    test("a query without terms matches as a match-all query", async ({ expect }) => {
      const result = await search(name);
      expect(mainSlice(result).hits.map(({ matchedQueries }) => matchedQueries)).toEqual(
        PRODUCTS.map(() => ["_match_all"]),
      );
      expect(result.inputURI).toBe("");
    });

    test.for([
      ["?brand=acme", ["1", "2"]],
      ["?brand=Acme,Shirty", ["1", "2", "a/b c"]],
      ["?brand=Acme&brand=Shirty", ["1", "2", "a/b c"]],
      ["?brand=!Acme", ["3", "a/b c"]],
      ["?brand=Hatter%252C%20Sons", ["3"]],
      ["?brand=", ["1", "2", "3", "a/b c"]],
      ["?price=20,50", ["1", "a/b c"]],
      ["?price=20-50", ["1", "a/b c"]],
      ["?price=50,", ["2"]],
      ["?price=,20", ["3"]],
      ["?price=abc", ["1", "2", "3", "a/b c"]],
      ["?color.id=c1", ["1"]],
      ["?color=red&size=M", ["a/b c"]],
      ["?color=red&size=L", []],
      ["?category=Shoes", ["1", "2"]],
      ["?category=Shoes/Running", ["1"]],
      ["?category=shoes", []],
      ["?category.id=12", ["2"]],
      ["?nonsense=1&utm_source=mail", ["1", "2", "3", "a/b c"]],
    ] as const)("%s", async ([query, expected], { expect }) => {
      const result = await search(name, query);
      expect(ids(result).toSorted()).toEqual([...expected]);
      expect(mainSlice(result).matchCount).toBe(expected.length);
    });

    test("sort and paging", async ({ expect }) => {
      expect(ids(await search(name, "?sort=-price"))).toEqual(["2", "1", "a/b c", "3"]);
      const page = await search(name, "?sort=price&limit=2");
      expect(ids(page)).toEqual(["3", "a/b c"]);
      expect(mainSlice(page)).toMatchObject({ nextOffset: 2, matchCount: 4 });
      const next = mainSlice(page).nextLink ?? "";
      expect(next).not.toBe("");
      const second = await search(name, next.startsWith("?") ? next : `?${next}`);
      expect(ids(second)).toEqual(["1", "2"]);
      expect(mainSlice(second).nextLink).toBe(null);
      expect(ids(await search(name, "?limit=0"))).toEqual([]);
      const beyond = await search(name, "?offset=20000");
      expect([ids(beyond), mainSlice(beyond).nextLink, mainSlice(beyond).matchCount]).toEqual([
        [],
        null,
        4,
      ]);
    });

    test("inputURI is the address as understood: unknown parameters and defaults are gone", async ({
      expect,
    }) => {
      const result = await search(
        name,
        "?utm=1&limit=12&sort=-price&brand=Hatter%252C%20Sons,acme&q=wide%20hat&price=10,",
      );
      expect(ids(result)).toEqual(["3"]);
      expect(result.inputURI.startsWith("?q=wide+hat&")).toBe(true);
      expect(new URLSearchParams(result.inputURI).get("brand")?.toLowerCase()).toBe(
        "hatter%2c sons,acme",
      );
      expect([...new URLSearchParams(result.inputURI).keys()]).toEqual([
        "q",
        "brand",
        "price",
        "sort",
      ]);
      const again = await search(name, result.inputURI);
      expect([ids(again), again.inputURI]).toEqual([ids(result), result.inputURI]);
    });

    test("facets, or none", async ({ expect }) => {
      const facets = mainSlice(await search(name)).facets ?? [];
      const brand = facets.find(({ fieldName }) => fieldName === "brand");
      expect(brand?.entries.find(({ key }) => key === "Acme")?.docCount).toBe(2);
      expect(facets.map(({ fieldName }) => fieldName)).toContain("category");
      expect(mainSlice(await search(name, "?withFacets=false")).facets).toBe(null);
    });

    test.for(["limit=-1", "limit=x", "offset=-1", "offset=x", "withFacets=x"])(
      "%s is 400 with its path",
      async (query, { expect }) => {
        const response = await call(`/search-api/v1/search/${name}?${query}`);
        const { type, details } = await errorOf(response);
        expect([response.status, type]).toEqual([400, "invalid_parameter"]);
        expect(details).toMatchObject({ problems: [{ path: query.split("=")[0] }] });
      },
    );

    test("unknown tenants", async ({ expect }) => {
      expect(await statusAndType(await call("/search-api/v1/search/no-such-tenant"))).toEqual([
        404,
        "index_not_found",
      ]);
      expect(
        await statusAndType(
          await call("/search-api/v1/search/arranged/no-such-tenant", send("POST", {})),
        ),
      ).toEqual([404, "index_not_found"]);
    });

    test("arranged: sets come first, in their order, slices by name", async ({ expect }) => {
      const post = async (body: unknown): Promise<SearchResult> => {
        const response = await call(`/search-api/v1/search/arranged/${name}`, send("POST", body));
        const json: unknown = await response.json();
        if (response.status !== 200) throw new Error(JSON.stringify(json));
        return SearchResultSchema.strict().parse(json) as SearchResult;
      };
      const injected = await post({
        q: "shoe",
        arrangedProductSets: [{ type: "static", name: "hero", ids: ["3", "2", "unknown"] }],
      });
      expect(ids(injected)).toEqual(["3", "2", "1"]);
      const sliced = await post({
        q: "shoe",
        arrangedProductSets: [
          { type: "static", name: "hero", ids: ["3"], asSeparateSlice: true },
          { type: "dynamic", name: "shirts", query: "shirt", asSeparateSlice: true },
        ],
      });
      expect(sliced.slices.map(({ label }) => label)).toEqual(["hero", "shirts", null]);
      expect(sliced.slices.map(({ resultLink }) => resultLink === "")).toEqual([true, true, false]);
      expect(ids(sliced).toSorted()).toEqual(["1", "2"]);
      expect(mainSlice(sliced).matchCount).toBe(2);
      const filtered = await post({ filters: { brand: "Hatter%2C Sons" } });
      expect(ids(filtered)).toEqual(["3"]);
    });

    test("arranged: bad bodies", async ({ expect }) => {
      const post = (body: string): Promise<Response> =>
        call(`/search-api/v1/search/arranged/${name}`, { method: "POST", body });
      expect(await statusAndType(await post("{"))).toEqual([400, "bad_request"]);
      expect(await statusAndType(await post(""))).toEqual([400, "bad_request"]);
      expect(await statusAndType(await post('{"arrangedProductSets":[{"type":"odd"}]}'))).toEqual([
        400,
        "invalid_body",
      ]);
      expect(
        await statusAndType(
          await post(JSON.stringify({ q: "x".repeat(LIMITS.searchBodyBytes.value) })),
        ),
      ).toEqual([413, "body_too_large"]);
    });

    test("answers are JSON whatever Accept says, timed, and not to be kept unasked", async ({
      expect,
    }) => {
      const response = await call(`/search-api/v1/search/${name}`, {
        headers: { accept: "text/plain" },
      });
      await response.text();
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe("application/json");
      expect(response.headers.get("server-timing")).toMatch(
        /route;dur=[0-9.]+, engine;dur=[0-9.]+/,
      );
      expect(response.headers.get("cache-control")).toBe("no-cache");
    });
  });

  describe("documents (5)", () => {
    test("everything that was sent, absent parts null", async ({ expect }) => {
      const first: unknown = await (await call(`/search-api/v1/doc/${name}/1`)).json();
      expect(first).toEqual(PRODUCTS[0]);
      expect(DocumentAnswer.strict().safeParse(first).success).toBe(true);
    });

    test.for(["a%2Fb%20c", "a/b%20c"])("an id with a slash, as %s", async (id, { expect }) => {
      const body: unknown = await (await call(`/search-api/v1/doc/${name}/${id}`)).json();
      expect(body).toEqual({
        ...PRODUCTS[3],
        attributes: null,
        categories: null,
        variants: PRODUCTS[3].variants.map((variant) => ({
          ...variant,
          attributes: null,
          categories: null,
        })),
      });
    });

    test("404 for unknown ones", async ({ expect }) => {
      expect(await statusAndType(await call(`/search-api/v1/doc/${name}/99`))).toEqual([
        404,
        "document_not_found",
      ]);
      expect(await statusAndType(await call("/search-api/v1/doc/no-such-tenant/1"))).toEqual([
        404,
        "index_not_found",
      ]);
    });
  });

  describe("suggest (7)", () => {
    test("completes words, as Suggestion", async ({ expect }) => {
      const response = await call(`/suggest-api/v1/${name}/suggest?userQuery=ac`);
      const suggestions = Suggestion.array().parse(await response.json());
      expect(suggestions.map(({ phrase }) => phrase)).toContain("Acme");
      expect(
        (await (await call(`/suggest-api/v1/${name}/suggest?q=s&limit=1`)).json()) as unknown[],
      ).toHaveLength(1);
      const filtered = Suggestion.array().parse(
        await (await call(`/suggest-api/v1/${name}/suggest?query=sh&filter=brand`)).json(),
      );
      expect(filtered.map(({ phrase }) => phrase)).toEqual(["Shirty"]);
    });

    test("unknown index and missing query", async ({ expect }) => {
      const unknown = await call("/suggest-api/v1/no-such-index/suggest?userQuery=a");
      expect([unknown.status, await unknown.json()]).toEqual([200, []]);
      expect(await statusAndType(await call(`/suggest-api/v1/${name}/suggest`))).toEqual([
        400,
        "invalid_parameter",
      ]);
      expect(
        await statusAndType(await call(`/suggest-api/v1/${name}/suggest?q=a&limit=x`)),
      ).toEqual([400, "invalid_parameter"]);
    });
  });
});

describe("updates (6)", () => {
  const path = (name: string): string => `/indexer-api/v1/update/${name}`;
  async function update(method: string, name: string, body: unknown, query = ""): Promise<unknown> {
    const response = await call(path(name) + query, send(method, body));
    const json: unknown = await response.json();
    if (response.status !== 200) throw new Error(JSON.stringify(json));
    return UpdateAnswer.parse(json);
  }

  test("PUT creates, replaces, keeps", async ({ expect }) => {
    const name = freshName("put");
    await importAll(name, [PRODUCTS[0]]);
    expect(
      await update("PUT", name, [PRODUCTS[1], { id: "1", data: { title: "Plain boot" } }]),
    ).toEqual({ "1": "UPDATED", "2": "CREATED" });
    expect(await (await call(`/search-api/v1/doc/${name}/1`)).json()).toEqual({
      id: "1",
      data: { title: "Plain boot" },
      attributes: null,
      categories: null,
    });
    expect(ids(await search(name, "?q=boot"))).toEqual(["1"]);
    expect(ids(await search(name, "?q=running"))).toEqual([]);
    expect(
      await update(
        "PUT",
        name,
        { documents: [PRODUCTS[0], PRODUCTS[2]] },
        "?replaceExisting=false",
      ),
    ).toEqual({ "1": "DISMISSED", "3": "CREATED" });
    expect(await update("PUT", name, PRODUCTS[0])).toEqual({ "1": "UPDATED" });
    expect(await update("PUT", name, [])).toEqual({});
    expect(mainSlice(await search(name)).matchCount).toBe(3);
  });

  test("PUT on a missing index needs a name and a language", async ({ expect }) => {
    const name = freshName("created");
    expect(await statusAndType(await call(path(name), send("PUT", PRODUCTS)))).toEqual([
      400,
      "invalid_locale",
    ]);
    expect(
      await statusAndType(await call(`${path(name)}?langCode=`, send("PUT", PRODUCTS))),
    ).toEqual([400, "invalid_locale"]);
    expect(
      await statusAndType(await call(`${path(name)}?langCode=12`, send("PUT", PRODUCTS))),
    ).toEqual([400, "invalid_locale"]);
    expect(
      await statusAndType(await call(`${path("Wrong.Name")}?langCode=en`, send("PUT", PRODUCTS))),
    ).toEqual([400, "invalid_index_name"]);
    expect(await statusAndType(await call(`/search-api/v1/search/${name}`))).toEqual([
      404,
      "index_not_found",
    ]);
    expect(await update("PUT", name, PRODUCTS, "?langCode=de")).toEqual(
      Object.fromEntries(PRODUCTS.map(({ id }) => [id, "CREATED"])),
    );
    expect(mainSlice(await search(name)).matchCount).toBe(4);
    expect(await update("PUT", name, PRODUCTS[0], "?langCode=fr")).toEqual({ "1": "UPDATED" });
  });

  test("PATCH changes parts, reports what is missing", async ({ expect }) => {
    const name = freshName("patch");
    await importAll(name, PRODUCTS);
    expect(
      await update("PATCH", name, [
        { id: "1", data: { price: 9 } },
        { id: "99", data: { price: 1 } },
      ]),
    ).toEqual({ "1": "UPDATED", "99": "NOT_FOUND" });
    const patched = (await (await call(`/search-api/v1/doc/${name}/1`)).json()) as {
      data: Record<string, unknown>;
    };
    expect(patched.data).toEqual({ ...PRODUCTS[0].data, price: 9 });
    expect(ids(await search(name, "?price=,10"))).toEqual(["1"]);
    expect(
      await update("PATCH", name, {
        id: "a/b c",
        data: {},
        variants: [{ id: "v1", data: { id: "v1", color: "violet" } }],
      }),
    ).toEqual({ "a/b c": "UPDATED" });
    const merged = (await (await call(`/search-api/v1/doc/${name}/a%2Fb%20c`)).json()) as {
      variants: { data: unknown }[];
    };
    expect(merged.variants.map(({ data }) => data)).toEqual([
      { id: "v1", color: "violet", size: "M" },
      PRODUCTS[3].variants[1].data,
    ]);
    expect(ids(await search(name, "?color=violet"))).toEqual(["a/b c"]);
  });

  test("DELETE answers per id, 304 when none existed", async ({ expect }) => {
    const name = freshName("delete");
    await importAll(name, PRODUCTS);
    const some = await call(`${path(name)}?id[]=1&id=99,2`, { method: "DELETE" });
    expect([some.status, await some.json()]).toEqual([
      200,
      { "1": "DELETED", "99": "NOT_FOUND", "2": "DELETED" },
    ]);
    expect(ids(await search(name)).toSorted()).toEqual(["3", "a/b c"]);
    expect((await call(`/search-api/v1/doc/${name}/1`)).status).toBe(404);
    const none = await call(`${path(name)}?id[]=1`, { method: "DELETE" });
    expect([none.status, await none.text()]).toEqual([304, ""]);
    const nothing = await call(path(name), { method: "DELETE" });
    expect([nothing.status, await nothing.json()]).toEqual([200, {}]);
    expect(ids(await search(name)).toSorted()).toEqual(["3", "a/b c"]);
  });

  test("a missing index", async ({ expect }) => {
    const missing = path(freshName("missing"));
    expect(await statusAndType(await call(missing, send("PATCH", PRODUCTS)))).toEqual([
      404,
      "index_not_found",
    ]);
    expect(await statusAndType(await call(`${missing}?id=1`, { method: "DELETE" }))).toEqual([
      404,
      "index_not_found",
    ]);
    expect(await statusAndType(await call(missing, { method: "DELETE" }))).toEqual([
      404,
      "index_not_found",
    ]);
  });

  test("bad bodies and parameters", async ({ expect }) => {
    const name = freshName("body");
    await importAll(name, []);
    for (const method of ["PUT", "PATCH"]) {
      expect(await statusAndType(await call(path(name), { method, body: "" }))).toEqual([
        400,
        "bad_request",
      ]);
      expect(await statusAndType(await call(path(name), { method, body: "[1,]" }))).toEqual([
        400,
        "bad_request",
      ]);
      expect(await statusAndType(await call(path(name), { method, body: "12" }))).toEqual([
        400,
        "invalid_body",
      ]);
      const large = " ".repeat(LIMITS.updateBodyBytes.value + 1);
      expect(await statusAndType(await call(path(name), { method, body: large }))).toEqual([
        413,
        "body_too_large",
      ]);
    }
    expect(
      await statusAndType(await call(`${path(name)}?replaceExisting=x`, send("PUT", []))),
    ).toEqual([400, "invalid_parameter"]);
  });
});

describe("validators (8)", () => {
  test("304 until something changes", async ({ expect }) => {
    const name = freshName("etag");
    await importAll(name, PRODUCTS);
    const paths = [
      `/search-api/v1/search/${name}?q=shoe`,
      `/suggest-api/v1/${name}/suggest?q=ac`,
      `/search-api/v1/doc/${name}/1`,
    ];
    const tags = new Map<string, string>();
    for (const path of paths) {
      const response = await call(path);
      await response.text();
      const tag = response.headers.get("etag") ?? "";
      expect(tag).toMatch(/^W\/"[^"]+"$/);
      tags.set(path, tag);
      const again = await call(path, { headers: { "if-none-match": `"other", ${tag}` } });
      expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", tag]);
    }
    expect(new Set(tags.values()).size).toBe(paths.length);
    await (
      await call(
        `/indexer-api/v1/update/${name}`,
        send("PATCH", [{ id: "1", data: { title: "Acid shoe" } }]),
      )
    ).text();
    for (const [path, tag] of tags) {
      const response = await call(path, { headers: { "if-none-match": tag } });
      expect([path, response.status]).toEqual([path, 200]);
      await response.text();
    }
  });
});

describe("Prefer: return=minimal (9)", () => {
  test("leaves out the bodies of operations the contract calls empty", async ({ expect }) => {
    const name = freshName("minimal");
    const headers = { prefer: "respond-async, return=minimal" };
    const session = await start(name);
    const calls: [string, RequestInit][] = [
      ["/indexer-api/v1/full/done", send("POST", session)],
      [`/indexer-api/v1/update/${name}`, send("PUT", PRODUCTS)],
      [`/indexer-api/v1/update/${name}`, send("PATCH", [{ id: "1", data: { price: 1 } }])],
      [`/indexer-api/v1/update/${name}?id=1`, { method: "DELETE" }],
      ["/search-api/v1/tenants", {}],
    ];
    for (const [path, init] of calls) {
      const response = await call(path, { ...init, headers });
      expect([path, response.status, await response.text()]).toEqual([path, 200, ""]);
      expect(response.headers.get("preference-applied")).toBe("return=minimal");
    }
  });
});

describe("refused bulks (11)", () => {
  test("a body that is refused is read to its end, so that the sender sees the answer", async ({
    expect,
  }) => {
    const chunks = 50;
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(new TextEncoder().encode("no json".repeat(1_000)));
        if (++sent === chunks) controller.close();
      },
    });
    const response = await call("/indexer-api/v1/full/add", { method: "POST", body });
    expect(await statusAndType(response)).toEqual([400, "bad_request"]);
    expect(sent).toBe(chunks);
  });
});

describe("administration of live indexes (10)", () => {
  test("figures", async ({ expect }) => {
    const name = freshName("figures");
    await importAll(name, PRODUCTS);
    const figures = (await (await call(`/admin-api/v1/indexes/${name}`)).json()) as Record<
      string,
      unknown
    >;
    expect(figures).toMatchObject({
      name,
      locale: "en",
      documents: 4,
      variants: 2,
      pendingWrites: 0,
      generation: { number: 1, physicalName: `ocs-1-${name}-en` },
    });
    expect(figures["memoryBytes"]).toBeGreaterThan(0);
    await (await call(`/indexer-api/v1/update/${name}?id=1`, { method: "DELETE" })).text();
    const list = (await (await call("/admin-api/v1/indexes")).json()) as Record<string, unknown>[];
    expect(list.find((entry) => entry["name"] === name)).toMatchObject({ documents: 3 });
  });

  test("open sessions", async ({ expect }) => {
    const name = freshName("open");
    const session = await start(name);
    await add(session, PRODUCTS);
    const find = async (): Promise<unknown> => {
      const list = (await (await call("/admin-api/v1/sessions")).json()) as {
        temporaryIndexName: string;
      }[];
      return list.find(
        ({ temporaryIndexName }) => temporaryIndexName === session.temporaryIndexName,
      );
    };
    expect(await find()).toMatchObject({ indexName: name, state: "open", documents: 4 });
    await (await done(session)).text();
    expect(await find()).toBe(undefined);
  });

  test("rollback, back and forward", async ({ expect }) => {
    const name = freshName("rollback");
    await importAll(name, [PRODUCTS[0]]);
    expect(
      await statusAndType(await call(`/admin-api/v1/indexes/${name}/rollback`, { method: "POST" })),
    ).toEqual([404, "generation_not_found"]);
    await importAll(name, [PRODUCTS[1]]);
    await (await call(`/indexer-api/v1/update/${name}`, send("PUT", [PRODUCTS[2]]))).text();
    const back = await call(`/admin-api/v1/indexes/${name}/rollback`, { method: "POST" });
    expect([back.status, await back.json()]).toEqual([
      200,
      { generation: 1, physicalName: `ocs-1-${name}-en`, updatesLeftBehind: 1 },
    ]);
    expect(ids(await search(name))).toEqual(["1"]);
    await (await call(`/admin-api/v1/indexes/${name}/rollback`, { method: "POST" })).text();
    expect(ids(await search(name)).toSorted()).toEqual(["2", "3"]);
  });

  test("reindex", async ({ expect }) => {
    const name = freshName("reindex");
    const reindex = () => call(`/admin-api/v1/indexes/${name}/reindex`, { method: "POST" });
    expect(await statusAndType(await reindex())).toEqual([404, "index_not_found"]);
    await importAll(name, [PRODUCTS[0], PRODUCTS[1]]);
    await (await call(`/indexer-api/v1/update/${name}`, send("PUT", [PRODUCTS[2]]))).text();
    const before = ids(await search(name));
    const done = await reindex();
    expect([done.status, await done.json()]).toEqual([
      200,
      { generation: 2, physicalName: `ocs-2-${name}-en`, shards: 1, documents: 3, rejected: 0 },
    ]);
    expect(ids(await search(name))).toEqual(before);
  });

  test("deletion; the name starts anew, the numbers do not", async ({ expect }) => {
    const name = freshName("gone");
    await importAll(name, PRODUCTS);
    const deleted = await call(`/admin-api/v1/indexes/${name}`, { method: "DELETE" });
    expect([deleted.status, await deleted.json()]).toEqual([200, { deleted: name }]);
    expect(await statusAndType(await call(`/search-api/v1/search/${name}`))).toEqual([
      404,
      "index_not_found",
    ]);
    expect(await (await call("/search-api/v1/tenants")).json()).not.toContain(name);
    expect((await start(name)).temporaryIndexName).toBe(`ocs-2-${name}-en`);
  });

  test("a tenant follows its configuration at once", async ({ expect }) => {
    const [one, other, tenant] = [freshName("one"), freshName("other"), freshName("tenant")];
    await importAll(one, [PRODUCTS[0]]);
    await importAll(other, [PRODUCTS[1]]);
    const configuration = `/admin-api/v1/config/tenant/${tenant}`;
    expect(await statusAndType(await call(`/search-api/v1/search/${tenant}`))).toEqual([
      404,
      "index_not_found",
    ]);
    await (await call(configuration, send("PUT", { "index-name": one }))).text();
    expect(ids(await search(tenant))).toEqual(["1"]);
    await (
      await call(
        configuration,
        send("PUT", {
          "index-name": other,
          "sort-configuration": [{ field: "price", label: "Cheapest" }],
        }),
      )
    ).text();
    const result = await search(tenant);
    expect(ids(result)).toEqual(["2"]);
    expect(result.sortOptions.map(({ label }) => label)).toEqual(["Cheapest"]);
    expect((await call(`/search-api/v1/doc/${tenant}/2`)).status).toBe(200);
    expect((await call(`/search-api/v1/doc/${tenant}/1`)).status).toBe(404);
    await (await call(configuration, { method: "DELETE" })).text();
    expect(await statusAndType(await call(`/search-api/v1/search/${tenant}`))).toEqual([
      404,
      "index_not_found",
    ]);
  });

  test("an index entry takes effect at the next import; its minimum keeps the session open", async ({
    expect,
  }) => {
    const name = freshName("minimum");
    await (
      await call(
        `/admin-api/v1/config/index/${name}`,
        send("PUT", { "index-settings": { "minimum-document-count": 2 } }),
      )
    ).text();
    const session = await start(name);
    await add(session, [PRODUCTS[0]]);
    expect(await statusAndType(await done(session))).toEqual([400, "too_few_documents"]);
    await add(session, [PRODUCTS[1]]);
    expect((await done(session)).status).toBe(200);
  });
});
