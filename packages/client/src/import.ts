/**
 * A full import.
 *
 *   start --> add, add, add (several at once) --> done      the index is replaced
 *                  \--> cancel                              the index is unchanged
 *
 * Every call may be repeated: applying a bulk twice has no further effect, a repeated `done` finds
 * the session completed, a repeated `cancel` finds it cancelled. Concurrent bulks are applied in
 * any order, so either of two versions of an id in different bulks may win. With `concurrency: 1`
 * the later version wins.
 */
import { AisleError } from "./error.ts";
import type { CallOptions, Transport } from "./transport.ts";
import type { AddReport, ImportSession, Product } from "./types.ts";

export interface ImportProgress {
  /** Documents sent and answered so far. */
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
  /** Approximate bytes of JSON per bulk; default 2,000,000. */
  bulkBytes?: number | undefined;
  /** Number of concurrent bulks; default 2. */
  concurrency?: number | undefined;
  /** Maximum share of refused documents; above it the import is cancelled. Default 0.05. */
  maxRejectedShare?: number | undefined;
  /** True: an import without documents empties the index instead of being cancelled. */
  allowEmpty?: boolean | undefined;
  /** After each bulk. */
  onProgress?: ((progress: ImportProgress) => void) | undefined;
}

export interface ImportOutcome extends ImportProgress {
  /** The first hundred refused documents. */
  rejections: Rejection[];
}

const MAX_REJECTIONS = 100;

/** An open session. To let other processes add to it, pass `session` on. */
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

  /** Documents as JSON texts. */
  async addTexts(documents: readonly string[], { signal }: CallOptions = {}): Promise<AddReport> {
    const body = `{"session":${JSON.stringify(this.session)},"documents":[${documents.join(",")}]}`;
    return (await this.#post("add", body, signal, [["report", "true"]])) as AddReport;
  }

  /** Publishes the added documents as the index. */
  async done({ signal }: CallOptions = {}): Promise<void> {
    try {
      await this.#post("done", JSON.stringify(this.session), signal);
    } catch (error) {
      // Published by an earlier attempt whose answer was lost, or by another owner of the session.
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
  // When one bulk fails, the others stop.
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
    outcome.rejections.push(...news.map(({ position, id, reason }) => ({ position: first + position, id, reason })));
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
    if (outcome.indexed === 0 && options.allowEmpty !== true) {
      throw new AisleError("The import has no documents; allowEmpty makes the index empty", {
        type: "no_documents",
      });
    }
    await run.done({ signal });
    return outcome;
  } catch (error) {
    failure.abort(error);
    await Promise.all(underWay);
    // The service also removes abandoned sessions itself.
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
