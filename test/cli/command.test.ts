/**
 * The commands as processes.
 *  1. Exit codes: 0 live, 1 failed, 2 wrong usage, 130 interrupted; what went wrong is the last thing on stderr, after
 *     wrong usage with one line on how to get help.
 *  2. ^C cancels the session; so does it while standard input has nothing to say.
 *  3. Whoever reads along may stop.
 *  4. The terminal line is rewritten and never longer than the terminal; elsewhere plain lines.
 *  5. Texts in another language than --locale are named.
 */
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseImportCommand } from "../../cli/import/options.ts";
import { describeLanguage } from "../../cli/import/preview.ts";
import { Progress, formatDuration, type Counts } from "../../cli/import/progress.ts";
import { ServiceDouble } from "./service-double.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
// The commands need a Node that strips types; the one of the project does, whatever started the tests.
const node = fileURLToPath(new URL("../../node_modules/node/bin/node", import.meta.url));

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function start(script: string, args: readonly string[]): { child: ReturnType<typeof spawn>; ended: Promise<Ended> } {
  const child = spawn(node, [join(root, "cli", script), ...args], {
    cwd: root,
    stdio: "pipe",
    // Compiled once for all of them.
    env: { ...process.env, AISLE_CACHE: join(folder, "cache"), NODE_COMPILE_CACHE: join(folder, "compiled") },
  });
  let out = "";
  let err = "";
  child.stdout.on("data", (part: Buffer) => (out += part.toString()));
  child.stderr.on("data", (part: Buffer) => (err += part.toString()));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, out, err }));
  });
  return { child, ended };
}

let folder = "";
const file = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "aisle-import-"));
  const documents = Array.from({ length: 300 }, (_, at) => `{"id":"${at}","data":{"title":"t"}}\n`).join("");
  await writeFile(file("good.ndjson.gz"), gzipSync(documents));
  await writeFile(file("bad.ndjson"), '{"id":"1","data":{}}\n{oops}\n');
  await writeFile(file("rejected.ndjson"), '{"id":"1","data":{}}\n{"data":{}}\n');
});
afterAll(async () => await rm(folder, { recursive: true, force: true }));

