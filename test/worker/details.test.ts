// Corners of the HTTP surface that a review has found wrong once, end to end:
// 1. every id that can be written can be read, changed and deleted by it: line breaks, `%2C`, numbers beyond 2^53;
// 2. a number that a double cannot hold comes back from getDocument as it was sent, also after a PATCH of something
//    else;
// 3. PUT answers for the id it could read, and says CREATED for what is new and there, whatever else was sent under
//    the id;
// 4. parameters that are no fields are ignored, however many; limits hold for fields;
// 5. errors of start name the parameter, and its Allow has no HEAD;
// 6. figures: stored bytes without the cache; /metrics for the role admin only, with every series and label that ops/
//    asks for.
import { beforeAll, describe, test } from "vitest";
import alerts from "../../ops/alerts.yml?raw";
import dashboard from "../../ops/grafana.json?raw";
import { LIMITS } from "../../src/interface/index.ts";
import type { ShardStats } from "../../src/objects/index.ts";
import type { Settings } from "../../src/worker/settings.ts";
import { lastingPauses } from "../objects/support/pauses.ts";
import { basic, call, callWith, errorOf, freshName, json, send, startImport } from "./support.ts";

/** `documents` is JSON text, so that numbers are sent digit by digit. */
async function importText(indexName: string, documents: string): Promise<unknown> {
  const session = await startImport(indexName);
  const body = `{"session": ${JSON.stringify(session)}, "documents": ${documents}}`;
  const added = await json("/indexer-api/v1/full/add", send("POST", body));
  await (await call("/indexer-api/v1/full/done", send("POST", session))).text();
  return added;
}

async function update(method: string, indexName: string, body: string): Promise<unknown> {
  return json(`/indexer-api/v1/update/${indexName}`, send(method, body));
}

/** The text of the answer, because parsing it here would round what is asked about. */
async function document(indexName: string, id: string): Promise<string> {
  const response = await call(`/search-api/v1/doc/${indexName}/${id}`);
  return `${response.status} ${await response.text()}`;
}

describe("ids (1)", () => {
  test("with line breaks", async ({ expect }) => {
    const name = freshName("breaks");
    await importText(name, JSON.stringify([{ id: "a\nb", data: { title: "x" } }]));
    expect(await document(name, "a%0Ab")).toContain('200 {"id":"a\\nb"');
    await update("PUT", name, JSON.stringify([{ id: "c\u2028\rd", data: { title: "y" } }]));
    expect(await document(name, encodeURIComponent("c\u2028\rd"))).toContain("200 ");
  });

  test("numbers that a double cannot tell apart", async ({ expect }) => {
    const name = freshName("numbers");
    const [one, other] = ["12345678901234567890", "12345678901234567891"];
    const documents = `[{"id": ${one}, "data": {"title": "a"}}, {"id": ${other}, "data": {"title": "b"}}]`;
    expect(await importText(name, documents)).toBe(2);
    expect(await document(name, one)).toContain(`200 {"id":"${one}","data":{"title":"a"}`);
    expect(await document(name, other)).toContain(`200 {"id":"${other}","data":{"title":"b"}`);
    expect(await update("PUT", name, `{"id": 9007199254740993, "data": {"title": "c"}}`)).toEqual({
      "9007199254740993": "CREATED",
    });
    expect(await document(name, "9007199254740992")).toContain("404 ");
    expect(await update("PATCH", name, `{"id": ${other}, "data": {"title": "d"}}`)).toEqual({ [other]: "UPDATED" });
    expect(await document(name, one)).toContain('{"title":"a"}');
    expect(await document(name, other)).toContain('{"title":"d"}');
  });

  test("numbers as ids of variants", async ({ expect }) => {
    const name = freshName("variants");
    const [one, other] = ["12345678901234567890", "12345678901234567891"];
    await importText(
      name,
      `[{"id": "x", "data": {}, "variants": [{"data": {"id": ${one}}}, {"data": {"id": ${other}}}]}]`,
    );
    await update("PATCH", name, `{"id":"x","variants":[{"id":${other},"data":{"size":"L"}}]}`);
    const stored = await document(name, "x");
    expect(stored).toContain(`{"id":"${one}","data":{"id":"${one}"}`);
    expect(stored).toContain(`{"id":"${other}","data":{"id":"${other}","size":"L"}`);
  });
});

test("every digit comes back (2)", async ({ expect }) => {
  const name = freshName("digits");
  const data = `{"long":12345678901234567890,"fine":0.12345678901234567890123,"list":[1e400,7],"price":10.5}`;
  await importText(name, `[{"id":"x","data":${data}}]`);
  expect(await document(name, "x")).toContain(`"data":${data}`);
  await update("PATCH", name, `{"id":"x","data":{"more":98765432109876543210}}`);
  expect(await document(name, "x")).toContain(`"data":${data.slice(0, -1)},"more":98765432109876543210}`);
  const found = await json(`/search-api/v1/search/${name}?price=10.5`);
  expect(found).toMatchObject({ slices: [{ matchCount: 1 }] });
});

