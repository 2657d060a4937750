/**
 * Builds and sends one call, and retries it if that is safe.
 *
 * | answer                                 | retried                                                               |
 * |----------------------------------------|-----------------------------------------------------------------------|
 * | 429, 503: nothing was changed          | every call                                                            |
 * | none, 408, 502, 504, 520-527, 530      | calls that may be executed twice (`isRepeatable`)                     |
 * | any other                              | never, because the answer would be the same                           |
 */
import { AisleError, errorOf, parsed } from "./error.ts";
import type { Pair } from "./filters.ts";

export interface RetryPolicy {
  /** Total attempts; 1 turns retries off. */
  attempts: number;
  /** Maximum first pause; the maximum doubles with each retry. */
  baseMs: number;
  /** Maximum pause, unless the service requests a longer one. */
  maxMs: number;
  /** The call fails if the service requests a longer pause than this. */
  patienceMs: number;
}

export interface TransportOptions {
  /** Address of the service, e.g. `https://search.example.com`. */
  url: string;
  user?: string | undefined;
  password?: string | undefined;
  /** Sent with every call. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Replaces the global one, for a service binding or a test. */
  fetch?: ((request: Request) => Promise<Response>) | undefined;
  retry?: Partial<RetryPolicy> | undefined;
  /** Time limit per attempt; default 30,000. */
  timeoutMs?: number | undefined;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
}

export interface Call extends CallOptions {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  query?: readonly Pair[];
  /** JSON. */
  body?: string;
  /** Whether the call may be executed twice. */
  isRepeatable: boolean;
}

export class Transport {
  readonly #base: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #fetch: (request: Request) => Promise<Response>;
  readonly #retry: RetryPolicy;
  readonly #timeoutMs: number;

  constructor({ url, user, password, headers, fetch: own, retry, timeoutMs }: TransportOptions) {
    this.#base = url.replace(/\/+$/, "");
    this.#headers = {
      accept: "application/json",
      ...(user !== undefined && { authorization: basic(user, password ?? "") }),
      ...headers,
    };
    this.#fetch = own ?? ((request) => fetch(request));
    this.#retry = { attempts: 4, baseMs: 250, maxMs: 10_000, patienceMs: 60_000, ...retry };
    this.#timeoutMs = timeoutMs ?? 30_000;
  }

  /**
   * The body as JSON; null without a body (304). Rejects with AisleError, or with the signal's
   * reason.
   */
  async json(call: Call): Promise<unknown> {
    for (let attempt = 1; ; attempt++) {
      call.signal?.throwIfAborted();
      try {
        return await this.#attempt(call);
      } catch (error) {
        if (!(error instanceof AisleError)) throw error;
        const ms = this.#pauseMs(call, attempt, error);
        if (ms === null) throw error;
        await pause(ms, call.signal);
      }
    }
  }

  async #attempt({ method = "GET", path, query = [], body, signal }: Call): Promise<unknown> {
    const search = new URLSearchParams(query.map(([name, value]): [string, string] => [name, value])).toString();
    const timeout = AbortSignal.timeout(this.#timeoutMs);
    const request = new Request(this.#base + path + (search === "" ? "" : `?${search}`), {
      method,
      headers: {
        ...this.#headers,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      ...(body !== undefined && { body }),
    });
    let response: Response;
    let text: string;
    try {
      response = await this.#fetch(request);
      text = await response.text();
    } catch (cause) {
      signal?.throwIfAborted();
      const why = timeout.aborted ? `in ${this.#timeoutMs} ms` : `(${String(cause)})`;
      throw new AisleError(`${method} ${path}: no answer ${why}`, { cause });
    }
    if (response.status === 304) return null;
    if (!response.ok) throw errorOf(response, text);
    const value = parsed(text);
    if (value !== undefined) return value;
    if (text === "") return null;
    throw new AisleError(`${method} ${path}: the answer is not JSON`, {
      status: response.status,
      type: "unreadable",
    });
  }

  #pauseMs({ isRepeatable }: Call, attempt: number, error: AisleError): number | null {
    const { attempts, baseMs, maxMs, patienceMs } = this.#retry;
    const { status, retryAfterMs } = error;
    const isUndone = status === 429 || status === 503;
    const isLost = [0, 408, 502, 504, 530].includes(status) || (status >= 520 && status <= 527);
    if (attempt >= attempts || !(isUndone || (isLost && isRepeatable))) return null;
    if (retryAfterMs !== null && retryAfterMs > patienceMs) return null;
    // Half of the pause is random, so that clients that failed together do not retry together.
    const bound = Math.min(maxMs, baseMs * 2 ** (attempt - 1));
    return (retryAfterMs ?? bound / 2) + (Math.random() * bound) / 2;
  }
}

function basic(user: string, password: string): string {
  const bytes = new TextEncoder().encode(`${user}:${password}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}

/** Rejects with the signal's reason. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", abort, { once: true });
  });
}
