// The deploy button asks for what the service reads (docs/deploy.md "Deploy button").
import { readFileSync } from "node:fs";
import path from "node:path";
import { parseEnv } from "node:util";
import { test } from "vitest";

const root = path.resolve(import.meta.dirname, "../..");
const textOf = (file: string): string => readFileSync(path.join(root, file), "utf8");

test("secrets and bindings", ({ expect }) => {
  const secrets = Object.keys(parseEnv(textOf(".dev.vars.example")));
  expect(secrets).toEqual(["AUTH_USERS"]);
  const settings = textOf("src/worker/settings.ts");
  expect(secrets.filter((name) => !settings.includes(`readonly ${name}?: string`))).toEqual([]);
  const { cloudflare } = JSON.parse(textOf("package.json")) as {
    cloudflare: { bindings: Record<string, { description: string }> };
  };
  const wrangler = textOf("wrangler.toml");
  const known = [...wrangler.matchAll(/^(?:binding|name) = "(\w+)"/gm)].map(([, name]) => name);
  expect(Object.keys(cloudflare.bindings).filter((name) => ![...known, ...secrets].includes(name))).toEqual([]);
});
