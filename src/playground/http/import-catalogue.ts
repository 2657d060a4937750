/**
 * A full import from the page: start, sequential bulks (so the later of two versions of an id
 * wins), done. After any failure the import is cancelled, so the live index stays unchanged.
 */
import type { AddReport, ImportSession } from "../../interface/index.ts";
import { partOf } from "../logic/counted.ts";
import { bulksOf, type Bulk, type DocumentText } from "../logic/documents.ts";
import { get, post } from "../logic/requests.ts";
import { CallError, succeeded, type Answer, type Client } from "./client.ts";

const BULK_CHARACTERS = 1_500_000;
const ATTEMPTS = 6;
const MAX_PAUSE_MS = 10_000;
const START_TIMEOUT_MS = 60_000;
/** Maximum number of kept problems; the rest is only counted. */
const MAX_COMPLAINTS = 20;

export interface ImportProgress {
  readonly phase: "adding" | "publishing" | "done";
  readonly indexed: number;
  readonly rejected: number;
}

export interface ImportOutcome {
  readonly indexed: number;
  readonly rejected: number;
  /** The first reasons for refused documents. */
  readonly complaints: readonly string[];
}

export interface ImportJob {
  readonly indexName: string;
  readonly locale: string;
  readonly documents: AsyncIterable<DocumentText>;
  /** With a larger share of rejected documents, nothing is published. */
  readonly maxRejectedPercent: number;
  /** Products that the file's reader has refused so far. */
  readonly refused?: { count: number; readonly complaints: string[] };
  readonly onProgress: (progress: ImportProgress) => void;
  readonly signal: AbortSignal;
}

/** The part of the client that an import needs. */
type Sender = Pick<Client, "send">;

export async function importCatalogue(client: Sender, job: ImportJob): Promise<ImportOutcome> {
  const { indexName, locale, documents, maxRejectedPercent, onProgress, signal } = job;
  const refused = job.refused ?? { count: 0, complaints: [] };
  const locales = new URLSearchParams({ locale }).toString();
  const start = get(`/indexer-api/v1/full/start/${encodeURIComponent(indexName)}?${locales}`);
  // Not aborted half-way, because nobody could cancel the session.
  const started = await patiently(() => client.send(start, AbortSignal.timeout(START_TIMEOUT_MS)), signal);
  const session = started.json as ImportSession;
  let sent = 0;
  let indexed = 0;
  let rejected = 0;
  const complaints: string[] = [];
  try {
    signal.throwIfAborted();
    for await (const bulk of bulksOf(documents, BULK_CHARACTERS)) {
      const report = await add(client, session, bulk, signal);
      indexed += report.indexed;
      rejected += bulk.documents.length - report.indexed;
      const news = complaintsOf(report, bulk, sent);
      complaints.push(...news.slice(0, MAX_COMPLAINTS - complaints.length));
      sent += bulk.documents.length;
      onProgress({ phase: "adding", indexed, rejected: rejected + refused.count });
    }
    rejected += refused.count;
    complaints.push(...refused.complaints.slice(0, MAX_COMPLAINTS - complaints.length));
    if (indexed === 0)
      throw new RefusedImportError(
        complaints.length === 0 ? "The file has no documents." : "No document was accepted.",
        complaints,
      );
    if (rejected * 100 > (indexed + rejected) * maxRejectedPercent) {
      const share = partOf(rejected, indexed + rejected, "document");
      throw new RefusedImportError(
        `${share} refused, more than ${maxRejectedPercent} %. The index is unchanged.`,
        complaints,
      );
    }
    onProgress({ phase: "publishing", indexed, rejected });
    const done = post("/indexer-api/v1/full/done", JSON.stringify(session));
    await patiently(() => client.send(done, signal), signal);
    onProgress({ phase: "done", indexed, rejected });
    return { indexed, rejected, complaints };
  } catch (error) {
    await cancel(client, session);
    throw error;
  }
}

/** The documents must not be published. */
export class RefusedImportError extends Error {
  override name = "RefusedImportError";
  readonly complaints: readonly string[];

  constructor(message: string, complaints: readonly string[]) {
    super(message);
    this.complaints = complaints;
  }
}

async function add(
  client: Sender,
  session: ImportSession,
  { documents }: Bulk,
  signal: AbortSignal,
): Promise<AddReport> {
  // Concatenated as text, so numbers keep their digits.
  const list = documents.map(({ json }) => json).join(",");
  const body = `{"session":${JSON.stringify(session)},"documents":[${list}]}`;
  const request = post("/indexer-api/v1/full/add?report=true", body);
  const answer = await patiently(() => client.send(request, signal), signal);
  return answer.json as AddReport;
}

/** @param sentBefore documents of earlier bulks, because a report counts from its own start */
function complaintsOf({ rejected }: AddReport, { documents }: Bulk, sentBefore: number): string[] {
  return rejected.map(({ position, id, reason }) => {
    const line = documents[position]?.line ?? null;
    const place = line === null ? `document ${sentBefore + position + 1}` : `line ${line}`;
    return `${place}${id === null ? "" : `, id ${id}`}: ${reason}`;
  });
}

/** Retries refusals after the requested wait, or after a growing one. */
async function patiently(send: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const answer = await send();
    if ((answer.status !== 429 && answer.status !== 503) || attempt === ATTEMPTS) {
      return succeeded(answer);
    }
    const askedMs = Number(answer.headers.get("retry-after")) * 1_000;
    const pauseMs = Math.min(MAX_PAUSE_MS, Math.max(askedMs || 0, 250 * 2 ** attempt));
    await pause(pauseMs, signal);
    signal.throwIfAborted();
  }
}

/** Ends immediately when aborted. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
  });
}

/** Best effort, because the service removes abandoned sessions itself. */
async function cancel(client: Sender, session: ImportSession): Promise<void> {
  try {
    const request = post("/indexer-api/v1/full/cancel", JSON.stringify(session));
    await client.send(request, AbortSignal.timeout(15_000));
  } catch (error) {
    if (!(error instanceof CallError || error instanceof DOMException)) throw error;
  }
}
