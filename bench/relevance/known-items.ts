/**
 * Known items: a shopper types the title of one product, more or less. Is this product first? Needs no judgments, so it
 * runs over every catalogue.
 *
 *   npm run node -- bench/relevance/known-items.ts [--sets bestbuy,magento] [--items 300] [--only Aisle,BM25F]
 *                                                  [--misses title]
 *
 * Prints, per way of typing and contestant, the share of items at rank 1 and among the first ten hits. Products with
 * the same words in their title count as the same item. `--misses` lists the queries of one way that Aisle does not
 * answer with the item first.
 */
import { parseArgs } from "node:util";
import { mulberry32 } from "../../test/support/mulberry32.ts";
import { loadDataset, readDatasetName, type DatasetName } from "../datasets.ts";
import { buildContestants, othersIn } from "./contestants.ts";
import type { Contestant, ProductTexts } from "./contestant.ts";
import { damage } from "./damage.ts";
import { PAGE } from "./evaluate.ts";

const COLOURS = ["black", "red", "silver", "green"] as const;

/** What is typed instead of the title, or null where the way does not fit it. */
type Way = (title: string, draw: (below: number) => number) => string | null;

const WAYS: Readonly<Record<string, Way>> = {
  title: (title) => title,
  capitals: (title) => title.toUpperCase(),
  "word missing": (title, draw) => {
    const words = wordsOf(title);
    return words.length < 3 ? null : words.toSpliced(draw(words.length), 1).join(" ");
  },
  "four words": (title, draw) => {
    const words = wordsOf(title);
    if (words.length < 5) return null;
    const start = draw(words.length - 3);
    return words.slice(start, start + 4).join(" ");
  },
  "other order": (title, draw) => {
    const words = wordsOf(title);
    for (let i = words.length - 1; i > 0; i--) {
      const j = draw(i + 1);
      [words[i], words[j]] = [words[j], words[i]];
    }
    return words.length < 2 ? null : words.join(" ");
  },
  "and a colour": (title, draw) => `${title} ${COLOURS[draw(COLOURS.length)]}`,
  "letter wrong": (title, draw) => damage(plain(title), "substitution", draw(1_000)),
  "letter missing": (title, draw) => damage(plain(title), "deletion", draw(1_000)),
  "first letter": (title, draw) => damage(plain(title), "firstLetter", draw(1_000)),
  joined: (title, draw) => damage(plain(title), "joined", draw(1_000)),
  split: (title, draw) => damage(plain(title), "split", draw(1_000)),
};

const { values: options } = parseArgs({
  options: {
    sets: { type: "string", default: "sample,magento,bestbuy,icecat,esci" },
    items: { type: "string", default: "300" },
    only: { type: "string", default: "Aisle,BM25F" },
    misses: { type: "string" },
  },
});

const others = othersIn(options.only);
for (const set of options.sets.split(",")) await runSet(readDatasetName(set));

async function runSet(name: DatasetName): Promise<void> {
  const dataset = loadDataset(name);
  if (dataset === null) return console.log(`${name} is not on this machine\n`);
  const { aisle, others: built, texts } = await buildContestants(dataset, others);
  const all = [aisle, ...built];
  const titles = new Map(texts.map((text) => [text.id, itemOf(text)]));
  const items = sampleOf(texts, Number(options.items));
  console.log(`${`${name}, ${items.length} items`.padEnd(24)}rank 1, first ${PAGE} (%)`);
  console.log("".padEnd(18) + all.map((one) => one.name.padStart(16)).join(""));
  const random = mulberry32(1);
  const draw = (below: number): number => Math.floor(random() * below);
  for (const [way, type] of Object.entries(WAYS)) {
    const queries = items.flatMap((item) => {
      const query = type(item.title, draw);
      return query === null ? [] : [{ query, item: itemOf(item) }];
    });
    if (options.misses !== undefined && options.misses !== way) continue;
    const cells = all.map((one) => cellOf(one, queries, titles).padStart(16));
    console.log(way.padEnd(18) + cells.join(""));
    if (options.misses !== way) continue;
    for (const { query, item } of queries) {
      const [first] = aisle.search(query, 1).ids;
      if (titles.get(first) !== item) console.log(`  ${query}\n    -> ${titles.get(first) ?? "-"}`);
    }
  }
  console.log("");
}

function cellOf(
  contestant: Contestant,
  queries: readonly { readonly query: string; readonly item: string }[],
  titles: ReadonlyMap<string, string>,
): string {
  let first = 0;
  let onPage = 0;
  for (const { query, item } of queries) {
    const rank = contestant.search(query, PAGE).ids.findIndex((id) => titles.get(id) === item);
    if (rank === 0) first++;
    if (rank >= 0) onPage++;
  }
  const percent = (count: number): string => ((100 * count) / queries.length).toFixed(1);
  return `${percent(first)} ${percent(onPage).padStart(6)}`;
}

/** Every n-th product with a title of two words or more. */
function sampleOf(texts: readonly ProductTexts[], count: number): readonly ProductTexts[] {
  const fitting = texts.filter(({ title }) => wordsOf(title).length >= 2);
  const step = Math.max(1, fitting.length / count);
  return Array.from({ length: Math.min(count, fitting.length) }, (_, i) => {
    return fitting[Math.floor(i * step)];
  });
}

/** What tells items apart: the words of the title, in any order. */
function itemOf({ title }: ProductTexts): string {
  return wordsOf(title).sort().join(" ");
}

function wordsOf(title: string): string[] {
  return title.toLowerCase().match(/[\p{L}\p{N}'.]+/gu) ?? [];
}

function plain(title: string): string {
  return wordsOf(title).join(" ");
}