describe("results of PUT (3)", () => {
  test("a bad id that can be read is named", async ({ expect }) => {
    const name = freshName("names");
    await importText(name, `[{"id":"x","data":{}}]`);
    const long = "é".repeat(LIMITS.documentIdBytes.value);
    const documents = [{ id: long, data: {} }, { id: "\ud800y", data: {} }, { data: {} }, { id: " ", data: {} }];
    expect(await update("PUT", name, JSON.stringify(documents))).toEqual({
      [long]: "DISMISSED",
      "\ufffdy": "DISMISSED",
      "": "DISMISSED",
    });
    expect(await update("PATCH", name, JSON.stringify([{ id: long }, { id: "" }]))).toEqual({
      [long]: "NOT_FOUND",
      "": "DISMISSED",
    });
  });

  test("of an id sent twice", async ({ expect }) => {
    const name = freshName("twice");
    await importText(name, `[{"id":"old","data":{"title":"0"}}]`);
    const twice = (id: string, second: unknown): string =>
      JSON.stringify([
        { id, data: { title: "1" } },
        { id, data: second },
      ]);
    expect(await update("PUT", name, twice("a", { title: "2" }))).toEqual({ a: "CREATED" });
    expect(await document(name, "a")).toContain('"title":"2"');
    expect(await update("PUT", name, twice("b", null))).toEqual({ b: "CREATED" });
    expect(await update("PUT", name, twice("old", null))).toEqual({ old: "UPDATED" });
    expect(await document(name, "old")).toContain('"title":"1"');
    const keep = await call(
      `/indexer-api/v1/update/${name}?replaceExisting=false`,
      send("PUT", twice("c", { title: "2" })),
    );
    expect(await keep.json()).toEqual({ c: "CREATED" });
    expect(await document(name, "c")).toContain('"title":"1"');
  });
});

describe("start (5)", () => {
  test("names the locale", async ({ expect }) => {
    const error = await errorOf(await call(`/indexer-api/v1/full/start/${freshName("l")}?locale=en%2FUS`));
    expect(error).toMatchObject({ type: "invalid_locale", details: { problems: [{ path: "locale" }] } });
  });

  test("has no HEAD, and says so", async ({ expect }) => {
    const path = `/indexer-api/v1/full/start/${freshName("head")}?locale=en`;
    for (const method of ["HEAD", "POST"]) {
      const response = await call(path, { method });
      expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, OPTIONS"]);
    }
    const preflight = await call(path, { method: "OPTIONS" });
    expect(preflight.headers.get("access-control-allow-methods")).not.toContain("HEAD");
  });
});

test("%2C is a comma in an id to delete, unless there is none with a comma (1)", async ({ expect }) => {
  const name = freshName("commas");
  const ids = ["x%2Cy", "a,b", "a%2Cb", "u%2cv"];
  await importText(name, JSON.stringify(ids.map((id) => ({ id, data: {} }))));
  const remove = async (query: string): Promise<unknown> => {
    const response = await call(`/indexer-api/v1/update/${name}?${query}`, { method: "DELETE" });
    return response.status === 200 ? response.json() : response.status;
  };
  expect(await remove("id=x%252Cy&id=a%252Cb,none%252C")).toEqual({
    "x%2Cy": "DELETED",
    "a,b": "DELETED",
    "none,": "NOT_FOUND",
  });
  expect(await remove("id=a%252Cb")).toEqual({ "a%2Cb": "DELETED" });
  expect(await remove("id=a%252Cb")).toBe(304);
  expect(await remove("id[]=u%252cv")).toEqual({ "u%2cv": "DELETED" });
});

describe("limits of filters (4)", () => {
  const many = LIMITS.filters.value + 1;
  const values = Array.from({ length: LIMITS.filterValues.value + 1 }, (_, i) => `v${i}`).join(",");

  test("hold for fields only", async ({ expect }) => {
    const name = freshName("limits");
    const data = Object.fromEntries(Array.from({ length: many }, (_, i) => [`f${i}`, "x"]));
    await importText(
      name,
      JSON.stringify([
        { id: "1", data },
        { id: "2", data: { f0: "y" } },
      ]),
    );
    const search = (query: string): Promise<Response> => call(`/search-api/v1/search/${name}?${query}`);

    const unknown = Array.from({ length: 200 }, (_, i) => `utm_${i}=x`).join("&");
    const response = await search(`f0=x&${unknown}&utm=${values}`);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ inputURI: "?f0=x", slices: [{ matchCount: 1 }] });

    const known = Object.keys(data).map((field) => `${field}=x`);
    expect(await (await search(known.slice(1).join("&"))).json()).toMatchObject({ slices: [{ matchCount: 1 }] });
    for (const [query, path] of [
      [known.join("&"), `f${many - 1}`],
      [`f0=${values}`, "f0"],
    ]) {
      const refused = await search(query ?? "");
      expect(refused.status).toBe(400);
      const { type, details } = await errorOf(refused);
      expect([type, details]).toMatchObject(["invalid_parameter", { problems: [{ path }] }]);
    }
    const arranged = await call(`/search-api/v1/search/arranged/${name}`, send("POST", { filters: data }));
    expect((await errorOf(arranged)).type).toBe("invalid_parameter");
  });
});

