/**
 * The figures of docs/performance.md beside their targets, in one table.
 *
 *   npm run figures -- [--only core,answers,shards,suggest,rendering,http,import] [--products 100000]
 *
 * It runs other benches one after the other with small settings (COMMANDS) and reads what they save. A bench whose data
 * set is absent is skipped with a message. Times of a busy machine are too high; the last line shows the load.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import * as z from "zod";
import { DATA } from "./datasets.ts";
import { describeLoad, machineLoad } from "./measure.ts";

interface Figure {
  readonly name: string;
  readonly target: string;
  readonly measured: string;
  /** The same figure of peers in the same run; empty where none was measured. */
  readonly peers: string;
}

/** What a bench left: the text it printed, and the value it saved with `--json` (null: it saves none). */
interface Finished {
  readonly printed: string;
  readonly saved: unknown;
}

interface Bench {
  /** The file in bench/ and its arguments. */
  readonly command: readonly string[];
  readonly savesJson: boolean;
  /** Data sets it needs; folders of ../shared/data. */
  readonly needs: readonly string[];
  readonly figuresOf: (finished: Finished) => readonly Figure[];
}

const { values: options } = parseArgs({
  options: {
    only: { type: "string" },
    products: { type: "string", default: "100000" },
  },
});

const Times = z.object({ p50: z.number(), p95: z.number() });
const CoreRun = z.object({
  cells: z.array(z.object({ engine: z.string(), mode: z.string(), best: Times })),
});
const AnswersRun = z.object({
  sets: z.array(
    z.object({
      name: z.string(),
      facts: z.object({ documents: z.number(), buildMs: z.number() }),
      classes: z.array(z.object({ times: z.array(z.object({ p50Us: z.number(), p95Us: z.number() })) })),
    }),
  ),
});
const RenderingRun = z.array(z.object({ name: z.string(), isFirst: z.boolean(), meanUs: z.number() }));
const HttpRun = z.array(
  z.object({
    name: z.string(),
    connections: z.number(),
    p50Ms: z.number(),
    p95Ms: z.number(),
    perSecond: z.number(),
  }),
);

/** p50 / p95 in microseconds of a mode of `bench:core`, plain settings, and the target of each. */
const CORE_TARGETS = [
  ["and", "search, all words", "10 / 55"],
  ["fuzzy", "search, typo", "40 / 110"],
  ["prefix", "search, prefix", "25 / 250"],
  ["facet", "search, words, filter, 5 facets", "15 / 90"],
  ["browse", "no words, 5 facets", "220"],
] as const;

function showUs({ p50, p95 }: z.infer<typeof Times>): string {
  return `${p50.toFixed(0)} / ${p95.toFixed(0)}`;
}

function coreFigures({ printed, saved }: Finished): readonly Figure[] {
  const { cells } = CoreRun.parse(saved);
  const [, firstMs = ""] = /first facet query ([\d.]+) ms/u.exec(printed) ?? [];
  const [, bytes = ""] = /([\d.]+) bytes a product/u.exec(printed) ?? [];
  const modes = CORE_TARGETS.map(([mode, name, target]) => {
    const ofMode = cells.filter((cell) => cell.mode === mode);
    const own = ofMode.find((cell) => cell.engine === "plain");
    if (own === undefined) throw new Error(`bench/core.ts measured no ${mode}`);
    const peers = ofMode
      .filter((cell) => cell.engine === "minisearch" || cell.engine === "sqlite")
      .map((cell) => `${cell.engine} ${showUs(cell.best)}`);
    return { name: `${name}, us`, target, measured: showUs(own.best), peers: peers.join(", ") };
  });
  return [
    ...modes,
    {
      name: "first facet query of a new process, ms",
      target: "3",
      measured: firstMs,
      peers: "",
    },
    { name: "bytes a product, all sections", target: "", measured: bytes, peers: "" },
  ];
}

function answerFigures({ saved }: Finished): readonly Figure[] {
  return AnswersRun.parse(saved).sets.flatMap(({ name, facts, classes }) => [
    {
      name: `import through the engine, ${name}, products/s`,
      target: "20000",
      measured: ((facts.documents * 1_000) / facts.buildMs).toFixed(0),
      peers: "",
    },
    ...classes.flatMap(({ times: [own] }) =>
      own === undefined
        ? []
        : [
            {
              name: `whole answer, ${name}, unconfigured, us`,
              target: "300 / 1500",
              measured: showUs({ p50: own.p50Us, p95: own.p95Us }),
              peers: "",
            },
          ],
    ),
  ]);
}

function renderingFigures({ saved }: Finished): readonly Figure[] {
  const targets: Readonly<Record<string, string>> = { listing: "60", tree: "300" };
  return RenderingRun.parse(saved).map(({ name, isFirst, meanUs }) => ({
    name: `rendering, ${name}, ${isFirst ? "new documents" : "documents rendered before"}, us`,
    target: targets[name] ?? "",
    measured: meanUs.toFixed(0),
    peers: "",
  }));
}

function httpFigures({ saved }: Finished): readonly Figure[] {
  const run = HttpRun.parse(saved);
  const find = (name: string, connections: number): z.infer<typeof HttpRun>[number] => {
    const found = run.find((one) => one.name === name && one.connections === connections);
    if (found === undefined) throw new Error(`bench/http.ts measured no ${name}`);
    return found;
  };
  const [bare, listing] = [find("bare", 1), find("listing", 1)];
  const share = find("listing", 8).perSecond / find("bare", 8).perSecond;
  const figure = (name: string, target: string, value: number): Figure => ({
    name: `listing through workerd, ${name}, against a bare Worker`,
    target,
    measured: value.toFixed(2),
    peers: "",
  });
  return [
    figure("p50", "1.5", listing.p50Ms / bare.p50Ms),
    figure("p95", "4", listing.p95Ms / bare.p95Ms),
    figure("requests, 8 clients", "0.66", share),
  ];
}

