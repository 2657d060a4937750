// docs/reference.md is what `npm run build:reference` writes.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { REFERENCE, referencePage } from "../../scripts/build-reference.ts";
import { ERRORS, LIMITS } from "../../src/interface/index.ts";

const page = readFileSync(new URL(`../../${REFERENCE}`, import.meta.url), "utf8");

test("the reference is up to date (npm run build:reference)", async () => {
  expect(page).toBe(await referencePage());
});

test("every error and every limit has a row", () => {
  const names = [...Object.keys(ERRORS), ...Object.keys(LIMITS)];
  expect(names.filter((name) => !page.includes(`\n| \`${name}\` | `))).toEqual([]);
});
