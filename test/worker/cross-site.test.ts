// What pages of other sites can make a browser send (docs/security.md "Other sites"):
// 1. Forms, links and scripts that nobody asks about change nothing, by Sec-Fetch-Site, and by Origin where that is
//    missing; on every operation that changes something.
// 2. What a browser asks about first, our own pages, addresses that a person typed, and clients without Origin work.
// 3. Reading calls are open to every page.
// 4. The Basic challenge comes with navigations and to clients that are no browser, not to scripts in a page.
import { describe, test } from "vitest";
import { OPERATIONS } from "../../src/worker/operations/index.ts";
import { call, callWith, errorOf, freshName } from "./support.ts";

type Headers = Readonly<Record<string, string>>;

const CHANGING = OPERATIONS.filter(({ part, method }) => part === "indexer" || (part === "admin" && method !== "get"));
const UNASKED = CHANGING.filter(({ method }) => method === "get" || method === "post");

const FORM: Headers = { "content-type": "application/x-www-form-urlencoded" };
const TEXT: Headers = { "content-type": "text/plain; x=application/json" };
const JSON_TYPE: Headers = { "content-type": "application/json" };
const NAVIGATION: Headers = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" };

const FORGED: readonly Headers[] = [
  { ...NAVIGATION, ...FORM },
  { ...NAVIGATION, ...FORM, "sec-fetch-site": "same-site" },
  { ...NAVIGATION, ...TEXT },
  { ...NAVIGATION, "content-type": "multipart/form-data; boundary=x" },
  { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", ...TEXT },
  { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" },
  { "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors", ...TEXT },
  { "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors", "content-type": "TEXT/PLAIN" },
  { ...NAVIGATION, ...JSON_TYPE },
  { origin: "https://evil.example", ...FORM },
  { origin: "https://localhost.evil.example", ...TEXT },
  { origin: "null", ...FORM },
  // What a link with `ping` sends.
  { origin: "https://evil.example", "content-type": "text/ping" },
  { origin: "http://localhost:1", ...TEXT },
];

const WELCOME: readonly Headers[] = [
  {},
  FORM,
  TEXT,
  JSON_TYPE,
  { "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors", ...TEXT },
  { "sec-fetch-site": "none", "sec-fetch-mode": "navigate" },
  { origin: "http://localhost", ...TEXT },
  { origin: "https://shop.example", ...JSON_TYPE },
  { "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors", ...JSON_TYPE },
];

async function statusOf(method: string, path: string, headers: Headers): Promise<number> {
  const isGet = method === "get";
  const response = await call(path.replaceAll(/\{\w+\}/g, "NO-SUCH"), {
    method: method.toUpperCase(),
    headers,
    ...(!isGet && { body: "{" }),
  });
  await response.arrayBuffer();
  return response.status;
}

describe("changes (1, 2)", () => {
  test.for(UNASKED)("$id", async ({ method, path }, { expect }) => {
    for (const headers of FORGED) expect([headers, await statusOf(method, path, headers)]).toEqual([headers, 403]);
    for (const headers of WELCOME) expect(await statusOf(method, path, headers)).not.toBe(403);
  });

  test.for(CHANGING.filter(({ method }) => method !== "get" && method !== "post" && method !== "delete"))(
    "$id is asked about by every browser",
    async ({ method, path }, { expect }) => {
      const headers = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors", ...TEXT };
      expect(await statusOf(method, path, headers)).not.toBe(403);
    },
  );

  test("a form leaves no trace", async ({ expect }) => {
    const name = freshName("forged");
    const path = `/indexer-api/v1/full/start/${name}?locale=en`;
    const response = await call(path, { headers: NAVIGATION });
    expect((await errorOf(response)).message).toContain("Content-Type: application/json");
    const sessions: { indexName: string }[] = await (await call("/admin-api/v1/sessions")).json();
    expect(sessions.filter(({ indexName }) => indexName === name)).toEqual([]);
  });
});

test("reading is open to every page (3)", async ({ expect }) => {
  for (const path of ["/search-api/v1/tenants", "/admin-api/v1/indexes", "/health", "/docs"]) {
    const response = await call(path, { headers: { ...NAVIGATION, origin: "https://a.example" } });
    await response.arrayBuffer();
    expect(response.status).toBe(200);
  }
  const arranged = await call("/search-api/v1/search/arranged/no-such", {
    method: "POST",
    body: "{}",
    headers: { ...TEXT, "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors" },
  });
  expect((await errorOf(arranged)).type).toBe("index_not_found");
});

test.for<[string, Headers, boolean]>([
  ["curl", {}, true],
  ["a person", { "sec-fetch-mode": "navigate", "sec-fetch-site": "none" }, true],
  ["fetch", { "sec-fetch-mode": "cors", "sec-fetch-site": "same-origin" }, false],
  ["fetch without metadata", { origin: "https://shop.example" }, false],
  ["XMLHttpRequest of a library", { "x-requested-with": "XMLHttpRequest" }, false],
  ["an image", { "sec-fetch-mode": "no-cors", "sec-fetch-site": "same-origin" }, false],
])("the challenge: %s (4)", async ([, headers, isChallenged], { expect }) => {
  const response = await callWith({ AUTH_USERS: "" }, "/admin-api/v1/sessions", { headers });
  expect((await errorOf(response)).type).toBe("unauthorized");
  expect(response.headers.get("www-authenticate")).toBe(isChallenged ? 'Basic realm="search"' : null);
});
