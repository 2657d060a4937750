// docs/conformance.md is what `npm run build:conformance` writes, and no claim stands there twice.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CONFORMANCE, conformancePage } from "../../scripts/build-conformance.ts";

const page = readFileSync(new URL(`../../${CONFORMANCE}`, import.meta.url), "utf8");

test("the page is up to date (npm run build:conformance)", async () => {
  expect(page).toBe(await conformancePage());
});

test("no row is there twice", () => {
  const rows = page.split("\n").filter((line) => /^\| [\dA-Z]/.test(line));
  expect(rows.length).toBeGreaterThan(600);
  expect(rows.filter((row, at) => rows.indexOf(row) !== at)).toEqual([]);
});
