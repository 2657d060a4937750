// Entries called like what every object of JavaScript has: `__proto__`, `constructor`, `toString`, `hasOwnProperty`.
// 1. Entries of indexes, tenants and suggest of that name are kept, given back, found and removed like any other.
// 2. A tenant of that name in a whole document is one that searches; without it there is none.
// 3. A rules text may have any name. (Mistakes in such entries, and that nothing of them is stored:
//    interface/configuration-*, admin.)
//
// The configuration is one document for all tests of the run: it is put back.
import { afterAll, beforeAll, describe, test } from "vitest";
import { call, errorOf, freshName, send } from "./support.ts";

const CONFIG = "/admin-api/v1/config";
const NAMES = ["__proto__", "constructor", "toString", "hasOwnProperty"] as const;

let before: unknown;
beforeAll(async () => {
  before = await (await call(CONFIG)).json();
});
afterAll(async () => {
  await (await call(CONFIG, send("PUT", before))).text();
});

async function live(): Promise<string> {
  const index = freshName("names");
  const documents = [{ id: "1", data: { title: "Shoe" } }];
  const path = `/indexer-api/v1/update/${index}?langCode=en`;
  const put = await call(path, send("PUT", documents));
  if (put.status !== 200) throw new Error(await put.text());
  await put.text();
  return index;
}

describe.each(NAMES)("%s", (name) => {
  test.for([
    ["index", { "index-settings": { "minimum-document-count": 1 } }],
    ["tenant", { "index-name": "other" }],
    ["suggest", { "source-fields": ["brand"] }],
  ] as const)("1: entry of %s", async ([kind, entry], { expect }) => {
    const path = `${CONFIG}/${kind}/${name}`;
    expect((await errorOf(await call(path))).type).toBe("configuration_not_found");
    const put = await call(path, send("PUT", entry));
    expect([put.status, await put.json()]).toEqual([200, { version: expect.any(Number) }]);
    expect(await (await call(path)).json()).toEqual(entry);
    expect((await call(path, { method: "DELETE" })).status).toBe(200);
    expect((await errorOf(await call(path))).type).toBe("configuration_not_found");
  });

  test("2: tenant of a document", async ({ expect }) => {
    const index = await live();
    const search = `/search-api/v1/search/${name}?q=shoe`;
    expect((await errorOf(await call(search))).type).toBe("index_not_found");
    const text = `{"ocs": {"tenant-config": {"${name}": {"index-name": "${index}"}}}}`;
    expect((await call(CONFIG, send("PUT", text))).status).toBe(200);
    expect(await (await call(CONFIG)).text()).toBe(JSON.stringify(JSON.parse(text)));
    const found = await call(search);
    const answer: { slices: { matchCount: number }[] } = await found.json();
    expect([found.status, answer.slices[0]?.matchCount]).toEqual([200, 1]);
    const tenants: string[] = await (await call("/search-api/v1/tenants")).json();
    expect(tenants).toContain(name);
    expect((await call(`${CONFIG}/tenant/${name}`, { method: "DELETE" })).status).toBe(200);
    expect((await errorOf(await call(search))).type).toBe("index_not_found");
  });
});

test("3: rules of any name", async ({ expect }) => {
  for (const name of ["__proto__", "constructor", "toString"]) {
    const path = `${CONFIG}/rules/${name}`;
    expect((await call(path)).status).toBe(404);
    expect((await call(path, { method: "PUT", body: "a =>\n  SYNONYM: b\n" })).status).toBe(200);
    expect(await (await call(path)).text()).toBe("a =>\n  SYNONYM: b\n");
    expect((await call(path, { method: "DELETE" })).status).toBe(200);
    expect((await call(path)).status).toBe(404);
  }
});
