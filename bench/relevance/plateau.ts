/**
 * How much do the constants of a search without stages matter? Each is set to other values, one at a time, in a copy
 * of the sources, and the judged queries are asked again.
 *
 *   npm run node -- bench/relevance/plateau.ts [--only HEAD_LIFT,enough]
 *
 * Prints NDCG@10 (unjudged = 0), judged only, recall@100, and NDCG@10 of damaged queries (the mean over the kinds of
 * damage, and a wrong first letter), per judged catalogue. Takes some 25 s a value.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { DATA } from "../datasets.ts";
import { JUDGED_NAMES } from "./judged.ts";
import { readRun } from "./saved-run.ts";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../..");
const POLICY = "src/index-engine/query/relevance/policy.ts";
const PRESET = "src/interface/preset.ts";
const FORMS = "src/index-engine/query/rank/term-group.ts";

interface Constant {
  readonly name: string;
  readonly file: string;
  /** Its place: the value is the first group. */
  readonly pattern: RegExp;
  readonly values: readonly string[];
}

const CONSTANTS: readonly Constant[] = [
  constant("HEAD_LIFT", /HEAD_LIFT = (\d+)/, ["0", "100", "400", "600"]),
  constant("PURPOSE", /PURPOSE = (\d+)/, ["600", "700", "900", "1000"]),
  constant("FEEDBACK_LIFT", /FEEDBACK_LIFT = (\d+)/, ["0", "150", "500"]),
  constant("VOTERS", /VOTERS = (\d+)/, ["10", "20", "60"]),
  constant("joined", /joined: ([\d.]+)/, ["0.7", "0.8", "1"]),
  constant("split", /split: ([\d.]+)/, ["0.7", "0.8", "1"]),
  constant("form", /form: ([\d.]+)/, ["0.8", "1"]),
  constant("prefix", /prefix: ([\d.]+)/, ["0.5", "0.9"]),
  constant("apart", /apart: ([\d.]+)/, ["0.3", "0.8"]),
  constant("likelier", /likelier: (\d+)/, ["3", "30"]),
  constant("firstLetter", /firstLetter: ([\d.]+)/, ["0.25", "1"]),
  constant("twoEdits", /twoEdits: ([\d.]+)/, ["0.01", "0.2"]),
  constant("power", /power: ([\d.]+)/, ["0", "0.5", "1"]),
  constant("DETAIL_SHARE", /DETAIL_SHARE = ([\d.]+)/, ["0.05", "0.25", "1", "1000"]),
  constant("products", /products: (\d+)/, ["2", "3", "10"]),
  constant("frequency", /frequency: (\d+)/, ["2", "5"]),
  constant("lacks", /lacks: ([\d_]+)/, ["1_000", "1_100", "1_400"]),
  constant("has", /has: (\d+)/, ["600", "700", "900", "1000"]),
  constant("enough", /enough: (\d+)/, ["10", "20", "50", "100"], PRESET),
  constant("STEM_FACTOR", /STEM_FACTOR = ([\d.]+)/, ["0.8", "0.9", "1"], FORMS),
  constant("cut", /cutThousandths: (\d+)/, ["100", "150", "250", "300", "400"], PRESET),
];

function constant(name: string, pattern: RegExp, values: readonly string[], file: string = POLICY): Constant {
  return { name, file, pattern, values };
}

const { values: options } = parseArgs({ options: { only: { type: "string" } } });
const wanted = options.only?.split(",");
console.log(
  `${"".padEnd(24)}${JUDGED_NAMES.map((set) => `${set}: NDCG@10, judged, recall, damaged`.padEnd(44)).join("")}`,
);
show("as it is", null);
for (const one of CONSTANTS) {
  if (wanted !== undefined && !wanted.includes(one.name)) continue;
  for (const value of one.values) show(`${one.name} ${value}`, { one, value });
}

function show(label: string, change: { readonly one: Constant; readonly value: string } | null): void {
  const cells = measured(change).map((cell) => cell.padEnd(44));
  console.log(label.padEnd(24) + cells.join(""));
}

function measured(change: { readonly one: Constant; readonly value: string } | null): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), "aisle-plateau-"));
  const copy = join(folder, "copy");
  try {
    for (const name of ["src", "bench", "cli", "test/support", "package.json"]) {
      cpSync(join(ROOT, name), join(copy, name), { recursive: true });
    }
    symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
    symlinkSync(join(DATA, ".."), join(folder, "shared"));
    if (change !== null) edit(join(copy, change.one.file), change.one, change.value);
    return JUDGED_NAMES.map((set) => {
      const file = join(folder, `${set}.json`);
      const args = ["bench/relevance.ts", "--set", set, "--only", "Aisle"];
      execFileSync(process.execPath, [...args, "--json", file], { cwd: copy, stdio: "ignore" });
      const aisle = readRun(file).sets[set]?.["Aisle"];
      const outcomes = aisle?.queries ?? [];
      const damaged = Object.values(aisle?.damaged ?? {}).map(({ ndcg }) => ndcg);
      const mean = (of: (one: (typeof outcomes)[number]) => number): string =>
        (outcomes.reduce((sum, one) => sum + of(one), 0) / outcomes.length).toFixed(4);
      return [
        mean((one) => one.ndcg),
        mean((one) => one.ndcgJudged),
        mean((one) => one.recall),
        (damaged.reduce((sum, one) => sum + one, 0) / damaged.length).toFixed(4),
        (aisle?.damaged?.firstLetter.ndcg ?? NaN).toFixed(4),
      ].join("  ");
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function edit(path: string, { name, pattern }: Constant, value: string): void {
  const text = readFileSync(path, "utf8");
  const found = pattern.exec(text);
  if (found?.[1] === undefined) throw new Error(`${name} does not stand in ${path}`);
  const start = found.index + found[0].length - found[1].length;
  writeFileSync(path, text.slice(0, start) + value + text.slice(start + found[1].length));
}
