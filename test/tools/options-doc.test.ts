/**
 * docs/options.md names a test for every option.
 *
 * 1. Every test it names is there, and opens with the properties whose numbers are given.
 * 2. Every row of a table with a column of tests names one.
 * 3. It has every option of a facet, every processor, and every kind and usage of a field.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { PROCESSOR_NAMES } from "../../src/interface/configuration-schema.ts";
import { FIELD_TYPES, FIELD_USAGES, VALUE_ORDERS } from "../../src/interface/configuration.ts";
import { DEFAULT_TERM_FACET } from "../../src/interface/index.ts";

const root = new URL("../../", import.meta.url);
const text = readFileSync(new URL("docs/options.md", root), "utf8");
const files = readdirSync(new URL("test/", root), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => name.slice(0, -".test.ts".length));

/** Cells of each row of the tables whose last column is the test. */
const rows = text.split("\n\n").flatMap((block) => {
  const [head, , ...body] = block
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) =>
      line
        .split(/(?<!\\)\|/u)
        .map((cell) => cell.trim())
        .slice(1, -1),
    );
  return head?.at(-1) === "test" ? body : [];
});

interface Named {
  readonly name: string;
  readonly numbers: readonly number[];
}

/** `filters 2, engine/filter 1 to 3` -> filters with 2, engine/filter with 1, 2, 3. */
function namesIn(cell: string): Named[] {
  const named: { name: string; numbers: number[] }[] = [];
  for (const piece of cell.replaceAll(/\([^)]*\)/gu, "").split(", ")) {
    const match = /^(?:(\S*[a-z]\S*) ?)?(?:(\d+)(?: to (\d+))?)?$/u.exec(piece.trim());
    if (match === null) throw new Error(`what is ${JSON.stringify(piece)}?`);
    const [, name, from, to = from] = match;
    if (name !== undefined) named.push({ name, numbers: [] });
    for (let n = Number(from); n <= Number(to); n++) named.at(-1)?.numbers.push(n);
  }
  return named;
}

/** Files that a name stands for: itself, or the one that ends so; those of a folder. */
function filesOf(name: string): string[] {
  const own = files.filter((file) => file === name || file.startsWith(`${name}/`));
  return own.length > 0 ? own : files.filter((file) => file.endsWith(`/${name}`));
}

test("1, 2: the tests are there", () => {
  expect(rows.length).toBeGreaterThan(80);
  const missing: string[] = [];
  for (const row of rows) {
    const named = namesIn(row.at(-1) ?? "");
    if (named.length === 0) missing.push(`no test: ${row[0]}`);
    for (const { name, numbers } of named) {
      const [file, ...others] = filesOf(name);
      if (file === undefined) missing.push(`${name} is no test: ${row[0]}`);
      else if (numbers.length > 0) {
        if (others.length > 0) missing.push(`${name} is several: ${row[0]}`);
        const source = readFileSync(new URL(`test/${file}.test.ts`, root), "utf8");
        const opening = source.slice(0, source.indexOf("\nimport "));
        for (const number of numbers) {
          const isThere = new RegExp(`^(?: \\*|//) +(?:\\d+, )*${number}\\. `, "mu").test(opening);
          if (!isThere) missing.push(`${file} has no ${number}: ${row[0]}`);
        }
      }
    }
  }
  expect(missing).toEqual([]);
  // Named in the text.
  for (const [name] of text.matchAll(/\b(?:engine|interface|worker|objects)\/[\w./-]*\w/gu)) {
    expect([name, filesOf(name).length > 0 || existsSync(new URL(`test/${name}`, root))]).toEqual([name, true]);
  }
});

test("3: the options are there", () => {
  const options = Object.keys(DEFAULT_TERM_FACET).map((name) =>
    name.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`),
  );
  const named = [...options, ...PROCESSOR_NAMES, ...FIELD_TYPES, ...FIELD_USAGES, ...VALUE_ORDERS];
  const words = new Set(text.match(/[\w-]+/gu));
  expect(named.filter((name) => !words.has(name))).toEqual([]);
});
