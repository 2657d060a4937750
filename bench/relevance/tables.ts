/** The tables of a comparison, as text. NDCG and recall are 0..1, times are in us. */
import { pairedDifference, type Difference } from "./bootstrap.ts";
import { DAMAGE_KINDS, type DamageKind } from "./damage.ts";
import type { CleanReport, DamageReports, DamageSummary } from "./evaluate.ts";

const NAME_WIDTH = 18;
const CELL_WIDTH = 14;

/** What one contestant did with one catalogue. */
export interface Result {
  readonly name: string;
  readonly clean: CleanReport;
  /** Null where only clean queries were asked. */
  readonly damaged: DamageReports | null;
}

/** A column of the table: a heading, and the cell of a report. */
type Column<Report> = readonly [heading: string, cell: (report: Report) => string];

const CLEAN_COLUMNS: readonly Column<CleanReport>[] = [
  ["NDCG@10", ({ ndcg }) => decimal(ndcg)],
  ["judged only", ({ ndcgJudged }) => decimal(ndcgJudged)],
  ["recall@100", ({ recall }) => decimal(recall)],
  ["under 10 hits", ({ shortPages }) => percent(shortPages)],
  ["no hits", ({ zeroResults }) => percent(zeroResults)],
  ["matches median", ({ matchesMedian }) => matchesMedian.toFixed(0)],
  ["mean", ({ matchesMean }) => matchesMean.toFixed(0)],
  ["median us", ({ medianUs }) => medianUs.toFixed(0)],
];

const DAMAGE_TABLES: readonly Column<DamageSummary>[] = [
  ["NDCG@10 damaged", ({ ndcg }) => decimal(ndcg)],
  ["kept of clean", ({ kept }) => percent(kept)],
  ["under 10 hits", ({ shortPages }) => percent(shortPages)],
  ["no hits", ({ zeroResults }) => percent(zeroResults)],
  ["median us", ({ medianUs }) => medianUs.toFixed(0)],
];

export function cleanTable(results: readonly Result[]): string {
  const headings = CLEAN_COLUMNS.map(([heading]) => heading);
  const rows = results.map(({ name, clean }) =>
    row(
      name,
      CLEAN_COLUMNS.map(([, cell]) => cell(clean)),
    ),
  );
  return [row("clean", headings), ...rows].join("\n");
}

/** Aisle, the first of the results, minus each of the others. */
export function differenceTable([aisle, ...others]: readonly Result[]): string {
  const rows = others.map(({ name, clean }) => {
    const minus = (value: "ndcg" | "ndcgJudged"): string =>
      interval(pairedDifference(valuesOf(aisle.clean, value), valuesOf(clean, value)));
    return name.padEnd(NAME_WIDTH) + minus("ndcg").padStart(32) + minus("ndcgJudged").padStart(32);
  });
  const heading = `${aisle.name} minus`.padEnd(NAME_WIDTH);
  return [heading + "NDCG@10 [95%]".padStart(32) + "judged only [95%]".padStart(32), ...rows].join("\n");
}

export function damageTables(results: readonly Result[]): string {
  const damaged = results.flatMap(({ name, damaged: reports }) => (reports === null ? [] : [{ name, reports }]));
  if (damaged.length === 0) return "";
  const cells = (of: (kind: DamageKind) => string): string[] => DAMAGE_KINDS.map(of);
  const tables = DAMAGE_TABLES.map(([heading, cell]) =>
    [
      row(heading, [...DAMAGE_KINDS]),
      ...damaged.map(({ name, reports }) =>
        row(
          name,
          cells((kind) => cell(reports[kind])),
        ),
      ),
    ].join("\n"),
  );
  const asked = row(
    "queries asked",
    cells((kind) => String(damaged[0].reports[kind].queries)),
  );
  return [...tables, asked].join("\n\n");
}

function valuesOf({ outcomes }: CleanReport, value: "ndcg" | "ndcgJudged"): number[] {
  return outcomes.map((outcome) => outcome[value]);
}

export function row(name: string, cells: readonly string[]): string {
  return name.padEnd(NAME_WIDTH) + cells.map((cell) => cell.padStart(CELL_WIDTH + 1)).join("");
}

export function interval({ mean, low, high }: Difference): string {
  return `${signed(mean)} [${signed(low)}, ${signed(high)}]`;
}

export function signed(value: number): string {
  return `${value < 0 ? "" : "+"}${decimal(value)}`;
}

export function decimal(value: number): string {
  return value.toFixed(4);
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}
