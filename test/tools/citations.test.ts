/**
 * What code and pages cite is in the repository.
 *
 * 1. Every page named in code exists: by its path from the root, from the file, or from docs/.
 * 2. Every number and every heading cited with it (`docs/behaviour.md 1.2, 1.3`, `docs/rules.md "FILTER"`) is a heading
 *    of that page.
 * 3. Links between pages lead to pages and headings that exist.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const root = new URL("../../", import.meta.url).pathname;
const FOLDERS = ["src", "test", "bench", "cli", "scripts", "design"];

const sources = FOLDERS.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(folder, name)),
);
const pages = ["README.md", "ARCHITECTURE.md"].concat(
  readdirSync(join(root, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name)),
);

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

/** Its text with the lines of each comment joined: citations go on behind the end of a line. */
function joined(path: string): string {
  return read(path).replaceAll(/\n\s*(?:\*|\/\/) /gu, " ");
}

/** Titles of a page without code marks; bold words that open a paragraph are titles, too. */
function headingsOf(page: string): readonly string[] {
  const text = read(page).replaceAll(/^```[^]*?^```/gmu, "");
  const titles = [...text.matchAll(/^(?:#+ (.+)|\*\*([^*]+?)\.?\*\*)/gmu)];
  return titles.map(([, heading, bold]) => (heading ?? bold ?? "").replaceAll("`", ""));
}

/** `6.8 Documents that are refused` -> `68-documents-that-are-refused`, as GitHub names it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

function pageOf(cited: string, source: string): string | null {
  const places = [cited, join(dirname(source), cited), join("docs", cited)];
  return places.find((place) => existsSync(join(root, place))) ?? null;
}

/** What `text` cites that does not exist. */
function missingIn(text: string, source: string): string[] {
  const missing: string[] = [];
  const citation = /(?<![\w/.-])([\w./-]+\.md)(?: (\d+(?:\.\d+)*(?:(?:, | and )\d+(?:\.\d+)*)*)| "([^"]+)")?/gu;
  for (const [whole, cited = "", numbers, heading] of text.matchAll(citation)) {
    // Of an address on the web.
    if (cited.startsWith("//")) continue;
    const page = pageOf(cited, source);
    if (page === null) {
      missing.push(`${source}: ${whole}`);
      continue;
    }
    const headings = headingsOf(page);
    const wanted = numbers?.split(/, | and /u) ?? [];
    const isThere = (number: string): boolean =>
      headings.some((title) => title.startsWith(`${number} `) || title.startsWith(`${number}. `));
    const hasAll = wanted.every(isThere) && (heading === undefined || headings.includes(heading.trim()));
    if (!hasAll) missing.push(`${source}: ${whole}`);
  }
  return missing;
}

test("1, 2: cited pages, numbers and headings are there", () => {
  expect(sources.length).toBeGreaterThan(300);
  expect(sources.flatMap((source) => missingIn(joined(source), source))).toEqual([]);
});

test("1, 2: what is not there is found", () => {
  const source = "src/worker/app.ts";
  const wrong = ["docs/nowhere" + ".md", "docs/behaviour.md" + " 3, 3.99", "docs/rules.md" + ' "FILTERS"'];
  const right = ['docs/behaviour.md 1.2, 3 and 5.9; docs/rules.md "FILTER"; README.md'];
  expect(missingIn([...right, ...wrong].join("\n"), source)).toEqual(wrong.map((citation) => `${source}: ${citation}`));
});

test("3: links lead somewhere", () => {
  const broken = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/gu)].flatMap(([link, path = "", anchor]) => {
      const target = path === "" ? page : join(dirname(page), path);
      const isThere =
        existsSync(join(root, target)) && (anchor === undefined || headingsOf(target).map(anchorOf).includes(anchor));
      return isThere ? [] : [`${page}: ${link}`];
    }),
  );
  expect(broken).toEqual([]);
});
