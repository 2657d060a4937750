/**
 * Aisle now against Aisle in an earlier run, query by query: this is how a change of the engine is judged. Queries
 * that only one of the runs has are left out.
 */
import { median } from "../measure.ts";
import { pairedDifference } from "./bootstrap.ts";
import { DAMAGE_KINDS } from "./damage.ts";
import { mean } from "./metrics.ts";
import { savedQueries, type SavedContestant, type SavedQuery, type SavedRun } from "./saved-run.ts";
import { decimal, interval, percent, row, signed, type Result } from "./tables.ts";

/** Queries listed at most. */
const MOST_MOVED = 20;

/** @param sameDamage both runs damaged the queries alike (`hasSameDamage`) */
export function againstReport(now: Result, before: SavedContestant, sameDamage: boolean): string {
  const pairs = pairsOf(savedQueries(now.clean), before.queries);
  return [
    `${now.name} against the earlier run: ${pairs.length} queries in both`,
    changes(pairs),
    moved(pairs),
    sameDamage ? damageKept(now, before) : "damage is not compared: other --seed or --draws",
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

export function hasSameDamage(run: SavedRun, { seed, draws }: Pick<SavedRun, "seed" | "draws">): boolean {
  return run.seed === seed && run.draws === draws;
}

interface Pair {
  readonly now: SavedQuery;
  readonly before: SavedQuery;
}

function pairsOf(now: readonly SavedQuery[], before: readonly SavedQuery[]): Pair[] {
  const known = new Map(before.map((query) => [query.id, query]));
  return now.flatMap((query) => {
    const other = known.get(query.id);
    return other?.text === query.text ? [{ now: query, before: other }] : [];
  });
}

function changes(pairs: readonly Pair[]): string {
  const values = (side: keyof Pair, of: (query: SavedQuery) => number): number[] => pairs.map((pair) => of(pair[side]));
  const meanRow = (name: string, of: (query: SavedQuery) => number): string => {
    const [now, before] = [values("now", of), values("before", of)];
    const better = now.filter((value, at) => value > before[at]).length;
    const worse = now.filter((value, at) => value < before[at]).length;
    return (
      row(name, [decimal(mean(before)), decimal(mean(now))]) +
      interval(pairedDifference(now, before)).padStart(30) +
      `   ${better} better, ${worse} worse`
    );
  };
  const matches = (query: SavedQuery): number => query.matchCount;
  return [
    row("", ["before", "now"]) + "difference [95%]".padStart(30),
    meanRow("NDCG@10", ({ ndcg }) => ndcg),
    meanRow("judged only", ({ ndcgJudged }) => ndcgJudged),
    meanRow("recall@100", ({ recall }) => recall),
    row("matches median", [median(values("before", matches)).toFixed(0), median(values("now", matches)).toFixed(0)]),
    row("matches mean", [mean(values("before", matches)).toFixed(0), mean(values("now", matches)).toFixed(0)]),
  ].join("\n");
}

function moved(pairs: readonly Pair[]): string {
  const change = ({ now, before }: Pair): number => now.ndcg - before.ndcg;
  const most = pairs
    .filter((pair) => change(pair) !== 0)
    .sort((a, b) => Math.abs(change(b)) - Math.abs(change(a)))
    .slice(0, MOST_MOVED);
  if (most.length === 0) return "";
  const lines = most.map((pair) => {
    const { now, before } = pair;
    const judged = `${signed(now.ndcgJudged - before.ndcgJudged)} judged only`;
    const matches = `${before.matchCount} -> ${now.matchCount} matches`;
    return (
      `${signed(change(pair))}  ${decimal(before.ndcg)} -> ${decimal(now.ndcg)}  ` +
      `${judged}  ${matches.padEnd(22)}  ${now.text}`
    );
  });
  return ["moved the most, by NDCG@10", ...lines].join("\n");
}

function damageKept(now: Result, before: SavedContestant): string {
  const [reports, earlier] = [now.damaged, before.damaged];
  if (reports === null || earlier === null) return "";
  return [
    row("kept of clean", [...DAMAGE_KINDS]),
    row(
      "before",
      DAMAGE_KINDS.map((kind) => percent(earlier[kind].kept)),
    ),
    row(
      "now",
      DAMAGE_KINDS.map((kind) => percent(reports[kind].kept)),
    ),
  ].join("\n");
}
