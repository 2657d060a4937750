/**
 * A full import from the page: start, portions one after the other (of two versions of an id the later wins), done; cancelled when
 * anything goes wrong, so that the live index stays as it was.
 */
import type { AddReport, ImportSession } from "../../interface/index.ts";
import { bulksOf, type Bulk, type DocumentText } from "../logic/documents.ts";
import { get, post, type ApiRequest } from "../logic/requests.ts";
import { CallError, succeeded, type Answer, type Client } from "./client.ts";

const BULK_CHARACTERS = 1_500_000;
const ATTEMPTS = 6;
const MAX_PAUSE_MS = 10_000;
/** Complaints that are kept; the rest is counted. */
const MAX_COMPLAINTS = 20;

export interface ImportProgress {
  readonly phase: "adding" | "publishing" | "done";
  readonly indexed: number;
  readonly rejected: number;
}

export interface ImportOutcome {
  readonly indexed: number;
  readonly rejected: number;
  /** Why documents were left out, the first of them. */
  readonly complaints: readonly string[];
}

export interface ImportJob {
  readonly indexName: string;
  readonly locale: string;
  readonly documents: AsyncIterable<DocumentText>;
  readonly onProgress: (progress: ImportProgress) => void;
  readonly signal: AbortSignal;
}

export async function importCatalogue(client: Client, job: ImportJob): Promise<ImportOutcome> {
  const { indexName, locale, documents, onProgress, signal } = job;
  const locales = new URLSearchParams({ locale }).toString();
  const start = get(`/indexer-api/v1/full/start/${encodeURIComponent(indexName)}?${locales}`);
  const session = (await patiently(client, start, signal)).json as ImportSession;
  let indexed = 0;
  let rejected = 0;
  const complaints: string[] = [];
  try {
    for await (const bulk of bulksOf(documents, BULK_CHARACTERS)) {
      const report = await add(client, session, bulk, signal);
      indexed += report.indexed;
      rejected += bulk.documents.length - report.indexed;
      complaints.push(...complaintsOf(report, bulk).slice(0, MAX_COMPLAINTS - complaints.length));
      onProgress({ phase: "adding", indexed, rejected });
    }
    if (indexed === 0) throw new EmptyImportError(complaints);
    onProgress({ phase: "publishing", indexed, rejected });
    await patiently(client, post("/indexer-api/v1/full/done", JSON.stringify(session)), signal);
    onProgress({ phase: "done", indexed, rejected });
    return { indexed, rejected, complaints };
  } catch (error) {
    await cancel(client, session);
    throw error;
  }
}

/** Nothing would be in the index. */
export class EmptyImportError extends Error {
  override name = "EmptyImportError";
  readonly complaints: readonly string[];

  constructor(complaints: readonly string[]) {
    super(complaints.length === 0 ? "There is no document in it." : "No document was accepted.");
    this.complaints = complaints;
  }
}

async function add(
  client: Client,
  session: ImportSession,
  { documents }: Bulk,
  signal: AbortSignal,
): Promise<AddReport> {
  // Put together as text: numbers stay as they stand in the file.
  const list = documents.map(({ json }) => json).join(",");
  const body = `{"session":${JSON.stringify(session)},"documents":[${list}]}`;
  const answer = await patiently(
    client,
    post("/indexer-api/v1/full/add?report=true", body),
    signal,
  );
  return answer.json as AddReport;
}

function complaintsOf({ rejected }: AddReport, { documents }: Bulk): string[] {
  return rejected.map(({ position, id, reason }) => {
    const line = documents[position]?.line ?? null;
    const place = line === null ? `document ${position + 1}` : `line ${line}`;
    return `${place}${id === null ? "" : `, id ${id}`}: ${reason}`;
  });
}

/** "Not now" is asked again, as long as the service says, or a little longer each time. */
async function patiently(
  client: Client,
  request: ApiRequest,
  signal: AbortSignal,
): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const answer = await client.send(request, signal);
    if ((answer.status !== 429 && answer.status !== 503) || attempt === ATTEMPTS) {
      return succeeded(answer);
    }
    const askedMs = Number(answer.headers.get("retry-after")) * 1_000;
    const pauseMs = Math.min(MAX_PAUSE_MS, Math.max(askedMs || 0, 250 * 2 ** attempt));
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    signal.throwIfAborted();
  }
}

/** Best effort: the service forgets a session by itself, too. */
async function cancel(client: Client, session: ImportSession): Promise<void> {
  try {
    const request = post("/indexer-api/v1/full/cancel", JSON.stringify(session));
    await client.send(request, AbortSignal.timeout(15_000));
  } catch (error) {
    if (!(error instanceof CallError || error instanceof DOMException)) throw error;
  }
}
