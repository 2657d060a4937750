/**
 * Documents -> requests side by side.
 *
 * **The order of the file is kept where it matters.** Of two versions of an id the one the service registers later
 * wins, and with bulks in flight side by side that is not settled by the order of sending. So a bulk waits for every
 * bulk in flight that shares an id with it; the last version in the file wins, whatever was sent again in between.
 * (One gap is left: a bulk whose connection broke may still be at work in the service while its repetition is
 * answered.)
 */
import type { AddReport } from "../../src/interface/index.ts";
import type { Feed, FeedContent, FeedEvents, Mapping } from "../../src/feeds/index.ts";
import { bulksOf, shareAnId, type Bulk, type Envelope } from "./bulks.ts";
import { InterruptedError } from "./failures.ts";
import { formatCounted, type Counts, type Progress } from "./progress.ts";
import type { ReadPosition } from "./source.ts";

/** Reasons printed one by one; the rest is only counted. */
const MAX_REASONS = 10;
/** Ids named in one message. */
const MAX_IDS = 5;

/** What a service says of a bulk. `unexplained`: rejected, it does not say why. */
export type BulkReport = AddReport & { readonly unexplained: number };

export interface Sending {
  readonly feed: Feed;
  readonly mapping: Mapping | null;
  readonly content: FeedContent;
  readonly position: Readonly<ReadPosition>;
  readonly envelope: Envelope;
  readonly bulkBytes: number;
  readonly parallel: number;
  readonly skipBadLines: boolean;
  readonly send: (bulk: Bulk, signal: AbortSignal) => Promise<BulkReport>;
}

/**
 * Sends every document of the feed. One bulk that fails for good stops the others: `stop` is aborted.
 *
 * @param counts kept up to date
 * @param signal ^C
 * @returns the number of bulks
 */
export async function sendEverything(
  sending: Sending,
  counts: Counts,
  progress: Progress,
  stop: AbortController,
  signal: AbortSignal,
): Promise<number> {
  const inFlight = new Map<Bulk, Promise<void>>();
  let failure: { readonly error: unknown } | null = null;
  let bulkCount = 0;
  let reasons = 0;
  const ids = new Set<string>();
  const repeated = new Set<string>();
  const stopped = AbortSignal.any([signal, stop.signal]);

  function tell(reason: string): void {
    reasons++;
    if (reasons <= MAX_REASONS) progress.message(reason);
    if (reasons === MAX_REASONS + 1) progress.message("(further reasons are counted, not shown)");
  }
  function reject(reason: string): void {
    counts.answered++;
    counts.rejected++;
    tell(reason);
  }
  async function send(bulk: Bulk): Promise<void> {
    const report = await sending.send(bulk, stopped);
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
      tell(`${lines}: ${formatCounted(report.unexplained, "document")} rejected without a reason`);
    }
  }
  function launch(bulk: Bulk): void {
    const running = send(bulk)
      .catch((error: unknown) => {
        failure ??= { error };
        stop.abort();
      })
      .finally(() => inFlight.delete(bulk));
    inFlight.set(bulk, running);
  }

  const events: FeedEvents = {
    onRejected: (line, reason) => reject(`line ${line}: rejected: ${reason}`),
    onIgnored: (line, reason) => tell(`line ${line}: ignored ${reason}`),
    onLeftOut: () => counts.leftOut++,
    onUnreadable: sending.skipBadLines ? (error) => reject(error.message) : null,
  };
  const documents = sending.feed.documents(sending.mapping, events, sending.content);
  const { envelope, bulkBytes, position } = sending;
  try {
    for await (const bulk of bulksOf(documents, envelope, bulkBytes, position)) {
      for (const [other, running] of inFlight) if (shareAnId(other, bulk)) await running;
      while (inFlight.size >= sending.parallel) await Promise.race(inFlight.values());
      if (stopped.aborted) break;
      for (const id of bulk.documentIds) {
        if (id !== null && ids.has(id)) repeated.add(id);
        else if (id !== null) ids.add(id);
      }
      launch(bulk);
      bulkCount++;
    }
  } catch (error) {
    failure ??= { error };
    stop.abort();
  }
  await Promise.all(inFlight.values());
  if (repeated.size > 0) {
    progress.message(
      `${formatCounted(repeated.size, "id")} ${repeated.size === 1 ? "comes" : "come"} more than once, the last document of each counts: ${someOf(repeated)}`,
    );
  }
  if (signal.aborted) throw new InterruptedError();
  // Written by the callbacks above, which the compiler does not see.
  const first = failure as { readonly error: unknown } | null;
  if (first !== null) throw first.error;
  return bulkCount;
}

/** `A, B, C, D, E, ...` */
export function someOf(ids: ReadonlySet<string>): string {
  const first = [...ids.values().take(MAX_IDS)].join(", ");
  return ids.size > MAX_IDS ? `${first}, ...` : first;
}

/** Ends at the signal even when the source has nothing to say (standard input of a terminal). */
export async function* abortable(bytes: AsyncIterable<Buffer>, signal: AbortSignal): AsyncGenerator<Buffer> {
  const iterator = bytes[Symbol.asyncIterator]();
  const aborted = new Promise<never>((_, reject) => {
    const fail = (): void => reject(new InterruptedError());
    if (signal.aborted) fail();
    else signal.addEventListener("abort", fail, { once: true });
  });
  aborted.catch(() => undefined);
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), aborted]);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    // Not waited for: a source that has nothing to say does not answer this either.
    iterator.return?.()?.catch(() => undefined);
  }
}