/** The first import has the machine for itself, the others run beside searches. */
function importFigures({ printed }: Finished): readonly Figure[] {
  const imports = [...printed.matchAll(/\((\d+) docs\/s\), done in ([\d.]+) s/gu)];
  if (imports.length !== 3) throw new Error(`bench/import-load.ts printed ${imports.length} imports`);
  return imports.flatMap(([, perSecond = "", doneSeconds = ""], at) => {
    const where = at === 0 ? "quiet" : "beside searches";
    return [
      {
        name: `import over HTTP, ${where}, products/s`,
        target: "10000",
        measured: perSecond,
        peers: "",
      },
      { name: `done, ${where}, s`, target: "2", measured: doneSeconds, peers: "" },
    ];
  });
}

function suggestFigures({ printed }: Finished): readonly Figure[] {
  const [short, long] = [...printed.matchAll(/^best +us: p50 (\d+), p95 (\d+),/gmu)];
  if (short === undefined || long === undefined) throw new Error("bench/suggest.ts printed no times");
  const measured = ([, p50, p95]: RegExpExecArray): string => `${p50} / ${p95}`;
  return [
    { name: "suggestions for one and two letters, us", target: "p95 1000", measured: measured(short), peers: "" },
    { name: "suggestions for typed queries, us", target: "", measured: measured(long), peers: "" },
  ];
}

function shardFigures({ printed }: Finished): Figure[] {
  const lines = [...printed.matchAll(/^listing +(.+?) {2,}([\d.]+) +([\d.]+) ms +([\d.]+) x/gmu)];
  if (lines.length === 0) throw new Error("bench/shards.ts printed no times");
  return lines.map(([, name = "", p50, p95, ratio]) => ({
    name: `listing over ${name}, CPU ms`,
    target: "",
    measured: `${p50} / ${p95}`,
    peers: `${ratio} x one segment`,
  }));
}

const BENCHES: Readonly<Record<string, Bench>> = {
  core: {
    command: [
      "core.ts",
      "--products",
      options.products,
      "--queries",
      "300",
      "--passes",
      "3",
      "--engines",
      "plain,minisearch,sqlite",
      "--only",
      "and,fuzzy,prefix,facet,browse",
    ],
    savesJson: true,
    needs: [],
    figuresOf: coreFigures,
  },
  answers: {
    command: ["bench.ts", "--set", "icecat,scale", "--class", "unconfigured", "--queries", "50"],
    savesJson: true,
    needs: ["icecat", "scale"],
    figuresOf: answerFigures,
  },
  shards: {
    command: ["shards.ts", "--class", "listing", "--queries", "30", "--rounds", "3"],
    savesJson: false,
    needs: ["scale"],
    figuresOf: shardFigures,
  },
  suggest: {
    command: ["suggest.ts", "--products", options.products, "--rounds", "5"],
    savesJson: false,
    needs: ["scale"],
    figuresOf: suggestFigures,
  },
  rendering: {
    command: ["rendering.ts", "--products", options.products, "--queries", "100", "--passes", "6"],
    savesJson: true,
    needs: [],
    figuresOf: renderingFigures,
  },
  http: {
    command: ["http.ts", "--products", options.products, "--queries", "100", "--rounds", "8"],
    savesJson: true,
    needs: [],
    figuresOf: httpFigures,
  },
  import: {
    command: ["import-load.ts", "--documents", "60000", "--seconds", "4"],
    savesJson: false,
    needs: ["scale"],
    figuresOf: importFigures,
  },
};

function run({ command, savesJson }: Bench, folder: string): Finished {
  const [file = "", ...rest] = command;
  const json = join(folder, `${file}.json`);
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, file), ...rest, ...(savesJson ? ["--json", json] : [])],
    { encoding: "utf8", maxBuffer: 1e9 },
  );
  if (status !== 0) throw new Error(`bench/${file} ended with ${status}:\n${stdout}${stderr}`);
  return { printed: stdout, saved: savesJson ? JSON.parse(readFileSync(json, "utf8")) : null };
}

function print(figures: readonly Figure[]): void {
  const rows = [{ name: "figure", target: "target", measured: "measured", peers: "peers" }, ...figures];
  const width = (key: keyof Figure): number => Math.max(...rows.map((row) => row[key].length)) + 2;
  const [names, targets, measured] = [width("name"), width("target"), width("measured")];
  for (const row of rows) {
    console.log(`${row.name.padEnd(names)}${row.target.padEnd(targets)}${row.measured.padEnd(measured)}${row.peers}`);
  }
}

const asked = options.only?.split(",") ?? Object.keys(BENCHES);
const folder = mkdtempSync(join(tmpdir(), "aisle-figures-"));
const figures: Figure[] = [];
try {
  for (const name of asked) {
    const bench = BENCHES[name];
    if (bench === undefined) {
      throw new TypeError(`${name}: one of ${Object.keys(BENCHES).join(", ")}`);
    }
    const absent = bench.needs.filter((set) => !existsSync(join(DATA, set)));
    if (absent.length > 0) {
      console.log(`${name} skipped: no ${absent.join(", ")} in ../shared/data`);
      continue;
    }
    console.error(`${name}: node bench/${bench.command.join(" ")}`);
    figures.push(...bench.figuresOf(run(bench, folder)));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
print(figures);
console.log(describeLoad(machineLoad()));
