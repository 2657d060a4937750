// The pages for people, as the Worker serves them:
// 1. `/` is the playground, under a policy that lets nothing inline or foreign run;
// 2. its files have their types, are asked about each time (304 when they are the same), and are no other files;
// 3. nothing else changes by them: unknown paths, and methods the pages do not have, are errors of the interface;
// 4. the pages name only files that exist, and nothing of another host; the reference page has the same policy;
// 5. they are there whatever a deployment exposes, and need no credentials;
// 6. the forms of the reference page have examples for all operations, and those that write name nothing that is there.
import { describe, test } from "vitest";
import { exampleBody, exampleValue, isWriting } from "../../src/playground/logic/examples.ts";
import { EXAMPLES } from "../../src/worker/operations/examples.ts";
import { OPERATIONS } from "../../src/worker/operations/index.ts";
import { call, callWith, errorOf, refusal } from "./support.ts";

const FILES = [
  ["page.js", "text/javascript"],
  ["page.css", "text/css"],
  ["docs.js", "text/javascript"],
  ["docs.css", "text/css"],
  ["sample.js", "text/javascript"],
  ["feeds.js", "text/javascript"],
  ["icon.svg", "image/svg+xml"],
] as const;

/** What the files of a page are called in it. */
function addressesIn(html: string): string[] {
  return [...html.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, address]) => address ?? "");
}

function policyOf(response: Response): Map<string, string> {
  const text = response.headers.get("content-security-policy") ?? "";
  return new Map(
    text.split(";").map((directive) => {
      const [name = "", ...values] = directive.trim().split(" ");
      return [name, values.join(" ")];
    }),
  );
}

describe("the playground (1)", () => {
  test("is at the root", async ({ expect }) => {
    const response = await call("/");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const page = await response.text();
    expect(page).toContain('<script type="module" src="/playground/page.js">');
    expect(page).toContain('role="combobox"');
  });

  test.for(["/", "/docs"])("%s has a strict policy and nothing inline", async (path, { expect }) => {
    const response = await call(path);
    const policy = policyOf(response);
    for (const [name, value] of [
      ["default-src", "'none'"],
      ["script-src", "'self'"],
      ["style-src", "'self'"],
      ["connect-src", "'self'"],
      ["base-uri", "'none'"],
      ["form-action", "'none'"],
      ["frame-ancestors", "'none'"],
      ["require-trusted-types-for", "'script'"],
    ] as const) {
      expect([name, policy.get(name)]).toEqual([name, value]);
    }
    expect([...policy.values()].join(" ")).not.toContain("unsafe");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("referrer-policy")).toBe("no-referrer");
    const page = await response.text();
    expect(page).not.toMatch(/<style|\sstyle=|\son[a-z]+=/);
    expect(page).not.toMatch(/<script(?![^>]*\ssrc=)/);
  });
});

describe("files (2)", () => {
  test.for(FILES)("%s", async ([file, type], { expect }) => {
    const response = await call(`/playground/${file}`);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")?.split(";")[0]).toBe(type);
    expect(response.headers.get("cache-control")).toBe("no-cache");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(100);

    const tag = response.headers.get("etag") ?? "";
    expect(tag).not.toBe("");
    const again = await call(`/playground/${file}`, { headers: { "if-none-match": tag } });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    const head = await call(`/playground/${file}`, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });

  test.for(
    (
      "/playground/ /playground /playground/nothing.js /playground/page.ts " +
      "/playground/..%2fpage.js /playground/%2e%2e%2findex.html /playground/page.js/x " +
      "/index.html"
    ).split(" "),
  )("%s is not there", async (path, { expect }) => {
    expect(await refusal(call(path))).toBe("404 not_found");
  });
});

describe("everything else stays (3)", () => {
  test.for(["/nothing", "/favicon.ico", "/search-api", "/docs/x"])(
    "%s is an error of the interface, for browsers too",
    async (path, { expect }) => {
      const headers = { accept: "text/html", "sec-fetch-mode": "navigate" };
      expect(await refusal(call(path, { headers }))).toBe("404 not_found");
    },
  );

  test("pages are read only", async ({ expect }) => {
    for (const path of ["/", "/shop", "/playground/page.js"]) {
      const response = await call(path, { method: "POST", body: "x" });
      expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
      await errorOf(response);
    }
  });

  test("answers of the interface carry no policy of the pages", async ({ expect }) => {
    const response = await call("/search-api/v1/tenants");
    expect(response.headers.get("content-security-policy")).toBeNull();
    await response.text();
  });
});

test.for(["/", "/docs"])("what the pages name: %s (4)", async (path, { expect }) => {
  const addresses = addressesIn(await (await call(path)).text());
  expect(addresses.length).toBeGreaterThan(3);
  for (const address of addresses) {
    expect(address).toMatch(/^\/(?!\/)/);
    const response = await call(address);
    expect([address, response.status]).toEqual([address, 200]);
    await response.arrayBuffer();
  }
});

describe("deployments (5)", () => {
  test.for(["/", "/docs", "/shop", "/playground/page.js", "/playground/shop.js"])("%s", async (path, { expect }) => {
    const response = await callWith({ EXPOSE: "indexer", AUTH_PUBLIC_SEARCH: "false" }, path);
    expect(response.status).toBe(200);
    await response.arrayBuffer();
  });
});

describe("examples (6)", () => {
  test("can be read", ({ expect }) => {
    for (const { id, body } of OPERATIONS) {
      if (body === null || body === "text/plain") continue;
      const parsed: unknown = JSON.parse(exampleBody(EXAMPLES[id]?.body));
      if (typeof body !== "string") expect([id, body.safeParse(parsed).success]).toEqual([id, true]);
    }
  });

  test("name what is there only to read it", ({ expect }) => {
    for (const { id, method, parameters } of OPERATIONS) {
      for (const { name, in: place, required, doc } of parameters) {
        const described = { name, in: place, required, description: doc, schema: {} };
        const sent = EXAMPLES[id]?.parameters?.[name];
        const example = exampleValue(id, { ...described, example: sent }, ["shop"]);
        if (place === "path") expect([id, name, example]).not.toEqual([id, name, ""]);
        if (isWriting(method, id)) expect([id, name, example]).not.toEqual([id, name, "shop"]);
      }
    }
  });
});
