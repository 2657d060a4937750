/** The figures of a run as a table. */
import { percentile } from "../measure.ts";
import type { Mode } from "../synthetic/queries.ts";
import type { EngineName } from "./engines.ts";

/** One engine in one mode. */
export interface Cell {
  readonly engine: EngineName;
  readonly mode: Mode;
  /** Of each query that was reached, in us: the median of its passes, and the best. */
  readonly median: readonly number[];
  readonly best: readonly number[];
  readonly meanHits: number;
  /** How many queries there are. */
  readonly asked: number;
}

export const STATISTICS = ["median", "best"] as const;
export type Statistic = (typeof STATISTICS)[number];

export interface Figures {
  readonly p50: number;
  readonly p95: number;
  readonly mean: number;
}

export function figuresOf(cell: Cell, statistic: Statistic): Figures {
  const us = cell[statistic];
  return {
    p50: percentile(us, 0.5),
    p95: percentile(us, 0.95),
    mean: us.reduce((sum, one) => sum + one, 0) / us.length,
  };
}

/** The same of some of its queries, by place. */
export function ofQueries(cell: Cell, places: readonly number[]): Cell {
  const some = (us: readonly number[]): readonly number[] => places.flatMap((at) => us[at] ?? []);
  return { ...cell, median: some(cell.median), best: some(cell.best), asked: places.length };
}

/** A row for each mode, a column for each engine; cells are `p50 / p95`. */
export function table(
  cells: readonly Cell[],
  engines: readonly EngineName[],
  modes: readonly Mode[],
  show: (cell: Cell) => string,
): string {
  const rows = [
    ["mode", ...engines],
    ...modes.map((mode) => [
      mode,
      ...engines.map((engine) => {
        const cell = cells.find((one) => one.mode === mode && one.engine === engine);
        return cell === undefined ? "-" : show(cell);
      }),
    ]),
  ];
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows
    .map((row) => `  ${row.map((text, column) => text.padEnd(widths[column])).join("  ")}`.trimEnd())
    .join("\n");
}

/** `12.3 / 45.6 | 20.1`: p50, p95 and mean. */
export function showTimes(cell: Cell, statistic: Statistic): string {
  const { p50, p95, mean } = figuresOf(cell, statistic);
  return `${digits(p50)} / ${digits(p95)} | ${digits(mean)}${fewer(cell)}`;
}

export function showHits(cell: Cell): string {
  return cell.meanHits.toFixed(1) + fewer(cell);
}

/** A cell of fewer queries says how many: its figures are of another sample. */
function fewer({ median, asked }: Cell): string {
  return median.length < asked ? ` (${median.length} queries)` : "";
}

function digits(us: number): string {
  return us < 100 ? us.toFixed(1) : us.toFixed(0);
}
