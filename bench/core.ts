/**
 * The query core alone, beside MiniSearch and SQLite FTS5, on the synthetic catalogue.
 *
 *   npm run bench:core -- [--products 100000] [--queries 1000] [--seed 1] [--passes 5] [--only facet,and]
 *                         [--engines aisle,plain,default,aisle-again,...] [--rebuild] [--json file]
 *   npm run node -- --cpu-prof bench/core.ts --profile facet [--tenant default] [--seconds 20]
 *
 * The modes are those of synthetic/queries.ts. The clock covers a search without rendering; the request is
 * parsed before. Each engine has a process of its own. After warming up, they take turns after every 100
 * queries, so whatever else the machine does meets all of them.
 *
 * A query's time is the median of its passes; the table shows p50 / p95 | mean over queries. `best` takes the
 * fastest pass instead. An engine that needs more than --budget seconds for a pass gets fewer queries, and its
 * cell says how many.
 *
 * Exits with 1 when the exact engines disagree on hits or facet counts. In `fuzzy` they may: Aisle corrects a
 * word to its 24 best terms only, and takes swapped letters for one edit, MiniSearch for two.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { Contestant } from "./core/contestant.ts";
import { ENGINE_NAMES, EXACT_ENGINES, loadEngine, readEngineName, type Workload } from "./core/engines.ts";
import { figuresOf, ofQueries, showHits, showTimes, STATISTICS, table, type Cell } from "./core/report.ts";
import { describeLoad, machineLoad, median } from "./measure.ts";
import { hasFacets, MODES, queriesOf, type Mode } from "./synthetic/queries.ts";

const SLICE = 100;
const WARM_MS = 2_000;
const CHECKED_QUERIES = 200;

const { values: options } = parseArgs({
  options: {
    products: { type: "string", default: "100000" },
    queries: { type: "string", default: "1000" },
    seed: { type: "string", default: "1" },
    passes: { type: "string", default: "5" },
    only: { type: "string", default: MODES.join() },
    engines: { type: "string", default: ENGINE_NAMES.join() },
    budget: { type: "string", default: "5" },
    rebuild: { type: "boolean", default: false },
    json: { type: "string" },
    profile: { type: "string" },
    tenant: { type: "string", default: "aisle" },
    seconds: { type: "string", default: "20" },
  },
});
const workload: Workload = {
  products: Number(options.products),
  queries: Number(options.queries),
  seed: Number(options.seed),
  rebuild: options.rebuild,
};

if (options.profile === undefined) await compare(options.only.split(",").map(readMode));
else repeat(readMode(options.profile), Number(options.seconds));

function readMode(text: string): Mode {
  const mode = MODES.find((one) => one === text);
  if (mode === undefined) throw new TypeError(`mode ${text}: one of ${MODES.join(", ")}`);
  return mode;
}

/** One mode in this process, over and over. */
function repeat(mode: Mode, seconds: number): void {
  const { engine, queries } = loadEngine(readEngineName(options.tenant), workload);
  const asked = queriesOf(mode, queries);
  const startMs = performance.now();
  let runs = 0;
  while (performance.now() - startMs < seconds * 1_000) {
    for (const query of asked) engine.run(mode, query);
    runs += asked.length;
  }
  const us = ((performance.now() - startMs) * 1_000) / runs;
  console.log(`${mode}: ${runs} searches, mean ${us.toFixed(1)} us`);
}

async function compare(modes: readonly Mode[]): Promise<void> {
  console.log(
    `Node ${process.versions.node}, ${describeLoad(machineLoad())}; ${options.products} products, ` +
      `${options.queries} queries, seed ${options.seed}, ${options.passes} passes\n`,
  );
  const contestants: Contestant[] = [];
  for (const name of options.engines.split(",").map(readEngineName)) {
    const contestant = await Contestant.start(name, workload);
    const { version, buildSeconds, lines } = contestant.facts;
    const built = buildSeconds === 0 ? "built before" : `built in ${buildSeconds.toFixed(0)} s`;
    console.log(`${name}: ${[version, built].join(", ")}`);
    for (const line of lines) console.log(`  ${line}`);
    contestants.push(contestant);
  }
  const cells: Cell[] = [];
  let agreed = true;
  for (const mode of modes) {
    const able = contestants.filter((one) => one.modes.includes(mode));
    const hits = new Map<Contestant, readonly number[]>();
    for (const one of able) {
      hits.set(one, await one.warm(mode, WARM_MS, Number(options.budget) * 1_000));
    }
    agreed = (await isAgreed(mode, able, hits)) && agreed;
    cells.push(...(await measured(mode, hits)));
  }
  const names = contestants.map(({ name }) => name);
  for (const statistic of STATISTICS) {
    console.log(`\nus p50 / p95 | mean, ${statistic} of ${options.passes} passes`);
    console.log(table(cells, names, modes, (cell) => showTimes(cell, statistic)));
  }
  const filled: Cell[] = [];
  for (const cell of cells) {
    const places = (await contestants.find(({ name }) => name === cell.engine)?.filled(cell.mode)) ?? [];
    if (places.length > 0) filled.push(ofQueries(cell, places));
  }
  if (filled.length > 0) {
    console.log("\nof these, queries that are filled: us p50 / p95 | mean, best");
    console.log(table(filled, names, modes, (cell) => `${showTimes(cell, "best")} of ${cell.asked}`));
  }
  console.log("\nhits, mean");
  console.log(table(cells, names, modes, showHits));
  await showFresh(contestants, modes);
  for (const one of contestants) one.stop();
  console.log(`\n${describeLoad(machineLoad())}`);
  if (options.json !== undefined) writeFileSync(options.json, jsonOf(cells, contestants));
  console.log(agreed ? "the exact engines agree" : "the exact engines disagree");
  if (!agreed) process.exitCode = 1;
}

