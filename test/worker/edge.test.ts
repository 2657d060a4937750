// What holds for the whole HTTP surface, whatever the operation:
// 1. unknown paths are 404, other methods 405 with Allow, both in the one error shape;
// 2. HEAD answers like GET without a body (but never opens an import session: details.test.ts);
// 3. browsers of any origin are let in, preflights are answered for existing paths and kept long;
// 4. EXPOSE leaves the parts it names and answers 404 for the others;
// 5. what nobody foresaw is 500 with an errorId that is in the log, and nothing of the cause in the answer;
// 6. passing failures of the platform are 429 and 503 with Retry-After;
// 7. one structured line per request, without the query string.
import { describe, test, vi } from "vitest";
import { ServiceError } from "../../src/interface/index.ts";
import { createApp } from "../../src/worker/app.ts";
import type { AppContext } from "../../src/worker/context.ts";
import { errorResponse } from "../../src/worker/errors.ts";
import { OPERATIONS } from "../../src/worker/operations/index.ts";
import { PARTS, PART_PREFIX } from "../../src/worker/settings.ts";
import { call, callWith, errorOf, refusal } from "./support.ts";

const CONCRETE = OPERATIONS.map((operation) => ({
  ...operation,
  concrete: operation.path.replaceAll(/\{[a-zA-Z]+\}/g, "x"),
}));

describe("paths and methods (1)", () => {
  test.for(
    (
      "/nothing /search-api/v1 /search-api/v2/search/x /search-api/v1/search/ " +
      "/search-api/v1/search/x/y /indexer-api/v1/full /admin-api/v1/config/other/x"
    ).split(" "),
  )("%s is 404", async (path, { expect }) => {
    expect(await refusal(call(path))).toBe("404 not_found");
  });

  test("every path refuses the methods it does not have, and names those it has", async ({ expect }) => {
    const byPath = Map.groupBy(CONCRETE, ({ concrete }) => concrete);
    for (const [path, operations] of byPath) {
      const methods = operations.map(({ method }) => method.toUpperCase());
      const hasHead = methods.includes("GET") && operations.every(({ id }) => id !== "startImport");
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
        if (methods.includes(method)) continue;
        const response = await call(path, { method });
        expect([path, method, response.status]).toEqual([path, method, 405]);
        const allow = response.headers.get("allow")?.split(", ") ?? [];
        expect(allow.toSorted()).toEqual([...methods, ...(hasHead ? ["HEAD"] : []), "OPTIONS"].toSorted());
        expect((await errorOf(response)).type).toBe("method_not_allowed");
      }
    }
  });

  test("the operations table and the routes are the same", ({ expect }) => {
    const routes = createApp()
      .routes.filter(({ method }) => method !== "ALL")
      .map(({ method, path }) => `${method} ${path.replaceAll(/:[a-zA-Z]+(\{[^}]*\})?/g, "{}")}`);
    const table = OPERATIONS.map(
      ({ method, path }) => `${method.toUpperCase()} ${path.replaceAll(/\{[a-zA-Z]+\}/g, "{}")}`,
    );
    expect(routes.toSorted()).toEqual(table.toSorted());
  });
});

describe("HEAD (2)", () => {
  test.for(["/health", "/openapi.json", "/docs", "/search-api/v1/tenants", "/admin-api/v1/config"])(
    "%s",
    async (path, { expect }) => {
      const [head, get] = [await call(path, { method: "HEAD" }), await call(path)];
      expect(head.status).toBe(get.status);
      expect(head.headers.get("content-type")).toBe(get.headers.get("content-type"));
      expect(await head.text()).toBe("");
      await get.text();
    },
  );

  test("an unknown tenant is 404 for HEAD too", async ({ expect }) => {
    const response = await call("/search-api/v1/search/nobody-here", { method: "HEAD" });
    expect([response.status, await response.text()]).toEqual([404, ""]);
  });
});

describe("browsers (3)", () => {
  test("a preflight names the methods and headers of the path, for a day", async ({ expect }) => {
    const response = await call("/indexer-api/v1/update/shop", {
      method: "OPTIONS",
      headers: {
        origin: "https://shop.example",
        "access-control-request-method": "PUT",
        "access-control-request-headers": "authorization, x-requested-with",
      },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("access-control-allow-methods")).toBe("PUT, PATCH, DELETE, OPTIONS");
    const headers = "access-control-allow-headers";
    expect(response.headers.get(headers)).toContain("content-type");
    expect(response.headers.get(headers)).toMatch(/authorization, x-requested-with$/);
    expect(response.headers.get("access-control-max-age")).toBe("86400");
    // What is no list of names is not said again.
    const odd = await call("/indexer-api/v1/update/shop", {
      method: "OPTIONS",
      headers: { "access-control-request-headers": "a b; c" },
    });
    expect(odd.headers.get(headers)).toBe("authorization, content-type, if-match, if-none-match, prefer");
  });

  test("a preflight needs no credentials, and an unknown path has none", async ({ expect }) => {
    const known = await callWith({}, "/admin-api/v1/config", { method: "OPTIONS" });
    expect(known.status).toBe(204);
    const unknown = await call("/search-api/v1/nothing", { method: "OPTIONS" });
    expect(unknown.status).toBe(404);
    await errorOf(unknown);
  });

  test("answers may be read by scripts", async ({ expect }) => {
    const response = await call("/search-api/v1/tenants", { headers: { origin: "https://shop.example" } });
    await response.text();
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("access-control-expose-headers")).toContain("etag");
  });
});

