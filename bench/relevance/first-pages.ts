/**
 * First pages to read by eye: what Aisle answers to queries over a catalogue, by default the head queries of the scale
 * catalogue. Most catalogues have no judgments; compare two of these files with diff.
 *
 *   npm run node -- bench/relevance/first-pages.ts [--set bestbuy] [--queries "laptop,wine glasses"] [--out file]
 *
 * Without --queries: the 50 queries of shoppers with the largest weight in queries.tsv (query, weight, origin). Equal
 * weights keep the file's order. The first line names the command, the day (UTC) and the commit of the sources. Without
 * --out the text goes to the terminal.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { DATA, DATASET_NAMES, loadDataset, type Dataset } from "../datasets.ts";
import { indexDataset } from "../index-set.ts";
import { Aisle } from "./aisle.ts";

const HEAD_QUERIES = 50;
const SHOWN_HITS = 12;
const LINE_WIDTH = 110;

interface SourceProduct {
  readonly id: string | number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly categories?: readonly (readonly { readonly name: string }[])[] | null;
}

const { values: options } = parseArgs({
  options: {
    set: { type: "string", default: "scale" },
    queries: { type: "string" },
    out: { type: "string" },
  },
});

const set = DATASET_NAMES.find((name) => name === options.set);
if (set === undefined) throw new TypeError(`--set: one of ${DATASET_NAMES.join(", ")}`);
const dataset = loadDataset(set);
if (dataset === null) {
  console.log(`${set} is not on this machine`);
} else {
  const queries = options.queries?.split(",").map((query) => query.trim()) ?? headQueries();
  const text = `${headLine()}\n\n${pages(dataset, queries)}`;
  if (options.out === undefined) console.log(text);
  else writeFileSync(options.out, `${text}\n`);
}

function headQueries(): string[] {
  return readFileSync(join(DATA, "scale", "queries.tsv"), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split("\t"))
    .sort((a, b) => Number(b[1]) - Number(a[1]))
    .slice(0, HEAD_QUERIES)
    .map(([query]) => query);
}

/** The command, the day and the commit. `--out` is left out: it does not affect the content. */
function headLine(): string {
  const command = "npm run node -- bench/relevance/first-pages.ts";
  const from = set === "scale" ? "" : ` --set ${set}`;
  const own = options.queries === undefined ? from : `${from} --queries "${options.queries}"`;
  const day = new Date().toISOString().slice(0, "2026-11-23".length);
  const git = (...args: string[]): string =>
    execFileSync("git", args, { cwd: import.meta.dirname, encoding: "utf8" }).trim();
  const changed = git("status", "--porcelain", "--", "../../src") === "" ? "" : " with changes in src";
  return `${command}${own}; ${day}; commit ${git("rev-parse", "--short", "HEAD")}${changed}`;
}

function pages(catalogue: Dataset, queries: readonly string[]): string {
  const aisle = new Aisle(indexDataset(catalogue));
  const lines = hitLines(catalogue);
  return queries
    .map((query) => {
      const { ids, matchCount } = aisle.search(query, SHOWN_HITS);
      const executed = aisle.meta(query)["query_executed"];
      const head = `"${query}"  ${matchCount} matches  query_executed: ${JSON.stringify(executed)}`;
      return [head, ...ids.map((id) => `  ${lines.get(id) ?? id}`)].join("\n");
    })
    .join("\n\n");
}

/** Product id -> title, brand and leaf categories on one line. */
function hitLines({ sources }: Dataset): ReadonlyMap<string, string> {
  const decoder = new TextDecoder();
  return new Map(
    sources.map((source) => {
      const { id, data, categories } = JSON.parse(decoder.decode(source)) as SourceProduct;
      const text = (name: string): string => {
        const value = data[name];
        return typeof value === "string" ? value : "-";
      };
      const leaves = new Set((categories ?? []).flatMap((path) => path.at(-1)?.name ?? []));
      const category = leaves.size === 0 ? "-" : [...leaves].join(", ");
      // Only the title is cut; brand and category stay readable.
      const end = ` | ${text("brand")} | ${category}`;
      const title = text("title").replaceAll(/\s+/g, " ");
      const line = title.slice(0, Math.max(0, LINE_WIDTH - end.length)) + end;
      return [String(id), line.slice(0, LINE_WIDTH)];
    }),
  );
}
