// Users limited to roles and to names (docs/security.md "Users and roles"):
// 1. The whole table: every operation of the service under every role; `index` is write, admin includes all.
// 2. A user limited to names reaches nothing else by any operation, also not by the session in a body, and lists show
//    only what the names reach.
// 3. A limited administrator gives no tenant the index or the rules of others; what the default entry names is for all.
// 4. A misspelt key of AUTH_USERS closes the door instead of opening it, and is not in the log.
import { beforeAll, describe, test, vi } from "vitest";
import type { ImportSession } from "../../src/interface/index.ts";
import { OPERATIONS, type Operation } from "../../src/worker/operations/index.ts";
import type { Settings } from "../../src/worker/settings.ts";
import { basic, call, callAs, callWith, errorOf, freshName, publish, send, startImport } from "./support.ts";

const mine = freshName("mine");
const other = freshName("other");
const rules = { mine: freshName("mine-rules"), other: freshName("other-rules") };

const SHOES = [{ id: "1", data: { title: "shoe" } }];

const ROLES = ["search", "read", "write", "index", "admin"] as const;
const SETTINGS: Settings = {
  AUTH_PUBLIC_SEARCH: "false",
  AUTH_USERS: JSON.stringify({
    ...Object.fromEntries(ROLES.map((role) => [role, { password: "p", roles: [role] }])),
    nobody: { password: "p", roles: ["search", "read", "write", "admin"], names: [] },
    limited: { password: "p", roles: ["admin"], names: [mine, "mine-*"] },
    reader: { password: "p", roles: ["read"], names: [mine] },
    writer: { password: "p", roles: ["write"], names: ["mine-*"] },
    all: { password: "p", roles: ["admin"], names: ["*"] },
  }),
};

const as = callAs(SETTINGS);

beforeAll(async () => {
  await publish(mine, SHOES);
  await publish(other, SHOES);
  for (const name of [rules.mine, rules.other]) {
    const init = { method: "PUT", body: "shoe =>\n  SYNONYM: boot\n" };
    await call(`/admin-api/v1/config/rules/${name}`, init);
  }
});

/** Operations with a role; nothing of theirs happens, whatever is sent. */
const guarded = OPERATIONS.filter(({ part }) => part !== null);

function pathOf({ path, parameters }: Operation, name: string): string {
  const filled = path.replace(/\{(?:tenant|indexname|indexName|name)\}/, name).replace(/\{(?:id|version)\}/, "1");
  return parameters.some((one) => one.name === "entry") ? `${filled}?entry=rules/${name}` : filled;
}

/** A body or an id that no operation accepts: whoever gets past the door gets 400, and nothing changes. */
function initOf({ method, body }: Operation): RequestInit {
  const upper = method.toUpperCase();
  return body === null ? { method: upper } : { method: upper, body: "{", headers: JSON_TYPE };
}
const JSON_TYPE = { "content-type": "application/json" };

function leastRoleOf({ id, part }: Operation): string {
  if (part === "search" || part === "suggest") return "search";
  if (part === "indexer") return "write";
  return ["getIndexes", "getIndex", "exportIndex", "exportTenant"].includes(id) ? "read" : "admin";
}

const ALLOWED: Readonly<Record<(typeof ROLES)[number], readonly string[]>> = {
  search: ["search"],
  read: ["search", "read"],
  write: ["search", "write"],
  index: ["search", "write"],
  admin: ["search", "read", "write", "admin"],
};

test.for(guarded)("roles: $id (1)", async (operation, { expect }) => {
  // Of a name that nobody has: what is let in finds nothing to change.
  const path = pathOf(operation, "no_such_name");
  const needed = leastRoleOf(operation);
  for (const role of ROLES) {
    const isAllowed = ALLOWED[role].includes(needed);
    // What would change the whole deployment is not tried by who may.
    if (isAllowed && operation.id === "deleteConfiguration") continue;
    const response = await as(role, path, initOf(operation));
    await response.arrayBuffer();
    expect([role, response.status === 403]).toEqual([role, !isAllowed]);
    expect(response.status).not.toBe(401);
  }
  const stranger = await callWith(SETTINGS, path, initOf(operation));
  await stranger.arrayBuffer();
  expect(stranger.status).toBe(401);
});

