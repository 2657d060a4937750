// The administration:
// 1. the whole configuration document: DELETE removes it; (files of the reference as JSON and YAML: claims of 8;)
// 2. entries of indexes, tenants and suggest are edited inside it, in any spelling, without touching the rest, also
//    those that are called like what every object of JavaScript has;
// 3. mistakes are 400 with the path in what was sent, and change nothing (every kind of them:
//    interface/configuration*);
// 4. rules are kept as text; a text that breaks the grammar is refused with all its lines and columns;
// 5. bodies that are no JSON or YAML, or too large, are refused;
// 6. indexes and sessions that do not exist are 404, or not listed.
//
// The configuration is one document for all tests of the run: tests here never replace it without putting it back.
import { afterAll, beforeAll, describe, test } from "vitest";
import { LIMITS } from "../../src/interface/index.ts";
import { call, errorOf, freshName, publish, refusal, send } from "./support.ts";
import { table } from "../support/table.ts";

const CONFIG = "/admin-api/v1/config";

let before: unknown;
beforeAll(async () => {
  before = await (await call(CONFIG)).json();
});
afterAll(async () => {
  await (await call(CONFIG, send("PUT", before))).text();
});

test("the document: removed, nothing is configured, and removing again is 404 (1)", async ({ expect }) => {
  expect((await call(CONFIG, send("PUT", { ocs: {} }))).status).toBe(200);
  expect((await call(CONFIG, { method: "DELETE" })).status).toBe(200);
  expect(await (await call(CONFIG)).json()).toEqual({});
  const again = await call(CONFIG, { method: "DELETE" });
  expect((await errorOf(again)).type).toBe("configuration_not_found");
});

/** What every object of JavaScript has. */
const INHERITED = ["__proto__", "constructor", "toString", "hasOwnProperty"] as const;

describe("entries (2)", () => {
  const entries: readonly (readonly [kind: string, entry: object])[] = [
    ["index", { "index-settings": { minimumDocumentCount: 5 } }],
    ["tenant", { indexName: "other", "variant-picking-strategy": "PICK_ALWAYS" }],
    ["suggest", { sourceFields: ["brand", "title"], group: { key: "type", "cutoff-conf": "brand=2" } }],
  ];
  const named = ["shop", ...INHERITED].flatMap((name) => entries.map(([kind, entry]) => [kind, name, entry] as const));

  test.for(named)("of %s, called %s", async ([kind, name, entry], { expect }) => {
    const [one, other] = [name === "shop" ? freshName(kind) : name, freshName(kind)];
    for (const name of [one, other]) {
      expect((await call(`${CONFIG}/${kind}/${name}`, send("PUT", entry))).status).toBe(200);
      expect(await (await call(`${CONFIG}/${kind}/${name}`)).json()).toEqual(entry);
    }
    const changed = kind === "tenant" ? { indexName: "third" } : {};
    await (await call(`${CONFIG}/${kind}/${one}`, send("PUT", changed))).text();
    expect(await (await call(`${CONFIG}/${kind}/${one}`)).json()).toEqual(changed);
    expect((await call(`${CONFIG}/${kind}/${one}`, { method: "DELETE" })).status).toBe(200);
    expect((await errorOf(await call(`${CONFIG}/${kind}/${one}`))).type).toBe("configuration_not_found");
    expect((await errorOf(await call(`${CONFIG}/${kind}/${one}`, { method: "DELETE" }))).type).toBe(
      "configuration_not_found",
    );
    expect(await (await call(`${CONFIG}/${kind}/${other}`)).json()).toEqual(entry);
  });

  test("inside a document spelled otherwise, names with dots in brackets", async ({ expect }) => {
    const name = freshName("my.shop");
    await (await call(CONFIG, send("PUT", { ocs: { tenantConfig: { [`[${name}]`]: { indexName: "a" } } } }))).text();
    expect(await (await call(`${CONFIG}/tenant/${encodeURIComponent(name)}`)).json()).toEqual({ indexName: "a" });
    await (await call(`${CONFIG}/tenant/${name}`, send("PUT", { indexName: "b" }))).text();
    expect(await (await call(CONFIG)).json()).toEqual({ ocs: { tenantConfig: { [`[${name}]`]: { indexName: "b" } } } });
  });
});

