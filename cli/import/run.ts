/**
 * One full import: start, bulks in parallel, done; cancel when anything goes wrong.
 *
 *   opening --start--> adding --all answered--> judging --done--> live
 *      |                  |                        |        |
 *      | failure          | failure, ^C            | too many rejected, nothing accepted
 *      v                  v                        v        v
 *   (nothing)          cancelled                cancelled  cancelled, if the service still lets us
 *
 * Killed while adding: the next import cancels what was left open (session-file.ts).
 */
import type { ImportSession } from "../../src/interface/index.ts";
import { openFeed, type Feed, type Mapping } from "../../src/feeds/index.ts";
import { addEnvelope, type Bulk } from "./bulks.ts";
import { OutcomeError, isExplained } from "./failures.ts";
import { describeFeed, describeLanguage, describeRemarks, requireId } from "./preview.ts";
import { Progress, formatCount, formatCounted, formatPart, type Counts, type Screen } from "./progress.ts";
import type { Timing } from "./retry.ts";
import { IndexingService, type IndexFacts } from "./service.ts";
import { abortable, sendEverything } from "./send.ts";
import { SessionFile } from "./session-file.ts";
import { unpacked, type Source } from "./source.ts";

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
  /** How columns become fields; null: guessed. */
  readonly mapping: Mapping | null;
  /** More rejected documents than this share: cancel, so that the live index stays as it is. */
  readonly maxRejectedPercent: number;
  /** Where the session under way is noted; null: nowhere. */
  readonly cacheFolder: string | null;
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
  /** Told which mapping is used, before anything is sent. */
  readonly onMapping?: (mapping: Mapping) => Promise<void>;
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

export async function importCatalogue(
  source: Source,
  options: ImportOptions,
  surroundings: ImportSurroundings,
): Promise<ImportSummary> {
  const { screen, timing, signal } = surroundings;
  const counts = countsOf(source);
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
  const stop = new AbortController();
  const stopped = AbortSignal.any([signal, stop.signal]);
  const { feed, mapping } = await openMapped(source, options.mapping, progress, stopped, surroundings.onMapping);
  const remarks =
    describeLanguage(feed.language, options.locale) +
    (mapping === null ? "" : describeRemarks(await feed.remarks(mapping)));
  if (remarks !== "") progress.message(remarks.trimEnd());
  const file =
    options.cacheFolder === null ? null : new SessionFile(options.cacheFolder, options.url, options.indexName);
  const abandoned = (await file?.abandoned()) ?? null;
  if (abandoned !== null) await cancelAbandoned(service, abandoned, progress);
  const session = await service.start(options.indexName, options.locale, signal).catch(async (error: unknown) => {
    await feed.close();
    throw error;
  });
  await file?.write(session);
  progress.begin();
  let live = false;
  try {
    const sending = {
      feed,
      mapping,
      content: "products" as const,
      position: source.position,
      envelope: addEnvelope(session),
      bulkBytes: options.bulkBytes,
      parallel: options.parallel,
      skipBadLines: options.skipBadLines,
      send: (bulk: Bulk, until: AbortSignal) => service.add(bulk.body, bulk.lines.length, bulk.number, until),
    };
    const bulks = await sendEverything(sending, counts, progress, stop, signal);
    const addedMs = timing.nowMs() - startedMs;
    judge(options, counts);
    progress.enter("publishing");
    await service.done(session, signal);
    live = true;
    await file?.remove();
    const searchableMs = timing.nowMs() - startedMs;
    progress.end();
    const facts = await describe(service, options.indexName, signal);
    const found = options.tenantCheck ? await checkTenant(service, options, counts, facts, signal) : null;
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
    if (!live && (await cancel(service, session, progress, error))) await file?.remove();
    throw error;
  } finally {
    progress.end();
    await feed.close();
  }
}

export function countsOf(source: Source): Counts {
  return {
    answered: 0,
    indexed: 0,
    rejected: 0,
    leftOut: 0,
    jsonBytes: 0,
    fileBytes: 0,
    totalFileBytes: source.position.totalBytes,
  };
}

/** Opens the feed and says how it is understood. */
export async function openMapped(
  source: Source,
  given: Mapping | null,
  progress: Progress,
  signal: AbortSignal,
  onMapping: ImportSurroundings["onMapping"],
): Promise<{ readonly feed: Feed; readonly mapping: Mapping | null }> {
  const feed = await openFeed(unpacked(abortable(source.bytes, signal)), given);
  if (feed.mapping === null) return { feed, mapping: null };
  try {
    await onMapping?.(feed.mapping);
    requireId(source.name, feed, feed.mapping);
  } catch (error) {
    await feed.close();
    throw error;
  }
  progress.message(describeFeed(source.name, feed, feed.mapping));
  return { feed, mapping: feed.mapping };
}

/** What must not go live. */
function judge(options: ImportOptions, counts: Readonly<Counts>): void {
  const { rejected, answered } = counts;
  if (rejected * 100 > answered * options.maxRejectedPercent && counts.indexed > 0) {
    throw new OutcomeError(
      `${formatPart(rejected, answered, "document")} rejected, ` +
        `more than ${options.maxRejectedPercent} % (--max-rejected)`,
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
      `the import is live, but a search finds ${formatCounted(found, "product")} of ${formatCount(expected)}`,
    );
  }
  return found;
}

/** A courtesy: that the service cannot tell more does not make the import a failure. */
async function describe(service: IndexingService, indexName: string, signal: AbortSignal): Promise<IndexFacts | null> {
  try {
    return await service.describe(indexName, signal);
  } catch (error) {
    if (isExplained(error)) return null;
    throw error;
  }
}

/** Best effort: a session that is unknown by now is as good as cancelled. */
async function cancelAbandoned(service: IndexingService, session: ImportSession, progress: Progress): Promise<void> {
  try {
    await service.cancel(session, AbortSignal.timeout(15_000));
    progress.message(
      `An earlier import was killed; its session ${session.temporaryIndexName} is cancelled. ` +
        "This import starts from the beginning of the feed.",
    );
  } catch (error) {
    if (!isExplained(error)) throw error;
  }
}

/** Best effort, with a signal of its own: the one of ^C has fired already. @returns whether it is cancelled */
async function cancel(
  service: IndexingService,
  session: ImportSession,
  progress: Progress,
  reason: unknown,
): Promise<boolean> {
  try {
    await service.cancel(session, AbortSignal.timeout(15_000));
    progress.message("The session is cancelled; the live index is as it was.");
    return true;
  } catch (error) {
    if (!isExplained(error)) throw new AggregateError([reason, error], "cancel failed", { cause: error });
    progress.message(
      `The session ${session.temporaryIndexName} could not be cancelled (${error.message}). ` +
        "The service removes it by itself when a later import starts.",
    );
    return false;
  }
}
