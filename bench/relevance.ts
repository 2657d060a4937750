/**
 * How good are the answers? NDCG@10, recall@100 and the share of queries without any hit, over judged queries, in one run for the
 * engine, MiniSearch, Orama and plain BM25; then the same queries with damage done to them (relevance/damage.ts).
 *
 *   npm run bench:relevance -- [--seed 1] [--draws 3] [--only Aisle,Orama] [--no-damage] [--json file]
 *   npm run bench:relevance -- --query "gaming mouse"      the first hits of everybody with their grades
 *   npm run bench:relevance -- --worst 20 [--kind split]   where the engine is furthest behind the best of the others,
 *                                                          or of a kind of damage: where it loses most
 *
 * All judged queries take part, unjudged products count 0. Times are medians over queries, of a second round, everything on one
 * thread of Node.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { loadDataset, type Dataset } from "./datasets.ts";
import { indexDataset } from "./index-set.ts";
import { describeLoad, machineLoad } from "./measure.ts";
import { Aisle } from "./relevance/aisle.ts";
import { productTexts, type Contestant, type ProductTexts } from "./relevance/contestant.ts";
import { DAMAGE_KINDS, type DamageKind } from "./relevance/damage.ts";
import {
  ask,
  evaluateAllDamage,
  evaluateClean,
  evaluateDamage,
  type CleanReport,
  type DamageReport,
  type QueryOutcome,
} from "./relevance/evaluate.ts";
import { loadJudged, type JudgedQuery } from "./relevance/judged.ts";
import { miniSearchContestants } from "./relevance/mini-search.ts";
import { oramaContestants } from "./relevance/orama.ts";
import { PlainBm25 } from "./relevance/plain-bm25.ts";

const { values: options } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    draws: { type: "string", default: "3" },
    only: { type: "string" },
    "no-damage": { type: "boolean", default: false },
    json: { type: "string" },
    query: { type: "string" },
    worst: { type: "string" },
    kind: { type: "string" },
  },
});
/** Of each answer, with `--query`. */
const SHOWN_HITS = 12;
const seed = Number(options.seed);
const draws = Number(options.draws);

const dataset = loadDataset("icecat");
const judged = loadJudged("icecat");
if (dataset === null || judged === null) {
  console.log("the judged catalogue (icecat) is not on this machine");
} else {
  const texts = productTexts(dataset);
  const { aisle, others } = await contestants(dataset, texts);
  if (options.query !== undefined) showQuery([aisle, ...others], judged, texts, options.query);
  else if (options.worst !== undefined) showWorst(aisle, others, judged, Number(options.worst));
  else compare([aisle, ...others], judged);
}

async function contestants(
  set: Dataset,
  products: readonly ProductTexts[],
): Promise<{ aisle: Aisle; others: Contestant[] }> {
  const aisle = new Aisle(indexDataset(set));
  const wanted = options.only?.split(",");
  const named = (prefix: string): boolean =>
    wanted === undefined || wanted.some((name) => name.startsWith(prefix));
  const all: Contestant[] = [];
  if (named("plain BM25")) all.push(new PlainBm25(products));
  if (named("BM25 with stems")) all.push(new PlainBm25(products, { stems: true }));
  if (named("MiniSearch")) all.push(...miniSearchContestants(products));
  if (named("Orama")) all.push(...(await oramaContestants(products)));
  return { aisle, others: all.filter(({ name }) => wanted === undefined || wanted.includes(name)) };
}

// ---- the comparison --------------------------------------------------------------------------------------------------------

function compare(all: readonly Contestant[], queries: readonly JudgedQuery[]): void {
  console.log(`${queries.length} judged queries; ${describeLoad(machineLoad())}\n`);
  console.log(
    row("clean", ["NDCG@10", "exp. gain", "judged only", "recall@100", "no hits", "median us"]),
  );
  const clean = new Map<string, CleanReport & { readonly outcomes: readonly QueryOutcome[] }>();
  for (const contestant of all) {
    const report = evaluateClean(contestant, queries);
    clean.set(contestant.name, report);
    console.log(
      row(contestant.name, [
        number(report.ndcg),
        number(report.ndcgExponential),
        number(report.ndcgJudged),
        number(report.recall),
        percent(report.zeroResults),
        report.medianUs.toFixed(0),
      ]),
    );
  }
  const damaged = new Map<string, Record<DamageKind, DamageReport>>();
  if (!options["no-damage"]) {
    for (const contestant of all) {
      const outcomes = clean.get(contestant.name)?.outcomes ?? [];
      damaged.set(contestant.name, evaluateAllDamage(contestant, outcomes, seed, draws));
    }
    const table = (title: string, cell: (report: DamageReport) => string): void => {
      console.log(`\n${row(title, [...DAMAGE_KINDS])}`);
      for (const [name, reports] of damaged) {
        console.log(
          row(
            name,
            DAMAGE_KINDS.map((kind) => cell(reports[kind])),
          ),
        );
      }
    };
    table("NDCG@10 damaged", ({ ndcg }) => number(ndcg));
    table("kept of clean", ({ kept }) => percent(kept));
    table("no hits", ({ zeroResults }) => percent(zeroResults));
    table("median us", ({ medianUs }) => medianUs.toFixed(0));
    const [first] = damaged.values();
    if (first !== undefined) {
      console.log(
        row(
          "queries",
          DAMAGE_KINDS.map((kind) => String(first[kind].queries)),
        ),
      );
    }
  }
  if (options.json !== undefined) {
    const report = {
      seed,
      draws,
      clean: Object.fromEntries(clean),
      damaged: Object.fromEntries(damaged),
    };
    writeFileSync(options.json, JSON.stringify(report, withoutOutcomes, 2));
  }
}