test.for(INHERITED)("a tenant called %s searches, and is none without its entry (2)", async (name, { expect }) => {
  const index = freshName("names");
  await publish(index, [{ id: "1", data: { title: "Shoe" } }]);
  const search = `/search-api/v1/search/${name}?q=shoe`;
  expect((await errorOf(await call(search))).type).toBe("index_not_found");
  const text = `{"ocs":{"tenant-config":{"${name}":{"index-name":"${index}"}}}}`;
  expect((await call(CONFIG, send("PUT", text))).status).toBe(200);
  expect(await (await call(CONFIG)).text()).toBe(text);
  expect(await (await call(search)).json()).toMatchObject({ slices: [{ matchCount: 1 }] });
  expect(await (await call("/search-api/v1/tenants")).json()).toContain(name);
  expect((await call(`${CONFIG}/tenant/${name}`, { method: "DELETE" })).status).toBe(200);
  expect((await errorOf(await call(search))).type).toBe("index_not_found");
});

describe("mistakes (3)", () => {
  test.for(table<[kind: string, entry: object, path: string, hint: string]>`
    tenant | ${{ facetConfiguration: { maxFacet: 3 } }} | ${"facetConfiguration.maxFacet"} | ${"max-facets"}
    tenant | ${[]} | ${""} | ${""}
    index
      | ${{
        "data-processor-configuration": {
          processors: ["ReplacePatternInValuesDataProcessor"],
          configuration: { ReplacePatternInValuesDataProcessor: { title: "(" } },
        },
      }}
      | ${"data-processor-configuration.configuration.ReplacePatternInValuesDataProcessor.title"} | ${""}
    suggest | ${{ maxFetchSize: "many" }} | ${"maxFetchSize"} | ${"number"}
  `)("%s %j", async ([kind, entry, path, hint], { expect }) => {
    const name = freshName("bad");
    const response = await call(`${CONFIG}/${kind}/${name}`, send("PUT", entry));
    expect(response.status).toBe(400);
    const { type, details } = await errorOf(response);
    expect(type).toBe("invalid_configuration");
    const { problems } = details as { problems: { path: string; message: string }[] };
    expect(problems.map((problem) => problem.path)).toContain(path);
    expect(problems.map((problem) => problem.message).join()).toContain(hint);
    expect((await call(`${CONFIG}/${kind}/${name}`)).status).toBe(404);
  });

  test("of the whole document, all at once", async ({ expect }) => {
    const kept = await (await call(CONFIG)).json();
    const response = await call(
      CONFIG,
      send("PUT", { ocs: { "tenant-conf": {}, "index-config": { shop: { fields: {} } } } }),
    );
    const { details } = await errorOf(response);
    const { problems } = details as { problems: { path: string }[] };
    expect(problems.map(({ path }) => path)).toContain("ocs.tenant-conf");
    expect(await (await call(CONFIG)).json()).toEqual(kept);
  });
});

test.for([freshName("rules"), "__proto__"])("rules: %s are kept as they are (4)", async (name, { expect }) => {
  const path = `${CONFIG}/rules/${name}`;
  expect((await call(path)).status).toBe(404);
  const text = "sneaker =>\n  SYNONYM(0.8): Turnschuh\n\n";
  expect((await call(path, { method: "PUT", body: text })).status).toBe(200);
  const response = await call(path);
  expect([response.headers.get("content-type"), await response.text()]).toEqual(["text/plain; charset=utf-8", text]);
  expect((await call(path, { method: "DELETE" })).status).toBe(200);
  expect((await errorOf(await call(path))).type).toBe("configuration_not_found");
  expect((await errorOf(await call(path, { method: "DELETE" }))).type).toBe("configuration_not_found");
});

