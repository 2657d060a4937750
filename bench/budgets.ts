/**
 * Measures how long hostile searches occupy a shard until the work budget
 * (src/index-engine/base/work.ts) ends them, compared with ordinary searches. Every request runs
 * once, without warm-up.
 *
 *   npm run node -- bench/budgets.ts [scale]        a data set of datasets.ts
 */
import { work } from "../src/index-engine/base/index.ts";
import { searchParts } from "../src/index-engine/search.ts";
import { builtInTenantConfig, LIMITS, ServiceError, type SearchRequest } from "../src/interface/index.ts";
import { parseArrangedSearch, parseSearchParameters } from "../src/worker/parameters.ts";
import { loadDataset, readDatasetName } from "./datasets.ts";
import { indexDataset } from "./index-set.ts";
import { describeLoad, machineLoad } from "./measure.ts";

const MOST_SETS = LIMITS.productSets.value;
const MOST_WORDS = LIMITS.queryTerms.value;

const name = readDatasetName(process.argv[2] ?? "scale");
const dataset = loadDataset(name);
if (dataset === null) {
  console.log(`${name} is not on this machine`);
  process.exit();
}
const { reader, plan } = indexDataset(dataset);
const tenant = builtInTenantConfig("bench", ["bench"]);
const words = [...new Set(dataset.queries.flatMap((query) => query.split(/\s+/)))].filter((word) =>
  /^[a-z]{4,}$/.test(word),
);
console.log(`${name}: ${reader.productCount} products, ${describeLoad(machineLoad())}`);

function some(count: number, from = 0): string[] {
  return Array.from({ length: count }, (_, i) => words[(from + i) % words.length]);
}

function misspelt(word: string): string {
  return `${word.slice(0, 2)}${word.slice(3)}q`;
}

function clauses(query: string, sets = 1): SearchRequest {
  const set = { type: "querystring", query };
  return parseArrangedSearch({ arrangedProductSets: Array.from({ length: sets }, () => set) });
}

function sets(set: (i: number) => object): SearchRequest {
  const all = Array.from({ length: MOST_SETS }, (_, i) => ({ type: "dynamic", ...set(i) }));
  return parseArrangedSearch({ arrangedProductSets: all });
}

const REQUESTS: readonly (readonly [string, SearchRequest])[] = [
  ["one word", parseSearchParameters("q=laptop")],
  ["42 words", parseSearchParameters(`q=${some(MOST_WORDS).join("+")}`)],
  ["42 misspelt words", parseSearchParameters(`q=${some(MOST_WORDS).map(misspelt).join("+")}`)],
  ["no words, 10,000 hits", parseSearchParameters("limit=10000")],
  ["20,000 clauses", clauses(some(20_000).join(" OR "))],
  ["1,000 clauses, all of them", clauses(some(1_000).join(" AND "))],
  ["64 sets of 300 clauses", clauses(some(300).join(" OR "), MOST_SETS)],
  [
    "5,000 fields",
    clauses(
      some(5_000, 0)
        .map((word) => `${word}:${word}`)
        .join(" OR "),
    ),
  ],
  ["350,000 clauses", clauses("a ".repeat(350_000))],
  ["64 sets of 42 words", sets((i) => ({ query: some(MOST_WORDS, i * MOST_WORDS).join(" ") }))],
  [
    "64 sets of 42 misspelt words",
    sets((i) => ({
      query: some(MOST_WORDS, i * MOST_WORDS)
        .map(misspelt)
        .join(" "),
    })),
  ],
  ["64 sets of a common word", sets(() => ({ query: words[0], limit: 10_000 }))],
  ["64 sets of everything", sets(() => ({ query: "", limit: 10_000 }))],
  ["64 sorted sets", sets(() => ({ query: words[0], sort: "price,-title", limit: 10_000 }))],
];

console.log(`${"".padEnd(30)}  whole   longest wait of others`);
for (const [what, request] of REQUESTS) {
  const { outcome, wholeMs, longestMs } = run(request);
  console.log(
    `${what.padEnd(30)} ${wholeMs.toFixed(0).padStart(5)} ms ${longestMs.toFixed(0).padStart(5)} ms  ${outcome}`,
  );
}

/** Times of the whole search, and of its longest stretch without a yield. */
function run(request: SearchRequest): {
  readonly outcome: string;
  readonly wholeMs: number;
  readonly longestMs: number;
} {
  const parts = work.inParts(searchParts(reader, request, tenant, plan));
  const startMs = performance.now();
  let longestMs = 0;
  let outcome: string | null = null;
  while (outcome === null) {
    const partMs = performance.now();
    outcome = outcomeOf(parts);
    longestMs = Math.max(longestMs, performance.now() - partMs);
  }
  return { outcome, wholeMs: performance.now() - startMs, longestMs };
}

/** Null: the search goes on. */
function outcomeOf(parts: ReturnType<typeof searchParts>): string | null {
  try {
    const step = parts.next();
    return step.done === true ? `${step.value.matchCount} products` : null;
  } catch (error) {
    if (error instanceof ServiceError) return error.type;
    throw error;
  }
}
