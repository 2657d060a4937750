/** The calls an import makes, each repeated where that helps (see retry.ts), each failure in words. */
import { UpdateAnswer, UpdateReport, type AddReport, type ImportSession } from "../../src/interface/index.ts";
import { InterruptedError, RefusedError, UnreachableError } from "./failures.ts";
import { BRIEF, PATIENT, isTemporary, pauseMs, retryAfterMs } from "./retry.ts";
import type { RetryPolicy, Timing } from "./retry.ts";

export interface ServiceOptions {
  /** Base address of the service, e.g. `http://127.0.0.1:8787`. */
  readonly url: string;
  readonly user: string | null;
  readonly password: string | null;
  readonly timing: Timing;
  /** Told before each pause, for the progress display. */
  readonly onRetry: (message: string) => void;
}

/** What the live index holds, as far as the service tells (role admin). */
export type IndexFacts = Readonly<Record<string, unknown>>;

interface Call {
  readonly method: "GET" | "POST" | "PUT" | "PATCH";
  readonly path: string;
  readonly body?: Buffer | string;
  readonly policy: RetryPolicy;
  readonly signal: AbortSignal;
  /** What we are doing, for messages: `add bulk 3`. */
  readonly what: string;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
  /** False when an earlier attempt may have been carried out without us hearing of it. */
  readonly firstHand: boolean;
}

export class IndexingService {
  readonly #options: ServiceOptions;
  readonly #base: string;
  readonly #authorization: string | null;

  constructor(options: ServiceOptions) {
    this.#options = options;
    this.#base = options.url.replace(/\/+$/, "");
    this.#authorization =
      options.user === null
        ? null
        : `Basic ${Buffer.from(`${options.user}:${options.password ?? ""}`).toString("base64")}`;
  }

  async start(indexName: string, locale: string, signal: AbortSignal): Promise<ImportSession> {
    const path = `/indexer-api/v1/full/start/${encodeURIComponent(indexName)}?locale=${encodeURIComponent(locale)}`;
    const answer = await this.#expect({
      method: "GET",
      path,
      policy: BRIEF,
      signal,
      what: "start",
    });
    const session = answer.body;
    if (
      typeof session !== "object" ||
      session === null ||
      !("temporaryIndexName" in session) ||
      !("finalIndexName" in session)
    ) {
      throw new RefusedError(`${this.#base} answers, but not like this service`, answer.status, null);
    }
    // Passed on unchanged, members we do not know included (docs/indexing.md 6.2).
    return session as ImportSession;
  }

  /** Services that do not know `report=true` answer a bare number; then rejections are counted without reasons. */
  async add(
    body: Buffer,
    documentCount: number,
    number: number,
    signal: AbortSignal,
  ): Promise<AddReport & { readonly unexplained: number }> {
    const path = "/indexer-api/v1/full/add?report=true";
    const what = `add bulk ${number + 1}`;
    const answer = await this.#expect({
      method: "POST",
      path,
      body,
      policy: PATIENT,
      signal,
      what,
    });
    if (typeof answer.body === "number") {
      const indexed = answer.body;
      return { indexed, rejected: [], ignored: [], unexplained: documentCount - indexed };
    }
    const report = answer.body as AddReport | null;
    if (report === null || typeof report.indexed !== "number") {
      throw new RefusedError(`${what}: the answer is neither a number nor a report`, answer.status, null);
    }
    return { ...report, unexplained: documentCount - report.indexed - report.rejected.length };
  }

  /**
   * PATCH changes what is sent of documents that exist, PUT replaces whole documents or creates them.
   *
   * @param locale of an index that PUT creates
   */
  async update(
    method: "PUT" | "PATCH",
    indexName: string,
    locale: string | null,
    bulk: { readonly body: Buffer; readonly ids: ReadonlySet<string>; readonly number: number },
    signal: AbortSignal,
  ): Promise<Pick<UpdateReport, "results" | "rejected">> {
    const language = locale === null ? "" : `&langCode=${encodeURIComponent(locale)}`;
    const path = `/indexer-api/v1/update/${encodeURIComponent(indexName)}?report=true${language}`;
    const what = `update bulk ${bulk.number + 1}`;
    const { body } = bulk;
    const answer = await this.#expect({ method, path, body, policy: PATIENT, signal, what });
    const report = UpdateReport.safeParse(answer.body);
    if (report.success) return report.data;
    // Of a service that gives no reasons yet.
    const results = UpdateAnswer.safeParse(answer.body);
    if (results.success) return { results: results.data, rejected: [] };
    throw new RefusedError(`${what}: the answer names no results`, answer.status, null);
  }

  async done(session: ImportSession, signal: AbortSignal): Promise<void> {
    const body = JSON.stringify(session);
    const path = "/indexer-api/v1/full/done";
    const answer = await this.#call({
      method: "POST",
      path,
      body,
      policy: PATIENT,
      signal,
      what: "done",
    });
    if (answer.status < 300) return;
    // Our own earlier attempt completed it, and the answer was lost on the way.
    if (!answer.firstHand && errorType(answer.body) === "session_completed") return;
    throw this.#refused("done", answer);
  }

  async cancel(session: ImportSession, signal: AbortSignal): Promise<void> {
    const body = JSON.stringify(session);
    const path = "/indexer-api/v1/full/cancel";
    const answer = await this.#call({
      method: "POST",
      path,
      body,
      policy: BRIEF,
      signal,
      what: "cancel",
    });
    if (answer.status < 300) return;
    if (!answer.firstHand && errorType(answer.body) === "session_cancelled") return;
    throw this.#refused("cancel", answer);
  }

  /** Null where the call is not allowed or not known. */
  async describe(indexName: string, signal: AbortSignal): Promise<IndexFacts | null> {
    const path = `/admin-api/v1/indexes/${encodeURIComponent(indexName)}`;
    const answer = await this.#call({
      method: "GET",
      path,
      policy: BRIEF,
      signal,
      what: "describe",
    });
    if (answer.status !== 200 || typeof answer.body !== "object" || answer.body === null) return null;
    return answer.body as IndexFacts;
  }

  /** Products that a search without a query finds for this tenant. */
  async countProducts(tenant: string, signal: AbortSignal): Promise<number> {
    const path = `/search-api/v1/search/${encodeURIComponent(tenant)}?limit=0&withFacets=false`;
    const answer = await this.#expect({
      method: "GET",
      path,
      policy: BRIEF,
      signal,
      what: "search",
    });
    const result = answer.body as { slices?: readonly { matchCount?: unknown }[] } | null;
    const count = result?.slices?.[0]?.matchCount;
    if (typeof count !== "number") {
      throw new RefusedError("search: the answer has no matchCount", answer.status, null);
    }
    return count;
  }

  async #expect(call: Call): Promise<Answer> {
    const answer = await this.#call(call);
    if (answer.status >= 200 && answer.status < 300) return answer;
    throw this.#refused(call.what, answer);
  }

  async #call(call: Call): Promise<Answer> {
    const { timing, onRetry } = this.#options;
    const { policy, signal, what } = call;
    let firstHand = true;
    for (let attempt = 1; ; attempt++) {
      let reason: string;
      let askedMs: number | null = null;
      let failure: unknown = null;
      let answered: Answer | null = null;
      try {
        const response = await this.#send(call);
        const body = readBody(await response.text());
        answered = { status: response.status, body, firstHand };
        if (!isTemporary(response.status)) return answered;
        askedMs = retryAfterMs(response.headers.get("retry-after"), Date.now());
        reason = `status ${response.status}${errorMessage(body)}`;
        // After a gateway has given up, it is unknown what the service behind it did.
        if (response.status !== 429 && response.status !== 503) firstHand = false;
      } catch (error) {
        if (signal.aborted) throw new InterruptedError();
        if (!isNetworkFailure(error)) throw error;
        failure = error;
        reason = networkReason(error);
        firstHand = firstHand && wasNeverSent(error);
      }
      const pause = pauseMs(policy, attempt, askedMs, timing.random());
      if (pause === null) {
        if (answered !== null) return answered;
        throw new UnreachableError(`cannot reach ${this.#base}: ${reason}`, { cause: failure });
      }
      onRetry(`${what}: ${reason}; trying again in ${(pause / 1_000).toFixed(1)} s`);
      try {
        await timing.wait(pause, signal);
      } catch (error) {
        if (signal.aborted) throw new InterruptedError();
        throw error;
      }
    }
  }

  #send({ method, path, body, signal }: Call): Promise<Response> {
    const headers = new Headers({ accept: "application/json" });
    if (this.#authorization !== null) headers.set("authorization", this.#authorization);
    if (body === undefined) return fetch(this.#base + path, { method, headers, signal });
    headers.set("content-type", "application/json");
    const bytes = typeof body === "string" ? body : new Uint8Array(body);
    return fetch(this.#base + path, { method, headers, body: bytes, signal });
  }

  #refused(what: string, { status, body }: Answer): RefusedError {
    const type = errorType(body);
    const said = errorMessage(body) || `: status ${status}`;
    let advice = "";
    if (status === 401 && this.#authorization === null) {
      advice = " (give --user and --password, or set AISLE_USER and AISLE_PASSWORD)";
    } else if (status === 403) {
      advice = " (an import needs a user with the role write)";
    } else if (status === 413) {
      advice = " (choose a smaller --bulk-bytes)";
    }
    return new RefusedError(`${what} was refused with status ${status}${said}${advice}`, status, type);
  }
}

