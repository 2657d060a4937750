// The operations of the contract, end to end on real objects and R2, as a client calls them. (Sections 1 and 2 of the
// claims say what each operation answers and refuses; here is what they leave out.)
// 1. a full import: names and bodies that are refused (what is visible when: objects/history.model);
// 2. bad documents are dropped and reported (each reason: engine/fields-read);
// 3. search: headers, bodies that are no search;
// 4. updates refuse what docs/indexing.md 6.6 says;
// 5. ETag and If-None-Match: 304 until anything changes; then not;
// 6. empty answers: Prefer: return=minimal;
// 7. administration of live indexes: figures, sessions (rollback, deletion: objects/history.model, over HTTP, too);
// 8. a bulk that is refused is still read to its end.
import { env } from "cloudflare:workers";
import { beforeAll, describe, test } from "vitest";
import {
  AddReport,
  type ImportSession,
  LIMITS,
  SearchResultSchema,
  type SearchResult,
} from "../../src/interface/index.ts";
import { answerChecksum } from "../../src/objects/index.ts";
import { entityTag, fingerprint } from "../../src/worker/answers.ts";
import { Directory } from "../../src/worker/routes.ts";
import { call, errorOf, freshName, ok, publish, refusal, send, startImport } from "./support.ts";

const shoes = (id: string, name: string) => [
  [
    { id: "10", name: "Shoes" },
    { id, name },
  ],
];
const PRODUCTS = [
  {
    id: "1",
    data: { title: "Red running shoe", brand: "Acme", price: 49.9, stock: 3, description: "For fast runners" },
    attributes: [{ name: "color", value: "red", code: "c1" }],
    categories: shoes("11", "Running"),
  },
  {
    id: "2",
    data: { title: "Blue walking shoe", brand: "Acme", price: 59 },
    attributes: [{ name: "color", value: "blue", code: "c2" }],
    categories: shoes("12", "Walking"),
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

async function add(session: ImportSession, documents: readonly unknown[], query = ""): Promise<unknown> {
  const body = send("POST", { session, documents });
  return (await ok(await call(`/indexer-api/v1/full/add${query}`, body))).json();
}

async function done(session: ImportSession): Promise<Response> {
  return call("/indexer-api/v1/full/done", send("POST", session));
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

describe("a full import (1)", () => {
  test.for(["sh%20op", "x".repeat(201)])("start refuses the name %s", async (name, { expect }) => {
    const started = call(`/indexer-api/v1/full/start/${name}?locale=en`);
    expect(await refusal(started)).toBe("400 invalid_index_name");
  });

  test.for(["{", "[]", "{}", '{"finalIndexName":"a"}', '{"finalIndexName":"a","temporaryIndexName":1}'])(
    "done and cancel refuse %s",
    async (body, { expect }) => {
      for (const path of ["done", "cancel"]) {
        const response = await call(`/indexer-api/v1/full/${path}`, { method: "POST", body });
        expect(response.status).toBe(400);
        expect(["bad_request", "invalid_body"]).toContain((await errorOf(response)).type);
        const large = `${body}${" ".repeat(LIMITS.sessionBodyBytes.value)}`;
        const refused = await call(`/indexer-api/v1/full/${path}`, { method: "POST", body: large });
        expect(await refusal(refused)).toBe("413 body_too_large");
      }
    },
  );

  test("add adds nothing of a body that breaks off", async ({ expect }) => {
    const name = freshName("broken");
    const session = await startImport(name);
    const post = (body: string): Promise<Response> => call("/indexer-api/v1/full/add", { method: "POST", body });
    const prefix = `{"session":${JSON.stringify(session)}`;
    expect(await refusal(post(`${prefix},"documents":[{"id":"1","data":{"title":"x"}}`))).toBe("400 bad_request");
    await (await done(session)).text();
    expect(mainSlice(await search(name)).matchCount).toBe(0);
  });
});

describe("bad documents (2)", () => {
  const bad: readonly unknown[] = [
    "text",
    { data: { title: "x" } },
    { id: "b1" },
    { id: "b2", data: { price: "cheap" } },
    { id: "b3", data: { title: "x".repeat(LIMITS.documentBytes.value) } },
  ];
  const good: readonly unknown[] = [
    { id: 12, data: { title: "number as id" } },
    { id: "g1", data: { title: "an object that is nothing", specs: { a: { b: 1 } } } },
  ];

  test("are dropped by add, reported on request, and the good ones stay", async ({ expect }) => {
    const name = freshName("bad");
    const session = await startImport(name);
    const documents = [...bad, ...good];
    expect(await add(session, documents)).toBe(good.length);
    const report = AddReport.strict().parse(await add(session, documents, "?report=true"));
    expect(report.indexed).toBe(good.length);
    expect(report.rejected.map(({ position }) => position)).toEqual([...bad.keys()]);
    expect(report.rejected.every(({ reason }) => reason.length > 0)).toBe(true);
    expect(report.rejected[2]?.id).toBe("b1");
    expect(report.ignored.map(({ position, path }) => [position, path])).toEqual([[bad.length + 1, "data.specs"]]);
    await (await done(session)).text();
    expect(ids(await search(name)).toSorted()).toEqual(["12", "g1"]);
  });

  test.for(["maybe", "2"])("report=%s is refused", async (report, { expect }) => {
    const response = await call(`/indexer-api/v1/full/add?report=${report}`, send("POST", {}));
    expect(await refusal(response)).toBe("400 invalid_parameter");
  });
});

describe("on one catalogue", () => {
  const name = freshName("catalogue");
  beforeAll(async () => {
    await publish(name, PRODUCTS);
  });

  describe("search (3)", () => {
    test("arranged: bad bodies", async ({ expect }) => {
      const post = (body: string): Promise<Response> =>
        call(`/search-api/v1/search/arranged/${name}`, { method: "POST", body });
      expect(await refusal(post(""))).toBe("400 bad_request");
      expect(await refusal(post(JSON.stringify({ q: "x".repeat(LIMITS.searchBodyBytes.value) })))).toBe(
        "413 body_too_large",
      );
    });

    test("answers are JSON whatever Accept says, timed, and not to be kept unasked", async ({ expect }) => {
      const response = await call(`/search-api/v1/search/${name}`, { headers: { accept: "text/plain" } });
      await response.text();
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe("application/json");
      expect(response.headers.get("server-timing")).toMatch(/route;dur=[0-9.]+, engine;dur=[0-9.]+/);
      expect(response.headers.get("cache-control")).toBe("no-cache");
    });
  });
});

describe("updates (4)", () => {
  const path = (name: string): string => `/indexer-api/v1/update/${name}`;
  test("PUT on a missing index needs a name", async ({ expect }) => {
    const wrong = call(`${path("Wrong.Name")}?langCode=en`, send("PUT", PRODUCTS));
    expect(await refusal(wrong)).toBe("400 invalid_index_name");
  });

  test("bad bodies and parameters", async ({ expect }) => {
    const name = freshName("body");
    await publish(name, []);
    for (const method of ["PUT", "PATCH"]) {
      expect(await refusal(call(path(name), { method, body: "" }))).toBe("400 bad_request");
      expect(await refusal(call(path(name), { method, body: "[1,]" }))).toBe("400 bad_request");
      expect(await refusal(call(path(name), { method, body: "12" }))).toBe("400 invalid_body");
      const large = " ".repeat(LIMITS.updateBodyBytes.value + 1);
      expect(await refusal(call(path(name), { method, body: large }))).toBe("413 body_too_large");
    }
    expect(await refusal(call(`${path(name)}?replaceExisting=x`, send("PUT", [])))).toBe("400 invalid_parameter");
  });
});

test("validators: 304 until something changes (5)", async ({ expect }) => {
  const name = freshName("etag");
  await publish(name, PRODUCTS);
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
    await call(`/indexer-api/v1/update/${name}`, send("PATCH", [{ id: "1", data: { title: "Acid shoe" } }]))
  ).text();
  for (const [path, tag] of tags) {
    const response = await call(path, { headers: { "if-none-match": tag } });
    expect([path, response.status]).toEqual([path, 200]);
    await response.text();
  }
});

test("another release that answers otherwise has another ETag (5)", async ({ expect }) => {
  const name = freshName("etag-release");
  await publish(name, PRODUCTS);
  const target = await new Directory(env).forIndex(name, async (value) => ({ ok: true, value }));
  const checksum = (json: string): number => answerChecksum(new TextEncoder().encode(json));
  expect(checksum('{"tookInMillis":1,"hits":[1,2]')).toBe(checksum('{"tookInMillis":10,"hits":[1,2]'));
  const answers = ['{"tookInMillis":1,"hits":[1,2]', '{"tookInMillis":1,"hits":[2,1]'].map(checksum);
  const texts = ["[1,2]", "[2,1]"].map(fingerprint);
  const tags = [...answers, ...texts].map((one) => entityTag(target, [0], "/?q=shoe", one));
  expect(new Set(tags).size).toBe(4);
});

describe("Prefer: return=minimal (6)", () => {
  test("leaves out the bodies of operations the contract calls empty", async ({ expect }) => {
    const name = freshName("minimal");
    const headers = { prefer: "respond-async, return=minimal" };
    const session = await startImport(name);
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

describe("refused bulks (8)", () => {
  test("a body that is refused is read to its end, so that the sender sees the answer", async ({ expect }) => {
    const chunks = 50;
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(new TextEncoder().encode("no json".repeat(1_000)));
        if (++sent === chunks) controller.close();
      },
    });
    const response = await call("/indexer-api/v1/full/add", { method: "POST", body });
    expect(await refusal(response)).toBe("400 bad_request");
    expect(sent).toBe(chunks);
  });
});

describe("administration of live indexes (7)", () => {
  test("figures", async ({ expect }) => {
    const name = freshName("figures");
    await publish(name, PRODUCTS);
    const figures = (await (await call(`/admin-api/v1/indexes/${name}`)).json()) as Record<string, unknown>;
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
    const session = await startImport(name);
    await add(session, PRODUCTS);
    const find = async (): Promise<unknown> => {
      const list = (await (await call("/admin-api/v1/sessions")).json()) as { temporaryIndexName: string }[];
      return list.find(({ temporaryIndexName }) => temporaryIndexName === session.temporaryIndexName);
    };
    expect(await find()).toMatchObject({ indexName: name, state: "open", documents: 4 });
    await (await done(session)).text();
    expect(await find()).toBe(undefined);
  });
});
