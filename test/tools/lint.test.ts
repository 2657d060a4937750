// The lint rules hold what they promise:
// 1. imports point downwards only: interface <- index-engine <- objects <- worker;
// 2. the two lower layers import nothing of Cloudflare or Node and no HTTP framework;
// 3. inside of the engine a room uses itself and the rooms before it, others only through their index.ts;
// 4. the configuration of the repository, run over a folder with one violation per line, finds all of them and nothing
//    else.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, test } from "vitest";
import { violation } from "../../scripts/lint/layers.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

describe("direction of imports", () => {
  const layers = ["interface", "index-engine", "objects", "worker"];

  for (const [i, from] of layers.entries()) {
    for (const [j, to] of layers.entries()) {
      if (i === j) continue;
      test(`1: ${from} ${j < i ? "may" : "may not"} import ${to}`, ({ expect }) => {
        const file = `/repo/src/${from}/deep/er/file.ts`;
        const result = violation(file, `../../../${to}/index.ts`, "/repo/src");
        if (j < i) expect(result).toBeUndefined();
        else expect(result).toContain(`src/${from} must not import from src/${to}`);
      });
    }
  }

  test("1: a folder nobody listed, and what is outside of src, are closed", ({ expect }) => {
    expect(violation("/repo/src/worker/a.ts", "../misc/b.ts", "/repo/src")).toBeDefined();
    expect(violation("/repo/src/worker/a.ts", "../../test/b.ts", "/repo/src")).toBeDefined();
    expect(violation("/repo/test/a.ts", "../src/worker/index.ts", "/repo/src")).toBeUndefined();
  });

  test("1: a folder inside a layer may be called like another layer", ({ expect }) => {
    const file = "/repo/src/interface/worker/a.ts";
    expect(violation(file, "../objects/b.ts", "/repo/src")).toBeUndefined();
    expect(violation(file, "../../objects/b.ts", "/repo/src")).toBeDefined();
  });

  test("2: platform packages", ({ expect }) => {
    const closed = ["cloudflare:workers", "@cloudflare/x", "node:fs", "hono", "hono/tiny"];
    for (const specifier of closed) {
      expect(violation("/repo/src/interface/a.ts", specifier, "/repo/src")).toBeDefined();
      expect(violation("/repo/src/index-engine/a.ts", specifier, "/repo/src")).toBeDefined();
      expect(violation("/repo/src/worker/a.ts", specifier, "/repo/src")).toBeUndefined();
    }
    expect(violation("/repo/src/interface/a.ts", "zod", "/repo/src")).toBeUndefined();
  });
});

describe("the floors of the engine", () => {
  const file = "/repo/src/index-engine/segment/postings/reader.ts";
  const cases: [specifier: string, why: string | undefined][] = [
    ["./writer.ts", undefined],
    ["../model/index.ts", undefined],
    ["../../base/index.ts", undefined],
    ["../../../interface/index.ts", undefined],
    ["../../base/bits.ts", "base/index.ts"],
    ["../index.ts", "stands above it"],
    ["../positions/index.ts", "stands above it"],
    ["../../query/rank/index.ts", "stands above it"],
    ["../../misc/index.ts", "is in no room"],
  ];
  for (const [specifier, why] of cases) {
    test(`3: ${specifier}`, ({ expect }) => {
      const found = violation(file, specifier, "/repo/src");
      if (why === undefined) expect(found).toBeUndefined();
      else expect(found).toContain(why);
    });
  }

  test("3: from outside only through an index.ts", ({ expect }) => {
    const object = "/repo/src/objects/shard/a.ts";
    const engine = "../../index-engine";
    expect(violation(object, `${engine}/segment/model/index.ts`, "/repo/src")).toBeUndefined();
    expect(violation(object, `${engine}/search.ts`, "/repo/src")).toBeUndefined();
    expect(violation(object, `${engine}/segment/model/views.ts`, "/repo/src")).toContain("inside of a room");
  });
});

