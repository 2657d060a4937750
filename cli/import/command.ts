/** What both commands do around their work: signals, messages, exit codes, the summary. */
import { InterruptedError, UsageError, isExplained } from "./failures.ts";
import { formatBytes, formatCount, formatCounted, formatDuration } from "./progress.ts";
import type { ImportSummary } from "./run.ts";
import type { IndexFacts } from "./service.ts";

/**
 * Runs `work` with a signal that ^C and termination fire, prints its failure and sets the exit code. A second ^C
 * leaves at once. `failure` precedes the reason. Wrong usage of `npm run <command>` is followed by how to get help:
 * the whole usage would scroll the reason away.
 */
export async function runCommand(
  command: "import" | "sample" | "convert",
  failure: string,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const interrupt = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.on(name, () => {
      if (interrupt.signal.aborted) process.exit(130);
      interrupt.abort();
    });
  }
  // Whoever reads along may stop (`| head`): the work goes on.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  }
  try {
    await work(interrupt.signal);
  } catch (error) {
    process.exitCode = exitCode(error);
    if (!isExplained(error)) console.error(error);
    else if (error instanceof UsageError)
      console.error(`${error.message}\nnpm run ${command} -- --help shows the options.`);
    else console.error(`${failure}: ${error.message}`);
  }
}

function exitCode(error: unknown): number {
  if (error instanceof UsageError) return 2;
  return error instanceof InterruptedError ? 130 : 1;
}

/** The last lines of a successful import. */
export function describeSummary(indexName: string, summary: ImportSummary): string {
  const { counts, addedMs, doneMs, searchableMs } = summary;
  const seconds = Math.max(addedMs, 1) / 1_000;
  const rates = `${formatCount(counts.answered / seconds)} docs/s, ${(counts.jsonBytes / 1e6 / seconds).toFixed(1)} MB/s`;
  const lines = [
    `${formatCounted(counts.indexed, "document")} ${counts.indexed === 1 ? "is" : "are"} live in ${indexName}.`,
    `  read        ${formatCounted(counts.answered, "document")}, ${formatBytes(counts.jsonBytes)} of JSON, in ${formatCounted(summary.bulks, "bulk")}`,
    `  rejected    ${formatCount(counts.rejected)}`,
  ];
  if (counts.leftOut > 0) lines.push(`  left out    ${formatCount(counts.leftOut)}`);
  if (summary.retries > 0) lines.push(`  retries     ${formatCount(summary.retries)}`);
  lines.push(`  added in    ${formatDuration(addedMs)} (${rates})`);
  lines.push(`  done in     ${formatDuration(doneMs)}`);
  lines.push(`  searchable  ${formatDuration(searchableMs)} after start`);
  if (summary.facts !== null) lines.push(...describeFacts(summary.facts));
  if (summary.found !== null) lines.push(`  checked     a search finds ${formatCounted(summary.found, "product")}`);
  const variants = summary.facts?.["variants"];
  if (typeof variants === "number" && variants > 0) {
    lines.push(
      "Hits show the price and picture of a variant only where it matches best; docs/feeds.md says how to show one always.",
    );
  }
  return `${lines.join("\n")}\n`;
}

function describeFacts(facts: IndexFacts): string[] {
  const texts: string[] = [];
  const add = (value: unknown, show: (value: number) => string): void => {
    if (typeof value === "number") texts.push(show(value));
  };
  add(facts["documents"], (value) => formatCounted(value, "document"));
  add(facts["variants"], (value) => formatCounted(value, "variant"));
  add(facts["memoryBytes"], (value) => `${formatBytes(value)} in memory`);
  add(facts["storedBytes"], (value) => `${formatBytes(value)} stored`);
  return texts.length === 0 ? [] : [`  index       ${texts.join(", ")}`];
}
