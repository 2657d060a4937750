/**
 * Measures relevance with judged queries over two catalogues, electronics (icecat) and a general
 * store (esci). Contestants are Aisle, a BM25F baseline, MiniSearch and Orama. Queries are asked
 * clean and with typing errors (relevance/damage.ts). Each catalogue is reported by itself; a
 * change counts when it helps on both.
 *
 *   npm run bench:relevance -- [--set icecat,esci] [--only Aisle,BM25F] [--no-damage] [--seed 1] [--draws 3]
 *   npm run bench:relevance -- --json file                 also saves the values of every query
 *   npm run bench:relevance -- --against file [--only Aisle]     compares Aisle with the run that --json saved
 *   npm run bench:relevance -- --query "gaming mouse"      the first hits of every contestant with their grades
 *   npm run bench:relevance -- --worst 20                  queries on which Aisle is furthest behind the best other one
 *   npm run bench:relevance -- --worst 20 --kind split     queries on which Aisle loses the most to one kind of damage
 *
 * The main number is NDCG@10 with exponential gain and unjudged products as 0 (relevance/metrics.ts). Differences come
 * with the 95% interval of a paired bootstrap (relevance/bootstrap.ts). Matches are the products in the whole result.
 * Times are medians over the queries of a second round, on one thread of Node.
 */
import { parseArgs } from "node:util";
import { loadDataset } from "./datasets.ts";
import { describeLoad, machineLoad } from "./measure.ts";
import { againstReport, hasSameDamage } from "./relevance/against.ts";
import type { Contestant } from "./relevance/contestant.ts";
import { buildContestants, OTHER_NAMES, type OtherName } from "./relevance/contestants.ts";
import { DAMAGE_KINDS } from "./relevance/damage.ts";
import { evaluateAllDamage, evaluateClean } from "./relevance/evaluate.ts";
import { JUDGED_NAMES, loadJudged, type JudgedName, type JudgedQuery } from "./relevance/judged.ts";
import { readRun, savedSet, writeRun, type SavedContestant, type SavedRun } from "./relevance/saved-run.ts";
import { queryView, worstDamageView, worstView } from "./relevance/single-queries.ts";
import { cleanTable, damageTables, differenceTable, type Result } from "./relevance/tables.ts";

const { values: options } = parseArgs({
  options: {
    set: { type: "string", default: JUDGED_NAMES.join(",") },
    only: { type: "string", default: ["Aisle", ...OTHER_NAMES].join(",") },
    "no-damage": { type: "boolean", default: false },
    seed: { type: "string", default: "1" },
    draws: { type: "string", default: "3" },
    json: { type: "string" },
    against: { type: "string" },
    query: { type: "string" },
    worst: { type: "string" },
    kind: { type: "string" },
  },
});

const seed = Number(options.seed);
const draws = Number(options.draws);
const sets = namesOf("set", options.set, JUDGED_NAMES);
const others = namesOf("only", options.only, ["Aisle", ...OTHER_NAMES]).filter(
  (name): name is OtherName => name !== "Aisle",
);
const earlier = options.against === undefined ? null : readRun(options.against);
const saved: Partial<Record<JudgedName, Record<string, SavedContestant>>> = {};

for (const name of sets) await runSet(name);
if (options.json !== undefined) writeRun(options.json, { seed, draws, sets: saved });

async function runSet(name: JudgedName): Promise<void> {
  const dataset = loadDataset(name);
  const queries = loadJudged(name);
  if (dataset === null || queries === null) {
    console.log(`${name} is not on this machine\n`);
    return;
  }
  const contestants = await buildContestants(dataset, others);
  const { aisle } = contestants;
  console.log(
    `== ${name}: ${dataset.sources.length} products, ${queries.length} judged queries; ` +
      `${describeLoad(machineLoad())}\n`,
  );
  if (options.query !== undefined) {
    console.log(`${queryView(contestants, queries, options.query)}\n`);
  } else if (options.worst !== undefined) {
    const count = Number(options.worst);
    const [kind] = options.kind === undefined ? [] : namesOf("kind", options.kind, DAMAGE_KINDS);
    const view =
      kind === undefined
        ? worstView(contestants, queries, count)
        : worstDamageView(aisle, queries, count, { kind, seed, draws });
    console.log(`${view}\n`);
  } else {
    const results = [aisle, ...contestants.others].map((one) => resultOf(one, queries));
    report(name, results, earlier);
    saved[name] = savedSet(results);
  }
}

function resultOf(contestant: Contestant, queries: readonly JudgedQuery[]): Result {
  const clean = evaluateClean(contestant, queries);
  return {
    name: contestant.name,
    clean,
    damaged: options["no-damage"] ? null : evaluateAllDamage(contestant, clean.outcomes, seed, draws),
  };
}

function report(name: JudgedName, results: readonly Result[], before: SavedRun | null): void {
  console.log(`${cleanTable(results)}\n`);
  if (results.length > 1) console.log(`${differenceTable(results)}\n`);
  if (!options["no-damage"]) console.log(`${damageTables(results)}\n`);
  if (before === null) return;
  const aisle = results[0];
  const aisleBefore = before.sets[name]?.[aisle.name];
  if (aisleBefore === undefined) console.log(`${options.against} has no run of ${name}\n`);
  else console.log(`${againstReport(aisle, aisleBefore, hasSameDamage(before, { seed, draws }))}\n`);
}

/** The names of a list with commas, each one of `known`. */
function namesOf<Name extends string>(option: string, list: string, known: readonly Name[]): Name[] {
  return list.split(",").map((text) => {
    const name = known.find((one) => one === text.trim());
    if (name === undefined) throw new TypeError(`--${option} ${text}: one of ${known.join(", ")}`);
    return name;
  });
}
