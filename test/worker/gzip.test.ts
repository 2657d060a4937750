// Requests with `Content-Encoding: gzip`, over HTTP:
// 1. every operation with a body takes them;
// 2. a bomb is 413 and changes nothing: of an update by its limit, of a bulk by its own; searches go on meanwhile.
import { describe, test } from "vitest";
import { ImportSession, LIMITS, type SearchResult } from "../../src/interface/index.ts";
import { call, errorOf, freshName, json, ok, publish, send } from "./support.ts";

async function packed(method: string, body: unknown): Promise<RequestInit> {
  const sent = send(method, body);
  const stream = new Response(sent.body).body?.pipeThrough(new CompressionStream("gzip"));
  const headers = { ...(sent.headers as Record<string, string>), "content-encoding": "gzip" };
  return { ...sent, headers, body: await new Response(stream).arrayBuffer() };
}

async function found(response: Promise<Response>): Promise<readonly string[]> {
  const { slices } = await (await ok(await response)).json<SearchResult>();
  return slices.flatMap(({ hits }) => hits.map(({ document }) => document.id)).sort();
}

test("all operations with a body (1)", async ({ expect }) => {
  const name = freshName("packed");
  const session = ImportSession.parse(await json(`/indexer-api/v1/full/start/${name}?locale=en`));
  const documents = Array.from({ length: 2_000 }, (_, i) => ({ id: `p${i}`, data: { title: `Grüner Schuh ${i}` } }));
  const add = await packed("POST", { session, documents });
  expect(await json("/indexer-api/v1/full/add", add)).toBe(2_000);
  expect(await json("/indexer-api/v1/full/done", await packed("POST", session))).toBe(true);

  const update = `/indexer-api/v1/update/${name}`;
  const put = await packed("PUT", [{ id: "new", data: { title: "Blue shoe" } }]);
  expect(await json(update, put)).toEqual({ new: "CREATED" });
  const patch = await packed("PATCH", { id: "new", data: { title: "Red shoe" } });
  expect(await json(update, patch)).toEqual({ new: "UPDATED" });

  const arranged = await packed("POST", {
    q: "red",
    arrangedProductSets: [{ type: "static", name: "s", ids: ["p7"] }],
  });
  expect(await found(call(`/search-api/v1/search/arranged/${name}`, arranged))).toEqual(["new", "p7"]);

  const configured = await packed("PUT", { "index-name": name });
  await ok(await call(`/admin-api/v1/config/tenant/${name}-t`, configured));
  expect(await found(call(`/search-api/v1/search/${name}-t?q=red`))).toEqual(["new"]);
});

describe("bombs (2)", () => {
  test("an update", async ({ expect }) => {
    const name = freshName("bomb");
    await publish(name, [{ id: "a", data: { title: "x" } }]);
    const body = `[${JSON.stringify({ id: "b", data: {} })}${" ".repeat(LIMITS.updateBodyBytes.value)}]`;
    const bomb = await packed("PUT", body);
    expect((bomb.body as ArrayBuffer).byteLength).toBeLessThan(50_000);
    const refused = await errorOf(await call(`/indexer-api/v1/update/${name}`, bomb));
    expect(refused).toMatchObject({ code: 413, type: "body_too_large", details: { limit: "updateBodyBytes" } });
    expect(await found(call(`/search-api/v1/search/${name}`))).toEqual(["a"]);
  });

  test("a bulk, beside searches", async ({ expect }) => {
    const name = freshName("bomb-bulk");
    await publish(name, [{ id: "a", data: { title: "x" } }]);
    const session = ImportSession.parse(await json(`/indexer-api/v1/full/start/${name}?locale=en`));
    const start = `{"session":${JSON.stringify(session)},"documents":[{"id":"b","data":{}}`;
    const bomb = await packed("POST", `${start}${" ".repeat(LIMITS.importBodyBytes.value)}]}`);
    let isRefused = false;
    const refused = call("/indexer-api/v1/full/add", bomb).then((response) => {
      isRefused = true;
      return errorOf(response);
    });
    for (let i = 0; i < 5; i++) expect(await found(call(`/search-api/v1/search/${name}`))).toEqual(["a"]);
    // Without pauses they would wait until the bulk is refused.
    expect(isRefused).toBe(false);
    expect(await refused).toMatchObject({ code: 413, type: "body_too_large", details: { limit: "importBodyBytes" } });
    expect(await json("/indexer-api/v1/full/done", send("POST", session))).toBe(true);
    expect(await found(call(`/search-api/v1/search/${name}`))).toEqual([]);
  });
});
