/**
 * A full import.
 *
 *   start --> add, add, add (several at once) --> done      the index is replaced
 *                  \--> cancel                              nothing has happened
 *
 * Every call may be repeated: a bulk that is applied twice is the same bulk, a repeated `done` finds the session
 * completed, a repeated `cancel` finds it cancelled. Bulks that are under way at once are applied in any order, so of
 * two versions of one id in different bulks either may win; with `concurrency: 1` the later does.
 */
import { AisleError } from "./error.ts";
import type { CallOptions, Transport } from "./transport.ts";
import type { AddReport, ImportSession, Product } from "./types.ts";

export interface ImportProgress {
  /** Documents taken from the source and answered. */
  sent: number;
  indexed: number;
  rejected: number;
}

export interface Rejection {
  /** Counted from 0 in the source. */
  position: number;
  id: string | null;
  reason: string;
}

export interface ImportOptions extends CallOptions {
  /** Language of the texts, e.g. `en` or `de-CH`. */
  locale: string;
  /** Bytes of JSON in a bulk, about; 2,000,000 unless said otherwise. */
  bulkBytes?: number | undefined;
  /** Bulks under way at once; 2 unless said otherwise. */
  concurrency?: number | undefined;
  /** The largest share of refused documents with which the import is still published; 0.05 unless said otherwise. */
  maxRejectedShare?: number | undefined;
  /** After each bulk. */
  onProgress?: ((progress: ImportProgress) => void) | undefined;
}

export interface ImportOutcome extends ImportProgress {
  /** The first hundred of those that were refused. */
  rejections: Rejection[];
}

const MAX_REJECTIONS = 100;

/** A session, with what it takes. Others may add to it, too: pass on `session`. */
export class ImportRun {
  readonly session: ImportSession;
  readonly #transport: Transport;

  constructor(transport: Transport, session: ImportSession) {
    this.#transport = transport;
    this.session = session;
  }

  async add(documents: readonly Product[], options: CallOptions = {}): Promise<AddReport> {
    return this.addTexts(
      documents.map((document) => JSON.stringify(document)),
      options,
    );
  }

  /** Documents that are JSON already. */
  async addTexts(documents: readonly string[], { signal }: CallOptions = {}): Promise<AddReport> {
    const body = `{"session":${JSON.stringify(this.session)},"documents":[${documents.join(",")}]}`;
    return (await this.#post("add", body, signal, [["report", "true"]])) as AddReport;
  }

  /** The index is what was added. */
  async done({ signal }: CallOptions = {}): Promise<void> {
    try {
      await this.#post("done", JSON.stringify(this.session), signal);
    } catch (error) {
      // Published by an attempt of ours whose answer got lost, or by another who holds the session.
      if (!(error instanceof AisleError && error.type === "session_completed")) throw error;
    }
  }

  async cancel({ signal }: CallOptions = {}): Promise<void> {
    await this.#post("cancel", JSON.stringify(this.session), signal);
  }

  #post(
    step: string,
    body: string,
    signal: AbortSignal | undefined,
    query: readonly (readonly [string, string])[] = [],
  ): Promise<unknown> {
    const path = `/indexer-api/v1/full/${step}`;
    return this.#transport.json({ method: "POST", path, query, body, signal, isRepeatable: true });
  }
}

interface Bulk {
  readonly first: number;
  readonly documents: readonly string[];
}

export async function runImport(
  run: ImportRun,
  documents: Iterable<Product> | AsyncIterable<Product>,
  options: ImportOptions,
): Promise<ImportOutcome> {
  const { bulkBytes = 2_000_000, concurrency = 2, maxRejectedShare = 0.05, onProgress } = options;
  const outcome: ImportOutcome = { sent: 0, indexed: 0, rejected: 0, rejections: [] };
  // The others stop when one bulk fails.
  const failure = new AbortController();
  const { signal: own } = options;
  const signal = own === undefined ? failure.signal : AbortSignal.any([own, failure.signal]);
  const underWay = new Set<Promise<void>>();

  const send = async ({ first, documents: texts }: Bulk): Promise<void> => {
    const { indexed, rejected } = await run.addTexts(texts, { signal });
    outcome.sent += texts.length;
    outcome.indexed += indexed;
    outcome.rejected += texts.length - indexed;
    const room = MAX_REJECTIONS - outcome.rejections.length;
    const news = rejected.slice(0, room);
    outcome.rejections.push(
      ...news.map(({ position, id, reason }) => ({ position: first + position, id, reason })),
    );
    const { rejections: _, ...progress } = outcome;
    onProgress?.(progress);
  };

  try {
    for await (const bulk of bulksOf(documents, bulkBytes)) {
      signal.throwIfAborted();
      const sending: Promise<void> = send(bulk)
        .catch((error: unknown) => failure.abort(error))
        .finally(() => underWay.delete(sending));
      underWay.add(sending);
      if (underWay.size >= concurrency) await Promise.race(underWay);
    }
    await Promise.all(underWay);
    signal.throwIfAborted();
    outcome.rejections.sort((a, b) => a.position - b.position);
    if (outcome.rejected > outcome.sent * maxRejectedShare) throw tooMany(outcome);
    await run.done({ signal });
    return outcome;
  } catch (error) {
    failure.abort(error);
    await Promise.all(underWay);
    // The service forgets a session by itself, too.
    await run.cancel().catch(() => undefined);
    throw error;
  }
}

function tooMany({ sent, rejected, rejections }: ImportOutcome): AisleError {
  const [first] = rejections;
  const example = first === undefined ? "" : `, document ${first.position}: ${first.reason}`;
  return new AisleError(`${rejected} of ${sent} documents were refused${example}`, {
    type: "too_many_rejected",
    details: {
      problems: rejections.map(({ position, reason }) => ({
        path: `documents[${position}]`,
        message: reason,
      })),
    },
  });
}

async function* bulksOf(
  documents: Iterable<Product> | AsyncIterable<Product>,
  bulkBytes: number,
): AsyncGenerator<Bulk> {
  const encoder = new TextEncoder();
  let bulk: string[] = [];
  let bytes = 0;
  let first = 0;
  for await (const document of documents) {
    const text = JSON.stringify(document);
    const own = encoder.encode(text).length;
    if (bulk.length > 0 && bytes + own > bulkBytes) {
      yield { first, documents: bulk };
      first += bulk.length;
      bulk = [];
      bytes = 0;
    }
    bulk.push(text);
    bytes += own;
  }
  if (bulk.length > 0) yield { first, documents: bulk };
}
