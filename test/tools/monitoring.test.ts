// The dashboard and the alerts that are shipped ask for figures that the service has.
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "vitest";
import { parse } from "yaml";

const root = path.resolve(import.meta.dirname, "../..");
const textOf = (file: string): string => readFileSync(path.join(root, file), "utf8");

function exposed(): Set<string> {
  const source = textOf("src/worker/metrics.ts");
  const own = [...source.matchAll(/name: "(aisle_\w+)"/g)].map(([, name]) => name ?? "");
  const gauges = [...source.matchAll(/gauge\(\s*"(\w+)"/g)].map(
    ([, name]) => `aisle_index_${name}`,
  );
  return new Set([...own, ...gauges]);
}

test.for(["ops/grafana.json", "ops/alerts.yml"])("%s", (file, { expect }) => {
  const text = textOf(file);
  const parsed: unknown = parse(text);
  expect(parsed).toBeTypeOf("object");
  const asked = [...text.matchAll(/aisle_\w+/g)].map(([name]) => name);
  expect(asked.length).toBeGreaterThan(5);
  expect(asked.filter((name) => !exposed().has(name))).toEqual([]);
});
