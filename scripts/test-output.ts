/**
 * Reporter of test runs, for vitest.config.ts: prints files, failures and unexpected errors.
 *
 * Many tests cause failures: they break R2, kill objects, damage bytes. The runtime and the product
 * report each of them. The rules below list the expected reports; any other report is printed and
 * fails the run. A failing test is printed with its log.
 *
 * Every error that a test throws, and every reason with which it aborts an object, begins with
 * "injected: ", which distinguishes it from unexpected errors.
 */
import { readFile } from "node:fs/promises";
import type { Plugin } from "vitest/config";
import type { Reporter, TestModule, Vitest } from "vitest/node";

/** Reports of workerd, each a message of one or more lines. */
const EXPECTED_OF_RUNTIME: readonly RegExp[] = [
  // An object aborted by a test: one report for the object, and one for each running call.
  /^(?:uncaught exception; )?exception = workerd\/\S+ failed: broken\.outputGateBroken; jsg\.Error: injected: /,
  // An error that a test throws from a call to R2 or to another object, when it passes through an
  // object to its caller.
  /^uncaught exception; source = Uncaught \(in promise\); stack = Error: injected: /,
  // A request that is answered before its body is read (for example refused), reported when the
  // body is garbage collected, possibly much later.
  /^uncaught exception; source = Uncaught \(in promise\); stack = TypeError: Can't read from request stream because client disconnected\.\s*$/,
  // A stream between objects whose reader has ended it: an export that is cancelled or cut off.
  /^exception = workerd\/api\/streams\/internal\.c\+\+:\d+: disconnected: pump canceled/,
  // The client generated from the description reads NDJSON as text.
  /^console warning; message = Called \.text\(\) on an HTTP body .*"application\/x-ndjson"/,
  // An alarm that is set again while a test runs it manually, or that runs late on a busy machine.
  /^NOSENTRY SQLite alarm (?:handler canceled with requestScheduledAlarm|overdue, running despite AlarmManager mismatch)/,
];

/** Prefixes of workerd's reports that fail the run unless they are expected. */
const FAILURE_OF_RUNTIME = /^(?:uncaught exception;|exception = |\*\*\* )/;

/**
 * Expected reasons of logged failures: injected faults, and errors for which the product has a
 * class.
 */
const EXPECTED_REASON = /^(?:Error: injected: |ServiceError: )/;

/**
 * Expected error events with their reasons. Other reasons (such as a TypeError) and other events
 * (internal_error) are unexpected. A test of such an event captures the log (vi.spyOn).
 */
const EXPECTED_OF_PRODUCT: ReadonlyMap<string, RegExp> = new Map([
  ["background_merge_failed", EXPECTED_REASON],
  ["collection_failed", EXPECTED_REASON],
  ["compaction_failed", EXPECTED_REASON],
  ["delivery_failed", EXPECTED_REASON],
  // Fixtures of shards have no index.
  ["growth_failed", EXPECTED_REASON],
  ["joint_update_unfinished", EXPECTED_REASON],
  ["publishing_failed", EXPECTED_REASON],
  ["reindex_failed", EXPECTED_REASON],
  // Tests repeatedly end objects in the middle of their work.
  ["last_attempt", /^[\w ]+ has ended the object \d+ times$/],
  ["shard_maintenance_failed", EXPECTED_REASON],
  // Bytes in SQLite damaged by tests.
  ["cached_segment_damaged", /^(?:segment section copy: |part \d+ of section \d+$)/],
  // Failed calls of R2 and damaged objects in R2; src/objects/bucket.ts and stored-blocks.ts
  // distinguish them.
  [
    "storage_unavailable",
    /: (?:injected: .*|missing|not stored whole|wrong checksum|other bytes than were put|\d+ (?:other )?bytes instead of \d+|bytes \d+ to \d+ are missing|chunk \d+ is damaged|Error: not JSON)$/,
  ],
]);

export function isExpectedOfRuntime(message: string): boolean {
  return EXPECTED_OF_RUNTIME.some((rule) => rule.test(message));
}

/** `line` is one call of console.error or console.warn. */
export function isExpectedOfProduct(line: string): boolean {
  const entry = entryOf(line);
  if (entry === null) return false;
  // Invalid rules of a shop, which are only reported.
  if (entry.event === "rules_unreadable") return true;
  return typeof entry.reason === "string" && EXPECTED_OF_PRODUCT.get(entry.event)?.test(entry.reason) === true;
}

