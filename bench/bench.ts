/**
 * Measures engine speed and index size, compared with MiniSearch on the same machine at the same
 * time.
 *
 *   npm run bench -- [--set sample,icecat,...] [--class listing,...] [--queries 100] [--rounds 5] [--budget 20]
 *                    [--no-minisearch] [--json file]
 *
 * For each data set: import (documents per second, merge), bytes by component, cold start, and
 * queries by class (cases.ts) through the entry that a shard calls (engine.ts): median and 95th
 * percentile over cases, and MiniSearch's time as a multiple of ours (median of the ratios; below 1
 * it is faster). Ends with 1 when the engine's answers differ from those of the search without an
 * index (exactness.ts).
 *
 * Runs on one thread of Node. bench/http.ts measures the service's overhead (HTTP, RPC, SQLite).
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { CASE_CLASSES, CaseMaker, type BenchCase, type CaseClass } from "./cases.ts";
import type { ColdStartInput, ColdStartTimes } from "./cold-start-thread.ts";
import { DATASET_NAMES, loadDataset, type Dataset, type DatasetName } from "./datasets.ts";
import { Engine, PHASES, type PhaseTimes } from "./engine.ts";
import { compareWithTwin, type Mismatch } from "./exactness.ts";
import { indexDataset, type IndexFacts, type IndexedSet } from "./index-set.ts";
import {
  consumedCharacters,
  describeLoad,
  machineLoad,
  measure,
  median,
  percentile,
  ratio,
  type Contestant,
  type Load,
} from "./measure.ts";
import { MiniSearchIndex } from "./mini-search.ts";

/** Cases per class that are compared with the slow twin. */
const COMPARED = 12;

/** In addition to searches: suggestions for every typed letter. */
const SUGGEST = "suggest";
const CLASS_NAMES = [...CASE_CLASSES, SUGGEST] as const;
type ClassName = (typeof CLASS_NAMES)[number];

interface ClassReport {
  readonly name: ClassName;
  readonly cases: number;
  readonly times: readonly {
    readonly name: string;
    readonly p50Us: number;
    readonly p95Us: number;
    readonly measured: number;
  }[];
  readonly miniSearchRatio: number | null;
}

interface SetReport {
  readonly name: DatasetName;
  readonly facts: IndexFacts;
  readonly jsonBytes: number;
  readonly miniSearchBuildMs: number | null;
  readonly coldStart: ColdStartTimes;
  readonly classes: readonly ClassReport[];
  readonly compared: number;
  readonly mismatches: readonly Mismatch[];
  readonly load: { readonly before: Load; readonly after: Load };
}

interface Settings {
  readonly sets: readonly DatasetName[];
  readonly classes: readonly ClassName[];
  readonly queries: number;
  readonly rounds: number;
  readonly budgetMs: number;
  readonly miniSearch: boolean;
  readonly jsonFile: string | null;
}

function settingsFrom(args: string[]): Settings {
  const { values } = parseArgs({
    args,
    allowNegative: true,
    options: {
      set: { type: "string", default: DATASET_NAMES.join(",") },
      class: { type: "string", default: CLASS_NAMES.join(",") },
      queries: { type: "string", default: "100" },
      rounds: { type: "string", default: "5" },
      budget: { type: "string", default: "20" },
      minisearch: { type: "boolean", default: true },
      json: { type: "string" },
    },
  });
  const number = (name: string, text: string): number => {
    const value = Number(text);
    if (!(value > 0)) throw new TypeError(`--${name} ${text}: expected a number above 0`);
    return value;
  };
  const oneOf = <Name extends string>(
    option: string,
    text: string,
    names: readonly Name[],
  ): Name[] =>
    text.split(",").map((part) => {
      const known = names.find((name) => name === part.trim());
      if (known === undefined)
        throw new TypeError(`--${option} ${part}: one of ${names.join(", ")}`);
      return known;
    });
  return {
    sets: oneOf("set", values.set, DATASET_NAMES),
    classes: oneOf("class", values.class, CLASS_NAMES),
    queries: number("queries", values.queries),
    rounds: number("rounds", values.rounds),
    budgetMs: number("budget", values.budget) * 1_000,
    miniSearch: values.minisearch,
    jsonFile: values.json ?? null,
  };
}

