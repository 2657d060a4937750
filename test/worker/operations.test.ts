// The operations of the contract, end to end on real objects and R2, as a client calls them. (Sections 1 and 2 of the claims say what each
// operation answers and refuses; here is what they leave out.)
// 1. a full import: nothing is visible before done, everything after; counts, statuses and bodies as specified;
// 2. sessions: unknown and altered ones are 400 with their types;
// 3. bad documents are dropped and reported, every row of docs/indexing.md 6.8;
// 4. search: links, headers, bodies that are no search;
// 5. documents: everything that was sent, absent parts null;
// 6. updates refuse what docs/indexing.md 6.6 says;
// 7. ETag and If-None-Match: 304 until anything changes; then not;
// 8. empty answers: Prefer: return=minimal;
// 9. administration of live indexes: figures, sessions, rollback, deletion; a tenant follows its configuration at once;
// 10. a bulk that is refused is still read to its end.
import { beforeAll, describe, test } from "vitest";
import {
  AddReport,
  DocumentAnswer,
  ImportSession,
  LIMITS,
  SearchResultSchema,
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

describe("validators (7)", () => {
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

describe("Prefer: return=minimal (8)", () => {
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

describe("refused bulks (10)", () => {
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

describe("administration of live indexes (9)", () => {
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