test("1, 2: the playground: may use the interface, and no package", ({ expect }) => {
  const file = "/repo/src/playground/view/a.ts";
  expect(violation(file, "../logic/b.ts", "/repo/src")).toBeUndefined();
  expect(violation(file, "../../interface/index.ts", "/repo/src")).toBeUndefined();
  for (const layer of ["index-engine", "objects", "worker"]) {
    expect(violation(file, `../../${layer}/index.ts`, "/repo/src")).toBeDefined();
  }
  for (const specifier of ["zod", "node:fs", "hono"]) {
    expect(violation(file, specifier, "/repo/src")).toBeDefined();
  }
  expect(violation("/repo/src/worker/a.ts", "../playground/page.ts", "/repo/src")).toBeDefined();
});

test("4: the configuration: finds each violation", ({ expect }) => {
  const folder = mkdtempSync(path.join(tmpdir(), "aisle-lint-"));
  const write = (file: string, ...lines: string[]): void => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), lines.join("\n") + "\n");
  };
  try {
    cpSync(path.join(root, ".oxlintrc.json"), path.join(folder, ".oxlintrc.json"));
    cpSync(path.join(root, "scripts/lint"), path.join(folder, "scripts/lint"), { recursive: true });
    symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"), "junction");
    write(
      "tsconfig.json",
      `{ "extends": ${JSON.stringify(path.join(root, "tsconfig.json"))}, "include": ["src", "test"] }`,
    );
    write("src/objects/index.ts", "export const x = 1;", "export type X = number;");
    write(
      "src/index-engine/imports.ts",
      'import { x } from "../objects/index.ts";',
      'export { x as y } from "../objects/index.ts";',
      'export * from "../objects/index.ts";',
      'export const lazy = import("../objects/index.ts");',
      'export type T = import("../objects/index.ts").X;',
      'import { Hono } from "hono";',
      "export { Hono, x };",
      'console.log("m");',
    );
    write(
      "src/worker/code.ts",
      "export const a = (b: any): unknown => b;",
      "export const c = (d?: string): string => d!;",
      "export async function e(): Promise<void> { await Promise.resolve(); }",
      "export function f(): void { e(); }",
      'export function g(h: "i" | "j"): number { switch (h) { case "i": return 1; } return 0; }',
      "// @ts-ignore",
      'export const k: number = "l";',
    );
    write(
      "test/engine/focus.test.ts",
      'import { test } from "vitest";',
      'test.only("a", () => {});',
      'test.skip("b", () => {});',
    );
    const bin = path.join(root, "node_modules/oxlint/bin/oxlint");
    const { stdout } = spawnSync(process.execPath, [bin, "--type-aware", "-f", "unix", "src", "test"], {
      cwd: folder,
      encoding: "utf8",
    });
    const found = [...stdout.matchAll(/^(.+?):(\d+):\d+: .*\/(.+)\((.+)\)\]$/gm)].map(
      ([, file, line, plugin, rule]) => `${file}:${line} ${plugin}/${rule}`,
    );
    expect([...new Set(found)].sort()).toMatchInlineSnapshot(`
        [
          "src/index-engine/imports.ts:1 aisle/layers",
          "src/index-engine/imports.ts:2 aisle/layers",
          "src/index-engine/imports.ts:3 aisle/layers",
          "src/index-engine/imports.ts:4 aisle/layers",
          "src/index-engine/imports.ts:5 aisle/layers",
          "src/index-engine/imports.ts:6 aisle/layers",
          "src/index-engine/imports.ts:8 eslint/no-console",
          "src/worker/code.ts:1 typescript/no-explicit-any",
          "src/worker/code.ts:2 typescript/no-non-null-assertion",
          "src/worker/code.ts:4 typescript/no-floating-promises",
          "src/worker/code.ts:5 typescript/switch-exhaustiveness-check",
          "src/worker/code.ts:6 typescript/ban-ts-comment",
          "test/engine/focus.test.ts:2 vitest/no-focused-tests",
          "test/engine/focus.test.ts:3 vitest/no-disabled-tests",
        ]
      `);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
