// Indexes for their tenants only (docs/security.md "Tenants"):
// 1. By its own name such an index is unknown to everybody: searches, arranged ones, documents, suggestions and the
//    list of tenants answer as for a name that does not exist. Its tenants answer, with their rules.
// 2. Users with the role read and the name in reach have it by its own name; others with accounts do not.
// 3. The next request follows the mark, set or taken away, without an import; also the one of the default entry.
// 4. A configured tenant of the index's own name is a tenant: searched with its rules, without suggestions.
import { beforeAll, describe, test } from "vitest";
import type { Settings } from "../../src/worker/settings.ts";
import { callAs, errorOf, freshName, ok, send } from "./support.ts";

const index = freshName("hidden");
const tenant = freshName("hidden-tenant");

const SETTINGS: Settings = {
  AUTH_USERS: JSON.stringify({
    admin: { password: "p", roles: ["admin"] },
    reader: { password: "p", roles: ["read"], names: ["hidden*"] },
    writer: { password: "p", roles: ["write"] },
    stranger: { password: "p", roles: ["read"], names: ["else"] },
  }),
};

const as = callAs(SETTINGS);

async function configure(path: string, section: unknown): Promise<void> {
  await (await ok(await as("admin", `/admin-api/v1/config/${path}`, send("PUT", section)))).arrayBuffer();
}

const mark = (isMarked: boolean): Promise<void> =>
  configure(`index/${index}`, { "index-settings": { "tenants-only": isMarked } });

beforeAll(async () => {
  const documents = ["one", "two"].map((id) => ({ id, data: { title: `shoe ${id}`, line: id } }));
  const path = `/indexer-api/v1/update/${index}?langCode=en`;
  await (await as("admin", path, send("PUT", documents))).arrayBuffer();
  const rules = freshName("hidden-rules");
  await as("admin", `/admin-api/v1/config/rules/${rules}`, { method: "PUT", body: "shoe =>\n  FILTER: * line:one\n" });
  const section = {
    "index-name": index,
    "query-processing": { "user-query-analyzer": "QuerqyQueryExpander" },
    "plugin-configuration": { QuerqyQueryExpander: { common_rules_url: rules } },
  };
  await configure(`tenant/${tenant}`, section);
  await mark(true);
});

const PATHS = [
  `/search-api/v1/search/${index}?q=shoe`,
  `/search-api/v1/search/${index}?trace=Explain`,
  `/search-api/v1/doc/${index}/two`,
];
const suggestPath = `/suggest-api/v1/${index}/suggest?userQuery=sho`;

async function arranged(user: string | null): Promise<Response> {
  return as(user, `/search-api/v1/search/arranged/${index}`, send("POST", { q: "shoe" }));
}

async function tenants(user: string | null): Promise<string[]> {
  return (await as(user, "/search-api/v1/tenants")).json();
}

async function countOf(user: string | null, name: string): Promise<number> {
  const response = await as(user, `/search-api/v1/search/${name}?q=shoe`);
  const { slices }: { slices: { matchCount: number }[] } = await response.json();
  return slices[0]?.matchCount ?? 0;
}

describe.for([null, "stranger", "writer"])("for %s", (user) => {
  test("its own name is unknown (1, 2)", async ({ expect }) => {
    for (const path of PATHS) {
      expect((await errorOf(await as(user, path))).type).toBe("index_not_found");
    }
    expect((await errorOf(await arranged(user))).type).toBe("index_not_found");
    expect(await (await as(user, suggestPath)).json()).toEqual([]);
    const names = await tenants(user);
    expect(names).toContain(tenant);
    expect(names).not.toContain(index);
    expect(await countOf(user, tenant)).toBe(1);
  });
});

describe.for(["reader", "admin"])("for %s", (user) => {
  test("its own name is there (2)", async ({ expect }) => {
    for (const path of PATHS) {
      const response = await as(user, path);
      await response.arrayBuffer();
      expect(response.status).toBe(200);
    }
    expect((await arranged(user)).status).toBe(200);
    expect(await (await as(user, suggestPath)).json()).not.toEqual([]);
    expect(await tenants(user)).toEqual(expect.arrayContaining([tenant, index]));
    expect(await countOf(user, index)).toBe(2);
  });
});

test("the next request follows the mark (3)", async ({ expect }) => {
  await mark(false);
  expect(await countOf(null, index)).toBe(2);
  expect(await (await as(null, suggestPath)).json()).not.toEqual([]);
  expect(await tenants(null)).toContain(index);
  await mark(true);
  expect((await errorOf(await as(null, PATHS[0] ?? ""))).type).toBe("index_not_found");
  expect(await (await as(null, suggestPath)).json()).toEqual([]);
});

test("a tenant of the index's own name is a tenant (4)", async ({ expect }) => {
  await configure(`tenant/${index}`, { "variant-picking-strategy": "pickAlways" });
  expect(await countOf(null, index)).toBe(2);
  expect(await (await as(null, suggestPath)).json()).toEqual([]);
  const removed = await as("admin", `/admin-api/v1/config/tenant/${index}`, { method: "DELETE" });
  await removed.arrayBuffer();
  expect((await errorOf(await as(null, PATHS[0] ?? ""))).type).toBe("index_not_found");
});
