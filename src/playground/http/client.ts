/** Calls the service of this page, and measures each call. */
import type { ApiRequest } from "../logic/requests.ts";
import { readFailure, type Failure } from "../logic/problems.ts";
import { parseServerTiming, type Timing } from "../logic/timings.ts";
import type { Credentials } from "./credentials.ts";

export interface Answer {
  readonly request: ApiRequest;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Null if the body is not JSON. */
  readonly json: unknown;
  /** Time until the whole body has arrived. */
  readonly roundTripMs: number;
  readonly serverTimings: readonly Timing[];
}

/** A failed call. */
export class CallError extends Error {
  override name = "CallError";
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

export class Client {
  readonly credentials: Credentials;

  constructor(credentials: Credentials) {
    this.credentials = credentials;
  }

  /** Returns any answer, including errors. Rejects without an answer. */
  async send(request: ApiRequest, signal: AbortSignal): Promise<Answer> {
    const headers = new Headers({ accept: "application/json" });
    const authorization = this.credentials.header;
    if (authorization !== null) headers.set("authorization", authorization);
    if (request.contentType !== null) headers.set("content-type", request.contentType);
    const startMs = performance.now();
    let response: Response;
    let text: string;
    try {
      response = await fetch(request.path, {
        method: request.method,
        headers,
        body: request.body,
        signal,
        // Otherwise the browser would open its own password dialog; the page has a form.
        credentials: "omit",
        cache: "no-store",
      });
      // The connection may break.
      text = await response.text();
    } catch (error) {
      const isLate = error instanceof DOMException && error.name === "TimeoutError";
      if (signal.aborted && !isLate) throw error;
      const message = isLate ? "The service did not answer in time." : "The service cannot be reached.";
      throw new CallError(noAnswer("unreachable", message));
    }
    return {
      request,
      status: response.status,
      headers: response.headers,
      text,
      json: parse(text),
      roundTripMs: performance.now() - startMs,
      serverTimings: parseServerTiming(response.headers.get("server-timing")),
    };
  }

  /** Returns a successful JSON answer; anything else rejects with a CallError. */
  async expect(request: ApiRequest, signal: AbortSignal): Promise<Answer> {
    const answer = succeeded(await this.send(request, signal));
    if (answer.json !== null) return answer;
    // Something between the page and the service answered.
    throw new CallError(noAnswer("unreadable", "What came back is no answer of the service."));
  }
}

function noAnswer(type: string, message: string): Failure {
  return { status: 0, type, message, complaints: [], errorId: null };
}

export function succeeded(answer: Answer): Answer {
  if (answer.status >= 200 && answer.status < 300) return answer;
  throw new CallError(readFailure(answer.status, answer.json));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
