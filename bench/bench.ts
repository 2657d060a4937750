/**
 * Measures engine speed and index size. bench/core.ts compares with other engines.
 *
 *   npm run bench -- [--set sample,icecat,...] [--class listing,...] [--queries 100] [--rounds 5] [--budget 20]
 *                    [--json file]
 *
 * For each data set: import (documents per second, merge), bytes by component, cold start, and
 * queries by class (cases.ts) through the entry that a shard calls (engine.ts): median and 95th
 * percentile over cases.
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
import { indexDataset, type IndexFacts, type IndexedSet } from "./index-set.ts";
import {
  consumedCharacters,
  describeLoad,
  machineLoad,
  measure,
  median,
  percentile,
  type Contestant,
  type Load,
} from "./measure.ts";

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
}

interface SetReport {
  readonly name: DatasetName;
  readonly facts: IndexFacts;
  readonly jsonBytes: number;
  readonly coldStart: ColdStartTimes;
  readonly classes: readonly ClassReport[];
  readonly load: { readonly before: Load; readonly after: Load };
}

interface Settings {
  readonly sets: readonly DatasetName[];
  readonly classes: readonly ClassName[];
  readonly queries: number;
  readonly rounds: number;
  readonly budgetMs: number;
  readonly jsonFile: string | null;
}

function settingsFrom(args: string[]): Settings {
  const { values } = parseArgs({
    args,
    options: {
      set: { type: "string", default: DATASET_NAMES.join(",") },
      class: { type: "string", default: CLASS_NAMES.join(",") },
      queries: { type: "string", default: "100" },
      rounds: { type: "string", default: "5" },
      budget: { type: "string", default: "20" },
      json: { type: "string" },
    },
  });
  const number = (name: string, text: string): number => {
    const value = Number(text);
    if (!(value > 0)) throw new TypeError(`--${name} ${text}: expected a number above 0`);
    return value;
  };
  const oneOf = <Name extends string>(option: string, text: string, names: readonly Name[]): Name[] =>
    text.split(",").map((part) => {
      const known = names.find((name) => name === part.trim());
      if (known === undefined) throw new TypeError(`--${option} ${part}: one of ${names.join(", ")}`);
      return known;
    });
  return {
    sets: oneOf("set", values.set, DATASET_NAMES),
    classes: oneOf("class", values.class, CLASS_NAMES),
    queries: number("queries", values.queries),
    rounds: number("rounds", values.rounds),
    budgetMs: number("budget", values.budget) * 1_000,
    jsonFile: values.json ?? null,
  };
}

async function benchSet(dataset: Dataset, settings: Settings): Promise<SetReport> {
  const before = machineLoad();
  const set = indexDataset(dataset);
  printFacts(dataset, set.facts);
  const maker = new CaseMaker(set, dataset.queries, settings.queries);
  const casesByClass = new Map(
    CASE_CLASSES.filter((name) => settings.classes.includes(name)).map((name) => [name, maker.of(name)]),
  );

  const coldStart = await coldStartOf(set, dataset, maker.of("listing"));
  const [first, ...next] = coldStart.queriesMs;
  console.log(
    `  cold start    copy ${ms(coldStart.copyMs)}, open ${ms(coldStart.openMs)}, first query ${ms(first)}, ` +
      `queries 2-10 ${ms(median(next))} (median)`,
  );

  const engine = new Engine(set);
  const classes: ClassReport[] = [];
  console.log(HEADER);
  for (const [name, cases] of casesByClass) {
    const report = benchClass(name, cases, engine, settings);
    classes.push(report);
    console.log(describeClass(report));
    if (cases.length > 0) console.log(describePhases(engine, cases));
  }
  if (settings.classes.includes(SUGGEST)) {
    const report = benchSuggest(maker.typed(), engine, settings);
    classes.push(report);
    console.log(describeClass(report));
  }
  const after = machineLoad();
  console.log(`  ${describeLoad(after)}\n`);
  return {
    name: dataset.name,
    facts: set.facts,
    jsonBytes: dataset.sourceBytes,
    coldStart,
    classes,
    load: { before, after },
  };
}

function benchClass(name: CaseClass, cases: readonly BenchCase[], engine: Engine, settings: Settings): ClassReport {
  return reportOf(name, (index) => engine.answer(cases[index]), cases.length, settings);
}

function benchSuggest(typed: readonly string[], engine: Engine, settings: Settings): ClassReport {
  const queries = typed.map((userQuery) => new URLSearchParams({ userQuery }).toString());
  return reportOf(SUGGEST, (index) => engine.suggest(queries[index]), typed.length, settings);
}

function reportOf(name: ClassName, run: Contestant["run"], cases: number, settings: Settings): ClassReport {
  const times = measure([{ name: "Aisle", run }], cases, settings);
  return {
    name,
    cases,
    times: times.map(({ name: contestant, us }) => ({
      name: contestant,
      p50Us: percentile(us, 0.5),
      p95Us: percentile(us, 0.95),
      measured: us.filter((value) => !Number.isNaN(value)).length,
    })),
  };
}

async function coldStartOf(set: IndexedSet, dataset: Dataset, cases: readonly BenchCase[]): Promise<ColdStartTimes> {
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

// ---- printing

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

const HEADER = `  ${"us".padEnd(16)}${"cases".padStart(6)}${"p50".padStart(10)}${"p95".padStart(10)}`;

function describeClass({ name, cases, times: [own] }: ClassReport): string {
  return `  ${name.padEnd(16)}${String(cases).padStart(6)}${us(own.p50Us)}${us(own.p95Us)}`;
}

/** Where the median case of a class spends its time, phase by phase (medians do not add up exactly). */
function describePhases(engine: Engine, cases: readonly BenchCase[]): string {
  const all = cases.map((one) => {
    const phases: PhaseTimes = { parse: 0, search: 0, sources: 0, render: 0 };
    engine.answer(one, phases);
    return phases;
  });
  const parts = PHASES.map((phase) => `${phase} ${count(median(all.map((one) => one[phase] * 1_000)))}`);
  return `    of that       ${parts.join(", ")}`;
}

const count = (value: number): string => Math.round(value).toLocaleString("en-US");
const us = (value: number): string => count(value).padStart(10);
const ms = (value: number): string => `${value < 10 ? value.toFixed(1) : count(value)} ms`;
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
const rate = (documents: number, elapsedMs: number): string => count((documents / elapsedMs) * 1_000);

// ---- main

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
