/** Counts per data set and configuration, and the differences themselves: some printed, more in a JSON file. */
import { writeFileSync } from "node:fs";
import type { EngineHit } from "../../src/index-engine/index.ts";
import { DELIBERATE_DIFFERENCES, type Case } from "./deliberate.ts";
import { brief, type Outcome, type PartDifference } from "./outcome.ts";

/** One configuration over one set. */
export interface Row {
  readonly set: string;
  readonly configuration: string;
  compared: number;
  /** How many found a product: comparing empty answers proves little. */
  found: number;
  /** Answers by the stage that gave them, such as `2 RelaxedQuery`. */
  readonly stages: Record<string, number>;
  differences: number;
  deliberate: number;
}

interface Found extends Case {
  readonly parts: readonly PartDifference[];
}

/** Differences of one row that are written to the JSON file; the rest is only counted. */
const MOST_KEPT = 20;
/** Rows whose first difference is printed. */
const MOST_PRINTED = 6;
/** Of one part of a printed answer. */
const MOST_CHARACTERS = 2_000;

export class Report {
  readonly rows: Row[] = [];
  readonly #kept: Found[] = [];
  readonly #deliberate = new Map<string, number>();

  row(set: string, configuration: string): Row {
    const counts = { compared: 0, found: 0, differences: 0, deliberate: 0 };
    const row = { set, configuration, ...counts, stages: {} };
    this.rows.push(row);
    return row;
  }

  add(row: Row, of: Case, here: Outcome, parts: readonly PartDifference[]): void {
    row.compared++;
    if (typeof here.matchCount === "number" && here.matchCount > 0) row.found++;
    const stage = stageOf(here);
    row.stages[stage] = (row.stages[stage] ?? 0) + 1;
    const rest = parts.filter((part) => !this.#isDeliberate(part, of));
    if (rest.length > 0) {
      row.differences++;
      if (row.differences <= MOST_KEPT) this.#kept.push({ ...of, parts: rest });
    } else if (parts.length > 0) row.deliberate++;
  }

  #isDeliberate(part: PartDifference, of: Case): boolean {
    const entry = DELIBERATE_DIFFERENCES.find((one) => one.covers(part, of));
    if (entry === undefined) return false;
    this.#deliberate.set(entry.name, (this.#deliberate.get(entry.name) ?? 0) + 1);
    return true;
  }

  get differences(): number {
    return this.rows.reduce((sum, row) => sum + row.differences, 0);
  }

  get compared(): number {
    return this.rows.reduce((sum, row) => sum + row.compared, 0);
  }

  printDifferences(): void {
    const firsts = this.#kept.filter(
      ({ set, configuration }, at) =>
        this.#kept.findIndex((one) => one.set === set && one.configuration === configuration) ===
        at,
    );
    for (const { set, configuration, corpus, input, parts } of firsts.slice(0, MOST_PRINTED)) {
      console.log(`\n${set}, ${configuration}, ${corpus}: ${input}`);
      for (const { part, places, here, there } of parts) {
        for (const place of places) console.log(`  ${place}`);
        if (part === "facets") continue;
        console.log(`  ${part} here:  ${shown(here)}`);
        console.log(`  ${part} there: ${shown(there)}`);
      }
    }
    for (const [name, count] of this.#deliberate) console.log(`deliberate, ${name}: ${count}`);
  }

  write(path: string, run: Readonly<Record<string, unknown>>): void {
    const differences = this.#kept.map(({ parts, ...of }) => ({
      ...of,
      // Facets of a broad query have megabytes; their places are enough.
      parts: parts.map((part) =>
        part.part === "facets" ? { part: part.part, places: part.places } : part,
      ),
    }));
    const deliberate = Object.fromEntries(this.#deliberate);
    const all = { ...run, compared: this.compared, rows: this.rows, deliberate, differences };
    writeFileSync(path, `${JSON.stringify(all, null, 2)}\n`);
  }
}

/** Hits without what nearly all of them share; anything else as it is. */
function shown(value: unknown): string {
  if (!Array.isArray(value) || !value.every(isHit)) return brief(value, MOST_CHARACTERS);
  const hits = value.map(({ id, score, variant, set }) =>
    [id, score, variant === null ? "" : `variant ${variant}`, set < 0 ? "" : `set ${set}`]
      .filter((part) => part !== "")
      .join(" "),
  );
  return hits.join(", ").slice(0, MOST_CHARACTERS);
}

function isHit(value: unknown): value is Pick<EngineHit, "id" | "score" | "variant" | "set"> {
  return typeof value === "object" && value !== null && "id" in value && "score" in value;
}

function stageOf({ meta }: Outcome): string {
  if (typeof meta !== "object" || meta === null) return "error";
  const { query_stage: stage, query_strategy: strategy } = meta as Record<string, unknown>;
  return stage === undefined ? "none" : `${brief(stage)} ${brief(strategy)}`;
}
