/**
 * A shopper types the name of a category. Are the first products of this category? Needs no judgments. Where a
 * catalogue has two categories for one thing (`scale` joins several shops), neither contestant can be right in all
 * cases, so only differences count.
 *
 *   npm run node -- bench/relevance/category-names.ts [--sets bestbuy,magento,scale] [--names 200] [--only Aisle,BM25F]
 *                                                     [--worst 20]
 *
 * Prints the share of the first ten hits that have the category, and a brand or colour if one was typed, by way of
 * typing. `--worst` lists the queries with the lowest shares of Aisle.
 */
import { parseArgs } from "node:util";
import { mulberry32 } from "../../test/support/mulberry32.ts";
import { loadDataset, readDatasetName, type DatasetName } from "../datasets.ts";
import { singular } from "./bm25f.ts";
import { buildContestants, othersIn } from "./contestants.ts";
import type { Contestant } from "./contestant.ts";
import { PAGE } from "./evaluate.ts";

const COLOURS = "beige black blue brown gold green grey navy orange pink purple red silver white yellow".split(" ");
/** Fewer products are no category that a shopper would look for. */
const LEAST_PRODUCTS = 5;

interface Product {
  readonly id: string | number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly categories?: readonly (readonly { readonly name: string }[])[] | null;
}

/** A leaf category, and a brand or colour of some of its products. */
interface Named {
  readonly leaf: string;
  readonly detail: string;
  /** Ids of the products that have both. */
  readonly wanted: Set<string>;
}

const { values: options } = parseArgs({
  options: {
    sets: { type: "string", default: "bestbuy,magento,scale" },
    names: { type: "string", default: "200" },
    only: { type: "string", default: "Aisle,BM25F" },
    worst: { type: "string", default: "0" },
  },
});

const others = othersIn(options.only);
for (const set of options.sets.split(",")) await runSet(readDatasetName(set));

async function runSet(name: DatasetName): Promise<void> {
  const dataset = loadDataset(name);
  if (dataset === null) return console.log(`${name} is not on this machine\n`);
  const { aisle, others: built } = await buildContestants(dataset, others);
  const decoder = new TextDecoder();
  const products = dataset.sources.map((source) => JSON.parse(decoder.decode(source)) as Product);
  const leaves = namedBy(products, () => [""]);
  const ways: readonly [way: string, named: readonly Named[], query: (one: Named) => string][] = [
    ["plural", leaves, ({ leaf }) => leaf],
    ["singular", leaves, ({ leaf }) => singularOf(leaf)],
    ["brand", namedBy(products, ({ data: { brand } }) => (typeof brand === "string" ? [brand] : [])), typed],
    ["colour", namedBy(products, coloursOf), typed],
  ];
  console.log(`${name.padEnd(24)}of the category, in the first ${PAGE} (%)`);
  console.log("".padEnd(24) + [aisle, ...built].map((one) => one.name.padStart(12)).join(""));
  for (const [way, named, query] of ways) {
    const sample = sampleOf(named, Number(options.names));
    if (sample.length === 0) continue;
    const shares = [aisle, ...built].map((one) => sample.map((each) => shareOf(one, query(each).toLowerCase(), each)));
    const cells = shares.map((all) => ((100 * all.reduce((a, b) => a + b, 0)) / all.length).toFixed(1).padStart(12));
    console.log(`${way}, ${sample.length} queries`.padEnd(24) + cells.join(""));
    const worst = sample.map((one, i) => [shares[0][i], one] as const).sort(([a], [b]) => a - b);
    for (const [share, one] of worst.slice(0, Number(options.worst))) {
      console.log(`  ${(100 * share).toFixed(0).padStart(3)} % ${query(one).toLowerCase()} (${one.wanted.size})`);
    }
  }
  console.log("");
}

/** Leaf categories with the details of their products. */
function namedBy(products: readonly Product[], detailsOf: (product: Product) => readonly string[]): readonly Named[] {
  const named = new Map<string, Named>();
  for (const product of products) {
    for (const leaf of new Set((product.categories ?? []).map((path) => path.at(-1)?.name ?? ""))) {
      if (!/^[A-Za-z][A-Za-z &'-]*$/.test(leaf)) continue;
      for (const detail of new Set(detailsOf(product))) {
        const key = JSON.stringify([detail, leaf]);
        const one = named.get(key) ?? { leaf, detail, wanted: new Set() };
        one.wanted.add(String(product.id));
        named.set(key, one);
      }
    }
  }
  return [...named.values()].filter(({ wanted }) => wanted.size >= LEAST_PRODUCTS);
}

function coloursOf({ data }: Product): readonly string[] {
  const words = [data["title"], data["color"]].flatMap((text) =>
    typeof text === "string" ? text.toLowerCase().split(/[^a-z]+/) : [],
  );
  return COLOURS.filter((colour) => words.includes(colour));
}

function shareOf(contestant: Contestant, query: string, { wanted }: Named): number {
  const { ids } = contestant.search(query, PAGE);
  const possible = Math.min(PAGE, wanted.size);
  return ids.slice(0, possible).filter((id) => wanted.has(id)).length / possible;
}

function sampleOf(named: readonly Named[], count: number): readonly Named[] {
  const random = mulberry32(1);
  return named
    .map((one) => [random(), one] as const)
    .sort(([a], [b]) => a - b)
    .slice(0, count)
    .map(([, one]) => one);
}

function typed({ detail, leaf }: Named): string {
  return `${detail} ${singularOf(leaf)}`;
}

function singularOf(name: string): string {
  return name.split(" ").map(singular).join(" ");
}
