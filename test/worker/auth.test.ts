// Who may call what:
// 1. passwords, no role, several roles (every operation under every role: roles.test.ts);
// 2. search and suggest are public unless AUTH_PUBLIC_SEARCH is "false"; credentials on public calls are ignored, even
//    wrong ones;
// 3. without AUTH_USERS: open in local development, anywhere else 401 naming the secret;
// 4. an unreadable secret lets nobody in and shows nothing of itself, neither in answers nor in the log;
// 5. credentials are read as RFC 7617 says: case of the scheme, colons in passwords, UTF-8.
import { describe, test, vi } from "vitest";
import { readCredentials } from "../../src/worker/auth.ts";
import { PARTS, type Part, type Settings } from "../../src/worker/settings.ts";
import { basic, callWith, errorOf } from "./support.ts";

const USERS = JSON.stringify({
  seeker: { password: "pw:with:colons", roles: ["search"] },
  feeder: { password: "pässwörd", roles: ["index"] },
  chief: { password: "3", roles: ["admin"] },
  nobody: { password: "4", roles: [] },
  both: { password: "5", roles: ["search", "index"] },
});

/** A path of the part that exists and whose answer needs nothing but the catalog. */
const PATHS: Readonly<Record<Part, string>> = {
  search: "/search-api/v1/tenants",
  suggest: "/suggest-api/v1/no-such-index/suggest?q=a",
  indexer: "/indexer-api/v1/full/start/INVALID?locale=en",
  admin: "/admin-api/v1/sessions",
};
/** What the path answers when the door is open. */
const OPEN: Readonly<Record<Part, number>> = { search: 200, suggest: 200, indexer: 400, admin: 200 };

async function statusOf(settings: Settings, part: Part, init?: RequestInit): Promise<number> {
  const response = await callWith(settings, PATHS[part], init);
  await response.text();
  return response.status;
}

describe("users (1)", () => {
  const closed: Settings = { AUTH_USERS: USERS, AUTH_PUBLIC_SEARCH: "false" };

  test.for(PARTS)("%s: a wrong password, a user without roles, the administrator", async (part, { expect }) => {
    expect(await statusOf(closed, part, basic("chief", "wrong"))).toBe(401);
    expect(await statusOf(closed, part, basic("nobody", "4"))).toBe(403);
    expect(await statusOf(closed, part, basic("chief", "3"))).toBe(OPEN[part]);
  });

  test("two roles, and passwords of any characters", async ({ expect }) => {
    const statuses = PARTS.map((part) => statusOf(closed, part, basic("both", "5")));
    expect(await Promise.all(statuses)).toEqual(PARTS.map((part) => (part === "admin" ? 403 : OPEN[part])));
    expect(await statusOf(closed, "search", basic("seeker", "pw:with:colons"))).toBe(200);
  });

  test.for(PARTS)("nobody gets into %s without credentials", async (part, { expect }) => {
    const response = await callWith(closed, PATHS[part]);
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toBe('Basic realm="search"');
    expect((await errorOf(response)).type).toBe("unauthorized");
  });

  test.for(["unknown", "__proto__", "constructor", ""])("%j is no user", async (user, { expect }) => {
    expect(await statusOf(closed, "admin", basic(user, ""))).toBe(401);
  });

  test("a known user without the role is told the role", async ({ expect }) => {
    const response = await callWith(closed, PATHS.admin, basic("feeder", "pässwörd"));
    const { type, message } = await errorOf(response);
    expect([type, message]).toEqual(["forbidden", "This call needs the role admin."]);
  });
});

test.for([undefined, "", "true", "yes"])("public search: AUTH_PUBLIC_SEARCH=%j (2)", async (value, { expect }) => {
  const settings: Settings = { AUTH_USERS: USERS, ...(value === undefined ? {} : { AUTH_PUBLIC_SEARCH: value }) };
  for (const part of ["search", "suggest"] as const) {
    expect(await statusOf(settings, part)).toBe(200);
    expect(await statusOf(settings, part, basic("seeker", "wrong"))).toBe(200);
    expect(await statusOf(settings, part, { headers: { authorization: "Bearer x" } })).toBe(200);
  }
  expect(await statusOf(settings, "indexer")).toBe(401);
  expect(await statusOf(settings, "admin")).toBe(401);
});

describe("without users (3)", () => {
  test.for(PARTS)("%s in local development is open", async (part, { expect }) => {
    expect(await statusOf({ ENVIRONMENT: "development", AUTH_PUBLIC_SEARCH: "false" }, part)).toBe(OPEN[part]);
  });

  test.for([{}, { ENVIRONMENT: "production" }, { AUTH_USERS: "" }, { AUTH_USERS: "  ", ENVIRONMENT: "Development" }])(
    "%j is closed and says what to set",
    async (settings, { expect }) => {
      for (const part of ["indexer", "admin"] as const) {
        const response = await callWith(settings, PATHS[part], basic("admin", "admin"));
        expect(response.status).toBe(401);
        expect((await errorOf(response)).message).toContain("AUTH_USERS");
      }
      expect(await statusOf(settings, "search")).toBe(200);
      expect(await statusOf({ ...settings, AUTH_PUBLIC_SEARCH: "false" }, "search")).toBe(401);
    },
  );

  test("users count in local development, too", async ({ expect }) => {
    const settings: Settings = { ENVIRONMENT: "development", AUTH_USERS: USERS };
    expect(await statusOf(settings, "admin")).toBe(401);
    expect(await statusOf(settings, "admin", basic("chief", "3"))).toBe(200);
  });
});

test.for([
  "hunter2",
  "[]",
  '{"chief": "hunter2"}',
  '{"chief": {"password": "hunter2"}}',
  '{"chief": {"password": "hunter2", "roles": ["root"]}}',
  '{"chief": {"password": "", "roles": ["admin"]}}',
])("an unreadable secret: %s (4)", async (secret, { expect }) => {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  const response = await callWith(
    { AUTH_USERS: secret, ENVIRONMENT: "development" },
    PATHS.admin,
    basic("chief", "hunter2"),
  );
  const { type, message } = await errorOf(response);
  // Reads the secret, too, if some index is for its tenants only.
  expect(await statusOf({ AUTH_USERS: secret }, "search")).toBe(200);
  const logged = log.mock.calls.flat().join("\n");
  log.mockRestore();
  expect([response.status, type]).toEqual([503, "misconfigured"]);
  expect(logged).toContain("AUTH_USERS");
  expect(logged + message).not.toContain("hunter2");
});

test.for([
  ["Basic dTpw", { user: "u", password: "p" }],
  ["basic dTpw", { user: "u", password: "p" }],
  ["BASIC   dTpw  ", { user: "u", password: "p" }],
  ["Basic dTphOmI6", { user: "u", password: "a:b:" }],
  ["Basic dTo=", { user: "u", password: "" }],
  ["Basic w6Q6w7Y=", { user: "ä", password: "ö" }],
  ["Basic dQ==", null],
  ["Basic 5Dr2", null],
  ["Basic !!!", null],
  ["Basic", null],
  ["Bearer dTpw", null],
  ["", null],
  [null, null],
] as const)("credentials: %j (5)", ([header, credentials], { expect }) => {
  expect(readCredentials(header)).toEqual(credentials);
});
