/**
 * The dashboard and the alerts that are shipped.
 *  1. They ask for figures that the service has, by labels that it gives.
 *  2. The dashboard has the form that Grafana imports: panels it ships with, places that do not overlap, and no
 *     variable that is not declared. It asks for its data source, because nobody's is called as ours.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "vitest";
import { parse } from "yaml";
import * as z from "zod";

const root = path.resolve(import.meta.dirname, "../..");
const textOf = (file: string): string => readFileSync(path.join(root, file), "utf8");

function exposed(): Set<string> {
  const source = textOf("src/worker/metrics.ts");
  const own = [...source.matchAll(/name: "(aisle_\w+)"/g)].map(([, name]) => name ?? "");
  const gauges = [...source.matchAll(/gauge\(\s*"(\w+)"/g)].map(([, name]) => `aisle_index_${name}`);
  return new Set([...own, ...gauges]);
}

const LABELS = new Set(["index", "isolate", "method", "route", "state", "status", "work", "job"]);

const DataSource = z.strictObject({ type: z.literal("prometheus"), uid: z.literal("${datasource}") });
const Cells = z.int().min(0).max(24);
/** The members of the classic model that the dashboard uses, as Grafana 10 to 13 reads them. */
const Dashboard = z.strictObject({
  title: z.string().min(1),
  uid: z.string().min(8).max(40),
  schemaVersion: z.int().min(36),
  version: z.int(),
  time: z.strictObject({ from: z.string().startsWith("now-"), to: z.literal("now") }),
  refresh: z.string().regex(/^\d+[smh]$/),
  tags: z.array(z.string()),
  templating: z.strictObject({
    list: z.array(
      z.discriminatedUnion("type", [
        z.strictObject({
          type: z.literal("datasource"),
          name: z.literal("datasource"),
          query: z.literal("prometheus"),
          label: z.string(),
        }),
        z.strictObject({
          type: z.literal("query"),
          name: z.string(),
          label: z.string(),
          datasource: DataSource,
          query: z.strictObject({ query: z.string(), refId: z.string() }),
          multi: z.boolean(),
          includeAll: z.boolean(),
          allValue: z.string(),
          current: z.strictObject({ text: z.string(), value: z.literal("$__all") }),
          // When the time range changes.
          refresh: z.literal(2),
        }),
      ]),
    ),
  }),
  panels: z.array(
    z.strictObject({
      id: z.int(),
      title: z.string().min(1),
      type: z.enum(["timeseries", "stat", "gauge", "bargauge", "table"]),
      gridPos: z.strictObject({ x: Cells, y: z.int().min(0), w: Cells.min(1), h: z.int().min(1) }),
      datasource: DataSource,
      fieldConfig: z.strictObject({
        defaults: z.strictObject({
          unit: z.enum(["reqps", "percentunit", "short", "bytes", "decbytes", "s"]),
          min: z.number().optional(),
          max: z.number().optional(),
        }),
        overrides: z.array(z.never()),
      }),
      targets: z
        .array(z.strictObject({ refId: z.string(), expr: z.string(), legendFormat: z.string().optional() }))
        .min(1),
    }),
  ),
});

test("2: the form of the dashboard", ({ expect }) => {
  const { panels, templating } = Dashboard.parse(JSON.parse(textOf("ops/grafana.json")));
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, at) => `${x + (at % w)} ${y + Math.floor(at / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  expect(panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true);
  const declared = templating.list.map(({ name }) => name);
  const used = panels.flatMap(({ targets }) =>
    targets.flatMap(({ expr }) => [...expr.matchAll(/\$(\w+)/g)].map(([, name]) => name)),
  );
  expect(used.filter((name) => !declared.includes(name ?? ""))).toEqual([]);
});

test("1: labels of the dashboard", ({ expect }) => {
  const { panels } = Dashboard.parse(JSON.parse(textOf("ops/grafana.json")));
  const labels = panels.flatMap(({ targets }) =>
    targets.flatMap(({ expr, legendFormat = "" }) => [
      ...[...expr.matchAll(/(\w+)\s*=~?"/g)].map(([, label]) => label),
      ...[...expr.matchAll(/\b(?:by|ignoring) \(([\w, ]+)\)/g)].flatMap(([, all = ""]) => all.split(/,\s*/)),
      ...[...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label),
    ]),
  );
  expect(labels.length).toBeGreaterThan(5);
  expect(labels.filter((label) => !LABELS.has(label ?? ""))).toEqual([]);
});

test.for(["ops/grafana.json", "ops/alerts.yml"])("1: %s", (file, { expect }) => {
  const text = textOf(file);
  const parsed: unknown = parse(text);
  expect(parsed).toBeTypeOf("object");
  const asked = [...text.matchAll(/aisle_\w+/g)].map(([name]) => name);
  expect(asked.length).toBeGreaterThan(5);
  expect(asked.filter((name) => !exposed().has(name))).toEqual([]);
});