async function benchSet(dataset: Dataset, settings: Settings): Promise<SetReport> {
  const before = machineLoad();
  const set = indexDataset(dataset);
  printFacts(dataset, set.facts);
  const maker = new CaseMaker(set, dataset.queries, settings.queries);
  const casesByClass = new Map(
    CASE_CLASSES.filter((name) => settings.classes.includes(name)).map((name) => [
      name,
      maker.of(name),
    ]),
  );

  const compared = [...casesByClass.values()].flatMap((cases) => cases.slice(0, COMPARED));
  const mismatches = compareWithTwin(dataset, set.plan, compared);
  console.log(
    mismatches.length === 0
      ? `  exactness     ${compared.length} searches agree with the search without an index`
      : `  exactness     ${mismatches.length} DIFFERENCES in ${compared.length} searches`,
  );
  for (const { input, what } of mismatches.slice(0, 5)) console.log(`    ${input}\n      ${what}`);

  const coldStart = await coldStartOf(set, dataset, maker.of("listing"));
  const [first, ...next] = coldStart.queriesMs;
  console.log(
    `  cold start    copy ${ms(coldStart.copyMs)}, open ${ms(coldStart.openMs)}, first query ${ms(first)}, ` +
      `queries 2-10 ${ms(median(next))} (median)`,
  );

  const engine = new Engine(set);
  const mini = settings.miniSearch ? new MiniSearchIndex(dataset) : null;
  if (mini !== null) {
    const own = set.facts.buildMs + set.facts.mergeMs;
    console.log(
      `  MiniSearch    ${rate(set.facts.documents, mini.buildMs)} docs/s, ${(mini.buildMs / own).toFixed(1)}x our time`,
    );
  }
  const classes: ClassReport[] = [];
  console.log(header(mini !== null));
  for (const [name, cases] of casesByClass) {
    const report = benchClass(name, cases, engine, mini, settings);
    classes.push(report);
    console.log(describeClass(report));
    if (cases.length > 0) console.log(describePhases(engine, cases));
  }
  if (settings.classes.includes(SUGGEST)) {
    const report = benchSuggest(maker.typed(), engine, mini, settings);
    classes.push(report);
    console.log(describeClass(report));
  }
  const after = machineLoad();
  console.log(`  ${describeLoad(after)}\n`);
  return {
    name: dataset.name,
    facts: set.facts,
    jsonBytes: dataset.sourceBytes,
    miniSearchBuildMs: mini?.buildMs ?? null,
    coldStart,
    classes,
    compared: compared.length,
    mismatches,
    load: { before, after },
  };
}

function benchClass(
  name: CaseClass,
  cases: readonly BenchCase[],
  engine: Engine,
  mini: MiniSearchIndex | null,
  settings: Settings,
): ClassReport {
  const contestants: Contestant[] = [
    { name: "Aisle", run: (index) => engine.answer(cases[index]) },
  ];
  // It has no arranged searches.
  if (mini !== null && name !== "arranged") {
    contestants.push({ name: "MiniSearch", run: (index) => mini.answer(cases[index]) });
  }
  return reportOf(name, contestants, cases.length, settings);
}

function benchSuggest(
  typed: readonly string[],
  engine: Engine,
  mini: MiniSearchIndex | null,
  settings: Settings,
): ClassReport {
  const queries = typed.map((userQuery) => new URLSearchParams({ userQuery }).toString());
  const contestants = [{ name: "Aisle", run: (index: number) => engine.suggest(queries[index]) }];
  if (mini !== null) {
    contestants.push({ name: "MiniSearch", run: (index) => mini.suggest(typed[index]) });
  }
  return reportOf(SUGGEST, contestants, typed.length, settings);
}

function reportOf(
  name: ClassName,
  contestants: readonly Contestant[],
  cases: number,
  settings: Settings,
): ClassReport {
  const times = measure(contestants, cases, settings);
  const [own, other] = [times[0], times.at(1)];
  return {
    name,
    cases,
    times: times.map(({ name: contestant, us }) => ({
      name: contestant,
      p50Us: percentile(us, 0.5),
      p95Us: percentile(us, 0.95),
      measured: us.filter((value) => !Number.isNaN(value)).length,
    })),
    miniSearchRatio: other === undefined ? null : ratio(own, other),
  };
}

async function coldStartOf(
  set: IndexedSet,
  dataset: Dataset,
  cases: readonly BenchCase[],
): Promise<ColdStartTimes> {
  const input: ColdStartInput = {
    locale: dataset.locale,
    bytes: set.bytes,
    chunks: set.chunks,
    cases: cases.slice(0, 10).map(({ input: one, tenant }) => ({ input: one, tenant })),
  };
  return await new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./cold-start-thread.ts", import.meta.url), {
      workerData: input,
    });
    worker.once("message", resolve);
    worker.once("error", reject);
  });
}

