import type { Problem } from "./types.ts";

/** A failed call: the service refused it or did not answer. */
export class AisleError extends Error {
  override name = "AisleError";
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  /**
   * Stable identifier, e.g. `index_not_found`; `no_answer`; `unreadable` if the answer is not
   * Aisle's.
   */
  readonly type: string;
  /** Finds the failure in the service's logs. */
  readonly errorId: string | null;
  /** Problems of the request, with their paths. */
  readonly problems: readonly Problem[];
  /** Unchanged from the service. */
  readonly details: unknown;
  /** The wait that the service requests. */
  readonly retryAfterMs: number | null;

  constructor(
    message: string,
    of: Partial<Pick<AisleError, "status" | "type" | "errorId" | "details" | "retryAfterMs" | "cause">>,
  ) {
    super(message, { cause: of.cause });
    this.status = of.status ?? 0;
    this.type = of.type ?? "no_answer";
    this.errorId = of.errorId ?? null;
    this.details = of.details;
    this.problems = problemsOf(of.details);
    this.retryAfterMs = of.retryAfterMs ?? null;
  }
}

function problemsOf(details: unknown): Problem[] {
  const { problems } = record(details);
  return Array.isArray(problems) ? (problems as Problem[]) : [];
}

/** From an error answer. */
export function errorOf(response: Response, text: string): AisleError {
  const { status } = response;
  const retryAfterMs = retryAfterOf(response.headers.get("retry-after"));
  const { message, type, errorId, details } = record(parsed(text));
  if (typeof message !== "string" || typeof type !== "string") {
    const shown = text.slice(0, 200);
    return new AisleError(`HTTP ${status}: ${shown}`, { status, type: "unreadable", retryAfterMs });
  }
  const id = typeof errorId === "string" ? errorId : null;
  return new AisleError(message, { status, type, errorId: id, details, retryAfterMs });
}

/** Seconds, or a date. */
export function retryAfterOf(header: string | null): number | null {
  if (header === null) return null;
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