/** Passes in turns, slice by slice; another engine begins each time. */
async function measured(mode: Mode, hits: ReadonlyMap<Contestant, readonly number[]>): Promise<Cell[]> {
  const turns = [...hits];
  const passes = Number(options.passes);
  const times = new Map(turns.map(([one, { length }]) => [one, passesOf(length)]));
  const most = Math.max(...turns.map(([, { length }]) => length));
  for (let pass = 0; pass < passes; pass++) {
    for (let from = 0; from < most; from += SLICE) {
      turns.push(...turns.splice(0, 1));
      for (const [one, { length }] of turns) {
        const us = await one.run(mode, from, Math.min(from + SLICE, length));
        us.forEach((time, at) => times.get(one)?.[from + at].push(time));
      }
    }
  }
  return [...hits].map(([one, found]): Cell => {
    const own = times.get(one) ?? [];
    return {
      engine: one.name,
      mode,
      median: own.map(median),
      best: own.map((passesOfQuery) => Math.min(...passesOfQuery)),
      meanHits: found.reduce((sum, count) => sum + count, 0) / found.length,
      asked: most,
    };
  });
}

function passesOf(queries: number): number[][] {
  return Array.from({ length: queries }, () => []);
}

/** Compares the exact engines with the first of them, and tells the first difference. */
async function isAgreed(
  mode: Mode,
  able: readonly Contestant[],
  hits: ReadonlyMap<Contestant, readonly number[]>,
): Promise<boolean> {
  const [first, ...others] = able.filter(({ name }) => EXACT_ENGINES.has(name));
  if (first === undefined) return true;
  let agreed = true;
  const expected = hits.get(first) ?? [];
  const squares = hasFacets(mode) ? await first.check(mode, CHECKED_QUERIES) : [];
  for (const other of others) {
    const found = (hits.get(other) ?? []).slice(0, expected.length);
    const unlike = found.flatMap((count, at) => (count === expected[at] ? [] : [at]));
    if (unlike.length > 0) {
      const [at] = unlike;
      agreed &&= mode === "fuzzy";
      console.log(
        `${mode}: ${first.name} and ${other.name} differ in ${unlike.length} of ${found.length} queries; ` +
          `query ${at} has ${expected[at]} and ${found[at]} hits`,
      );
    }
    const counted = hasFacets(mode) ? await other.check(mode, CHECKED_QUERIES) : [];
    const miscounted = counted.findIndex((own, at) => own?.join() !== squares[at]?.join());
    if (miscounted >= 0) {
      agreed = false;
      console.log(`${mode}: ${first.name} and ${other.name} count facets of query ${miscounted} differently`);
    }
  }
  return agreed;
}

async function showFresh(contestants: readonly Contestant[], modes: readonly Mode[]): Promise<void> {
  for (const one of contestants) {
    for (const mode of modes.filter((name) => one.modes.includes(name))) {
      const us = await one.fresh(mode);
      if (us === null) continue;
      console.log(
        `${one.name}, ${mode}: a segment opens in ${us.open.toFixed(0)} us, ` +
          `its first query takes ${us.query.toFixed(0)} us (warm process)`,
      );
    }
  }
}

function jsonOf(cells: readonly Cell[], contestants: readonly Contestant[]): string {
  const report = {
    node: process.versions.node,
    workload,
    passes: Number(options.passes),
    engines: contestants.map(({ name, facts }) => ({ name, ...facts })),
    cells: cells.map((cell) => ({
      engine: cell.engine,
      mode: cell.mode,
      queries: cell.median.length,
      meanHits: cell.meanHits,
      median: figuresOf(cell, "median"),
      best: figuresOf(cell, "best"),
    })),
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}