test("broken rules: are refused with every line and column, and what was there stays (4)", async ({ expect }) => {
  const path = `${CONFIG}/rules/${freshName("rules")}`;
  const text = "tv =>\n  UP: oled\n";
  expect((await call(path, { method: "PUT", body: text })).status).toBe(200);
  const response = await call(path, {
    method: "PUT",
    body: "tv =>\n  BOOST: oled\n  UP(high): oled\n\n(a AND =>\n  FILTER: x\n",
  });
  const error = await errorOf(response);
  expect([error.code, error.type, error.message]).toEqual([
    400,
    "invalid_rules",
    'line 2, column 3: expected one of SYNONYM, FILTER, UP, DOWN, DELETE, DECORATE or REDIRECT, not "BOOST" (and 2 more)',
  ]);
  expect(error.details).toMatchObject({
    problems: [
      { line: 2, column: 3 },
      { line: 3, column: 6, message: 'expected a number from 0, not "high"' },
      { line: 5, column: 7, path: "line 5, column 7", message: "expected a word or (" },
    ],
  });
  expect(await (await call(path)).text()).toBe(text);
});

describe("unreadable bodies (5)", () => {
  test.for([
    ["", "application/json"],
    ["{", "application/json"],
    ["a: b", "application/json"],
    ["a: [1", "application/yaml"],
    ["a: 1\na: 2", "text/plain"],
    ["a: 1\n---\nb: [", "application/yaml"],
    ["null", "application/json"],
    ["# nothing", "application/yaml"],
    ["---\n", "application/yaml"],
  ] as const)("%j as %s", async ([body, contentType], { expect }) => {
    const init = { method: "PUT", body, headers: { "content-type": contentType } };
    expect(await refusal(call(CONFIG, init))).toBe("400 bad_request");
  });

  test("a key that is there twice, with its place", async ({ expect }) => {
    const headers = { "content-type": "application/yaml" };
    const body = "ocs:\n  first: 1\n  second: 2\n  first: 3\n";
    const error = await errorOf(await call(CONFIG, { method: "PUT", body, headers }));
    expect(error).toMatchObject({ details: { line: 4, column: 3 } });
    expect(error.message).toContain("first");
  });

  test("15,000 keys, and as many mistakes, are refused at once", async ({ expect }) => {
    const keys = Array.from({ length: 15_000 }, (_, i) => `k${i}: 1`).join("\n");
    const headers = { "content-type": "application/yaml" };
    const error = await errorOf(await call(CONFIG, { method: "PUT", body: keys, headers }));
    expect(error.type).toBe("invalid_configuration");
    expect(JSON.stringify(error).length).toBeLessThan(100_000);
  });

  test("thousands of wrong entries: the first ones are named; more than anybody sends are refused", async ({
    expect,
  }) => {
    const path = `${CONFIG}/tenant/${freshName("wrong")}`;
    const put = async (count: number): ReturnType<typeof errorOf> => {
      const facets = Array.from({ length: count }, () => 1);
      return errorOf(await call(path, send("PUT", { "facet-configuration": { facets } })));
    };
    expect((await put(200_000)).type).toBe("bad_request");
    const error = await put(15_000);
    expect(error.type).toBe("invalid_configuration");
    const { problems } = error.details as { problems: readonly unknown[] };
    expect(problems).toHaveLength(100);
  });

  test("too large", async ({ expect }) => {
    const body = "x".repeat(LIMITS.configurationBytes.value + 1);
    expect(await refusal(call(`${CONFIG}/rules/large`, { method: "PUT", body }))).toBe("413 body_too_large");
  });

  test("a text that is no UTF-8", async ({ expect }) => {
    const response = await call(`${CONFIG}/rules/latin`, { method: "PUT", body: new Uint8Array([0x66, 0xfc, 0x72]) });
    expect((await errorOf(response)).type).toBe("bad_request");
  });
});

test.for([
  ["GET", "/admin-api/v1/indexes/no-such-index"],
  ["DELETE", "/admin-api/v1/indexes/no-such-index"],
  ["POST", "/admin-api/v1/indexes/no-such-index/rollback"],
] as const)("what is not there: %s %s (6)", async ([method, path], { expect }) => {
  expect(await refusal(call(path, { method }))).toBe("404 index_not_found");
});