function withoutOutcomes(key: string, value: unknown): unknown {
  return key === "outcomes" ? undefined : value;
}

function row(name: string, cells: readonly string[]): string {
  return name.padEnd(18) + cells.map((cell) => cell.padStart(14)).join("");
}

function number(value: number): string {
  return value.toFixed(4);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}

// ---- single queries --------------------------------------------------------------------------------------------------------

function showQuery(
  all: readonly Contestant[],
  queries: readonly JudgedQuery[],
  texts: readonly ProductTexts[],
  text: string,
): void {
  const query = queries.find((known) => known.text === text) ?? {
    id: "",
    text,
    grades: new Map<string, number>(),
  };
  const titles = new Map(texts.map(({ id, title, brand }) => [id, `${brand}: ${title}`]));
  const judgedCount = [0, 1, 2, 3].map(
    (grade) => [...query.grades.values()].filter((known) => known === grade).length,
  );
  console.log(`"${text}": judged 0..3: ${judgedCount.join(", ")}`);
  for (const contestant of all) {
    const outcome = ask(contestant, query, text);
    const meta = contestant instanceof Aisle ? `  ${JSON.stringify(contestant.meta(text))}` : "";
    console.log(
      `\n${contestant.name}: NDCG@10 ${number(outcome.ndcg)}, recall@100 ${number(outcome.recall)}, ` +
        `${outcome.hits.length} hits${meta}`,
    );
    for (const id of outcome.hits.slice(0, SHOWN_HITS)) {
      const grade = query.grades.get(id);
      console.log(`  ${grade ?? "-"}  ${id.padEnd(10)} ${(titles.get(id) ?? "").slice(0, 120)}`);
    }
  }
}

function showWorst(
  aisle: Aisle,
  others: readonly Contestant[],
  queries: readonly JudgedQuery[],
  count: number,
): void {
  const own = evaluateClean(aisle, queries).outcomes;
  if (options.kind !== undefined) {
    const kind = DAMAGE_KINDS.find((known) => known === options.kind);
    if (kind === undefined) throw new Error(`--kind is one of ${DAMAGE_KINDS.join(", ")}`);
    const cleanOf = new Map(own.map((outcome) => [outcome.query.id, outcome.ndcg]));
    const losses = evaluateDamage(aisle, own, kind, seed, draws)
      .outcomes.map((outcome) => ({
        outcome,
        clean: cleanOf.get(outcome.query.id) ?? 0,
      }))
      .sort((a, b) => b.clean - b.outcome.ndcg - (a.clean - a.outcome.ndcg));
    for (const { outcome, clean } of losses.slice(0, count)) {
      console.log(
        `${number(clean)} -> ${number(outcome.ndcg)}  ${outcome.query.text} -> ${outcome.text}  ` +
          JSON.stringify(aisle.meta(outcome.text)),
      );
    }
    return;
  }
  const theirs = others.map((contestant) => ({
    name: contestant.name,
    outcomes: evaluateClean(contestant, queries).outcomes,
  }));
  const gaps = own
    .map((outcome, at) => {
      const best = theirs
        .map(({ name, outcomes }) => ({ name, ndcg: outcomes[at].ndcg }))
        .sort((a, b) => b.ndcg - a.ndcg)
        .at(0);
      return { outcome, best, gap: (best?.ndcg ?? 1) - outcome.ndcg };
    })
    .sort((a, b) => b.gap - a.gap || a.outcome.ndcg - b.outcome.ndcg);
  for (const { outcome, best } of gaps.slice(0, count)) {
    console.log(
      `${number(outcome.ndcg)}  ${outcome.query.text.padEnd(26)} ` +
        (best === undefined ? "" : `${best.name} ${number(best.ndcg)}`),
    );
  }
}
