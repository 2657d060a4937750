// Reads the JSON report of a Vitest run and prints how many tests passed and failed:
//
//   node scripts/check-tests.ts report.json [--also-failed N]
//
// It fails if a test file on disk is not in the report. There are two causes. The file is outside
// of all projects. Or two paths have the same 32-bit hash, by which Vitest identifies files: then
// one result replaces the other, and a failing file can disappear from a successful run.
//
// The summary is the last line of the output. `--also-failed` adds other failures, such as a lint
// step.
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

type Report = {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { name: string; status: string; assertionResults: unknown[] }[];
};

export type Summary = { passed: number; failed: number; skipped: number; problems: string[] };

/** Counts of a report, plus one failure for every problem that is not counted. */
export function summarize(report: Report, expectedFiles: readonly string[]): Summary {
  const problems: string[] = [];
  const reported = new Set(report.testResults.map(({ name }) => path.normalize(name)));
  for (const file of expectedFiles) {
    if (!reported.has(path.normalize(file))) problems.push(`${file} did not run`);
  }
  for (const { name, status, assertionResults } of report.testResults) {
    // A file that cannot be loaded has no tests, and therefore no failed tests.
    if (assertionResults.length === 0) problems.push(`${name} has no tests (${status})`);
  }
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + problems.length,
    skipped: report.numPendingTests + report.numTodoTests,
    problems,
  };
}

if (import.meta.main) {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { "also-failed": { type: "string", default: "0" } },
  });
  const root = fileURLToPath(new URL("../", import.meta.url));
  // test/crash is only part of `npm run test:long`.
  const expected = globSync("{bench,cli,scripts,src,test}/**/*.test.ts", { cwd: root })
    .filter((file) => process.env.AISLE_LONG === "1" || !file.startsWith(path.join("test", "crash")))
    .map((file) => path.join(root, file));

  let summary: Summary;
  try {
    summary = summarize(JSON.parse(readFileSync(positionals[0] ?? "", "utf8")) as Report, expected);
  } catch (error) {
    summary = { passed: 0, failed: 1, skipped: 0, problems: [`no report: ${String(error)}`] };
  }
  for (const problem of summary.problems) console.error(`check-tests: ${problem}`);
  const failed = summary.failed + Number(values["also-failed"]);
  const skipped = summary.skipped === 0 ? "" : `, ${summary.skipped} skipped`;
  console.log(`${summary.passed} passed, ${failed} failed${skipped}`);
  process.exitCode = failed === 0 ? 0 : 1;
}
