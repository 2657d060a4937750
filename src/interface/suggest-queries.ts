/**
 * A shop's own queries for the suggestions of one index (docs/indexing.md 7.6).
 *
 *   {"queries": [{"phrase": "running shoes", "weight": 80, "type": "keyword", "payload": {"url": "/run"}, "tags":
 *   ["sport"]}],
 *    "sharpened": {"shoes": ["running shoes", "hiking boots"]}, "relaxed": {"pink running shoes": ["running shoes"]}}
 *
 * A bare list means `queries`, and a text in it is a phrase. In CSV each line is a query, or a phrase of one of the
 * lists:
 *
 *   phrase,weight,type,tags,payload.url,sharpens,relaxes
 *   running shoes,80,,sport|shoes,/run,,
 *   hiking boots,,,,,shoes,                              a phrase that sharpens "shoes"
 */
import * as z from "zod";
import type { DataLimits } from "./configuration-size.ts";
import type { Problem } from "./errors.ts";
import { LIMITS } from "./limits.ts";

const MOST_PHRASE_CHARACTERS = 256;
const DEFAULT_TYPE = "keyword";
const DEFAULT_WEIGHT = 1;
const MOST_WEIGHT = 2 ** 31;
/**
 * All members of as many queries, with a dozen tags and payload members each; their texts and paths. Only sent queries
 * are checked.
 */
export const SUGGEST_QUERIES_SIZE: DataLimits = {
  values: 20 * LIMITS.suggestQueries.value,
  levels: 4,
  characters: 10 * LIMITS.configurationBytes.value,
};

const Phrase = z
  .string()
  .trim()
  .min(1, "is empty")
  .max(MOST_PHRASE_CHARACTERS, `has more than ${MOST_PHRASE_CHARACTERS} characters`);
const Name = z.string().trim().min(1, "is empty").max(MOST_PHRASE_CHARACTERS);

export const OwnQuery = z.strictObject({
  phrase: Phrase,
  weight: z.number().int().min(0).max(MOST_WEIGHT).default(DEFAULT_WEIGHT),
  type: Name.default(DEFAULT_TYPE),
  payload: z.record(z.string(), z.string()).default({}),
  tags: z.array(Name).default([]),
});
export type OwnQuery = z.output<typeof OwnQuery>;

const QueryLists = z.record(z.string(), z.array(Phrase));

export const SuggestQueries = z.strictObject({
  queries: z.array(z.preprocess((own) => (typeof own === "string" ? { phrase: own } : own), OwnQuery)).default([]),
  sharpened: QueryLists.default({}),
  relaxed: QueryLists.default({}),
});
export type SuggestQueries = z.output<typeof SuggestQueries>;

export type ReadSuggestQueries =
  | { readonly ok: true; readonly value: SuggestQueries }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** @param raw parsed JSON; problems have paths in it: `queries[3].weight`. */
export function readSuggestQueries(raw: unknown): ReadSuggestQueries {
  const isList = Array.isArray(raw);
  const parsed = SuggestQueries.safeParse(isList ? { queries: raw } : raw);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => ({
      path: pathText(isList ? path.slice(1) : path),
      message,
    }));
    return { ok: false, problems };
  }
  return withinLimit(parsed.data);
}

