/**
 * One full import: start, bulks in parallel, done; cancel when anything goes wrong.
 *
 *   reading --start--> adding --all answered--> judging --done--> live
 *      |                  |                        |        |
 *      | failure          | failure, ^C            | strict, nothing accepted
 *      v                  v                        v        v
 *   (nothing)          cancelled                cancelled  cancelled, if the service still lets us
 *
 * **The order of the file is kept where it matters.** Of two versions of an id the one the service registers later wins,
 * and with bulks in flight side by side that is not settled by the order of sending. So a bulk waits for every bulk in
 * flight that shares an id with it; the last version in the file wins, whatever was sent again in between. (One gap is
 * left: a bulk whose connection broke may still be at work in the service while its repetition is answered.)
 */
import type { ImportSession } from "../../src/interface/index.ts";
import { bulksOf, shareAnId, type Bulk } from "./bulks.ts";
import { InterruptedError, OutcomeError, isExplained } from "./failures.ts";
import { Progress, formatCount, type Counts, type Screen } from "./progress.ts";
import type { Timing } from "./retry.ts";
import { IndexingService, type IndexFacts } from "./service.ts";
import { readDocuments, type Source } from "./source.ts";

export interface ImportOptions {
  readonly url: string;
  readonly user: string | null;
  readonly password: string | null;
  readonly indexName: string;
  readonly locale: string;
  /** A bulk is sent when its documents reach this many bytes. */
  readonly bulkBytes: number;
  /** Bulks in flight at once. */
  readonly parallel: number;
  /** Any rejected document: cancel, so that the live index stays as it is. */
  readonly strict: boolean;
  /** Leave out documents that are no JSON, instead of stopping. They count as rejected. */
  readonly skipBadLines: boolean;
  /** Complete an import in which no document was accepted: the index becomes empty. */
  readonly allowEmpty: boolean;
  /** After done, search for everything and compare the count. */
  readonly tenantCheck: boolean;
}

export interface ImportSurroundings {
  readonly screen: Screen;
  readonly timing: Timing;
  /** ^C. */
  readonly signal: AbortSignal;
}

export interface ImportSummary {
  readonly session: ImportSession;
  readonly counts: Readonly<Counts>;
  readonly bulks: number;
  readonly retries: number;
  /** From the first byte read to the last bulk answered; the done call; everything. */
  readonly addedMs: number;
  readonly doneMs: number;
  readonly searchableMs: number;
  /** What the service says of the live index; null where we may not ask. */
  readonly facts: IndexFacts | null;
  /** Products a search finds, with `tenantCheck`. */
  readonly found: number | null;
}

/** Reasons printed one by one; the rest is only counted. */
const MAX_REASONS = 10;

export async function importCatalogue(
  source: Source,
  options: ImportOptions,
  surroundings: ImportSurroundings,
): Promise<ImportSummary> {
  const { screen, timing, signal } = surroundings;
  const counts: Counts = {
    answered: 0,
    indexed: 0,
    rejected: 0,
    jsonBytes: 0,
    fileBytes: 0,
    totalFileBytes: source.position.totalBytes,
  };
  const progress = new Progress(screen, timing, counts);
  let retries = 0;
  const service = new IndexingService({
    url: options.url,
    user: options.user,
    password: options.password,
    timing,
    onRetry: (message) => {
      retries++;
      progress.message(message);
    },
  });
  const startedMs = timing.nowMs();
  const session = await service.start(options.indexName, options.locale, signal);
  progress.begin();
  let live = false;
  try {
    const bulks = await addEverything(source, session, options, service, counts, progress, signal);
    const addedMs = timing.nowMs() - startedMs;
    judge(options, counts);
    progress.enter("publishing");
    await service.done(session, signal);
    live = true;
    const searchableMs = timing.nowMs() - startedMs;
    progress.end();
    const facts = await describe(service, options.indexName, signal);
    const found = options.tenantCheck
      ? await checkTenant(service, options, counts, facts, signal)
      : null;
    return {
      session,
      counts,
      bulks,
      retries,
      addedMs,
      doneMs: searchableMs - addedMs,
      searchableMs,
      facts,
      found,
    };
  } catch (error) {
    progress.end();
    if (!live) await cancel(service, session, progress, error);
    throw error;
  } finally {
    progress.end();
  }
}

