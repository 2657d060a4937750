/**
 * What a run of the tests prints, for vitest.config.ts: its files, its failures, and what nobody expected.
 *
 * Many tests are of failures: they break R2, kill objects, damage bytes. The runtime and the product report each of
 * them, as they should. The rules below say which reports that is, and there are no others: a report of a failure that
 * they do not name is printed and fails the run. A failing test is printed with its log.
 *
 * Every error that a test throws, and every reason for which it aborts an object, begins with "injected: ". That is
 * what tells it from an error nobody meant.
 */
import { readFile } from "node:fs/promises";
import type { Plugin } from "vitest/config";
import type { Reporter, TestModule, Vitest } from "vitest/node";

/** Reports of workerd, each a message of one or more lines. */
const EXPECTED_OF_RUNTIME: readonly RegExp[] = [
  // An object that a test aborts: once for the object, and once for each call that was under way.
  /^(?:uncaught exception; )?exception = workerd\/\S+ failed: broken\.outputGateBroken; jsg\.Error: injected: /,
  // An error that a test throws out of a call to R2 or to another object, when it passes through an object to its
  // caller.
  /^uncaught exception; source = Uncaught \(in promise\); stack = Error: injected: /,
  // A request that is answered before its body has been read (refused, say), noticed when the body is collected, maybe
  // much later.
  /^uncaught exception; source = Uncaught \(in promise\); stack = TypeError: Can't read from request stream because client disconnected\.\s*$/,
  // An alarm that is set anew while a test runs it by hand, or that is run late on a machine with much to do.
  /^NOSENTRY SQLite alarm (?:handler canceled with requestScheduledAlarm|overdue, running despite AlarmManager mismatch)/,
];

/** How a report of workerd begins that fails the run unless it is expected. */
const FAILURE_OF_RUNTIME = /^(?:uncaught exception;|exception = |\*\*\* )/;

/** Why the product may say that something failed: a fault of a test, or what it found itself and has a class for. */
const EXPECTED_REASON = /^(?:Error: injected: |ServiceError: )/;

/**
 * Errors that the product logs: events, and the reasons with which they are expected. With other reasons (a TypeError,
 * say) they are not, and events that are not here (internal_error) never are: a test of one takes the log away and
 * looks at it (vi.spyOn).
 */
const EXPECTED_OF_PRODUCT: ReadonlyMap<string, RegExp> = new Map([
  ["background_merge_failed", EXPECTED_REASON],
  ["collection_failed", EXPECTED_REASON],
  ["compaction_failed", EXPECTED_REASON],
  ["delivery_failed", EXPECTED_REASON],
  ["joint_update_unfinished", EXPECTED_REASON],
  ["publishing_failed", EXPECTED_REASON],
  ["reindex_failed", EXPECTED_REASON],
  // Tests end objects in the middle of their work, again and again.
  ["last_attempt", /^[\w ]+ has ended the object \d+ times$/],
  ["shard_maintenance_failed", EXPECTED_REASON],
  // Bytes in SQLite that tests damage.
  ["cached_segment_damaged", /^(?:segment section copy: |part \d+ of section \d+$)/],
  // Calls of R2 that fail, and objects in R2 that are damaged: src/objects/bucket.ts and stored-blocks.ts tell them
  // apart.
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
  // Rules which are none. They come from the shop, and the report is all there is to them.
  if (entry.event === "rules_unreadable") return true;
  return (
    typeof entry.reason === "string" &&
    EXPECTED_OF_PRODUCT.get(entry.event)?.test(entry.reason) === true
  );
}

/** What the product logs is one JSON object with an `event`; null for everything else. */
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

/** `message` is what the pool passes on of workerd in one call: a report of the runtime, or a call of the console. */
export function verdictOn(message: string, isError: boolean): Verdict {
  if (isExpectedOfRuntime(message)) return "hidden";
  if (FAILURE_OF_RUNTIME.test(message)) return "unexpected";
  if (entryOf(message) === null) return "shown";
  return !isError || isExpectedOfProduct(message) ? "hidden" : "unexpected";
}

type Log = Parameters<NonNullable<Reporter["onUserConsoleLog"]>>[0];

/** So many messages are kept for tests that fail. */
const KEPT = 2_000;

class Output implements Reporter {
  #vitest: Vitest | null = null;
  #unexpected = 0;
  readonly #hidden: { readonly at: number; readonly message: string }[] = [];

  /**
   * The pool writes each message of workerd to stdout or stderr of this process, in one call, and has no other place
   * to judge it. Its `verbose: false` would keep all of them back, also those nobody expected.
   */
  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
    for (const stream of [process.stdout, process.stderr]) {
      const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
      stream.write = (chunk: unknown, ...rest: unknown[]): boolean => {
        const verdict =
          typeof chunk === "string" ? verdictOn(chunk, stream === process.stderr) : "shown";
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

  /** What workerd and the product said while a failed test ran; some of it may belong to the test beside it. */
  onTestModuleEnd(module: TestModule): void {
    if (module.project.name !== "worker") return;
    for (const test of module.children.allTests("failed")) {
      const { startTime = 0, duration = 0 } = test.diagnostic() ?? {};
      const meanwhile = this.#hidden.filter(
        ({ at }) => at >= startTime && at <= startTime + duration + 100,
      );
      if (meanwhile.length === 0) continue;
      const text = meanwhile.map(({ message }) => message).join("");
      process.stderr.write(`Logged during ${test.fullName}:\n${text}\n`);
    }
  }

  onTestRunEnd(): void {
    if (this.#unexpected === 0) return;
    process.stderr.write(
      `Reports of errors that no test expects: ${this.#unexpected}. scripts/test-output.ts says which are expected.\n`,
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
    // Last of the reporters, whichever a run asks for.
    configureVitest({ vitest }) {
      const { reporters } = vitest.config as { reporters: unknown[] };
      if (!reporters.some((reporter) => reporter instanceof Output)) reporters.push(new Output());
    },
    // itty-router comes with source maps of sources it does not come with: a warning for each of them.
    async load(id) {
      if (!/\/node_modules\/itty-router\/[^?]*\.mjs(?:\?|$)/.test(id)) return null;
      const code = await readFile(id.replace(/\?.*$/, ""), "utf8");
      return { code: code.replace(/^\/\/# sourceMappingURL=.*$/m, ""), map: null };
    },
  };
}