describe("EXPOSE (4)", () => {
  test.for(PARTS)("%s alone", async (exposed, { expect }) => {
    for (const part of PARTS) {
      const response = await callWith(
        { EXPOSE: exposed, ENVIRONMENT: "development" },
        `${PART_PREFIX[part]}/v1/nothing`,
      );
      const other = await callWith({ EXPOSE: exposed, ENVIRONMENT: "development" }, "/indexer-api/v1/full/add");
      expect((await errorOf(response)).type).toBe("not_found");
      expect((await errorOf(other)).type).toBe(exposed === "indexer" ? "method_not_allowed" : "not_found");
    }
  });

  test("hidden parts do not even ask for credentials, health stays", async ({ expect }) => {
    const hidden = await callWith({ EXPOSE: "search, Suggest" }, "/admin-api/v1/config");
    expect(hidden.status).toBe(404);
    await errorOf(hidden);
    const shown = await callWith({ EXPOSE: "search, Suggest" }, "/suggest-api/v1/nothing-here/suggest?q=a");
    expect([shown.status, await shown.json()]).toEqual([200, []]);
    const health = await callWith({ EXPOSE: "search" }, "/health");
    expect(health.status).toBe(200);
    await health.text();
  });
});

describe("errors (5, 6)", () => {
  function answer(error: unknown): Promise<Response> {
    const app = createApp();
    app.get("/fails", () => {
      throw error;
    });
    return Promise.resolve(app.request("/fails", {}, { LOG: "off" }));
  }

  test("an unforeseen error tells nothing, but is in the log under its id", async ({ expect }) => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const response = await answer(new TypeError("secret detail"));
    expect(response.status).toBe(500);
    const copy = response.clone();
    const { errorId } = await copy.json<{ errorId: string }>();
    const { type, message } = await errorOf(response);
    expect(type).toBe("internal_error");
    expect(message).not.toContain("secret");
    const line: unknown = JSON.parse(String(log.mock.calls[0]?.[0]));
    expect(line).toMatchObject({ event: "internal_error", errorId, message: "secret detail", path: "/fails" });
    log.mockRestore();
  });

  test("what is thrown need not be an error", async ({ expect }) => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const response = errorResponse("only a text", fakeContext());
    expect(response.status).toBe(500);
    await response.text();
    log.mockRestore();
  });

  test("overload and interruption pass: 429 and 503 with Retry-After", async ({ expect }) => {
    const overloaded = await answer(
      Object.assign(new Error("too many requests queued"), { overloaded: true, retryable: true }),
    );
    expect([overloaded.status, overloaded.headers.get("retry-after")]).toEqual([429, "2"]);
    await errorOf(overloaded);
    const reset = await answer(Object.assign(new Error("the object was reset"), { retryable: true }));
    expect([reset.status, reset.headers.get("retry-after")]).toEqual([503, "1"]);
    await errorOf(reset);
    const own = await answer(new ServiceError("index_unavailable", "later", { retryAfterS: 7 }));
    expect([own.status, own.headers.get("retry-after")]).toEqual([503, "7"]);
    await errorOf(own);
  });

  function fakeContext(): AppContext {
    const values = new Map<string, unknown>();
    return {
      req: { method: "GET", path: "/" },
      set: (key: string, value: unknown) => values.set(key, value),
    } as unknown as AppContext;
  }
});

describe("the log (7)", () => {
  test("one line per request", async ({ expect }) => {
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    const response = await callWith({ LOG: "all" }, "/search-api/v1/search/nobody?q=private");
    await errorOf(response);
    const lines = log.mock.calls.map(([line]) => String(line)).filter((line) => line.includes('"event":"request"'));
    log.mockRestore();
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      method: "GET",
      route: "/search-api/v1/search/:tenant",
      status: 404,
      type: "index_not_found",
    });
    expect(lines[0]).not.toContain("private");
  });

  test("can be reduced to failures", async ({ expect }) => {
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    const response = await callWith({ LOG: "errors" }, "/nothing");
    await response.text();
    expect(log.mock.calls).toEqual([]);
    log.mockRestore();
  });
});