// ---- printing ------------------------------------------------------------------------------------------------------

function printFacts(dataset: Dataset, facts: IndexFacts): void {
  const variants = facts.variants === 0 ? "" : `, ${count(facts.variants)} variants`;
  console.log(
    `${dataset.name}: ${count(facts.documents)} documents${variants}, ${megabytes(dataset.sourceBytes)} of JSON`,
  );
  console.log(
    `  import        ${rate(facts.documents, facts.buildMs)} docs/s into ${facts.segments} segments, ` +
      `merged in ${ms(facts.mergeMs)}; ${count(facts.rejected)} rejected`,
  );
  const perDocument = (bytes: number): string => (bytes / facts.documents).toFixed(0);
  const sections = Object.entries(facts.bytesBySection)
    .sort((a, b) => b[1] - a[1])
    .filter(([, bytes]) => bytes * 100 >= facts.indexBytes)
    .map(([name, bytes]) => `${name} ${perDocument(bytes)}`);
  console.log(
    `  bytes         index ${megabytes(facts.indexBytes)} = ${perDocument(facts.indexBytes)} a document, ` +
      `stored ${megabytes(facts.storedBytes)} = ${perDocument(facts.storedBytes)}`,
  );
  console.log(`    a document  ${sections.join(", ")}`);
}

function header(withMiniSearch: boolean): string {
  const columns = `${"us".padEnd(16)}${"cases".padStart(6)}${"p50".padStart(10)}${"p95".padStart(10)}`;
  return withMiniSearch
    ? `  ${columns}   MiniSearch${"p50".padStart(10)}${"p95".padStart(10)}${"/ ours".padStart(9)}`
    : `  ${columns}`;
}

function describeClass({ name, cases, times, miniSearchRatio }: ClassReport): string {
  const [own, other] = times;
  const left = `  ${name.padEnd(16)}${String(cases).padStart(6)}${us(own.p50Us)}${us(own.p95Us)}`;
  if (other === undefined || miniSearchRatio === null) return left;
  const partly = other.measured < cases ? ` (${other.measured} cases)` : "";
  return `${left}   ${" ".repeat(10)}${us(other.p50Us)}${us(other.p95Us)}${`${miniSearchRatio.toFixed(1)}x`.padStart(9)}${partly}`;
}

/** Where the median case of a class spends its time, phase by phase (medians do not add up exactly). */
function describePhases(engine: Engine, cases: readonly BenchCase[]): string {
  const all = cases.map((one) => {
    const phases: PhaseTimes = { parse: 0, search: 0, sources: 0, render: 0 };
    engine.answer(one, phases);
    return phases;
  });
  const parts = PHASES.map(
    (phase) => `${phase} ${count(median(all.map((one) => one[phase] * 1_000)))}`,
  );
  return `    of that       ${parts.join(", ")}`;
}

const count = (value: number): string => Math.round(value).toLocaleString("en-US");
const us = (value: number): string => count(value).padStart(10);
const ms = (value: number): string => `${value < 10 ? value.toFixed(1) : count(value)} ms`;
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
const rate = (documents: number, elapsedMs: number): string =>
  count((documents / elapsedMs) * 1_000);

// ---- main ----------------------------------------------------------------------------------------------------------

function settingsOrExit(): Settings {
  try {
    return settingsFrom(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    console.error(error.message);
    process.exit(2);
  }
}

const settings = settingsOrExit();
console.log(`Node ${process.versions.node}, ${describeLoad(machineLoad())}\n`);
const reports: SetReport[] = [];
for (const name of settings.sets) {
  const dataset = loadDataset(name);
  if (dataset === null) {
    console.log(`${name}: this data set is not on this machine\n`);
    continue;
  }
  reports.push(await benchSet(dataset, settings));
}
if (settings.jsonFile !== null) {
  const report = { node: process.versions.node, at: new Date().toISOString(), sets: reports };
  writeFileSync(settings.jsonFile, `${JSON.stringify(report, null, 2)}\n`);
}
if (consumedCharacters() === 0) throw new Error("nothing was measured");
if (reports.some(({ mismatches }) => mismatches.length > 0)) {
  console.error("The engine's answers differ from those of the search without an index.");
  process.exitCode = 1;
}
