/**
 * Suggestions for the first letters of a word, and for queries typed letter by letter: engine time, and what they are.
 *
 *   npm run node -- bench/suggest.ts [--set scale] [--products 100000] [--rounds 9]      times
 *   npm run node -- bench/suggest.ts --list                                              first answers, all catalogues
 *
 * Times are of the engine alone, from the request's parameters to the JSON, with nothing kept between requests but what
 * a shard keeps. Prefixes are the first one and two letters of the words of all titles, brands and categories, each
 * once; queries are the first of the data set, each from three letters to its whole length. A first pass warms up, the
 * best of the other passes counts.
 */
import { parseArgs } from "node:util";
import { loadDataset, readDatasetName, type Dataset, type DatasetName } from "./datasets.ts";
import { Engine } from "./engine.ts";
import { indexDataset } from "./index-set.ts";
import { describeLoad, machineLoad, percentile } from "./measure.ts";

const LISTED = ["s", "la", "sam", "head", "batt", "wom", "pan", "cab", "black sh", "print"];
const LISTED_SETS: readonly DatasetName[] = ["bestbuy", "icecat", "esci", "magento", "sample"];

const { values: settings } = parseArgs({
  options: {
    set: { type: "string", default: "scale" },
    products: { type: "string", default: "100000" },
    rounds: { type: "string", default: "9" },
    list: { type: "boolean", default: false },
  },
});

function load(name: DatasetName): Dataset {
  const set = loadDataset(name);
  if (set === null) throw new Error(`the data set ${name} is not on this machine`);
  return set;
}

function query(typed: string, limit: number): string {
  return `userQuery=${encodeURIComponent(typed)}&limit=${limit}`;
}

interface Listed {
  readonly phrase: string;
  readonly type: string;
  readonly payload: Record<string, string>;
}

function list(name: DatasetName): void {
  const engine = new Engine(indexDataset(load(name)));
  let titles = 0;
  let all = 0;
  for (const typed of LISTED) {
    const suggestions = JSON.parse(engine.suggest(query(typed, 8))) as Listed[];
    console.log(`\n${name}: "${typed}"`);
    for (const { phrase, type, payload } of suggestions) {
      console.log(`  ${type.padEnd(9)} ${payload["count"]?.padStart(5) ?? "    -"}  ${phrase.slice(0, 80)}`);
      all++;
      if (type === "title") titles++;
    }
  }
  console.log(`\n${name}: ${titles} of ${all} suggestions are titles`);
}

/** The first one and two letters of the words of all titles, brands and categories. */
function prefixes(sources: readonly Uint8Array[]): string[] {
  const all = new Set<string>();
  const decoder = new TextDecoder();
  for (const source of sources) {
    const { data, categories } = JSON.parse(decoder.decode(source)) as {
      data: Record<string, unknown>;
      categories?: readonly (readonly { readonly name: string }[])[];
    };
    const names = (categories ?? []).flat().map(({ name }) => name);
    for (const text of [data["title"], data["brand"], ...names]) {
      if (typeof text !== "string") continue;
      for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
        all.add(word.slice(0, 1)).add(word.slice(0, 2));
      }
    }
  }
  return [...all].filter((prefix) => /^[a-z0-9]+$/.test(prefix)).sort();
}

const MOST_QUERIES = 200;
const LONGEST_TYPED = 24;

/** Queries as they are typed, each beginning once. */
function typedQueries(queries: readonly string[]): string[] {
  const lengths = Array.from({ length: LONGEST_TYPED - 2 }, (_, i) => i + 3);
  const typed = queries.slice(0, MOST_QUERIES).flatMap((text) => lengths.map((length) => text.slice(0, length)));
  return [...new Set(typed)];
}

function timeAll(name: DatasetName, products: number, rounds: number): void {
  const whole = load(name);
  const set = { ...whole, sources: whole.sources.slice(0, products) };
  const indexed = indexDataset(set);
  console.log(`${name}: ${indexed.reader.productCount} products, best of ${rounds}; ${describeLoad(machineLoad())}`);
  const engine = new Engine(indexed);
  time(engine, "prefixes of one and two letters", prefixes(set.sources), rounds);
  time(engine, "queries from three letters on", typedQueries(set.queries), rounds);
}

function time(engine: Engine, what: string, typed: readonly string[], rounds: number): void {
  const best = typed.map(() => Infinity);
  const first: number[] = [];
  let characters = 0;
  for (let round = 0; round <= rounds; round++) {
    for (const [i, prefix] of typed.entries()) {
      const startMs = performance.now();
      characters += engine.suggest(query(prefix, 8)).length;
      const us = (performance.now() - startMs) * 1000;
      if (round === 0) first.push(us);
      else best[i] = Math.min(best[i], us);
    }
  }
  console.log(`\n${typed.length} ${what}`);
  for (const [pass, of] of [
    ["first pass", first],
    ["best", best],
  ] as const) {
    const at = (share: number): string => percentile(of, share).toFixed(0);
    console.log(`${pass.padEnd(11)} us: p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)}, most ${at(1)}`);
  }
  const slowest = typed.map((prefix, i) => [prefix, best[i]] as const).sort((a, b) => b[1] - a[1]);
  console.log(
    `slowest: ${slowest
      .slice(0, 8)
      .map(([prefix, us]) => `${prefix} ${us.toFixed(0)}`)
      .join(", ")}`,
  );
  console.log(`(${characters} characters)`);
}

if (settings.list) {
  for (const name of LISTED_SETS) list(name);
} else {
  timeAll(readDatasetName(settings.set), Number(settings.products), Number(settings.rounds));
}