describe("names (2)", () => {
  /** Named in the body. */
  const bySession = ["add", "done", "cancel"];
  const byList = ["getTenants", "getIndexes", "getSessions"];

  test.for(guarded.filter(({ id }) => !bySession.includes(id) && !byList.includes(id)))(
    "$id of another name",
    async (operation, { expect }) => {
      for (const user of ["limited", "nobody"]) {
        const response = await as(user, pathOf(operation, other), initOf(operation));
        expect([user, (await errorOf(response)).type]).toEqual([user, "forbidden"]);
      }
    },
  );

  test("the same name in other spellings", async ({ expect }) => {
    for (const name of [`${other}/`, `%6d${mine.slice(1)}/../${other}`, `${mine}%2f..%2f${other}`]) {
      const response = await as("limited", `/admin-api/v1/indexes/${name}`);
      await response.arrayBuffer();
      expect([403, 404]).toContain(response.status);
    }
    const encoded = await as("limited", `/admin-api/v1/indexes/%6d${mine.slice(1)}`);
    expect(encoded.status).toBe(200);
    await encoded.arrayBuffer();
    const hidden = await as("limited", `/admin-api/v1/indexes/%${"o".charCodeAt(0).toString(16)}${other.slice(1)}`);
    expect((await errorOf(hidden)).type).toBe("forbidden");
  });

  test("sessions in bodies", async ({ expect }) => {
    const session = await startImport(other);
    const documents = [{ id: "2", data: { title: "sock" } }];
    const disguised = { ...session, finalIndexName: mine };
    for (const operation of ["add", "done", "cancel"]) {
      const sent = (named: ImportSession): RequestInit =>
        send("POST", operation === "add" ? { session: named, documents } : named);
      const path = `/indexer-api/v1/full/${operation}`;
      expect((await errorOf(await as("writer", path, sent(session)))).type).toBe("forbidden");
      expect((await errorOf(await as("writer", path, sent(disguised)))).type).toBe("session_mismatch");
    }
    const info = await call("/admin-api/v1/sessions");
    const open: { indexName: string; documents: number }[] = await info.json();
    expect(open.find(({ indexName }) => indexName === other)?.documents).toBe(0);
    const shown: { indexName: string }[] = await (await as("limited", "/admin-api/v1/sessions")).json();
    expect(shown.filter(({ indexName }) => indexName === other)).toEqual([]);
    await call("/indexer-api/v1/full/cancel", send("POST", session));
  });

  test("what the names reach works, and lists show that only", async ({ expect }) => {
    const path = `/indexer-api/v1/update/${mine}`;
    const put = await as("writer", path, send("PUT", [{ id: "3", data: { title: "hat" } }]));
    expect(await put.json()).toEqual({ "3": "CREATED" });
    const denied = await as("reader", path, send("PUT", [{ id: "3", data: {} }]));
    expect((await errorOf(denied)).type).toBe("forbidden");
    for (const user of ["reader", "limited"]) {
      const exported = await as(user, `/admin-api/v1/indexes/${mine}/documents`);
      expect(
        new TextDecoder()
          .decode(await exported.bytes())
          .trim()
          .split("\n"),
      ).toHaveLength(2);
      const indexes: { name: string }[] = await (await as(user, "/admin-api/v1/indexes")).json();
      expect(indexes.map(({ name }) => name)).toEqual([mine]);
    }
    const tenants: string[] = await (await as("reader", "/search-api/v1/tenants")).json();
    expect(tenants).toEqual([mine]);
    const all: string[] = await (await as("all", "/search-api/v1/tenants")).json();
    expect(all).toEqual(expect.arrayContaining([mine, other]));
    const searched = await as("reader", `/search-api/v1/search/${mine}?q=shoe`);
    expect(searched.status).toBe(200);
    await searched.arrayBuffer();
  });
});

describe("a limited administrator (3)", () => {
  const tenant = freshName("mine-tenant");
  const withRules = (name: string): object => ({
    "index-name": mine,
    "query-processing": { "user-query-analyzer": "QuerqyQueryExpander" },
    "plugin-configuration": { QuerqyQueryExpander: { common_rules_url: name } },
  });

  test.for<[string, object, boolean]>([
    ["an own index", { "index-name": mine }, true],
    ["another index", { "index-name": other }, false],
    ["another index as well", { "index-name": `${mine}, ${other}` }, false],
    ["own rules", withRules(rules.mine), true],
    ["other rules", withRules(rules.other), false],
    ["other rules by address", withRules(`https://x.example/${rules.other}`), false],
  ])("%s", async ([, section, isAllowed], { expect }) => {
    const response = await as("limited", `/admin-api/v1/config/tenant/${tenant}`, send("PUT", section));
    if (!isAllowed) expect((await errorOf(response)).type).toBe("forbidden");
    else expect(Object.keys(await response.json())).toEqual(["version"]);
  });
});

test("a key that means nothing closes the door (4)", async ({ expect }) => {
  for (const user of [
    { password: "p", roles: ["admin"], name: [mine] },
    { password: "p", roles: ["admin"], hunter2: "p" },
    { password: "p", roles: ["admin"], names: ["a*b"] },
    { password: "p", roles: ["admin"], names: mine },
  ]) {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const response = await callWith(
      { AUTH_USERS: JSON.stringify({ limited: user }) },
      "/admin-api/v1/sessions",
      basic("limited", "p"),
    );
    const logged = log.mock.calls.flat().join("\n");
    log.mockRestore();
    expect((await errorOf(response)).type).toBe("misconfigured");
    expect(logged).toContain("limited");
    expect(logged).not.toContain("hunter2");
  }
});