describe("figures (6)", () => {
  // Pauses are among them.
  beforeAll(lastingPauses);

  test("stored bytes do not count the copies of shards", async ({ expect }) => {
    const name = freshName("stored");
    await importText(name, `[{"id":"1","data":{"title":"x"}}]`);
    const response = await call(`/admin-api/v1/indexes/${name}`);
    const { storedBytes, shards }: { storedBytes: number; shards: ShardStats[] } = await response.json();
    const [one] = shards;
    const { segments = 0, stored = 0, log = 0, cache = 0 } = one?.storedBytes ?? {};
    expect([segments > 0, stored > 0, cache > 0]).toEqual([true, true, true]);
    expect(storedBytes).toBe(segments + stored + log);
  });

  test("as Prometheus reads them", async ({ expect }) => {
    const name = freshName("metrics");
    await importText(name, `[{"id":"1","data":{"title":"x"}},{"id":"2","data":{}}]`);
    await update("PUT", name, `{"id":"3","data":{}}`);
    const { temporaryIndexName } = await startImport(name);
    await (await call(`/search-api/v1/search/${name}?q=secret`)).text();
    await (await call(`/secret/${name}`)).text();
    const response = await call("/metrics");
    expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    const text = await response.text();
    const lines = text.split("\n");
    for (const line of lines) {
      expect(line).toMatch(/^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+\{([a-z]+="[^"]*",?)*\} [0-9.]+|)$/);
    }
    expect(lines).toContain(`aisle_index_documents{index="${name}"} 3`);
    expect(lines).toContain(`aisle_index_pending_writes{index="${name}"} 1`);
    expect(lines).toContain(`aisle_index_shards{index="${name}"} 1`);
    expect(text).toMatch(/^aisle_import_sessions\{state="open"\} [1-9]/m);
    expect(text).toMatch(
      /^aisle_http_requests_total\{method="GET",route="\/search-api\/v1\/search\/:tenant",status="200",isolate="[0-9a-f-]{36}"\} [1-9]/m,
    );
    expect(text).toMatch(/^aisle_http_requests_total\{method="GET",route="none",status="404",/m);
    expect(text).not.toContain("secret");
    expect(text).not.toContain(temporaryIndexName);
  });

  test("what the dashboard and the alerts ask for", async ({ expect }) => {
    const name = freshName("asked");
    await importText(name, `[{"id":"1","data":{"title":"x"}}]`);
    await (await call(`/search-api/v1/search/${name}?q=x`)).text();
    const series = new Map<string, ReadonlySet<string>>();
    for (const line of (await (await call("/metrics")).text()).split("\n")) {
      const [, metric, labels = ""] = /^(aisle_\w+)\{(.*)\} [0-9.]+$/.exec(line) ?? [];
      if (metric !== undefined)
        series.set(metric, new Set([...labels.matchAll(/(\w+)="/g)].map(([, label = ""]) => label)));
    }
    // A query with its selectors and groups, up to the next metric: `aisle_x{index=~"$index"}`, `sum by (route) (aisle_x)`.
    const queries = [...alerts.matchAll(/expr:.*(?:\n {10}.*)*/g), ...dashboard.matchAll(/"expr": ".*"/g)].map(
      ([query]) => query,
    );
    const asked = queries.flatMap((query) => {
      const labels = [...query.matchAll(/(\w+) ?=~?\\?"|\b(?:by|ignoring) ?\((\w+)\)/g)].map(
        ([, one, other]) => one ?? other ?? "",
      );
      const metrics = [...query.matchAll(/aisle_\w+/g)].map(([metric]) => metric);
      return metrics.map((metric) => ({ metric, labels }));
    });
    expect(asked.length).toBeGreaterThan(15);
    const missing = asked.filter(({ metric, labels }) => {
      const known = series.get(metric);
      return known === undefined || labels.some((label) => !known.has(label));
    });
    expect(missing).toEqual([]);
  });

  test("for the role admin only, where administration is exposed", async ({ expect }) => {
    const users = JSON.stringify({
      ann: { password: "a", roles: ["admin"] },
      ivy: { password: "i", roles: ["index"] },
    });
    const status = async (settings: Settings, init?: RequestInit): Promise<number> => {
      const response = await callWith(settings, "/metrics", init);
      await response.text();
      return response.status;
    };
    expect(await status({})).toBe(401);
    expect(await status({ AUTH_USERS: users })).toBe(401);
    expect(await status({ AUTH_USERS: users }, basic("ivy", "i"))).toBe(403);
    expect(await status({ AUTH_USERS: users }, basic("ann", "a"))).toBe(200);
    expect(await status({ AUTH_USERS: users, EXPOSE: "search" }, basic("ann", "a"))).toBe(404);
  });
});