function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`))
    .join("")
    .replace(/^\./, "");
}

function withinLimit(value: SuggestQueries): ReadSuggestQueries {
  const lists = [...Object.values(value.sharpened), ...Object.values(value.relaxed)];
  const count = lists.reduce((sum, list) => sum + list.length, value.queries.length);
  const most = LIMITS.suggestQueries.value;
  if (count <= most) return { ok: true, value };
  return {
    ok: false,
    problems: [{ path: "", message: `has ${count} queries, more than ${most}` }],
  };
}

// ---- CSV

const COLUMNS = ["phrase", "weight", "type", "tags", "sharpens", "relaxes"] as const;
type Column = (typeof COLUMNS)[number];
const PAYLOAD = "payload.";
const TAG_SEPARATOR = "|";

/** Problems have positions in the text as paths: `line 3, column weight`. */
export function readSuggestQueriesCsv(text: string): ReadSuggestQueries {
  const [header, ...records] = csvRecords(text.replace(/^\uFEFF/, ""));
  const names = (header?.cells ?? []).map((cell) => cell.trim());
  const known = new Set<string>();
  const problems: Problem[] = names
    .filter((name) => !isColumn(name) || known.size === known.add(name).size)
    .map((name) => ({
      path: "line 1",
      message: `"${name}" is no column, or there twice; columns are ${COLUMNS.join(", ")}, ${PAYLOAD}<name>`,
    }));
  if (!names.includes("phrase")) problems.push({ path: "line 1", message: "no column phrase" });
  if (problems.length > 0) return { ok: false, problems };

  const queries: OwnQuery[] = [];
  const sharpened = new Map<string, string[]>();
  const relaxed = new Map<string, string[]>();
  for (const { line, cells } of records) {
    const at = (column: Column): string => cells[names.indexOf(column)]?.trim() ?? "";
    if (cells.length > names.length) {
      problems.push({
        path: `line ${line}`,
        message: `more cells than the ${names.length} columns`,
      });
      continue;
    }
    const payload = names.flatMap((name, i) =>
      name.startsWith(PAYLOAD) && (cells[i] ?? "") !== "" ? [[name.slice(PAYLOAD.length), cells[i]]] : [],
    );
    const parsed = OwnQuery.safeParse({
      phrase: at("phrase"),
      weight: at("weight") === "" ? undefined : Number(at("weight")),
      type: at("type") === "" ? undefined : at("type"),
      payload: Object.fromEntries(payload),
      tags: at("tags")
        .split(TAG_SEPARATOR)
        .filter((tag) => tag.trim() !== ""),
    });
    if (!parsed.success) {
      for (const { path, message } of parsed.error.issues)
        problems.push({ path: `line ${line}, column ${String(path[0])}`, message });
      continue;
    }
    const { phrase } = parsed.data;
    const [sharpens, relaxes] = [at("sharpens"), at("relaxes")];
    if (sharpens !== "") sharpened.set(sharpens, [...(sharpened.get(sharpens) ?? []), phrase]);
    if (relaxes !== "") relaxed.set(relaxes, [...(relaxed.get(relaxes) ?? []), phrase]);
    if (sharpens === "" && relaxes === "") queries.push(parsed.data);
  }
  if (problems.length > 0) return { ok: false, problems };
  return withinLimit({
    queries,
    sharpened: Object.fromEntries(sharpened),
    relaxed: Object.fromEntries(relaxed),
  });
}

function isColumn(name: string): boolean {
  const isPayload = name.startsWith(PAYLOAD) && name.length > PAYLOAD.length;
  return isPayload || COLUMNS.some((column) => column === name);
}

interface CsvRecord {
  /** Line of its first character, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * Cells between commas, or the semicolons or tabs of the first line; quoted cells may contain those, line ends and
 * doubled quotes. Skips empty lines.
 */
function csvRecords(text: string): CsvRecord[] {
  const records: CsvRecord[] = [];
  const header = (/^[^\n]*/.exec(text)?.[0] ?? "").replace(/"[^"]*"/g, "");
  const separator = header.includes(",") ? "," : (/[;\t]/.exec(header.trimEnd())?.[0] ?? ",");
  const cell = new RegExp(
    `(?:"((?:[^"]|"")*)"(?:(?!${separator})[^\\n\\S])*|([^${separator}\\n"\\r]*))(${separator}|\\r?\\n|$)|([^\\n]*)(\\n|$)`,
    "gy",
  );
  let line = 1;
  let cells: string[] = [];
  let start = 1;
  while (cell.lastIndex < text.length || cells.length > 0) {
    const found = cell.exec(text);
    if (found === null) break;
    const [whole, quoted, plain, end, odd] = found;
    cells.push(quoted?.replaceAll('""', '"') ?? plain ?? odd ?? "");
    line += whole.split("\n").length - 1;
    if (end === separator) continue;
    if (cells.some((own) => own.trim() !== "")) records.push({ line: start, cells });
    cells = [];
    start = line;
  }
  return records;
}