describe.concurrent("npm run import", () => {
  test("1: live", async () => {
    await using service = await new ServiceDouble().listen();
    const args = [file("good.ndjson.gz"), "--index", "shop", "--locale", "en", "--url", service.url];
    const { code, out, err } = await start("import.ts", [...args, "--tenant-check"]).ended;
    expect(err).toBe("");
    expect(code).toBe(0);
    expect(service.live?.size).toBe(300);
    expect(out).toMatch(/^300 documents are live in shop\.\n/);
    expect(out).toMatch(/rejected {4}0\n/);
    expect(out).toMatch(/index {7}300 documents, 0 variants, 10 bytes in memory, 2\.0 kB stored\n/);
    expect(out).toMatch(/a search finds 300 products\n$/);
  });

  test("3: nobody reads along any more", async () => {
    await using service = await new ServiceDouble().listen();
    const to = ["--index", "shop", "--locale", "en", "--url", service.url];
    const { child, ended } = start("import.ts", [file("rejected.ndjson"), ...to, "--max-rejected", "50"]);
    child.stdout?.destroy();
    child.stderr?.destroy();
    expect((await ended).code).toBe(0);
    expect(service.live?.size).toBe(1);
  });

  test("1: standard input", async () => {
    await using service = await new ServiceDouble().listen();
    const { child, ended } = start("import.ts", ["-", "--index", "shop", "--locale", "en", "--url", service.url]);
    child.stdin?.end('[{"id":"a","data":{}},{"id":"b","data":{}}]');
    expect(await ended).toMatchObject({ code: 0 });
    expect(service.live?.size).toBe(2);
  });

  test("1: failures", async () => {
    await using service = await new ServiceDouble().listen();
    const to = ["--index", "shop", "--locale", "en", "--url", service.url];
    const runs = await Promise.all([
      start("import.ts", [file("none.ndjson"), ...to]).ended,
      start("import.ts", [folder, ...to]).ended,
    ]);
    expect(runs.map(({ code }) => code)).toEqual([1, 1]);
    expect(runs[0].err).toBe(`Import failed: there is no file ${file("none.ndjson")}\n`);
    expect(runs[1].err).toContain("is a directory, not a file");
    expect(service.received).toEqual([]);

    const bad = await start("import.ts", [file("bad.ndjson"), ...to]).ended;
    expect(bad.code).toBe(1);
    expect(bad.err).toMatch(/Import failed: line 2: not JSON \(.*\)\n$/);
    const strict = await start("import.ts", [file("rejected.ndjson"), ...to, "--strict"]).ended;
    expect(strict.code).toBe(1);
    expect(strict.err).toMatch(/line 2: rejected: id is missing\n/);
    expect(service.live).toBeNull();
    const many = await start("import.ts", [file("rejected.ndjson"), ...to]).ended;
    expect(many.code).toBe(1);
    expect(many.err).toContain("1 of 2 documents was rejected, more than 5 % (--max-rejected)");
    const tolerant = await start("import.ts", [file("rejected.ndjson"), ...to, "--max-rejected", "50%"]).ended;
    expect(tolerant.code).toBe(0);
    expect(service.live).not.toBeNull();
  });

  test("1: nobody listens", async () => {
    // A port that was free a moment ago.
    const service = await new ServiceDouble().listen();
    const { url } = service;
    await service[Symbol.asyncDispose]();
    const args = [file("good.ndjson.gz"), "--index", "shop", "--locale", "en", "--url", url];
    const { code, err } = await start("import.ts", args).ended;
    expect(code).toBe(1);
    expect(err).toContain(`Import failed: cannot reach ${url}: nobody listens there`);
  });

  test.each([
    [[], "which file?"],
    [["f"], "--index is missing"],
    [["f", "--index", "Shop", "--locale", "en"], "--index Shop: an index name matches"],
    [["f", "--index", "shop"], "--locale is missing"],
    [["f", "--index", "shop", "--locale", "!"], "--locale !: expected"],
    [["f", "--index", "shop", "--locale", "en", "--url", "shop.example"], "--url shop.example: expected"],
    [["f", "--index", "shop", "--locale", "en", "--parallel", "0"], "--parallel 0: expected"],
    [["f", "--index", "shop", "--locale", "en", "--bulkbytes", "1"], "--bulkbytes"],
    [["f", "--index", "shop", "--locale", "en", "--every", "15"], "--every 15: expected"],
    [["f", "--index", "shop", "--locale", "en", "--max-rejected", "-1"], "max-rejected"],
    [["f", "--index", "shop", "--update", "--put"], "not both"],
    [["-", "--index", "shop", "--locale", "en", "--watch"], "cannot be watched"],
  ])("1: usage %j", (args, message) => {
    expect(() => parseImportCommand(args, {})).toThrow(message);
  });

  test("1: wrong usage", async () => {
    const { code, err } = await start("import.ts", []).ended;
    expect(code).toBe(2);
    expect(err).toMatch(/^which file\? .*\nnpm run import -- --help shows the options\.\n$/);
  });

  test("2: ^C", async () => {
    await using service = await new ServiceDouble().listen();
    const args = ["-", "--index", "shop", "--locale", "en", "--url", service.url, "--bulk-bytes", "1"];
    const { child, ended } = start("import.ts", args);
    // Standard input stays open, so the import can only end by the signal.
    service.onAdd = () => child.kill("SIGINT");
    child.stdin?.on("error", () => undefined);
    child.stdin?.write('{"id":"a","data":{}}\n');
    const { code, err } = await ended;
    expect(code).toBe(130);
    expect(err).toMatch(/The session is cancelled; the live index is as it was\.\nImport failed: interrupted\n$/);
    expect(service.sessionState).toBe("cancelled");
  });
});

describe("the progress display", () => {
  const counts: Counts = {
    answered: 12_345,
    indexed: 12_344,
    rejected: 1,
    leftOut: 0,
    jsonBytes: 26e6,
    fileBytes: 25,
    totalFileBytes: 100,
  };
  const at = (nowMs: { value: number }) => ({ nowMs: () => nowMs.value, random: () => 0, wait: async () => undefined });

  test("4: a terminal", () => {
    let screen = "";
    const now = { value: 0 };
    const terminal = { write: (text: string) => (screen += text), isTTY: true, columns: 40 };
    const progress = new Progress(terminal, at(now), counts);
    now.value = 10_000;
    progress.show();
    expect(screen).toBe("\r12,345 documents | 1,235 docs/s | 2.6 M\u001b[K");
    progress.message("hello");
    progress.end();
    expect(screen.endsWith("\r\u001b[Khello\n")).toBe(true);
  });

  test("4: a log", () => {
    let screen = "";
    const now = { value: 0 };
    const progress = new Progress({ write: (text) => (screen += text) }, at(now), counts);
    now.value = 10_000;
    progress.show();
    progress.enter("publishing");
    now.value = 11_500;
    progress.show();
    expect(screen).toBe(
      "12,345 documents | 1,235 docs/s | 2.6 MB/s | 1 rejected | 25% | ETA 30.0 s\n" +
        "12,345 documents | 1,073 docs/s | 2.3 MB/s | 1 rejected | publishing 1.5 s\n",
    );
  });

  test("durations", () => {
    expect([0, 59_949, 59_951, 125_000, 3_723_000].map(formatDuration)).toEqual([
      "0.0 s",
      "59.9 s",
      "1:00",
      "2:05",
      "1:02:03",
    ]);
  });
});

test("5: the language of the texts beside --locale", () => {
  expect(describeLanguage("de", "en")).toContain("German, but --locale is en");
  expect(describeLanguage("de", "de_AT")).toBe("");
  expect(describeLanguage(null, "en")).toBe("");
});
