// How often one address and one user may call, where a deployment has the platform's bindings:
// 1. beyond the limit 429 with Retry-After, for that address, user and part alone;
// 2. wrong credentials count for their address, not for the user they name;
// 3. addresses of one network of IPv6 are one; what needs no part is not limited.
import { describe, test } from "vitest";
import { networkOf } from "../../src/worker/rate-limit.ts";
import type { Settings, WorkerEnv } from "../../src/worker/settings.ts";
import { basic, callWith, errorOf } from "./support.ts";

const USERS = JSON.stringify({ a: { password: "x", roles: ["admin"] }, b: { password: "x", roles: ["admin"] } });

/** As the platform's: so many calls of each key. */
function rate(most: number): RateLimit {
  const counts = new Map<string, number>();
  return {
    limit: async ({ key }) => {
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return { success: count <= most };
    },
  };
}

async function statusOf(
  settings: Settings & Partial<WorkerEnv>,
  path: string,
  address: string,
  init: RequestInit = {},
): Promise<number> {
  const headers = new Headers(init.headers);
  headers.set("cf-connecting-ip", address);
  const response = await callWith(settings, path, { ...init, headers });
  if (response.status === 429) {
    if (response.headers.get("retry-after") !== "10") throw new Error("no Retry-After");
    if ((await errorOf(response)).type !== "too_many_requests") throw new Error("type");
  } else await response.text();
  return response.status;
}

const TENANTS = "/search-api/v1/tenants";
const CONFIG = "/admin-api/v1/config";

describe("rate limits", () => {
  test("by address and part (1, 3)", async ({ expect }) => {
    const settings = { RATE_ADDRESS: rate(2), AUTH_USERS: USERS };
    const get = (path: string, address: string): Promise<number> => statusOf(settings, path, address, basic("a", "x"));
    expect([await get(TENANTS, "1.1.1.1"), await get(TENANTS, "1.1.1.1")]).toEqual([200, 200]);
    expect(await get(TENANTS, "1.1.1.1")).toBe(429);
    expect(await get(TENANTS, "1.1.1.2")).toBe(200);
    expect(await get(CONFIG, "1.1.1.1")).toBe(200);
    expect(await get("/health", "1.1.1.1")).toBe(200);
  });

  test("by user (1, 2)", async ({ expect }) => {
    const settings = { RATE_USER: rate(2), AUTH_USERS: USERS };
    const get = (user: string, password: string): Promise<number> =>
      statusOf(settings, CONFIG, "1.1.1.1", basic(user, password));
    for (let i = 0; i < 3; i++) expect(await get("a", "wrong")).toBe(401);
    expect([await get("a", "x"), await get("a", "x"), await get("a", "x")]).toEqual([200, 200, 429]);
    expect(await get("b", "x")).toBe(200);
    expect(await statusOf(settings, TENANTS, "1.1.1.1", basic("a", "x"))).toBe(200);
  });

  test("guessing passwords counts for the address (2)", async ({ expect }) => {
    const settings = { RATE_ADDRESS: rate(2), AUTH_USERS: USERS };
    const guess = (): Promise<number> => statusOf(settings, CONFIG, "9.9.9.9", basic("a", "wrong"));
    expect([await guess(), await guess(), await guess()]).toEqual([401, 401, 429]);
  });

  test.for([
    ["203.0.113.7", "203.0.113.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
    ["2001:DB8:1:2::9", "2001:db8:1:2"],
    ["2001:db8::1", "2001:db8:0:0"],
    ["::1", "0:0:0:0"],
    ["", ""],
  ])("networks (3): %s", ([address, network], { expect }) => {
    expect(networkOf(address)).toBe(network);
  });
});
