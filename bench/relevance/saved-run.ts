/**
 * A run on disk: what `--json` writes and `--against` reads. It holds the values of every query, so that a later run
 * can be compared query by query.
 */
import { readFileSync, writeFileSync } from "node:fs";
import type { DamageKind } from "./damage.ts";
import { PAGE, type CleanReport, type DamageReports, type DamageSummary, type Summary } from "./evaluate.ts";
import type { JudgedName } from "./judged.ts";
import type { Result } from "./tables.ts";

export interface SavedQuery {
  readonly id: string;
  readonly text: string;
  readonly ndcg: number;
  readonly ndcgJudged: number;
  readonly recall: number;
  /** Number of hits, at most `RECALL_DEPTH`. */
  readonly hits: number;
  readonly matchCount: number;
  /** Ids of the first `PAGE` hits. */
  readonly page: readonly string[];
}

export interface SavedContestant {
  readonly clean: Summary;
  /** Null where only clean queries were asked. */
  readonly damaged: Readonly<Record<DamageKind, DamageSummary>> | null;
  readonly queries: readonly SavedQuery[];
}

export interface SavedRun {
  /** Of the damage. */
  readonly seed: number;
  readonly draws: number;
  /** By catalogue, then by the contestant's name. */
  readonly sets: Readonly<Partial<Record<JudgedName, Readonly<Record<string, SavedContestant>>>>>;
}

export function savedSet(results: readonly Result[]): Record<string, SavedContestant> {
  return Object.fromEntries(
    results.map(({ name, clean, damaged }) => [
      name,
      {
        clean: withoutOutcomes(clean),
        damaged: damaged === null ? null : damageSummaries(damaged),
        queries: savedQueries(clean),
      },
    ]),
  );
}

function damageSummaries(reports: DamageReports): Record<DamageKind, DamageSummary> {
  return Object.fromEntries(Object.entries(reports).map(([kind, report]) => [kind, withoutOutcomes(report)])) as Record<
    DamageKind,
    DamageSummary
  >;
}

function withoutOutcomes<Report extends { readonly outcomes: unknown }>(report: Report): Omit<Report, "outcomes"> {
  const { outcomes: _, ...summary } = report;
  return summary;
}

export function savedQueries({ outcomes }: Pick<CleanReport, "outcomes">): SavedQuery[] {
  return outcomes.map(({ query, ndcg, ndcgJudged, recall, hits, matchCount }) => ({
    id: query.id,
    text: query.text,
    ndcg,
    ndcgJudged,
    recall,
    hits: hits.length,
    matchCount,
    page: hits.slice(0, PAGE),
  }));
}

export function writeRun(path: string, run: SavedRun): void {
  writeFileSync(path, `${JSON.stringify(run, null, 1)}\n`);
}

export function readRun(path: string): SavedRun {
  const run = JSON.parse(readFileSync(path, "utf8")) as Partial<SavedRun> | null;
  if (typeof run?.sets !== "object" || typeof run.seed !== "number" || run.draws === undefined)
    throw new TypeError(`${path} is not a run: write one with --json`);
  return { seed: run.seed, draws: run.draws, sets: run.sets };
}