async function addEverything(
  source: Source,
  session: ImportSession,
  options: ImportOptions,
  service: IndexingService,
  counts: Counts,
  progress: Progress,
  signal: AbortSignal,
): Promise<number> {
  const inFlight = new Map<Bulk, Promise<void>>();
  let failure: { readonly error: unknown } | null = null;
  let bulkCount = 0;
  let reasons = 0;
  // One bulk that fails for good stops the others: their work would be cancelled anyway.
  const stop = new AbortController();
  const stopped = AbortSignal.any([signal, stop.signal]);

  function tell(reason: string): void {
    reasons++;
    if (reasons <= MAX_REASONS) progress.message(reason);
    if (reasons === MAX_REASONS + 1) progress.message("(further reasons are counted, not shown)");
  }
  async function send(bulk: Bulk): Promise<void> {
    const report = await service.add(bulk.body, bulk.lines.length, bulk.number, stopped);
    counts.answered += bulk.lines.length;
    counts.indexed += report.indexed;
    counts.rejected += bulk.lines.length - report.indexed;
    counts.jsonBytes += bulk.documentBytes;
    counts.fileBytes = Math.max(counts.fileBytes, bulk.readBytes);
    for (const { position, id, reason } of report.rejected) {
      tell(`line ${bulk.lines[position]}${id === null ? "" : `, id ${id}`}: rejected: ${reason}`);
    }
    for (const { position, path, reason } of report.ignored) {
      tell(`line ${bulk.lines[position]}: ignored ${path}: ${reason}`);
    }
    if (report.unexplained > 0) {
      const lines = `lines ${bulk.lines[0]}-${bulk.lines[bulk.lines.length - 1]}`;
      tell(`${lines}: ${formatCount(report.unexplained)} documents rejected without a reason`);
    }
  }
  function launch(bulk: Bulk): void {
    const sending = send(bulk)
      .catch((error: unknown) => {
        failure ??= { error };
        stop.abort();
      })
      .finally(() => inFlight.delete(bulk));
    inFlight.set(bulk, sending);
  }

  const onBadDocument = options.skipBadLines
    ? (error: Error): void => {
        counts.answered++;
        counts.rejected++;
        tell(error.message);
      }
    : null;
  const documents = readDocuments(abortable(source.bytes, stopped), onBadDocument);
  try {
    for await (const bulk of bulksOf(documents, session, options.bulkBytes, source.position)) {
      for (const [other, sending] of inFlight) if (shareAnId(other, bulk)) await sending;
      while (inFlight.size >= options.parallel) await Promise.race(inFlight.values());
      if (stopped.aborted) break;
      launch(bulk);
      bulkCount++;
    }
  } catch (error) {
    failure ??= { error };
    stop.abort();
  }
  await Promise.all(inFlight.values());
  if (signal.aborted) throw new InterruptedError();
  // Written by the callbacks above, which the compiler does not see.
  const first = failure as { readonly error: unknown } | null;
  if (first !== null) throw first.error;
  return bulkCount;
}

/** Ends at the signal even when the source has nothing to say (standard input of a terminal). */
async function* abortable(
  bytes: AsyncIterable<Buffer>,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const iterator = bytes[Symbol.asyncIterator]();
  const aborted = new Promise<never>((_, reject) => {
    const fail = (): void => reject(new InterruptedError());
    if (signal.aborted) fail();
    else signal.addEventListener("abort", fail, { once: true });
  });
  aborted.catch(() => undefined);
  for (;;) {
    const next = await Promise.race([iterator.next(), aborted]);
    if (next.done === true) return;
    yield next.value;
  }
}

/** What must not go live. */
function judge(options: ImportOptions, counts: Readonly<Counts>): void {
  if (options.strict && counts.rejected > 0) {
    throw new OutcomeError(
      `${formatCount(counts.rejected)} of ${formatCount(counts.answered)} documents were rejected (--strict)`,
    );
  }
  if (!options.allowEmpty && counts.indexed === 0) {
    throw new OutcomeError(
      counts.answered === 0
        ? "there is no document in the file (--allow-empty makes the index empty)"
        : "every document was rejected (--allow-empty makes the index empty)",
    );
  }
}

/**
 * The tenant of the index's name must find every product of the index. Where the service does not say how many there
 * are, at least one and no more than were accepted (an id sent twice is accepted twice and is one product).
 */
async function checkTenant(
  service: IndexingService,
  options: ImportOptions,
  counts: Readonly<Counts>,
  facts: IndexFacts | null,
  signal: AbortSignal,
): Promise<number> {
  const found = await service.countProducts(options.indexName, signal).catch((error: unknown) => {
    if (!isExplained(error)) throw error;
    throw new OutcomeError(`the import is live, but searching it failed: ${error.message}`);
  });
  const documents = facts?.["documents"];
  const right =
    typeof documents === "number"
      ? found === documents
      : found <= counts.indexed && (found > 0 || counts.indexed === 0);
  if (!right) {
    const expected = typeof documents === "number" ? documents : counts.indexed;
    throw new OutcomeError(
      `the import is live, but a search finds ${formatCount(found)} products of ${formatCount(expected)}`,
    );
  }
  return found;
}

/** A courtesy: that the service cannot tell more does not make the import a failure. */
async function describe(
  service: IndexingService,
  indexName: string,
  signal: AbortSignal,
): Promise<IndexFacts | null> {
  try {
    return await service.describe(indexName, signal);
  } catch (error) {
    if (isExplained(error)) return null;
    throw error;
  }
}

/** Best effort, with a signal of its own: the one of ^C has fired already. */
async function cancel(
  service: IndexingService,
  session: ImportSession,
  progress: Progress,
  reason: unknown,
): Promise<void> {
  try {
    await service.cancel(session, AbortSignal.timeout(15_000));
    progress.message("The session is cancelled; the live index is as it was.");
  } catch (error) {
    if (!isExplained(error))
      throw new AggregateError([reason, error], "cancel failed", { cause: error });
    progress.message(
      `The session ${session.temporaryIndexName} could not be cancelled (${error.message}). ` +
        "The service removes it by itself when a later import starts.",
    );
  }
}
