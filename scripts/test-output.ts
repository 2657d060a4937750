/**
 * What a run of the tests prints, for vitest.config.ts: its files, its failures, and what nobody expected.
 *
 * Many tests are of failures: they break R2, kill objects, damage bytes. The runtime and the product report each of them, as they should.
 * The rules below say which reports that is, and there are no others: a report of a failure that they do not name is printed and fails
 * the run. The log of a test that fails is printed whole (`silent: "passed-only"`).
 *
 * Every error that a test throws, and every reason for which it aborts an object, begins with "injected: ". That is what tells it from
 * an error nobody meant.
 */
import { readFile } from "node:fs/promises";
import type { Plugin } from "vitest/config";
import type { Reporter, Vitest } from "vitest/node";

/** Reports of workerd, each a message of one or more lines. */
const EXPECTED_OF_RUNTIME: readonly RegExp[] = [
  // An object that a test aborts: once for the object, and once for each call that was under way.
  /^(?:uncaught exception; )?exception = workerd\/\S+ failed: broken\.outputGateBroken; jsg\.Error: injected: /,
  // An error that a test throws out of a call to R2 or to another object, when it passes through an object to whoever called it.
  /^uncaught exception; source = Uncaught \(in promise\); stack = Error: injected: /,
  // A request that is answered before its body has been read (refused, say), noticed when the body is collected, maybe much later.
  /^uncaught exception; source = Uncaught \(in promise\); stack = TypeError: Can't read from request stream because client disconnected\.\s*$/,
  // An alarm that is set anew while a test runs it by hand.
  /^NOSENTRY SQLite alarm handler canceled with requestScheduledAlarm\./,
];

/** How a report of workerd begins that fails the run unless it is expected. */
const FAILURE_OF_RUNTIME = /^(?:uncaught exception;|exception = |NOSENTRY |\*\*\* )/;

/** Why the product may say that something failed: a fault of a test, or what the product itself found and has a class for. */
const EXPECTED_REASON = /^(?:Error: injected: |ServiceError: )/;

/**
 * Errors that the product logs: events, and the reasons with which they are expected. With other reasons (a TypeError, say) they are
 * not, and events that are not here (internal_error) never are: a test of one takes the log away and looks at it (vi.spyOn).
 */
const EXPECTED_OF_PRODUCT: ReadonlyMap<string, RegExp> = new Map([
  ["background_merge_failed", EXPECTED_REASON],
  ["collection_failed", EXPECTED_REASON],
  ["compaction_failed", EXPECTED_REASON],
  ["delivery_failed", EXPECTED_REASON],
  ["joint_update_unfinished", EXPECTED_REASON],
  ["publishing_failed", EXPECTED_REASON],
  ["reindex_failed", EXPECTED_REASON],
  ["shard_maintenance_failed", EXPECTED_REASON],
  // Bytes in SQLite that tests damage.
  ["cached_segment_damaged", /^(?:segment section copy: |part \d+ of section \d+$)/],
  // Calls of R2 that fail, and objects in R2 that are damaged: src/objects/bucket.ts and stored-blocks.ts say which is which.
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
  let entry: unknown;
  try {
    entry = JSON.parse(line);
  } catch {
    return false;
  }
  if (typeof entry !== "object" || entry === null || !("event" in entry)) return false;
  // Rules which are none. They come from the shop, and the report is all there is to them.
  if (entry.event === "rules_unreadable") return true;
  const rule = typeof entry.event === "string" ? EXPECTED_OF_PRODUCT.get(entry.event) : undefined;
  return (
    rule !== undefined &&
    "reason" in entry &&
    typeof entry.reason === "string" &&
    rule.test(entry.reason)
  );
}

let unexpected = 0;
let isWatched = false;

/**
 * The pool writes each message of workerd to stdout or stderr of this process, in one call, and offers no other place to judge it.
 * `verbose: false` would keep all of them from being written, also those nobody expected.
 */
function watchRuntime(): void {
  if (isWatched) return;
  isWatched = true;
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
    stream.write = (chunk: unknown, ...rest: unknown[]): boolean => {
      if (typeof chunk === "string") {
        if (isExpectedOfRuntime(chunk)) return true;
        if (FAILURE_OF_RUNTIME.test(chunk)) unexpected++;
      }
      return write(chunk, ...rest);
    };
  }
}

/** Prints what the product logs as an error and nobody expected, also of tests that pass. */
class UnexpectedErrors implements Reporter {
  #vitest: Vitest | null = null;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onUserConsoleLog({
    type,
    content,
    taskId,
  }: Parameters<NonNullable<Reporter["onUserConsoleLog"]>>[0]): void {
    if (type !== "stderr") return;
    const lines = content.trimEnd().split("\n");
    if (lines.every(isExpectedOfProduct)) return;
    unexpected++;
    const task = taskId === undefined ? undefined : this.#vitest?.state.idMap.get(taskId);
    process.stderr.write(`Unexpected error, logged during ${task?.name ?? "?"}:\n${content}\n`);
  }

  onTestRunEnd(): void {
    if (unexpected === 0) return;
    process.stderr.write(
      `${unexpected} errors were reported that no test expects; scripts/test-output.ts says which are expected.\n`,
    );
    unexpected = 0;
    process.exitCode = 1;
  }
}

/** For every project. */
export function testOutput(): Plugin {
  return {
    name: "aisle:test-output",
    enforce: "pre",
    configureVitest({ vitest }) {
      watchRuntime();
      const { reporters } = vitest.config as { reporters: unknown[] };
      if (!reporters.some((reporter) => reporter instanceof UnexpectedErrors)) {
        reporters.push(new UnexpectedErrors());
      }
    },
    // itty-router comes with source maps of sources it does not come with: a warning for each of them.
    async load(id) {
      if (!/\/node_modules\/itty-router\/[^?]*\.mjs(?:\?|$)/.test(id)) return null;
      const code = await readFile(id.replace(/\?.*$/, ""), "utf8");
      return { code: code.replace(/^\/\/# sourceMappingURL=.*$/m, ""), map: null };
    },
  };
}
