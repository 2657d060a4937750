// The ground the Worker stands on:
// 1. the Worker of wrangler.toml answers inside workerd;
// 2. every binding is there, under its name;
// 3. ENVIRONMENT comes from .dev.vars.
import { env, exports } from "cloudflare:workers";
import { describe, test } from "vitest";

describe("the ground", () => {
  test("the Worker answers", async ({ expect }) => {
    const response = await exports.default.fetch("http://localhost/health");
    expect(response.status).toBe(200);
    await response.text();
  });

  test("bindings are there", ({ expect }) => {
    for (const namespace of [env.INDEX, env.SHARD, env.SESSION, env.CATALOG]) {
      expect(namespace.idFromName("x").toString()).toMatch(/^[0-9a-f]{64}$/);
    }
    expect(typeof env.SNAPSHOTS.put).toBe("function");
  });

  test("tests run as local development", ({ expect }) => {
    expect(env.ENVIRONMENT).toBe("development");
  });
});
