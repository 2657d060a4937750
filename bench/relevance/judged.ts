/**
 * Queries with judgments: for a query and a product, how good an answer the product is.
 *
 *   queries.tsv     query id, query
 *   judgments.tsv   query id, product id, grade 0..3
 *
 * Products without a judgment count as grade 0.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DATA, type DatasetName } from "../datasets.ts";

/** The catalogues that have judgments: electronics, and a general store. */
export const JUDGED_NAMES = ["icecat", "esci"] as const satisfies readonly DatasetName[];
export type JudgedName = (typeof JUDGED_NAMES)[number];

export interface JudgedQuery {
  readonly id: string;
  readonly text: string;
  /** Product id -> grade, 0 included. */
  readonly grades: ReadonlyMap<string, number>;
}

/** Queries with at least one positive grade; null where the data set is not on this machine. */
export function loadJudged(name: JudgedName): JudgedQuery[] | null {
  const judgmentsPath = join(DATA, name, "judgments.tsv");
  if (!existsSync(judgmentsPath)) return null;
  const gradesOf = new Map<string, Map<string, number>>();
  for (const [query, product, grade] of rows(judgmentsPath)) {
    const grades = gradesOf.get(query) ?? new Map<string, number>();
    grades.set(product, Number(grade));
    gradesOf.set(query, grades);
  }
  return rows(join(DATA, name, "queries.tsv"))
    .map(([id, text]) => ({ id, text, grades: gradesOf.get(id) ?? new Map<string, number>() }))
    .filter(({ grades }) => [...grades.values()].some((grade) => grade > 0));
}

function rows(path: string): string[][] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split("\t"));
}