/** A log line of the product, which is a JSON object with an `event`; null for other lines. */
function entryOf(line: string): { readonly event: string; readonly reason?: unknown } | null {
  if (!line.startsWith("{")) return null;
  let entry: unknown;
  try {
    entry = JSON.parse(line);
  } catch {
    return null;
  }
  if (typeof entry !== "object" || entry === null) return null;
  const { event, reason } = entry as { readonly event?: unknown; readonly reason?: unknown };
  return typeof event === "string" ? { event, reason } : null;
}

type Verdict = "hidden" | "shown" | "unexpected";

/** `message`: one report of the runtime or one console call, as the pool passes it on. */
export function verdictOn(message: string, isError: boolean): Verdict {
  if (isExpectedOfRuntime(message)) return "hidden";
  if (FAILURE_OF_RUNTIME.test(message)) return "unexpected";
  if (entryOf(message) === null) return "shown";
  return !isError || isExpectedOfProduct(message) ? "hidden" : "unexpected";
}

type Log = Parameters<NonNullable<Reporter["onUserConsoleLog"]>>[0];

/** Number of messages kept for failing tests. */
const KEPT = 2_000;

class Output implements Reporter {
  #vitest: Vitest | null = null;
  #unexpected = 0;
  readonly #hidden: { readonly at: number; readonly message: string }[] = [];

  /**
   * The pool writes each message of workerd to stdout or stderr of this process in one call, so
   * they are intercepted there. Its option `verbose: false` would also hide unexpected messages.
   */
  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
    for (const stream of [process.stdout, process.stderr]) {
      const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
      stream.write = (chunk: unknown, ...rest: unknown[]): boolean => {
        const verdict = typeof chunk === "string" ? verdictOn(chunk, stream === process.stderr) : "shown";
        if (verdict === "unexpected") this.#unexpected++;
        if (verdict !== "hidden") return write(chunk, ...rest);
        this.#hidden.push({ at: Date.now(), message: String(chunk) });
        if (this.#hidden.length > KEPT) this.#hidden.shift();
        const written = rest.at(-1);
        if (typeof written === "function") queueMicrotask(() => void written());
        return true;
      };
    }
  }

  /** Tests outside of workerd. Vitest prints what they log if they fail (`silent: "passed-only"`). */
  onUserConsoleLog({ type, content, taskId }: Log): void {
    if (type !== "stderr") return;
    if (content.trimEnd().split("\n").every(isExpectedOfProduct)) return;
    this.#unexpected++;
    const task = taskId === undefined ? undefined : this.#vitest?.state.idMap.get(taskId);
    process.stderr.write(`Unexpected error, logged during ${task?.name ?? "?"}:\n${content}\n`);
  }

  /**
   * Messages of workerd and the product during a failed test; some may belong to a concurrent test.
   */
  onTestModuleEnd(module: TestModule): void {
    if (module.project.name !== "worker") return;
    for (const test of module.children.allTests("failed")) {
      const { startTime = 0, duration = 0 } = test.diagnostic() ?? {};
      const meanwhile = this.#hidden.filter(({ at }) => at >= startTime && at <= startTime + duration + 100);
      if (meanwhile.length === 0) continue;
      const text = meanwhile.map(({ message }) => message).join("");
      process.stderr.write(`Logged during ${test.fullName}:\n${text}\n`);
    }
  }

  onTestRunEnd(): void {
    if (this.#unexpected === 0) return;
    process.stderr.write(
      `Reports of errors that no test expects: ${this.#unexpected}. scripts/test-output.ts lists the expected ones.\n`,
    );
    this.#unexpected = 0;
    process.exitCode = 1;
  }
}

/** For every project. */
export function testOutput(): Plugin {
  return {
    name: "aisle:test-output",
    enforce: "pre",
    // Always the last reporter.
    configureVitest({ vitest }) {
      const { reporters } = vitest.config as { reporters: unknown[] };
      if (!reporters.some((reporter) => reporter instanceof Output)) reporters.push(new Output());
    },
    // itty-router has source maps without sources, which cause warnings.
    async load(id) {
      if (!/\/node_modules\/itty-router\/[^?]*\.mjs(?:\?|$)/.test(id)) return null;
      const code = await readFile(id.replace(/\?.*$/, ""), "utf8");
      return { code: code.replace(/^\/\/# sourceMappingURL=.*$/m, ""), map: null };
    },
  };
}