function readBody(text: string): unknown {
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function errorType(body: unknown): string | null {
  return typeof body === "object" && body !== null && "type" in body && typeof body.type === "string"
    ? body.type
    : null;
}

function errorMessage(body: unknown): string {
  const message = typeof body === "object" && body !== null && "message" in body ? String(body.message) : "";
  return message === "" ? "" : `: ${message}`;
}

/** fetch throws a TypeError whose cause is the failure of the socket; anything else is a defect of ours. */
function isNetworkFailure(error: unknown): error is TypeError {
  return error instanceof TypeError && (error.cause !== undefined || /fetch failed|terminated/.test(error.message));
}

function causeCode(error: TypeError): string | null {
  const cause = error.cause;
  if (typeof cause !== "object" || cause === null) return null;
  if ("code" in cause && typeof cause.code === "string") return cause.code;
  return null;
}

/** The connection could not be made at all, so the service cannot have acted. */
function wasNeverSent(error: TypeError): boolean {
  const code = causeCode(error);
  return code === "ECONNREFUSED" || code === "ENOTFOUND" || code === "EAI_AGAIN" || code === "EHOSTUNREACH";
}

function networkReason(error: TypeError): string {
  const code = causeCode(error);
  switch (code) {
    case "ECONNREFUSED":
      return "nobody listens there (connection refused)";
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return "the host name is not known";
    case "ECONNRESET":
    case "UND_ERR_SOCKET":
    case "EPIPE":
      return "the connection broke";
    case "UND_ERR_HEADERS_TIMEOUT":
    case "UND_ERR_BODY_TIMEOUT":
    case "UND_ERR_CONNECT_TIMEOUT":
    case "ETIMEDOUT":
      return "no answer in time";
    default: {
      const cause = error.cause instanceof Error ? error.cause.message : error.message;
      return code === null ? cause : `${cause} (${code})`;
    }
  }
}
